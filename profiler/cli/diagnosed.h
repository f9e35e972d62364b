/* Diagnoses of a measured run, as `diagnose` and --watch show them. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "profiler/cli/cli.h"
#include "reports/text/diagnose.h"
#include "run/run.h"

#include <stdbool.h>

typedef bool (*diagnosed_select)(const void *context, const struct findings *f, size_t i); /* of f->items */
/* Diagnoses the selected findings, *n of them, and adds them. */
void diagnoses_show(const struct findings *f, diagnosed_select select, const void *context,
                    const struct report_diagnose_options *o, bool json, size_t *n, struct text *out);
/* Adds the diagnoses of the variants of a source file that have a time, each at its first shape.  device: as --device, NULL: the run's own. */
int diagnosed_add(const struct run *r, const char *source, const char *device, bool json, struct text *out,
                  struct err *e);

/* A word of the line is a file where it looks like one; else it names variants. */
bool word_is_file(const char *word);
/* Sets *run and *variants from the words of the line, one each at most, where they stand in any order.  ERR_USAGE. */
int words_parse(const char **run, const char **variants, const struct args *a, struct err *e);
/* The only variant of the run that is no control; of a program that was attached to, the kernel of most time, which is said.  ERR_USAGE where there are
 * several else, which names the file. */
int only_variant(const char **variants, const char *file, const struct run *r, struct err *e);
