#!/usr/bin/env bash
# One hostile name through every output: control characters stay out of terminal, Markdown, HTML, CSV, XML and charts, and no cell of CSV is a formula.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

clean() { # clean FILE...: no control character but newline, tab, and the ends of CSV's lines
  "$python" -IS - "$what" "$@" <<'PY' || bad "control characters or formulas"
import csv, io, re, sys
wrong = 0
for path in sys.argv[2:]:
    data = open(path, "rb").read()
    if b"\0" in data[:64] or data[:4] == b"\x89PNG":
        continue
    text = data.decode(errors="surrogateescape")
    found = re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)", text)
    if found:
        print(f"    {path}: {text[max(0, found.start() - 30):found.end() + 30]!r}")
        wrong = 1
    if path.endswith(".csv"):
        for row in csv.reader(io.StringIO(text, newline="")):
            for cell in row:
                if re.match(r"[=+@\t]|-(?![\d.])", cell):
                    print(f"    {path}: the formula {cell!r}")
                    wrong = 1
sys.exit(wrong)
PY
}
shown() { # the last command's output
  cp "$out" shown.txt
  clean shown.txt "$err"
}

# Every string of a run that is no key, hash or verdict begins with a formula and holds ESC, C1, BEL, the order to write from right to left, and a command for a shell.
"$python" -IS - "$(fixture_run)" <<'PY' || exit 1
import gzip, json, sys
j = json.load(gzip.open(sys.argv[1]))
bad = "=cmd|'x'!A1\x1b]0;owned\x07\x9b2J\x7f\u202e`touch ran`$(touch ran)"
for where, keys in ((j, ("created", "command", "tool")), (j["device"], ("name", "driver_version", "driver"))):
    for key in keys:
        if isinstance(where.get(key), str):
            where[key] = bad + where[key]
j["notes"] = [bad]
for v in j["variants"]:
    for key in ("file", "title", "change", "note", "summary", "hint", "expect", "predicts"):
        if isinstance(v.get(key), str):
            v[key] = bad + v[key]
for r in j["results"]:
    if r["check"].get("reason"):
        r["check"]["reason"] = bad + r["check"]["reason"]
for s in j.get("sources", []):
    s["text"] = "// " + bad + "\n" + s["text"]
open("hostile.json", "w").write(json.dumps(j))
PY

try report hostile.json --no-plots --out report
code 0
shown
grep -q "owned" report/worklog.md || bad "the name is not in worklog.md: the test tests nothing"
clean report/worklog.md report/index.html report/results.csv
for command in "--run hostile.json --out again --no-plots" "diagnose hostile.json" "diff hostile.json hostile.json" "diff hostile.json hostile.json --markdown" \
  "history hostile.json hostile.json" "explain cuda-4-tuned --run hostile.json" "export hostile.json --csv"; do
  # shellcheck disable=SC2086
  try $command
  shown
done
try diff hostile.json hostile.json --junit junit.xml
clean junit.xml
try export hostile.json --trace trace.json --metrics metrics.csv
code 0
clean trace.json metrics.csv
# Charts: their sources always, pictures where there is gnuplot.
try report hostile.json --select 'cuda-0*,cuda-1*,cuda-2*,7168x2048x4' --charts all --out charts
code 0
shown
clean charts/*.gp charts/*.dat
command -v gnuplot >/dev/null && clean charts/*.svg
[ -z "$(find . -name ran)" ] || bad "a name was run as a command"

# File names, options, front matter and a compiler's messages.
name=$'=a\033]0;owned\007\302\233b'
try report "$name.json"
shown
complains "cannot be opened"
try "$name"
shown
mkdir rungs
printf '//! id: %s\n//! ladder: my\n' "$name" >"rungs/x.cu"
try list --kernels rungs
shown
printf '//! id: my-x\n//! ladder: my\n//! change: none\n//! step: kernel = gemv; grid = M, L; block = 128\n//! accumulate: fp32\nextern "C" __global__ void gemv() { \033]0;owned\007 }\n' >rungs/x.cu
try --kernels rungs --target sm_90a
shown

# A CSV of Nsight Compute.
"$python" -IS - "$(dirname "$0")/../import/details.csv" "$name" <<'PY' || exit 1
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
head = next(i for i, row in enumerate(rows) if "Kernel Name" in row)
column = rows[head].index("Kernel Name")
for row in rows[head + 1:]:
    if len(row) > column:
        row[column] = sys.argv[2] + row[column]
csv.writer(open("ncu.csv", "w")).writerows(rows)
PY
try import ncu ncu.csv --out imported.json
code 0
shown
try report imported.json --no-plots --out imported
code 0
shown
clean imported/worklog.md imported/index.html imported/results.csv
finish
