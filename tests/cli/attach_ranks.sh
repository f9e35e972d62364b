#!/usr/bin/env bash
# nvfp4-prof attach of the ranks of a parallel program, in the environments that launchers make: a file a rank, never the same one.
# tests/cli/launchers_*.sh do it with the launchers themselves.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

# One file is named for all: the rank goes into its name.
rank_is() { # rank_is FILE EXPRESSION: of the run's process
  holds "(lambda p: $2)(j['process'])" "$1"
}
for i in 0 1 2; do
  SLURM_JOB_ID=5 SLURM_STEP_ID=0 SLURM_PROCID=$i SLURM_STEP_NUM_TASKS=3 SLURM_LOCALID=$i try attach -o s.json -- "$target" 8
  code 0
  complains "rank $i: s.$i.json: process " ", rank $i of 3: 8 launches"
  next=$(grep -c "next: nvfp4-prof merge 's.\*.json'" "$err") # told once
  [ "$next" = $((i == 0)) ] || bad "rank $i tells of merge $next times: $(cat "$err")"
  rank_is s.$i.json "p['launcher'] == 'srun' and p['rank'] == $i and p['ranks'] == 3 and p['local_rank'] == $i"
done
holds "j['process']['host'] == '$(hostname)' and j['process']['launches'] == 8 and j['process']['pid'] > 0" s.1.json
# Launches 0 and 4 are "big" at 101 us, the other six "small" at 11 us.
holds "j['process']['gpu_time_ns'] == 2 * 101e3 + 6 * 11e3" s.1.json
[ -e s.json ] && bad "the file that was named is none of a rank"

# Another process has the GPU: this one is not sampled nor counted, and keeps its times.  A rank with a GPU of its own is.
mkfifo held
timeout 60 "$python" -c 'if True:
  import os, socket, struct
  uuid = (b"\xa0" * 8 + struct.pack("<i", int(os.environ["FAKE_UUID"])) + b"\xa0" * 4).hex()
  claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
  claim.bind("\0nvfp4-prof attach GPU-" + "-".join([uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]]))
  open("held", "w").close()
  open("held").read()' &
holder=$!
cat held
alone() { try attach "$@" --window 8 --overhead 1000 --out alone.json -- "$target" 60; }
alone
code 0
complains "counters of 0 kernels" "another process under attach uses this GPU and is sampled and counted: times alone here"
grep -q "PC samples:" "$err" && bad "it was sampled"
RANK=1 WORLD_SIZE=2 alone --samples off
complains "counters of 2 kernels"
: >held
wait "$holder"
alone --samples off
complains "counters of 2 kernels"

# Where there is no name, and where it says where the rank goes.
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 try attach -- "$target" 4
code 0
rank_is run.1.json "p['launcher'] == 'Open MPI' and p['ranks'] == 2 and p['local_rank'] == -1"
RANK=11 WORLD_SIZE=16 LOCAL_RANK=3 try attach --out 'a-%r-%p.json' -- "$target" 4
code 0
files=(a-11-*.json)
rank_is "${files[0]}" "p['launcher'] == 'torchrun' and p['rank'] == 11"

# The one rank of one needs no number; nor does what is no rank.
RANK=0 WORLD_SIZE=1 try attach --out one.json -- "$target" 4
code 0
rank_is one.json "p['rank'] == 0 and p['ranks'] == 1"
SLURM_JOB_ID=5 SLURM_PROCID=0 SLURM_NTASKS=8 try attach --out batch.json -- "$target" 4
code 0
rank_is batch.json "'launcher' not in p"

OMPI_COMM_WORLD_RANK=6 OMPI_COMM_WORLD_SIZE=8 try attach --out idle.json -- "$target" 0
code 0
complains "rank 6: $target launched no kernel: no run file was written"

# Attach around the launcher: the ranks are its children.
cat >launch <<'END'
for i in 0 1 2; do OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=3 "$1" 8 & done
wait
END
try attach --out around.json -- bash launch "$target"
code 0
complains "next: nvfp4-prof merge 'around.*.json'"
for i in 0 1 2; do rank_is around.$i.json "p['rank'] == $i"; done

# A process of one rank starts another, which has the same: both keep their file.
RANK=4 WORLD_SIZE=8 try attach --out fork.json --follow-children -- "$target" 4 fork
code 0
files=(fork.*.json)
{ [ "${#files[@]}" = 2 ] && [ -e fork.4.json ]; } || bad "two processes of a rank left: ${files[*]}"
# Ranks that nothing tells apart: what another process wrote meanwhile is not written over, what an earlier run left is.
cat >meanwhile <<'END'
sleep 0.1
echo mine >same.json
"$1" 4
END
echo old >same.json
sleep 0.1
try attach --force --out same.json -- "$target" 4
code 0
rank_is same.json "p['pid'] > 0"
try attach --out same.json -- bash meanwhile "$target"
code 0
[ "$(cat same.json)" = mine ] || bad "same.json was written over"
files=(same.*.json)
rank_is "${files[0]}" "p['pid'] > 0"

# NVTX ranges as data.
TARGET_RANGES=0+step,4- try attach --out range.json -- "$target" 8
code 0
holds "j['ranges'] == [{'name': 'step', 'launches': 4, 'gpu_time_ns': 101e3 + 3 * 11e3, 'collective_ns': 0}]" range.json
TARGET_BIG=ncclDevKernel_AllReduce TARGET_RANGES=0+step,4- try attach --out range.json -- "$target" 8
holds "[(r['gpu_time_ns'], r['collective_ns']) for r in j['ranges']] == [(101e3 + 3 * 11e3, 101e3)]" range.json
finish
