#!/usr/bin/env bash
# The corpus: every pair is labelled once and recorded once on an H200, those of the first recording are split by the rule of its README, and kernels of it compile.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
corpus=$(realpath "$(dirname "$0")/../corpus")
"$python" - "$corpus" >"$out" 2>"$err" <<'PY' || bad "$(cat "$out" "$err")"
import collections, gzip, json, pathlib, re, sys

corpus = pathlib.Path(sys.argv[1])
causes = set(re.findall(r"^\| ([a-z0-9-]+) \|", (corpus / "README.md").read_text(), re.M)) - {"cause"}
assert "tail" in causes
header, *lines = (corpus / "labels.tsv").read_text().splitlines()
assert header == "id\tcause\taccepted\thalf", header
rows = [line.split("\t") for line in lines]
cause = {row[0]: row[1] for row in rows}
half = {row[0]: row[3] for row in rows}
assert len(cause) == len(rows), "an id is labelled twice"

after = {}
for path in sorted(corpus.glob("*.cu")):
    text = path.read_text()
    ids = re.findall(r"^//! id: *(\S+)$", text, re.M)
    assert len(ids) == 2 and re.findall(r"^//! parent: *(\S+)$", text, re.M) == ids[:1], f"{path.name} is no pair"
    assert re.search(r"^//! reference:", text, re.M), f"{path.name} has no reference"
    assert re.findall(r"^//! size: *(.*)$", text, re.M) == ["N = 16M"], f"{path.name}: one run needs one size"
    assert not re.search(r"^//! cures:", text, re.M), f"{path.name} tells its cause"
    assert text.count("\n") <= 150, f"{path.name} is longer than 150 lines"
    after[ids[1]] = path.name
assert len(after) >= 44 and set(after) == set(cause), f"labels.tsv and the files differ: {set(after) ^ set(cause)}"

for id, primary, accepted, _ in rows:
    assert primary in causes and accepted in causes | {""} and accepted != primary, f"{id}: {primary}, {accepted}"

def recorded(name):
    return {v["id"] for v in json.load(gzip.open(corpus / name))["variants"]} & set(after)

first, *h200 = (recorded(f"{name}.json.gz") for name in ("h100", "h200", "h200-fresh", "h200-seen"))
assert set.union(*h200) == set(after) and sum(map(len, h200)) == len(after), "each pair is recorded once on an H200"
assert [{half[id] for id in ids} for ids in (h200[0] - first, *h200[1:])] == [{"train"}, {"fresh"}, {"seen"}]
by_cause = collections.defaultdict(list)
for id, name in sorted(after.items(), key=lambda item: item[1].removesuffix(".cu")):
    if id in first:
        by_cause[cause[id]].append(id)
for name, ids in by_cause.items():
    for n, id in enumerate(ids):
        want = "test" if len(ids) == 1 or n % 2 else "train"
        assert half[id] == want, f"{id} ({name}): {half[id]}, not {want}"
assert {half[id] for id in first} == {"train", "test"}
PY

try list --kernels "$corpus" --json
code 0
holds "len(j['variants']) == 2 * $(find "$corpus" -name '*.cu' | wc -l)"

# What a remedy brings where it goes as far as it can stands beside what it is estimated at.
try diagnose "$corpus/h200-seen.json.gz" --variant forward-table
code 0
says "tiles as large as fit may save up to 82 % of the time"
try diagnose "$corpus/h200-seen.json.gz" --variant forward-table --brief
code 0
says "bound: L1 and shared memory, 99 % of the time" "tiles as large as fit may save up to 82 % of the time"

# An expression of the chip's SMs, of a power; the headers of the tensor cores and of cp.async.
for file in invert-bytes long-blocks rolling-hash stage-overlap gemm-warp-tile tiny-launches; do
  try --kernel "$corpus/$file.cu" --target sm_90a --no-sass
  [ "$rc" = 3 ] && grep -q libnvrtc "$err" && skip "$(cat "$err")"
  code 0
  says "2 variants, 0 failed"
done
finish
