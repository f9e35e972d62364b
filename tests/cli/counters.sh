#!/usr/bin/env bash
# What a machine withholds costs only what it must: the times are there, a note says what is missing and the remedy, exit 0.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
fake_gpu whole
rung good gemv
profile() { try --kernels rungs --shape 128x256x1 --phases check,time,counters --no-sass --no-plots --rounds 20 --out run; }
note() { # note TEXT...: a note in the run and in the table, times, no counters
  local text
  code 0
  for text; do
    holds "any('$text' in note for note in j.get('notes', []))" run/run.json
    says "$text"
  done
}
timed_by() { holds "j['results'][0]['timing']['source'] == '$1' and all(abs(ns - 11000) < 1 for ns in j['results'][0]['timing']['samples_ns'])" run/run.json; }
counted() { holds "any(m['name'] != 'fixed_ns' for m in j['results'][0].get('metrics', [])) == $1" run/run.json; }

profile
code 0
holds "not j.get('notes')" run/run.json
timed_by "CUPTI activity"
counted True

# Refused at any of the calls where drivers have been seen to refuse.
for call in cuptiProfilerGetCounterAvailability cuptiRangeProfilerEnable cuptiRangeProfilerSetConfig cuptiRangeProfilerStart; do
  NVFP4_FAKE=$call=35 profile
  note "no counters: $call" ERR_NVGPUCTRPERM NVreg_RestrictProfilingToAdminUsers=0
  timed_by "CUPTI activity"
  counted False
  NVFP4_FAKE=$call=26 profile
  note "no counters: $call" "another profiler holds the counters" "dcgmi profile --pause"
  timed_by "CUPTI activity"
  counted False
done
for call in cuptiRangeProfilerPushRange cuptiRangeProfilerStop cuptiRangeProfilerDecodeData cuptiProfilerHostEvaluateToGpuValues; do
  NVFP4_FAKE=$call=999 profile
  note "no counters: " $call
  timed_by "CUPTI activity"
  counted False
done

# A CUPTI of another age than the driver's: what it says, and which one fits.  15: no connection to the driver; 11: not implemented; 10: a struct
# of another size.
for code in 15 11 10; do
  NVFP4_FAKE=cuptiRangeProfilerEnable=$code profile
  note "no counters: cuptiRangeProfilerEnable: FAKE_CUPTI_ERROR_$code" "this CUPTI and this driver do not fit together" NVFP4_LIBCUPTI
  timed_by "CUPTI activity"
  counted False
done
NVFP4_FAKE=cuptiProfilerHostInitialize=46 profile
note "no counters: chip FAKE100: cuptiProfilerHostInitialize" "this CUPTI is older than the chip"
counted False

# No CUPTI: event pairs.  No activity: event pairs, and counters.
NVFP4_LIBCUPTI=/nonexistent/libcupti.so profile
note "no counters: libcupti.so.13 was not found" "times are from event pairs" scripts/setup
timed_by "event pair"
counted False
NVFP4_FAKE=cuptiActivityEnable=39 profile
note "times are from event pairs" "cuptiActivityEnable"
timed_by "event pair"
counted True
NVFP4_LIBCUPTI=$NVFP4_FAKES/lacks-required/libcupti.so.13 profile
note "lacks-required/libcupti.so.13 lacks cuptiActivityEnable"
timed_by "event pair"
counted False

# No NVML: throttling is not seen, and nothing else is lost.
NVFP4_LIBNVML=/nonexistent/libnvidia-ml.so profile
code 0
timed_by "CUPTI activity"
counted True
# A throttled GPU: its samples are counted and not kept.
NVFP4_FAKE=throttle=8 profile
holds "not j['results'][0]['timing'].get('samples_ns') and j['results'][0]['timing']['discarded'] == 20 and 'throttled' in j['results'][0]['timing']['reason']" run/run.json
counted True
# Throttled from the 11th round on: ten of the twenty count, which the run and the table say.
NVFP4_FAKE=throttle=8@11 profile
note "10 of 20 timing rounds were discarded: the GPU was throttled in 10 (NVML), and CUPTI dropped records of 0"
holds "(len(j['results'][0]['timing']['samples_ns']), j['results'][0]['timing']['discarded']) == (10, 10)" run/run.json
# CUPTI drops the records of a round: the same, by its own name.
NVFP4_FAKE=dropped=1@14 profile
note "timing rounds were discarded: the GPU was throttled in 0 (NVML), and CUPTI dropped records of"

# Values that cannot be.  Not a number: absent, with the reason; never in a file.
NVFP4_FAKE=nan=1 profile
code 0
holds "[m['value'] for m in j['results'][0]['metrics'] if m['name'] == 'inst_executed'] == [None]" run/run.json
holds "['not a' in m['reason'] for m in j['results'][0]['metrics'] if m['name'] == 'inst_executed'] == [True]" run/run.json
timed_by "CUPTI activity"
# Eight issues of four schedulers in a cycle: 200 %, shown as it is and doubted beside the table, in the findings and in the worklog.  The fake's counts are those of
# no kernel of 11 µs, so that bounds are doubted after it.
NVFP4_FAKE=issued=8 profile
code 0
says "IMPOSSIBLE VALUE: my-good at 128×256×1: issue slots used is 200 %, and 100 % is the most that is possible"
holds "[f['doubts'][0] for f in j['findings']] == ['issue slots used is 200 %, and 100 % is the most that is possible']" run/findings.json
holds "all('would need' in d for f in j['findings'] for d in f['doubts'][1:])" run/findings.json
grep -qF "issue slots used is 200 %" run/worklog.md || bad "worklog.md does not doubt 200 %"
try diagnose run/run.json.gz
says "IMPOSSIBLE VALUE: issue slots used is 200 %, and 100 % is the most that is possible"
profile
says_not "and 100 % is the most that is possible"

# Optional symbols that are missing.
fake_gpu lacks-optional
profile
note "no counters:" cuptiRangeProfilerEnable "CUDA 13.0"
timed_by "CUPTI activity"
try doctor
says "limited" cuptiRangeProfilerEnable
fake_gpu whole
NVFP4_FAKE=cuptiRangeProfilerSetConfig=35 try doctor
code 3
says "hardware counters" "ERR_NVGPUCTRPERM" "NVreg_RestrictProfilingToAdminUsers=0"
NVFP4_LIBCUPTI=/nonexistent/libcupti.so try doctor --json
code 3
holds "{r['need']: r['state'] for r in j}['CUPTI'] == 'missing' and {r['need']: r['state'] for r in j}['GPU'] == 'found'"

# No NVRTC: nothing can be run, and that is said before anything else is tried.
NVFP4_LIBNVRTC=/nonexistent/libnvrtc.so profile
refuses 3 "libnvrtc" "NVFP4_LIBNVRTC: /nonexistent/libnvrtc.so"
# No nvdisasm: no SASS, with the reason.
NVFP4_NVDISASM=/nonexistent/nvdisasm NVFP4_CACHE=$work/cache try --kernels rungs --shape 128x256x1 --no-plots --rounds 20 --out run
note "/nonexistent/nvdisasm"
counted True
# A compile cache that cannot be written costs time only.
NVFP4_CACHE=/proc/cache profile
code 0
timed_by "CUPTI activity"
# A full or foreign entry is not trusted.
export NVFP4_CACHE=$work/cache
profile
for entry in cache/*.entry; do : >"$entry"; done
profile
code 0
timed_by "CUPTI activity"
finish
