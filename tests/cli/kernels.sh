#!/usr/bin/env bash
# A user's own rungs: malformed front matter names file and line; what does not compile fails that variant and no other.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2086
compile() { try --kernel $1 --target sm_90a --no-sass --shape 128x256x1; }

rung good gemv
compile rungs/good.cu
code 0
says "compiled for sm_90a" "not run" my-good
try --kernels rungs --target sm_90a --no-sass --shape 128x256x1
code 0
says my-good
try list --kernels rungs --json
code 0
holds "[v['variant'] for v in j['variants']] == ['my-good']"

printf 'extern "C" __global__ void gemv() {}\n' >plain.cu
compile plain.cu
refuses 2 plain.cu
: >empty.cu
compile empty.cu
refuses 2 empty.cu
compile absent.cu
refuses 3 absent.cu "No such file"
compile .
refuses 3 .
head -c 100000 /dev/urandom >noise.cu
compile noise.cu
code 2
complains noise.cu

malformed() { # malformed LINE OF FRONT MATTER, TEXT...: refused, with file and line (the sixth)
  rung bad gemv "$1"
  compile rungs/bad.cu
  shift
  refuses 2 rungs/bad.cu:6 "$@"
}
malformed "predcts: time < 1x" predcts predicts
malformed "param: X" param
malformed "param: X = 3 in {1, 2}" param 3
malformed "step: kernel = gemv; grid = ceil(M / ; block = 128" grid
malformed "step: kernel = gemv; grid = NOBODY; block = 128" NOBODY
malformed "step: grid = 1; block = 128" kernel
malformed "scratch: a = M" a
malformed "wrong: everything" everything
malformed "accumulate: fp64" accumulate
malformed "needs: sm >=" needs
malformed "predicts: time <<< fast" "predicts: 'time <<< fast'"
malformed "predicts: instt < 0.5x" "no metric, stall or bound 'instt'"
malformed "step: kernel = nobody; grid = 1; block = 128" "step: the code has no kernel nobody; it has gemv"
for key in id ladder step; do
  rung bad gemv
  sed -i "/^.\/! $key:/d" rungs/bad.cu
  compile rungs/bad.cu
  refuses 2 rungs/bad.cu "$key"
done
rm rungs/bad.cu

rung twin gemv
sed -i 's/id: my-twin/id: my-good/' rungs/twin.cu
try list --kernels rungs
refuses 2 my-good twin.cu good.cu
rm rungs/twin.cu
rung orphan gemv "parent: nobody"
try list --kernels rungs
refuses 2 orphan.cu nobody
rm rungs/orphan.cu
try list --kernels nowhere
refuses 3 nowhere
mkdir none
try list --kernels none
refuses 2 none

# Expressions are evaluated for the shape and the chip: nothing that they say may crash or launch nonsense.
try list --kernels rungs
for grid in "M / 0" "0 - 1" "M * 1e30" "0" "log2(0)"; do
  rung strange gemv
  sed -i "s|grid = ceil(M / 128), L|grid = $grid|" rungs/strange.cu
  compile rungs/strange.cu
  [ "$rc" = 0 ] && bad "grid = $grid was accepted"
  [ "$rc" -le 4 ] || bad "exit code $rc"
  complains strange
done
rm rungs/strange.cu

# One that does not compile: the others go on, exit 4, and the compiler's line stands in the message.
rung broken gemv
echo 'int x = nonsense;' >>rungs/broken.cu
try --kernels rungs --target sm_90a --no-sass --shape 128x256x1
code 4
says my-good my-broken "1 failed"
complains my-broken "broken.cu(7)" nonsense
rm rungs/broken.cu

# A header of the host's, which NVRTC lacks; and a block that no chip holds: nothing is compiled, and stderr says why.
rung host gemv
echo '#include <cstdint>' >>rungs/host.cu
compile rungs/host.cu
code 4
complains 'cannot open source file "cstdint"' "NVRTC has no headers of the host" "using uint8_t = unsigned char"
rm rungs/host.cu
rung wide gemv
sed -i "s|block = 128|block = 2048|" rungs/wide.cu
for how in "--kernel" "diagnose"; do
  try $how rungs/wide.cu --target sm_90a --shape 128x256x1
  code 4
  complains "my-wide: gemv: a block of 2048 x 1 x 1 threads; a block holds 1024 at most"
done
compile rungs/wide.cu
code 4
says "0 failed, 1 skipped"
compile "rungs/wide.cu --json"
code 4
rm rungs/wide.cu

# What was compiled and kept names the command that reads its code.
try --kernel rungs/good.cu --target sm_90a --no-sass --shape 128x256x1 --out kept
code 0
try diagnose kept/run.json.gz my-good
code 0
says "compiled for sm_90a, not run" "next nvfp4-prof diagnose rungs/good.cu --variant my-good --target sm_90a"
says_not "no device"
try diagnose rungs/good.cu --variant my-good --target sm_90a --shape 128x256x1
nvdisasm_here "what diagnose says of a file's code" && code 0
try import ncu kept/run.json.gz
refuses 2 "kept/run.json.gz: is a run file already: nvfp4-prof report kept/run.json.gz"

# No NVRTC, and no nvdisasm.
NVFP4_LIBNVRTC=/nonexistent/libnvrtc.so compile rungs/good.cu
refuses 3 "libnvrtc.so" "NVFP4_LIBNVRTC: /nonexistent/libnvrtc.so" scripts/setup
NVFP4_NVDISASM=/nonexistent/nvdisasm NVFP4_CACHE=$work/cache try --kernel rungs/good.cu --target sm_90a --shape 128x256x1
code 0
says my-good
[ -e report ] && bad "--target left a folder behind"
finish
