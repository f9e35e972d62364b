/* The measuring process's hold of the GPU: kernels by name, launches, their times and what they say of themselves.  Private to the folder. */
#pragma once

#include "profiler/ceilings/ceilings.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/library.h"

/* Instructions a turn of a rate's loop.  LONG: 256 KiB of them, more than the instruction caches of
 * an SM and of its neighbours hold.  SHORT: where each stands for a sequence. */
enum { BENCH_PER_TURN = 512, BENCH_PER_TURN_LONG = 16384, BENCH_PER_TURN_SHORT = 16 };
enum { BENCH_UNITS = CEILINGS_UNITS, BENCH_TURNS = 1000, BENCH_FUNCTIONS_MAX = 96 };

/* The kernels' files and their header, compiled for the chip. */
struct bench_code {
  struct compiled units[BENCH_UNITS];
};
int bench_compile(struct bench_code *out, const char *arch, const char *cache_folder, struct compile_tools *tools,
                  struct err *e);
void bench_code_release(struct bench_code *c);
/* NULL: no unit that compiled has it. */
const struct run_kernel *bench_kernel(const struct bench_code *c, const char *name);
/* Instructions in the kernel's SASS whose name is `opcode` or begins with "opcode."; -1 where there is no SASS. */
long bench_count(const struct run_kernel *k, const char *opcode);

struct bench {
  const struct bench_code *code;
  const struct gpu_probe *gpu;
  struct driver driver;
  struct cupti cupti;
  bool activity;      /* times are CUPTI's; else event pairs */
  struct err why_not; /* !activity */
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUevent events[2];
  CUmodule modules[BENCH_UNITS];
  struct bench_function {
    const char *kernel;
    CUfunction f;
  } functions[BENCH_FUNCTIONS_MAX]; /* asked for so far */
  size_t n_functions;
  CUdeviceptr data; /* filled with noise */
  size_t bytes;     /* of data, a multiple of 1 MiB */
  CUdeviceptr stamps, sink;
};

/* Opens the device and takes up to 64 times its L2 of memory; the process's end is its close. */
int bench_open(struct bench *b, const struct bench_code *code, const struct gpu_probe *gpu, struct err *e);

struct bench_shot { /* one launch; the kernels all take these arguments */
  const char *kernel;
  unsigned grid, block, smem;
  CUdeviceptr data;
  unsigned long long n, turns, extra;
};
struct bench_stamp { /* as the kernels write it, one a block */
  unsigned long long cycles, ns;
};

/* Launches and waits; *time_s is the kernel's. */
int bench_time(struct bench *b, const struct bench_shot *shot, double *time_s, struct err *e);
/* By the event pair alone, the launch in it. */
int bench_time_events(struct bench *b, const struct bench_shot *shot, double *time_s, struct err *e);
/* The mid-distribution median of `repeats` launches. */
int bench_time_middle(struct bench *b, const struct bench_shot *shot, int repeats, double *time_s, struct err *e);
/* Launches and reads back the stamps of the first n blocks. */
int bench_stamps(struct bench *b, const struct bench_shot *shot, struct bench_stamp *out, size_t n, struct err *e);
/* The mean over all blocks of a launch of one block an SM, the quickest of `repeats`, after one that warms up. */
struct bench_pace {
  double cycles, clock_hz;
};
int bench_pace(struct bench *b, const struct bench_shot *shot, int repeats, struct bench_pace *out, struct err *e);
