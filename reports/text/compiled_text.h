/* What a compiler made of the rungs: what there is to say of a kernel that nobody has run. */
#pragma once

#include "base/text.h"
#include "run/run.h"

#include <stdbool.h>

/* The kernel of the result's module that its variant's first step launches; the module's first where that is not told.  NULL: it did not compile. */
const struct run_kernel *compiled_kernel(const struct run *r, const struct run_result *result);
/* A table of one row a variant, at the first shape. */
void report_compiled_term(const struct run *run, struct text *out, int width, bool colour);
/* The same as one JSON document, schema "nvfp4-prof/compiled/1"; null where nothing was compiled, with the reason. */
void report_compiled_json(const struct run *run, const char *arch, struct text *out);
