"""Checks a page that nvfp4-prof wrote; prints what is wrong with it, one fault a line.  html_page.py FILE"""
import html.parser
import re
import sys

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.faults = [], [], [], []
        self.headings, self.landmarks, self.caption = [], [], True

    def fault(self, text):
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def attributes(self, tag, given):
        names = [name for name, _ in given]
        if len(names) != len(set(names)):
            self.fault(f"<{tag}> has an attribute twice")
        return dict(given)

    def handle_starttag(self, tag, given):
        a = self.attributes(tag, given)
        if "id" in a:
            self.ids.append(a["id"])
        for name in ("href", "xlink:href"):
            if name in a:
                self.links.append(a[name])
        for reference in ("aria-labelledby", "aria-describedby"):
            if reference in a:
                self.links.append("#" + a[reference])
        if "src" in a or any(name.startswith("on") for name in a) or tag in ("script", "link", "iframe"):
            self.fault(f"<{tag}> asks for a file or runs a script: {a}")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
            if len(self.headings) > 1 and self.headings[-1] > self.headings[-2] + 1:
                self.fault(f"<{tag}> follows <h{self.headings[-2]}>")
        if tag in ("main", "nav", "header", "footer"):
            self.landmarks.append(tag)
        if tag == "th" and a.get("scope") not in ("col", "row"):
            self.fault("<th> without a scope")
        if tag == "thead" and self.open[-1] == "table" and not self.caption:
            self.fault("<table> without a caption")
        self.caption = tag == "caption" or (self.caption and tag != "table")
        if tag == "svg" and (a.get("role") != "img" or "aria-labelledby" not in a):
            self.fault("<svg> without a role or a title")
        if "tabindex" in a:
            self.fault(f"<{tag}> has a tabindex: browsers stop at what scrolls, and at nothing else")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, given):
        self.handle_starttag(tag, given)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.fault(f"</{tag}> closes <{self.open[-1] if self.open else 'nothing'}>")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def finish(self):
        self.close()
        if self.open:
            self.faults.append(f"left open: {self.open}")
        for text in sorted({i for i in self.ids if self.ids.count(i) > 1}):
            self.faults.append(f"id {text} twice")
        for link in sorted(set(self.links)):
            if link.startswith("#") and link[1:] not in self.ids:
                self.faults.append(f"link {link} leads nowhere")
        if self.headings.count(1) != 1 or self.headings[0] != 1:
            self.faults.append(f"headings: {self.headings[:5]}, h1 {self.headings.count(1)} times")
        if "main" not in self.landmarks or "header" not in self.landmarks:
            self.faults.append(f"landmarks: {self.landmarks}")
        return self.faults


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
page = Page()
page.feed(text)
faults = page.finish()
if re.search("url\\(['\"]?(?!#)|@import", text):
    faults.append("the style asks for a file")
print("\n".join(faults[:20]))
sys.exit(1 if faults else 0)
