/* Diagnosis without a GPU: of rungs that are compiled here, or of code that someone else compiled. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "kernels/selection.h"
#include "profiler/compile/code_file.h"
#include "run/run.h"

#include <stdbool.h>

struct static_asked {
  const char *variants, *shapes, *kernels,
      *kernel;           /* of rungs; NULL: not given.  kernel may be source that says nothing of its launch */
  struct code_file code; /* path NULL: rungs, compiled for its target */
  const char *device;
  bool json;
};

/* Compiles or reads what was asked for and prints its diagnoses.  An exit code or a negative error. */
int static_command(const struct static_asked *asked, struct err *e);

/* EXIT_VARIANTS where there is none, or a block cannot be launched, which stderr is told; else 0 or a negative error.
 * Adds the diagnoses of a compiled run: of the variants of a source file (NULL: all), each at its first shape only where `first` says so.
 * device: as --device, NULL: the described device of the chip that was compiled for. */
struct static_show {
  const char *source, *device;
  const char *table; /* the file whose kernels are one table where they are several; NULL: each in full */
  bool first, json;
};
int static_add(const struct run *r, const struct static_show *show, struct text *out, struct err *e);

/* ERR_DATA, with file and line, where what a rung predicts does not parse or is of no known name. */
int predicted_verify(const struct selection *s, struct err *e);

/* Tells stderr which variants of a compiled run have no code, and why; returns how many of these are failures. */
size_t static_missing(const struct run *r);
