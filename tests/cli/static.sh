#!/usr/bin/env bash
# nvfp4-prof diagnose --static: what compiled code says of a kernel, for a chip that is not here.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
planted=$(realpath "$(dirname "$0")/../gpu/planted")

# A rung, from a cold cache, for a B200.
try_cold() {
  NVFP4_CACHE=$work/cold try "$@"
}
try_cold diagnose --static --variant cuda-4-tuned
[ "$rc" = 3 ] && grep -q 'libnvrtc' "$err" && skip "$(cat "$err")"
if ! nvdisasm_here "loops, flight and bounds from SASS"; then
  code 3
  says "loop, loads in flight, bounds and advice are unknown: " "theoretical occupancy: 50 %"
  finish
  exit 77
fi
code 0
says "cuda-4-tuned at 7168×16384×1: kernel gemv for sm_100a, not run; set against NVIDIA B200" "(as planned, not observed)" \
  "no spills" "theoretical occupancy: " "limited by registers" "hot loop (lines 41 to " "bytes of A and its scales per thread and iteration" \
  "modelled, not measured: A and its scales are loaded once" "speed of light 8.6" "modelled bound: dram" "dram_bw, published"
try diagnose --static --variant cuda-4-tuned --shape bench --target sm_90a --json
code 0
holds "j['schema'] == 'nvfp4-prof/static/1' and [d['shape'] for d in j['diagnoses']] == ['7168x16384x1', '4096x7168x8', '7168x2048x4']"
holds "all(d['origin'] == 'modelled' and d['arch'] == 'sm_90a' and d['device'] == 'h200' for d in j['diagnoses'])"
holds "all(d['loop']['buffers_known'] and d['warp_instructions'] > 0 for d in j['diagnoses'])"

# Software decoding costs more instructions than the chip's own.
try diagnose --static --variant cuda-2-intrinsics --target sm_90a --json
code 0
mv "$out" slow.json
try diagnose --static --variant cuda-4-tuned --target sm_90a --json
holds "json.load(open('slow.json'))['diagnoses'][0]['loop']['insts_per_element'] > 3 * j['diagnoses'][0]['loop']['insts_per_element']"

# A bulk copy does not name its bytes: absent, with the reason.
try diagnose --static --variant top-1-bulk --target sm_90a --json
code 0
holds "j['diagnoses'][0]['warp_instructions'] is None and 'bulk copies' in j['diagnoses'][0]['warp_instructions_reason']"

# Planted causes that the code shows; what only counters show is not guessed.
for cause in spills fp64 dependent-loads small-grid; do
  try diagnose --static --kernel "$planted/$cause.cu" --json
  code 0
  holds "j['diagnoses'][0]['advice'][0]['rule'] == '$cause'"
done
try diagnose --static --kernel "$planted/spills.cu"
says "[spills]" "registers are too few for the live values" "maxrregcount"
for cause in dram-saturated atomics barrier bank-conflicts; do
  try diagnose --static --kernel "$planted/$cause.cu" --json
  code 0
  holds "j['diagnoses'] and all(d['advice'] == [] for d in j['diagnoses'])"
done

# A file of one's own: the compile table, then the diagnosis.
try --kernel "$planted/spills.cu" --target sm_100a
code 0
says "compiled for sm_100a" "planted-spills-large" "[spills]" "modelled bound: lsu"
says_not "control-read at"

# Plain CUDA C++ says nothing of its launch: its code is diagnosed, of all kernels or one, with the block that --block tells.
cat >plain.cu <<'CU'
//! Prose, as Doxygen marks it: no front matter.
#include "scale.cuh"
extern "C" __global__ void first(const float *x, float *y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = scaled(x[i]);
}
extern "C" __global__ void second(const char *x, float *y, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += x[i] * y[i];
  y[n] = sum;
}
CU
echo '__device__ float scaled(float x) { return 2 * x; }' >scale.cuh
for how in "plain.cu" "--static plain.cu" "--kernel plain.cu"; do
  # shellcheck disable=SC2086
  try diagnose $how
  code 0
  says "plain.cu: 2 kernels for sm_100a, not run" "--block N" "diagnose plain.cu --entry NAME"
done
try diagnose plain.cu --entry second --block 128 --target sm_90a
code 0
says "second: kernel second for sm_90a, not run; set against NVIDIA H200" "block 128×1×1" "no spills" "hot loop (lines 9 to 10): " \
  "load 16 bytes per lane (now 4 at most)" "what code does not show: " "not used by the loop: " "16 by warps per SM"
says_not "minimum" "per element" "atomics "
# Of several arrays, and of several steps, what binds and the least time are not told for sure.
try diagnose plain.cu --entry second --target sm_90a
says "which loads hit a cache is not known"
examples=$(realpath "$(dirname "$0")/../../docs/examples")
try diagnose "$examples/reduce.cu" --variant reduce-two-pass --target sm_90a --json
code 0
holds "[d['must_bytes'] for d in j['diagnoses']] == [None, None] and all(d['sol_s'] is None for d in j['diagnoses'])"
try diagnose "$examples/reduce.cu" --variant reduce-two-pass --target sm_90a
says "no minimum: the variant has several steps"
says_not "minimum of SOL"
try diagnose "$examples/transpose.cu" --target sm_90a
says "stores take 50 % of DRAM's bandwidth" "modelled bound: l1" "modelled bound: dram? strided accesses touch sectors in vain"
says_not "stores take 20 %" "too many instructions"
try diagnose "$examples/transpose.cu" --target sm_90a --json
holds "[d['binding'] for d in j['diagnoses']] == [None, 'l1', 'dram'] and 'strided' in j['diagnoses'][0]['binding_doubt']"
try diagnose plain.cu --target sm_90a --block 256 --smem 300000
code 4
complains "first: the block cannot be launched on this chip: shared memory" "second: the block cannot be launched"
sed 1d plain.cu >bare.cu
try --kernel bare.cu --target sm_90a
refuses 2 "bare.cu: no front matter; begin the file with" "nvfp4-prof diagnose bare.cu reads its code alone"
echo 'template <int N> __global__ void f(int *x) { *x = N; }' >template.cu
try diagnose template.cu
refuses 4 "a template needs an instantiation"
echo 'int main() { return 0; }' >host.cu
NVFP4_NVCC=/nonexistent/nvcc try diagnose host.cu
code 4
complains "host.cu does not compile by NVRTC" "there is no nvcc" "nvcc -cubin -lineinfo -arch=sm_100a host.cu" "host functions"
# Host code goes through nvcc, where there is one.
cat >host.cuh <<'X'
#include <cstdio>
__global__ void first(int *x) { *x = 1; }
int main() { std::printf("host\n"); }
X
if nvcc --version >/dev/null 2>&1; then
  try diagnose host.cuh --target sm_90a
  code 0
  says "first: kernel _Z5firstPi for sm_90a, not run"
  sed -i 's/= 1;/= one;/' host.cuh
  try diagnose host.cuh
  code 4
  complains "host.cuh: nvcc for sm_100a: " 'identifier "one" is undefined'
else
  echo "SKIPPED host code through nvcc: it is not on PATH"
fi
try diagnose nosuch.cu
refuses 3 "nosuch.cu: cannot be opened"
try diagnose "$planted/spills.cu" --block 64
refuses 2 "--entry, --block, --grid and --smem are for code that does not say how it is launched"

# A disassembler that never ends: its limit ends it, the message says who it was, and it does not outlive a tool that is killed.
printf '#!/bin/sh\necho $$ >>"%s"\nexec sleep 1000\n' "$work/disassemblers" >hangs
chmod +x hangs
gone() { # every disassembler that was started has ended
  local pid i
  while read -r pid; do
    for ((i = 0; i < 6000; i++)); do kill -0 "$pid" 2>/dev/null && sleep 0.05; done
    kill -0 "$pid" 2>/dev/null && bad "disassembler $pid is left"
  done <disassemblers
}
NVFP4_PROGRAM_LIMIT=1 NVFP4_NVDISASM=$work/hangs NVFP4_CACHE=$work/hung try diagnose --static --variant cuda-4-tuned --json
code 0
holds "'the disassembler' in str(j) and 'gave no answer within 1 s' in str(j)"
gone
NVFP4_PROGRAM_LIMIT=1 NVFP4_NVDISASM=$work/hangs NVFP4_CACHE=$work/hung try --kernel "$planted/spills.cu" --target sm_90a
code 0
says "no SASS of" "gave no answer within 1 s"
gone
NVFP4_PROGRAM_LIMIT=1 NVFP4_NVDISASM=$work/hangs try doctor --json
holds "[(r['state'], 'did not print its version in time' in str(r)) for r in j if r['need'] == 'nvdisasm'] == [('limited', True)]"
gone
rm disassemblers
what="kill -9 while nvdisasm hangs"
NVFP4_NVDISASM=$work/hangs NVFP4_CACHE=$work/killed "$NVFP4_PROF" diagnose --static --variant cuda-4-tuned >"$out" 2>"$err" </dev/null &
for ((i = 0; i < 3000; i++)); do [ -s disassemblers ] || sleep 0.1; done
{ kill -9 $! && wait $!; } 2>/dev/null
gone

# A cubin, as nvcc, Triton or CuTe write it: here the compile cache's, out of its entry.
"$python" - "$work/cold" <<'PY' || bad "no cubin in the cache"
import glob, sys
for path in glob.glob(sys.argv[1] + "/*.entry"):
    data = open(path, "rb").read()
    size = int(data[34:50], 16)
    open("one.cubin", "wb").write(data[85:85 + size])
PY
try diagnose --static one.cubin --block 128
code 0
says "one.cubin: kernel gemv for sm_100, not run; set against NVIDIA B200" "block 128×1×1" "theoretical occupancy: 50 %" \
  "each byte that must be loaded is loaded once" "spills not reported"
says_not "speed of light"
try diagnose --static one.cubin
code 0
says "theoretical occupancy: unknown: the block's threads are not known: --block N"
try diagnose --static one.cubin --entry other
refuses 2 "--entry other: one.cubin has gemv"
try diagnose --static one.cubin --target sm_90a
refuses 2 "holds code for sm_100, which cannot be translated"
head -c 3000 one.cubin >short.cubin
try diagnose --static short.cubin
refuses 2 "short.cubin: not a cubin that can be read: it is cut short"
echo hello >text.cubin
try diagnose --static text.cubin
refuses 2 "text.cubin: not a cubin that can be read"
NVFP4_NVDISASM=/nonexistent/nvdisasm try diagnose --static one.cubin --block 128
code 3 # what is known stands on stdout all the same
complains "NVFP4_NVDISASM: /nonexistent/nvdisasm" "without it only registers and occupancy are known"
says "theoretical occupancy: 50 %" "loop, loads in flight, bounds and advice are unknown: " "/nonexistent/nvdisasm"

# PTX goes through ptxas, where there is one.
cat >two.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry store(.param .u64 p) {
  .reg .b64 %a<2>;
  ld.param.u64 %a1, [p];
  st.global.u32 [%a1], 7;
  ret;
}
.visible .entry nothing() {
  ret;
}
PTX
NVFP4_PTXAS=/nonexistent/ptxas try diagnose --static two.ptx
refuses 3 "NVFP4_PTXAS: /nonexistent/ptxas"
if [ -x "${NVFP4_CUDA_HOME:-/usr/local/cuda}/bin/ptxas" ]; then
  try diagnose --static two.ptx
  code 0
  says "two.ptx: 2 kernels for sm_90, not run" "store" "nothing" "--block N, the threads of a block, gives the occupancy" \
    "next nvfp4-prof diagnose two.ptx --entry NAME"
  try diagnose --static two.ptx --json
  holds "len(j['diagnoses']) == 2"
  try diagnose --static two.ptx --entry other
  refuses 2 "--entry other: two.ptx has nothing, store"
  try diagnose --static two.ptx --entry store --block 256 --target sm_100a
  code 0
  says "kernel store for sm_100a" "no spills" "theoretical occupancy: 100 %"
  # Names of C++: as they were written, with or without template arguments, as a glob, or mangled.
  sed 's/entry store/entry _ZN2ns5storeIfEEvPT_/' two.ptx >cxx.ptx
  for name in 'ns::store<float>' ns::store 'ns::*' _ZN2ns5storeIfEEvPT_; do
    try diagnose --static cxx.ptx --entry "$name"
    code 0
    says "ns::store<float>: kernel _ZN2ns5storeIfEEvPT_ for sm_90"
  done
  sed 's/st.global/st.globule/' two.ptx >bad.ptx
  try diagnose --static bad.ptx
  code 2
  complains "bad.ptx: ptxas for sm_90: " "line 7"
fi

# What it refuses.
try diagnose --static
refuses 2 "--static needs code"
try diagnose --static one.cubin --variant cuda-4-tuned
refuses 2 "a file, or --variant and --shape, not both"
try diagnose --static --variant cuda-4-tuned --block 32
refuses 2 "--entry, --block, --grid and --smem are for code that does not say"
try diagnose --static one.cubin --grid 4
refuses 2 "--grid and --smem need the threads per block"
try diagnose --static --variant cuda-4-tuned --brief
refuses 2 "--brief applies to a run, and this is code that was not run"
try diagnose --static --variant cute-10-tcgen05 --target sm_90a
code 4
complains "cute-10-tcgen05: needs sm >= 100"
try diagnose --variant cuda-4-tuned --target sm_100a
refuses 2 "--target needs --static"
try diagnose --static --variant cuda-4-tuned --target sm_70
refuses 2 "--target sm_70: must be a chip of sm_80 or later"
try diagnose --static nowhere.cubin
refuses 3 "nowhere.cubin"
finish
