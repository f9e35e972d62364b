# index.html is whole, leads nowhere but into itself, and can be read by those who do not see it; report takes formats, a selection, notes, and
# two runs.
# shellcheck shell=bash
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cli/lib.sh
source "$here/lib.sh"
run=$(fixture_run)

page() { # page FILE: nothing is wrong with it
  "$python" "$here/html_page.py" "$1" >"$work/faults" && return
  bad "$1:"
  show "$work/faults"
}

holds() { # holds FILE TEXT...
  local file=$1 text
  shift
  for text; do
    grep -qF -- "$text" "$file" || bad "$file lacks \"$text\""
  done
}

lacks() { # lacks FILE TEXT...
  local file=$1 text
  shift
  for text; do
    grep -qF -- "$text" "$file" && bad "$file holds \"$text\""
  done
}

mkdir notes
printf '%s\n\n' 'Why *this*: <b>bytes</b>.' '- a < b' >notes/cuda-2-intrinsics.md
cp notes/cuda-2-intrinsics.md before
try report "$run" --select cuda,wrong --notes notes --charts all --out one
code 0
page one/index.html
holds one/index.html "runs at" "<ins>+ " "<del>- " '<p>Why <em>this</em>: &lt;b&gt;bytes&lt;/b&gt;.</p>' "CONFIRMED" \
  'id="step-cuda-2-intrinsics"' "(measured)"
holds one/index.html "<dt>how close</dt>" "<dt>next</dt>" "What binds it now" "Predicted against measured" "promised against gained, by rule" \
  "aimed at ["
holds one/worklog.md "Goal: " "### Tried and left" "### Lesson" '```diff' "Predicted: time < 0.5x held; "
holds one/results.csv ",model_us," ",advice_first,"
# What the charts say: cycles with a rest, one memory roof and the share of it.
holds one/stalls.dat "cuda-2-intrinsics: branch resolving " "cuda-4-tuned: other " " cycles"
holds one/roofline.dat " TFLOP/s, 55 % of the roof" '"6 fused 55 %"' '"0 naive 0.40 %"' # 13.77 µs of 24.82, and of 3405
holds one/roofline.gp "array roof[kinds * panels] = [4.8, 0, 0, 4.8, 0, 0, 4.8, 0, 0]" "fp32 FMA, 66.4 TFLOP/s"
holds one/climb.dat '"27.4 µs · 50 % · +5.4 pp"'
lacks one/roofline.gp ", above"
# Rungs that lie close below the memory roof have the height to themselves; the flat roof is above it.
try report "$run" --select 'cuda-4*,cuda-5*,cuda-6*' --charts all --out close
code 0
holds close/roofline.gp "fp32 FMA, 66.4 TFLOP/s, above"
lacks one/index.html cute-0-template "<script"
holds one/worklog.md 'Why *this*: <b>bytes</b>.' "✗ slower"
"$python" "$here/chart_labels.py" one/roofline.gp >"$work/faults" || { bad "labels without room:" && show "$work/faults"; }
cmp -s before notes/cuda-2-intrinsics.md || bad "the note was changed"
[ "$(ls notes)" = cuda-2-intrinsics.md ] || bad "something was written beside the notes"
if command -v gnuplot >/dev/null; then
  for chart in climb roofline stalls; do holds one/index.html "id=\"chart-$chart\""; done
  for chart in climb roofline stalls; do
    [ -s "one/$chart.png" ] || bad "one/$chart.png is not there"
    lacks "one/$chart.svg" onmousemove
    (cd one && rm "$chart.svg" && gnuplot "$chart.gp" 2>"$work/gnuplot" && [ -s "$chart.svg" ]) || bad "$chart.gp cannot be redrawn"
    [ -s "$work/gnuplot" ] && bad "gnuplot complains of $chart.gp" && show "$work/gnuplot"
  done
fi

NVFP4_GNUPLOT=no-such-gnuplot try report "$run" --select 'cuda-[01]*,cuda-0*,7168x2048x4' --out none
code 2
complains "--select" "cuda-[01]* is not in the run"
NVFP4_GNUPLOT=no-such-gnuplot try report "$run" --select 'cuda-0*,7168x2048x4' --out none
code 0
complains "no-such-gnuplot was not found"
page none/index.html
holds none/index.html "The charts could not be drawn" "7168×2048×4"
lacks none/index.html "<svg" "7168×16384×1"
for file in none/climb.gp none/climb.dat; do
  [ -s "$file" ] || bad "$file is not there"
done

try report "$run" --select cuda --format md --out md
code 0
[ "$(ls md)" = worklog.md ] || bad "--format md wrote $(ls md)"
try report "$run" --format md,pdf --out md
code 2
complains "--format pdf: must be a list of md, html, csv, json, plots, or all"
try report "$run" --notes absent --out md
code 2
complains "--notes absent: there is no such folder"
try report "$run" --notes md --out md
code 2
complains "is the report's own folder"
try report "$run" --select 1x1x1 --out md
code 2
complains "--select: variant 1x1x1 is not in the run, which holds cuda"

# Controls only: nothing climbs, and no chart is missing.
try report "$here/../golden/planted.json.gz" --out controls
code 0
page controls/index.html
holds controls/index.html "<h1>Controls</h1>" "The run holds no ladder"
lacks controls/index.html "Charts were not asked for"

# A run against itself: every ratio is 1, and nothing changed.
try report "$run" "$run" --select cuda --out two
code 0
says "B / A" "no measurable change"
page two/index.html
holds two/index.html "<td class=\"num dim\">1.000</td>" "<h2>7168×2048×4</h2>" "from two run files"
lacks two/index.html "<td class=\"num bad\">1.000</td>"
holds two/worklog.md "## 7168×2048×4" "- A: measured on NVIDIA H200"
lacks two/worklog.md "B faster" "B slower"
holds two/results.csv "cuda-0-naive,7168,16384,1,"
# All times 1.2 % longer are a clock and no kernel, as diff has it; one that is 20 % longer leads its table.
"$python" -c 'import gzip, json, sys
d = json.load(gzip.open(sys.argv[1]))
for r in d["results"]:
    slow = 1.2 if d["variants"][r["variant"]]["id"] == "cuda-6-fused" else 1.012
    r["timing"]["samples_ns"] = [slow * x for x in r["timing"].get("samples_ns", [])]
open("slower.json", "w").write(json.dumps(d))' "$run"
try diff "$run" slower.json
code 1
try report "$run" slower.json --select cuda --out three
code 0
[ "$(grep -c "B slower" "$out")" = 3 ] || bad "$(grep -c "B slower" "$out") rows are slower, not those of cuda-6-fused at 3 shapes"
grep -A 4 '^7168×16384×1' "$out" | grep -q "^cuda-6-fused.*B slower" || { bad "what changed does not come first" && show "$out"; }
try report "$run" "$run" --select cuda-0-naive --out two --json
"$python" -c 'import json, sys
rows = json.load(sys.stdin)["rows"]
mine = [r for r in rows if r["variant"] == "cuda-0-naive"]
assert len(mine) == 3 and all(r["ratio"] == 1 and r["same"] for r in mine), mine' <"$out" || bad "the rows of --json"
try report "$run" "$run" --notes notes --out two
code 2
complains "--device and --notes are for the report of one run"
try report "$run" "$run" "$run"
code 2
complains "report takes one run file, or two"

finish
