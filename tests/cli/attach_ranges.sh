#!/usr/bin/env bash
# NVTX ranges under attach: launches and GPU time of each, what --nvtx counts.  The target pushes and pops through NVTX 3's own header, which loads the
# library as it does in any program.  "big" (every fourth launch, from 0 on) takes 101 us, "small" 11 us; a launch that is counted has no time of its own.
# A launch belongs to the innermost range.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

attach() { # attach RANGES OPTIONS... -- CMD...
  local ranges=$1
  shift
  TARGET_RANGES=$ranges try attach --samples off --overhead 1000 --out run.json "$@"
  code 0
}
range() { # range NAME LAUNCHES MS
  complains "NVTX range \"$1\": $2 launches, $3 ms of GPU time"
}
ranges() { # ranges N: so many are listed
  [ "$(grep -c 'NVTX range' "$err")" = "$1" ] || bad "not $1 ranges: $(grep 'NVTX range' "$err")"
}
times() { # times ID: how many launches have theirs
  echo "[len(r['timing']['samples_ns']) for r in j['results'] if j['variants'][r['variant']]['id'] == '$1']"
}
metrics() { # metrics ID: how many counters have a value
  echo "sum(m['value'] is not None for r in j['results'] if j['variants'][r['variant']]['id'] == '$1' for m in r.get('metrics', []))"
}
nothing_counted() {
  holds "$(times big) == [10] and $(times small) == [30] and $(metrics big) == $(metrics small) == 0" run.json
  grep -q 'counting took' "$err" && bad "launches were counted: $(grep 'counting took' "$err")"
}

# layer: launches 4 to 7, 14, 15 (4 is big): 101 + 5 x 11 = 156 us; inner, nested: 8 to 13 (8 and 12 are big): 2 x 101 + 4 x 11 = 246 us; the others stand
# in no range.  By each of NVTX's ways to name a range.
nested=4+layer,8+inner,14-,16-
for how in ascii wide event domain wide-event registered wide-registered; do
  TARGET_PUSH=$how attach $nested --top 0 -- "$target" 40
  complains "40 launches of 2 kernels, 1.340 ms"
  range layer 6 0.156
  range inner 6 0.246
  ranges 2
  nothing_counted
done

# Started and ended, the same ranges.
for how in started started-wide started-event started-domain; do
  TARGET_PUSH=$how attach $nested --top 0 -- "$target" 40
  range layer 6 0.156
  range inner 6 0.246
  ranges 2
done

# Another thread launches, which has no range of its own, as autograd's do: what the process has open counts it; not where a range is its thread's alone.
for how in ascii started; do
  TARGET_WORKER=1 TARGET_PUSH=$how attach $nested --top 0 -- "$target" 40
  range layer 6 0.156
  range inner 6 0.246
  TARGET_WORKER=1 TARGET_PUSH=$how attach $nested --top 0 --nvtx-scope thread -- "$target" 40
  range layer 0 0.000
  range inner 0 0.000
  TARGET_WORKER=1 TARGET_PUSH=$how attach $nested --top 0 --nvtx-scope process -- "$target" 40
  range inner 6 0.246
done
TARGET_WORKER=1 attach $nested --nvtx inner --window 8 -- "$target" 40
complains "launches; counting took"
try attach --nvtx-scope host -- "$target" 4
code 125
complains "--nvtx-scope 'host': must be thread or process"

# The kernels of each range apart: layer 4 (big) and 5, 6, 7, 14, 15; inner 8, 12 (big) and 9, 10, 11, 13; the rest in none: big 0, 16 to 36, small 1, 2, 3 and 18 more.
attach $nested --top 0 --by-range -- "$target" 40
complains "40 launches of 6 kernels, 1.340 ms"
range layer 6 0.156
for row in 'layer/big 1' 'layer/small 5' 'inner/big 2' 'inner/small 4' 'big 7' 'small 21'; do
  holds "$(times "${row% *}") == [${row##* }]" run.json
done
holds "{v['id']: dict(v['keys']).get('range') for v in j['variants'] if v['id'].endswith('big')} == {'layer/big': 'layer', 'inner/big': 'inner', 'big': None}" run.json
# Counted apart too: in inner big 8 and 12, small 9 and 10, a pass each; nothing in layer.
attach $nested --by-range --nvtx inner -- "$target" 40
holds "$(metrics layer/big) == $(metrics big) == 0 < $(metrics inner/big) == $(metrics inner/small)" run.json
try attach --two-runs --by-range -- "$target" 4
code 125
complains "leave out --kernel, --nvtx, --by-range"

# Domains have a range each: launches 8 to 13 stand in inner and in LIB@step, those of layer beside it in LIB@step too where it is open.
attach '4+layer,6+!step,8+inner,10-!,14-,16-' --top 0 -- "$target" 40
range layer 6 0.156
range inner 6 0.246
range LIB@step 4 0.134 # 6, 7, 8 and 9, of which 8 is big
ranges 3
attach '9+!step,11-!' --nvtx step -- "$target" 40
complains "2 launches; counting took"
attach '9+!step,11-!' --nvtx LIB@step -- "$target" 40
complains "2 launches; counting took"

# Graphs of four launches each, big and three small: two graphs in layer, 2 x 134 us.
TARGET_GRAPH=4 attach 4+layer,12- --top 0 -- "$target" 40
range layer 8 0.268
complains "40 of the launches came from CUDA graphs"

# The same name again is the same range: 0, 1 (big and small) and 20, 21: 2 x 112 us; popped more often than pushed is as if it were not.
attach 0+twice,2-,2-,20+twice,22- --top 0 -- "$target" 40
range twice 4 0.224
ranges 1

# No counters: nothing is chosen, nothing sampled.
TARGET_RANGES=$nested try attach --top 0 --out run.json -- "$target" 40
code 0
range layer 6 0.156
nothing_counted
grep -q 'PC samples' "$err" && bad "samples were taken: $(grep 'PC samples' "$err")"

# Two passes: after the window launches 7 (small) and 8 (big) are counted, then 9 and 12; in their ranges they have the mean of their kernel's others.
attach $nested --window 8 -- "$target" 40
complains "4 launches; counting took"
range layer 6 0.156
range inner 6 0.246
holds "$(times big) == [8] and $(times small) == [28]" run.json

# Only launches within the range are counted: 9 and 10, both small, a pass each.  Those of outer (8 big, 11 small) keep their times: 112 us.
within=8+outer,9+inner,11-,12-
attach $within --nvtx inner -- "$target" 40
complains "2 launches; counting took"
range inner 2 0.022
range outer 2 0.112
holds "$(times big) == [10] and $(times small) == [28] and $(metrics big) == 0 < $(metrics small)" run.json
# What is nested stands within too: 8, 9 and 10 are counted; 11 is small, which has both its passes.
attach $within --nvtx outer -- "$target" 40
complains "3 launches; counting took"
range inner 2 0.022
range outer 2 0.112
attach $within --nvtx absent -- "$target" 40
range outer 2 0.112
nothing_counted

# NVTX before CUDA: launches 0 and 1, 112 us.
for options in "--top 0" "--window 20"; do
  # shellcheck disable=SC2086
  attach -1+setup,2- $options -- "$target" 40
  range setup 2 0.112
done
attach -1+empty,-1- --top 0 -- "$target" 40 # no launch in it
range empty 0 0.000

# NVTX after the counters have what they want and launches are watched no more, and again after a while: late 20 to 23 (20 is big), later 30 and 31.
attach 16~,20+late,24-,24~,30+later,32- --window 8 -- "$target" 40
complains "4 launches; counting took"
range late 4 0.134
range later 2 0.022
# The same without counters: two thirds of a second in which the library might stop to watch.
attach 2+first,4-,16~,20+late,24- --top 0 -- "$target" 40
range first 2 0.022
range late 4 0.134

# Two runs: ranges, as all times, are of the first, where nothing is counted.
TARGET_RANGES=$nested try attach --two-runs --samples off --out run.json -- "$target" 40
code 0
complains "4 launches; counting took"
range layer 6 0.156
range inner 6 0.246
ranges 2

# Another owner of CUPTI's callbacks: ranges have a name, and it is said why they have no launches.
NVFP4_FAKE=cuptiSubscribe=39 attach $nested --top 0 -- "$target" 40
complains "another profiler in the program holds CUPTI's callbacks" "40 launches of 2 kernels"
range layer 0 0.000

# Children that were forked while a thread of their parent's had a range pushed.
attach "" --top 0 -- "$target" 4 forks
says_not "a child hung"
range parent 0 0.000
range busy 0 0.000
ranges 2

# A program without ranges is not watched, and has none.
attach "" --top 0 -- "$target" 40
ranges 0
finish
