/* What a compiler made of the rungs: what there is to say of a kernel that nobody has run. */
#ifndef PROFILER_CLI_COMPILED_H
#define PROFILER_CLI_COMPILED_H

#include "base/text.h"
#include "kernels/selection.h"
#include "profiler/measure/profile.h"
#include "run/run.h"

/* The kernel of the result's module that its variant's first step launches; the module's first where that is not told.  NULL: it did not compile. */
const struct run_kernel *compiled_kernel(const struct run *r, const struct run_result *result);
/* Compiles what was selected for a chip that need not be here.  ERR_USAGE: no such chip. */
int compiled_run(const struct profile_options *o, const struct selection *s, const char *arch, struct run *run,
                 struct err *e);
/* A table of one row a variant, at the first shape. */
void compiled_table(const struct run *run, struct text *out);

#endif
