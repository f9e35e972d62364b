#!/usr/bin/env bash
# What binds a cell has one name and one share wherever it stands, over all cells of the recorded run.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
shipped=$(recorded_run) || {
  echo "$shipped"
  exit 77
}

try --run h200 --all-shapes --no-plots --out report
code 0
cp "$out" table
try diagnose "$shipped" all --json
code 0
"$python" "$(dirname "$0")/bounds.py" report table "$out" >faults || {
  bad "bounds differ:"
  show faults
}
finish
