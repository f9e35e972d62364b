#!/usr/bin/env bash
# The forms of docs/cluster.md under Open MPI's own mpirun, around a program on the fake GPU: both ways of starting, and a rank that is killed.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
doc=$(realpath "$(dirname "$0")/../../docs/cluster.md")
mpirun --version 2>/dev/null | grep -q 'Open MPI' ||
  skip "Open MPI is not here: scripts/setup --dev installs openmpi-bin"
fake_gpu whole
ln -s "$NVFP4_FAKES/target" app
mkdir bin
ln -s "$NVFP4_PROF" bin/nvfp4-prof
export PATH=$work/bin:$PATH TMPDIR=$work
# A rank a core at most, and no other user's settings: what the machine has does not matter.
unset "${!OMPI_@}" "${!PMIX_@}" "${!SLURM_@}" "${!PMI_@}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_plm=isolated # no ssh is looked for

run() { # run WHAT COMMAND...
  what=$1
  shift
  "$@" >"$out" 2>"$err" </dev/null
  rc=$?
}

ranks_whole() { # ranks_whole NAME RANK...: each rank has its own file, and knows of eight
  local name=$1 i
  shift
  for i; do
    holds "j['process']['launcher'] == 'Open MPI' and (j['process']['rank'], j['process']['ranks'], j['process']['local_rank']) == ($i, 8, $i)" "$name.$i.json"
    holds "not j['partial'] and j['process']['launches'] == 40 and j['process']['host'] == '$(hostname)'" "$name.$i.json"
  done
}

# The two forms as the document has them.
grep -E 'mpirun -np 8 (nvfp4-prof|\./app)' "$doc" | grep -v '^- ' >forms
[ "$(wc -l <forms)" = 2 ] || bad "docs/cluster.md does not hold the two forms of mpirun"
for form in 1 2; do
  rm -f run.*.json
  line=$(sed -n ${form}p forms)
  run "$line 40" bash -c "$line 40"
  code 0
  ranks_whole run 0 1 2 3 4 5 6 7
  [ "$(find . -maxdepth 1 -name 'run*.json' | wc -l)" = 8 ] || bad "$(echo run*.json): not eight files"
  try merge 'run.*.json' -o all.json
  code 0
  says "8 of 8 ranks, 1 host, 2 kernels"
done

# A rank is killed in the middle, while the others go on: their files and the merge are whole.
cat >one <<'END'
how=wait
[ "$OMPI_COMM_WORLD_RANK" = 3 ] && how=kill
exec nvfp4-prof attach --out killed.json -- ./app 40 $how
END
run "mpirun, rank 3 killed" mpirun -np 8 --mca orte_abort_on_non_zero_status 0 bash one
ranks_whole killed 0 1 2 4 5 6 7
holds 'j["partial"] and j["process"]["rank"] == 3' killed.3.json
try merge 'killed.*.json' -o all.json
code 4
says "7 of 8 ranks (missing: 3)" "left out: killed.3.json: is partial"
holds '[r["process"]["rank"] for r in j["merge"]["ranks"]] == [0, 1, 2, 4, 5, 6, 7]' all.json
finish
