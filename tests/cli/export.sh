#!/usr/bin/env bash
# export: a trace that JSON readers take, and CSV.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
samples=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../import

"$NVFP4_PROF" import ncu "$samples/raw-auto.csv" --source "$samples/source-sass.csv" --out run.json >/dev/null 2>&1 || exit 1
try export run.json --trace trace.json --csv results.csv --metrics metrics.csv
code 0
complains "trace: 6 launches in trace.json"

# Six launches on three tracks, each beginning where the one before it ended.
holds "len([t for t in j['traceEvents'] if t['ph'] == 'X']) == 6" trace.json
holds "len({t['tid'] for t in j['traceEvents'] if t['ph'] == 'X'}) == 3" trace.json
holds "[t['dur'] for t in j['traceEvents'] if t['ph'] == 'X' and t['tid'] == 1][0] == 103.488" trace.json
holds "(lambda x: abs(x[1]['ts'] - x[0]['ts'] - x[0]['dur']) < 0.01)([t for t in j['traceEvents'] if t['ph'] == 'X' and t['tid'] == 1])" trace.json
holds "'one after another' in j['otherData']['note']" trace.json

head -n 1 metrics.csv | grep -q '^variant,shape,metric,unit,value,source,reason' || bad "the head of metrics.csv: $(head -n 1 metrics.csv)"
grep -q '^matmul,,inst_executed,inst,11419648,' metrics.csv || bad "matmul's instructions are not in metrics.csv"
grep -q '^matmul,,pipe_lsu,inst,,,' metrics.csv || bad "an absent counter is not empty in metrics.csv"
[ "$(wc -l <results.csv)" = 4 ] || bad "results.csv has not a row a result"

# An earlier export is replaced, and what is the user's is not.
try export run.json --trace trace.json --csv results.csv --metrics metrics.csv
code 0
echo 'int x;' >my.cu
for what in trace csv metrics; do
  try export run.json --$what my.cu
  refuses 2 "my.cu is there, and no export wrote it: name another file, or remove that one"
done
[ "$(cat my.cu)" = 'int x;' ] || bad "my.cu was overwritten"

try export run.json
refuses 2 "--trace, --csv or --metrics FILE"
try export
refuses 2 "export takes one run file"
try export nowhere.json --trace t.json
refuses 3 "nowhere.json"
try export run.json --trace /nonexistent/t.json
refuses 3 "/nonexistent/t.json"

# "-" is stdout, and nothing else is printed there.
try export run.json --csv -
code 0
cmp -s "$out" results.csv || bad "--csv - differs from the file"
[ -e - ] && bad "a file named - was written"
complains "in stdout"
try export run.json --trace - --csv -
refuses 2 "only one thing can be printed"
finish
