#!/usr/bin/env bash
# Kernels that fail: each is named with what it did, the others are measured, exit 4.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
profile() { try --kernels rungs --shape 128x256x1 --no-sass --no-plots --rounds 20 --hang-limit 0.5 --out run "$@"; }
verdict() { # verdict VARIANT VERDICT TEXT: in run.json
  holds "[(r['check']['verdict'], '$3' in r['check'].get('reason', '') or r['check'].get('reason', '')) for r in j['results'] if j['variants'][r['variant']]['id'] == 'my-$1'] \
    == [('$2', True)]" run/run.json
}
measured() { # measured VARIANT...: passed, with times and counters
  local variant
  for variant; do
    holds "[(r['check']['verdict'], set(r['timing']['samples_ns']), bool(r.get('metrics'))) for r in j['results'] if j['variants'][r['variant']]['id'] == 'my-$variant'] \
      == [('pass', {11000}, True)]" run/run.json
  done
}
untimed() { holds "not any(r['timing'].get('samples_ns') for r in j['results'] if j['variants'][r['variant']]['id'] == 'my-$1')" run/run.json; }

rung a-good gemv
rung z-good gemv

rung m-crash gemv_crash
profile
code 4
verdict m-crash failed "signal 6"
measured a-good z-good
untimed m-crash
says my-m-crash my-a-good
rm rungs/m-crash.cu

rung m-exit gemv_exit
profile
code 4
verdict m-exit failed "code 7"
measured a-good z-good
rm rungs/m-exit.cu

rung m-hang gemv_hang
profile
code 4
verdict m-hang failed "hung in phase check"
measured a-good z-good
rm rungs/m-hang.cu

rung m-fault gemv_fault
profile
code 4
verdict m-fault failed CUDA_ERROR_ILLEGAL_ADDRESS
measured a-good z-good
rm rungs/m-fault.cu

rung m-refused gemv_refused
profile
code 4
verdict m-refused failed "kernel gemv_refused: cuLaunchKernelEx: FAKE_ERROR_701"
measured a-good z-good
rm rungs/m-refused.cu

# Wrong results are not timed.
rung m-last gemv_last
profile
code 4
verdict m-last wrong ""
holds "[(r['check']['cause'], r['check']['failed'], r['check']['row']) for r in j['results'] if r['check']['verdict'] == 'wrong'] == [('unwritten', 1, 127)]" run/run.json
untimed m-last
measured a-good z-good
rm rungs/m-last.cu
rung m-beside gemv_beside
profile
code 4
verdict m-beside wrong "wrote outside C"
measured a-good z-good
rm rungs/m-beside.cu

# A rung that must be wrong and is: as it should be.  One that must be wrong and is right: not.
rung m-wrong gemv_last "wrong: unwritten"
profile --variant 'my-*'
code 0
verdict m-wrong wrong ""
rm rungs/m-wrong.cu
rung m-wrong gemv "wrong: nan"
profile --variant 'my-*'
code 4
rm rungs/m-wrong.cu

# Several at once, of every kind.
rung b-crash gemv_crash
rung c-hang gemv_hang
rung d-fault gemv_fault
rung e-last gemv_last
profile
code 4
verdict b-crash failed "signal 6"
verdict c-hang failed "hung"
verdict d-fault failed CUDA_ERROR_ILLEGAL_ADDRESS
verdict e-last wrong ""
measured a-good z-good
rm rungs/[bcde]-*.cu

# All of them: nothing is left to time.
rm rungs/*-good.cu
rung m-crash gemv_crash
profile
code 4
verdict m-crash failed "signal 6"
rm rungs/m-crash.cu
rung a-good gemv
rung z-good gemv

# Device memory that runs out: for one variant it is that variant's, for the inputs the run's.
rung m-scratch gemv "scratch: heap = M" "step: kernel = empty; grid = 1; block = 32; args = heap"
sed -i 's|^extern|extern "C" __global__ void empty(void *heap) {}\n&|' rungs/m-scratch.cu
profile
code 0
NVFP4_FAKE=cuMemAlloc_v2=2@7 profile
code 4
verdict m-scratch failed "heap (0.0 MB): cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY"
measured a-good z-good
rm rungs/m-scratch.cu
NVFP4_FAKE=cuMemAlloc_v2=2 profile --out none
refuses 3 "128x256x1: A (0.0 MB): cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY"
NVFP4_FAKE=cuModuleLoadData=209@3 profile
code 4
holds "sum(r['check']['verdict'] == 'failed' for r in j['results']) == 1" run/run.json
says "cuModuleLoadData: FAKE_ERROR_209"
finish
