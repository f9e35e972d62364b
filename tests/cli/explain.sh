#!/usr/bin/env bash
# nvfp4-prof explain: steps of the recorded run and of a run file, predictions judged, and what it refuses.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run=$(fixture_run)
small=$(dirname "$0")/../golden/small.json

# Without a run: the recorded one, and the first line says so.
try explain --ladder cuda
code 0
head -n 1 "$out" | grep -q '^recorded on .*; not measured here$' || bad "the first line is $(head -n 1 "$out")"
says "cuda-1-coalesced → cuda-2-intrinsics" "× faster" "of the gain (" "predicted time < 0.5x held" "published ×0.22"
says_not "cute-5-k-split" "cuda-2-intrinsics is" "change in time by"
[ "$(wc -l <"$out")" -lt 150 ] || bad "nine steps take $(wc -l <"$out") lines"
try explain --ladder cuda --details
says CONFIRMED REFUTED "cuda-2-intrinsics is" "change in time by"
# Every rung's prediction can be parsed, on every ladder of the shipped run.
shipped=$(recorded_run) || {
  echo "$shipped"
  exit 77
}
NVFP4_RECORDED=$shipped try explain --json
code 0
holds "j['schema'] == 'nvfp4-prof/explain/1' and j['origin'] == 'recorded'"
holds "len(j['steps']) > 50 and all(s['shapes'] for s in j['steps'])"
holds "{p['verdict'] for s in j['steps'] for a in s['shapes'] for p in a['predictions']} >= {'CONFIRMED', 'REFUTED'}"
# Shares and rest add up to the measured change, to the nanosecond, in every step.
holds "all(abs(sum(a['shares_s'].values()) - a['time_s']['after'] + a['time_s']['before']) < 1e-12 for s in j['steps'] for a in s['shapes'] if 'unexplained' in a['shares_s'])"
holds "sum('unexplained' in a['shares_s'] for s in j['steps'] for a in s['shapes']) > 200"
holds "{c['verdict'] for s in j['steps'] for a in s['shapes'] for c in a['claims']} >= {'CONFIRMED', 'REFUTED'}"
try explain "$run" --ladder cuda --shape 7168x2048x4 --json
code 0
holds "all([a['shape'] for a in s['shapes']] == ['7168x2048x4'] for s in j['steps'])"
try explain "$run" cuda-1-coalesced cuda-2-intrinsics --details
says "published ×0.09 (B200, geomean), here ×0.64; path here: the FP4 intrinsic in software" "change in time by" unexplained
try explain "$shipped" attempts-7-baseline attempts-10-four-chains
says 'claimed "registers spill": REFUTED (local_bytes 0); "coalescing is lost": REFUTED (sectors_per_request ×1.00)'
# A claim on the time stands beside what changed the time, and a verdict that is another at another shape beside its shape.
try explain "$shipped" attempts-8-split-k
says 'claimed "split-K is slower": CONFIRMED (time ×2.28; causes: instructions, load latency)'
try explain "$shipped" cuda-5-ilp2
says '(long_scoreboard ×0.71, time ×1.22; causes: instructions); the author measured on B200'
try explain "$shipped" top-1-coarsen4
says ': REFUTED at 7168×2048×4 (time ×0.82; causes: ' ', CONFIRMED at 7168×16384×1 (time ×1.03)'
# Ranges over shapes say so.
try explain "$shipped" cuda-3-ptx-decode
says "of the gain over 3 shapes (ALU pipe"

# Another chip: projected, never mixed.
try explain "$run" --device b200
refuses 2 "--device b200: the run was measured on NVIDIA H200" "nvfp4-prof project RUN --to b200"
try project --to b200 --ladder cuda
code 0
says "Projected to NVIDIA B200" "cuda-6-fused *" "inside the interval" "marked *"
try project "$shipped" --to h100 --json
code 0
holds "[s['shape'] for s in j['rungs'][0]['shapes']] == ['7168x16384x1', '4096x7168x8', '7168x2048x4'] and all(s['projected_low_s'] < s['projected_s'] < s['projected_high_s'] for s in j['rungs'][0]['shapes'])"
holds "j['schema'] == 'nvfp4-prof/project/1' and j['origin'] == 'projected' and len(j['rungs']) > 50"
try project
refuses 2 "project needs the chip"
try project --to b200 --ladder cube
refuses 2 "ladder cube is not in the run, which holds cuda"

# Two variants: with the child's predictions where they are parent and child, and without where they are not.
try explain "$small" cuda-1-coalesced cuda-2-intrinsics --details
code 0
says "bounds, µs: dram 20.6 → 13.7" "issue 200 → 10.0" "by pipe: alu 63360 → 3168, fma 31680 → 1584"
says "measured on" "cuda-2-intrinsics is 10× faster than cuda-1-coalesced" "inst < 0.2x CONFIRMED 0.0500×" "dram_bytes within 5% REFUTED 0.667×"
# What was advised before the step, and what the cure that it names had promised: 320 to 32 us are 90 % less.
says "advised at cuda-1-coalesced: decoding costs too many instructions [decode-cost], may save" \
  "aimed at [issue-slots]: " " % promised; the whole step gained 90 %; still advised"
try explain "$small" cuda-1-coalesced cuda-2-intrinsics --json
code 0
holds "[(c['rule'], c['spoke'], c['silent_after'], round(c['gained_s'] * 1e6)) for c in j['steps'][0]['shapes'][0]['cures']] == [('issue-slots', True, False, 288)]"
holds "j['steps'][0]['shapes'][0]['advice_before']['rule'] == 'decode-cost'"
try explain "$small" cuda-0-naive cuda-2-intrinsics --shape 7168x16384x1 --details
code 0
says "advised at cuda-0-naive: " "advised at cuda-0-naive, 7168×16384×1: "
says_not "aimed at"
says "cuda-2-intrinsics is 100× faster than cuda-0-naive"
says_not CONFIRMED REFUTED 4096×7168×8
try explain "$small" cuda-2-intrinsics cuda-2-side --details
code 0
says "time > 1x CONFIRMED 1.25× UNKNOWN" "time > 1x at 4096×7168×8: cuda-2-side: the kernel did not finish"

# What it refuses.
try explain nowhere.json
refuses 3 nowhere.json "No such file"
try explain "$small" --ladder cube
refuses 2 "ladder cube is not in the run, which holds cuda" # two letters of four are another word
try explain "$small" --ladder cudaa
refuses 2 "ladder cudaa is not in the run; did you mean cuda?"
try explain "$small" --ladder cuda-2-intrinsics
refuses 2 "--ladder cuda-2-intrinsics: it is a variant; nvfp4-prof explain cuda-2-intrinsics explains its step"
# A variant is its step.
try explain "$small" cuda-2-intrinsics
code 0
says "cuda-1-coalesced → cuda-2-intrinsics" "advised at cuda-1-coalesced, 4096×7168×8: "
says_not "cuda-0-naive →" "→ cuda-2-side"
cp "$out" by-word
try explain "$small" --variant cuda-2-intrinsics
cmp -s "$out" by-word || bad "--variant X is not X"
try explain "$small" --variant 'cuda-2-*'
code 0
says "→ cuda-2-intrinsics" "→ cuda-2-side"
says_not "→ cuda-1-coalesced"
try explain "$small" cuda-0-naive
refuses 2 "no step to explain: cuda-0-naive has no parent in this run"
try explain "$small" cuda-2-intrinsic
refuses 2 "variant cuda-2-intrinsic is not in the run; did you mean cuda-2-intrinsics?"
try explain "$small" cuda --variant cuda-2-intrinsics
refuses 2 "give one"
try explain "$small" cuda-0-naive cuda-2-intrinsic
refuses 2 "cuda-2-intrinsic is not in the run; did you mean cuda-2-intrinsics?"
try explain "$small" --shape 64x64x1
refuses 2 64x64x1 "not measured"
try explain "$small" --shape 64
refuses 2 --shape
try explain a b c d
refuses 2 "explain takes"
try explain "$small" a b --ladder cuda
refuses 2 --ladder
try explain --lader cuda
refuses 2 "did you mean --ladder"
try explain "$(dirname "$0")/../golden/planted.json.gz"
refuses 2 "no step to explain: no variant has its parent in this run"
try explain "$small" --ladder control
refuses 2 "no step to explain: no variant of ladder control"
"$python" -IS -c "
import sys
print(open(sys.argv[1]).read().replace('inst < 0.5x', 'inst < 0.5'))" "$small" >malformed.json
cmp -s "$small" malformed.json && bad "small.json holds no prediction to spoil"
try explain malformed.json
refuses 2 "cuda-1-coalesced: predicts: 'inst < 0.5'" "expected 'x'"
# A report of it is made all the same, and says why.
try report malformed.json --no-plots --out malformed
code 4
grep -q "not judged: cuda-1-coalesced: predicts: 'inst < 0.5'" malformed/worklog.md || bad "the worklog does not say why"
finish
