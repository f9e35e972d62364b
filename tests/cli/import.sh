#!/usr/bin/env bash
# import ncu: each form of Nsight Compute's CSV becomes a run that is reported like any other; what is damaged is refused with its place.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
samples=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../import

try import ncu "$samples/raw-auto.csv" --source "$samples/source-sass.csv" --out raw.json --report raw --table
code 0
says "measured on NVIDIA H200 (132 SMs)" "All kernels: measured; SOL: the time at each kernel's nearest roof, from what was counted of it" \
  "void axpy<float, 4>(T1, const T1 *, T1 *, long) <<<8192x1x1, 256x1x1>>>" "counters + PC samples" "locks the SM clock"
says_not "Without a result" "0×0×0"
complains "3 kernels imported into raw.json"
holds "j['schema'] == 'nvfp4-prof/run/1' and len(j['results']) == 3" raw.json
holds "all(r['check']['verdict'] == 'unchecked' and r['samples'] and r['counts'] for r in j['results'])" raw.json
holds "'import ncu' in j['command'] and j['modules'][0]['kernels'][0]['sass'][0][1].startswith('LDC')" raw.json
[ -s raw/worklog.md ] || bad "no report was written"
# What the file does not say of the device is left out, and no zero.
grep -q "NVIDIA H200 (132 SMs" raw/index.html || bad "the page lacks the device"
try import ncu "$samples/percent.csv" --out unknown.json --report unknown --no-plots
grep -q "<td>a GPU of compute capability 8.9</td>" unknown/index.html || bad "the page says more of the device than its file"
grep -qE "[( ]0 (SMs|MHz|bit)|0\.0 MB" raw/index.html unknown/index.html && bad "what is unknown of the device is zero"
# Kernels of a program are no ladder, and those of one name are told apart.
grep -q '>axpy 16384x1x1</a>' raw/index.html && grep -q "axpy 8192x1x1" raw/climb.svg 2>/dev/null || ! command -v gnuplot >/dev/null || bad "kernels of one name are not told apart"
grep -q "<h2>Kernels ncu</h2>" raw/index.html || bad "the page of kernels that climb nowhere"
of_kernels raw
says_not "× parent"
# 134.2 MB read and 48.3 MB written in 102.3 µs are 37 % of what DRAM can do; the L2, of which sectors are asked one by one, stands at 59 %.
try report raw.json --out again --no-plots --json
code 0
holds "[(f['sol_roof'], round(f['of_sol']['value'], 2)) for f in j['findings'] if '16384' in f['variant']] == [('L2', 0.59)]"

try import ncu "$samples/raw-base.csv" "$samples/details.csv" --out two.json --json
code 0
holds "[len(r['timing']['samples_ns']) for r in j['results'] if j['variants'][r['variant']]['id'] == 'matmul'] == [3]" two.json
try import ncu "$samples/raw-base.csv,$samples/details.csv" --out two.json --json
holds "len(j['results']) == 3" two.json

try import ncu "$samples/details.csv" --out details.json --no-plots
code 0
says "a GPU of compute capability 9.0" "rounds to two decimals" "--device names the GPU" "ncu's own shares of peak"
try import ncu "$samples/details.csv" --device h200 --out details.json --no-plots
says "measured on NVIDIA H200" "% of SOL"
try import ncu "$samples/percent.csv" --out percent.json --unused
code 0
says "bound DRAM, 91 % of the time" "(model: 92 % of the measured time)" "next nvfp4-prof diagnose percent.json" "Not used from the files: 1" "gpu__compute_memory_throughput"
says_not "no counters" "next nvfp4-prof diagnose percent.json --variant"
try import ncu "$samples/transposed.csv" --out transposed.json
code 0
try import ncu "$samples/raw-printed.csv" --out printed.json
code 0

for form in printed.txt printed-summary.txt no-geometry.csv summary.csv; do
  iconv -f utf-8 -t utf-16 "$samples/$form" >"wide, $form"
  for file in "$samples/$form" "wide, $form"; do
    try import ncu "$file" --out form.json
    code 0
    complains "2 kernels imported"
  done
done
try import ncu "$samples/permission.txt" --out no.json
refuses 2 "ERR_NVGPUCTRPERM" "NVreg_RestrictProfilingToAdminUsers=0"
try import ncu "$samples/nothing.txt" --out no.json
refuses 2 "No kernels were profiled"

# A summary's value is its average, the last of five columns.
try import ncu "$samples/printed-summary.txt" --out summary.json
holds "[r['timing']['samples_ns'] for r in j['results']] == [[21500], [42000]]" summary.json
holds "[m['value'] for m in j['results'][0]['metrics'] if m['name'] == 'peak_dram'] == [0.82]" summary.json
holds "[m['value'] for m in j['results'][1]['metrics'] if m['name'] == 'shared_bank_conflicts'] == [1016842.5]" summary.json
holds "j['results'][0]['launches'][0]['blocks_per_sm'] == 24 and j['device']['sm'] == 110" summary.json
says "its SMs, clocks and bandwidths are unknown"

# Sectors beyond the least, summed over the launch: the advice needs no view of the source.
"$python" - "$samples/raw-base.csv" >excess.csv <<'PY'
import csv, sys
with open(sys.argv[1], newline="") as f:
    head, units, *rows = csv.reader(f)
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(head + ["derived__memory_l2_theoretical_sectors_global_excessive"])
out.writerow(units + ["sector"])
for row in rows:
    out.writerow(row + ["14,680,064"])
PY
# 14.7 of the axpy's 16.8 million sectors: 8 times as many as it needs.
try import ncu excess.csv --kernel '*axpy*' --out excess.json -q
code 0
try diagnose excess.json --variant 'void axpy*16384x1x1*'
says "global accesses touch 8.0 times the sectors that their bytes need"
try import ncu "$samples/raw-base.csv" --kernel '*axpy*' --out plain.json -q
try diagnose plain.json --variant 'void axpy*16384x1x1*'
says_not "times the sectors that their bytes need"

# A name alone makes no chip.
sed 's/"NVIDIA H200"/"NVIDIA B200"/g; s/"132"/"152"/g' "$samples/raw-auto.csv" >other.csv
try import ncu other.csv --out other.json -q
code 0
holds "any('NVIDIA B200 has 152 SMs, but 148 in the description b200; compute capability 9.0' in n for n in j['notes'])" other.json
complains "its ceilings may be those of another chip"

try import ncu "$samples/rungs.csv" --kernel gemv --problem 7168x2048x4 --out gemv.json --table
code 0
says "7168×2048×4" "33.09 MB minimal"
holds "len(j['results']) == 4 and j['results'][0]['shape'] == {'m': 7168, 'k': 2048, 'l': 4}" gemv.json
try import ncu "$samples/rungs.csv" --problem 7168x2047x4 --out no.json
refuses 2 "--problem: shape '7168x2047x4': K must be a multiple of 64"

# Every length of the file, cut off, is refused or is a table that ends with a whole row.
size=$(wc -c <"$samples/raw-base.csv")
for part in 3 5 7 11 13; do
  head -c $((size * part / 17)) "$samples/raw-base.csv" >cut.csv
  try import ncu cut.csv --out no.json
  refuses 2 "cut.csv:" "cut off"
done
sed 's/"Mbyte"/"Mfoot"/' "$samples/raw-auto.csv" >unit.csv
try import ncu unit.csv --out no.json
refuses 2 "unit.csv:2:" "the unknown unit 'Mfoot'"
sed 's/"103,488"/"soon"/' "$samples/raw-base.csv" >text.csv
try import ncu text.csv --out no.json
refuses 2 "text.csv:3:" "gpu__time_duration.sum is 'soon', which is not a number"
printf '\0ncu' >report.ncu-rep
try import ncu report.ncu-rep --out no.json
refuses 2 "report.ncu-rep: holds NUL bytes"
# A report as ncu writes it, and one that a full disk cut short.
try import ncu "$samples/transpose.ncu-rep.gz" --out report.json
code 0
says "transpose_conflict" 124.8
gunzip -c "$samples/transpose.ncu-rep.gz" | head -c 300000 >cut.ncu-rep
try import ncu cut.ncu-rep --out no.json
refuses 2 "cut.ncu-rep: byte" "cut short or damaged" "ncu --import cut.ncu-rep --csv --page raw"
try import ncu "$samples/source-sass.csv" --out no.json
refuses 2 "give it as --source"
try import ncu nowhere.csv --out no.json
refuses 3 "nowhere.csv"
[ -e no.json ] && bad "a run was written of what was refused"
try import nsys x.csv
refuses 2 "import takes the tool and its files"
try import
refuses 2 "import takes the tool and its files"

# A run that another command wrote stays, as does what is no run; import's own is written anew.
"$python" -IS - details.json <<'PY'
import json, sys
j = json.load(open(sys.argv[1]))
j["command"] = "nvfp4-prof attach -- ./app"
open("run.json", "w").write(json.dumps(j))
PY
cp run.json before.json
try import ncu "$samples/details.csv"
refuses 2 "run.json is there and holds another run, of nvfp4-prof attach -- ./app" --force
cmp -s run.json before.json || bad "attach's run was overwritten"
echo notes >notes.txt
try import ncu "$samples/details.csv" --out notes.txt
refuses 2 "notes.txt is there and is not a run file" --force
try merge before.json -o run.json
refuses 2 "run.json is there and holds another run, of nvfp4-prof attach" --force
try import ncu "$samples/details.csv" --force
code 0
try import ncu "$samples/details.csv"
code 0
finish
