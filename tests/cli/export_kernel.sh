#!/usr/bin/env bash
# export-kernel: one file that nvcc compiles, with its launch and a test; what one file cannot hold is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

compiles() { # compiles FILE.cu OPTION...: without a warning
  command -v nvcc >/dev/null || { echo "SKIPPED: nvcc of $1: nvcc is not on PATH" >&2; return; }
  nvcc -arch=sm_90a -std=c++17 -o compiled "$@" >nvcc.log 2>&1 || bad "$* does not compile: $(head -n 3 nvcc.log)"
  [ -s nvcc.log ] && bad "$1: $(head -n 3 nvcc.log)"
}

# A ladder is its last rung that is no side step; a file a shape.
try export-kernel ours --shape 8192x8192x1,7168x2048x64 --target sm_90a -o home
code 0
complains "ours-22-whole-rows is in home/ours-22-whole-rows-8192x8192x1.cu"
[ "$(ls home)" = $'ours-22-whole-rows-7168x2048x64.cu\nours-22-whole-rows-8192x8192x1.cu' ] || bad "the folder holds $(ls home)"
grep -q '#include "' home/*.cu && bad "a header is still included"
grep -q '{{' home/*.cu && bad "a slot was left empty"
grep -q 'config.gridDim = dim3(132, 1, 1)' home/ours-22-whole-rows-8192x8192x1.cu || bad "the grid is not the plan's"
compiles home/ours-22-whole-rows-8192x8192x1.cu -DGEMV_NO_TEST -c # as a library

# Two launches, and a buffer that is filled before each.
try export-kernel attempts-5-atomics --shape 128x256x1 -o two.cu
code 0
[ "$(grep -c 'cudaLaunchKernelEx' two.cu)" = 2 ] || bad "not two launches"
grep -q 'cudaMemsetAsync(sums, 0, 512' two.cu || bad "the sums are not cleared: $(grep Memset two.cu)"
compiles two.cu # as a program, with its test

try export-kernel cuda-4-tuned --shape 128x256x1 -o -
code 0
says "cuda-4-tuned of nvfp4-prof" "gemv_launch"

try export-kernel cute-10-tma-tensor
refuses 2 "cute-10-tma-tensor needs a tensor map" "choose another rung"
try export-kernel control-read
refuses 2 "computes no C"
try export-kernel ours-18-turns --shape 8192x28672x1
refuses 2 "ours-18-turns does not run there: needs"
try export-kernel uors
refuses 2 "unknown variant 'uors'" ours
try export-kernel
refuses 2 "takes a variant or a ladder"
try export-kernel ours -o one.cu
refuses 2 "one file for 3 shapes"
try export-kernel ours --target sm_75
refuses 2 "--target sm_75"
finish
