"""A page as Chromium shows and prints it: pdf_text.py CHROMIUM PAGE.html LEAST: its height at 1440 px, its printed pages, and their smallest text in points; what
is smaller than LEAST, or drawn as a picture, whose letters have no size, is a fault.  Reads the PDF that Skia writes, no other."""
import math
import re
import sys
import zlib

from browser import Browser

TOKEN = re.compile(rb"<<.*?>>|<[0-9A-Fa-f\s]*>|\((?:\\.|[^\\)])*\)|/[^\s<>\[\]()/]+|[\[\]]|[^\s<>\[\]()/]+", re.S)


def times(a, b):
    """The matrix a, then b."""
    return (a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
            a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5])


class Pdf:
    def __init__(self, data):
        self.objects = {int(m[1]): m[2] for m in re.finditer(rb"(?:^|\n)(\d+) 0 obj\s*(.*?)\s*endobj", data, re.S)}
        self.pages = [o for o in self.objects.values() if re.search(rb"/Type\s*/Page\b(?!s)", o)]
        self.maps = {}

    def stream(self, number):
        head, _, body = self.objects[number].partition(b"stream")
        body = body.lstrip(b"\r\n").rpartition(b"endstream")[0]
        return zlib.decompressobj().decompress(body) if b"/FlateDecode" in head else body

    def letters(self, font):
        """Of a font, by glyph: what its map to Unicode says, from both kinds of its rows."""
        if font not in self.maps:
            found = re.search(rb"/ToUnicode (\d+) 0 R", self.objects.get(font, b""))
            text = self.stream(int(found[1])).decode("latin-1") if found else ""
            out = {}
            for block in re.findall(r"beginbfchar(.*?)endbfchar", text, re.S):
                for glyph, letter in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
                    out[int(glyph, 16)] = bytes.fromhex(letter).decode("utf-16-be", "replace")
            for block in re.findall(r"beginbfrange(.*?)endbfrange", text, re.S):
                for low, high, letter in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
                    for i in range(int(low, 16), int(high, 16) + 1):
                        out[i] = chr(int(letter, 16) + i - int(low, 16))
            self.maps[font] = out
        return self.maps[font]

    def texts(self, page):
        """(points, text) of every piece of text."""
        fonts = {m[1]: int(m[2]) for m in re.finditer(rb"/(F\d+) (\d+) 0 R", page)}
        content = self.stream(int(re.search(rb"/Contents (\d+)", page)[1]))
        matrix, kept, line, font, size, operands = (1, 0, 0, 1, 0, 0), [], (1, 0, 0, 1, 0, 0), None, 0.0, []
        for token in TOKEN.findall(content):
            if token == b"q":
                kept.append(matrix)
            elif token == b"Q":
                matrix = kept.pop()
            elif token == b"cm":
                matrix = times(tuple(float(x) for x in operands[-6:]), matrix)
            elif token == b"Tf":
                font, size = fonts.get(operands[-2][1:]), float(operands[-1])
            elif token == b"Tm":
                line = tuple(float(x) for x in operands[-6:])
            elif token in (b"Tj", b"TJ"):
                whole = times(line, matrix)
                points = size * math.hypot(whole[2], whole[3])
                glyphs = b"".join(o for o in operands if o.startswith(b"<") and not o.startswith(b"<<"))
                codes = re.sub(rb"[<>\s]", b"", glyphs).decode()
                yield points, "".join(self.letters(font).get(int(codes[i:i + 4], 16), "?") for i in range(0, len(codes), 4))
            elif token == b"Do":
                yield 0.0, f"a picture, {operands[-1].decode()}"
            elif not token[:1].isalpha():
                operands.append(token)
                continue
            operands = []


def main():
    chromium, page, least = sys.argv[1:]
    with Browser(chromium) as b:
        b.open(page, 1440, 900)
        height = b.value("document.documentElement.scrollHeight")
        pdf = Pdf(b.pdf())
    found = sorted({(points, text) for sheet in pdf.pages for points, text in pdf.texts(sheet) if text.strip()})
    small = [(points, text) for points, text in found if points < float(least) - 0.005]
    print(height, len(pdf.pages), f"{found[0][0]:.2f}" if found else "no text")
    for points, text in small[:8]:
        print(f"{points:.2f} pt: {text[:80]}", file=sys.stderr)
    sys.exit(bool(small) or not found)


main()
