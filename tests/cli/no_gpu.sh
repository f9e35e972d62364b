#!/usr/bin/env bash
# A machine without a GPU: the recorded run is analysed, the rungs are compiled for sm_100a, and the first line says so.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
shipped=$(shipped_report) || exit

try --variant cuda-2-intrinsics,cuda-6-fused --no-plots --no-sass
code 0
head -n 1 "$out" | grep -q '^recorded on NVIDIA H200' || bad "the first line: $(head -n 1 "$out")"
says "libcuda.so.1 was not found" "recorded on NVIDIA H200" "nothing here was measured on this machine" "inputs default; not measured here" "No GPU here (" \
  "compiled here for sm_100a with NVRTC" "2 variants, 0 failed" cuda-2-intrinsics cuda-6-fused
says_not control-read "were searched" cuda-0-naive # doctor says where the driver was looked for; what was not asked for is not listed
for file in findings.json.gz results.csv worklog.md run.json.gz; do
  [ -s "report/$file" ] || bad "there is no report/$file"
done
complains "report written to report"
holds "j['origin'] == 'recorded'" report/run.json
holds "{'cuda-2-intrinsics', 'cuda-6-fused', 'control-read'} <= {j['variants'][r['variant']]['id'] for r in j['results']}" report/run.json
holds "{v['ladder'] for v in j['variants']} == {'cuda', 'control'}" report/run.json

try --variant cuda-2-intrinsics --no-plots --no-sass --json --out json
code 0
holds "j"

# Of what was compiled and not run there is nothing to list; its code can be asked.
try --target sm_100a --variant cuda-2-intrinsics --no-plots --no-sass --out compiled
code 0
try diagnose compiled/run.json
code 0
says "compiled for sm_100a, not run" "next nvfp4-prof diagnose --static --variant cuda-2-intrinsics --target sm_100a"
says_not "was not collected"

# Without NVRTC the recorded run is still there.
what="the report of the shipped run"
ln -s "$shipped/report" nvrtc
cp "$shipped/screen" "$out"
says cuda-0-naive cuda-6-fused control-read "nothing was compiled for sm_100a: libnvrtc"
# The head of the worklog says what to do with its best kernel, or that nothing is left.
grep -q '^- do: ' nvrtc/worklog.md || bad "the head of the worklog: $(head -n 12 nvrtc/worklog.md)"
# What a rung's file notes, what binds it among it, stands at its section of the page.
grep -q '<li>what binds, [^<]*: DRAM' nvrtc/index.html || bad "the page does not say what ours-12-turns notes"
# What is written beside the recorded run stands at its rung's section; beside any run, and in a folder that is named, too.
awk '/^### ours-18/ { at = 1 } /^## / { at = 0 } at' nvrtc/worklog.md | grep -q '^\*\*What binds\.\*\* DRAM' || bad "the worklog lacks recorded/notes/ours-18-turns.md"
grep -q '<b>What binds.</b> DRAM\|<strong>What binds.</strong> DRAM' nvrtc/index.html || bad "the page lacks recorded/notes/ours-18-turns.md"
mkdir -p beside/notes named
cp "$NVFP4_RECORDED" "beside/${NVFP4_RECORDED##*/}"
echo "words of mine" >beside/notes/cuda-6-fused.md
echo "words of another" >named/cuda-6-fused.md
try --run "beside/${NVFP4_RECORDED##*/}" --variant cuda-6-fused --no-plots --out beside-run
code 0
grep -q '^words of mine' beside-run/worklog.md || bad "--run does not read the notes beside the run"
NVFP4_RECORDED=beside/${NVFP4_RECORDED##*/} try --variant cuda-6-fused --notes named --no-plots --no-sass --out named-run
code 0
grep -q '^words of another' named-run/worklog.md || bad "--notes is not read where the recorded run is analysed"
grep -q '^words of mine' named-run/worklog.md && bad "the notes beside the run are read although others were named"
try --variant cuda-6-fused --notes absent --no-plots --no-sass --out absent-run
refuses 2 "--notes absent: there is no such folder"
grep -q 'first advice: no' nvrtc/worklog.md && bad "the worklog speaks of a first advice where there is none"
# Without gnuplot the charts are left as data.
NVFP4_GNUPLOT=/nonexistent/gnuplot try --variant cuda-2-intrinsics --no-sass --out plots
code 0
complains gnuplot
for file in roofline.gp roofline.dat climb.gp climb.dat; do
  [ -s "plots/$file" ] || bad "there is no plots/$file"
done
find plots -name '*.svg' -o -name '*.png' | grep . && bad "a chart without gnuplot"

# A recorded run by its name; a file has a slash or a dot.
try --run h100 --variant cuda-6-fused --shape 7168x2048x4 --no-plots --out by-name
code 0
says "recorded on NVIDIA H100" "not measured here"
try --run h300 --no-plots --out none
refuses 2 "--run h300: no recorded run has this name (there are: h100, h200)"
# A recorded run's name stands for its file in every command, and says that it was recorded.
mkdir h100 # a folder is no file
for asked in "diagnose h100 cuda-4-tuned" "explain h100 cuda-3-ptx-decode cuda-4-tuned" "report h100 --select ours --no-plots --out by-name"; do
  # shellcheck disable=SC2086 # words
  try $asked
  code 0
  says "recorded on NVIDIA H100"
done
says "next nvfp4-prof explain h100 --ladder"
rmdir h100
try annotate h100 cuda-4-tuned
code 0
try --run ./h100 --no-plots --out none
refuses 3 "./h100"

# What was not recorded cannot be shown.
try --variant wrong-nan --shape 64x64x1 --no-plots --out none
refuses 3 "no GPU here" "not measured"
rung mine gemv
try --kernel rungs/mine.cu --no-plots --out none
code 0
complains "no GPU here; compiling for sm_100a only" libcuda.so.1
says "compiled for sm_100a" "my-mine at " "not run; set against"
try --variant cuda-2-intrinsics --l2 warm --no-plots --no-sass --out none
refuses 3 "--l2 warm: the run was measured with L2 cold"
try --variant cuda-2-intrinsics --seed 7 --no-plots --no-sass --out none
refuses 3 "--seed 7: the run was measured with seed 1"
try --variant cuda-2-intrinsics --phases check --no-plots --no-sass --out none
refuses 3 "--phases needs a measurement"
try --variant cuda-2-intrinsics --l2 cold --seed 1 --no-plots --no-sass --out honoured
code 0
try --gpu 0 --no-plots --out none
refuses 3 libcuda.so.1
NVFP4_RECORDED=/nonexistent/h200.json try --variant control-null --no-plots --out none
refuses 3 /nonexistent/h200.json

# A driver without a GPU, one that fails, one that lacks a symbol, one that dies.
fake_gpu whole
NVFP4_FAKE=devices=0 try --variant cuda-2-intrinsics --no-plots --no-sass --out driver
code 0
says "the driver sees no GPU"
NVFP4_FAKE=cuInit=100 try --gpu 0 --no-plots --out driver
refuses 3 "cuInit: FAKE_ERROR_100"
fake_gpu lacks-required
try --gpu 0 --no-plots --out driver
refuses 3 "lacks-required/libcuda.so.1 lacks cuLaunchKernelEx"
# What is compiled for a chip that is not there is one document too, and a run that is shipped is not one that was measured here.
try --target sm_100a --variant cuda-2-intrinsics --no-sass --json
code 0
holds "j['schema'] == 'nvfp4-prof/compiled/1' and j['arch'] == 'sm_100a' and [v['variant'] for v in j['variants']] == ['cuda-2-intrinsics'] and j['variants'][0]['registers'] > 0 and 'sass' in j['variants'][0]"
unset NVFP4_RECORDED
try report "$(recorded_run)" --select cuda-4-tuned --no-plots --format csv --out shipped
code 0
says "recorded on NVIDIA H200" "not measured here"
finish
