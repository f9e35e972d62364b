"""axe-core over pages at several widths: axe.py CHROMIUM AXE.JS WIDTH,... PAGE.html...: violations with all steps closed and all open, what is wider than the
screen, and tab stops where nothing scrolls.  Prints the faults.  One Chromium serves all."""
import sys
from pathlib import Path

from browser import Browser

LOOK = """(async () => {
  const faults = [];
  /* Chromium and Firefox let the keyboard into what scrolls, when it scrolls, without a tabindex, which axe asks for. */
  const rules = {resultTypes: ["violations"], rules: {"scrollable-region-focusable": {enabled: false}}};
  for (const open of [false, true]) {
    const what = open ? "open" : "closed";
    document.querySelectorAll("details").forEach(d => d.open = open);
    /* What a page shows closed it shows open, too: one width judges what is only there while closed. */
    for (const v of open || CLOSED ? (await axe.run(document, rules)).violations : [])
      faults.push(v.id + " (" + v.impact + ", " + what + ", " + v.nodes.length + "): " + v.nodes[0].html.slice(0, 160));
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      faults.push("the body scrolls sideways: " + root.scrollWidth + " > " + root.clientWidth + ", " + what);
    for (const e of document.querySelectorAll(".chart svg text")) {
      const mine = e.getBoundingClientRect(), its = e.ownerSVGElement.getBoundingClientRect();
      if (mine.width && (mine.left < its.left - 1 || mine.right > its.right + 1))
        faults.push("a chart cuts off " + e.textContent.trim());
    }
    for (const e of document.querySelectorAll("[tabindex]"))
      if (e.tabIndex >= 0 && e.offsetParent && e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)
        faults.push("a tab stop that neither scrolls nor opens: " + e.outerHTML.slice(0, 100));
  }
  return {faults, width: innerWidth};
})()"""


def main():
    chromium, axe, widths, *pages = sys.argv[1:]
    faults = []
    with Browser(chromium) as b:
        for page in pages:
            for i, width in enumerate(map(int, widths.split(","))):
                b.open(page, width, 900)
                b.value(Path(axe).read_text(encoding="utf-8") + "; null")
                answer = b.value(LOOK.replace("CLOSED", "false" if i else "true"), wait=True)
                if answer["width"] != width:
                    answer["faults"].append(f"{width} px were asked for, and the page had {answer['width']}")
                faults += [f"{page} at {width} px: {fault}" for fault in answer["faults"]]
    print("\n".join(faults[:12]))
    sys.exit(bool(faults))


main()
