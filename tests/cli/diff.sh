#!/usr/bin/env bash
# nvfp4-prof diff: verdicts on runs made from the fixture with known changes, exit codes, JUnit, Markdown, what it refuses.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run=$(fixture_run)
small=$(realpath "$(dirname "$0")/../golden/small.json")
golden=$(realpath "$(dirname "$0")/../golden")

# again SEED FILE [PROGRAM]: another run of the recorded build.  Samples are drawn anew from the recorded ones (their own spread), every
# variant x shape moves by a normal factor of 0.3 % (as clock and allocation do between H200 runs), and cuda-0-naive, which runs at
# either of two speeds, is 9 % slower where SEED is even.  PROGRAM then changes j, a list of results by `of(id)`.
slim() { # the recorded run without what a comparison of times does not look at: SASS and sources (keys tell code apart), stalls
  "$python" -IS - "$run" <<'PY'
import gzip, json, sys
j = json.load(gzip.open(sys.argv[1]) if sys.argv[1].endswith(".gz") else open(sys.argv[1]))
j["sources"] = []
for m in j["modules"]:
    for k in m["kernels"]:
        k.pop("sass", None)
for r in j["results"]:
    r["metrics"] = [m for m in r.get("metrics", []) if not m["name"].startswith("stall")]
    for key in ("samples", "sampling", "counts"):
        r.pop(key, None)
open("slim.json", "w").write(json.dumps(j))
PY
}
slim
again() {
  "$python" -IS - slim.json "$1" "$2" "${3:-}" <<'PY'
import json, random, sys
path, seed, out, program = sys.argv[1:]
j = json.load(open(path))
random.seed(int(seed))
def name(r):
    return j["variants"][r["variant"]]["id"]
def of(id):
    return [r for r in j["results"] if name(r) == id]
def scale(r, factor):
    if r["timing"].get("samples_ns"):
        r["timing"]["samples_ns"] = [t * factor for t in r["timing"]["samples_ns"]]
def recompiled(r): # its machine code is another
    m = dict(j["modules"][r["module"]])
    m["key"] = "changed" + m["key"][7:]
    j["modules"].append(m)
    r["module"] = len(j["modules"]) - 1
for r in j["results"]:
    samples = r["timing"].get("samples_ns")
    if samples:
        r["timing"]["samples_ns"] = random.choices(samples, k=len(samples))
        scale(r, random.gauss(1, 0.003) * (1.09 if name(r) == "cuda-0-naive" and int(seed) % 2 == 0 else 1))
j["created"] = f"2026-11-21T00:{int(seed):02}:00Z"
exec(program)
open(out, "w").write(json.dumps(j))
PY
}

# Two runs of one build: nothing is faster or slower, nine of ten and more are the same, though one rung has two speeds.
again 1 a.json
again 2 b.json
try diff a.json b.json --json
code 0
holds "j['counts']['SLOWER'] == 0 and j['counts']['FASTER'] == 0"
holds "j['counts']['SAME'] >= 0.9 * sum(p['ratio'] is not None for p in j['pairs'])"
holds "j['noise']['source'] == 'pairs of the same machine code' and 0.002 < j['noise']['between_runs_stddev'] < 0.007"
try diff a.json b.json
code 0
says "no regression" "Between runs a ratio varies by" "the machine code and its launch are the same" "UNCLEAR: cuda-0-naive"

# A planted slow-down of 5 % is one; 3 % may be allowed, 8 % is more than it.
again 3 slow.json "
for r in of('cuda-6-fused'): scale(r, 1.05); recompiled(r)
for r in of('ours-4-early-b'): scale(r, 0.95); recompiled(r)"
try diff a.json slow.json --fail-over 3% --junit junit.xml --json
code 1
holds "[p['variant_a'] for p in j['pairs'] if p['verdict'] == 'SLOWER'] == ['cuda-6-fused'] * 3"
holds "[p['variant_a'] for p in j['pairs'] if p['verdict'] == 'FASTER'] == ['ours-4-early-b'] * 3 and j['regressions'] == 3"
holds "sum(p['ratio_low'] <= 1.05 <= p['ratio_high'] for p in j['pairs'] if p['verdict'] == 'SLOWER') >= 2"
holds "all(1.03 < p['ratio_low'] <= p['ratio'] <= p['ratio_high'] < 1.08 for p in j['pairs'] if p['verdict'] == 'SLOWER')"
"$python" -IS - junit.xml slim.json <<'PY' || bad "junit.xml is not as Jenkins reads it"
import json, sys, xml.etree.ElementTree as tree
results = len(json.load(open(sys.argv[2]))["results"])
root = tree.parse(sys.argv[1]).getroot()
suite = root.find("testsuite")
cases = suite.findall("testcase")
failed = [c for c in cases if c.find("failure") is not None]
assert root.tag == "testsuites" and len(cases) == int(suite.get("tests")) == results, len(cases)
assert len(failed) == int(suite.get("failures")) == 3
assert {c.get("classname") for c in failed} == {"nvfp4-prof.diff.cuda-6-fused"}
assert failed[0].find("failure").get("message").startswith("SLOWER: "), failed[0].find("failure").get("message")
assert len(suite.findall("testcase/skipped")) == int(suite.get("skipped")) > 0
PY

# The page of two runs has these verdicts and no other, what changed first; what is unclear has no colour.
try diff a.json slow.json --json
cp "$out" said.json
try report a.json slow.json --no-plots --out pair
"$python" -IS - said.json pair/index.html <<'PY' >faults 2>&1 || { bad "the page of two runs:" && show faults; }
import json, re, sys
said, page = json.load(open(sys.argv[1]))["pairs"], open(sys.argv[2], encoding="utf-8").read()
words = {"SLOWER": "B slower", "FASTER": "B faster", "UNCLEAR": "unclear", "SAME": "no measurable change", "NO TIME": "–"}
faults, seen = [], 0
for table in re.findall(r"<table.*?</table>", page, re.S):
    shape = re.search(r"<caption>(\d+)×(\d+)×(\d+)", table)
    if not shape or ">verdict<" not in re.sub(r"\s*</?(?:span|strong)[^>]*>", "", table):
        continue
    rows = [re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(<th scope=\"row\".*?)</tr>", table, re.S)]
    wanted = {p["variant_a"]: p for p in said if re.split("[x×]", p["shape"]) == list(shape.groups())}
    changed = [wanted[re.sub("<.*?>", "", r[0][1])]["verdict"] in ("SLOWER", "FASTER") for r in rows]
    if changed != sorted(changed, reverse=True):
        faults.append(f"{shape.group()}: what changed is not first")
    for row in rows:
        name, verdict = re.sub("<.*?>", "", row[0][1]), wanted[re.sub("<.*?>", "", row[0][1])]["verdict"]
        seen += 1
        if words.get(verdict, "") not in [re.sub("<.*?>", "", cell) for _, cell in row]:
            faults.append(f"{name}: diff says {verdict}, the page {row}")
        if verdict == "UNCLEAR" and any(re.search("good|bad", attributes) for attributes, _ in row):
            faults.append(f"{name}: what is unclear has a colour")
print("\n".join(faults[:5]) or f"{seen} rows")
sys.exit(bool(faults) or not seen)
PY
try diff a.json slow.json --fail-over 8
code 0
says "3 slower" "no regression"
try diff a.json slow.json --select 'ours-*' --shape 7168x2048x4
code 0
says ours-4-early-b FASTER
says_not cuda-6-fused SLOWER 4096×7168×8

# A clock that is 4 % lower is one message, not two hundred regressions; --raw leaves it in.
again 5 clock.json "
for r in j['results']: scale(r, 1.04)"
try diff a.json clock.json
code 0
grep -qE 'moved by \+(3\.[89]|4\.[01])' "$out" || bad "the shift of 4 % is not said"
says "a clock, a card or a driver, not a kernel" "no regression"
try diff a.json clock.json --raw --json
code 1
holds "j['counts']['SLOWER'] >= 0.9 * sum(p['ratio'] is not None for p in j['pairs']) and not j['noise']['shift_removed']"

# Three runs a side say of each rung how it varies: that of two speeds is not called slower.
for seed in 11 12 13 14 15 16; do again "$seed" "r$seed.json"; done
try diff r11.json,r12.json,r13.json r14.json,r15.json,r16.json --json
code 0
holds "j['noise']['source'] == 'runs' and j['counts']['SLOWER'] == j['counts']['FASTER'] == 0 and len(j['a']['runs']) == 3"
holds "j['counts']['SAME'] >= 0.9 * sum(p['ratio'] is not None for p in j['pairs'])"

# The run itself, edited: nothing lies between, so that it is taken at its word.
try diff "$run" "$run" --json
code 0
holds "j['noise']['source'] == 'one run on both sides' and j['counts']['SLOWER'] == j['counts']['UNCLEAR'] == 0"
mutate() { # mutate FILE PROGRAM: the small run, changed by a Python program over j
  "$python" -IS -c "
import json, sys
j = json.load(open(sys.argv[1]))
def of(id): return [r for r in j['results'] if j['variants'][r['variant']]['id'] == id]
$2
open(sys.argv[2], 'w').write(json.dumps(j))" "$small" "$1"
}
mutate edited.json "
r = of('cuda-1-coalesced')[0]
r['timing']['samples_ns'] = [1.1 * t for t in r['timing']['samples_ns']]"
try diff "$small" edited.json
code 1
says cuda-1-coalesced "SLOWER" "1 regression"

# Newly wrong is a regression, however fast; added and removed are told; a new name is seen through; conditions are said.
mutate changed.json "
j['created'] = '2025-11-21T12:00:00Z'
j['l2'] = 'warm'
r = of('cuda-1-coalesced')[0]
r['check'].update(verdict='wrong', cause='nibbles')
r['check'].pop('reason', None)
v = [v for v in j['variants'] if v['id'] == 'cuda-0-naive'][0]
v['id'] = 'cuda-0-slow'"
try diff "$small" changed.json
code 1
says BROKEN "wrong, was pass" "L2 policy: cold in A, warm in B" "renamed: cuda-0-naive is cuda-0-slow now"
cp "$small" main.json
cp changed.json pr.json
try diff main.json pr.json --markdown
code 1
if [ -n "${NVFP4_GOLDEN_UPDATE:-}" ]; then cp "$out" "$golden/diff.md"; fi
cmp -s "$out" "$golden/diff.md" || {
  bad "the Markdown is not tests/golden/diff.md"
  diff "$out" "$golden/diff.md" | head -n 20
}

# What a run says is text in XML, whatever is in it.
mutate hostile.json "
r = of('cuda-1-coalesced')[0]
r['check'].update(verdict='failed', reason='a < b && c > ' + chr(34) + 'd' + chr(34) + chr(1) + ' ]]>')"
try diff "$small" hostile.json --junit hostile.xml
code 1
"$python" -IS - hostile.xml <<'PY' || bad "hostile.xml does not hold the reason as it was"
import sys, xml.etree.ElementTree as tree
message = [f.get("message") for f in tree.parse(sys.argv[1]).iter("failure")][0]
assert 'a < b && c > "d"  ]]>' in message, message
PY

# Metrics: a count that rose, and by how much it may.
mutate count.json "
for m in of('cuda-2-intrinsics')[0]['metrics']:
    if m['name'] == 'inst_executed': m['value'] *= 1.02"
try diff "$small" count.json --metric inst_executed
code 0
says inst_executed "+2.00" more
try diff "$small" count.json --metric inst_executed:1%
code 1
says "beyond the tolerance"
try diff "$small" count.json --metric inst_executed:3%
code 0

# Without a GPU: what the compiler made of it.
mutate spilled.json "
k = j['modules'][0]['kernels'][0]
k['spill_load_bytes'] = 8
j['modules'][0]['key'] = 'other'
j['modules'][1]['kernels'][0]['registers'] = 33"
try diff --static "$small" spilled.json --junit static.xml
code 1
says WORSE "0 → 8" "32 → 33" "regression"
try diff --static "$small" spilled.json --fail-over 5% --json
code 1
holds "j['schema'] == 'nvfp4-prof/diff-static/1' and j['regressions'] >= 1"
holds "all(not p['quantities']['registers']['regression'] for p in j['pairs'])"
"$python" -IS -c "import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])" static.xml || bad "static.xml is no XML"
try diff --static "$small" "$small" --markdown
code 0
says "no regression" "<details>"

# What it refuses.
try diff "$small"
refuses 2 "diff takes two runs"
try diff "$small" nowhere.json
refuses 3 nowhere.json
echo '{' >broken.json
try diff broken.json "$small"
refuses 2 broken.json
try diff "$small" "$small" --fail-over fast
refuses 2 "--fail-over fast"
try diff "$small" "$small" --metric inst_exectued
refuses 2 inst_exectued
try diff "$small" "$small" --select nothing
refuses 2 "--select: variant nothing is not in the run"
try diff "$small" "$small" --static --metric time
refuses 2 --static
try diff "$small" "$small" --markdown --json
refuses 2 --markdown
try diff "$small" "$small" --junit /nonexistent/junit.xml
code 3
complains /nonexistent/junit.xml
try diff "$small" "$small" --select cuda-0-naiv
refuses 2 "--select: variant cuda-0-naiv is not in the run; did you mean"

# Two chips are no two builds.
"$python" -IS -c "
import json, sys
j = json.load(open(sys.argv[1]))
j['device']['name'] = 'NVIDIA H100 PCIe'
open('other-chip.json', 'w').write(json.dumps(j))" "$small"
try diff "$small" other-chip.json
refuses 2 "the runs are of NVIDIA H200 and NVIDIA H100 PCIe, and diff compares builds on one chip" "nvfp4-prof report A B" --raw
try diff "$small" other-chip.json --raw
code 0
says "The GPUs differ"

# Runs without times were not compared; nor was code that grew where its instructions are not known.
"$python" -IS - "$small" <<'PY' || bad "no runs were made"
import json, sys
j = json.load(open(sys.argv[1]))
for r in j["results"]:
    r["timing"]["samples_ns"] = []
open("untimed.json", "w").write(json.dumps(j))
j["results"] = j["variants"] = j["modules"] = []
open("none.json", "w").write(json.dumps(j))
j = json.load(open(sys.argv[1]))
for m in j["modules"]:
    m["cubin_bytes"] = 10000
    for k in m["kernels"]:
        k.pop("sass", None)
open("lean.json", "w").write(json.dumps(j))
for i, m in enumerate(j["modules"]):
    m["cubin_bytes"] = 10700
    m["key"] = "another%d" % i
open("grown.json", "w").write(json.dumps(j))
PY
try diff untimed.json untimed.json
refuses 3 "no run has times"
# A run without results, or a file that is not there, is exit code 3.
for command in "diff none.json none.json" "history none.json" "diagnose none.json" \
  "project none.json --to b200" "merge gone.json" "history gone.json" "diagnose gone.json"; do
  # shellcheck disable=SC2086 # words
  try $command
  code 3
done
try diff --static lean.json grown.json --fail-over 5% --json
code 1
holds "j['regressions'] >= 1"
complains "lack SASS, so their cubin sizes are compared"
try diff --static lean.json grown.json --fail-over 8%
code 0
try diff --static lean.json lean.json
code 0
[ -s "$err" ] && bad "the same code needs no other measure: $(cat "$err")"

# Runs without a kernel in common: nothing was compared, and nothing has passed.
"$python" -IS - "$small" <<'PY' || bad "no run was made"
import json, sys
j = json.load(open(sys.argv[1]))
for i, v in enumerate(j["variants"]):
    v["id"] = "other%d" % i
for i, m in enumerate(j["modules"]):
    m["key"] = "another%d" % i
    for k in m["kernels"]:
        k.pop("sass", None)
for s in j["sources"]:
    s["text"] = "other code"
open("others.json", "w").write(json.dumps(j))
PY
for static in "" --static; do
  # shellcheck disable=SC2086 # none is no word
  try diff $static "$small" others.json --fail-over 3%
  code 1
  says "nothing was compared"
done
try report "$small" others.json --out both
code 0
says "No kernel has a time in both runs, so nothing is compared."
grep -q "mean B / A" "$out" && bad "a table of nothing"
finish
