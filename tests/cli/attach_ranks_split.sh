#!/usr/bin/env bash
# --split-passes: each rank collects a set of the counters, and merge joins them; what no rank collected stays unknown.
# The fake CUPTI counts blocks, DRAM 1000 bytes a block; "big" has 91, "small" 1.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
target=$NVFP4_FAKES/target
fake_gpu whole

# ranks N OPTIONS...: a run file of each of N ranks; rank I launches "big" with BIG_I blocks, where that is set.
ranks() {
  local n=$1 i
  shift
  for ((i = 0; i < n; i++)); do
    what="rank $i of $n" big=BIG_$i
    RANK=$i WORLD_SIZE=$n TARGET_STEP=big:${!big:-91}:1,small:1:3 \
      "$NVFP4_PROF" attach --samples off --no-sass --overhead 1000 --window 8 -o run.json "$@" -- "$target" 30 >"$out" 2>"$err"
    rc=$?
    code 0
  done
}
values() { # values ID: of its counters, by name; None where one is unknown
  echo "{m['name']: m['value'] for r in j['results'] if j['variants'][r['variant']]['id'] == '$1' for m in r['metrics']}"
}
reasons() {
  echo "{m['name']: m['reason'] for r in j['results'] if j['variants'][r['variant']]['id'] == '$1' for m in r['metrics'] if m['value'] is None}"
}
key() { # key ID KEY: of the variant
  echo "[dict(v['keys']).get('$2') for v in j['variants'] if v['id'] == '$1']"
}

# One process counts all, alone and where it is the one rank.
ranks 1 --split-passes
complains "--split-passes: the process is not one of several ranks: all counters are collected here"
mv run.json whole.json
holds "'pass_set' not in j['process'] and set($(reasons big).values()) == {'chip FAKE100 has no such counter'}" whole.json
PMIX_RANK=1 "$NVFP4_PROF" attach --split-passes --no-sass -o pmix.json -- "$target" 4 >"$out" 2>"$err"
complains "--split-passes: the launcher does not say how many ranks there are: all counters are collected here"

# Four ranks: each counter is of one rank's set, and the merged kernel has what one process counts by itself.
ranks 4 --split-passes
complains "--split-passes: this rank collected set 4 of 4 of the counters"
for i in 0 1 2 3; do holds "j['process']['pass_set'] == {'set': $i + 1, 'sets': 4}" run.$i.json; done
"$python" -IS - whole.json run.?.json <<'PY' || bad "the sets do not divide the counters"
import json, sys
def present(path):
    j = json.load(open(path))
    return [{m["name"] for m in r["metrics"] if m["value"] is not None} for r in j["results"]]
whole, *ranks = [present(path) for path in sys.argv[1:]]
for kernel in (0, 1):
    parts = [r[kernel] for r in ranks]
    assert set.union(*parts) == whole[kernel] and sum(map(len, parts)) == len(whole[kernel]), parts
    assert all(len(p) > len(whole[kernel]) / 8 for p in parts), [len(p) for p in parts]
    assert "sm_cycles_elapsed" in parts[3] and not {"sm_cycles_elapsed"} & set.union(*parts[:3])
PY
try merge 'run.?.json' -o all.json
code 0
says "Counters in 4 sets, one per rank (--split-passes): complete for 2 kernels."
[ "$(head -n 6 "$out" | tail -n 1 | cut -c 1-8)" = Counters ] || bad "the counters are not among the first lines"
"$python" -IS -c '
import json, sys
a, b = ({j["variants"][r["variant"]]["id"]: r["metrics"] for r in j["results"]} for j in map(json.load, map(open, sys.argv[1:])))
sys.exit(a != b)' whole.json all.json || bad "the merged kernels have not the counters of one process"
holds "$(key big counters_of) == ['0, 1, 2, 3'] and $(key big counters_lack) == [None]" all.json
holds "any('counters_of' in n for n in j['notes'])" all.json
try report all.json
code 0
try merge 'run.?.json' --json -o all.json
holds 'len(j["answer"]) == 6'

# A rank is missing: its set is named, and its counters are unknown.
mv run.2.json kept
try merge 'run.?.json' -o three.json
code 4
says "3 of 4 ranks (missing: 2)" "incomplete for 2; no rank has set 3: its counters are unknown."
"$python" -IS - kept whole.json three.json <<'PY' || bad "the counters of rank 2 alone are to be unknown"
import json, sys
kept, whole, three = (json.load(open(p)) for p in sys.argv[1:])
for k, w, t in zip(kept["results"], whole["results"], three["results"]):
    its = {m["name"] for m in k["metrics"] if m["value"] is not None}
    want = {m["name"]: None if m["name"] in its else m["value"] for m in w["metrics"]}
    assert its and want == {m["name"]: m["value"] for m in t["metrics"]}
    assert {m["reason"] for m in t["metrics"] if m["name"] in its} == {
        "no merged rank counted it: the counters of set 3 of 4 are missing (--split-passes)"}
PY
holds "$(key small counters_of) == ['0, 1, 3'] and $(key small counters_lack) == ['set 3 of 4']" three.json
mv kept run.2.json

# A kernel whose launches differ in geometry between ranks keeps one rank's set.
BIG_2=300 ranks 4 --split-passes
try merge 'run.?.json' -o apart.json
code 0
says "complete for 1 kernel, not joined for 1 whose launches differ in geometry."
holds "$(key big geometries) == ['2'] and $(key big counters_of) == [None] and $(key small counters_of) == ['0, 1, 2, 3']" apart.json
holds "any('differ in geometry from rank to rank' in x for x in $(reasons big).values())" apart.json

# More ranks than sets: the sets go round.
ranks 10 --split-passes --top 1
for i in 0 1 7 8 9; do holds "j['process']['pass_set'] == {'set': $i % 8 + 1, 'sets': 8}" run.$i.json; done
rm run.9.json
try merge 'run.?.json' -o ten.json
code 4
says "Counters in 8 sets, one per rank (--split-passes): complete for 1 kernel."
holds "len($(key big counters_of)[0].split(', ')) == 8 and None not in [v for n, v in $(values big).items() if n != 'stall_gmma']" ten.json

sed 's/"set": 2, "sets": 8/"set": 9, "sets": 8/' run.1.json >hostile.json
try merge run.0.json hostile.json -o hostile-merged.json
code 4
says "left out: hostile.json: process.pass_set: there is no set 9 of 8"
finish
