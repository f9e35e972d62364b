#!/usr/bin/env bash
# What binds a cell has one name and one share wherever it stands, over all cells of the recorded run.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
shipped=$(shipped_report) || exit

"$python" "$(dirname "$0")/bounds.py" "$shipped/report" "$shipped/screen" "$shipped/diagnoses.json" >faults || {
  bad "bounds differ:"
  show faults
}
finish
