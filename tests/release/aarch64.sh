#!/usr/bin/env bash
# The aarch64 program that scripts/release has made here, by qemu with Debian 11's libc: it starts, diagnoses, reports and attaches, and its unit tests pass.
# shellcheck source=tests/release/lib.sh
source "$(dirname "$0")/lib.sh"
native=$NVFP4_PROF
run=$(fixture_run)
program=$portable/aarch64/build/nvfp4-prof
command -v qemu-aarch64 >/dev/null || skip "no qemu-aarch64 here (Debian's qemu-user)"
NVFP4_PROF=$work/emulated
printf '#!/bin/sh\nexec qemu-aarch64 -L %q %q "$@"\n' "$libc/aarch64" "$program" >"$NVFP4_PROF"
chmod +x "$NVFP4_PROF"

try --version
code 0
try diagnose "$run" --variant cuda-4-tuned --shape 7168x16384x1
code 0
says "cuda-4-tuned at 7168×16384×1" alu
mv "$out" emulated.txt
"$native" diagnose "$run" --variant cuda-4-tuned --shape 7168x16384x1 >native.txt 2>&1
cmp -s native.txt emulated.txt || bad "it says another thing than the program of this machine"
try report "$run" --no-plots --out report
code 0
tail -n 1 report/index.html | grep -qx '</html>' || bad "the page is not whole"
try doctor --json
holds "{r['need']: r['state'] for r in j}['nvdisasm'] in ('found', 'missing')"

# The program that is attached to is started by a qemu of its own, which hands the environment on.
fakes=$portable/aarch64/build/tests/fakes
NVFP4_LIBCUDA=$fakes/whole/libcuda.so.1 NVFP4_LIBCUPTI=$fakes/whole/libcupti.so.13 NVFP4_LIBNVML=$fakes/whole/libnvidia-ml.so.1 \
  try attach --out run.json --no-sass -- "$(command -v qemu-aarch64)" -L "$libc/aarch64" "$fakes/target" 40
code 0
complains "40 launches of 2 kernels"
holds "[len(r['timing']['samples_ns']) for r in j['results']] == [10, 30]" run.json

what="unit tests"
ctest --test-dir "$portable/aarch64/build" -R '^unit/' --no-tests=error --output-on-failure -j "$(nproc)" >said 2>&1 || {
  bad "some fail"
  grep -E 'Failed|Timeout|ERROR|LINE' said | head -n 40
}
grep 'tests passed' said
finish
