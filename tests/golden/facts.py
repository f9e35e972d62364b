"""Checks that a page or a worklog states the facts of a list, wherever and in whatever words it does.  facts.py FACTS FILE

A fact is a line of four columns, by tabs: what the heading or caption above a table holds, how its row begins, how a column's head begins, and the
cell.  `*` in place of the first is any table.  A line `text`, tab, words: the file says so outside of tables too.  `never`: it does not.
"""
import html.parser
import re
import sys


def plain(text):
    return " ".join(text.replace("\\", "").split())


class Page(html.parser.HTMLParser):
    """Tables, each as (heading and caption, head, rows), and all text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables, self.words, self.heading, self.into, self.hidden = [], [], "", None, False

    def handle_starttag(self, tag, _):
        if tag in ("style", "svg"):
            self.hidden = True
        elif tag == "table":
            self.tables.append([self.heading, [], []])
        elif tag == "tr":
            self.tables[-1][2].append([])
        elif tag in ("th", "td"):
            self.tables[-1][2][-1].append("")
            self.into = "cell"
        elif tag == "caption":
            self.into = "caption"
        elif re.fullmatch("h[1-6]", tag):
            self.heading, self.into = "", "heading"

    def handle_endtag(self, tag):
        if tag in ("style", "svg"):
            self.hidden = False
        elif tag in ("th", "td", "caption") or re.fullmatch("h[1-6]", tag):
            self.into = None

    def handle_data(self, data):
        if self.hidden:
            return
        self.words.append(data)
        if self.into == "heading":
            self.heading += data
        elif self.into == "caption":
            self.tables[-1][0] += " " + data
        elif self.into == "cell":
            self.tables[-1][2][-1][-1] += data

    def finished(self):
        for table in self.tables:
            table[1], table[2] = table[2][:1], table[2][1:]
        return [(plain(c), [plain(x) for x in (h or [[]])[0]], [[plain(x) for x in r] for r in rows]) for c, h, rows in self.tables]


def markdown(text):
    tables, heading, rows = [], "", []
    for line in text.splitlines() + [""]:
        if line.startswith("|"):
            rows.append([plain(x) for x in re.split(r"(?<!\\)\|", line.strip().strip("|"))])
        elif rows:
            tables.append((heading, rows[0], rows[2:]))
            rows = []
        if line.startswith("#"):
            heading = plain(line.lstrip("#"))
    return tables


def stated(tables, where, row, column, cell):
    found = []
    for context, head, rows in tables:
        at = [i for i, name in enumerate(head) if name.startswith(column)]
        if at and (where == "*" or where in context):
            found += [r[i] for r in rows for i in at[:1] if i < len(r) and r[0].lstrip("↳ ").startswith(row)]
    return cell in found, found


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    page = Page()
    if "<html" in text[:200]:
        page.feed(text)
        tables, words = page.finished(), plain("".join(page.words))
    else:
        tables, words = markdown(text), plain(text)
    faults, facts = [], 0
    for line in open(sys.argv[1], encoding="utf-8").read().splitlines():
        if not line or line.startswith("#"):
            continue
        facts += 1
        cells = line.split("\t")
        if cells[0] in ("text", "never"):
            if (plain(cells[1]) in words) != (cells[0] == "text"):
                faults.append(f"{'it does not say' if cells[0] == 'text' else 'it says'}: {cells[1]}")
        else:
            right, found = stated(tables, *cells)
            if not right:
                faults.append(f"{' / '.join(cells[:3])}: {cells[3]} is not there, but {found or 'no such cell'}")
    print("\n".join(faults))
    sys.exit(1 if faults or not facts else 0)


main()
