#!/usr/bin/env bash
# nvfp4-prof merge: ranks' files as one, the outlier named, what is missing, partial or broken named and left out.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

# Rank I of N launches so much; a launch in four is "big", 101 us, the others "small", 11 us; the first 200 are in a range.
rank() { # rank I N LAUNCHES [HOW...]
  local i=$1 n=$2
  shift 2
  RANK=$i WORLD_SIZE=$n TARGET_RANGES=0+step,200- "$NVFP4_PROF" attach --top 0 --no-sass -o "run.json" -- "$target" "$@" >/dev/null 2>&1
}
TARGET_BIG=ncclDevKernel_AllReduce rank 9 10 4
holds '["collective" in dict(v["keys"]) for v in j["variants"]] == [True, False]' run.9.json
rm run.9.json

for i in 0 1 2 3; do rank $i 4 400; done
rank 2 4 600
try merge 'run.*.json' -o all.json
code 0
[ "$(head -n 5 "$out" | wc -l)" = 5 ] || bad "the answer is not five lines"
# 100 x 101 + 300 x 11 us are 13.4 ms, of 600 launches 20.1 ms; 15.075 ms on average
says "4 of 4 ranks, 1 host, 2 kernels, 15.1 ms of GPU time per rank." \
  "Slowest: rank 2, +50 %: 20.1 ms outside collectives; the others wait 6.70 ms." \
  "Largest difference: big: 15.2 ms on rank 2, median 10.1 ms." \
  "NVTX range of largest imbalance: step, 0.0 % (maximum 6.70 ms, mean 6.70 ms)." "No kernel is a collective." \
  "big all 100–150 10.10 10.10 15.15 rank 2 +50 %"
complains "merged into all.json; next: nvfp4-prof report all.json"
holds 'j["schema"] == "nvfp4-prof/run/1" and [r["process"]["rank"] for r in j["merge"]["ranks"]] == [0, 1, 2, 3] and j["merge"]["expected"] == 4' all.json
holds 'j["results"][0]["by_rank"] == [[0, 100, 10.1e6], [1, 100, 10.1e6], [2, 150, 15.15e6], [3, 100, 10.1e6]]' all.json
holds 'dict(j["variants"][0]["keys"])["launches"] == "450" and j["process"]["launches"] == 1800' all.json

# It is a run like any other; what is merged again is the ranks, not the merge.
try diagnose all.json --variant big
code 0
says "big: "
try diff all.json all.json
code 0
try export all.json --csv all.csv
code 0
try report all.json --out folder --no-plots
code 0
of_kernels folder
# The map: 50 % above the median in every row of rank 2, none in the range's; the page holds it where gnuplot is here.
try report all.json --charts all --out folder
code 0
grep -qx '2 1 50 "+50"' folder/ranks.dat || bad "the map lacks rank 2: $(cat folder/ranks.dat)"
grep -qx '1 1 0 "0"' folder/ranks.dat || bad "the map lacks rank 1"
grep -qx '2 3 0 "0"' folder/ranks.dat || bad "the map lacks the range"
grep -q '<section id="ranks">' folder/index.html || bad "the page lacks the ranks"
grep -qF '<li>Slowest: rank 2, +50 %' folder/index.html || bad "the page lacks the answer"
grep -qF '## Ranks' folder/worklog.md || bad "the worklog lacks the ranks"
[ ! -e folder/ranks.svg ] || grep -q 'id="chart-ranks"' folder/index.html || bad "the page lacks the map"
try merge ./*.json -o ./all.json
code 0
try merge run.0.json run.1.json run.2.json run.3.json all.json -o other.json
code 4
says "left out: all.json: it is a merged run"

try merge . --csv -o all.json
code 4 # other.json
[ "$(head -n 2 "$out" | tail -n 1 | tr -d '\r')" = "kernel,big,0,4,100,150,0.045450000000000004,0.010100000000000001,0.010100000000000001,0.011362500000000001,0.01515,0.33333333333333326,rank 2,0.49999999999999978" ] ||
  bad "CSV: $(sed -n 2p "$out")"
rm other.json
try merge 'run.*.json' --json -o all.json
code 0
holds 'j["schema"] == "nvfp4-prof/merge/1" and len(j["answer"]) == 5 and j["missing"] == [] and j["own"]["outlier"] and j["own"]["farthest"] == 2'
holds '[k["name"] for k in j["kernels"]] == ["big", "small"] and abs(j["kernels"][0]["off"] - 0.5) < 1e-9 and j["ranges"][0]["name"] == "step"'
holds 'j["ranks"][2]["rank"] == 2 and abs(j["ranks"][2]["own_s"] - 20.1e-3) < 1e-9 and j["collectives"]["ranks"] == 0'

# A file twice, and another chip's; two programs, of which each is a part of the time and none is slow.
"$python" -IS - run.3.json chip.3.json <<'PY'
import json, sys
j = json.load(open(sys.argv[1]))
j["device"]["name"] = "NVIDIA OTHER"
open(sys.argv[2], "w").write(json.dumps(j))
j = json.load(open("run.1.json"))
for v in j["variants"]:
    v["keys"] = [[k, "other_" + t if k == "kernel" else t] for k, t in v["keys"]]
open("program.1.json", "w").write(json.dumps(j))
PY
try merge run.0.json run.1.json run.1.json chip.3.json -o all.json
code 4
says "2 of 4 ranks (missing: 2–3)" "left out: run.1.json: it is the same process as run.1.json" \
  "left out: chip.3.json: it is of NVIDIA OTHER, and the merged run is of Fake GPU"
try merge run.0.json program.1.json -o all.json
code 4
says "No two ranks have a kernel in common, so none is slow beside another"
holds 'abs(sum(float(dict(v["keys"])["gpu_time_share"]) for v in j["variants"]) - 1) < 1e-5 and len(j["variants"]) == 4' all.json
rm chip.3.json program.1.json

# Ranks that are missing, cut short, or did not come to their end.
for i in 0 1 2 3 4 5 6 7; do rank $i 8 400; done
rm run.5.json
rank 6 8 400 kill
holds 'j["partial"]' run.6.json
head -c 3000 run.7.json >short.txt && mv short.txt run.7.json
echo '{"schema": "nvfp4-prof/run/1"}' >run.x.json
gzip run.0.json
try merge 'run.*.json*' -o all.json
code 4
says "5 of 8 ranks (missing: 5–7), 1 host" "Balanced: every rank has 13.4 ms of GPU time outside collectives." \
  "left out: run.6.json: is partial (the process did not finish: signal 9 (Killed)" "ended it): --partial merges it anyway" \
  "left out: run.7.json:" "left out: run.x.json:"
holds '[x["file"] for x in j["merge"]["left_out"]] == ["run.6.json", "run.7.json", "run.x.json"]' all.json
holds 'j["merge"]["ranks"][0]["file"] == "run.0.json.gz"' all.json
try merge 'run.*.json*' -o all.json --partial
code 4
says "6 of 8 ranks (missing: 5, 7)"

# A fault among the samples of the file whose kernels are taken: it is left out like any other.
mkdir fault
cp run.[1234].json fault
sed -i 's/"samples_ns": \[/&,/' fault/run.1.json
try merge fault -o all.json
code 4
says "3 of 8 ranks" "left out: fault/run.1.json:" "$(grep -n '"samples_ns": \[,' fault/run.1.json | head -n 1 | cut -d: -f1):"
try merge run.6.json run.7.json -o none.json
refuses_all() {
  code 2
  complains "left out: run.6.json: is partial" "left out: run.7.json:" "no file of a rank is left to merge"
  [ -e none.json ] && bad "none.json was written"
}
refuses_all
try merge 'nothing.*.json' -o none.json
code 3
complains "nothing.*.json"
try merge
refuses 2 "merge takes the run files of the ranks"
try merge run.1.json --csv --json
refuses 2 "leave one out"
try merge run.1.json run.2.json -o /nonexistent/all.json
code 3
complains "/nonexistent/all.json"
try merge "$(fixture_run)" -o none.json
code 2
complains "merge reads what attach writes"

# Processes that no launcher made ranks may be of two programs: said, and nobody is told to wait.  600 launches take 20.1 ms, 400 take 13.4 ms.
for launches in 400 600; do
  "$NVFP4_PROF" attach --top 0 --no-sass -o "alone-$launches.json" -- "$target" "$launches" >/dev/null 2>&1
done
try merge alone-400.json alone-600.json -o both.json
code 0
says "2 processes" "Slowest: alone-600.json, +20 %: 20.1 ms outside collectives; the median is 16.8 ms."
complains "alone-600.json ran another command than alone-400.json" "$target 600, and $target 400), and both are added"
try merge alone-400.json -o both.json
grep -q "another command" "$err" && bad "one process is of two programs"

# Many: at most 60 lines of 80 columns.
"$python" -IS - run.1.json <<'PY'
import copy, json, sys
j = json.load(open(sys.argv[1]))
base_v, base_r = j["variants"][0], j["results"][0]
for rank in range(60):
    j["process"].update(rank=rank, ranks=64, host=f"a-host-of-a-long-name-{rank // 8}.cluster.example")
    j["process"]["gpu_time_ns"] = sum((9 + (rank == 41)) * 10**12 // (k + 1) for k in range(90))
    j["variants"], j["results"] = [], []
    for k in range(90):
        v, r = copy.deepcopy(base_v), copy.deepcopy(base_r)
        name = f"a_kernel_whose_name_is_long_indeed_{k}_" + "x" * 90
        v["id"] = name
        v["keys"] = [["kernel", name], ["launches", "1000000"], ["gpu_time_ns", str((9 + (rank == 41)) * 10**12 // (k + 1))]]
        r["variant"] = k
        j["variants"].append(v)
        j["results"].append(r)
    j["ranges"] = [{"name": f"a range of a long name that is {k}, and longer", "launches": 10**6, "gpu_time_ns": 5e12 + rank * 1e10, "collective_ns": 0} for k in range(30)]
    open(f"many.{rank}.json", "w").write(json.dumps(j))
for k in range(9):
    open(f"many.bad.{'y' * 60}.{k}.json", "w").write("{")
PY
try merge 'many.*.json' -o all.json
code 4
says "60 of 64 ranks (missing: 60–63), 8 hosts, 90 kernels" "rank 41 (a-host-of-a-long-name-5.cluster.example)" \
  "and 74 more kernels: --csv has all" "and 22 more ranges: --csv has all" "and 6 more files are left out"
try report all.json --charts all --out many
code 0
grep -qx '41 1 11.11 "rank 41"' many/ranks.dat || bad "the map of many ranks does not name 41"
grep -qx '61 1 NaN ""' many/ranks.dat || bad "a rank that is missing is no empty cell"
try merge 'many.*.json' -o all.json
[ "$(wc -l <"$out")" -le 60 ] || bad "it prints $(wc -l <"$out") lines"
[ "$(wc -L <"$out")" -le 80 ] || bad "its widest line has $(wc -L <"$out") columns"
finish
