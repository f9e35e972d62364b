# What a reader of the whole run is asked for: the page's bytes, height, printed pages and their smallest text, and the worklog's words.
# shellcheck shell=bash
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cli/lib.sh
source "$here/lib.sh"
shipped=$(shipped_report) || exit
ln -s "$shipped/report" all

most() { # most WHAT NUMBER LIMIT
  [ "$2" -le "$3" ] || bad "$1: $2, more than $3"
}

"$python" "$here/html_page.py" all/index.html >"$work/faults" || { bad "the page:" && show "$work/faults"; }
most "bytes of the page" "$(wc -c <all/index.html)" 2500000
"$python" "$here/worklog_words.py" all/worklog.md >words || bad "worklog_words.py"
most "words on ladder cuda" "$(sed -n 's/ Ladder cuda$//p' words)" 2500
most "words of the worklog" "$(sed -n 's/ all$//p' words)" 15000
for ladder in cuda cute attempts top ours cutlass; do # each says what it set out to do
  sed -n "/^## [A-Z][a-z]* $ladder\$/,/^## /p" all/worklog.md | grep -q '^Goal: ' || bad "ladder $ladder has no goal: prose_goal"
done
# A step of the worklog shows 15 lines of code at most, and no rung but a foot goes without where its code changed.
awk '/^```diff/ { n = 0 } /^[-+] / { n++ } /^```$/ { if (n > 15) print n " lines of code in a step" }' all/worklog.md >long
[ -s long ] && bad "$(head -n 1 long)"

command -v chromium >/dev/null || skip "chromium is not here: height and printed pages"
if "$python" "$here/pdf_text.py" "$(command -v chromium)" all/index.html 8 >printed 2>small; then
  read -r height pages _ <printed
  most "height of the page at 1440 px, steps closed" "$height" 24999
  most "printed pages" "$pages" 12
else
  bad "printed text is smaller than 8 pt, or none:" && show small
fi
finish
