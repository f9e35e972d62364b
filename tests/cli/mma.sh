#!/usr/bin/env bash
# mma where there is no GPU: what is refused, what is compiled, what is said of what was not run.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

try mma --help
code 0
says "usage: nvfp4-prof mma" --type --size --target --sweep --cold --json

try mma bf16
refuses 2 "mma takes no argument 'bf16'; did you mean --type bf16?"
try mma --size 8192
refuses 2 "--size 8192: must be MxNxK, as in 8192x8192x8192"
try mma --size 8192x8192x100 --target sm_90a
refuses 2 "--size 8192x8192x100: 100 is not a multiple of 256 from 256 to 32768"
try mma --type fp5 --target sm_90a
refuses 2 "--type: no type 'fp5'; known: bf16, fp16, s8,"
try mma --target hopper
refuses 2 "--target hopper: must be sm_80 or later, as in sm_90a"
try mma --target sm_90a --gpu 0
refuses 2 "--target compiles and runs nothing: leave out --gpu"

try mma --type bf16,e4m3,nvf4 --target sm_90a --out made
if grep -q 'libnvrtc' "$err"; then skip "$(head -n 1 "$err")"; fi
code 0
says "mma.sync on sm_90a" "compiled only, nothing was run" "refused" "Instruction 'mma with block scale' not supported"
holds "j['schema'] == 'nvfp4-prof/mma/1' and j['gpu'] is None and [r['type'] for r in j['rows']] == ['bf16', 'e4m3', 'e4m3', 'nvf4']" made/mma.json
holds "all(r['flops'] == {'value': None, 'reason': 'nothing was run: it was compiled only'} for r in j['rows'] if r['compiled'])" made/mma.json
holds "not j['rows'][3]['compiled'] and 'not supported' in j['rows'][3]['error']" made/mma.json

[ -e made/mma.gp ] && bad "a chart was drawn, though nothing was measured and no compiler timed"

# With --cold the chart has the compilers' times, and without gnuplot its sources.
NVFP4_GNUPLOT=/nonexistent/gnuplot try mma --type bf16 --target sm_90a --cold --out cold
code 0
complains "/nonexistent/gnuplot was not found: mma.gp and .dat are written"
grep -q '^1 "bf16, fp32" ? ? ? ? [0-9]*\.[0-9]' cold/mma.dat || bad "mma.dat lacks NVRTC's time: $(cat cold/mma.dat)"
grep -q "compiled only, nothing was run" cold/mma.gp || bad "mma.gp does not say that nothing was run"
try mma --type bf16 --target sm_90a --cold --no-plots --out plain
code 0
[ -e plain/mma.gp ] && bad "a chart was drawn in spite of --no-plots"

# Nothing that compiles is a failure of every variant.
try mma --type nvf4 --target sm_90a --json
code 4
holds "not j['rows'][0]['compiled']"

# On the fake GPU, whose kernels write nothing, every product is wrong and none has a time.
fake_gpu whole
try mma --type s8 --size 256x256x256 --json
code 0
holds "j['gpu'] == 'Fake GPU 0' and j['rows'][0]['flops']['value'] is None and j['rows'][0]['flops']['reason']"
holds "j['rows'][0]['datasheet_flops'] is None"
# A card's datasheet, by the name that its driver gives it.
FAKE_GPU_NAME='NVIDIA A100-SXM4-80GB' try mma --type s8 --size 256x256x256 --json
code 0
holds "j['gpu'] == 'NVIDIA A100-SXM4-80GB' and j['rows'][0]['datasheet_flops'] == 624e12"
finish
