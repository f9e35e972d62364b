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
sed -i "s|call = [a-z-]*;|call = gemv;|" rungs/called.cu

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
skips "libcublas.so.13 was not found; NVFP4_LIBCUBLAS: /nonexistent/libcublas.so.13" "set CUDA_HOME to a CUDA toolkit that has cuBLAS"
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
finish
