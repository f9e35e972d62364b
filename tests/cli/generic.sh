#!/usr/bin/env bash
# A problem of one's own, from its front matter to the report, on the fake GPU.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole

own() { # own KERNEL [LINE...]: writes own.cu, whose kernel the fake GPU computes by its name
  local kernel=$1 line
  shift
  {
    printf '//! %s\n' "problem: generic" "id: own" "ladder: mine" "size: N = 64" "buffer: x = fp32[N]; init = random" \
      "buffer: y = fp32[N]" "output: y" "step: kernel = $kernel; grid = ceil(N / 32); block = 32"
    for line; do printf '//! %s\n' "$line"; done
    for kernel in "$kernel" scale_plain; do
      printf 'extern "C" __global__ void %s(const float *x, float *y, int N) {}\n' "$kernel"
    done
  } >own.cu
}
profile() { try --kernel own.cu --no-sass --no-plots --rounds 3 --out run "$@"; }
reference="reference: kernel = scale_plain; grid = 1; block = 32"

own scale "$reference" "bytes: 2 * 4 * N" "flops: N"
profile --shape "N=64,N=1K" --all-shapes
code 0
says "N=64: measured" "N=1024: measured" own pass "SOL 0.03200 µs = 0.008192 MB minimal" # 1024 * 8 B at 1024 bit * 2 GHz / 8
holds "[(r['shape'], r['check']['verdict'], r['check']['total']) for r in j['results']] == [({'m': 0, 'k': 0, 'l': 0, 'sizes': 'N=64'}, 'pass', 64), ({'m': 0, 'k': 0, 'l': 0, 'sizes': 'N=1024'}, 'pass', 1024)]" run/run.json
holds "[(r['bytes_minimal'], r['bytes_declared'], r['flops']) for r in j['results']] == [(512, 512, 64), (8192, 8192, 1024)]" run/run.json
holds "j['results'][1]['launches'][0]['grid'] == [32, 1, 1]" run/run.json
grep -q '^# Kernels on' run/worklog.md || bad "the worklog's title"
of_kernels run
profile --shape N=64 --json
code 0
holds "[r['shape'] for r in j['findings']] == ['N=64']"
try --run run/run.json --out run2 --no-plots --shape N=64
code 0
says "N=64" own

own scale
profile
code 0
says "check: unchecked" "no reference given"
holds "len(j['results'][0]['timing']['samples_ns']) == 3" run/run.json

own scale_last "$reference"
profile
code 4
says wrong "y[63] was not written"
own scale_wrong "$reference"
profile
code 4
says "wrong: differs" "y[7] is" "1 of 64 elements fail"
own scale_wrong "$reference" "tolerance: 1 0" # x[7] is at most 1 in size, so 3 x[7] is within 1 of 2 x[7]
profile
code 0
own scale_beside "$reference"
profile
code 4
says "wrong: out-of-bounds" "it wrote outside y"
own scale_crash "$reference"
profile
code 4
says failed "took its process down"
own scale_hang "$reference"
profile --hang-limit 0.5
code 4
says failed "hung in phase check"

# A reference from a file, from the folder of the source.
own scale "reference: file = zero.bin"
sed -i 's/init = random/init = zero/' own.cu
head -c 256 /dev/zero >zero.bin
mkdir -p elsewhere && (cd elsewhere && "$NVFP4_PROF" --kernel ../own.cu --no-sass --no-plots --rounds 3 --out ../run) >"$out" 2>"$err"
rc=$?
code 0
says pass
head -c 255 /dev/zero >zero.bin
profile
code 4
says "zero.bin holds 255 bytes; 256 are needed"

# What cannot be asked for.
own scale
profile --shape bench
refuses 2 "own has sizes of its own" NAME=VALUE
profile --shape Q=4
refuses 2 "own has no size Q; it has N"
profile --variant own,cuda-0-naive
refuses 2 "own is a problem of its own and cuda-0-naive is the NVFP4 GEMV"
try --variant cuda-0-naive --shape N=4
refuses 2 "write --shape MxKxL"
try sol --shape N=4
refuses 2 "sol knows the NVFP4 GEMV"
own scale "refernce: kernel = x"
profile
refuses 2 own.cu:9 refernce "did you mean 'reference'"
own scale
echo 'int x = nonsense;' >>own.cu
try --kernel own.cu --target sm_90a --no-sass
code 4
complains "own.cu(11)" nonsense
finish
