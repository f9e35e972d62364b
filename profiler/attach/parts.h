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

/* The SASS of one kernel, searched in the process's cubins: module *out with one kernel.  ERR_MACHINE says why there is none. */
int attach_sass(const char *folder, long pid, const char *kernel, struct run *run, struct run_module *out,
                struct err *e);

/* C++'s name for people, or a copy; NULL where memory ran out. */
char *attach_demangle(const char *name);

#endif
