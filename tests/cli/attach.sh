#!/usr/bin/env bash
# nvfp4-prof attach: the target's own exit code and output, what is left of one that dies, what is said where there is nothing.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# A target that dies by a signal dies by it under a sanitizer too.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
target=$NVFP4_FAKES/target
fake_gpu whole

untouched() { # the target's two streams are its own
  [ "$(cat "$out")" = "the target's stdout" ] || bad "stdout is not the target's alone: $(head -n 3 "$out")"
  [ "$(grep -c "the target's stderr" "$err")" = 1 ] || bad "the target's stderr is not there once"
}

# 40 launches: 10 of "big" at 10 + 91 = 101 us and 30 of "small" at 10 + 1 = 11 us (fake.h): 1010 + 330 = 1340 us.
try attach --out run.json -- "$target" 40 exit 3
code 3
untouched
complains "40 launches of 2 kernels, 1.340 ms of GPU time"
holds '[v["id"] for v in j["variants"]] == ["big", "small"] and j["variants"][0]["ladder"] == "attached"' run.json
holds 'j["results"][0]["timing"]["samples_ns"] == [101000] * 10 and len(j["results"][1]["timing"]["samples_ns"]) == 30' run.json
holds 'j["results"][0]["timing"]["source"] == "CUPTI activity" and j["results"][0]["launches"][0]["grid"] == [91, 1, 1]' run.json
holds 'j["device"]["name"] == "Fake GPU 0" and not j.get("partial")' run.json
"$NVFP4_PROF" diagnose run.json --variant big >report 2>&1 || bad "diagnose refuses the run: $(head -n 2 report)"
# Without a name: the kernel of most time.
try diagnose run.json
code 0
complains "the longest of 2 kernels in run.json; --variant names another"
says "big"
says_not "small"
"$NVFP4_PROF" report run.json --out folder --no-plots >printed 2>&1 || bad "report refuses the run: $(head -n 2 printed)"
grep -q big printed || bad "the report lacks the kernel"
of_kernels folder

# 100,000 launches: the times that are kept are a sample, the count is whole.
try attach --out many.json -- "$target" 60000
code 0
complains "60000 launches of 2 kernels"
holds 'len(j["results"][1]["timing"]["samples_ns"]) == 1024 and j["results"][1]["timing"]["discarded"] == 45000 - 1024' many.json

for end in "segv 139 Segmentation" "kill 137 Killed"; do
  read -r how number word <<<"$end"
  rm -f run.json
  try attach --out run.json -- "$target" 40 "$how"
  code "$number"
  untouched
  complains "was ended by signal $((number - 128)) ($word" "did not finish"
  holds 'j["partial"] and len(j["results"][0]["timing"]["samples_ns"]) == 10' run.json
done

rm -f run.json
try attach --out run.json -- "$target" 0 exit 5
code 5
untouched
complains "launched no kernel: no run file was written"
[ -e run.json ] && bad "a run file was written for no kernel"
try attach --out run.json -- true
code 0
complains "nothing was profiled"

# What ends a program without its exit handlers, most often before anything was written: what was written is kept, or its loss is said.
kept_or_told() {
  grep -q "launched no kernel" "$err" && bad "launches that are not known are said not to be"
  grep -q "ended before it wrote its launches" "$err" && return
  complains "did not finish"
  holds "j['partial']" run.json
}
for how in "now 7" "drop 7" "abort 134" "become-at-once 0"; do
  read -r how number <<<"$how"
  [ "$how" = drop ] && [ "$(id -u)" != 0 ] && continue
  rm -f run.json
  try attach --out run.json -- "$target" 40 "$how" 7
  code "$number"
  kept_or_told
done

# A process that becomes another program by exec: what it had launched until then is kept, and where its children are followed each has a file.
rm -f run.json
try attach --out run.json -- "$target" 40 become
code 0
holds "j['partial'] and [len(r['timing']['samples_ns']) for r in j['results']] == [10, 30]" run.json
try attach --out became.json --follow-children -- "$target" 40 become
code 0
for file in became.*.json; do
  "$python" -IS -c 'import json, sys
j = json.load(open(sys.argv[1]))
print(sum(len(r["timing"]["samples_ns"]) for r in j["results"]), bool(j.get("partial")))' "$file"
done | sort -n >became
[ "$(cat became)" = $'4 False\n40 True' ] || bad "the two programs of one process left: $(cat became)"

# A program whose first thread ends before the others.
what="attach, the first thread ends"
timeout 500 "$NVFP4_PROF" attach --out threads.json -- "$target" 40 thread >"$out" 2>"$err"
rc=$?
code 0
complains "40 launches of 2 kernels"
holds 'not j.get("partial") and j["results"][0]["timing"]["samples_ns"] == [101000] * 10' threads.json

# CUPTI in the folder cuda beside the tool, not beside the program.
mkdir -p carried/cuda/lib64
cp "$NVFP4_PROF" carried/
cp "$NVFP4_FAKES/whole/libcupti.so.13" carried/cuda/lib64/
(
  unset NVFP4_LIBCUPTI NVFP4_CUDA_HOME CUDA_HOME CUDA_PATH
  TARGET_CUPTI=$PWD/carried/cuda/lib64/libcupti.so.13 carried/nvfp4-prof attach --out carried.json -- "$target" 40 >"$out" 2>"$err"
)
what="attach, CUPTI beside the tool"
complains "40 launches of 2 kernels"

# Two processes: a file each, named by the process.
try attach --out two.json --follow-children -- "$target" 4 fork
code 0
files=(two.*.json)
[ "${#files[@]}" = 2 ] || bad "two processes left: ${files[*]}"
RANK=7 try attach --out 'rank.%r.json' -- "$target" 4
code 0
[ -e rank.7.json ] || bad "%r is not the rank"

# CUPTI missing: the target runs as ever, and what is lost is said.
NVFP4_LIBCUPTI=/nonexistent/libcupti.so.13 try attach --out none.json -- "$target" 4 exit 3
code 3
untouched
complains "no kernel was recorded" "libcupti.so.13"

# Our own failures: codes that programs seldom use.
try attach --out nowhere/run.json -- "$target" 4
code 125
complains "--out nowhere/run.json: nowhere"
try attach --out run.json "$target"
code 125
complains "attach takes the program after --"
try attach --kernel '(' -- "$target"
code 125
complains "--kernel '('"
try attach -- ./absent
code 127
complains "./absent: No such file or directory"
: >plain
try attach -- ./plain
code 126
complains "./plain: Permission denied"
finish
