#!/usr/bin/env bash
# The two recipes of docs/ci.md, each line as a runner runs it (tests/cli/ci_runner.py): an empty environment, no GPU, the wheel of this tree and, in the
# place of NVIDIA's wheels, this machine's NVRTC and nvdisasm.  Two trees of kernels, one of which makes a kernel longer.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
python=$(own_python)
root=$(realpath "$(dirname "$0")/../..")
runner=$root/tests/cli/ci_runner.py
backend=$root/build/scikit-build-core # scripts/setup --dev
[ -d "$backend" ] || skip "there is no scikit-build-core here (scripts/setup --dev fetches it)"
try --variant cuda-0-naive --target sm_100a --shape 7168x2048x4
[ "$rc" = 3 ] && skip "there is no NVRTC here"
nvdisasm_here "instructions in a comparison" || exit 77
"$python" -c 'import venv, ensurepip' 2>/dev/null || skip "this Python makes no venv"

try doctor
code 3
NVFP4_LIBNVRTC=/nonexistent/libnvrtc.so try doctor --for compile
code 3
try doctor --for compiling
refuses 2 "--for compiling: must be measure, compile or report"

# The wheel, of the program that is tested, and what NVIDIA's wheels would bring.
mkdir -p nvfp4_prof/bin wheels cu13/bin
cp -r "$root/python/nvfp4_prof" .
cp "$NVFP4_PROF" nvfp4_prof/bin/nvfp4-prof
(cd "$root" && PYTHONPATH=$backend "$python" -c '
import sys
from scikit_build_core.build import build_wheel
build_wheel(sys.argv[1] + "/wheels", {"wheel.cmake": "false", "wheel.packages": [sys.argv[1] + "/nvfp4_prof"], "wheel.tags": "py3-none-linux_" + sys.argv[2]})' \
  "$work" "$(uname -m)") >said 2>&1 || {
  bad "no wheel"
  show said
}
for folder in include lib64; do ln -s "$NVFP4_CUDA_HOME/$folder" "cu13/${folder%64}"; done
ln -s "$NVFP4_TEST_NVDISASM" cu13/bin/nvdisasm

trees() { # trees FOLDER MAIN PR: two folders with a kernel each
  local tree
  for tree in "$2" "$3"; do
    mkdir -p "$1/$tree/kernels/cuda"
    cp -r "$root/kernels/common" "$1/$tree/kernels/"
    cp "$root/kernels/cuda/0-naive.cu" "$1/$tree/kernels/cuda/"
  done
}
longer() { # longer FILE: its kernel executes more
  "$python" -IS - "$1" <<'PY'
import sys
s = open(sys.argv[1]).read()
start = s.index("{", s.index("__global__"))
open(sys.argv[1], "w").write(s[: start + 1] + "\n  for (int i = 0; i < 64; i++) __nanosleep(clock() & 7);\n" + s[start + 1 :])
PY
}
runs() { # runs CODE FORM FOLDER [fork]
  what="docs/ci.md, $*"
  "$python" "$runner" "$root/docs/ci.md" "$2" "$3" "$work/wheels" "$work/cu13" "${4:-}" >"$out" 2>"$err"
  rc=$?
  code "$1"
}
steps() { sed -n 's/^step \(.*\)/\1/p' "$out" | tr '\n' ';'; }

trees github main pr
runs 0 github github
[ "$(steps)" = "install: 0;look at the machine: 0;compile the kernels of both: 0;compare: 0;summary: 0;comment: 0;" ] || bad "the steps: $(steps)"
grep -q 'no regression' github/comment.md || bad "comment.md: $(head -n 3 github/comment.md)"
cmp -s github/comment.md github/runner/summary || bad "the job summary is not the comparison"
[ "$(cat github/runner/calls)" = "POST" ] || bad "the first comment: $(cat github/runner/calls)"
longer github/pr/kernels/cuda/0-naive.cu
runs 1 github github
[ "$(steps)" = "install: 0;look at the machine: 0;compile the kernels of both: 0;compare: 1;summary: 0;comment: 0;" ] || bad "the steps: $(steps)"
[ "$(tr '\n' ' ' <github/runner/calls)" = "POST PATCH " ] || bad "the comment was not updated: $(cat github/runner/calls)"
grep -q 'WORSE' github/runner/comment || bad "the comment: $(head -n 5 github/runner/comment)"
grep -q '<failure type="WORSE"' github/junit.xml || bad "junit.xml holds no failure"
runs 1 github github fork
grep -q 'comment' <(steps) && bad "a fork's pull request comments"
grep -q 'WORSE' github/runner/summary || bad "a fork's pull request has no summary"

trees gitlab/made . .
git -c init.defaultBranch=main init -q gitlab/origin && mv gitlab/made/kernels gitlab/origin/
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org
git -C gitlab/origin add -A && git -C gitlab/origin commit -qm main && git clone -q gitlab/origin gitlab/clone
longer gitlab/clone/kernels/cuda/0-naive.cu
runs 1 gitlab gitlab/clone
grep -q 'WORSE' gitlab/clone/comment.md || bad "comment.md: $(head -n 5 gitlab/clone/comment.md)"
grep -q '<failure type="WORSE"' gitlab/clone/junit.xml || bad "junit.xml holds no failure"
finish
