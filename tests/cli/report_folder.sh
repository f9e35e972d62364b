# The folder of a report: few files and small, all charts on request, and nothing in it that another run left.
# shellcheck shell=bash
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cli/lib.sh
source "$here/lib.sh"
run=$(fixture_run)

files_of() { (cd "$1" && find . -type f | sed 's,^\./,,' | sort | tr '\n' ' '); }
has() { # has FOLDER NAME...
  local folder=$1 name
  shift
  for name; do [ -s "$folder/$name" ] || bad "$folder/$name is not there: $(files_of "$folder")"; done
}
has_not() {
  local folder=$1 name
  shift
  for name; do [ -e "$folder/$name" ] && bad "$folder/$name is there"; done
}

# By default: the charts that the page shows, and what is large is packed.
shipped=$(shipped_report) || exit
cp -r "$shipped/report" all
n=$(find all -type f | wc -l)
bytes=$(cat all/* all/.[a-z]* | wc -c)
[ "$n" -le 40 ] || bad "$n files"
[ "$bytes" -le 12000000 ] || bad "$bytes bytes"
has all index.html worklog.md results.csv findings.json.gz run.json.gz
command -v gnuplot >/dev/null && has all climb.svg climb-ours.svg
holds "len(j['findings']) > 200" all/findings.json
mkdir own
cp "$run" own/run.json.gz
try report own/run.json --select cuda --out own --no-plots # the name without .gz, into the folder that the run lies in
code 0
has own run.json.gz index.html
cmp -s "$run" own/run.json.gz || bad "the run was written over"

# All charts, each with what draws it.
try report "$run" --select cuda --charts all --out one
code 0
has one climb.gp climb.dat stalls.gp roofline.gp
if command -v gnuplot >/dev/null; then
  has one climb.svg climb.png roofline.png
  # A report replaces what an earlier one left, and touches nothing else.
  echo mine >one/notes.txt
  ln one/notes.txt one/roofline-mine.png
  try report "$run" --select cuda --out one
  code 0
  has one climb.svg notes.txt roofline-mine.png index.html
  has_not one climb.gp climb.dat climb.png roofline.gp roofline.png stalls.png
fi
try report "$run" --select cuda --format csv --out one
code 0
has one results.csv notes.txt
has_not one index.html worklog.md climb.svg findings.json.gz

# The list of files is a file too: it names nothing outside.
echo mine >outside
printf '%s\n' ../outside "$work/outside" .. . "" notes.txt >one/.nvfp4-prof.files
rm one/results.csv # which is on the list no longer
try report "$run" --select cuda --format csv --out one
code 0
[ -s outside ] || bad "a list of files removed one elsewhere"

# A page that no report wrote stays, of one run and of two; what a report wrote is written anew.
mkdir site
echo mine >site/index.html
try report "$run" --select cuda --no-plots --out site
refuses 2 "site/index.html is there, and no report wrote it" --out
try report "$run" "$run" --out site
refuses 2 "site/index.html is there, and no report wrote it"
[ "$(files_of site)" = "index.html " ] || bad "site was written into: $(files_of site)"
[ "$(cat site/index.html)" = mine ] || bad "site/index.html was written over"
rm site/index.html
try report "$run" --select cuda --no-plots --out site
code 0
try report "$run" --select cuda --no-plots --out site
code 0

# Beside the run of another report none is written, and what was measured stays.
cp "$run" one/run.json.gz
try report all/run.json.gz --out one
refuses 2 "one holds another run (one/run.json.gz)" "name another folder with --out"
try report one/run.json.gz --format csv --out one
code 0
cp "$run" one/run.json.gz
NVFP4_RECORDED=$run try --variant cuda --out one
code 2
complains "one holds a run that was measured (one/run.json.gz)"
cmp -s "$run" one/run.json.gz || bad "a measured run was overwritten"

try report "$run" --charts few --out two
refuses 2 "--charts few: must be page or all"
try report "$run" --charts all --no-plots --out two
refuses 2 "--no-plots"
finish
