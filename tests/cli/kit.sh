#!/usr/bin/env bash
# kit: made here, unpacked elsewhere, run with no compiler, no PATH and no cache; what it does not carry is refused by name.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
try kit --variant 'cuda-0*,control-null' --shape 128x256x1 -o kit.tar
[ "$rc" = 3 ] && skip "there is no NVRTC here"
code 0
says "kit.tar written" "sm_90a" "libcupti.so.13"

# Any tar reads it; the order is fixed, and twice the same is the same to the byte.
tar tf kit.tar >names || bad "tar cannot read kit.tar"
for name in nvfp4-prof run.sh README.txt kit/manifest cuda/lib64/libcupti.so.13; do
  grep -qx "nvfp4-kit/$name" names || bad "the kit lacks $name"
done
# The rungs' two units, the flush and the ceilings' three files.
[ "$(grep -c '\.entry$' names)" = 7 ] || bad "the kit holds $(grep -c '\.entry$' names) cubins, not 7"
try kit --variant 'cuda-0*,control-null' --shape 128x256x1 --out again.tar
code 0
says "7 cubins for sm_90a"
cmp -s kit.tar again.tar || bad "two kits of the same are not the same"

# The node: its driver, and nothing else.  CUPTI must be found in the kit, so its variable is unset.
mkdir node
tar xf kit.tar -C node
tar=$work/kit.tar
node() { # node ARGUMENTS...: as try, on the node
  what="run.sh $*"
  env -i NVFP4_LIBCUDA="$NVFP4_LIBCUDA" NVFP4_LIBNVML="$NVFP4_LIBNVML" NVFP4_LIBNVRTC=/nonexistent NVFP4_NVDISASM=/nonexistent \
    NVFP4_LIBCUBLAS=/nonexistent HOME="$work/node" PATH=/nonexistent node/nvfp4-kit/run.sh "$@" >"$out" 2>"$err" </dev/null
  rc=$?
}
node
code 0
says "measured on Fake GPU 0" cuda-0-naive pass
run=node/nvfp4-kit/measured/run.json
# As on the machine with a compiler (tests/cli/profile.sh): 10 µs and 1 µs for the one block of 128 rows; CUPTI's clock, counters, SASS.
holds "set(j['results'][0]['timing']['samples_ns']) == {11000} and j['results'][0]['timing']['source'] == 'CUPTI activity'" $run
holds "{m['name']: m.get('value') for m in j['results'][0]['metrics']}['dram_read_bytes'] == 1000" $run
holds "j['device']['nvrtc'] != '' and all(m['cached'] for m in j['modules'])" $run
[ -z "$(find node/.cache -name '*.entry')" ] || bad "the node compiled something"
# And the run comes home.
try report $run --no-plots --out home
code 0
says "Fake GPU 0" cuda-0-naive

what="nvfp4-prof doctor, beside a kit"
NVFP4_LIBNVRTC=/nonexistent node/nvfp4-kit/nvfp4-prof doctor --json >"$out" 2>"$err"
says "this kit's kernels are compiled already"

# What is not carried: another rung, another chip (the whole run stops: its own kernels are missing), each with the remedy.
node --variant cuda-0-naive,cuda-1-coalesced --out other
code 4
says "cuda/1-coalesced.cu for sm_90a" "this kit, made for sm_90a, does not carry it" "nvfp4-prof kit --variant, --shape, --target"
holds "[r['check']['verdict'] for r in j['results']] == ['pass', 'failed']" node/nvfp4-kit/other/run.json
try kit --target sm_100a --variant control-null --shape 128x256x1 -o other.tar
code 0
mkdir far
tar xf other.tar -C far
mv node near && mv far node
node
refuses 4 "nvfp4-prof.cu for sm_90a" "made for sm_100a"
# A damaged entry is no entry; a manifest that is none is said.
rm -rf node && mv near node
for entry in node/nvfp4-kit/kit/*.entry; do printf x >>"$entry"; done
node
refuses 4 "does not carry it"
echo junk >node/nvfp4-kit/kit/manifest
node
refuses 2 "kit/manifest" "unpack the kit again"

# A file of one's own, with what it includes, under its name.
try new mine --problem gemv
mkdir lib
sed -i '0,/^#include/s//#include "lib\/mine.h"\n#include/' mine.cu
echo '#define MINE 1' >lib/mine.h
grep -q 'lib/mine.h' mine.cu || bad "mine.cu includes nothing of its own"
try kit --kernel mine.cu --variant mine --shape 128x256x1 -o mine.tar
code 0
rm -rf node && mkdir node && tar xf mine.tar -C node
[ -s node/nvfp4-kit/lib/mine.h ] || bad "what mine.cu includes is not in the kit"
node
code 0
says mine pass

# Refused before the work; nothing is left.
mkdir below && cd below || exit 1
try kit --kernel ../mine.cu -o out.tar
refuses 2 "../mine.cu does not lie below the current folder"
try kit --target sm_90 -o out.tar
refuses 2 "--target sm_90: such a node needs code for sm_90a; name that chip"
try kit --target volta -o out.tar
refuses 2 "--target volta"
try kit
refuses 2 "nvfp4-prof kit --target sm_90a -o kit.tar"
try kit -o absent/kit.tar
refuses 3 "-o absent/kit.tar" "the folder absent"
try list -o kit.tar
refuses 2 "unknown option '-o'"
NVFP4_LIBCUPTI=/nonexistent/libcupti.so.13 try kit --variant control-null --shape 128x256x1 -o out.tar
code 3 # where there is no nvdisasm, a note stands before the error
complains "kit: libcupti.so.13 was not found"
(
  ulimit -f 1024
  try kit --variant control-null --shape 128x256x1 -o out.tar
  code 3
  complains "out.tar: cannot be written"
  exit $((failures > 0))
) || failures=$((failures + 1))
# Interrupted while it compiles: a cold cache, so that there is time for it.
NVFP4_CACHE=$work/cold "$NVFP4_PROF" kit --variant cuda,cute -o out.tar >/dev/null 2>"$err" &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
rc=$? what="kit, interrupted"
code 143
[ -z "$(ls -A)" ] || bad "something was left: $(ls -A)"
compiled=$(find "$work/cold" -name '*.entry' | wc -l)
[ "$(nproc)" -gt 16 ] || [ "$compiled" -lt 30 ] || bad "$compiled units were compiled to the end of the list"
cd .. || exit 1
[ -s "$tar" ] || bad "the first kit is gone"
finish
