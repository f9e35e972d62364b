#!/usr/bin/env bash
# Faults of the machine's disks: one that is full or read-only, a cache that others can write, two profilers that write one folder.
# docs/faults.md has the table of all.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
rung a-good gemv
rung z-good gemv
arguments=(--kernels rungs --shape 128x256x1 --no-sass --no-plots --rounds 20)

# A full disk, after all was measured: exit 3, the file and the reason, nothing half.
what="profile, the disk full"
(
  ulimit -f 4
  exec "$NVFP4_PROF" "${arguments[@]}" --out full >"$out" 2>"$err"
)
rc=$?
code 3
complains full/ "File too large"
whole full
no_temporary full

# A compile cache on a full disk, and one that others can write: none, and nothing fails for it.
mkdir tiny open
chmod 777 open
NVFP4_CACHE=$work/open try "${arguments[@]}" --out uncached
code 0
holds "[r['check']['verdict'] for r in j['results']] == ['pass'] * 2 and 'no compile cache' in str(j.get('notes'))" uncached/run.json
[ -z "$(ls open)" ] || bad "a cache that others can write was used"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=4k,mode=700 tmpfs tiny 2>/dev/null; then
  NVFP4_CACHE=$work/tiny try "${arguments[@]}" --out uncached
  code 0
  holds "[r['check']['verdict'] for r in j['results']] == ['pass'] * 2 and 'No space left' in str(j.get('notes'))" uncached/run.json
  umount tiny
fi

# A folder that cannot be written is refused before anything is measured.
mkdir read-only
if [ "$(id -u)" != 0 ]; then
  chmod 555 read-only
elif ! mount -t tmpfs -o ro tmpfs read-only 2>/dev/null; then
  rmdir read-only
  echo "a read-only folder: SKIPPED (root may write it, and no file system can be mounted)"
fi
if [ -d read-only ]; then
  try "${arguments[@]}" --out read-only
  refuses 3 --out read-only
  try "${arguments[@]}" --out read-only/below
  refuses 3 --out read-only/below
  [ "$(id -u)" = 0 ] && umount read-only
fi

# Two at once, into one folder and with one cache that is empty: both end well, and the files are whole.
what="two profilers at once"
export NVFP4_CACHE=$work/cache-of-two
"$NVFP4_PROF" "${arguments[@]}" --out both >first 2>&1 </dev/null &
"$NVFP4_PROF" "${arguments[@]}" --out both >second 2>&1 </dev/null
rc=$? err=$work/second
code 0
wait $!
rc=$? err=$work/first
code 0
whole both
no_temporary both
holds "len(j['results']) == 2 and not j.get('notes')" both/run.json

# Three reports at once in one folder: none removes the sources that another's gnuplot is about to read.
what="three reports at once"
fixture=$(fixture_run)
cat >reading-gnuplot <<'SH'
#!/bin/bash
sleep 0.2
folder=${3#"cd '"} && cd "${folder%%"'; svg="*}" && [ -s "$4" ] && printf '<svg></svg>' >&3
SH
chmod +x reading-gnuplot
export NVFP4_GNUPLOT=$PWD/reading-gnuplot
pids=()
for i in 1 2 3; do
  "$NVFP4_PROF" report "$fixture" --out three >"three-$i" 2>&1 </dev/null &
  pids+=($!)
done
for i in 1 2 3; do
  wait "${pids[i - 1]}"
  rc=$? err=$work/three-$i
  code 0
  grep "gnuplot" "three-$i" && bad "report $i drew no chart"
done
whole three
"$NVFP4_PROF" report "$fixture" --out alone >/dev/null 2>&1 </dev/null
[ "$(ls three)" = "$(ls alone)" ] || bad "charts are lost"
finish
