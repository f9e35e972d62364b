#!/usr/bin/env bash
# JSON and CSV that parse, the numbers of the speed of light, colour, chatter, and time to answer.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

for list in variants ladders shapes devices metrics; do
  try list "$list" --json
  code 0
  holds "len(j['$list']) > 0"
  try list "$list" --csv
  code 0
  try list "$list" --markdown
  code 0
done
try list --json
holds "{'cuda-0-naive', 'cuda-6-fused', 'control-read', 'wrong-nan'} <= {v['variant'] for v in j['variants']}"
[ -s "$err" ] && bad "list says something on stderr"

try sol --device b200
code 0
says 8.622 17.275 4.317 "7.680 TB/s" "Speed of light of NVIDIA B200, modelled"
try sol
code 0
says "Speed of light of NVIDIA B200 (the default; another by --device), modelled"
try sol --device b200 --json
code 0
holds "[round(r['contest_s'] * 1e6, 3) for r in j['sol']][:3] == [8.622, 17.275, 4.317]"
holds "[r['contest_bytes'] for r in j['sol']][:3] == [66213888, 132673536, 33157120]"
holds "[round(r['ffma_s'] * 1e6, 2) for r in j['sol']][:1] == [round(7168 * 16384 / (128 * 148 * 1.965e9) * 1e6, 2)]"
# A = 64*64/2, SFA = 64*64/16, B = 32, SFB = 4, C = 128.
# 58.7 million conversions of two values, 64 lanes a cycle on each of 148 SMs at 1965 MHz.
holds "[round(r['decode_s'] * 1e6, 3) for r in j['sol']][:1] == [round(7168 * 16384 / 2 / (64 * 148 * 1.965e9) * 1e6, 3)]"
for device in $("$NVFP4_PROF" list devices | awk 'NR > 3 { print $1 }'); do
  try sol --device "$device" --bandwidth 7.68 --json
  code 0
  holds "j['device'] == '$device' and [(r['origin'], round(r['contest_s'] * 1e6, 3)) for r in j['sol']][:1] == [('given', 8.622)]"
  holds "all((r['decode_s'] is not None) == ('$device' in ('b200', 'b300', 'gb200')) and r['source'] for r in j['sol'])"
done
try sol --device a100-80
says "sm_80 has no conversion from e2m1"
try sol --device rtx-5090
says "the rate of the conversion from e2m1 is not known"
for bandwidth in 0 -1 fast 7.7TB nan 7680; do
  try sol --bandwidth "$bandwidth"
  refuses 2 "--bandwidth $bandwidth: must be a number of TB/s, as in --bandwidth 7.7"
done
try sol --shape 64x64x1 --json
holds "j['sol'][0]['minimal_bytes'] == 2048 + 256 + 32 + 4 + 128"
try sol --shape 64x64x1,64x64x1,bench --csv
code 0
[ "$(grep -c '^64×64×1\|^64x64x1' "$out")" = "$("$NVFP4_PROF" sol --csv --shape 64x64x1 | tail -n +2 | wc -l)" ] ||
  bad "a shape that is named twice stands twice"

try doctor --json
code 3
holds "{r['need']: r['state'] for r in j}['driver and GPU'] == 'missing'"
try doctor
code 3
says "libcuda.so.1 was not found" "install NVIDIA's driver" NVRTC nvdisasm gnuplot "recorded run"
[ -s "$err" ] && bad "doctor says something on stderr"

# Colour only on a terminal, and never with NO_COLOR.
coloured() {
  script -qec "$1" /dev/null </dev/null | grep -q $'\033\[[0-9;]*m'
}
what="colour"
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  TERM=xterm coloured "$NVFP4_PROF doctor" || bad "no colour on a terminal"
  NO_COLOR=1 TERM=xterm coloured "$NVFP4_PROF doctor" && bad "colour in spite of NO_COLOR"
  # A dumb terminal gets text alone, progress included.
  TERM=dumb script -qec "$NVFP4_PROF --run $(fixture_run) --no-plots --out dumb" /dev/null </dev/null | grep -q $'\033' && bad "an escape on a dumb terminal"
else
  echo "colour on a terminal: SKIPPED (no script program, or no pseudo-terminals)"
fi
try doctor
grep -q $'\033' "$out" && bad "colour in a file"

quick() { # the least of five runs takes less than 50 ms of a processor, whatever else the machine does
  local best=999999 took TIMEFORMAT='%3U %3S'
  for _ in 1 2 3 4 5; do
    took=$({ time "$NVFP4_PROF" "$@" >/dev/null; } 2>&1 | awk '{ print int(1000 * ($1 + $2)) }')
    [ "$took" -lt "$best" ] && best=$took
  done
  what="nvfp4-prof $*"
  # Sanitizers make everything slower.
  if nm "$NVFP4_PROF" 2>/dev/null | grep -q __asan_init; then best=$((best / 5)); fi
  [ "$best" -lt 50 ] || bad "took $best ms, not under 50"
}
quick --help
quick list
quick sol
finish
