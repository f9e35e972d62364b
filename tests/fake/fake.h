/* Fake libcuda, libcupti, libnvidia-ml, libcublas and libnvrtc: a small GPU of 4 SMs that lies in host memory, so that the profiler's whole way, and every way in
 * which it can fail, is tested where there is no GPU.
 *
 * A kernel is its name.  One that begins with "gemv" and takes the default arguments computes C on the host; one that begins with "scale" and takes
 * (const float *x, float *y, int n) doubles x, and one with "wrong" in its name trebles x[7] instead.  Words in the name make it a
 * bad one, from its first launch in a process on or, where the name ends in _N, from the Nth on:
 *   hang       never ends              crash   takes the process down by a signal     exit   ends the process with code 7
 *   fault      an illegal address      refused is not launched (too many resources)   last   leaves the last row of each batch unwritten
 *   beside     writes past the end of C
 * Every launch takes 10 µs + 1 µs a block, one of a kernel "nvfp4_prof_empty..." 2 µs, one after a buffer of 1 GiB or more was written 3 µs more.  A call of cuBLAS launches two kernels, of one block and of two, and computes nothing; the first
 * call of a process launches a third.
 *
 * CUPTI's PC sampling is called for by one thread at a time, never beside activity that is flushed, and no code is loaded or unloaded (fake_tell_code) meanwhile, nor
 * while samples are taken, unless one thread alone launches and loads, which it may then do; nor does sampling begin less than 0.1 s after that, once some code was unloaded: the process is aborted else.
 *
 * PC sampling: between start and stop, or where these do not control it from the configuration on, each launch leaves, in its kernel, 3000 samples at 0x10 that wait for a long scoreboard, 2500 of them in cycles
 * without issue, and 1000 at 0x20 that are selected; 500 in a kernel of the same name of another cubin; 50 are dropped.  SASS metrics: a
 * launch of b blocks has executed 4 b warp instructions (128 b thread instructions) at each of 0x0 and 0x10, none at 0x20; at 0x10 it asked
 * for 16 b sectors, ideally 8 b.
 *
 * NVRTC's cubin is a text: its file's name, the headers with their lengths and the options, a line each.  ptxas says of every __global__ function 32
 * registers, 1024 bytes of shared memory, a stack frame of 16 bytes and spills of 4 and 8.  A source with #error does not compile, one with "#error crash" takes
 * the compiler down.
 *
 * NVFP4_FAKE, "NAME=VALUE[@N],...", sets what a call returns ("cuMemAlloc_v2=2"; with @N from its Nth call on) and the facts
 * cuptiVersion (130000), passes (2: of the counters), gh100 (0; 1: CUPTI calls the chip GH100), gap (0: ns for which the GPU waits before each launch), devices (1), host_ends (0: at which question to the Host API the program ends), throttle (0: NVML's reasons), issued (1: issues that are counted a block and cycle), dropped (0; 1: each flush of activity loses a record), nan (0; 1: every counter is one)
 * and lost (0: what every call of the driver returns; 999@300: from its 300th call on; a file that NVFP4_FAKE_LOST names is then made, and while
 * it is there the device is lost for every process). FAKE_GPU_NAME is what the driver calls the card.
 */
#ifndef TESTS_FAKE_FAKE_H
#define TESTS_FAKE_FAKE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value that NVFP4_FAKE gives a name, else the fallback.  Each library counts the calls of its own process. */
int fake_value(const char *name, int fallback);

struct fake_launch {
  uint64_t start_ns, end_ns;
  unsigned grid[3], block[3];
  const char *name;
  uint32_t number; /* which launch of the process it is, from 1 */
  uint32_t graph;  /* 0: it comes from none */
};
/* The fake driver's: moves at most `max` finished launches out, oldest first. */
size_t fake_launches_take(struct fake_launch *out, size_t max);
/* The same of the fake driver that the profiler has loaded, for the fake CUPTI, to which each of its parts is a consumer by itself; none where there
 * is no driver. */
enum fake_consumer { FAKE_ACTIVITY, FAKE_INSTRUCTIONS, FAKE_CONSUMERS };
size_t fake_driver_launches(enum fake_consumer consumer, struct fake_launch *out, size_t max);
uint64_t fake_driver_blocks(void);
/* Launches a kernel of that name, one thread a block. */
void fake_launch(const char *name, unsigned blocks);
/* The fake CUPTI's: tells its subscriber of a launch (before and after it), and of code that is loaded. */
void fake_tell_launch(const char *name, unsigned blocks, int done);
/* A graph's: its kernels have one number, from fake_graph(true) to fake_graph(false). */
void fake_tell_graph(bool enter);
void fake_graph(bool begins);
void fake_tell_module(const void *cubin, size_t bytes);
/* CUPTI's own, held while it tells of code, and taken where it is asked for lost records. */
extern pthread_mutex_t fake_module_lock;
/* The program enters a call that loads code, or that unloads it; done: leaves it. */
void fake_tell_code(bool unloads, bool done);
/* The fake CUPTI's: threads in such a call; whether PC samples are taken. */
extern _Atomic int fake_in_code;
bool fake_samples_on(void);
/* Around a call for PC sampling, and one that flushes activity. */
void fake_sampling_enter(void);
void fake_sampling_begin(void);
void fake_sampling_leave(void);
void fake_flush_enter(void);
void fake_flush_leave(void);
/* A context was created. */
void fake_tell_context_made(void);
/* The context is destroyed; who then asks for its PC samples is aborted. */
void fake_tell_context_gone(void);
extern bool fake_context_gone;
/* Blocks launched since the process started. */
uint64_t fake_blocks(void);

#endif
