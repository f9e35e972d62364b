#!/usr/bin/env bash
# Every rung of every ladder compiles for the chips that are spoken of, whether they are here or not.  At the shape that the unit tests
# (test_profiler_rungs) have compiled for: here it is the command that is tried.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

for target in sm_90a sm_100a; do
  try --target $target --variant '*' --shape 7168x16384x1 --no-sass
  code 0
  says "compiled for $target" ", 0 failed"
done
finish
