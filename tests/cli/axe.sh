#!/usr/bin/env bash
# axe-core finds nothing in the pages, steps closed and open, at desktop and phone width; nothing but tables and charts scrolls sideways.
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cli/lib.sh
source "$here/lib.sh"
axe=$(realpath "$here/../../build/axe/axe.min.js")
command -v chromium >/dev/null || skip "chromium is not here: scripts/setup --dev"
[ -f "$axe" ] || skip "axe-core is not here: scripts/setup --dev"
run=$(fixture_run)

# A few variants, whose page has an element of every kind that the page of all has: axe-core's time grows with the elements, of which this page has half.
try --run "$run" --out whole
code 0
try --run "$run" --variant cuda-4-tuned,cuda-5-ilp2,cuda-5-ilp3,control-read,wrong-nan --out few
code 0
try report "$run" "$run" --out pair
code 0
kinds() { grep -oE '<[a-z][^>]*>' "$1" | sed -E 's/="[^"]*[0-9][^"]*"/=/g' | grep -oE '^<[a-z0-9]+| class="?[^ >]*| [a-z-]+=' | sort -u; }
what="the page of a few variants"
lacks=$(comm -23 <(kinds whole/index.html) <(kinds few/index.html))
[ -z "$lacks" ] || bad "it lacks: $lacks"
# A kernel's name without a blank is broken where the page is narrow.
sed "s/matmul/a_kernel_of_a_library_whose_name_tells_all_that_it_was_made_for_and_has_no_blank/; s/void axpy[^\"]*/a_short_one/" \
  "$here/../import/raw-auto.csv" >long.csv
try import ncu long.csv --kernel a_kernel_of_a_library_whose_name_tells_all_that_it_was_made_for_and_has_no_blank --report long --out long.json
code 0
what="axe-core"
"$python" "$here/axe.py" "$(command -v chromium)" "$axe" 1440,390 few/index.html pair/index.html long/index.html >"$work/faults" 2>&1 || { bad "faults:" && show "$work/faults"; }
finish
