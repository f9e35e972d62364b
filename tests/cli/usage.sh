#!/usr/bin/env bash
# Help, version, and every way to ask for what there is not: exit 2, one line that names it and the nearest.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

try --help
code 0
says "usage: nvfp4-prof" profile list sol report doctor diff "exit codes: 0 done"
try help
code 0
try
code 2
complains "usage: nvfp4-prof"
try --version
code 0
says "nvfp4-prof 0."
[ "$(wc -l <"$out")" = 1 ] || bad "--version is not one line"
# Every row: its file is in the table, and its help says what it needs and shows lines that hold its own options only.
commands=$("$NVFP4_PROF" --help | sed -n '/^commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
rows=$(basename -a "$(dirname "$0")"/../../profiler/cli/cmd_*.c | sed 's/^cmd_//; s/\.c$//' | tr _ - | sort)
[ "$(sort <<<"$commands")" = "$rows" ] || bad "commands and profiler/cli/cmd_*.c differ: $commands"
# What examples name is there: rungs, ladders, metrics, devices.  my-kernel is a reader's.
names="all time my-kernel $(for of in variants ladders metrics devices; do "$NVFP4_PROF" list $of --csv | cut -d, -f1; done | tr '\n' ' ')"
named() { # named COMMAND WORD
  case " $names " in *" $2 "*) ;; *) bad "an example of $1 names $2, which is in no list" ;; esac
}
for command in $commands; do
  try "$command" --help
  code 0
  says "usage: nvfp4-prof $command" --help
  grep -q '^needs: .' "$out" || bad "$command does not say what it needs"
  examples=$(sed -n '/^examples:$/,$s/^  nvfp4-prof //p' "$out")
  [ -n "$examples" ] || bad "$command has no example"
  while read -r line; do
    case $line in "$command"* | --*) ;; *) bad "an example of $command is of another: $line" ;; esac
    for option in ${line%% -- *}; do
      [[ $option == --* ]] || continue
      grep -qE -- "^  $option( |\$)" "$out" || bad "$command has no $option, which its example names"
    done
    last=
    for word in $line; do
      case $last in --metric | --variant | --ladder | --device | --to) named "$command" "$word" ;; esac
      [[ $word =~ ^[a-z]+-[0-9]+-[a-z-]+$ ]] && named "$command" "$word"
      last=$word
    done
  done <<<"$examples"
done
try ./lib-of-nothing
refuses 2 "unknown command './lib-of-nothing'"
printf '#!/bin/sh\n' >app && chmod +x app
try ./app --size 4
refuses 2 "nvfp4-prof attach -- ./app"
PATH=$PWD:$PATH try app --size 4
refuses 2 "nvfp4-prof attach -- app"
while read -r file command; do
  try "$file"
  refuses 2 "'$file' is a file; did you mean nvfp4-prof $command $file?"
done <<'FILES'
my.cu --kernel
a.b.cubin diagnose
folder/x.ptx diagnose
run.json report
run.json.gz report
profile.ncu-rep import ncu
FILES
# The help of --phases names the phases that there are.
try profile --help
phases=$(tr -s ' \n' ' ' <"$out" | sed -n 's/.*the phases, in this order (default: \([a-z,]*\)).*/\1/p')
try --phases nothing-like-it
refuses 2 "is not one of ${phases//,/, }, each at most once"
# Who knows ncu's options is told ours; ours that are near are still guessed.
while read -r option said; do
  try attach "$option" x -- true
  code 125
  [ "$(cat "$err")" = "nvfp4-prof: attach: unknown option '$option'; $said" ] || bad "$(cat "$err")"
done <<'OPTIONS'
--kernel-name --kernel REGEX (-k) chooses kernels by name, and takes regex:NAME, too
--kernel-id --kernel REGEX (-k), --launch-skip N (-s) and --launch-count N (-c) choose launches
--nvtx-include --nvtx RANGE counts what is launched within a range
--target-processes --follow-children profiles child processes, too
--set all counters are collected: leave it out
--force-overwrite --force (-f) overwrites a file that no attach wrote; an earlier run file is replaced without it
--nvtxx did you mean --nvtx? nvfp4-prof attach --help lists them
OPTIONS
try merge --set x
refuses 2 "unknown option '--set'; nvfp4-prof merge --help lists them"
for command in attach merge report import; do
  "$NVFP4_PROF" $command --help | tr -s '\n ' '  ' | grep -q -- '; -o)' || bad "$command --help does not name -o"
done
# One expression is not silently another; what a script may override takes the last value.
try attach -k big --kernel small -- true
code 125
complains "attach: --kernel is given twice, as 'big' and as 'small': it takes one value"
try list metrics --json --color always --color never
code 0
try -V
code 0
says "nvfp4-prof "

try lst
refuses 2 "unknown command 'lst'; did you mean 'list'? nvfp4-prof --help"
try xyzzyxyzzy
refuses 2 "unknown command 'xyzzyxyzzy'; nvfp4-prof --help"
try profile cuda-2-intrinsics
refuses 2 "did you mean --variant cuda-2-intrinsics?"
try --varaint all
refuses 2 "unknown option '--varaint'; did you mean --variant?"
try list --jsn
refuses 2 "unknown option '--jsn'; did you mean --json?"
try sol -z
refuses 2 "unknown option '-z'"
try --variant
refuses 2 "--variant needs a value"
try list --json=yes
refuses 2 "--json"
try list variant
refuses 2 "did you mean variants"
try list variants ladders
refuses 2 "list takes one thing"
try sol b200
refuses 2 "did you mean --device b200?"
try report
refuses 2 report
try report a.json b.json c.json
refuses 2 report

try --variant cuda-2-intrinsic
refuses 2 "'cuda-2-intrinsic'; nearest is cuda-2-intrinsics"
try --phases check,tiem
refuses 2 "--phases check,tiem: 'tiem' is not one of check, time, stalls, counters, sass"
try --phases check,time,check
refuses 2 "each at most once"
try --samples 0
refuses 2 --samples
try --phases time
refuses 2 "check must come first"
try --variant 'cuda-9*'
refuses 2 'cuda-9*'
try --variant ''
refuses 2 variant
try --variant all,
refuses 2 variant
try sol --device b20
refuses 2 b20 b200
try --device nope
refuses 2 nope
try --gpu 0x
refuses 3 libcuda.so.1
for shape in 128x256 128x100x1 0x256x1 128x0x1 128x256x0 -1x256x1 128x256x1x1 abc '' '128x256x1,' 99999999999x64x1 1e3x64x1; do
  try sol --shape "$shape"
  refuses 2 --shape
done
try sol --shape 128x100x1
refuses 2 "multiple of 64"
try --shape benhc
refuses 2 benhc
# What profile and tune have alike.
for command in profile tune; do
  try $command --l2 hot
  refuses 2 "--l2 hot: it is cold, dirty or warm"
  try $command --inputs random
  refuses 2 random default contest extreme
  for number in 0 -1 1.5 x nan inf '' 1e9; do
    try $command --rounds "$number"
    refuses 2 --rounds
  done
  try $command --hang-limit 1h
  refuses 2 --hang-limit
  try $command --seed -1
  refuses 2 --seed
  try $command --sede 1
  refuses 2 "did you mean --seed?"
  try $command --help
  code 0
  says "--shape LIST" "--kernels DIR" "--json"
done
try --time-limit 0
refuses 2 --time-limit
for target in sm_70 sm_100b 100 sm_ sm_100aa; do
  try --target "$target" --variant control-null
  refuses 2 --target
done
for option in --target=sm_90a --kernel=x.cu --kernels=. --watch --gpu=0; do
  try --run x.json $option
  refuses 2 "--run analyses a finished run" "${option%%=*}"
done
for option in --rounds=5 --phases=check --samples=9; do
  try --run x.json $option
  refuses 2 "${option%%=*} needs a measurement"
done
# Which variants, by either word.
fixture=$(fixture_run)
try diff "$fixture" "$fixture" --variant cuda-4-tuned --all
code 0
says cuda-4-tuned
says_not cuda-6-fused
try history "$fixture" --select cuda-4-tuned
code 0
says cuda-4-tuned
try annotate "$fixture" --select cuda-4-tuned --variant x --sede
refuses 2 --sede
try list cuda
code 0
says cuda-0-naive cuda-4-tuned
says_not cute-0 control-read
try list 'c*-0-*'
code 0
says cuda-0-naive cute-0
says_not cuda-4-tuned
try list cudaa
refuses 2 "did you mean cuda"
try diff a.json b.json
refuses 3 a.json
[ -e report ] && bad "a refused command left a folder behind"
finish
