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

# One variant with its controls; the card as it was told, or another that it is not; the conditions that it was measured under.
try --run s.json --variant cuda-0-naive --csv --out -
code 0 # the variant that failed was not asked for
[ "$(cut -d, -f1 "$out" | uniq | tr '\n' ' ')" = "variant cuda-0-naive control-read control-null " ] || bad "rows of $(cut -d, -f1 "$out" | uniq)"
try --run s.json --device h200 --out -
[ -s "$err" ] && bad "the card is doubted although it was named: $(cat "$err")"
for command in "report s.json --out -" "--run s.json --out -" "diagnose s.json cuda-0-naive" "explain s.json"; do
  # shellcheck disable=SC2086 # words
  try $command --device b200
  code 2
  complains "--device b200: the run was measured on NVIDIA H200, and another chip's ceilings do not fit its counters" \
    "to project its times to that chip: nvfp4-prof project RUN --to b200"
done
# One result suffices to say where a run was measured.
"$python" -IS -c 'import json
j = json.load(open("s.json"))
json.dump({**j, "results": j["results"][:1]}, open("one.json", "w"))'
try explain one.json --device b200
refuses 2 "--device b200: the run was measured on NVIDIA H200"
try --run s.json --l2 warm
refuses 2 "--l2 warm: the run was measured with L2 cold"
try --run s.json --inputs extreme
refuses 2 "--inputs extreme: the run was measured with the inputs default"
try --run s.json --seed 2
refuses 2 "--seed 2: the run was measured with seed 1"
try --run s.json --seed 1 --l2 cold --inputs default --out -
code 4

# Lines with samples, and why there are none; scores of what was asked for.
try annotate s.json cuda-2-intrinsics
code 0
rows 1 '^cuda-2-intrinsics at 7168x16384x1$'
rows 1 'half2 p = __hmul2'
try annotate s.json cuda-2-intrinsics --shape 4096x7168x8
[ "$(cat "$out")" = "cuda-2-intrinsics at 4096x7168x8
no samples at its lines: no PC samples were taken" ] || bad "$(cat "$out")"
try annotate s.json cuda-2-intrinsics --shape 64x64x1
refuses 2 "--variant cuda-2-intrinsics was not measured at this --shape"
try diagnose s.json --score
says "4 labelled steps: " "cuda-1-coalesced" "cuda-2-intrinsics"
try diagnose s.json --score --variant cuda-1-coalesced
code 0
says "2 labelled steps: "
says_not "cuda-2-intrinsics"
try diagnose s.json --score --variant cuda-1-coalesced --json
holds "j['schema'] == 'nvfp4-prof/score/1' and j['steps'] == 2"
try diagnose s.json --score --labels cures --json
holds "{e['child'] for e in j['entries']} <= {'cuda-1-coalesced', 'cuda-2-intrinsics', 'cuda-2-side'}"
try diagnose s.json --ledger
refuses 2 "unknown option '--ledger'; nvfp4-prof diagnose --help lists them"

# Exports: each to its own file, or one to stdout.
try export s.json --csv a.csv --trace t.json --metrics m.csv
code 0
[ "$(cat "$err")" = "nvfp4-prof: trace: 120 launches in t.json
nvfp4-prof: csv: 14 results in a.csv
nvfp4-prof: metrics: 162 counters in m.csv" ] || bad "$(cat "$err")"
[ -s "$out" ] && bad "it prints"
[ "$(wc -l <a.csv) $(wc -l <m.csv)" = "15 163" ] || bad "lines: $(wc -l a.csv m.csv)"
holds "len([x for x in j['traceEvents'] if x['ph'] == 'X']) == 120" t.json
for what in csv metrics trace; do
  try export s.json --$what -
  code 0
  complains " in stdout"
  case $what in csv) cmp -s "$out" a.csv ;; metrics) cmp -s "$out" m.csv ;; trace) cmp -s "$out" t.json ;; esac ||
    bad "stdout is not the file"
done
[ -e ./- ] && bad "a file - was written"
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
try history s.json absent.json
code 4
[ "$(cat "$err")" = "nvfp4-prof: left out: absent.json: cannot be opened: No such file or directory" ] || bad "$(cat "$err")"
rows 1 '^median time over 1 runs'
try history absent.json
refuses 3 "nvfp4-prof: absent.json: cannot be opened"
try history absent.json gone.json
code 3
[ "$(cat "$err")" = "nvfp4-prof: left out: absent.json: cannot be opened: No such file or directory
nvfp4-prof: gone.json: cannot be opened: No such file or directory" ] || bad "$(cat "$err")"
try history s.json --metric nothing
refuses 2 nothing
try history s.json --shape 128x64x1
refuses 2 "no run holds time for this selection: check --variant and --shape"
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
refuses 2 "--select: variant nothing is not in the run, which holds cuda, control, wrong"
try diff s.json slow.json --shape 128x64x1
refuses 2 "--shape: neither run has this shape"
try diff s.json slow.json --junit absent/junit.xml
code 3
complains "absent/junit.xml: cannot be written"
grep -q '^cuda-2-intrinsics.*SLOWER' "$out" || bad "nothing was printed"
try diff s.json s.json --metric a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q
refuses 2 "--metric takes at most 16 metrics"
try diff s.json s.json --metric time,time,time,time,time,time,time,time,time,time,time,time,time,time,time,time,time
code 0
try diff s.json s.json --metric nosuch
refuses 2 "--metric nosuch: no result has it"
try diff s.json s.json --static --json
code 0
holds "j['schema'] == 'nvfp4-prof/diff-static/1'"
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

# Two runs side by side: a folder, the table or JSON, and no notes, chip or stdout.
try report s.json s.json --out two
code 0
leaves two .nvfp4-prof.files index.html results.csv worklog.md
ends_with "nvfp4-prof: report written to two"
rows 1 '^A: measured on NVIDIA H200'
rows 1 '^B: measured on NVIDIA H200'
try report s.json s.json --out two --json --format csv
code 0
holds "j['schema'] == 'nvfp4-prof/pair/1' and all(r['ratio'] == 1 and r['same'] for r in j['rows'] if r['ratio'])"
try report s.json s.json --select nothere --out none
refuses 2 "s.json: --select: variant nothere is not in the run, which holds cuda, control, wrong"
[ -e none ] && bad "a folder is left"
for option in --device=h200 --notes=.; do
  try report s.json s.json $option --out none
  refuses 2 "--device and --notes are for the report of one run, and two are given"
done

# Another chip.
try project s.json --to b200
code 0
rows 1 '^measured on NVIDIA H200'
says "Projected to NVIDIA B200: geometric means over 2 shapes"
says_not "speed of light"
try project s.json --to b200 --json
holds "j['schema'] == 'nvfp4-prof/project/1' and len(j['rungs'][0]['shapes']) == 2"
try project s.json --to b200 --ladder ours
refuses 2 "ladder ours is not in the run, which holds cuda, control"
try project s.json --to nowhere
refuses 2 "nvfp4-prof: unknown device 'nowhere'; known: a100-40, a100-80-pcie, a100-80, b200, b300, gb200, h100-pcie, h100, h200, l40s, rtx-4090, rtx-5090, rtx-pro-6000; or give the path of a device .json"

# A chart without gnuplot is its data and a sentence.
try history s.json s.json --chart charts
code 0
leaves charts history.dat history.gp
ends_with "nvfp4-prof: /nonexistent/gnuplot was not found: history.gp and .dat are written; install gnuplot-nox (apt) and run \`gnuplot history.gp\` there"
try history s.json --chart /dev/null/x
code 3

# Lists: a row each, under a head, in every form.
while read -r list lines head; do
  try list "$list" --csv
  code 0
  [ "$(head -n 1 "$out" | tr -d '\r')" = "$head" ] || bad "the head: $(head -n 1 "$out")"
  [ "$(wc -l <"$out")" -ge "$lines" ] || bad "$(wc -l <"$out") lines"
  csv=$(wc -l <"$out")
  try list "$list" --json
  holds "list(j) == ['$list'] and len(j['$list']) >= $lines - 1 and ','.join(j['$list'][0]) == '$head'"
  try list "$list" --markdown
  code 0
  [ "$list" = ladders ] || rows $((csv + 1)) '^\|'
done <<'LISTS'
variants 100 variant,ladder,parent,change,published
ladders 7 ladder,rungs,sides,first,last
shapes 10 set,shape,minimal_bytes,mflop
devices 14 device,name,arch,sms,clock_mhz,l2_mb,dram_datasheet_tb_s,dram_driver_tb_s
metrics 100 metric,group,unit,cupti,text
LISTS
try list
cp "$out" variants
"$NVFP4_PROF" list >"$out" 2>"$err" <&- # a caller that closed stdin is answered
rc=$?
code 0
cmp -s "$out" variants || bad "without stdin list prints something else"
try list variants
cmp -s "$out" variants || bad "list does not list variants"
try sol --csv
rows 10 .
rows 3 ,datasheet,
rows 0 ,given,
try sol --csv --bandwidth 7.7
rows 13 .
rows 3 '7.700,given'
try sol --device h200 --shape 128x256x1 --json
holds "j['device'] == 'h200' and [(r['shape'], r['origin'], r['minimal_bytes']) for r in j['sol']][0] == ('128x256x1', 'datasheet', 18832) and abs(j['sol'][0]['minimal_s'] - 18832 / 4.8e12) < 1e-15 and j['sol'][0]['decode_s'] is None"
# 128 * 256 multiply-adds on 132 SMs of 127 lanes a cycle at 1980 MHz; a B200 converts, two values a lane.
holds "0.98e-9 < j['sol'][0]['ffma_s'] < 0.99e-9"
try sol --shape 128x256x1 --json
holds "0 < j['sol'][0]['decode_s'] < j['sol'][0]['ffma_s'] * 4"

# A file to start from: its name is the variant's, wherever it lies.
try new absent/b.cu
refuses 3 "absent/b.cu: No such file or directory"
mkdir own
for problem in generic gemv; do
  try new own/$problem.cu --problem $problem
  code 0
  grep -q '@NAME@' own/$problem.cu && bad "a name is left open"
  grep -qx "//! id:  *$problem" own/$problem.cu || bad "its id: $(grep 'id:' own/$problem.cu)"
done
for name in own/.cu .cu own/ ''; do
  try new "$name"
  refuses 2 "the name is the variant's id"
done
try new
code 2
try help dif
refuses 2 "unknown command 'dif'; did you mean 'diff'? nvfp4-prof --help lists them"
try help xyzzyxyzzy
refuses 2 "unknown command 'xyzzyxyzzy'; nvfp4-prof --help lists them"

try kit -o out.tar extra
refuses 2 "kit takes no argument 'extra'; did you mean --variant extra?"
try kit
refuses 2 "kit takes the file to write: nvfp4-prof kit --target sm_90a -o kit.tar"
finish
