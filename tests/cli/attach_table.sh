#!/usr/bin/env bash
# The table of a program that attach saw: calls, total, share, mean, bound and nearest roof; names in 80 columns, unique, and whole on request.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

# 3 x (10 x 510 + 20 x 60 + 20 x 20 + 5 x 30 us) = 20.55 ms; two kernels of one function, with grids of 50 and 10 blocks, and two whose names differ in the
# middle alone.
long=a_kernel_of_a_library_whose_name_tells_all_that_it_was_made
steps=big:500:10,_ZN2at6native11elementwiseILi4EfEEvi:50:20,_ZN2at6native11elementwiseILi8EfEEvi:10:20,${long}_first_of_two_kernels:20:3,${long}_other_of_two_kernels:20:2
TARGET_STEP=$steps try attach --top 0 --no-sass --out run.json -- "$target" 3
code 0
try report run.json --no-plots --out folder
code 0
says "kernel" "5 kernels of the program, 100.0 % of its GPU time, 20.5 ms" "most time big: 74 % of the GPU time, 30 calls" \
  "names are short, told apart by template arguments, grid or number: --full-names"
grep -q '^variant' "$out" && bad "the table is headed variant"
row() { # row NAME CALLS TOTAL SHARE MEAN
  tr -s ' ' <"$out" | grep -qF -- "$1 $2 $3 $4 $5" || bad "no row $*: $(head -n 14 "$out")"
}
row big 30 15.30 74.5 510.0
row "elementwise<4, float>" 60 3.600 17.5 60.00
row "elementwise<8, float>" 60 1.200 5.84 20.00
"$python" - "$out" <<'PY' || bad "the table is wider than 80 columns"
import sys
sys.exit(any(len(line.rstrip("\n")) > 80 and not line.startswith("next ") for line in open(sys.argv[1], encoding="utf-8")))
PY
order=$(sed -n '/^─/,/^names/p' "$out" | awk '/µs|^─|^names/ { next } { print $(NF - 6) }' | tr '\n' ' ')
[ "$order" = "30 60 60 9 6 " ] || bad "not by GPU time: calls $order"
says "do collect counters" "next nvfp4-prof attach --two-runs --no-sass --out run.json -- "
names=$(sed -n '/^─/,/^names/p' "$out" | grep -c 'a_kernel')
[ "$names" = 2 ] || bad "not two rows of the long names"

try project run.json --to b200
refuses 2 "the run is of a program" "nvfp4-prof diagnose FILE.cu --target sm_100a"
try export run.json --trace trace.json
grep -q "problem not declared" trace.json && bad "a trace of a problem that a program has not"
try diff run.json run.json --all
says_not "shape" "problem not declared"
says "kernel A B" "Times are medians."
try history run.json
says_not "problem not declared"
says "median time over 1 runs"
try report run.json run.json --no-plots --out two
grep -qE "problem not declared|ladder" two/index.html two/worklog.md && bad "two runs of a program have problems or ladders"

for how in "--full-names" "--table --full-names"; do
  # shellcheck disable=SC2086
  try report run.json --no-plots --out folder $how
  says "${long}_first_of_two_kernels" "${long}_other_of_two_kernels" "at::native::elementwise<4, float>"
  says_not "names are short"
  grep -q "^variant" "$out" && bad "the table is headed variant"
done
# The page and the worklog have whole names, and nothing of a ladder.
grep -q "at::native::elementwise" folder/worklog.md || bad "the worklog has no whole name"
grep -q "| kernel | calls | total (ms) | of GPU (%) | mean (µs) |" folder/worklog.md || bad "the worklog has no columns of a program"
grep -q "| variant |" folder/worklog.md && bad "the worklog's table is headed variant"
of_kernels folder
grep -qF "**big takes 74 % of the GPU time: 30 calls of 510.0 µs in the mean.**" folder/worklog.md || bad "the worklog's headline: $(sed -n 3p folder/worklog.md)"
grep -qF "<details><summary>Every kernel</summary>" folder/index.html || bad "the page has variants of a program's kernels"
grep -qE "found in the program|problem not declared:|controls included" folder/index.html folder/worklog.md && bad "words of a ladder, or of nothing"
grep -qF ">elementwise&lt;4, float&gt;<" folder/index.html || bad "the page's name of a kernel is not that of the table"
# Each short name leads to its kernel's section, and says the whole name; the next command names the run.
grep -qE '<th scope="row" title="[^"]*"><a href="#step-[^"]*">elementwise&lt;4, float&gt;</a></th>' folder/index.html || bad "a short name leads nowhere"
grep -oE '<code>nvfp4-prof (diagnose|attach)[^<]*' folder/index.html | grep -q "run\|attach" || bad "the page's next command names no run"
# In charts, which have less room, names are unlike too.
try report run.json --charts all --out drawn
if command -v gnuplot >/dev/null; then
  twice=$(sed -n '/^# row  one/q; s/^[0-9]* [12] [^ ]* "\([^"]*\)".*/\1/p' drawn/kernels.dat | sort | uniq -d)
  grep -qF '"15.3 ms · 74 % · 30 × 510 µs"' drawn/kernels.dat || bad "the chart is not of all launches: $(cat drawn/kernels.dat)"
  grep -q "^5 1 15.3 " drawn/kernels.dat || bad "the longest is not the first"
  [ -e drawn/climb.dat ] && bad "a program has a climb"
  if [ "$(grep -c 'elementwise 50' drawn/kernels.dat)" != 1 ] || [ -n "$twice" ]; then bad "names of the chart: $(cut -c1-60 drawn/kernels.dat)"; fi
fi
finish
