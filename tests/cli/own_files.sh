#!/usr/bin/env bash
# Files of the user's: names that compilers or shells trip over, what a run file tells of the machine, outputs that are no regular files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# A run file of one own kernel holds what was compiled, by the name that it has in its folder.
try new axpy
code 0
# shellcheck disable=SC2016
for name in 'quo"te' 'dol$lar' 'semi;colon' 'pa(ren' 'ha#sh' "apos'trophe" 'a,comma' 'a b'; do
  mkdir -p "$name"
  cp axpy.cu "$name/$name.cu"
  try --kernel "$work/$name/$name.cu" --target sm_90a --no-sass --out "$name"
  code 0
  NAME=$name holds "[s['name'] for s in j['sources']] == [__import__('os').environ['NAME'] + '.cu'] == [v['file'] for v in j['variants']]" "$name/run.json"
  NAME=$work holds "__import__('os').environ['NAME'] not in json.dumps(j)" "$name/run.json"
done
if nvdisasm_here "lines of a file whose name has a quote"; then
  try --kernel 'quo"te/quo"te.cu' --target sm_90a --out lines
  code 0
  holds "[s['name'] for s in j['sources']] == ['quo\"te/quo\"te.cu']" lines/run.json
  holds "any(0 in [l[0] for l in line] for m in j['modules'] for k in m['kernels'] for i in k['sass'] for line in [i[2]])" lines/run.json
fi
{ cat axpy.cu && echo '#include "quo.h"'; } >'quo"te/include.cu'
: >'quo"te/quo.h'
try --kernel 'quo"te/include.cu' --target sm_90a --no-sass
code 0
fake_gpu whole
try --kernel "$work/axpy.cu" --no-sass --no-plots --rounds 3 --out measured
holds "[s['name'] for s in j['sources']] == ['axpy.cu']" measured/run.json
NAME=$work holds "__import__('os').environ['NAME'] not in json.dumps(j['command'])" measured/run.json

# Where the standard output goes is written through, before what is printed, and nothing of either is lost.
what="export to a file that is the standard output"
"$NVFP4_PROF" import ncu "$(dirname "$0")/../import/details.csv" --out /dev/stdout >both 2>"$err" || bad "exit code $?: $(cat "$err")"
"$python" -IS -c 'import json, sys
text = open("both").read()
end = json.JSONDecoder().raw_decode(text)[1]
sys.exit("measured on" not in text[end:])' || bad "the run and what is printed stand over each other: $(head -c 200 both)"
try import ncu "$(dirname "$0")/../import/details.csv" --out -
refuses 2 "-: name a file; /dev/stdout"
[ -e ./- ] && bad "a file - was written"
finish
