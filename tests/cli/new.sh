#!/usr/bin/env bash
# new: what it writes compiles as it is, passes where it can be run, and never overwrites.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

try new mine
code 0
says "mine.cu written" "--kernel mine.cu --watch"
grep -qF '@NAME@' mine.cu && bad "a slot was left empty"
for chip in sm_90a sm_100a; do
  try --kernel mine.cu --target $chip --no-sass
  code 0
  says "1 variant, 0 failed" mine
done

cp mine.cu before.cu
try new mine
refuses 2 "mine.cu is there already" --force
cmp -s mine.cu before.cu || bad "the file was touched"
try new mine --problem gemv --force
code 0
cmp -s mine.cu before.cu && bad "--force did not overwrite"

mkdir sub
try new sub/rung-1.cu --problem gemv
code 0
says "sub/rung-1.cu written"
try --kernel sub/rung-1.cu --target sm_90a --no-sass
code 0
says rung-1

try new
refuses 2 "new takes one name"
try new Mine
refuses 2 "new Mine" "a-z"
try new absent/mine
refuses 3 absent/mine.cu "No such file"
try new mine2 --problem gmv
refuses 2 "--problem gmv: must be generic or gemv"
[ -e mine2.cu ] && bad "a file was left"

# The fake GPU computes what is called gemv: the rung passes its check as it is written.
fake_gpu whole
try --kernel sub/rung-1.cu --shape 128x256x1 --no-sass --no-plots --rounds 3 --out run
code 0
says rung-1 pass
finish
