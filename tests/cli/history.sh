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
    json.dump(j, open(path, "w"))
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
try history runs --csv --metric inst_executed --variant cuda-2-intrinsics --shape 7168x16384x1
code 0
says "created,git,device,variant,m,k,l,inst_executed,step_ratio,same_code"
[ "$(wc -l <"$out")" = 6 ] || bad "not one row a run: $(wc -l <"$out")"

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
refuses 3 --variant
try history runs/a.json --csv --json
refuses 2 --csv

# The chart: its sources always, pictures where there is gnuplot.
rm runs/broken.json
NVFP4_GNUPLOT=/nonexistent/gnuplot try history runs --chart chart
code 0
complains "was not found"
for file in history.gp history.dat; do
  [ -s "chart/$file" ] || bad "there is no chart/$file"
done
grep -q '@' chart/history.gp && bad "the template was not filled whole"
# A disk that fills up while gnuplot draws: it ends with 0 and half a picture, which gets no name.  What a killed run left goes.
cat >half-gnuplot <<'SH'
#!/bin/bash
eval "$3"
printf '<svg><text>' >"$out.svg"
printf '\x89PNG\r\n' >"$out.png"
SH
chmod +x half-gnuplot
mkdir half
sleep 0 &
dead=$!
wait "$dead"
touch "half/.history.$dead.tmp.svg" "half/.history.$$.tmp.png" half/.history.mine.tmp.svg
NVFP4_GNUPLOT=$PWD/half-gnuplot try history runs --chart half
code 0
complains "could not be written whole"
left=$(cd half && echo .history.* ./*.svg ./*.png)
[ "$left" = ".history.$$.tmp.png .history.mine.tmp.svg ./*.svg ./*.png" ] || bad "in the folder are $left"
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
