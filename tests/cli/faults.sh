#!/usr/bin/env bash
# Faults in the middle of a run: a GPU that is lost, a process that is killed; faults_disk.sh has those of disks.
# docs/faults.md has the table of all.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run=$(fixture_run)
fake_gpu whole
rung a-good gemv
rung z-good gemv
arguments=(--kernels rungs --shape 128x256x1 --no-sass --no-plots --rounds 20)

# The GPU is lost, at the first call and at later ones, and stays lost: what was measured is kept, and the run is partial.
for at in 30 60 120 200; do
  rm -rf gone lost
  NVFP4_FAKE_LOST=$work/gone NVFP4_FAKE=lost=999@$at try "${arguments[@]}" --out lost
  code 3
  complains "the GPU was lost: cuInit: FAKE_ERROR_999" lost/run.json "marked partial" nvidia-smi
  holds "j['partial'] and 'cuInit' in j['partial_reason']" lost/run.json
  says "the run is partial"
  whole lost
  no_temporary lost
done
# 200 calls are after the timing: the times are there.
holds "[set(r['timing']['samples_ns']) for r in j['results']] == [{11000}] * 2" lost/run.json
rm -rf gone lost
NVFP4_FAKE=lost=999 try "${arguments[@]}" --gpu 0 --out lost
refuses 3 "cuInit: FAKE_ERROR_999"

# kill -9 at any moment, of the profiler with all its files and of a report: a file is there whole or as it was before, or not at all; and
# what is left in the compile cache does no harm.
duration_ms() {
  local start
  start=$(date +%s%N)
  "$@" >/dev/null 2>&1 </dev/null
  echo $((($(date +%s%N) - start) / 1000000 + 1))
}
killed() { # killed TIMES FOLDER COMMAND...
  local times=$1 folder=$2 longest at i
  shift 2
  longest=$(duration_ms "$@")
  for ((i = 0; i < times; i++)); do
    at=$((RANDOM % longest + 1))
    what="kill -9 after $at ms, ${i}th, of $*"
    "$@" >/dev/null 2>&1 </dev/null &
    sleep "$((at / 1000)).$(printf '%03d' $((at % 1000)))"
    { kill -9 $! && wait $!; } 2>/dev/null
    whole "$folder"
  done
}
# A run that comes to its end leaves no temporary of those that were killed.
killed 16 killed env NVFP4_CACHE="$work/cache" "$NVFP4_PROF" "${arguments[@]}" --out killed
killed 10 killed-report "$NVFP4_PROF" report "$run" --no-plots --out killed-report
NVFP4_CACHE=$work/cache try "${arguments[@]}" --out killed
code 0
no_temporary killed
"$NVFP4_PROF" report "$run" --no-plots --out killed-report >/dev/null 2>&1
no_temporary killed-report
holds "[r['check']['verdict'] for r in j['results']] == ['pass'] * 2" killed/run.json

# What a killed process left goes with the next run.
mkdir left && touch left/run.json.gz.tmp.0 left/index.html.tmp.0
try "${arguments[@]}" --out left
code 0
whole left
no_temporary left

# What an attach that was killed has left goes with the next one, once its program has ended; what is another's stays.
mkdir tmp elsewhere
ln -s ../elsewhere tmp/nvfp4-attach-linked
touch elsewhere/theirs tmp/nvfp4-attach-file
what="attach, after one that was killed"
# shellcheck disable=SC2016
TMPDIR=$work/tmp "$NVFP4_PROF" attach --out left.json -- sh -c 'echo $$ >starting && mv starting started && exec sleep 100' >/dev/null 2>&1 </dev/null &
until [ -e started ]; do sleep 0.05; done
{ kill -9 $! && wait $!; } 2>/dev/null
for held in 1 0; do
  TMPDIR=$work/tmp try attach --out next.json --no-sass -- "$NVFP4_FAKES/target" 4
  code 0
  [ "$(find tmp -name libnvfp4-prof-inject.so | wc -l)" = "$held" ] || bad "$(find tmp | tr '\n' ' '): not $held libraries"
  kill "$(cat started)" 2>/dev/null
  while kill -0 "$(cat started)" 2>/dev/null; do sleep 0.05; done
done
[ "$(find tmp elsewhere | sort | tr '\n' ' ')" = "elsewhere elsewhere/theirs tmp tmp/nvfp4-attach-file tmp/nvfp4-attach-linked " ] || bad "left: $(find tmp elsewhere)"
finish
