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
says "DRAM-bandwidth bound [dram-saturated]: only fewer bytes can save time" "remedy: only fewer bytes help"

# Nothing to mend in the read control, the fastest read of the same bytes.
shipped=$(shipped_report) || exit
all=$shipped/diagnoses.json
holds "len([d for d in j['diagnoses'] if d['variant'] == 'control-read']) == 3" "$all"
holds "all(a['stop'] or a['saves_s'] < 0.1 * d['time_s'] for d in j['diagnoses'] if d['variant'] == 'control-read' for a in d['advice'])" "$all"

# The block scales: a thread a row reads them in pieces, and the L1 binds; lanes along K read them whole.
holds "len([d for d in j['diagnoses'] if d['variant'] == 'cute-6b-f16x2' and any(a['rule'] == 'scale-loads' and a['saves_s'] > 0.09 * d['time_s'] for a in d['advice'])]) == 3" "$all"
along_k='("cute-7-warp-reduce", "cute-8-autotuned", "cuda-3", "cuda-4", "cuda-6", "top-", "ours-")'
holds "all(a['rule'] != 'scale-loads' or a['saves_s'] < 0.05 * d['time_s'] for d in j['diagnoses'] if d['variant'].startswith($along_k) for a in d['advice'])" "$all"
holds "len({d['variant'] for d in j['diagnoses'] if d['variant'].startswith($along_k)}) > 20" "$all"
finish
