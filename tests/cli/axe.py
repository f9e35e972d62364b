"""axe-core over a page: axe.py CHROMIUM AXE.JS PAGE.html WIDTH: violations with all steps closed and all open, what is wider than the screen, and
tab stops where nothing scrolls.  Prints the faults; the page's own policy lets no script run, so a copy without it is looked at."""
import html, json, pathlib, re, subprocess, sys, tempfile

chromium, axe, page, width = sys.argv[1:]
text = pathlib.Path(page).read_text(encoding="utf-8")
probe = """
async function look() {
  const out = {faults: []};
  /* Chromium and Firefox let the keyboard into what scrolls, when it scrolls, without a tabindex, which axe asks for. */
  const rules = {resultTypes: ["violations"], rules: {"scrollable-region-focusable": {enabled: false}}};
  for (const open of [false, true]) {
    document.querySelectorAll("details").forEach(d => d.open = open);
    const found = await axe.run(document, rules);
    for (const v of found.violations)
      out.faults.push(v.id + " (" + v.impact + ", " + (open ? "open" : "closed") + ", " + v.nodes.length + "): " + v.nodes[0].html.slice(0, 160));
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      out.faults.push("the body scrolls sideways: " + root.scrollWidth + " > " + root.clientWidth + (open ? ", open" : ", closed"));
    for (const e of document.querySelectorAll(".chart svg text")) {
      const mine = e.getBoundingClientRect(), its = e.ownerSVGElement.getBoundingClientRect();
      if (mine.width && (mine.left < its.left - 1 || mine.right > its.right + 1))
        out.faults.push('a chart cuts off ' + e.textContent.trim());
    }
    for (const e of document.querySelectorAll("[tabindex]"))
      if (e.tabIndex >= 0 && e.offsetParent && e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)
        out.faults.push("a tab stop that neither scrolls nor opens: " + e.outerHTML.slice(0, 100));
  }
  out.width = innerWidth;
  const answer = document.createElement("pre");
  answer.id = "axe-answer";
  answer.textContent = JSON.stringify(out);
  parent.document.body.append(answer);
}
addEventListener("load", look);
"""
text = re.sub(r"<meta http-equiv=[\"']?Content-Security-Policy[^>]*>", "", text)
text = text.replace("</head>", f"<script>{pathlib.Path(axe).read_text(encoding='utf-8')}</script><script>{probe}</script></head>", 1)
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder, "page.html")  # in a frame, for a window has 500 px at least
    copy.write_text(f'<!doctype html><meta charset="utf-8"><iframe width="{width}" height="900" style="border:0" srcdoc="{html.escape(text)}"></iframe>',
                    encoding="utf-8")
    done = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                           "--window-size=1500,1000", "--virtual-time-budget=100000", "--dump-dom", f"file://{copy}"],
                          capture_output=True, text=True, timeout=280)
found = re.search(r'<pre id="axe-answer">(.*?)</pre>', done.stdout, re.S)
if not found:
    sys.exit(f"{chromium} answers nothing: {done.stderr[-300:]}")
answer = json.loads(html.unescape(found.group(1)))
if answer["width"] != int(width):
    answer["faults"].append(f"{width} px were asked for, and the page had {answer['width']}")
print("\n".join(answer["faults"][:12]))
sys.exit(bool(answer["faults"]))
