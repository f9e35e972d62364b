#!/usr/bin/env bash
# import ncu: a large program's kernels, by the names that frameworks give them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
samples=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../import

"$samples/many-kernels" 453 151 >many.csv
"$samples/many-kernels" 12 4 details >details.csv
try import ncu many.csv --out many.json
code 0
complains "151 kernels imported"
# Every launch joined its own kernel, in the order of the file: 10 ns lie between a kernel's launches, 1 ns between kernels.
holds "len(j['results']) == 151 and len({v['id'] for v in j['variants']}) == 151" many.json
holds "all([x - r['timing']['samples_ns'][0] for x in r['timing']['samples_ns']] == [0, 10, 20] for r in j['results'])" many.json
holds "[r['timing']['samples_ns'][0] for r in j['results'][:151:30]] == [103488 + k for k in range(0, 151, 30)]" many.json
# A mangled name is written out; long ones are shortened where they stand in columns, and whole where they are to be typed.
holds "'void cutlass::Kernel<cutlass::gemm::kernel::Gemm<3> >(cutlass::gemm::kernel::Gemm<3>::Params)' in {v['id'] for v in j['variants']}" many.json
says "device_kernel<GemmUniversal<tuple<…>, CollectiveMma<…>>>" "vectorized_elementwise_kernel: add (float)"
[ "$(grep -E ' % ?$|[0-9] %$' "$out" | awk '{ n = length($0); if (n > most) most = n } END { print most + 0 }')" -le 110 ] || bad "a row is wider than 110"

# The pages show the longest and say so; the CSV has all.
try report many.json --out report --no-plots -q
code 0
complains "the 100 longest of 151 kernels" "results.csv has all"
[ "$(wc -l <report/results.csv)" = 152 ] || bad "results.csv has $(wc -l <report/results.csv) lines"
holds "len(j['findings']) == 100 and any('100 longest of 151' in n for n in j['notes'])" report/findings.json
# A third of the kernels take 103 µs, a third 52 and a third 35.
holds "min(f['time']['middle_s'] for f in j['findings']) > 50e-6" report/findings.json
grep -q "100 longest of 151 kernels" report/worklog.md || bad "the worklog does not say that it shows a part"
try report many.json --out part --no-plots -q --select triton_poi_fused_add_mul_149
holds "len(j['findings']) == 1" part/findings.json

try import ncu details.csv --out details.json
holds "len(j['results']) == 4 and all(len(r['timing']['samples_ns']) == 3 for r in j['results'])" details.json

# A report of the same program: one cubin for all kernels, or one for five of them, as where each is compiled at run time.
for modules in "" modules; do
  "$samples/many-kernels-rep" 90 30 $modules >many.ncu-rep
  try import ncu many.ncu-rep --out "rep$modules.json"
  code 0
  complains "30 kernels imported"
  holds "all([x - r['timing']['samples_ns'][0] for x in r['timing']['samples_ns']] == [0, 10, 20] for r in j['results'])" "rep$modules.json"
done
"$samples/many-kernels" 30 30 >names.csv
try import ncu names.csv --out names.json -q
"$python" - <<'PY' || bad "the kernels of a report and of a table are named alike"
import json
ids = [{v["id"] for v in json.load(open(name))["variants"]} for name in ("rep.json", "repmodules.json", "names.json")]
assert ids[0] == ids[1] == ids[2]
PY
disassembler=${NVFP4_NVDISASM:-$(command -v nvdisasm || true)}
if [ -x "$disassembler" ]; then
  printf '#!/bin/sh\necho run >>"%s/runs"\nexec "%s" "$@"\n' "$PWD" "$disassembler" >counting
  chmod +x counting
  NVFP4_NVDISASM=$PWD/counting try import ncu many.ncu-rep --out repmodules.json -q
  code 0
  # Six cubins by one run, and each instruction in the file of its own module.
  [ "$(wc -l <runs)" = 1 ] || bad "nvdisasm ran $(wc -l <runs) times"
  holds "sorted(s['name'] for s in j['sources']) == ['%07d.cu' % i for i in range(6)]" repmodules.json
  holds "all(j['sources'][i]['text'] == j['sources'][0]['text'] and 'strided' in j['sources'][i]['text'] for i in range(6))" repmodules.json
  # Kernels 0 and 5 are one code of two modules: their samples and lines are the same but for the file.
  holds "[len(j['modules'][r['module']]['kernels'][0]['sass']) for r in j['results'][:5]] == [len(j['modules'][r['module']]['kernels'][0]['sass']) for r in j['results'][25:]]" repmodules.json
  holds "(lambda of: of(0) == {'0000000.cu'} and of(29) == {'0000005.cu'})(lambda i: {j['sources'][l[0]]['name'] for x in j['modules'][j['results'][i]['module']]['kernels'][0]['sass'] for l in (x[2] if len(x) > 2 else [])})" repmodules.json
else
  echo "SKIPPED: the code of reports: nvdisasm is not here"
fi
finish
