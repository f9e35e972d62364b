#!/usr/bin/env bash
# --watch: a save is measured and set against the last one; what does not compile is complained of and watching goes on; Ctrl-C ends with 0.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

source_of() { # source_of GRID [LINE]: own.cu, whose kernel doubles x; the fake GPU takes 10 us + 1 us a block
  printf '//! %s\n' "problem: generic" "id: own" "ladder: mine" "size: N = 64" "buffer: x = fp32[N]; init = random" \
    "buffer: y = fp32[N]" "output: y" "step: kernel = scale; grid = $1; block = 32" \
    "reference: kernel = scale; grid = 1; block = 32"
  printf '#include "own.cuh"\nextern "C" __global__ void scale(const float *x, float *y, int N) { %s }\n' "${2-}"
}
start() { # start ARGUMENTS...: watches own.cu in the background, with SIGINT as in a terminal
  what="nvfp4-prof --kernel own.cu --watch $*"
  "$python" -IS -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$NVFP4_PROF" --kernel own.cu --watch "$@" >"$out" 2>"$err" </dev/null &
  pid=$!
}
await() { # await FILE TEXT: until the file holds the text
  local i
  for ((i = 0; i < 6000; i++)); do
    tr -s '[:space:]' ' ' <"$1" | grep -qF -- "$2" && return
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.05
  done
  bad "\"$2\" did not come:"
  show "$1"
  show "$err"
}
stop() {
  kill -s INT "$pid"
  wait "$pid"
  rc=$?
  code 0
}

: >own.cuh
source_of 20 >own.cu
fake_gpu whole
start --rounds 3
await "$err" "watching own.cu and the files it includes"
await "$out" "own 30.00" # 10 us + 20 blocks
await "$out" "own at N=64: 30.00"
source_of 40 >new.cu && mv new.cu own.cu # as editors do
await "$out" "own before → own"
await "$out" "30.00 → 50.00 1.67"
await "$out" "own at N=64: 50.00"
await "$err" "s after it was saved"
source_of 40 'nonsense' >own.cu
await "$err" "own.cu(11)"
await "$err" "own: failed: did not compile"
source_of 'ceil(' >own.cu
await "$err" "own.cu:8: step"
source_of 10 >own.cu
await "$out" "50.00 → 20.00" # against the last that ran
echo 'constexpr int more = nonsense;' >own.cuh
await "$err" "own.cuh(1)"
: >own.cuh
await "$out" "no change"
source_of 10 >own.cu
sed -i 's/kernel = scale; grid = 10/kernel = scale_wrong; grid = 10/; s/void scale(/void scale_wrong(/' own.cu
sed -i '$ a extern "C" __global__ void scale(const float *x, float *y, int N) {}' own.cu
await "$err" "own: wrong: y[7] is"
stop
[ -e report ] && bad "a report was written"
# A variant that fails at two shapes is complained of once.
start --rounds 3 --shape "N=64,N=128"
await "$err" "own: wrong: y["
await "$err" "watching own.cu"
stop
[ "$(grep -c 'own: wrong: ' "$err")" = 1 ] || bad "a variant is complained of $(grep -c 'own: wrong: ' "$err") times"

# Without a GPU: registers and instructions of the kernel, for the target.
export NVFP4_LIBCUDA=/nonexistent/libcuda.so.1
source_of 20 'y[threadIdx.x] = x[threadIdx.x];' >own.cu
start
await "$err" "no GPU here; compiling for sm_100a only"
await "$err" "watching own.cu"
await "$out" own
source_of 20 'y[threadIdx.x] = x[threadIdx.x] / 3 + x[threadIdx.x + N] / N;' >own.cu
await "$out" →
nvdisasm_here "the bound of a save" && await "$out" "modelled bound:"
stop
start --target sm_90a --json
await "$out" '"compiled": [{"variant":"own","registers":{"before":'
source_of 20 >own.cu
await "$err" "after it was saved"
stop
[ "$(wc -l <"$out")" = 2 ] || bad "not one line a save"
"$python" -IS -c 'import json, sys
first, second = (json.loads(line) for line in open(sys.argv[1]))
rows = first["compiled"], second["compiled"]
diagnoses = [d["diagnosis"]["diagnoses"] for d in (first, second)]
assert [(d[0]["variant"], d[0]["arch"]) for d in diagnoses] == [("own", "sm_90a")] * 2 and first["diagnosis"]["schema"] == "nvfp4-prof/static/1"
assert first["error"] is None and first["schema"] == "nvfp4-prof/watch/1"
assert rows[1][0]["registers"]["before"] == rows[0][0]["registers"]["after"] > rows[1][0]["registers"]["after"]' "$out" ||
  bad "the two documents"
# Instructions that nobody could read are not 0.
export NVFP4_NVDISASM=/nonexistent/nvdisasm NVFP4_CACHE=$work/no-sass
start --target sm_90a --json
await "$out" '"sass":{"before":null,"after":null}'
stop
unset NVFP4_NVDISASM

try --watch
refuses 2 "--watch needs the file to watch: --kernel FILE.cu"
try --watch --kernel absent.cu
code 3
complains "absent.cu: cannot be opened"
try --watch --kernel own.cu --target sm_7
code 2
complains "--target sm_7"
finish
