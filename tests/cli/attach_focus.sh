#!/usr/bin/env bash
# Which kernels attach counts by itself: what takes the time, as it moves, until --coverage of the GPU time has counters.
# A launch of b blocks takes 10 + b us; the fake CUPTI has two passes (fake/fake.h).
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

steps() { # steps STEPS STEP OPTIONS...: the program's steps, profiled
  local steps=$1 step=$2
  shift 2
  TARGET_STEP=$step try attach --samples off --overhead 1000 --json --out run.json "$@" -- "$target" "$steps"
  code 0
  tail -n 1 "$err" >said
}
counted() { # counted NAMES: of these kernels there are counters
  holds "sorted(v['id'] for v in j['variants'] if dict(v['keys']).get('counted')) == sorted('$1'.split())" run.json
}
covers() { # covers RATIO
  holds "j['runs'][0]['counted_gpu_time_ns'] >= $1 * j['runs'][0]['gpu_time_ns']" said
}

# A training as GPT-2's: forward, backward, optimizer; 45 steps of 61 launches, three matrix products with most of the time (2210 + 2810 + 3310 us of
# 13 ms).  The first launches do not decide: the products have counters, and all have 90 %.
forward=norm:10:6,qkv:50:6,attention:40:6,mlp:150:6
backward=norm_b:20:6,qkv_b:100:6,attention_b:90:6,mlp_b:300:6
training=$forward,head:2200:1,softmax:700:1,head_dx:2800:1,head_dw:3300:1,$backward,adam:140:6,zero:50:3
steps 45 $training
covers 0.9
holds "{'head', 'head_dx', 'head_dw'} <= {v['id'] for v in j['variants'] if dict(v['keys']).get('counted')}" run.json
holds "all(dict(v['keys'])['counted'] == '2 launches, one pass each' for v in j['variants'] if dict(v['keys']).get('counted'))" run.json
holds "not any('--two-runs' in n for n in j['notes'])" said
# Less is to be covered: the three products and one more have 70 %.
steps 45 $training --coverage 60
covers 0.6
holds "len([v for v in j['variants'] if dict(v['keys']).get('counted')]) < 8" run.json
steps 45 $training --top 2
counted 'head_dx head_dw'

# Six sizes of one kernel, one after the other, as SGEMM_CUDA has them: the last, which has most of the time, is counted though it comes last.
sizes=
for blocks in 1 5 30 150 1190 8990; do sizes=$sizes,cublas:$blocks:1,sgemm:$blocks:51; done
steps 1 "${sizes#,}"
covers 0.8
holds "[dict(v['keys'])['counted'] for v, r in zip(j['variants'], j['results']) if r['launches'][0]['grid'][0] == 8990 and v['id'].startswith('sgemm')] == ['2 launches, one pass each']" run.json
# Sampled first, as by default, of 13 passes as on a GPU, and as often as an H100 samples (132 SMs at 1.98 GHz every 2^14 cycles; the fake has 4 at 1 GHz).
as_an_h100() { # as_an_h100 STEPS STEP
  NVFP4_FAKE=passes=13 TARGET_STEP=$2 try attach --sampling-interval 8 --overhead 1000 --out run.json -- "$target" "$1"
}
# SGEMM_CUDA's launches take 3.8 to 9 ms: of 51, which nobody waits for, there are 13 left once the ranking holds and there are samples.
for largest in 3700 5300 8200; do
  sizes=
  for blocks in 1 5 30 150 $((largest / 8)) $largest; do sizes=$sizes,cublas:$blocks:1,sgemm:$blocks:51; done
  as_an_h100 1 "${sizes#,}"
  complains "PC samples: " "counters of 2 kernels cover 9" "13 passes over 27 launches" # one of a size that was gone soon
done
# Samples of what comes seldom and has 8 % of the time are not waited for.
as_an_h100 25 fill:20:2,sgemm:55:10
complains "13 passes over" "counters of 2 kernels cover 100.0 %"
# Benchmarks whose launches are all queued before the first has run: 100 of a long kernel, of each of eight, of two; 300 of a short one, 8 ms in all.
as_an_h100 1 long:38000:100
complains "counters of 1 kernel cover 100.0 %"
as_an_h100 1 one:1680:100
complains "counters of 1 kernel cover 100.0 %"
as_an_h100 1 a:130:100,b:130:100,c:130:100,d:130:100,e:130:100,f:130:100,g:130:100,h:130:100
complains "counters of 8 kernels cover 100.0 %"
as_an_h100 1 relu:59:100,relu2:59:100,prelu:59:100,gelu:59:100
complains "counters of 4 kernels cover 100.0 %" # the first has 5.9 ms, and 64 launches in a row
as_an_h100 1 forth:170:100,back:170:100
complains "counters of 2 kernels cover 100.0 %"
as_an_h100 1 stencil:17:300
complains "counters of 1 kernel cover 100.0 %"

# The first size is counted, then the program waits for a second, and queues the next one whole: that launches are seen is not over by then.
TARGET_RANGES='60~,60~' as_an_h100 1 first:2000:60,second:30000:52
complains "counters of 2 kernels cover 100.0 %"
# A round of what fills the operands is going on as the largest size comes: that is not to wait until it is over.
sizes=
for blocks in 1 5 13 115 960 7800; do sizes=$sizes,fill:15:2,sgemm:$blocks:1,check:1:1,sgemm:$blocks:50; done
as_an_h100 1 "${sizes#,}"
complains "counters of 2 kernels cover 98"

# Few launches of long kernels, queued at once.
as_an_h100 1 rotate:7000:20
complains "counters of 1 kernel cover 100.0 %"
as_an_h100 1 one:7000:2,two:7000:20
complains "13 passes over 3 launches" "--two-runs runs the program twice"

# Two runs: kernels that come one after the other, as benchmarks'; in turns; so seldom that after sampling fewer launches are left than there are passes; and of
# ever smaller grids, as a factorization's.
twice() { # twice STEPS STEP
  NVFP4_FAKE=passes=13 TARGET_STEP=$2 try attach --two-runs --sampling-interval 8 --out run.json -- "$target" "$1"
}
twice 1 relu:59:100,relu2:59:100,prelu:59:100,gelu:59:100
complains "counters of 4 kernels cover 100.0 %" "13 passes over 52 launches"
twice 8 a:25:30,b:25:30,c:25:30,d:25:30,e:25:30,f:25:30,g:25:30,h:25:30
complains "counters of 8 kernels cover 100.0 %"
checked='' timed='' # each size of each kernel once, to be checked, and then each many times, one after the other
for kernel in f:500 g:250 h:750; do
  for part in 1 2 4 8 16; do
    checked=$checked,${kernel%:*}:$((${kernel#*:} / part)):1 timed=$timed,${kernel%:*}:$((${kernel#*:} / part)):50
  done
done
twice 1 "${checked#,}$timed"
complains "counters of 11 kernels cover 94.7 %" # the others were not chosen
for times in 1 2 14 20; do
  twice 1 batch:750:$times
  complains "counters of 1 kernel cover 100.0 %"
done
grids=
for blocks in 900 800 700 600 500 400 300; do grids=$grids,$(printf 'diagonal:1:1,inner:%s:1,' $blocks $blocks $blocks); done
twice 1 "${grids#,}last:1:1"
complains "cover 9" "PC samples: "

# The second run has five launches of thirty: what helps is said, and does.
# shellcheck disable=SC2016 # bash -c expands it
fewer='if [ -e ran ]; then TARGET_STEP=batch:750:5; else touch ran; TARGET_STEP=batch:750:30; fi; export TARGET_STEP; exec "$0" 1'
NVFP4_FAKE=passes=13 try attach --two-runs --out run.json -- bash -c "$fewer" "$target"
complains "counters of 0 kernels cover" " 0 % of the GPU time of the kernels that the first run chose has counters" "with --replay one launch of each is enough"
rm ran
NVFP4_FAKE=passes=13 try attach --two-runs --replay --out run.json -- bash -c "$fewer" "$target"
complains "counters of 1 kernel cover"

# Collectives are not counted, and said to be apart: 100 of 30 us among 100 of 110.
TARGET_STEP=train:100:1,ncclDevKernel_AllReduce:20:1 try attach --samples off --overhead 1000 --window 8 --out run.json -- "$target" 100
complains "counters of 1 kernel cover 78.6 % of it, 100.0 % of the time outside collectives"
grep -q -- --two-runs "$err" && bad "a collective is asked to be counted"

# The time moves after counting has ended.
steps 1 train:500:2000,evaluate:800:3000
counted 'train evaluate'

# Programs that end before they were counted are told so, and what helps.
steps 1 only:1000:1
counted ''
holds "any('ended after 1 launch, before its kernels were ranked' in n and '--two-runs' in n for n in j['notes'])" said
steps 1 a:1000:9,b:10:1 --window 9 # one launch is counted, of two passes
holds "any('ended before its hot kernels were counted: counters cover 0 %' in n and '--two-runs' in n for n in j['notes'])" said
TARGET_STEP=only:1000:1 try attach --two-runs --json --out run.json -- "$target" 1
counted only
TARGET_STEP=only:1000:1 try attach --replay --kernel only --out run.json -- "$target" 1
complains "counters of 1 kernel" "so it has no time: --two-runs times the program in a run of its own"
NVFP4_FAKE=cuptiRangeProfilerStart=999 steps 45 $training
holds "not any('--two-runs' in n for n in j['notes'])" said # CUPTI refuses, which is said: two runs would not help

# 40 launches, 1340 us, with 39 gaps of 10 us, then of 60 us, between them: 390 of 1730 us, 2280 of 3620 us without that before the second function's first launch.
NVFP4_FAKE=gap=10000 try attach --top 0 --out run.json -- "$target" 40
complains "the GPU is idle 23 % of the time from its first kernel to its last: 23 % in 39 gaps of at most 50 µs, so it is launch-bound"
NVFP4_FAKE=gap=60000 try attach --top 0 --out run.json -- "$target" 40
complains "the GPU is idle 63 % of the time from its first kernel to its last: 0 % in 0 gaps of at most 50 µs, 63 % in 38 longer ones; without 1 pause of more than 10 ms or before a kernel's first launch"
# 20 ms are no wait for a launch: 39 pauses, 0.78 s.
NVFP4_FAKE=gap=20000000 try attach --top 0 --out run.json -- "$target" 40
grep -q "GPU is idle" "$err" && bad "the GPU is idle in pauses"
try attach --top 0 --out run.json -- "$target" 40
grep -q "GPU is idle" "$err" && bad "the GPU is idle without gaps"
# Launches 7, 8, 9 and 12 are counted, and a session is open from 7 to 12: the other 36 have 35 gaps between them, of which 6 to 10, 10 to 11 and 11 to 13 are the profiler's.
NVFP4_FAKE=gap=60000 try attach --samples off --overhead 1000 --window 8 --out run.json -- "$target" 40
complains "0 gaps of at most 50 µs, " " in 31 longer ones"

# ncu's letters.
TARGET_STEP=a:10:20,b:10:20 try attach --samples off --out run.json -k regex:^a -s 2 -c 4 -- "$target" 1
code 0
holds "{v['id']: dict(v['keys']).get('counted') for v in j['variants']} == {'a': '4 launches, one pass each', 'b': None}" run.json
try attach -x -- "$target" 1
code 125
complains "unknown option '-x'"

try attach --coverage 0 -- "$target" 1
code 125
complains "--coverage 0: must be a number from 1 to 100"
try attach --overhead -1 -- "$target" 1
code 125
complains "--overhead -1"
finish
