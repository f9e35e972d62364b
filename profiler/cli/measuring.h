/* What commands that measure variants on a GPU are told alike: which variants, where, and how to measure. */
#ifndef PROFILER_CLI_MEASURING_H
#define PROFILER_CLI_MEASURING_H

#include "kernels/selection.h"
#include "profiler/cli/cli.h"
#include "profiler/measure/profile.h"

extern const struct option_row measuring_options[]; /* in such a command's table: {.shared = measuring_options} */

/* Sets *out to its defaults and what was asked for, progress on stderr included.  ERR_USAGE. */
int measuring_read(struct profile_options *out, const struct args *a, struct err *e);
struct selection_asked measuring_selection(const struct args *a);

#endif
