#!/usr/bin/env bash
# Run files that are damaged, foreign or hostile: exit 2, one line that names the file and what to do; none is ever a crash.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run=$(fixture_run)
small=$(dirname "$0")/../golden/small.json

refused() { # refused FILE TEXT...
  local file=$1
  shift
  try report "$file" --no-plots --out refused
  refuses 2 "$file" "$@"
  try --run "$file" --no-plots --out refused2
  code 2
  complains "$file"
}
mutate() { # mutate FILE PROGRAM: writes the small run, changed by a Python program over j
  "$python" -IS -c "
import json, sys
j = json.load(open(sys.argv[1]))
$2
json.dump(j, open(sys.argv[2], 'w'))" "$small" "$1"
}

try report "$run" --no-plots --out whole
code 0
says "NVIDIA H200"
for file in findings.json.gz results.csv worklog.md; do
  [ -s "whole/$file" ] || bad "there is no $file"
done
holds "j" whole/findings.json
try report "$run" --no-plots --out whole --json
code 0
holds "j"
[ -e whole/run.json.gz ] && bad "report wrote a run.json"

try report nowhere.json
refuses 3 nowhere.json "No such file"
try report .
refuses 3 .
: >empty.json
refused empty.json
echo '[]' >array.json
refused array.json "an object"
echo '{}' >object.json
refused object.json schema
printf '\x00\xff\xfe' >binary.json
refused binary.json
gzip -dcf "$run" | head -c 20000 >short.json
refused short.json short.json: "profile again"
gzip -dcf "$run" | gzip -9n >whole.json.gz
head -c 20000 whole.json.gz >short.json.gz
refused short.json.gz short.json.gz: "ends too early" "profile again"
{ head -c 20000 whole.json.gz && head -c 20000 /dev/zero && tail -c +40001 whole.json.gz; } >damaged.json.gz
refused damaged.json.gz damaged.json.gz: "is wrong" "profile again"
{ cat whole.json.gz && echo more; } >trailing.json.gz
refused trailing.json.gz "5 bytes that are not gzip's"
gzip -9nc short.json >inside.json.gz
refused inside.json.gz inside.json.gz: "profile again"
# A compressed run is known by what it holds, not by its name.
cp whole.json.gz packed.json
try report packed.json --no-plots --out packed
code 0
cmp whole/results.csv packed/results.csv || bad "a compressed run gives other results"
mutate newer.json "j['schema'] = 'nvfp4-prof/run/99'"
refused newer.json 99
mutate foreign.json "j['schema'] = 'ncu/report/1'"
refused foreign.json ncu/report/1
"$python" -IS -c "print('{\"schema\": \"nvfp4-prof/run/1\", \"x\": ' + '[' * 100000 + ']' * 100000 + '}')" >deep.json
refused deep.json
mutate index.json "j['results'][0]['variant'] = 1000000"
refused index.json "results[0].variant"
mutate negative.json "j['results'][0]['module'] = -7"
refused negative.json "results[0].module"
mutate verdict.json "j['results'][0]['check']['verdict'] = 'fine'"
refused verdict.json "results[0].check.verdict" fine
mutate type.json "j['results'] = 'many'"
refused type.json results
mutate huge.json "j['results'][0]['shape']['m'] = 10 ** 18"
refused huge.json shape
sed 's/"seed": *[0-9]*/"seed": NaN/' "$small" >nan.json
refused nan.json
sed 's/"flush_bytes": *[0-9.e+]*/"flush_bytes": 1e999/' "$small" >infinite.json
refused infinite.json
truncate -s 600M sparse.json
refused sparse.json "more than the"

# What is merely unusual is read.
mutate unknown.json "j['added_later'] = {'x': [1, 2]}"
try report unknown.json --no-plots --out unknown
code 4 # some of its variants failed
mutate bare.json "j['results'] = []; j['modules'] = []; j['variants'] = []"
try report bare.json --no-plots --out bare
[ "$rc" = 0 ] || [ "$rc" = 2 ] || bad "a run without results: exit code $rc"

# A part of a run, and what is not in it.
try --run "$run" --variant cuda-2-intrinsics --no-plots --out part --json
code 0
holds "j"
says cuda-2-intrinsics
grep -q '^cuda-2-intrinsics,' part/results.csv || bad "part/results.csv lacks cuda-2-intrinsics"
grep '^cuda-6-fused,' part/results.csv && bad "part/results.csv holds a variant that was not asked for"
says_not cuda-6-fused cute-0-template
try --run "$run" --variant cuda-6-fused --shape 7168x2048x4 --table --no-plots --out part
code 0
says cuda-6-fused control-read
says_not cuda-2-intrinsics cuda-5-ilp2 # rungs before it, and in the table of geometric means too
try --run "$run" --variant nothing --no-plots --out part
refuses 2 nothing "which holds cuda"
try --run "$run" --shape 64x64x1 --no-plots --out part
refuses 2 64 "not measured"
finish
