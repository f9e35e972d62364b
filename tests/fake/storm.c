/* A program of many threads to attach to: storm THREADS ROUNDS [QUIET [keep]].  Each loads code, launches
 * it, and unloads it again (keep: does not), ROUNDS times and for a quarter of a second at the least, the first of
 * them with QUIET seconds of launches between, while one pushes and pops NVTX ranges.  The fake
 * CUPTI aborts it where the profiler does what CUPTI cannot bear (fake.h).  Half a millisecond is
 * slept in each load, so that other threads' work falls into it. */
#include "fake/fake.h"

#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KERNELS = 24, THREADS_MAX = 64, LAUNCHES = 6, BLOCKS = 200, CODE_BYTES = 4096 };
static const double least_s = 0.25;
static double quiet_s;
static bool keeps;

static struct {
  __typeof__(&fake_tell_launch) tell;
  __typeof__(&fake_tell_module) module;
  __typeof__(&fake_tell_code) code;
  __typeof__(&fake_launch) launch;
} calls;
static char names[KERNELS][24];
static atomic_bool over;
static long rounds;

static void *symbol(const char *variable, const char *name) {
  const char *library = getenv(variable);
  void *handle = library ? dlopen(library, RTLD_NOW) : NULL, *found = handle ? dlsym(handle, name) : NULL;
  if (!found)
    exit(2);
  return found;
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void load(unsigned which) {
  char code[CODE_BYTES]; /* gone once it is loaded, as a program's own copy may be */
  memset(code, (int)which, sizeof code);
  calls.code(false, false);
  usleep(500);
  calls.module(code, sizeof code);
  calls.code(false, true);
}

static void unload(void) {
  calls.code(true, false);
  usleep(100);
  calls.code(true, true);
}

static void launch(unsigned which, const char *name) {
  for (int n = 0; n < LAUNCHES; n++) {
    calls.tell(name, BLOCKS, 0);
    calls.launch(names[which], BLOCKS);
    calls.tell(name, BLOCKS, 1);
  }
}

static void *work(void *seed) {
  unsigned x = (unsigned)(size_t)seed;
  char name[sizeof names[0]]; /* the driver's own, whose place another kernel's takes once the code is gone */
  double begun_s = now_s();
  for (long i = 0; i < rounds || now_s() - begun_s < least_s; i++) {
    x = x * 1664525 + 1013904223;
    unsigned which = x / 65536 % KERNELS;
    load(which);
    snprintf(name, sizeof name, "%s", names[which]);
    for (double from_s = now_s(); i == 0 && now_s() - from_s < quiet_s; usleep(1000))
      launch(which, name);
    launch(which, name);
    if (!keeps)
      unload();
  }
  return NULL;
}

static void *push(void *unused) {
  while (!over) {
    nvtxRangePushA("storm");
    usleep(100);
    nvtxRangePop();
  }
  return unused;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4;
  pthread_t threads[THREADS_MAX], ranges;
  rounds = argc > 2 ? atol(argv[2]) : 100;
  quiet_s = argc > 3 ? atof(argv[3]) : 0;
  keeps = argc > 4 && strcmp(argv[4], "keep") == 0;
  void *start = symbol("CUDA_INJECTION64_PATH", "InitializeInjection");
  void *found[] = {symbol("NVFP4_LIBCUPTI", "fake_tell_launch"), symbol("NVFP4_LIBCUPTI", "fake_tell_module"),
                   symbol("NVFP4_LIBCUPTI", "fake_tell_code"), symbol("NVFP4_LIBCUDA", "fake_launch")};
  memcpy(&calls, found, sizeof calls);
  int (*inject)(void);
  memcpy(&inject, &start, sizeof inject);
  inject();
  for (int i = 0; i < KERNELS; i++)
    snprintf(names[i], sizeof names[i], "storm_%d", i);
  pthread_create(&ranges, NULL, push, NULL);
  for (int i = 0; i < n && i < THREADS_MAX; i++)
    pthread_create(&threads[i], NULL, work, (void *)(size_t)(i + 1));
  for (int i = 0; i < n && i < THREADS_MAX; i++)
    pthread_join(threads[i], NULL);
  over = true;
  pthread_join(ranges, NULL);
  return 0;
}
