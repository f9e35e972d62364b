#!/usr/bin/env bash
# A ladder of the page is gone through by keyboard alone, at desktop and phone width.
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cli/lib.sh
source "$here/lib.sh"
command -v chromium >/dev/null || skip "chromium is not here: scripts/setup --dev"

try --run "$(fixture_run)" --out one
code 0
what="by keyboard"
"$python" "$here/keyboard.py" "$(command -v chromium)" one/index.html cuda 1440,390 >"$work/faults" 2>&1 || { bad "faults:" && show "$work/faults"; }
finish
