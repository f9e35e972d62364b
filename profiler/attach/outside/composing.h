/* Private to profiler/attach. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "profiler/attach/outside/attach.h"
#include "profiler/attach/outside/attached_process.h"
#include "profiler/cuda/library.h"
#include "profiler/cuda/probe.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* The injection library's file. */
const void *attach_image(size_t *bytes);

/* The run file's name: %p in the pattern is the process, %r the rank.  Where a rank of several has no %r, the rank is put before the ending; so is the process
 * where several that are no ranks share a name, or where another process has written that file since.  The caller frees it; NULL: no memory. */
char *out_name(const char *pattern, const struct process_record *p, bool several, const struct timespec *since);
/* "run.*.json" of "run.json" and of "run.%r.json": the run files of all processes. */
char *out_glob(const char *pattern);

struct attach_listings;
/* A part and the code beside it as a run; gpu is what is known of the machine's first GPU (it may be none).  *out is the caller's to release. */
void attach_compose(const struct attached_process *p, const struct attach_options *o, const struct gpu_probe *gpu,
                    struct attach_listings *listings, struct run *out);

/* The kernels of most time as lines for the injection library (NVFP4_ATTACH_CHOSEN): `top` at most, until they cover that ratio of the GPU time.  Not those
 * that only graphs launch, nor collectives (collective.h says why). */
void chosen_add(struct text *out, const struct attached_process *p, double coverage, long top);
/* Gives the kernels of a run that counted the times of one that did not; what is replaced is left in *times. */
void times_take(struct attached_process *counts, struct attached_process *times);
/* Whether kernels of that ratio of the GPU time have PC samples; the same for these. */
bool samples_cover(const struct attached_process *p, double coverage);
void samples_take(struct attached_process *counts, struct attached_process *samples);

/* cut.c: the index of the function's symbol, as nvdisasm -fun wants it; -1: the cubin has none of that name. */
long cubin_symbol(const char *cubin, size_t n, const char *name);
/* Empties the sections of all other functions: nvdisasm reads them all, for one as well, and took 0.46 s for one of 660 and 0.32 s for it alone.  False:
 * there are none. */
bool cubin_cut(char *cubin, size_t n, long symbol);

/* line_table.c: the size of the source of that name as it was compiled, 0: the cubin does not
 * say. */
long cubin_source_bytes(const char *cubin, size_t n, const char *path);

/* source_text.c: the text of a source.  It is looked for by its name, a relative one in the three
 * folders; where its size is known, by each end of its name in these and the folders above them.
 * What differs in size, or has fewer lines than instructions came from, is not it.  The caller
 * frees it; NULL: it was not found. */
struct source_wanted {
  const char *name;
  long bytes;    /* 0: unknown */
  int last_line; /* that an instruction came from */
  /* The program's working folder and its file, and this program's working folder; NULL: unknown. */
  const char *work, *program, *own;
};
char *source_text(const struct source_wanted *w);

/* nvdisasm at work: it takes 0.4 s for a kernel of PyTorch's, so that it is started while the program runs, and all kernels' before the first is
 * waited for. */
struct attach_listing {
  long pid;
  char *kernel; /* mangled */
  char program[LIBRARY_PATH_MAX];
  char *cubin, *file;
  char *cut; /* the cubin with that kernel alone; NULL: the whole one is read */
  long symbol;
  long number;    /* of the cubin that was asked for first */
  pid_t child;    /* 0: it does not run */
  int status;     /* once it has ended */
  struct err why; /* it could not be started */
};
/* Starts the disassembly of l->kernel, which is searched in the cubins of l->pid, first in the one of that number (-1: any). */
void attach_sass_start(struct attach_listing *l, const char *folder, long number);
bool attach_sass_is_running(struct attach_listing *l);
/* Whether it is of the cubin of that number (-1: any). */
bool attach_sass_is_of(const struct attach_listing *l, const char *folder, long number);
void attach_listing_clear(struct attach_listing *l); /* leaves it to be started again */

enum { ATTACH_SASS_MAX = 8 }; /* functions of a process that are disassembled: those of most time */
/* kernels[at] is a function that one before it is, launched with another geometry: they have one code. */
bool attached_is_again(const struct attached_kernel *const *kernels, size_t at);
struct attach_listings {
  const char *folder;
  struct attach_listing **all;
  size_t n;
  bool beside; /* the program runs: what is started gives way to it, and what failed is not tried again */
  bool waits;  /* beside: not everything could be started yet */
};
/* Starts what was not started before, for the functions of most time; kernels: attached_by_time.  out[], which may be NULL, are the listings of those that
 * are none again, in their order. */
void attach_listings_start(struct attach_listings *all, const struct attached_process *p,
                           const struct attached_kernel *const *kernels, struct attach_listing *out[ATTACH_SASS_MAX]);
void attach_listings_release(struct attach_listings *all);

/* Looks, while the program runs, at what its processes have left so far, and starts the disassembly of the kernels of most time.  Between start and stop
 * nobody else touches the listings. */
struct attach_beside {
  struct attach_listings *listings;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool ends, runs;
};
void attach_beside_start(struct attach_beside *b, struct attach_listings *listings);
void attach_beside_stop(struct attach_beside *b);

/* The SASS of l->kernel: module *out with one kernel.  The sources that it names are added to
 * the run's, with their text where it is found from the folders.  ERR_MACHINE says why there
 * is none. */
int attach_sass(struct attach_listing *l, const struct folders_record *folders, struct run *run, struct run_module *out,
                struct err *e);

/* The sampled code of a kernel: where several cubins have one of that name, the code of most samples; NULL: no sample fell into it. */
const struct attached_function *attach_sampled(const struct attached_process *p, const char *kernel);
/* Puts the PC samples to the result, or why there are none: run->results[at], whose module is known; kernel is its mangled name, and a result before
 * it that has the same keeps the samples. */
void attach_samples(const struct attached_process *p, const char *kernel, struct run *run, size_t at);
