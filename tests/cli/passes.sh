#!/usr/bin/env bash
# list metrics --passes: the schedule as CUPTI plans it, without a GPU.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# Without CUPTI there is no plan, and that is a machine's fault.
try list metrics --passes
refuses 3 libcupti NVFP4_LIBCUPTI
# The fake plans two passes for whatever it is given: two that all groups share, and two of the clock's own.
fake_gpu whole
try list metrics --passes --chip FAKE100 --json
code 0
holds "{(g['group']) for g in j['passes']} >= {'all', 'clock', 'dram', 'stalls', 'instructions', 'l1', 'l2', 'cycles'}"
holds "[(g['passes_alone'], g['passes_added'], g['chip']) for g in j['passes'] if g['group'] == 'all'] == [('4', '4', 'FAKE100')]"
holds "[(g['passes_alone'], g['passes_added']) for g in j['passes'] if g['group'] == 'clock'] == [('2', '2')]"
# No other group adds a pass: without it the rest still takes two.
holds "[(g['passes_alone'], g['passes_added'], g['counters']) for g in j['passes'] if g['group'] == 'dram'] == [('2', '0', '2')]"
# The fake does not know stalled_gmma.
holds "[g['absent'] for g in j['passes'] if g['group'] == 'stalls'] == ['1']"
holds "all(int([g for g in j['passes'] if g['group'] == 'all'][0][k]) == sum(int(g[k]) for g in j['passes'] if g['group'] != 'all') for k in ('metrics', 'absent', 'counters'))"
try list metrics --passes
code 0
says "passes alone" GH100 stalls
# A chip that CUPTI does not know (CUPTI_ERROR_INVALID_CHIP_NAME).
NVFP4_FAKE=cuptiProfilerHostInitialize=46 try list metrics --passes --chip NOWHERE
refuses 3 "chip NOWHERE: cuptiProfilerHostInitialize" "this CUPTI does not know the chip"
NVFP4_FAKE=cuptiProfilerHostGetNumOfPasses=999 try list metrics --passes
refuses 3 cuptiProfilerHostGetNumOfPasses
try list --passes
refuses 2 "list variants" "list metrics"
try list metrics --chip GH100
refuses 2 --passes
finish
