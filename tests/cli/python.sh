#!/usr/bin/env bash
# The Python layer over this program: tests/cli/python_layer.py; every example compiles.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
here=$(realpath "$(dirname "$0")")
"$python" -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip "no Python 3.9 with ctypes here"
grep -q __asan_init "$NVFP4_FAKES/whole/libcuda.so.1" && skip "Python cannot load libraries that are built for AddressSanitizer"
fake_gpu whole
export PYTHONPATH=$here/../../python PYTHONDONTWRITEBYTECODE=1 RECORDED=$here/../fixtures/cuda.json.gz HERE=$here TMPDIR=$work
# Code for the line that waits.
cat >own.cu <<'CU'
//! problem: generic
//! id:      scale
//! ladder:  own
//! size:    N = 1K
//! buffer:  x = fp32[N]; init = random
//! output:  x
//! step:    kernel = scale; grid = 1; block = 128; args = x, N
//! bytes:   4 * N

extern "C" __global__ void scale(float *x, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    x[i] *= 2;
}
CU
rung naive gemv
NVFP4_CACHE=$work/code try --kernel own.cu --target sm_90 --no-sass
if [ "$rc" = 3 ]; then
  echo "SKIPPED: the line that waits: there is no NVRTC here"
elif nvdisasm_here "the line that waits"; then
  "$python" -c 'import glob; data = open(glob.glob("code/*.entry")[0], "rb").read(); open("own.cubin", "wb").write(data[data.index(b"\x7fELF"):])'
  export CUBIN=$work/own.cubin
fi
what="the Python layer"
timeout 550 "$python" "$here/python_layer.py" >said 2>&1 || {
  bad "exit code $?"
  tail -n 60 said
}
grep -o 'skipped=[0-9]*' said
"$python" - "$here"/../../docs/examples/*.py "$here"/../../python/nvfp4_prof/*.py <<'PY' || bad "a file does not compile"
import sys
for path in sys.argv[1:]:
    compile(open(path, encoding="utf-8").read(), path, "exec")
PY
finish
