#!/usr/bin/env bash
# Counters under attach: which launches are counted, in which pass, what is left where there are too few, two runs, replay.
# The fake CUPTI has two passes: the clock's counters (sm_cycles_elapsed) are of the first, all others (inst_executed, dram_read_bytes) of the second.
# Each counts blocks, DRAM 1000 bytes a block (fake/cupti.c); "big" has 91, "small" 1.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
target=$NVFP4_FAKES/target
fake_gpu whole

metric() { # metric ID NAME: its value
  echo "[m['value'] for r in j['results'] if j['variants'][r['variant']]['id'] == '$1' for m in r.get('metrics', []) if m['name'] == '$2']"
}
reason() {
  echo "[m.get('reason') for r in j['results'] if j['variants'][r['variant']]['id'] == '$1' for m in r.get('metrics', []) if m['name'] == '$2']"
}
key() { # key ID KEY: of the variant
  echo "[v['keys'].get('$2') if isinstance(v['keys'], dict) else dict(map(tuple, v['keys'])).get('$2') for v in j['variants'] if v['id'] == '$1']"
}
times() { # times ID: how many launches have theirs
  echo "[len(r['timing']['samples_ns']) for r in j['results'] if j['variants'][r['variant']]['id'] == '$1']"
}
counted() { # counted ID BLOCKS LAUNCHES FILE: it has all its counters
  holds "$(metric "$1" inst_executed) == [$2] and $(metric "$1" dram_read_bytes) == [$2 * 1000] and $(metric "$1" sm_cycles_elapsed) == [$2]" "$4"
  holds "$(key "$1" counted) == ['$3 launches, one pass each']" "$4"
}
attach() {
  try attach --samples off --overhead 1000 "$@" # however slow the machine is
}

# Both kernels in each of two passes; what is counted has no time, everything else has.
attach --window 8 --out run.json -- "$target" 40
code 0
complains "40 launches of 2 kernels" "counters of 2 kernels cover 100.0 %" "counters: 2 passes over 4 launches"
counted big 91 2 run.json
counted small 1 2 run.json
holds "$(times big) == [8] and $(times small) == [28]" run.json

# By name: as it is written, or as the compiler mangles it.
for pattern in 'add\(float' '^_Z3addPf$'; do
  TARGET_BIG=_Z3addPf attach --kernel "$pattern" --out named.json -- "$target" 40
  code 0
  counted add 91 2 named.json
  holds "$(metric small inst_executed) == []" named.json
done
attach --kernel . --launch-skip 3 --out skip.json -- "$target" 40
holds "$(times big) == [8] and $(key big counted) == ['2 launches, one pass each']" skip.json
attach --kernel '^big$' --launch-skip 9 --out skip.json -- "$target" 40 # ten launches of it: the tenth alone
holds "$(key big counted) == ['1 launches, one pass each, not all passes']" skip.json

# Several launches a pass: six launches are three rounds of two passes, and the mean of equal launches is each.
attach --window 8 --launch-count 6 --out six.json -- "$target" 40
counted big 91 6 six.json
counted small 1 6 six.json

attach --window 8 --launch-count 3 --out three.json -- "$target" 40 # a round and a half
counted big 91 3 three.json
attach --kernel big -c 1 --out one.json -- "$target" 40 # as many as there are passes
counted big 91 2 one.json

# Fewer launches than passes: what the passes gave is there, and the rest says why it is not and what helps.
attach --kernel '^big$' --out few.json -- "$target" 4
code 0
holds "$(metric big sm_cycles_elapsed) == [91] and $(metric big inst_executed) == [None]" few.json
holds "'need 2 passes, one per launch, and 1 launches were counted; --replay' in $(reason big inst_executed)[0]" few.json
# Killed in the second pass, where big has not been yet: the first is known.
attach --kernel . --out killed.json -- "$target" 4 kill
code 137
holds "j['partial'] and $(metric big sm_cycles_elapsed) == [91] and $(metric big inst_executed) == [None]" killed.json
# A replayed launch has every pass, and says what it is; it has no time of its own.
attach --kernel '^big$' --replay --out replay.json -- "$target" 4
code 0
complains "counters replayed with warm caches" ": big"
holds "$(metric big inst_executed) == [91] and $(metric big sm_cycles_elapsed) == [91]" replay.json
holds "$(key big counted) == ['1 launches, replayed, warm'] and $(times small) == [3]" replay.json

attach --kernel '^big$' --replay --launch-count 2 --out replay.json -- "$target" 12
holds "$(key big counted) == ['2 launches, replayed, warm'] and $(times big) == [1] and $(times small) == [9]" replay.json

# A kernel that is launched no more (at 0, 4, 8 and never again) keeps no other from its passes.
TARGET_BIG_UNTIL=9 attach --window 8 --out gone.json -- "$target" 60
code 0
counted small 1 2 gone.json
holds "$(metric big inst_executed) == [None] and $(metric big sm_cycles_elapsed) == [91]" gone.json

# Once it is given up it is not waited for again: small is in the passes of 7 and 9, and, after twice the four launches between two of big and 16 more, in
# those of 34, 35, 36 and 37.
TARGET_BIG_UNTIL=9 attach --window 8 --launch-count 6 --out waits.json -- "$target" 38 kill
code 137
counted small 1 6 waits.json

# Two runs: all times are the first's, and a kernel of one launch is replayed.
attach --two-runs --out two.json -- "$target" 8 exit 3
code 3
[ "$(grep -c "the target's stdout" "$out")" = 2 ] || bad "the program did not run twice"
complains "8 launches of 2 kernels" "ranked and timed in a first run, counted in a second"
holds "$(times big) == [2] and $(times small) == [6]" two.json
counted big 91 2 two.json
attach --two-runs --out two.json -- "$target" 4
holds "$(key big counted) == ['1 launches, replayed, warm'] and $(metric big inst_executed) == [91]" two.json
counted small 1 2 two.json
attach --two-runs --out died.json -- "$target" 8 kill
code 137
[ "$(grep -c "the target's stdout" "$out")" = 1 ] || bad "the program ran again though it was killed"
complains "the first run was ended by signal 9, so there was no second"
holds "$(times small) == [6]" died.json
attach --two-runs --kernel big -- "$target" 8
code 125
complains "--two-runs chooses the kernels itself"
# What names nothing says so, and what was too short says what counts it.
try attach -k nosuch --out run.json -- "$target" 40
code 0
complains "--kernel nosuch matched none of 2 kernels (" ": nothing was counted"
TARGET_RANGES=0+layer,8- try attach --nvtx layr --out run.json -- "$target" 40
code 0
complains "--nvtx layr: the program opened no such range; there are: " layer
try attach -k big --out run.json -- "$target" 40
code 0
complains "big is not counted whole: 10 launches of it went to PC samples and 0 to counters" "--replay repeats one launch for every pass"
try attach -s 100000 --out run.json -- "$target" 4000
code 0
complains "--launch-skip 100000 leaves no launch to count: small has 3000"
try attach --window 100000 --out run.json -- "$target" 4000
code 0
complains "before its kernels were ranked (after 100000 launches), so none was counted: a smaller --window counts sooner"
# An earlier run of attach's is replaced, another's file is not.
echo mine >notes.txt
try attach --out notes.txt -- "$target" 4
code 125
complains "notes.txt is there and is not a run file: name another with --out, or overwrite it with --force"
[ "$(cat notes.txt)" = mine ] || bad "notes.txt was overwritten"
try attach -f --out notes.txt -- "$target" 4
code 0
try attach --out notes.txt -- "$target" 4
code 0
complains "next: nvfp4-prof report notes.txt"
# What would be without effect is refused, too.
for option in "--kernel big" "--nvtx fwd" --replay --split-passes; do
  # shellcheck disable=SC2086 # words
  try attach $option --top 0 -- "$target" 4
  code 125
  complains "--top 0 counts nothing, and ${option%% *} is about what is counted: leave one out"
done

# The context goes, and another comes, in the middle of a pass: its kernels are counted there, and what was counted before is kept.
attach --kernel . --launch-count 8 --out again.json -- "$target" 40 again
code 0
counted big 91 8 again.json
counted small 1 8 again.json
attach --kernel . --launch-count 100 --out all.json -- "$target" 40 again
holds "$(metric big inst_executed) == [91] and $(metric small dram_read_bytes) == [1000]" all.json

# Counters that cannot be had cost the counters alone.
NVFP4_FAKE=cuptiRangeProfilerStart=999 attach --window 8 --out none.json -- "$target" 40
code 0
complains "no counters from here on: cuptiRangeProfilerStart" "40 launches of 2 kernels, 1.340 ms"
holds "$(times big) == [10]" none.json

# A difference of counters that different launches gave is never below zero, and loses nothing.
NVFP4_FAKE=hfma2=9 attach --window 8 --out less.json -- "$target" 40
code 0
holds "$(metric big pipe_tensor_hmma) == [0] and $(metric big inst_executed) == [91]" less.json

# What is said, for programs: the last line on stderr.
attach --window 8 --json --out run.json -- "$target" 40 exit 3
code 3
tail -n 1 "$err" >said
holds 'j["exit_code"] == 3 and j["runs"][0]["file"] == "run.json" and j["runs"][0]["launches"] == 40' said
holds 'j["runs"][0]["kernels"] == 2 and j["runs"][0]["counted_kernels"] == 2 and j["runs"][0]["complete"]' said
holds 'j["runs"][0]["gpu_time_ns"] == 10 * 101000 + 30 * 11000 == j["runs"][0]["counted_gpu_time_ns"]' said # counted launches at the others' mean
holds 'any("over 4 launches" in n for n in j["notes"])' said
grep -q '^nvfp4-prof' "$err" && bad "sentences are printed beside the JSON"
# On a chip that is known by its architecture the counters' plan is made beside the program, which waits half a second before its first launch; without,
# where it launches at once; the counters are the same.  Who ends meanwhile waits for it.
for wait in 0~ 9999~; do
  NVFP4_FAKE=gh100=1 TARGET_RANGES=$wait try attach --samples off --no-sass --window 8 --out "plan$wait.json" -- "$target" 40
  code 0
done
holds "j['results'][0]['metrics'] and [r['metrics'] for r in j['results']] == [r['metrics'] for r in json.load(open('plan9999~.json'))['results']]" "plan0~.json"
NVFP4_FAKE=gh100=1 TARGET_RANGES=0~ try attach --samples off --no-sass --out run.json -- "$target" 1
code 0

finish
