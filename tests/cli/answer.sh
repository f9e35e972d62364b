#!/usr/bin/env bash
# The first screen: where the numbers come from, a row per best, five lines of answer; then the report.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fixture=$(fixture_run)

fits() { # fits LINES COLUMNS FILE: no more lines, none wider but a command
  "$python" -I - "$@" <<'PY' || bad "$3 is no screen"
import sys
lines = open(sys.argv[3], encoding="utf-8").read().splitlines()
wide = [l for l in lines if len(l) > int(sys.argv[2]) and not l.startswith("next ")]
for line in wide:
    print(f"    {len(line)} columns: {line}")
print(f"    {len(lines)} lines") if len(lines) > int(sys.argv[1]) else None
sys.exit(bool(wide) or len(lines) > int(sys.argv[1]))
PY
}
five_lines() { # five_lines FIRST: its label
  local label
  for label in "$1" "how close" "bound" "do" "next"; do
    grep -q "^$label  *[^ ]" "$out" || bad "there is no line \"$label\""
  done
}

try --run "$fixture" --no-plots --out run
code 0
fits 60 80 "$out"
head -n 1 "$out" | grep -q '^measured on NVIDIA H200' || bad "the first line: $(head -n 1 "$out")"
five_lines fastest
says "12 variants, geometric mean of 3 shapes" "fastest ours-4-early-b, 20.29 µs" "side step" "nvfp4-prof diagnose"
says_not control-null wrong-nan

# The recorded run: a row per ladder's best, before anything is compiled.
try --variant cuda --no-sass --no-plots --out recorded
code 0
fits 60 80 "$out"
head -n 1 "$out" | grep -q '^recorded on NVIDIA H200' || bad "the first line: $(head -n 1 "$out")"
five_lines fastest
shipped=$(recorded_run) && NVFP4_RECORDED=$shipped NVFP4_LIBNVRTC=/nonexistent/libnvrtc.so try --variant all --shape 7168x16384x1 -q --out -
code 0
fits 12 80 "$out"
five_lines fastest
says_not "─"

# A terminal is told at once that a run is read: the shipped one takes a second.
what="the first output on a terminal"
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  TERM=xterm script -qec "$NVFP4_PROF --run $fixture --out -" /dev/null </dev/null | head -n 1 | tr -d '\033' | grep -q '^.\[Kread ' || bad "is not that the run is read"
fi

# The answer is out before the first chart is drawn.
cat >gnuplot <<'SH'
#!/bin/sh
touch "$DRAWN"
[ -s "$ANSWER" ] || touch "$DRAWN.first"
SH
chmod +x gnuplot
what="the answer before the charts"
DRAWN=$work/drawn ANSWER=$work/answer NVFP4_GNUPLOT=$work/gnuplot "$NVFP4_PROF" --run "$fixture" --variant cuda-4-tuned --out drawn-run \
  >answer 2>"$err" </dev/null
grep -q '^next' answer || bad "there is no answer"
[ -e drawn ] || bad "no chart was asked for"
[ -e drawn.first ] && bad "a chart was drawn before the answer was printed"

# One variant: its shapes, the step from its parent, which was not asked for, and what to do; no control.
try --run "$fixture" --variant cuda-4-tuned --no-plots --out one
code 0
fits 60 80 "$out"
five_lines time
says "cuda-4-tuned, a step from cuda-3-ptx-decode" 7168×16384×1 4096×7168×8 7168×2048×4 "step 30.66 µs → 27.39 µs against cuda-3-ptx-decode: 1.12 times faster." "check: pass" "top stall"
says_not control-read '"r"(a)'
says "hottest common/dot.cuh:24, 87 % of the instructions: inline PTX, lines 11 to 24"
[ "$(grep -oE '^(time|step|next)' "$out" | tr '\n' ' ')" = "time step next " ] || bad "the answer does not lead"
holds "'cuda-4-tuned' in str(j)" one/findings.json
try --run "$fixture" --variant cuda-4-tuned --json --no-plots --out one-json
code 0
says_not '"variant": "cuda-3-ptx-decode"'

# Little of the speed of light is not none of it.
try --run "$fixture" --variant cuda-0-naive --shape 7168x16384x1 --no-plots --out little
says "how close 0.40 % of the speed of light, 0.47 % of a pure read"
try diagnose "$fixture" cuda-0-naive --shape 7168x16384x1
says "0.47 % of the read control's speed, 0.40 % of the speed of light"
try --target sm_90a --run "$fixture" --variant cuda-4-tuned
refuses 2 "--run analyses a finished run and --target is for a new one"

# What a script or a comment is made of, on stdout, and no folder.
try report "$fixture" --select cuda --csv -o -
code 0
head -n 1 "$out" | grep -q '^variant,ladder,' || bad "no CSV: $(head -n 1 "$out")"
[ "$(grep -c '^cuda-4-tuned,' "$out")" = 3 ] || bad "not a row per shape"
try --run "$fixture" -o - --variant cuda-4-tuned
code 0
five_lines time
[ -e ./- ] || [ -e report ] && bad "a folder was written"
try --run "$fixture" --csv --json -o -
refuses 2 "--csv prints everything"
try report "$fixture" "$fixture" -o -
refuses 2 "--out -: two runs side by side are a folder"

# Every row on request.
try --run "$fixture" --table --out -
code 0
says control-read wrong-nan "7168×16384×1: measured" "2 more shapes: --all-shapes" "Geometric mean"
says_not "4096×7168×8: measured"
try --run "$fixture" --all-shapes --out -
code 0
says "7168×16384×1: measured" "4096×7168×8: measured" "7168×2048×4: measured"
try --run "$fixture" --table --shape 7168x16384x1 --variant cuda --no-plots --out table
code 0
grep -qi "geometric mean" "$out" table/index.html table/worklog.md && bad "means over one shape"
try --run "$fixture" --table -q --no-plots --out table
refuses 2 "leave one out"

# 4 KB for a script: the best first.
for asked in "--run $fixture --out -" "diagnose $fixture cuda"; do
  # shellcheck disable=SC2086 # words
  try $asked --brief
  code 0
  [ "$(wc -c <"$out")" -le 4096 ] || bad "$(wc -c <"$out") bytes"
  says "% of the time" "remedy:" "may save" "left out for room"
  # shellcheck disable=SC2086
  try $asked --brief --json
  code 0
  [ "$(wc -c <"$out")" -le 4096 ] || bad "$(wc -c <"$out") bytes"
  holds "j['schema'] == 'nvfp4-prof/brief/1' and j['left_out'] > 0"
  holds "all(k['kernel'] and k['time_s'] > 0 and k['bound'] and 0 < k['bound_share'] <= 1 for k in j['kernels'])"
  holds "all({'evidence', 'line', 'remedy', 'saves_s', 'saves_low_s', 'saves_high_s', 'share'} <= set(k) for k in j['kernels'])"
done
try --run "$fixture" --brief --json --out -
holds "j['kernels'][0]['kernel'] == 'ours-4-early-b'"

# ASCII where the locale is C; no line is wider than the terminal, what is left out is said, and names are whole.
LC_ALL=C try --run "$fixture" --out -
code 0
fits 60 80 "$out"
LC_ALL=C grep -q '[^ -~]' "$out" && bad "it is not ASCII"
grep -q '^ .* us ' "$out" || bad "there is no unit us"
for width in 60 80 120; do
  what="$width columns"
  script -qec "stty cols $width; NO_COLOR=1 $NVFP4_PROF --run $fixture --out - 2>/dev/null" /dev/null </dev/null 2>/dev/null |
    tr -d '\r' >screen || continue
  [ -s screen ] || continue
  fits 60 $width screen
  grep -q '^cuda-3-ptx-decode ' screen || bad "a name is cut"
  [ $width != 60 ] || grep -q '^left out at this width: ' screen || bad "what is left out is not said"
done
finish
