#!/usr/bin/env bash
# Kernels with a planted cause (tests/gpu/planted), as an H200 ran them: the cause is what diagnose names first, at both sizes.  A kernel that keeps DRAM
# full is told to stop.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
run=$here/../golden/planted.json.gz

try diagnose "$run" --variant 'planted-*' --json
code 0
holds "len(j['diagnoses']) == 2 * $(find "$here/../gpu/planted" -name '*.cu' | wc -l)"
holds "all(d['advice'] and d['advice'][0]['rule'] == d['variant'].removeprefix('planted-').removesuffix('-large') for d in j['diagnoses'])"
holds "all(a['stop'] == (d['variant'].startswith('planted-dram-saturated') and a is d['advice'][0]) for d in j['diagnoses'] for a in d['advice'])"
holds "all(d['together_s'] < 0.05 * d['time_s'] for d in j['diagnoses'] if 'saturated' in d['variant'])"

# The chain of loads is named by its instruction, the spills by their sectors.
try diagnose "$run" --variant planted-dependent-loads
code 0
says "[dependent-loads]: may save" "LDG at 0x0150 takes its address from an earlier load"
try diagnose "$run" --variant planted-dram-saturated
code 0
says "DRAM-bandwidth bound [dram-saturated]: only fewer bytes can save time" "remedy: stop"

# Nothing to mend in the read control, the fastest read of the same bytes.
recorded_run >"$out" || {
  cat "$out"
  exit 77
}
NVFP4_RECORDED=$(recorded_run)
try diagnose --variant control-read --json
code 0
holds "all(a['stop'] or a['saves_s'] < 0.1 * d['time_s'] for d in j['diagnoses'] for a in d['advice'])"

# The block scales: a thread a row reads them in pieces, and the L1 binds; lanes along K read them whole.
try diagnose --variant 'cute-6b-f16x2,cute-7-warp-reduce,cute-8-autotuned,cuda-3*,cuda-4*,cuda-6*,top,ours' --json
code 0
holds "len([d for d in j['diagnoses'] if d['variant'] == 'cute-6b-f16x2' and any(a['rule'] == 'scale-loads' and a['saves_s'] > 0.09 * d['time_s'] for a in d['advice'])]) == 3"
holds "all(a['rule'] != 'scale-loads' or a['saves_s'] < 0.05 * d['time_s'] for d in j['diagnoses'] if d['variant'] != 'cute-6b-f16x2' for a in d['advice'])"
holds "len({d['variant'] for d in j['diagnoses']}) > 20"
finish
