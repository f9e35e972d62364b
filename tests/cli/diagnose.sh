#!/usr/bin/env bash
# nvfp4-prof diagnose: a run is diagnosed without a GPU and without nvdisasm, and bad questions are answered in one line.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
small=$(realpath "$(dirname "$0")/../golden/small.json")
export NVFP4_NVDISASM=/nonexistent/nvdisasm

# Without a run: the recorded one, and it says so.
try diagnose --variant cuda-4-tuned --shape 7168x16384x1
code 0
says "cuda-4-tuned at 7168×16384×1: " "recorded on NVIDIA H200" "not measured here" "[decode-cost]: may save" "remedy: " "rate_alu "

# No advice promises more than the time, and each rests on evidence, in the whole of the shipped run.
shipped=$(recorded_run) && report=$(shipped_report) || exit
cp "$report/diagnoses.json" all.json
holds "j['schema'] == 'nvfp4-prof/diagnose/1' and j['origin'] == 'recorded' and len(j['diagnoses']) > 200" all.json
holds "all(a['saves_low_s'] <= a['saves_s'] <= a['saves_high_s'] < d['time_s'] for d in j['diagnoses'] for a in d['advice'])" all.json
holds "all(0 <= a['saves_s'] < d['time_s'] and a['evidence'] and a['remedy'] for d in j['diagnoses'] for a in d['advice'])" all.json
holds "len({a['rule'] for d in j['diagnoses'] for a in d['advice']}) >= 10" all.json
try diagnose --variant cuda,ours --shape 7168x16384x1 --json
code 0
holds "j['origin'] == 'recorded' and {d['variant'].split('-')[0] for d in j['diagnoses']} == {'cuda', 'ours'} and {d['shape'] for d in j['diagnoses']} == {'7168x16384x1'}"

# Of several shapes the one with the most to gain and two lines for each other; each where shapes are named or all is asked for.
whole() { # whole N: so many diagnoses stand here whole
  [ "$(grep -c '^bound: ' "$out")" = "$1" ] || bad "not $1 whole diagnoses"
}
try diagnose --variant ours-4-early-b
code 0
whole 1
says "most to gain of 3 shapes: " "other shapes (whole: --shape " "below 10 %: " "none: atomics, xu, fp64, texture"
says_not "none of it" "all instructions"
try diagnose --variant ours-4-early-b,cuda-4-tuned
code 0
whole 2
[ "$(grep -c '^most to gain of 3 shapes' "$out")" = 2 ] || bad "not each kernel's shapes"
try diagnose --variant ours-4-early-b --shape 7168x16384x1,4096x7168x8
code 0
whole 2
says_not "most to gain"
# Of three shapes less than 80 lines of 80 columns.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  n=$(TERM=xterm script -qec "stty cols 80; $NVFP4_PROF diagnose --variant ours-4-early-b" /dev/null </dev/null 2>/dev/null | wc -l)
  ((n > 40 && n < 80)) || bad "$n lines on a terminal"
fi
try diagnose --variant ours-4-early-b --all
code 0
whole 3
says "none of it" "all instructions"
says_not "most to gain" "below 10 %"

# Samples: the hot lines with their source, the instruction, and the load that it waits for.
try diagnose "$small" --variant cuda-2-intrinsics --shape 7168x16384x1
code 0
says "1000 PC samples, 5 dropped; warps wait in 90 %, issue or are ready in the others" "long_scoreboard 86 %" "hottest instructions, 80 % of the samples (more: --all), and what they wait for" \
  "for LDG.E.128.CONSTANT R4, desc[UR4][R2.64] (16 bytes per lane) at common/load.cuh:2 in cuda/2-intrinsics.cu"
try diagnose "$small" --variant cuda-2-intrinsics --shape 7168x16384x1 --json
code 0
holds "j['diagnoses'][0]['hot']['instructions'][0]['waits_for'][0]['bytes'] == 16"
holds "j['diagnoses'][0]['hot']['samples'] == 1000"
try diagnose "$small" --variant cuda-1-coalesced
code 0
says "where warps wait: unknown: no PC samples were taken"

# What nothing was counted of is diagnosed by its code, and how to count it is said.
python3 - "$(fixture_run)" <<'EOF' >bare.json
import gzip, json, sys
run = json.load(gzip.open(sys.argv[1]))
keep = next(r for r in run["results"] if run["variants"][r["variant"]]["id"] == "cuda-0-naive")
keep["metrics"], keep["variant"] = [], 0
keep.pop("counts", None)
name = keep["launches"][0]["kernel"]
run["variants"] = [{"id": "gemv", "ladder": "program", "change": "", "side": False, "wrong": False,
                    "keys": [["kernel", name], ["launches", "9"], ["gpu_time_ns", "9000"], ["gpu_time_share", "1.0"]]}]
run["results"], run["command"] = [keep], "nvfp4-prof attach --out r.json -- ./app"
json.dump(run, sys.stdout)
EOF
try diagnose bare.json
code 0
says "none: no counters were collected, so no bound is known" "from the code and the launch alone, modelled (which of the code runs was not seen):" "1. " "remedy: " \
  "next nvfp4-prof attach --two-runs --out r.json -- ./app"
says_not "was not collected" "bound by"
try diagnose bare.json --brief
code 0
says "no counters were collected, so no bound is known; from the code alone (which of the code runs was not seen): "
try diagnose bare.json --json
code 0
holds "j['diagnoses'][0]['advice'] == [] and j['diagnoses'][0]['code']['advice'][0]['remedy']"
try report bare.json --out bare --no-plots
code 0
says "do collect counters: without them no bound is known; from the code alone (which of the code runs was not seen): "
grep -q "so no bound is known; from the code alone (which of the code runs was not seen): " bare/index.html || bad "the page does not tell what the code shows"

# What each rung says it cures: every one, also beside a faster one.
try diagnose --score --labels cures --variant cuda
code 0
says "cuda-2-intrinsics" "median error" "where the rule fired"
try diagnose "$shipped" --score --labels cures --json
code 0
holds "j['rules'][-1]['rule'] == 'all' and j['rules'][-1]['steps'] == len(j['entries']) > 50"

# The swizzle of shared memory, for which another profiler promised most of the time, gained nothing: neither do we promise it.
holds "len([e for e in j['entries'] if e['child'] == 'cute-5-swizzled' and e['causes'] == ['bank-conflicts']]) == 3"
holds "all((e['promised_s'] or 0) < 2e-6 and abs(e['gained_s']) < 2e-6 for e in j['entries'] if e['child'] == 'cute-5-swizzled')"

# The score: labelled steps, beaten or not by what one would say of every kernel; only what was asked for.
try diagnose --score --variant cuda --json
code 0
holds "j['schema'] == 'nvfp4-prof/score/1' and j['steps'] == len(j['entries']) > 10"
holds "0 <= j['first'] <= j['first_three'] <= 1 and all(e['child'].startswith('cuda-') for e in j['entries'])"
labels=$(mktemp)
printf 'id\tcause\taccepted\thalf\ncuda-1-coalesced\tuncoalesced\t\ttrain\ncuda-4-tuned\toccupancy\tredundant-loads\ttest\n' >"$labels"
try diagnose --score --labels "$labels" --half train
code 0
says "3 labelled steps: cause named first" "for comparison: always issue-slots 0 %, always uncoalesced, the most frequent cause, 100 %" "labels: the causes in " "cuda-1-coalesced"
printf 'id\tcause\taccepted\thalf\ncuda-1-coalesced\tluck\t\ttrain\n' >"$labels"
try diagnose --score --labels "$labels"
refuses 2 "labels, line 2: want id, cause, accepted causes and half"
rm -f "$labels"

# What it refuses.
try diagnose
refuses 2 "what is to be diagnosed?" "nvfp4-prof diagnose run.json" "--variant ID"
try diagnose --variant no-such-rung
refuses 2 "variant no-such-rung is not in the run"
try diagnose --variant cuda-4-tuned --shape 128x64x1
refuses 2 "was not measured at this --shape"
try diagnose a.json b.json --variant x
refuses 2 "diagnose takes one run file"
small=$(realpath "$(dirname "$0")/../golden/small.json")
try diagnose "$small" --variant cuda-2-intrinsic
refuses 2 "cuda-2-intrinsic is not in the run; did you mean cuda-2-intrinsics?"
try diagnose "$small" --score --labels cures --variant cudaa
refuses 2 "cudaa is not in the run; did you mean cuda?"

# A word that is no file names variants; a file of one variant needs no name; a name may hold commas and blanks.
try diagnose cuda-4-tuned --shape 7168x2048x4 --json
code 0
holds "[(d['variant'], d['shape']) for d in j['diagnoses']] == [('cuda-4-tuned', '7168x2048x4')]"
"$python" -IS - "$small" <<'PY' || bad "no runs were made"
import json, sys
j = json.load(open(sys.argv[1]))
rung = next(i for i, v in enumerate(j["variants"]) if v["ladder"] != "control")
for v in j["variants"]:
    v.pop("parent", None)
j["variants"][rung]["id"] = "void scale<int, 4>(float *, int)"
json.dump(j, open("several.json", "w"))
j["variants"] = [v if i == rung else dict(v, ladder="control") for i, v in enumerate(j["variants"])]
json.dump(j, open("single.json", "w"))
PY
try diagnose single.json --json
code 0
holds "{d['variant'] for d in j['diagnoses']} == {'void scale<int, 4>(float *, int)'}"
try diagnose several.json
refuses 2 "which variant? several.json holds"
for list in 'void scale<int, 4>(float *, int)' 'void scale<int, 4>*' '*4>*'; do
  try diagnose several.json "$list" --json
  code 0
  holds "{d['variant'] for d in j['diagnoses']} == {'void scale<int, 4>(float *, int)'}"
done
try history several.json --variant 'void scale<int, 4>(float *, int),cuda-1-coalesced'
code 0
says "scale<int, 4>" cuda-1-coalesced
try report several.json --select 'void scale<int, 4>(float *, int)' --no-plots --format csv --out one
code 0
try diagnose nowhere.json --variant x
refuses 3 "nowhere.json"
finish
