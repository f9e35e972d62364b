#!/usr/bin/env bash
# Launches of one kernel under attach: those whose grids differ little are one row, with counters; those that differ much are told apart.
# A launch of b blocks takes 10 + b us; the fake CUPTI has two passes and counts blocks (fake/cupti.c).
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

launches() { # launches NAME BLOCKS...: one launch of each, as TARGET_STEP has it
  local name=$1 blocks step=
  shift
  for blocks; do step=$step,$name:$blocks:1; done
  echo "${step#,}"
}
rows() { # rows: [blocks of the first launch, launches, grids, counted] of each
  echo "sorted([r['launches'][0]['grid'][0], int(k['launches']), k.get('grids'), k.get('counted')] for r in j['results'] for k in [dict(j['variants'][r['variant']]['keys'])])"
}
attach() {
  try attach --samples off --no-sass --overhead 1000 --out run.json "$@" -- "$target" 1
  code 0
}

# A ragged batch: no grid comes twice, and the kernel is one row that has its counters.  Another size of it is another row.
ragged=$(launches attention 1000 1013 962 1040 951 1007 988 1031 940 1022 975 1060 3000 3100)
TARGET_STEP=$ragged attach --window 4
holds "$(rows) == [[1000, 12, '940 to 1060 blocks', '2 launches, one pass each'], [3000, 2, '3000 to 3100 blocks', None]]" run.json
holds "[len(r['timing']['samples_ns']) for r in j['results']] == [10, 2]" run.json
# Each launch is of the first row that it fits, whatever came between: 1110 of 1000's, though 1115 is nearer.
TARGET_STEP=$(launches sgemm 1000 1099 1115 1110 1000 1115) attach --top 0
holds "$(rows) == [[1000, 4, '1000 to 1110 blocks', None], [1115, 2, None, None]]" run.json
# A small grid differs much by one block.
TARGET_STEP=$(launches small 8 9 8 9) attach --top 0
holds "$(rows) == [[8, 2, None, None], [9, 2, None, None]]" run.json
# The second of two runs counts what the first chose, by the same rows.
TARGET_STEP=$ragged attach --two-runs
holds "[r[:3] for r in $(rows)] == [[1000, 12, '940 to 1060 blocks'], [3000, 2, '3000 to 3100 blocks']]" run.json
finish
