#!/usr/bin/env bash
# A program whose threads load, launch and unload code all the time, as a compiler's autotuner does: attach asks CUPTI for nothing that CUPTI cannot bear
# beside that.  The fake CUPTI aborts the program where it does (fake/fake.h).
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
storm=$NVFP4_FAKES/storm
fake_gpu whole

# Half a second in which no code comes or goes: samples are taken, and the sampling ends before code goes, and the program with it.
try attach --no-sass --window 8 --sampling-interval 22 --out run.json -- "$storm" 1 5 0.5
code 0
grep -q 'PC samples: [1-9]' "$err" || bad "no samples: $(cat "$err")"
# Code comes and goes all the time, for 3 s: it is not waited for without end that it rests, and launches are counted.
try attach --no-sass --window 8 --out run.json -- "$storm" 1 4000
code 0
complains "counters: 2 passes over"
grep -q 'PC samples: [1-9]' "$err" && bad "samples were begun among loads and unloads: $(cat "$err")"

# One thread loads all the time, as Triton does, and keeps what it loads: nothing is launched beside that, and each launch of the first of two runs is sampled.
try attach --no-sass --two-runs --out run.json -- "$storm" 1 600 0 keep
code 0
complains "during 3600 launches"
# Several do: the sampling makes way for each load, and begins again a few times.
try attach --no-sass --two-runs --out run.json -- "$storm" 4 150 0 keep
code 0
grep -q "during 3600 launches" "$err" && bad "samples were taken beside loads: $(cat "$err")"

# Where code is gone another kernel's name may lie at the same address, and is not taken for it.
try attach --no-sass --samples off --kernel '^storm_3$' --out run.json -- "$storm" 1 100
code 0
complains "counters of 1 kernel"

# Many: samples are taken from the eighth launch on, or once the ranking holds; of all kernels, or of those within a range.
for options in "--window 8" "--window 8 --sampling-interval 22" "" "--nvtx storm" "--kernel storm_1. --replay"; do
  # shellcheck disable=SC2086
  try attach --no-sass $options --out run.json -- "$storm" 12 20
  code 0
  complains "process " " launches of "
  # Who lacks a pass lacks what that pass gives: a kernel that several rounds gave everything, though none was whole, is counted.
  holds 'all(any("its counters need" in m.get("reason", "") for m in r["metrics"]) for r in j["results"]
    if "not all passes" in dict(j["variants"][r["variant"]].get("keys", [])).get("counted", ""))' run.json
done
finish
