#!/usr/bin/env bash
# What a command leaves on disk, prints and returns for a small run: each form of its output, and that one form leaves the others out.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
ln -s "$(realpath "$(dirname "$0")/../golden/small.json")" s.json
import=$(realpath "$(dirname "$0")/../import")
export NVFP4_GNUPLOT=/nonexistent/gnuplot
files() { (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tr '\n' ' '); }
leaves() { # leaves FOLDER NAME...: these files and no others
  local folder=$1
  shift
  [ "$(files "$folder")" = "$* " ] || bad "$folder holds $(files "$folder")"
}
ends_with() { # ends_with TEXT: the last line on stderr
  [ "$(tail -n 1 "$err")" = "$1" ] || bad "the last line on stderr: $(tail -n 1 "$err")"
}
rows() { # rows N PATTERN: so many lines of stdout
  local n
  n=$(grep -cE -- "$2" "$out")
  [ "$n" = "$1" ] || bad "$n lines are like $2, not $1"
}

# A report of a run that is there: 4, since a kernel of it failed; the run itself is not copied.
try --run s.json --no-plots --out one
code 4
leaves one .nvfp4-prof.files findings.json.gz index.html results.csv worklog.md
ends_with "nvfp4-prof: report written to one"
complains "this NVIDIA H200 has memory of 3201 MHz and 6144 bit"
cp "$out" answer
try report s.json --no-plots
code 4
leaves report .nvfp4-prof.files findings.json.gz index.html results.csv worklog.md
ends_with "nvfp4-prof: report written to report"
cmp -s "$out" answer || bad "report and --run answer differently"
rm -r report
for format in csv md json "csv, md"; do
  try report s.json --format "$format" --out formats
  [ "$rc" = 4 ] || [ "$format" = "csv, md" ] || bad "exit code $rc"
  case $format in
    csv) leaves formats .nvfp4-prof.files results.csv ;;
    md) leaves formats .nvfp4-prof.files worklog.md ;;
    json) leaves formats .nvfp4-prof.files findings.json.gz ;;
  esac
done
try report s.json --format cvs
refuses 2 "--format" csv
try --run s.json --out -
code 4
[ -e ./- ] || [ -e report ] && bad "a folder was written"
[ "$(wc -l <"$err")" = 1 ] || bad "stderr speaks of more than the card: $(cat "$err")"
cmp -s "$out" answer || bad "the answer is another without a folder"
try --run s.json --json --out -
code 4
holds "j['origin'] == 'measured' and len(j['findings']) > 10"
[ -s "$err" ] && bad "data beside words: $(cat "$err")"
try --run s.json --csv --out -
rows 1 '^variant,ladder,parent'

[ "$(wc -l <"$out")" = 15 ] || bad "not a row per result"
[ -s "$err" ] && bad "data beside words: $(cat "$err")"
try --run s.json --md --out -
rows 1 '^\*\*7168×16384×1'
try --run s.json -q --out -
says_not "cuda-1-coalesced  " "─"
grep -q '^fastest ' "$out" || bad "no answer"
try --run s.json --table --shape 7168x16384x1 --out -
rows 1 '^cuda-1-coalesced '
rows 1 '^control-read '
order() { # order FIRST SECOND: which row comes first
  [ "$(grep -oE "^($1|$2) " "$out" | head -n 1)" = "$1 " ] || bad "$2 stands before $1"
}
order cuda-0-naive cuda-2-intrinsics
try --run s.json --sort time --shape 7168x16384x1 --out -
order cuda-2-intrinsics cuda-0-naive
try --run s.json --sort name --shape 7168x16384x1 --out -
order cuda-0-naive cuda-2-intrinsics
try --run s.json --table --out -
rows 1 '^4096×7168×8|^7168×16384×1: '
try --run s.json --all-shapes --out -
rows 2 '^(4096×7168×8|7168×16384×1): measured'
try --run s.json --brief --out -
[ "$(wc -c <"$out")" -le 4096 ] || bad "more than 4 KB"
says "remedy:"
try --run s.json --brief --json --out -
holds "j['schema'] == 'nvfp4-prof/brief/1' and j['kernels'][0]['time_s'] <= j['kernels'][-1]['time_s']"

# Words: a file, a list of variants, either order, never two.
try diagnose s.json cuda-2-intrinsics --shape 7168x16384x1
code 0
cp "$out" diagnosis
try diagnose cuda-2-intrinsics s.json --shape 7168x16384x1
cmp -s "$out" diagnosis || bad "the order of the words counts"
try diagnose s.json --variant cuda-2-intrinsics --shape 7168x16384x1 --lines 1
rows 1 'long_scoreboard 83 % .* half2 p'
rows 0 'HFMA2.*for \(|^ .* 28 .*sum'
for command in diagnose annotate; do
  try $command s.json s.json cuda-2-intrinsics
  refuses 2 "$command takes one run file and one list of variants: nvfp4-prof $command run.json X,Y"
  try $command s.json cuda-0-naive cuda-2-intrinsics
  refuses 2 "$command takes one run file and one list of variants"
  try $command s.json
  refuses 2 "which variant? s.json holds 5: --variant ID"
  try $command x.gz
  refuses 3 "x.gz: cannot be opened"
  try $command x.json
  refuses 3 "x.json: cannot be opened"
done
cp s.json .gz
try diagnose .gz
refuses 2 "which variant? .gz holds 5"
try explain s.json --ladder cuda
code 0
says "cuda-0-naive → cuda-1-coalesced"

# Exports: each to its own file, or one to stdout; JSON says what was written.
try export s.json --csv a.csv --trace t.json --metrics m.csv --folded f.txt
code 0
[ "$(cat "$err")" = "nvfp4-prof: trace: 120 launches in t.json
nvfp4-prof: csv: 14 results in a.csv
nvfp4-prof: metrics: 162 counters in m.csv
nvfp4-prof: folded: 8 stacks in f.txt" ] || bad "$(cat "$err")"
[ -s "$out" ] && bad "it prints"
[ "$(wc -l <a.csv) $(wc -l <m.csv) $(wc -l <f.txt)" = "15 163 8" ] || bad "lines: $(wc -l a.csv m.csv f.txt)"
holds "len([x for x in j['traceEvents'] if x['ph'] == 'X']) == 120" t.json
for what in csv metrics folded trace; do
  try export s.json --$what -
  code 0
  complains " in stdout"
  case $what in csv) cmp -s "$out" a.csv ;; metrics) cmp -s "$out" m.csv ;; folded) cmp -s "$out" f.txt ;; trace) cmp -s "$out" t.json ;; esac ||
    bad "stdout is not the file"
done
[ -e ./- ] && bad "a file - was written"
try export s.json --csv b.csv --folded g.txt --json
code 0
holds "j == [{'what': 'csv', 'file': 'b.csv', 'n': 14, 'of': 'results'}, {'what': 'folded', 'file': 'g.txt', 'n': 8, 'of': 'stacks'}]"
[ -s "$err" ] && bad "it speaks, too"
try export s.json --csv absent/a.csv
refuses 3 "absent/a.csv"

# A kernel to take home: a file, a folder that is made, stdout; its head names the file.
try export-kernel cuda-4-tuned --shape 128x256x1 -o home/deep
code 0
leaves home deep/cuda-4-tuned-128x256x1.cu
ends_with "nvfp4-prof: cuda-4-tuned is in home/deep/cuda-4-tuned-128x256x1.cu; the comment at its head says how to compile, use and test it"
grep -q -- '-c cuda-4-tuned-128x256x1.cu$' home/deep/*.cu || bad "its head names another file"
try export-kernel cuda-4-tuned --shape 128x256x1 -o home/my.cu
code 0
grep -q -- '-o test my.cu && ./test$' home/my.cu || bad "its head names another file: $(grep 'o test' home/my.cu)"
grep -q "^/\* cuda-4-tuned of nvfp4-prof .*, at 128x256x1, for sm_90a with 132 multiprocessors" home/my.cu || bad "$(head -n 1 home/my.cu)"
try export-kernel cuda-4-tuned --shape 128x256x1 -o -
code 0
[ -s "$err" ] && bad "it speaks"
rows 1 'o test cuda-4-tuned-128x256x1.cu && ./test$'
try export-kernel cuda --shape 128x256x1
code 0
ends_with "nvfp4-prof: cuda-6-fused is in ./cuda-6-fused-128x256x1.cu; the comment at its head says how to compile, use and test it"
try export-kernel cuda-0-naive --shape 128x256x1 -o first
code 0
[ -s first/cuda-0-naive-128x256x1.cu ] || bad "the first rung of a ladder: $(files first)"
try export-kernel cuda-4-tuned --shape 128x256x1,128x512x1 -o home/two.cu
refuses 2 "--out home/two.cu is one file for 2 shapes; name a folder, or one shape"

# Files that cannot be read are named and left out, 4; where there is no other, 3, and once.
try history s.json absent.json --csv
code 4
[ "$(cat "$err")" = "nvfp4-prof: left out: absent.json: cannot be opened: No such file or directory" ] || bad "$(cat "$err")"
rows 1 '^created,git,device,variant'
try history absent.json
refuses 3 "nvfp4-prof: absent.json: cannot be opened"
try history absent.json gone.json
code 3
[ "$(cat "$err")" = "nvfp4-prof: left out: absent.json: cannot be opened: No such file or directory
nvfp4-prof: gone.json: cannot be opened: No such file or directory" ] || bad "$(cat "$err")"
try history s.json --metric nothing
refuses 2 nothing
try history s.json --shape 128x64x1
refuses 3 "no run holds time for this selection: check --variant and --shape"
try history s.json --json
holds "j"
try merge s.json absent.json --csv
code 2
complains "left out: s.json: it has two results of cuda-0-naive: merge reads what attach writes" "left out: absent.json: cannot be opened" \
  "no file of a rank is left to merge"
[ -e merged.json ] && bad "nothing was merged, and a file is there"

# Comparisons: 0, or 1 where something is worse; a junit.xml that cannot be written keeps nothing from being printed.
"$python" -IS - <<'PY'
import json
j = json.load(open("s.json"))
for r in j["results"]:
    if j["variants"][r["variant"]]["id"] == "cuda-2-intrinsics":
        r["timing"]["samples_ns"] = [1.5 * t for t in r["timing"].get("samples_ns", [])]
        j["modules"][r["module"]]["key"] = "another"
open("slow.json", "w").write(json.dumps(j))
PY
try diff s.json s.json
code 0
rows 0 '^cuda-2-intrinsics'
try diff s.json s.json --all
code 0
rows 2 '^cuda-2-intrinsics '
for how in "" --json --markdown; do
  # shellcheck disable=SC2086 # an option or none
  try diff s.json slow.json $how --junit junit.xml
  code 1
  case $how in
    --json) holds "j" ;;
    --markdown) grep -q '^|.*cuda-2-intrinsics' "$out" || bad "no row" ;;
    *) grep -q '^cuda-2-intrinsics.*SLOWER' "$out" || bad "no row" ;;
  esac
  grep -q '<failure' junit.xml || bad "junit.xml holds no failure"
done
try diff slow.json s.json
code 0
try diff s.json slow.json --fail-over 60%
code 0
try diff s.json slow.json --fail-over 40%
code 1
try diff s.json slow.json --select cuda-0-naive
code 0
try diff s.json slow.json --select nothing
refuses 3 "--select: variant nothing is not in the run, which holds cuda, control, wrong"
try diff s.json slow.json --shape 128x64x1
refuses 3 "--shape: neither run has this shape"
try diff s.json slow.json --junit absent/junit.xml
code 3
complains "absent/junit.xml: cannot be written"
grep -q '^cuda-2-intrinsics.*SLOWER' "$out" || bad "nothing was printed"
try diff s.json slow.json --metric time,dram_bytes --json
code 1
holds "'dram_bytes' in json.dumps(j)"

# What cannot be printed is 3, whatever came out; what was refused stays what it is.
what="a full disk"
for command in list "sol" "diff s.json s.json" "diff s.json slow.json" "--run s.json --out -"; do
  # shellcheck disable=SC2086 # words
  "$NVFP4_PROF" $command >/dev/full 2>"$err" </dev/null
  rc=$?
  code 3
  ends_with "nvfp4-prof: stdout could not be written"
done
"$NVFP4_PROF" list nosuch >/dev/full 2>"$err" </dev/null
rc=$?
code 2

# Imports: how many kernels, where to, and what was not used.
try import ncu "$import/raw-auto.csv" --out three.json
code 0
complains "nvfp4-prof: 3 kernels imported into three.json"
says_not "Not used from the files"
try import ncu "$import/raw-auto.csv" --kernel 'void axpy*' --unused
code 0
complains "2 kernels imported into run.json"
says "Not used from the files: " smsp__warps_active.avg.per_cycle_active
[ "$(sed -n 's/^Not used from the files: //p' "$out")" = "$(sed '1,/^Not used from/d' "$out" | wc -l)" ] || bad "the number of names"
try import ncu three.json
code 2
try import nvbench "$import/nvbench.json" --out bench.json --report bench --no-plots
code 0
complains "4 kernels imported into bench.json" "report written to bench"
try import ncu "$import/nvbench.json"
refuses 2 "is nvbench's JSON: use nvfp4-prof import nvbench"
try import nvbench "$import/raw-auto.csv"
refuses 2 "is not nvbench's JSON: run the benchmark with --json or --jsonbin FILE.json"

try kit -o out.tar extra
refuses 2 "kit takes no argument 'extra'; did you mean --variant extra?"
try kit
refuses 2 "kit takes the file to write: nvfp4-prof kit --target sm_90a -o kit.tar"
finish
