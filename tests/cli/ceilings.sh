#!/usr/bin/env bash
# ceilings on the fake GPU, whose kernels take 10 µs + 1 µs a block (loops of stores and atomics 1 ns a turn more) and write nothing: what rests on
# launches' times is measured, what rests on the SM's own clock is absent, with its reason.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# Python for a measured row's value in a device file, and for a row of --json.
measured() { echo "{c['name']: c['value'] for c in j['ceilings'] if c['kind'] == 'measured'}['$1']"; }
row() { echo "{c['name']: c for c in j['ceilings']}['$1']"; }

try ceilings --help
code 0
says "usage: nvfp4-prof ceilings" --gpu --out --chart --json

# What is wrong is said before any work.
try ceilings h200
refuses 2 "ceilings takes no argument 'h200'; did you mean --out h200?"
try ceilings --out h200
refuses 2 "--out h200: must be a file name that ends in .json"
mkdir folder.json
try ceilings --out folder.json
refuses 2 "--out folder.json: is a folder"
try ceilings --out nowhere/h200.json
refuses 3 "--out nowhere/h200.json: nowhere: No such file or directory"
try ceilings
refuses 3 "libcuda.so.1 was not found"
[ -e ceilings.json ] && bad "a file was written"

fake_gpu whole
try ceilings --gpu 7
refuses 2 "--gpu 7: this machine has 1 GPU"
try ceilings --out made.json
if grep -q 'libnvrtc' "$err"; then skip "$(head -n 1 "$err")"; fi
code 0
says "Ceilings of Fake GPU 0, measured on this machine" dram_bw "sm_90 lacks the instruction" "the curve latency is absent"
complains "device file written to made.json"
# The best read takes 64 KiB a block: 65,536 bytes a µs.  Slopes leave out the 10 µs of every launch.  A write's block has 32 KiB; of a copy
# 32 KiB count twice.
holds "abs($(measured dram_bw) - 65.536e9) < 1e3" made.json
holds "abs($(measured dram_write_bw) - 32.768e9) < 1e3" made.json
holds "abs($(measured dram_copy_bw) - 65.536e9) < 1e3" made.json
# One block, and two an SM on 4 SMs.
holds "abs($(measured launch_ns) - 11000) < 1 and abs($(measured launch_full_ns) - 18000) < 1" made.json
# A partial write's block has 32 KiB; a block of an empty kernel takes 1 µs, whatever its threads.
holds "abs($(measured dram_partial_bw) - 32.768e9) < 1e3" made.json
for threads in 32 256 1024; do holds "abs($(measured blocks_per_s_$threads) - 1e6) < 1" made.json; done
# A turn takes 1 ns, in which each of 4 SMs writes 16 KiB, copies 16 KiB (32 in all) or writes to 1024 sectors; 8 blocks of 1024 lanes add.
for expected in l2_write_bw:65.536e12 l2_copy_bw:131.072e12 l2_partial_sectors:4.096e12 red_one_address:8.192e12 red_scattered:8.192e12; do
  holds "abs($(measured ${expected%:*}) / ${expected#*:} - 1) < 1e-9" made.json
done
holds "not [c for c in j['ceilings'] if c['kind'] == 'measured' and c['name'] in ('rate_ffma', 'l2_bw')]" made.json
holds "j['id'] == 'fake-gpu-0' and not j.get('curves')" made.json
# As a whole the larger read, 24 MiB or 384 blocks, takes 394 µs.
holds "'(the larger whole: 6.387e+10 B/s)' in {c['name']: c['source'] for c in j['ceilings'] if c['kind'] == 'measured'}['dram_bw']" made.json
# The driver's figure of the fake card stays: 1 GHz x 2 x 1024 bit / 8.
holds "[c['value'] for c in j['ceilings'] if c['kind'] == 'driver'] == [256e9]" made.json
try sol --device made.json
code 0
says "0.066 TB/s, measured: nvfp4-prof ceilings on one Fake GPU 0"

try ceilings --out json.json --json
code 0
holds "abs($(row dram_bw)['value'] - 65.536e9) < 1e3 and $(row dram_bw)['driver'] == 256e9 and $(row dram_bw)['datasheet'] is None"
holds "$(row rate_ffma)['value'] is None and $(row rate_ffma)['reason'] == 'the SM\'s clock counted 0 cycles'"
holds "'no slope: ' in $(row l2_bw)['reason']"
holds "$(row rate_atoms_one_address)['reason'] == $(row ffma_latency_cycles)['reason'] == 'the SM\'s clock counted 0 cycles'"
holds "all(('how' in c) == (c['value'] is not None) and ('reason' in c) == (c['value'] is None) for c in j['ceilings'])"
holds "[c['name'] for c in j['curves']] == ['read_bw', 'read_bw_past_l1', 'latency'] and all(c['reason'] for c in j['curves'])"

# There is nothing to draw, which costs the chart and not the file.
try ceilings --out chart.json --chart charts
code 2
complains "--chart: Fake GPU 0: no curve was measured"
holds "j['id']" chart.json

# A call that fails ends the measuring process; another goes on with the next measure, and what stands, stands.
NVFP4_FAKE=cuMemcpyDtoH_v2=700 try ceilings --out lost.json --json
code 0
holds "abs($(row dram_bw)['value'] - 65.536e9) < 1e3 and $(row launch_ns)['value'] is not None"
holds "'cuMemcpyDtoH' in $(row rate_ffma)['reason'] and 'CUDA_ERROR_ILLEGAL_ADDRESS' in $(row l1_latency_cycles)['reason']"
NVFP4_FAKE=cuLaunchKernelEx=700 try ceilings --out none.json
refuses 3 "cuLaunchKernelEx" "CUDA_ERROR_ILLEGAL_ADDRESS"
[ -e none.json ] && bad "a file was written"

# Without CUPTI event pairs are used, and the kernel's own time is absent.
NVFP4_LIBCUPTI=/nonexistent/libcupti.so.13 try ceilings --out events.json --json
code 0
complains "times are from event pairs"
holds "abs($(row dram_bw)['value'] - 65.536e9) < 1e5 and $(row launch_event_ns)['value'] is not None"
holds "'libcupti.so.13 was not found' in $(row launch_ns)['reason']"
finish
