#!/usr/bin/env bash
# Output that cannot be written: a closed pipe, a full device, a folder that cannot be made, a full disk.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
run=$(fixture_run)

cannot() { # cannot COMMAND LINE: exit 3 and one line
  what=$1
  bash -c "$1" >"$out" 2>"$err"
  rc=$?
  code 3
  [ "$(wc -l <"$err")" = 1 ] || bad "stderr is not one line: $(head -n 3 "$err")"
}
for arguments in list "list --json" sol "sol --json" doctor --help --version "profile --help" "diagnose $run --variant cuda-0-naive"; do
  cannot "$NVFP4_PROF $arguments >/dev/full"
  complains stdout
done
cannot "$NVFP4_PROF list metrics >&-"
# Nor is a file left out because nothing can be printed.
for closed in ">/dev/full" ">&-" "<&- >&- 2>&-"; do
  rm -rf kept
  what="report $closed"
  eval "\"$NVFP4_PROF\" report \"$run\" --no-plots --out kept 2>\"$err\" $closed"
  rc=$?
  code 3
  [ "$closed" = "<&- >&- 2>&-" ] || complains "stdout could not be written"
  [ "$(tail -n 1 kept/index.html)" = "</html>" ] || bad "the page is not whole"
done
# A reader that leaves early has what it wanted: no signal, no hang, no complaint.
for arguments in list "list metrics --json" "sol --json" --help --version "list --help" "report $run --no-plots"; do
  what="nvfp4-prof $arguments, and nobody reads it"
  # shellcheck disable=SC2086
  { sleep 0.1 && "$NVFP4_PROF" $arguments 2>"$err" && touch finished; } | true
  grep -v "report written to" "$err" && bad "it complains"
  rm finished || bad "it did not end with 0"
done
what="list metrics --json | head -c 1"
[ "$("$NVFP4_PROF" list metrics --json 2>"$err" | head -c 1)" = "{" ] || bad "the first byte did not come"
[ -s "$err" ] && bad "it complains: $(head -n 3 "$err")"

touch file
try report "$run" --out file/below
refuses 3 --out file/below
try report "$run" --out file
refuses 3 --out file
try report "$run" --out ''
refuses 3 --out
try --run "$run" --out file
refuses 3 --out file
try report "$run" --out /proc/nvfp4-prof
refuses 3 --out /proc/nvfp4-prof
export NVFP4_RECORDED=$run
try --variant cuda-2-intrinsics --out /proc/nvfp4-prof
refuses 3 --out /proc/nvfp4-prof

# A full disk: a file system of 64 KB where root can mount one, a limit on a file's size elsewhere.
what="a full disk"
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
  "$NVFP4_PROF" report "$run" --no-plots --out disk/report >"$out" 2>"$err"
  rc=$?
  code 3
  complains "disk/report/" "No space left on device"
  find disk -name '*.tmp*' | grep . && bad "a temporary file was left on the full disk"
  umount disk
else
  echo "a full file system: SKIPPED (no right to mount one); a limit on the file's size instead"
fi
(
  ulimit -f 8
  exec "$NVFP4_PROF" report "$run" --no-plots --out limited >"$out" 2>"$err"
)
rc=$?
code 3
complains limited/ "File too large"
find limited -name '*.tmp*' | grep . && bad "a temporary file was left"
finish
