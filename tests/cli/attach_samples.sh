#!/usr/bin/env bash
# PC samples under attach: from CUPTI through the part to the stalled line that diagnose names.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
target=$NVFP4_FAKES/target

# Code for the target to load: two kernels, of the names that it launches.
cat >own.cu <<'CU'
//! problem:   generic
//! id:        big
//! ladder:    own
//! size:      N = 1K
//! buffer:    x = fp32[N]; init = random
//! output:    x
//! step:      kernel = big; grid = 1; block = 128; args = x, N
//! reference: kernel = small; grid = 1; block = 128; args = x, N
//! bytes:     4 * N

extern "C" __global__ void big(float *x, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    x[i] *= 2;
}

extern "C" __global__ void small(float *x, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    x[i] *= 2;
}
CU
sed 's/x\[i\] \*= 2/x[i] += 1/; s/id:        big/id:        other/' own.cu >other.cu
for name in own other; do
  NVFP4_CACHE=$work/$name try --kernel $name.cu --target sm_90 --no-sass
  [ "$rc" = 3 ] && skip "there is no NVRTC here"
  "$python" -c 'import glob, sys; data = open(glob.glob(sys.argv[1] + "/*.entry")[0], "rb").read(); open(sys.argv[1] + ".cubin", "wb").write(data[data.index(b"\x7fELF"):])' $name ||
    bad "no code in the cache: $(find $name)"
done
export TARGET_CUBIN=$work/own.cubin
fake_gpu whole

samples() { # samples ID: its samples, each as offset, reason, samples, those without issue
  echo "[s[2:] for r in j['results'] if j['variants'][r['variant']]['id'] == '$1' for s in r['samples']]"
}

# From the 8th launch on, 33 are sampled, 8 of them of "big" (every fourth, from the first).  Each leaves 3000 samples at 0x10, 2500 of them without an
# issue, and 1000 at 0x20 in the kernel's own code, 500 in another cubin's, and 50 that are dropped (fake.h): 8 x 4000 of 33 x 4500 samples.
try attach --window 8 --out run.json -- "$target" 40
nvdisasm_here "samples by instruction" || exit 77
code 0
complains "40 launches of 2 kernels, 1.340 ms" "PC samples: 148500, one per SM every 16384 cycles during 33 launches"
holds "$(samples big) == [[16, 'long_scoreboard', 24000, 20000], [32, 'selected', 8000, 0]]" run.json
holds "$(samples small) == [[16, 'long_scoreboard', 75000, 62500], [32, 'selected', 25000, 0]]" run.json
holds 'j["results"][0]["sampling"] == {"user": 32000, "other": 33 * 4500 - 32000, "dropped": 33 * 50, "period_cycles": 16384, "launches": 8}' run.json
holds 'len(j["results"][0]["timing"]["samples_ns"]) == 10' run.json # launches that were sampled have their times
"$NVFP4_PROF" diagnose run.json --variant big >report 2>&1
grep -q "75  long_scoreboard 100 % .*own.cu:12 .*for (int i = threadIdx.x" report || bad "diagnose names no stalled line: $(grep -A4 'where warps wait' report)"

# Of two runs the first samples every launch, and the second counts from the first one on.
try attach --two-runs --out two.json -- "$target" 40
complains "ranked, timed and sampled in a first run" "2 passes over 4 launches" "PC samples: 180000, one per SM every 16384 cycles during 40 launches"
holds "$(samples big) == [[16, 'long_scoreboard', 30000, 25000], [32, 'selected', 10000, 0]]" two.json
holds 'j["results"][0]["sampling"] == {"user": 40000, "other": 40 * 4500 - 40000, "dropped": 40 * 50, "period_cycles": 16384, "launches": 10}' two.json
holds 'len(j["results"][0]["timing"]["samples_ns"]) == 10' two.json
NVFP4_FAKE=gap=60000 try attach --two-runs --out two.json -- "$target" 400 # a launch that is sampled is not held up
complains "the GPU is idle 64 % of the time"
# It does so for 10 s of the GPU's time: two launches of 6 s, and the one before which activity has told of them.
TARGET_RANGES=3~ TARGET_STEP=one:6000000:2,two:100:20 try attach --two-runs --no-sass --out two.json -- "$target" 1
complains "PC samples: 13500, one per SM every 16384 cycles during 3 launches"
try attach --two-runs --samples off --out two.json -- "$target" 40
complains "ranked and timed in a first run"
holds 'j["results"][0]["sampling"]["reason"].startswith("attach took no PC samples")' two.json

# Lines name their source where its text is gone; where the tree was moved, it is found from the program's working folder by its size, and one of another
# size is not it.  (How long it was stands in the cubin.)
source_kept() { # source_kept TEXT: the run's one source is own.cu as it was compiled, with that text
  holds "[(s['name'], s['text']) for s in j['sources']] == [('$work/own.cu', $1)]" moved.json
}
mkdir -p moved/deep
mv own.cu moved/
for from in moved moved/deep .; do
  (cd $from && "$NVFP4_PROF" attach --window 8 --out "$work/moved.json" -- "$target" 40) >printed 2>&1 || bad "attach failed: $(cat printed)"
  text="open('moved/own.cu').read()"
  [ $from = . ] && text="''"
  source_kept "$text"
done
"$NVFP4_PROF" diagnose moved.json --variant big >report 2>&1
grep -q "75  long_scoreboard 100 % .*own.cu:12 .*(text not found)" report || bad "no line without text: $(grep -A4 'where warps wait' report)"
"$NVFP4_PROF" annotate moved.json --variant big >report 2>&1
grep -q "100.0  long_scoreboard 75 %    12  (text not found)" report || bad "annotate shows no line without text: $(cat report)"
echo >>moved/own.cu
(cd moved && "$NVFP4_PROF" attach --window 8 --out "$work/moved.json" -- "$target" 40) >printed 2>&1
source_kept "''"
rm moved/own.cu

# Disassembled while the program runs, each kernel once and one after the other, which leaves the program its cores; where it ends before anybody has
# looked, after it.
disassembler=$("$python" -c 'import os, shutil; print(os.environ.get("NVFP4_NVDISASM") or shutil.which("nvdisasm") or "")')
cat >nvdisasm <<SH
#!/bin/sh
if kill -0 "\$(cat $work/pid)"; then
  echo beside >>$work/when
  mkdir $work/running 2>/dev/null || echo together >>$work/when
else
  echo after >>$work/when
fi
for file; do :; done
case \$file in *.alone) [ -z "\$REFUSES" ] || exit 1 ;; esac
"$disassembler" "\$@"
rc=\$?
rmdir $work/running 2>/dev/null
exit \$rc
SH
cat >started <<'SH'
#!/bin/sh
echo $$ >pid
exec "$@"
SH
chmod +x nvdisasm started
for how in wait exit; do
  rm -f when
  NVFP4_NVDISASM=$work/nvdisasm try attach --window 8 --out $how.json -- ./started "$target" 40 $how
  code 0
  [ "$(wc -l <when)" = 2 ] || bad "nvdisasm ran $(wc -l <when) times for two kernels"
  [ $how = exit ] || ! grep -q after when || bad "nvdisasm was not started while the program ran"
  [ ! -e together ] || bad "two nvdisasm ran beside the program"
  holds "$(samples big) == [[16, 'long_scoreboard', 24000, 20000], [32, 'selected', 8000, 0]]" $how.json
done
# Each kernel is given to nvdisasm without the other of its cubin; one that it does not take so, with all.
REFUSES=1 NVFP4_NVDISASM=$work/nvdisasm try attach --window 8 --out whole.json -- ./started "$target" 40
[ "$(wc -l <when)" = 6 ] || bad "nvdisasm was not given the whole cubin after the kernel alone: $(wc -l <when)"
for file in wait exit whole; do
  holds "json.load(open('whole.json'))['modules'] == j['modules'] and len(j['modules']) == 2" $file.json
done

# A cubin whose tables are not aligned, as some of cuBLAS are: the sections' and the symbols' table go to odd places at its end.
"$python" - own.cubin odd.cubin <<'PY'
import struct, sys
d = bytearray(open(sys.argv[1], "rb").read())
at, n = struct.unpack_from("<Q", d, 0x28)[0], struct.unpack_from("<H", d, 0x3C)[0]
sections = bytearray(d[at : at + 64 * n])
for i in range(n):
    kind, offset, size = struct.unpack_from("<I", sections, 64 * i + 4)[0], *struct.unpack_from("<QQ", sections, 64 * i + 24)
    if kind == 2:
        d += bytes(1 - len(d) % 2) + d[offset : offset + size]
        struct.pack_into("<Q", sections, 64 * i + 24, len(d) - size)
d += bytes(1 - len(d) % 2)
struct.pack_into("<Q", d, 0x28, len(d))
open(sys.argv[2], "wb").write(d + sections)
PY
TARGET_CUBIN=$work/odd.cubin try attach --window 8 --out odd.json -- "$target" 40
code 0
holds "json.load(open('whole.json'))['modules'] == j['modules']" odd.json

# The context goes before the process does: nothing is asked of it any more.
try attach --window 8 --out reset.json -- "$target" 40 reset
code 0
holds "$(samples big) == [[16, 'long_scoreboard', 24000, 20000], [32, 'selected', 8000, 0]]" reset.json

# Two cubins with a kernel of that name: the one that was sampled (in the fake, the last that was loaded) is disassembled.
for last in own other; do
  first=$([ $last = own ] && echo other || echo own)
  TARGET_CUBIN=$work/$first.cubin:$work/$last.cubin try attach --window 8 --out two.json -- "$target" 40
  "$NVFP4_PROF" diagnose two.json --variant big >report 2>&1
  grep -q "75  long_scoreboard 100 % *$last.cu:" report || bad "the code is not $last.cu's: $(grep -A4 'where warps wait' report)"
done

# 4 SMs of 1 GHz, a sample every 32 cycles: a launch of 11 us leaves 4 / 32 x 11000 = 1375, so three of it are enough, and one of 101 us; the counters come
# after.
try attach --window 8 --sampling-interval 5 --out short.json -- "$target" 60
code 0
complains "every 32 cycles during 4 launches" "counters of 2 kernels"
holds '[r["sampling"]["launches"] for r in j["results"]] == [1, 3] and any(m["value"] is not None for m in j["results"][0]["metrics"])' short.json

# Kernels that are named have no times from a window: activity is asked for them, so that not every launch is sampled and some are left to count.
try attach --no-sass --kernel . --sampling-interval 5 --out named.json -- "$target" 60
code 0
complains "every 32 cycles during 18 launches" "counters of 2 kernels"

try attach --no-sass --samples off --window 8 --out off.json -- "$target" 40
code 0
holds 'j["results"][0]["sampling"]["reason"].startswith("attach took no PC samples")' off.json
grep -q "PC samples" "$err" && bad "samples were taken: $(grep 'PC samples' "$err")"

# What was taken before a kill is kept.
TARGET_SAMPLES=148500 try attach --window 8 --out killed.json -- "$target" 40 kill
code 137
holds "$(samples big) == [[16, 'long_scoreboard', 24000, 20000], [32, 'selected', 8000, 0]]" killed.json
# A program that dies as it is sampled may have died of it, and is told how to run without.
sampled_then="PC samples were being taken as it ended"
try attach --no-sass --window 30 --out sampled.json -- "$target" 36 segv
code 139
complains "$sampled_then" "--samples off"
try attach --no-sass --samples off --window 30 --out off.json -- "$target" 36 segv
code 139
grep -q "$sampled_then" "$err" && bad "none were taken: $(cat "$err")"

# CUPTI refuses: all else is as it was, and why there are none is said.
NVFP4_FAKE=cuptiPCSamplingEnable=1 try attach --no-sass --window 8 --out refused.json -- "$target" 40 exit 3
code 3
complains "PC sampling failed: cuptiPCSamplingEnable: FAKE_CUPTI_ERROR_1" "counters of 2 kernels"
holds 'j["results"][0]["sampling"]["reason"].startswith("PC sampling failed: cuptiPCSamplingEnable")' refused.json
NVFP4_FAKE=cuptiPCSamplingGetData=1 try attach --no-sass --window 8 --out lost.json -- "$target" 40 kill
code 137
complains "PC sampling failed: cuptiPCSamplingGetData"

# Another owner of CUPTI in the program: said, by its library.
cp "$NVFP4_FAKES/whole/libnvidia-ml.so.1" libproton.so
TARGET_LIBRARY=$work/libproton.so try attach --no-sass --samples off --out other.json -- "$target" 4
code 0
complains "the program has loaded Proton"

try attach --samples maybe -- "$target" 4
code 125
complains "--samples 'maybe': must be on or off"
try attach --sampling-interval 4 -- "$target" 4
code 125
complains "--sampling-interval"
finish
