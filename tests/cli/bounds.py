"""One definition of bound: bounds.py FOLDER TABLE DIAGNOSES.json: what findings.json says binds a cell is what CSV, the page, the terminal's
tables and diagnose say, with the same share, which is said as 100 % where the row is longer than the time.  Prints the cells that differ."""
import csv, gzip, html, json, re, sys

folder, table, diagnoses = sys.argv[1:]
findings = json.load(gzip.open(f"{folder}/findings.json.gz"))["findings"]
said = {(f["variant"], f["shape"]): f["bounds"]["binding"] for f in findings}
share = {(f["variant"], f["shape"]): f["bounds"]["share"] for f in findings}
faults = []


def compare(where, cells, shares=False):
    n = 0
    for cell, text in cells:
        word, _, percent = text.partition(" ")
        n += 1
        if word != (said[cell] or "–"):
            faults.append(f"{where}: {cell[0]} at {cell[1]}: {text}, and findings.json {said[cell]}")
        if shares and word != "–" and abs(float(percent.rstrip(" %")) - 100 * min(share[cell], 1)) > 0.51:
            faults.append(f"{where}: {cell[0]} at {cell[1]}: {percent}, and findings.json {share[cell]}")
    if n < len(said) * 3 // 4:
        faults.append(f"{where}: {n} cells of {len(said)}")


def of_diagnoses():
    for d in json.load(open(diagnoses))["diagnoses"]:
        yield (d["variant"], d["shape"]), d["bounds"]["binding"] or "–"


def of_csv():
    for row in csv.DictReader(open(f"{folder}/results.csv", encoding="utf-8")):
        yield (row["variant"], f"{row['m']}x{row['k']}x{row['l']}"), row["bound"] or "–"


def of_page():
    page = open(f"{folder}/index.html", encoding="utf-8").read()
    for found in re.finditer(r"<caption>([0-9]+)×([0-9]+)×([0-9]+): (?:recorded|measured);.*?</table>", page, re.S):
        text = found.group(0)
        titles = [re.sub(r"<.*?>", "", t) for t in re.findall(r'<th scope="col"[^>]*>(.*?)</th>', text, re.S)]
        column = next(i for i, t in enumerate(titles) if t.startswith("bound"))
        for row in re.findall(r"<tr>(.*?)</tr>", text, re.S):
            cells = [html.unescape(re.sub(r"<.*?>", "", c)).strip() for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
            if cells and cells[0] != titles[0]:
                yield (cells[0].removeprefix("↳").strip(), "x".join(found.groups())), cells[column]


def of_terminal():
    shape = None
    for line in open(table, encoding="utf-8"):
        if found := re.match(r"([0-9]+)×([0-9]+)×([0-9]+): (recorded|measured);", line):
            shape = "x".join(found.groups()[:3])
        elif line.startswith("variant ") and shape:
            begin = line.index("bound ")
        elif line.startswith("Geometric mean"):
            return
        elif shape and (found := re.match(r"(?:  ↳ )?([a-z0-9-]+) +", line)) and (found.group(1), shape) in said:
            yield (found.group(1), shape), re.split(r"  +", line[begin:])[0].strip()


compare("diagnose", of_diagnoses())
compare("results.csv", of_csv())
compare("the page", of_page(), True)
compare("the terminal", of_terminal(), True)
print("\n".join(faults[:10]))
sys.exit(bool(faults))
