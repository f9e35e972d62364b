/* Private to profiler/attach. */
#ifndef PROFILER_ATTACH_PARTS_H
#define PROFILER_ATTACH_PARTS_H

#include "base/err.h"
#include "base/text.h"
#include "profiler/attach/attach.h"
#include "profiler/attach/part.h"
#include "profiler/gpu/library.h"
#include "profiler/profile.h"

#include <stddef.h>
#include <sys/types.h>

/* The injection library's file. */
const void *attach_image(size_t *bytes);

/* A part and the code beside it as a run; gpu is what is known of the machine's first GPU (it may be none).  *out is the caller's to release. */
int attach_compose(const struct part *p, const struct attach_options *o, const char *folder,
                   const struct gpu_probe *gpu, struct run *out, struct err *e);

/* The kernels of most time as lines for the injection library (NVFP4_ATTACH_CHOSEN): name, device, grid, block, dynamic shared memory and launches, with
 * a tab between.  Not those that only graphs launch, nor collectives (collective.h says why). */
void chosen_add(struct text *out, const struct part *p, long top);
/* Gives the kernels of a run that counted the times of one that did not; what is replaced is left in *times. */
void times_take(struct part *counts, struct part *times);

/* nvdisasm at work: it takes 0.4 s for a kernel of PyTorch's, so that all kernels' are started before the first is waited for. */
struct attach_listing {
  char program[LIBRARY_PATH_MAX];
  char *cubin, *file;
  pid_t child;    /* 0: it does not run */
  struct err why; /* it could not be started */
};
/* Starts the disassembly of a kernel, which is searched in the process's cubins, first in the one of that number (-1: any). */
void attach_sass_start(struct attach_listing *l, const char *folder, long pid, long number, const char *kernel);
void attach_listing_release(struct attach_listing *l);
/* The kernel's SASS: module *out with one kernel.  ERR_MACHINE says why there is none. */
int attach_sass(struct attach_listing *l, const char *kernel, struct run *run, struct run_module *out, struct err *e);

/* The sampled code of a kernel: where several cubins have one of that name, the code of most samples; NULL: no sample fell into it. */
const struct part_function *attach_sampled(const struct part *p, const char *kernel);
/* Puts the PC samples to the result, or why there are none: run->results[at], whose module is known; kernel is its mangled name, and a result before
 * it that has the same keeps the samples. */
int attach_samples(const struct part *p, const char *kernel, struct run *run, size_t at, struct err *e);

#endif
