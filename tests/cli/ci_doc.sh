#!/usr/bin/env bash
# The commands of docs/ci.md without a GPU, as the workflow runs them: on two trees of kernels, one of which makes a kernel longer.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
doc=$(realpath "$(dirname "$0")/../../docs/ci.md")
ladders=$(realpath "$(dirname "$0")/../../kernels")
try --variant cuda-0-naive --target sm_100a --shape 7168x2048x4
[ "$rc" = 3 ] && skip "there is no NVRTC here"
for tree in main pr; do
  mkdir -p "$tree/kernels/cuda"
  cp -r "$ladders/common" "$tree/kernels/"
  cp "$ladders/cuda/0-naive.cu" "$tree/kernels/cuda/"
done
mkdir bin
ln -s "$NVFP4_PROF" bin/nvfp4-prof
PATH=$work/bin:$PATH
# The step that builds ends with a look at the machine, which has no GPU: that must not fail it.
line=$(sed -n 's/^ *cd pr && scripts\/run \(doctor.*\)/\1/p' "$doc")
[ -n "$line" ] || bad "docs/ci.md does not look at the machine"
# shellcheck disable=SC2086 # words
try $line
code 0
says "driver and GPU" missing
try doctor
code 3
NVFP4_LIBNVRTC=/nonexistent/libnvrtc.so try doctor --for compile
code 3
try doctor --for compiling
refuses 2 "--for compiling: it is measure, compile or report"

grep -E '^ +nvfp4-prof ' "$doc" | sed 's/^ *//' >commands
[ "$(wc -l <commands)" = 3 ] || bad "docs/ci.md does not hold the three commands"

what="the commands of docs/ci.md, nothing changed"
bash -e commands >"$out" 2>"$err" </dev/null
rc=$?
code 0
grep -q 'no regression' comment.md || bad "comment.md: $(head -n 3 comment.md)"

what="the commands of docs/ci.md, a kernel that grew"
"$python" -IS - pr/kernels/cuda/0-naive.cu <<'PY'
import sys
s = open(sys.argv[1]).read()
start = s.index("{", s.index("__global__"))
open(sys.argv[1], "w").write(s[: start + 1] + "\n  for (int i = 0; i < 64; i++) __nanosleep(clock() & 7);\n" + s[start + 1 :])
PY
bash -e commands >"$out" 2>"$err" </dev/null
rc=$?
code 1
grep -q 'WORSE' comment.md || bad "comment.md: $(head -n 5 comment.md)"
grep -q '<failure type="WORSE"' junit.xml || bad "junit.xml holds no failure"
finish
