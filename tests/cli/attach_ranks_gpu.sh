#!/usr/bin/env bash
# tests/gpu/attach-ranks: its verdicts, with the fake CUDA program in the place of torchrun's ranks.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
root=$(realpath "$(dirname "$0")/../..")
fake_gpu whole
mkdir -p stub/torch/distributed
touch stub/torch/__init__.py stub/torch/distributed/__init__.py
cat >stub/torch/distributed/run.py <<'PY'
import os, subprocess, sys
n, die = int(sys.argv[1].split("=")[1]), len(sys.argv) > 4
def rank(i):
    how = "kill" if die and i == n - 1 else "exit"
    return subprocess.Popen([os.environ["NVFP4_FAKES"] + "/target", "2000", how], env=dict(os.environ, RANK=str(i), WORLD_SIZE=str(n), LOCAL_RANK=str(i)))
for r in [rank(i) for i in range(n)]:
    r.wait()
print(f"{n} ranks: mean step {os.environ.get('STEP', '2.000') if 'CUDA_INJECTION64_PATH' in os.environ else '2.000'} ms")
PY
ranks() { ATTACH="--samples off --overhead 1000 --window 8" PYTHONPATH=$PWD/stub timeout 120 bash "$root/tests/gpu/attach-ranks" "$NVFP4_PROF" "$PWD/out" "$@" >"$out" 2>"$err" </dev/null; }
ranks two split killed four || bad "$(cat "$out" "$err")"
says "ok two: two files" "ok two: mean step within 15 %: 2.000 ms, alone 2.000 ms" "ok two.0.json: counters of 90 % of what is no collective" \
  "ok two: merged" "ok split: kernels have the counters of both ranks" "Counters in 2 sets" "ok killed: both files" "ok killed: merged" "ok four: four files" "0 failed"
# A step that takes 16 % more is none within 15 %.
if STEP=2.320 ranks two; then bad "a slow step has no exit code"; fi
says "FAILED two: mean step within 15 %: 2.320 ms" "1 failed"
finish
