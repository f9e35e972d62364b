# axe-core finds nothing in the pages, steps closed and open, at desktop and phone width; nothing but tables and charts scrolls sideways; a ladder is gone
# through by keyboard alone.
# shellcheck shell=bash
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cli/lib.sh
source "$here/lib.sh"
axe=$(realpath "$here/../../build/axe/axe.min.js")
command -v chromium >/dev/null || skip "chromium is not here: scripts/setup --dev"
[ -f "$axe" ] || skip "axe-core is not here: scripts/setup --dev"
run=$(fixture_run)

try --run "$run" --out one
code 0
try report "$run" "$run" --out pair
code 0
# A kernel's name without a blank is broken where the page is narrow.
sed "s/matmul/a_kernel_of_a_library_whose_name_tells_all_that_it_was_made_for_and_has_no_blank/; s/void axpy[^\"]*/a_short_one/" \
  "$here/../import/raw-auto.csv" >long.csv
try import ncu long.csv --kernel a_kernel_of_a_library_whose_name_tells_all_that_it_was_made_for_and_has_no_blank --report long --out long.json
code 0
what="long/index.html at 390 px"
"$python" "$here/axe.py" "$(command -v chromium)" "$axe" long/index.html 390 >"$work/faults" 2>&1 || { bad "axe-core:" && show "$work/faults"; }
# Key presses wait for frames, axe-core for nothing: both at once.
declare -A walks
for width in 1440 390; do
  "$python" "$here/keyboard.py" "$(command -v chromium)" one/index.html cuda $width >"$work/keys.$width" 2>&1 &
  walks[$width]=$!
done
for page in one pair; do
  for width in 1440 390; do
    what="$page/index.html at $width px"
    "$python" "$here/axe.py" "$(command -v chromium)" "$axe" $page/index.html $width >"$work/faults" 2>&1 || { bad "axe-core:" && show "$work/faults"; }
  done
done
for width in "${!walks[@]}"; do
  what="one/index.html at $width px"
  wait "${walks[$width]}" || { bad "by keyboard:" && show "$work/keys.$width"; }
done
finish
