#!/usr/bin/env bash
# import nvbench: its JSON and the side files of its samples become a run, alone or with the counters of the same kernels.
# tests/import/nvbench.json is made by hand after nvbench/json_printer.cu of github.com/NVIDIA/nvbench; its numbers are made up.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
samples=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../import

try import nvbench "$samples/nvbench.json" --out run.json
code 0
says "measured on NVIDIA H200 (132 SMs), L2 as nvbench left it" "axpy N=16777216 103.6 0.14 40.5" "states without their samples: 1" \
  "nvbench skipped it: Deadlock hazard"
complains "4 kernels imported"
holds "[v['id'] for v in j['variants']] == ['axpy N=16777216', 'axpy N=8388608', 'matmul T=F32', 'sort']" run.json
# Samples are float32 of seconds; the mean stands in where there are none.  3 x 4 bytes an element.
holds "[round(x, 1) for x in j['results'][0]['timing']['samples_ns']] == [103500.0, 103700.0, 103400.0, 103600.0]" run.json
holds "[round(x, 1) for x in j['results'][2]['timing']['samples_ns']] == [35500.0]" run.json
holds "[r.get('bytes_minimal', 0) for r in j['results']] == [201326592, 100663296, 0, 0]" run.json
holds "'F32' in str(j['results'][2]['params'])" run.json
holds "j['device']['sms'] == 132 and j['device']['memory_bus_bits'] == 6016 and j['device']['sm'] == 90" run.json

# The kernels that ncu counted of the same program, in their order: the times stay nvbench's.
try import nvbench "$samples/nvbench.json" --counters "$samples/raw-base.csv" --source "$samples/source-sass.csv" --out counted.json
code 0
says "axpy N=16777216 103.6 0.14 40.5 latency 69 %" "counters of 3 of 4 states are from Nsight Compute"
says_not "no problem was declared"
holds "[len(r['timing']['samples_ns']) for r in j['results'][:3]] == [4, 3, 1] and all(r['samples'] for r in j['results'][:3])" counted.json
holds "[134.2e6 < m['value'] < 134.3e6 for m in j['results'][0]['metrics'] if m['name'] == 'dram_read_bytes'] == [True]" counted.json
# Of fewer kernels than states, the one whose name is a benchmark's.
try import nvbench "$samples/nvbench.json" --counters "$samples/raw-base.csv" --kernel matmul --out named.json
code 0
says "counters of 1 of 4 states"
holds "[bool(r.get('launches')) for r in j['results']] == [False, False, True, False]" named.json
try import nvbench "$samples/nvbench.json" --counters "$samples/rungs.csv" --kernel '*gemv*' --out no.json
refuses 2 "--counters: 4 kernels do not match 3 timed states" "BENCH --profile"

# A later run of the same benchmarks, 10 % slower in one state.
mkdir later
cp -r "$samples/nvbench.json" "$samples/nvbench.json-bin" later
chmod -R u+w later
"$python" - later/nvbench.json-bin/0.bin <<'PY'
import struct, sys
with open(sys.argv[1], "r+b") as f:
    times = struct.unpack("<4f", f.read())
    f.seek(0)
    f.write(struct.pack("<4f", *(1.1 * t for t in times)))
PY
try import nvbench later/nvbench.json --out later.json -q
code 0
try diff run.json later.json # four samples a side tell no error; three runs do
code 0
says "axpy N=16777216 103.6 113.9 +10.00" "UNCLEAR" "4 launches in A, 4 launches in B" "no regression"
cp run.json run2.json
cp run.json run3.json
try diff run.json,run2.json,run3.json later.json
code 1
says "axpy N=16777216 103.6 113.9 +10.00" "SLOWER" "1 regression"
try history run.json run2.json run3.json later.json
says "axpy N=16777216" "+10.0 %"

# Without the side files, or with those from another run.
cp "$samples/nvbench.json" alone.json
try import nvbench alone.json --out alone-run.json
code 0
says "states without their samples: 3" "--jsonbin FILE.json"
head -c 12 "$samples/nvbench.json-bin/0.bin" >later/nvbench.json-bin/0.bin
try import nvbench later/nvbench.json --out no.json
refuses 2 "nvbench.json-bin/0.bin: holds 12 bytes, but the JSON names 4 samples" "from another run"
printf '\0\0\200\177\0\0\0\0\0\0\0\0\0\0\0\0' >later/nvbench.json-bin/0.bin
try import nvbench later/nvbench.json --out no.json
refuses 2 "0.bin: sample 0 is not a time"
# A path that leads elsewhere is not followed.
sed 's|nvbench.json-bin/0.bin|../../0.bin|' "$samples/nvbench.json" >astray.json
try import nvbench astray.json --out astray-run.json
says "states without their samples: 3"

head -c 5000 "$samples/nvbench.json" >cut.json
try import nvbench cut.json --out no.json
refuses 2 "cut.json:" "cut off"
sed 's/"major": 1/"major": 2/' "$samples/nvbench.json" >newer.json
try import nvbench newer.json --out no.json
refuses 2 "JSON version 2, and this tool reads version 1"
echo '{"benchmarks": [], "meta": {"version": {"json": {"major": 1}, "nvbench": {}}}}' >empty.json
try import nvbench empty.json --out no.json
refuses 2 "holds no state of any benchmark"
try import nvbench "$samples/raw-base.csv" --out no.json
refuses 2 "is not nvbench's JSON" "--jsonbin FILE.json"
try import ncu "$samples/nvbench.json" --out no.json
refuses 2 "is nvbench's JSON: use nvfp4-prof import nvbench"
try import nvbench "$samples/nvbench.json" --kernel x --out no.json
refuses 2 "add --counters FILE"
try import ncu "$samples/raw-base.csv" --counters x.csv --out no.json
refuses 2 "--counters goes with import nvbench"
[ -e no.json ] && bad "a run was written of what was refused"
finish
