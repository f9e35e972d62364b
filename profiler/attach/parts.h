/* Private to profiler/attach. */
#ifndef PROFILER_ATTACH_PARTS_H
#define PROFILER_ATTACH_PARTS_H

#include "base/err.h"
#include "profiler/attach/attach.h"
#include "profiler/attach/part.h"

#include <stddef.h>

/* The injection library's file. */
const void *attach_image(size_t *bytes);

/* A part and the code beside it as a run.  *out is the caller's to release. */
int attach_compose(const struct part *p, const struct attach_options *o, const char *folder, struct run *out,
                   struct err *e);

/* The SASS of one kernel: module *out with one kernel.  It is searched in the process's cubins, first in the one of that number (-1: any).
 * ERR_MACHINE says why there is none. */
int attach_sass(const char *folder, long pid, long number, const char *kernel, struct run *run, struct run_module *out,
                struct err *e);

/* The sampled code of a kernel: where several cubins have one of that name, the code of most samples; NULL: no sample fell into it. */
const struct part_function *attach_sampled(const struct part *p, const char *kernel);
/* Puts the PC samples to the result, or why there are none: run->results[at], whose module is known; kernel is its mangled name, and a result before
 * it that has the same keeps the samples. */
int attach_samples(const struct part *p, const char *kernel, struct run *run, size_t at, struct err *e);

/* C++'s name for people, or a copy; NULL where memory ran out. */
char *attach_demangle(const char *name);

#endif
