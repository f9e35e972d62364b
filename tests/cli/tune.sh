#!/usr/bin/env bash
# tune: the whole grid and halving, what cannot be launched, the best written back, an interrupted search that goes on.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole

# The fake GPU takes 10 us + 1 us a block: M / ROWS * COPIES blocks at 128x256x1.
source_of() { # source_of [LINE...]
  printf '//! %s\n' "id: own" "ladder: mine" "param: ROWS = 4 in {1, 2, 4, 8, 16}" "param: COPIES = 2 in {1, 2, 3, 64}" \
    "step: kernel = gemv; grid = ceil(M / ROWS) * COPIES, L; block = 32, COPIES" "$@"
  printf 'extern "C" __global__ void gemv(const void *a, const void *b, const void *sfa, const void *sfb, void *c, int M, int K, int L) {}\n'
}
search() { try tune --kernel own.cu --shape 128x256x1,64x128x1 --rounds 5 --no-plots "$@"; }

source_of >own.cu
cp own.cu before.cu
search --write
code 0
says_not halving "measured before" "one parameter at a time"
says "20 of 20 configurations at 2 shapes" "1 ROWS=16 COPIES=1 – 18.00 4.111" # 10 + 128 / 16; as written 10 + 128 / 4 * 2 = 74
says "as written 74.00 1.000" "10 results skipped, such as own#ROWS=1,COPIES=64" "a block holds 1024 at most"
line="//! when:       M == 128 && K == 256 && L == 1 && sm == 90 && sms == 4: ROWS = 16, COPIES = 1"
says "$(tr -s ' ' <<<"$line")"
grep -qxF -- "$line" tune/own.cu || bad "the copy lacks the line"
cmp -s own.cu before.cu || bad "the original was touched"
[ -e tune/tune-state.json ] && bad "the state of a whole search is left"
holds "len(j['variants']) == 21 and {v['id'] for v in j['variants']} >= {'own', 'own#ROWS=16,COPIES=1'}" tune/run.json
try --kernel tune/own.cu --shape 128x256x1,256x256x1 --variant own --no-sass --no-plots --out run
code 0
holds "[[p[1] for p in r['params']] for r in j['results']] == [['16', '1'], ['4', '2']]" run/run.json # the other shape as written

search --json --params "ROWS in {2, 4}; COPIES = 1"
code 0
holds "j['configurations'] == 2 and [c['params'] for c in j['shapes'][0]['ranked']] == [{'ROWS': 4, 'COPIES': 1}, {'ROWS': 2, 'COPIES': 1}, {'ROWS': 4, 'COPIES': 2}]"
holds "abs(j['shapes'][0]['ranked'][0]['time_s'] - 42e-6) < 1e-9 and not j['shapes'][0]['best_is_standard']"
search --params "ROWS in {2, 4}; COPIES in {2, 3}"
says "No configuration is measurably faster than the kernel as it was written."
says_not "Front matter for this chip"
search --params "ROWS in {4, 32}" --write --out outside
code 2
complains "the tuned file would not be read" "ROWS = 32 is not in the parameter's set of values"
search --in-place
code 0
grep -qxF -- "$line" own.cu || bad "--in-place did not write"

# A variant that inherits its `when` lines keeps them below the new ones.
source_of "when: L == 7: ROWS = 1" >own.cu
sed -i '/^extern/i //! id: own-2' own.cu
search --variant own-2 --write --out second
code 0
grep -A3 -F '//! id: own-2' second/own.cu | grep -qF '//! when:       L == 7: ROWS = 1' || bad "the inherited line is gone"

# More than 200: halved, and the best is still found.
values=$(seq -s, 1 51)
source_of >own.cu
search --params "ROWS in {$values}; COPIES in {1, 2, 3, 4}" --shape 128x256x1
code 0
says "204 of 204 configurations at 1 shape in " "; by successive halving in "
grep -qE '; by successive halving in ([2-9]|[1-9][0-9]+) stages$' "$out" || bad "the stages: $(grep halving "$out")"
grep -qE '^ *1 +ROWS=(4[3-9]|5[01]) +COPIES=1 +[^ ]+ +13\.00' "$out" || bad "the best: $(grep -E '^ *1 ' "$out")" # 10 us + ceil(128 / 43) = 3 blocks

# More than 20000 are refused: 5 * 4 * 16 * 16 * 16 are 81920.
set_of="in {$(seq -s, 1 16)}"
source_of "param: A = 1 $set_of" "param: B = 2 $set_of" "param: C = 3 $set_of" >own.cu
try tune --kernel own.cu --shape 128x256x1
refuses 2 "has more than 20000 configurations; narrow them with --params"

# A file that holds a control only: nothing was chosen to search.
source_of >control.cu
sed -i 's/^\/\/! ladder: mine/\/\/! ladder: control/' control.cu
try tune --kernel control.cu --shape 128x256x1
refuses 2 "control.cu holds controls only" --variant

# Ctrl-C in the middle: the batches that were whole are kept, and the same command goes on.
source_of >own.cu
what="interrupted"
"$python" -IS -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$NVFP4_PROF" tune --kernel own.cu --shape 128x256x1 --rounds 5 --no-plots --out stopped \
  --params "ROWS in {$values}; COPIES in {1, 2, 3}" >"$out" 2>"$err" </dev/null &
pid=$!
for ((i = 0; i < 30000; i++)); do
  [ -s stopped/tune-state.json ] && break
  sleep 0.01
done
kill -s INT "$pid"
wait "$pid"
rc=$?
code 130
says "interrupted: repeat the command to continue"
says_not "Front matter for this chip" # the rung itself was not measured
[ -s stopped/tune-state.json ] || bad "no state is left"
kept=$("$python" -IS -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["variants"]))' stopped/tune-state.json)
search --shape 128x256x1 --out stopped --params "ROWS in {$values}; COPIES in {1, 2, 3}" --json
code 0
holds "j['resumed'] == $kept and $kept % 48 == 0 and 0 < $kept < 153 and j['measured'] == 153 and not j['partial']"
[ -e stopped/tune-state.json ] && bad "the state is left"
find . -name '*.tmp*' | grep . && bad "a temporary file is left"
# The budget is spent at once: one batch, and the rest is left.
search --shape 128x256x1 --out spent --budget 0 --params "ROWS in {$values}; COPIES in {1, 2, 3}" --json
code 0
holds "j['measured'] == 48 and j['left'] == 105 and j['partial']"
echo "// another source" >>own.cu
search --shape 128x256x1 --out spent --budget 0 --params "ROWS in {$values}; COPIES in {1, 2, 3}" --json
holds "j['resumed'] == 0" # the file has changed: what it was says nothing

# What is wrong has no time and no place.
source_of >own.cu
sed -i 's/gemv/gemv_last/' own.cu
search
code 4
says "results wrong, such as own#"

try tune
refuses 2 "tune needs the variant to search: --variant ID"
try tune --variant "cuda-*"
refuses 2 "tune searches one variant" cuda-0-naive
try tune --variant cuda-0-naive
refuses 2 "cuda-0-naive has nothing to search"
source_of >own.cu
for text in "ROW in {1, 2}|own has no param 'ROW'; did you mean ROWS?" "ROWS in 1, 2|write NAME in {A, B, C}" \
  "ROWS in {1, x}|'x' is not an integer" "ROWS = 4; COPIES = 1|has nothing to search"; do
  search --params "${text%%|*}"
  refuses 2 "${text##*|}"
done
try tune --variant cuda-4-tuned --in-place
refuses 2 "--in-place writes into the file of --kernel"
NVFP4_LIBCUDA=/nonexistent/libcuda.so.1 search
refuses 3 "tune measures, so it needs a GPU"
finish
