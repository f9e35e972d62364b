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
refuses 3 "was not measured at this --shape"
try annotate "$run"
refuses 2 "which variant?"
try annotate "$run" "$run"
refuses 2 "takes one run file"
finish
