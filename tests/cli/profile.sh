#!/usr/bin/env bash
# The whole way on the fake GPU: check, time, counters, report.  A launch takes 10 µs + 1 µs a block and reads 1000 bytes a block.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole

try --variant 'cuda-0*,cuda-2*,control-null' --shape 256x512x2,128x256x1 --out run
code 0
says "measured on Fake GPU 0 (4 SMs, driver 999.1)" "L2 cold" cuda-0-naive cuda-2-intrinsics "fastest cuda-0-naive, "
complains "report written to run"
for file in run.json.gz findings.json.gz results.csv worklog.md index.html; do
  [ -s "run/$file" ] || bad "there is no run/$file"
done
holds "j['origin'] == 'measured' and not j['partial'] and j['l2'] == 'cold' and j['flush_bytes'] == 8 << 20" run/run.json
holds "[v['id'] for v in j['variants']] == ['cuda-0-naive', 'cuda-2-intrinsics', 'control-null'] and len(j['results']) == 6" run/run.json
# cuda-0-naive at 256x512x2: 2 x 2 blocks; a flush in the range or in the time would show.
holds "set(j['results'][0]['timing']['samples_ns']) == {14000} and j['results'][0]['timing']['source'] == 'CUPTI activity'" run/run.json
holds "{m['name']: m.get('value') for m in j['results'][0]['metrics']}['dram_read_bytes'] == 4000" run/run.json
# cuda-2-intrinsics: 8 rows a block, 32 x 2 blocks.
holds "set(j['results'][2]['timing']['samples_ns']) == {74000} and j['results'][2]['launches'][0]['grid'] == [32, 2, 1]" run/run.json
holds "{m['name']: m.get('value') for m in j['results'][2]['metrics']}['dram_read_bytes'] == 64000" run/run.json
holds "[r['check']['verdict'] for r in j['results']] == ['pass'] * 4 + ['unchecked'] * 2" run/run.json
holds "j['results'][0]['check']['total'] == 512" run/run.json
# A counter that the chip lacks is null with a reason, not zero.
holds "[('value' in m and m['value'], m['reason']) for m in j['results'][0]['metrics'] if m['name'] == 'stall_gmma'] == [(None, 'chip FAKE100 has no such counter')] \
  or [m.get('reason') for m in j['results'][0]['metrics'] if m['name'] == 'stall_gmma'] == ['chip FAKE100 has no such counter']" run/run.json
nvdisasm_here "SASS in a run" && holds "all(k['sass'] for m in j['modules'] for k in m['kernels'])" run/run.json

# The run file alone gives the same report.
try report run/run.json --no-plots --out again
code 0
cmp -s run/results.csv again/results.csv || bad "the report of run.json is not the one that profiling wrote"
cmp -s run/findings.json.gz again/findings.json.gz || bad "the findings of run.json are not those that profiling wrote"

# Stdout holds the product alone.
try --variant cuda-0-naive --shape 128x256x1 --json --no-plots --out json
code 0
holds "j"

# 48 KB of shared memory are for what is dynamic and what is static together.
cat >nearly.cu <<'EOF'
//! id: nearly
//! ladder: own
//! step: kernel = gemv; grid = 1; block = 32; smem = 49000
//! output: none
extern "C" __global__ void gemv(const unsigned char *, const unsigned char *, const unsigned char *, const unsigned char *, void *, int, int, int) {}
EOF
try --kernel nearly.cu --shape 128x256x1 --no-plots --out nearly
code 0

# Options that a run is made of.
for l2 in warm dirty; do
  try --variant cuda-0-naive --shape 128x256x1 --l2 $l2 --phases check,time --no-sass --no-plots --rounds 7 --seed 3 --inputs contest --out $l2
  code 0
  holds "j['l2'] == '$l2' and j['seed'] == 3 and j['inputs'] == 'contest' and len(j['results'][0]['timing']['samples_ns']) == 7" $l2/run.json
  holds "j['results'][0]['check']['verdict'] == 'pass' and [m['name'] for m in j['results'][0].get('metrics', [])] == ['fixed_ns']" $l2/run.json
done
# Several shapes at once: batches, rows that fill no block, the padding of B and SFB.
try --variant cuda-0-naive --shape 128x1536x1,130x256x3,384x1024x2 --phases check,time --no-sass --no-plots --rounds 1 --out shapes
code 0
holds "[r['check']['verdict'] for r in j['results']] == ['pass'] * 3" shapes/run.json

# The second GPU, by number and by UUID.
export NVFP4_FAKE=devices=2
try --gpu 1 --variant control-null --shape 128x256x1 --phases check,time --no-plots --out second
code 0
says "Fake GPU 1"
try --gpu GPU-a1a1 --variant control-null --shape 128x256x1 --phases check,time --no-plots --out second
code 0
says "Fake GPU 1"
for gpu in 2 -1 GPU-ff ''; do
  try --gpu "$gpu" --variant control-null --shape 128x256x1 --out second
  refuses 2 "--gpu" "2 GPUs"
done
unset NVFP4_FAKE

try doctor
says "Fake GPU 0 (1 of 1)" "sm_90, 4 SMs" "hardware counters" "they can be read" libnvrtc
finish
