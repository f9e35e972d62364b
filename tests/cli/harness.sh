#!/usr/bin/env bash
# --harness contest: the time of an event pair after 4 GiB were written, beside the kernel's own.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
rung good gemv
profile() { try --kernels rungs --shape 128x256x1 --phases check,time --no-sass --no-plots --rounds 20 --out run "$@"; }
contest() { # contest EXPRESSION: true of the metric m
  holds "[$1 for r in j['results'] for m in r['metrics'] if m['name'] == 'contest_ns'] == [True]" run/run.json
}

# The kernel takes 11 µs; after the write 3 µs more (tests/fake/fake.h).
profile --harness contest --table
code 0
contest "abs(m['value'] - 14000) < 1 and 'event pair' in m['source'] and '4294967296' in m['source']"
holds "set(j['results'][0]['timing']['samples_ns']) == {11000}" run/run.json
says "contest" "14.00" "it includes the launch and the write-back"
grep -qF "contest" run/worklog.md || bad "worklog.md has no column for it"

profile
code 0
holds "not any(m['name'] == 'contest_ns' for r in j['results'] for m in r['metrics'])" run/run.json
says_not contest

# No room for 4 GiB: the reason in its place, and nothing else is lost.
allocations=$(for ((n = 4; n < 12; n++)); do
  NVFP4_FAKE=cuMemAlloc_v2=2@$n profile --harness contest
  grep -q "no times of the contest's harness" "$out" && echo "$n" && break
done)
[ -n "$allocations" ] || bad "no allocation is that of the 4 GiB"
NVFP4_FAKE=cuMemAlloc_v2=2@$allocations profile --harness contest
code 0
contest "m['value'] is None and 'what the contest' in m['reason'] and 'CUDA_ERROR_OUT_OF_MEMORY' in m['reason']"
holds "set(j['results'][0]['timing']['samples_ns']) == {11000}" run/run.json

# A kernel that fails in it is named, as in any other round.
rm rungs/good.cu
rung a-good gemv
rung m-late gemv_fault_30
profile --harness contest
code 4
holds "[(r['check']['verdict'], 'CUDA_ERROR_ILLEGAL_ADDRESS' in r['check'].get('reason', '')) for r in j['results']] == [('pass', False), ('failed', True)]" run/run.json

try --kernels rungs --harness event
refuses 2 "--harness event: it is kernel or contest"
finish
