#!/usr/bin/env bash
# Rungs whose steps call cuBLAS: how many kernels a call launches is counted, not known; an absent library skips them and fails nothing.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
profile() { try --kernels rungs --shape 128x256x1,128x256x2 --no-sass --no-plots --rounds 20 --out run; }
called() { # called EXPRESSION: over rs, the results of my-called
  holds "(lambda rs: $1)([r for r in j['results'] if j['variants'][r['variant']]['id'] == 'my-called'])" run/run.json
}
good() { holds "[(r['check']['verdict'], len(set(r['timing']['samples_ns']))) for r in j['results'] if j['variants'][r['variant']]['id'] == 'my-good'] == [('pass', 1)] * 2" run/run.json; }
rung good gemv
rung called dequantise
sed -i 's|^//! step:.*|//! step: call = gemv; args = a, b, c\n//! host: cublas\n//! output: none\n//! setup: kernel = dequantise; grid = 7; block = 32|' rungs/called.cu

# A block of the first kernel, two of the second, 10 µs each besides; neither the setup's seven blocks nor what a first call does is among them.
profile
code 0
good
called "[set(r['timing']['samples_ns']) for r in rs] == [{23000}] * 2 and {r['timing']['source'] for r in rs} == {'CUPTI activity'}"
called "[[l['kernel'] for l in r['launches']] for r in rs] == [['cublas_product', 'cublas_sum']] * 2"
called "[[l['grid'] for l in r['launches']] for r in rs] == [[[1, 1, 1], [2, 1, 1]]] * 2"
called "[{m['name']: m.get('value') for m in r['metrics']}['dram_read_bytes'] for r in rs] == [3000] * 2"
called "{r['path'] for r in rs} == {'cuBLAS 13.2.3'} and {r['check']['verdict'] for r in rs} == {'unchecked'}"
for call in gemm gemv-batched; do
  sed -i "s|call = [a-z-]*;|call = $call;|" rungs/called.cu
  profile
  code 0
  called "[set(r['timing']['samples_ns']) for r in rs] == [{23000}] * 2"
done
sed -i "s|call = [a-z-]*; args = a, b, c|call = gemm-int8; args = a, b, c, 1|" rungs/called.cu
profile
code 0
called "[set(r['timing']['samples_ns']) for r in rs] == [{23000}] * 2"
NVFP4_FAKE=cublasGemmStridedBatchedEx=15 profile
code 4
called "[(r['check']['verdict'], r['check']['reason']) for r in rs] == [('failed', 'cublasGemmStridedBatchedEx: fake: not supported')] * 2"
sed -i "s|call = [a-z0-9-]*; args = a, b, c, 1|call = gemv; args = a, b, c|" rungs/called.cu

# Without CUPTI: event pairs, and nothing is known of the launches.
NVFP4_LIBCUPTI=/nonexistent/libcupti.so profile
code 0
called "[all(abs(ns - 23000) < 1 for ns in r['timing']['samples_ns']) for r in rs] == [True] * 2 and not any(r.get('launches') for r in rs)"

# No library, an old one, one that lacks this function: skipped, and each says why.
skips() { # skips TEXT...
  local text
  code 0
  good
  for text; do
    called "[(r['check']['verdict'], '$text' in r['check']['reason']) for r in rs] == [('skipped', True)] * 2"
    says "$text"
  done
}
NVFP4_LIBCUBLAS=/nonexistent/libcublas.so.13 profile
skips "libcublas.so.13 was not found" "NVFP4_LIBCUBLAS: /nonexistent/libcublas.so.13" "set CUDA_HOME to a CUDA toolkit that has cuBLAS"
NVFP4_LIBCUBLAS=$NVFP4_FAKES/lacks-required/libcublas.so.13 profile
skips "lacks-required/libcublas.so.13 lacks cublasGemmEx"
NVFP4_LIBCUBLAS=$NVFP4_FAKES/lacks-optional/libcublas.so.13 profile
skips "lacks-optional/libcublas.so.13 lacks cublasHSHgemvStridedBatched"

# A call that fails is its rung's failure.
NVFP4_FAKE=cublasHSHgemvStridedBatched=15 profile
code 4
good
called "[(r['check']['verdict'], r['check']['reason']) for r in rs] == [('failed', 'cublasHSHgemvStridedBatched: fake: not supported')] * 2"
NVFP4_FAKE=cublasCreate_v2=3 profile
code 4
good
called "[(r['check']['verdict'], r['check']['reason']) for r in rs] == [('failed', 'cublasCreate: fake: some status')] * 2"

# A setup that takes the context down costs its own rung only.
sed -i 's|dequantise|setup_fault|' rungs/called.cu
profile
code 4
good
called "[(r['check']['verdict'], 'setup: cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS' in r['check']['reason']) for r in rs] == [('failed', True)] * 2"

# CUPTI 13.5 says 0 where it does not know its version: none is shown.
for said in "130000 130000" "0 "; do
  NVFP4_FAKE=cuptiVersion=${said%% *} try doctor --json
  SAID=${said#* } holds "{r['version'] or '' for r in j if r['need'] in ('CUPTI', 'CUPTI library')} == {__import__('os').environ['SAID']}"
done
NVFP4_FAKE=cuptiVersion=0 profile
holds "'cupti' not in j['device']" run/run.json

# Headers are those of the toolkit that NVRTC is of, and of many places where a library does not open one is told.
nvrtc=$("$NVFP4_PROF" doctor --json | "$python" -IS -c 'import json, sys; print({r["need"]: r.get("path") or "" for r in json.load(sys.stdin)}["NVRTC"])')
if [ -e "$nvrtc" ]; then
  mkdir -p toolkit/lib64 toolkit/include
  ln -s "$(realpath "$nvrtc")" toolkit/lib64/libnvrtc.so.13
  : >toolkit/include/cuda_fp16.h
  NVFP4_LIBNVRTC=$work/toolkit/lib64/libnvrtc.so.13 try doctor --json
  holds "{r['need']: r['path'] for r in j}['CUDA headers'] == '$work/toolkit/include'"
fi
mkdir -p broken/lib64 broken/lib
echo no library | tee broken/lib64/libcuda.so.1 broken/lib/libcuda.so.1 >broken/lib/libcuda.so
unopened() ( # unopened: why there is no driver, where what lies in the toolkit cannot be opened
  unset NVFP4_LIBCUDA CUDA_HOME CUDA_PATH
  NVFP4_CUDA_HOME=$work/broken "$NVFP4_PROF" doctor --json | "$python" -IS -c 'import json, sys; print([r["remedy"] for r in json.load(sys.stdin) if "driver" in r["need"]][0])'
)
if ldconfig -p | grep -q 'libcuda\.so'; then
  echo "libraries that do not open: SKIPPED (this machine has a driver, which is found in their place)"
else
  what="a library that does not open, in three places"
  [ "$(unopened | grep -o "broken/lib" | wc -l)" = 1 ] || bad "it is not told once: $(unopened)"
fi
finish
