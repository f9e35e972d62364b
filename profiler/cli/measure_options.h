/* What commands that measure variants on a GPU are told alike: which variants, where, and how to measure. */
#pragma once

#include "kernels/selection.h"
#include "profiler/cli/cli.h"
#include "profiler/measure/profile.h"

extern const struct option_row measure_options[]; /* in such a command's table: {.shared = measure_options} */

/* Sets *out to its defaults and what was asked for, progress on stderr included.  ERR_USAGE. */
int measure_options_read(struct profile_options *out, const struct args *a, struct err *e);
struct selection_asked selection_asked_of(const struct args *a);
/* sm_100a -> 100; 0: no such chip, or one before sm_80. */
int target_sm(const char *arch);
/* What launch expressions may ask of a chip that need not be here: of those that are not described, B200's.  ERR_USAGE: no such chip. */
int target_chip(struct rung_chip *out, const char *arch, struct err *e);
/* Compiles what was selected for a chip that need not be here.  ERR_USAGE: no such chip. */
int compile_selected(const struct profile_options *o, const struct selection *s, const char *arch, struct run *run,
                     struct err *e);

/* Takes out of a run that is to be saved what it need not tell: sources that were not compiled, the folders of absolute names. */
void measured_slim(struct run *run);
