#!/usr/bin/env bash
# annotate: source lines with their samples, the hottest file first.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run=$(fixture_run)

try annotate "$run" cuda-4-tuned
code 0
says "cuda-4-tuned at 7168x16384x1" "most wait for"
python3 - "$out" "$run" <<'EOF' || bad "a line, its share or its order is not the run's"
import gzip, json, re, sys
text = open(sys.argv[1]).read()
packed = open(sys.argv[2], 'rb').read()
run = json.loads(gzip.decompress(packed) if packed[:2] == b'\x1f\x8b' else packed)
sources = {s['name']: s['text'].split('\n') for s in run['sources']}
heads = re.findall(r'^(\S+): (\d+) % of (\d+) samples$', text, re.M)
assert len(heads) > 1 and [int(h[1]) for h in heads] == sorted((int(h[1]) for h in heads), reverse=True), heads
shares, shown, name = 0.0, 0, None
for line in text.split('\n'):
    head = re.match(r'^(\S+): \d+ % of', line)
    name = head.group(1) if head else name
    row = re.match(r'^ *([\d.]+)?  ?.*? (\d+)  (.*)$', line)
    if not name or not row or '─' in line:
        continue
    number = int(row.group(2))
    if number <= len(sources[name]) and sources[name][number - 1].strip() and row.group(3).strip() == sources[name][number - 1].strip():
        shown += 1
        shares += float(row.group(1) or 0)
assert shown > 20 and 90 < shares <= 100.6, (shown, shares)
EOF

# Whole files are longer; one shape, one variant.
lines=$(wc -l <"$out")
try annotate "$run" --variant cuda-4-tuned --shape 7168x2048x4 --all
code 0
says "at 7168x2048x4"
[ "$(wc -l <"$out")" -gt "$lines" ] || bad "--all shows no more"

try annotate "$run" cuda-4-tunde
refuses 2 "cuda-4-tunde" cuda-4-tuned
try annotate "$run" cuda-4-tuned --shape 8x64x1
refuses 2 "was not measured at this --shape"
try annotate "$run"
refuses 2 "which variant?"
try annotate "$run" "$run"
refuses 2 "takes one run file"

# A run that has its sources' names without their text, and one, as attach wrote them until November 2026, whose lines have no file: all that reads runs
# stands them, and says which lines.
"$python" - "$run" <<'EOF'
import gzip, json, sys
run = json.loads(gzip.open(sys.argv[1]).read())
ids, first = [v["id"] for v in run["variants"]], run["results"][0]["shape"]
run["results"] = [r for r in run["results"] if ids[r["variant"]] in ("cuda-3-ptx-decode", "cuda-4-tuned") and r["shape"] == first]
kept = [r["module"] for r in run["results"]]  # all of them take seconds
for r, module in zip(run["results"], range(len(kept))):
    r["module"] = module
    for x in r["samples"] + r["counts"]:
        x[0] = module
run["modules"] = [run["modules"][m] for m in kept]
for s in run["sources"]:
    s["text"] = ""
json.dump(run, open("names.json", "w"))
for m in run["modules"]:
    for k in m["kernels"]:
        for i in k["sass"]:
            i[2:] = [[[-1, line] for _, line in lines] for lines in i[2:]]
json.dump(run, open("unnamed.json", "w"))
EOF
for file in names.json unnamed.json; do
  for command in "annotate $file cuda-4-tuned --all" "diagnose $file --variant cuda-4-tuned --all" "diagnose $file --variant cuda-4-tuned --json" \
    "diagnose $file --brief --variant cuda-4-tuned" "diagnose $file --brief --json --variant cuda-4-tuned" "report $file --out $file.report --no-plots" \
    "export $file --csv csv" "explain $file --ladder cuda" "diff $run $file"; do
    # shellcheck disable=SC2086 # its words
    "$NVFP4_PROF" $command >"$file.said" 2>&1
    rc=$?
    [ $rc -le 1 ] || bad "$command ends with $rc: $(tail -n 1 "$file.said")"
  done
done
try annotate names.json cuda-4-tuned
code 0
says "(text not found)" "cuda/4-tuned.cu: "
try annotate unnamed.json cuda-4-tuned
code 0
says "files that the run does not name: 100 % of "
try diagnose names.json --variant cuda-4-tuned --brief
says "(text not found)"
try diagnose unnamed.json --variant cuda-4-tuned --brief
says " of a file that the run does not name"
try diagnose unnamed.json --variant cuda-4-tuned --json
holds "[(l['file'], l['line'] > 0) for l in j['diagnoses'][0]['hot']['lines'][:1]] == [(None, True)]"
finish
