#!/usr/bin/env bash
# Ranks slowed on purpose: merge names the slow one, what makes it slow and how long the others wait, and tells the planted imbalance of each NVTX range,
# though launches in them were counted.  A launch of b blocks takes 10 + b us.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole
steps=40

# rank I NORM EXTRA WAIT [HOW]: steps of a forward range of 1000 us and a norm of 10 + NORM blocks; of a backward one of 2000 us, the launches EXTRA and the
# all-reduce of 10 + WAIT, in which the rank waits for the others.
rank() {
  local i=$1 norm=$2 extra=$3 wait=$4 how=${5:-exit} step ranges='' at=0 n
  n=$((6 + (${#extra} > 0)))
  for ((step = 0; step < steps; step++, at += n)); do ranges=$ranges,$at+fwd,$((at + 3))-,$((at + 3))+bwd,$((at + n))-; done
  what="rank $i"
  RANK=$i WORLD_SIZE=8 TARGET_RANGES=${ranges#,} \
    TARGET_STEP=qkv:490:2,norm:$norm:1,mlp_b:990:2${extra:+,$extra},ncclDevKernel_AllReduce:$wait:1 \
    "$NVFP4_PROF" attach --samples off --no-sass --overhead 1000 --window 8 --launch-count 20 -o run.json -- "$target" $steps "$how" >"$out" 2>"$err"
  rc=$?
}

# The longest step is rank 5's, 8100 us and 30 of the all-reduce.  Rank 2's norm takes 300 us where the others' takes 100.
for i in 0 1 3 4 6 7; do rank $i 90 '' 5020; done
code 0
complains "counters of 2 kernels cover" "over 40 launches"
rank 2 290 '' 4820
rank 5 90 slow:4990:1 20
try merge 'run.*.json' -o all.json
code 0
says "8 of 8 ranks, 1 host" "Slowest: rank 5, +161 %: 324 ms outside collectives; the others wait 200 ms." \
  "Largest difference: slow: 200 ms on rank 5; 1 of 8 ranks have it." "NVTX range of largest imbalance: bwd" \
  "Collectives:" "rank 5, with 1.20 ms, comes last." "norm"
try merge 'run.*.json' -o all.json --json
# bwd: 7000 us against 2000 of the seven others, fwd: 1300 against 1100; planted is the most over the mean, less 1
holds "all(abs(r['imbalance'] / {'bwd': 7000 / 2625 - 1, 'fwd': 1300 / 1125 - 1}[r['name']] - 1) < 0.05 for r in j['ranges']) and len(j['ranges']) == 2"
holds "{k['name']: k.get('outlier') for k in j['kernels']}['norm'] and [k['farthest'] for k in j['kernels'] if k['name'] == 'norm'] == [2]"
holds "j['own']['farthest'] == 5 and abs(j['own']['most_s'] - j['own']['median_s'] - $steps * 5e-3) < 0.05 * $steps * 5e-3"

# A rank that is killed in the middle: seven files are whole, and the merge says which is missing.
rm run.3.json
rank 3 90 '' 5020 kill
code 137
try merge 'run.*.json' -o seven.json
code 4
says "7 of 8 ranks (missing: 3)" "Slowest: rank 5" "left out: run.3.json: is partial"
rm run.3.json
try merge 'run.*.json' -o seven.json
code 4
says "7 of 8 ranks (missing: 3)" "the others wait 200 ms"
finish
