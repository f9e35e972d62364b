#!/usr/bin/env bash
# PC samples, exact counts and the time of an empty kernel: as the fake CUPTI supplies them (tests/fake/fake.h), and what their absence costs.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
nvdisasm_here "samples and counts by instruction" || exit 77
fake_gpu whole
rung a-good gemv
rung z-good gemv
profile() { try --kernels rungs --shape 128x256x1 --no-plots --rounds 20 --hang-limit 0.5 --out run "$@"; }
of() { # of VARIANT EXPRESSION: over r, its result
  holds "(lambda r: $2)([r for r in j['results'] if j['variants'][r['variant']]['id'] == 'my-$1'][0])" run/run.json
}
# Offsets and reasons in order; a rung is one launch of one block here.  4000 user samples a launch, so 20000 take five: 5 * 3000, 5 * 2500,
# 5 * 1000, 5 * 500 of a kernel that only has the name, 5 * 50 dropped.
sampled() {
  of "$1" "r['samples'] == [[r['module'], 0, 16, 'long_scoreboard', 15000, 12500], [r['module'], 0, 32, 'selected', 5000, 0]]"
  of "$1" "r['sampling'] == {'user': 20000, 'other': 2500, 'dropped': 250, 'period_cycles': 256, 'launches': 5, **{k: v for k, v in r['sampling'].items() if k == 'reason' and v is None}}"
}
counted() { of "$1" "r['counts'] == [[r['module'], 0, 0, 4, 128, -1, -1, -1, -1], [r['module'], 0, 16, 4, 128, 16, 8, -1, -1]]"; }
fixed() { of "$1" "[(m['value'], m['unit']) for m in r['metrics'] if m['name'] == 'fixed_ns'] == [(2000, 'ns')]"; }

profile
code 0
holds "not j.get('notes')" run/run.json
for variant in a-good z-good; do
  sampled $variant
  counted $variant
  fixed $variant
done
of a-good "'32 registers per thread (the kernel has 32); mean of 30' in [m['source'] for m in r['metrics'] if m['name'] == 'fixed_ns'][0]"
of a-good "len({m['name'] for m in r['metrics']}) == len(r['metrics'])"

# Another number of samples: 4001 take two launches of 4000.
profile --samples 4001
of a-good "(r['sampling']['user'], r['sampling']['launches']) == (8000, 2)"

# A rung of two kernels: both are sampled, counted, and stand empty in fixed_ns; each is found by its name.
rung two gemv "step: kernel = second; grid = 3; block = 32"
sed -i 's|^extern|extern "C" __global__ void second(void *a, void *b, void *sfa, void *sfb, void *c, int M, int K, int L) {}\n&|' rungs/two.cu
profile --samples 4001
code 0
of two "sorted({(j['modules'][s[0]]['kernels'][s[1]]['name'], s[2], s[4]) for s in r['samples']}) == [('gemv', 16, 3000), ('gemv', 32, 1000), ('second', 16, 3000), ('second', 32, 1000)]"
of two "sorted((j['modules'][c[0]]['kernels'][c[1]]['name'], c[2], c[3]) for c in r['counts']) == [('gemv', 0, 4), ('gemv', 16, 4), ('second', 0, 12), ('second', 16, 12)]"
of two "[m['value'] for m in r['metrics'] if m['name'] == 'fixed_ns'] == [4000]"
of two "'2 empty kernels, one per launch' in [m['source'] for m in r['metrics'] if m['name'] == 'fixed_ns'][0]"
rm rungs/two.cu

# A launch before the steps is nobody's sample: the reset runs a kernel of the same module.
rung reset gemv "reset: kernel = clear; grid = 1; block = 32; args = c"
sed -i 's|^extern|extern "C" __global__ void clear(void *c) {}\n&|' rungs/reset.cu
profile
code 0
of reset "{j['modules'][s[0]]['kernels'][s[1]]['name'] for s in r['samples']} == {'gemv'} and r['sampling']['user'] == 20000"
of reset "{j['modules'][c[0]]['kernels'][c[1]]['name'] for c in r['counts']} == {'gemv'}"
rm rungs/reset.cu

# Refused or unsupported: the phase is lost, the others are not, a note gives the remedy and each result the reason.
without() { # without PHASE TEXT...
  local phase=$1 text
  shift
  code 0
  for text; do
    holds "any('$text' in note for note in j['notes'])" run/run.json
    says "$text"
  done
  holds "all(r['timing']['samples_ns'] for r in j['results'])" run/run.json
  if [ "$phase" = stalls ]; then
    of a-good "not r.get('samples') and '$1' in r['sampling']['reason']"
    counted a-good
  else
    of a-good "not r.get('counts') and '$1' in r['counts_reason']"
    sampled a-good
  fi
}
for call in cuptiPCSamplingEnable cuptiPCSamplingSetConfigurationAttribute cuptiPCSamplingStart; do
  NVFP4_FAKE=$call=35 profile
  without stalls "$call" "no stalls: " ERR_NVGPUCTRPERM NVreg_RestrictProfilingToAdminUsers=0
done
NVFP4_FAKE=cuptiPCSamplingEnable=27 profile
without stalls cuptiPCSamplingEnable "no stalls: " "does not support it"
NVFP4_FAKE=attributeStatus=7@2 profile
without stalls "attribute 1: cuptiPCSamplingSetConfigurationAttribute"
for call in cuptiSassMetricsSetConfig cuptiSassMetricsEnable; do
  NVFP4_FAKE=$call=35 profile
  without sass "$call" "no sass: " ERR_NVGPUCTRPERM
done
for call in cuptiPCSamplingStop cuptiPCSamplingGetData; do
  NVFP4_FAKE=$call=999 profile
  without stalls "$call" "no stalls: "
done
for call in cuptiSassMetricsFlushData cuptiSassMetricsDisable; do
  NVFP4_FAKE=$call=999 profile
  without sass "$call" "no sass: "
done
# In the middle: what was sampled before stays.
NVFP4_FAKE=cuptiPCSamplingStop=999@6 profile
code 0
sampled a-good
of z-good "not r.get('samples') and 'cuptiPCSamplingStop' in r['sampling']['reason']"

fake_gpu lacks-optional
profile
holds "sorted(n.split(':')[0] for n in j['notes']) == ['no counters', 'no sass', 'no stalls'] and all('CUDA 13.0 has it' in n for n in j['notes'])" run/run.json
fixed a-good
try doctor --json
holds "{r['need']: r['state'] for r in j}['PC sampling'] == 'missing' and {r['need']: r['state'] for r in j}['SASS metrics'] == 'missing'"
fake_gpu whole
try doctor --json
holds "{r['need']: r['state'] for r in j}['PC sampling'] == 'found' and {r['need']: r['state'] for r in j}['SASS metrics'] == 'found'"

# No activity records: nothing shows an empty kernel.
NVFP4_FAKE=cuptiActivityEnable=39 profile
of a-good "[('only CUPTI activity measures it' in m['reason'], m['value']) for m in r['metrics'] if m['name'] == 'fixed_ns'] == [(True, None)]"

# A kernel that goes wrong under the instruments loses its part only.  Its launches: one in the check, five in stalls, one in sass.
culprit() { # culprit PHASE TEXT: a note names it; the others have all
  code 0
  holds "[n for n in j['notes'] if n.startswith('no $1 of my-m-bad 128x256x1: ') and '$2' in n] == j['notes']" run/run.json
  holds "{r['check']['verdict'] for r in j['results']} == {'pass'}" run/run.json
  for variant in a-good z-good; do
    sampled $variant
    counted $variant
  done
}
for kind in crash exit hang fault; do
  case $kind in
    crash) says="signal 6" ;;
    exit) says="code 7" ;;
    hang) says="hung in phase" ;;
    fault) says="CUDA_ERROR_ILLEGAL_ADDRESS" ;;
  esac
  rung m-bad gemv_${kind}_4
  profile --phases check,stalls,sass
  culprit stalls "$says"
  of m-bad "not r.get('samples') and '$says' in r['sampling']['reason']"
  of m-bad "[c[3] for c in r['counts']] == [4, 4]"
  rung m-bad gemv_${kind}_2
  profile --phases check,sass,stalls
  holds "any(n.startswith('no sass of my-m-bad') and '$says' in n for n in j['notes'])" run/run.json
  of m-bad "not r.get('counts') and '$says' in r['counts_reason']"
  counted a-good
  counted z-good
done
finish
