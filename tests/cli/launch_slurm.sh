#!/usr/bin/env bash
# The sbatch script of docs/cluster.md under Slurm's own daemons, which this test starts in its folder and ends: a file per rank, a rank that is killed, merge.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
doc=$(realpath "$(dirname "$0")/../../docs/cluster.md")
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd srun sbatch; do
  command -v $program >/dev/null || skip "$program is not here: scripts/setup --dev installs munge, slurmctld, slurmd and slurm-client"
done
fake_gpu whole
ln -s "$NVFP4_FAKES/target" app
mkdir bin state spool
ln -s "$NVFP4_PROF" bin/nvfp4-prof
chmod 755 "$work" # munge's socket is for everybody
unset "${!OMPI_@}" "${!PMIX_@}" "${!SLURM_@}" "${!SBATCH_@}" "${!PMI_@}"
export PATH=$work/bin:$PATH SLURM_CONF=$work/slurm.conf TMPDIR=$work

# --- the cluster: one node of eight processors, whatever the machine has ---

daemons=()
slurm_end() {
  local pid
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${daemons[@]}"; do wait "$pid" 2>/dev/null; done
}
trap 'slurm_end; cleanup' EXIT

start() { # start PROGRAM ARGUMENTS...: in the foreground of its own job
  "$@" >"$1.log" 2>&1 </dev/null &
  daemons+=($!)
}

ready() { # ready WORDS...: they succeed within a while; a busy machine may take long
  local i
  for ((i = 0; i < 1200; i++)); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  return 1
}

node_is_idle() { [ "$(sinfo -h -o %t)" = idle ]; }

slurm_start() {
  local ports host
  host=$(hostname -s)
  mapfile -t ports < <("$python" -IS -c '
import socket
s = [socket.socket() for _ in range(2)]
for one in s:
    one.bind(("127.0.0.1", 0))
    print(one.getsockname()[1])')
  cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
AuthType=auth/munge
AuthInfo=socket=$work/munge.sock
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
MessageTimeout=100
SlurmdTimeout=300
InactiveLimit=0
NodeName=node NodeHostname=$host NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=node Default=YES State=UP
END
  echo CgroupPlugin=cgroup/v1 >cgroup.conf # nothing above uses it, and found by itself it must be mounted, which it is not in every container
  start munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.sock" --pid-file="$work/munge.pid" \
    --log-file="$work/munge.log" --seed-file="$work/munge.seed"
  ready munge -S "$work/munge.sock" -n || return 1
  start slurmctld -D -c -f "$SLURM_CONF"
  start slurmd -D -f "$SLURM_CONF" -N node
  ready node_is_idle
}

head -c 1024 /dev/urandom >munge.key
chmod 600 munge.key
what="starting Slurm"
if ! slurm_start; then
  bad "Slurm's daemons did not become ready:"
  tail -n 5 munged.log slurmctld.log slurmd.log
  finish
fi

# batch ARGUMENTS...: sbatch until the job has ended; its exit code is rc.  (--wait asks at ever longer intervals.)
batch() {
  local id
  id=$(sbatch --parsable "$@" 2>"$err" </dev/null) && ready job_has_ended "$id"
  rc=$(scontrol show job "$id" | sed -n 's/.* ExitCode=\([0-9]*\):.*/\1/p')
}
job_has_ended() { [ -z "$(squeue -h -j "$1")" ]; }

# --- the script of the document ---

ranks_whole() { # ranks_whole NAME RANK...: each rank has its own file, and knows of eight
  local name=$1 i
  shift
  for i; do
    holds "j['process']['launcher'] == 'srun' and (j['process']['rank'], j['process']['ranks'], j['process']['local_rank']) == ($i, 8, $i)" "$name.$i.json"
    holds "not j['partial'] and j['process']['launches'] == 40" "$name.$i.json"
  done
}

# Its first script; one node of eight ranks for two of four.
sed -n '/^#!\/bin\/bash/,/^```/p' "$doc" | sed '/^```/,$d; /gpus-per-node/d; s/--nodes=2/--nodes=1/; s/per-node=4/per-node=8/; s|\./app|./app 40|' >job.sh
grep -q '^srun nvfp4-prof attach' job.sh || bad "docs/cluster.md holds no sbatch script that attaches"
what="sbatch of docs/cluster.md"
batch --output=job.out job.sh
code 0
ranks_whole run 0 1 2 3 4 5 6 7
[ "$(find . -maxdepth 1 -name 'run*.json' | wc -l)" = 8 ] || bad "$(echo run*.json): not eight files"
grep -qF "8 of 8 ranks, 1 host, 2 kernels" job.out || bad "merge did not answer: $(cat job.out)"

# attach around srun, whose ranks are not its children: Slurm passes the environment on.
what="attach -- srun"
"$NVFP4_PROF" attach --out around.json -- srun -n 8 ./app 40 >"$out" 2>"$err" </dev/null
rc=$?
code 0
ranks_whole around 0 1 2 3 4 5 6 7

# What the batch script itself starts is no rank.
what="sbatch without srun"
batch --ntasks=8 --output=batch.out --wrap "nvfp4-prof attach --out batch.json -- ./app 40"
code 0
holds "'launcher' not in j['process']" batch.json

# A rank is killed in the middle, while the others go on.
cat >one <<'END'
how=wait
[ "$SLURM_PROCID" = 3 ] && how=kill
exec nvfp4-prof attach --out killed.json -- ./app 40 $how
END
what="srun, rank 3 killed"
srun -n 8 bash one >"$out" 2>"$err" </dev/null
rc=$?
code 137
ranks_whole killed 0 1 2 4 5 6 7
holds 'j["partial"] and j["process"]["rank"] == 3' killed.3.json
try merge 'killed.*.json' -o all.json
code 4
says "7 of 8 ranks (missing: 3)" "left out: killed.3.json: is partial"
finish
