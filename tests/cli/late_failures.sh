#!/usr/bin/env bash
# Kernels that pass the check and fail later, in the phases that queue many variants ahead: the culprit is named, not its neighbour.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
profile() { try --phases check,time,counters,stalls --kernels rungs --shape 128x256x1 --no-sass --no-plots --rounds 20 --hang-limit 0.5 --out run; }
named() { # named VARIANT TEXT: it failed so, and the others did not
  holds "[(j['variants'][r['variant']]['id'], '$2' in r['check'].get('reason', '') or r['check'].get('reason')) for r in j['results'] if r['check']['verdict'] != 'pass'] \
    == [('my-$1', True)]" run/run.json
  holds "[r['timing']['samples_ns'] for r in j['results'] if r['check']['verdict'] == 'pass'] == [[11000] * 20] * 2" run/run.json
}
rung a-good gemv
rung z-good gemv

for kind in crash hang fault; do
  case $kind in
    crash) says="signal 6" ;;
    hang) says="hung in phase time" ;;
    fault) says="CUDA_ERROR_ILLEGAL_ADDRESS" ;;
  esac
  # One launch in the check, 3 + 20 for the times, 2 for the counters.
  rung m-time gemv_${kind}_10
  profile
  code 4
  named m-time "$says"
  rm rungs/m-time.cu
done
# In the counters: whatever it does, the others keep theirs, and a note names it.
for kind in crash hang fault; do
  case $kind in
    crash) says="signal 6" ;;
    hang) says="hung in phase counters" ;;
    fault) says="CUDA_ERROR_ILLEGAL_ADDRESS" ;;
  esac
  rung m-counters gemv_${kind}_26
  profile
  code 4
  named m-counters "$says"
  holds "[n for n in j['notes'] if n.startswith('no counters of my-m-counters 128x256x1: ') and '$says' in n] == j['notes']" run/run.json
  holds "[{m['name']: m['value'] for m in r['metrics']}['dram_read_bytes'] for r in j['results'] if r['check']['verdict'] == 'pass'] == [1000] * 2" run/run.json
done
finish
