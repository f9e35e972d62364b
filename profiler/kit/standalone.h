/* A rung as one file of CUDA C++ that needs nothing of this project: its source, its launch, and a test. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "kernels/rung.h"

struct standalone {
  const struct rung_set *set; /* the headers that the rung may include */
  const struct rung_plan *plan;
  const char *arch; /* "sm_90a" */
  int sms;          /* of the chip that it was planned for */
  const char *version;
  const char *file; /* the name that the file will have, for the commands in it */
};

/* Adds the file's text to *out.  ERR_USAGE for a rung that one file cannot hold: a library's call, a tensor map, a layout of its own; ERR_DATA for an
 * include that is not in the set. */
int standalone_text(struct text *out, const struct standalone *s, struct err *e);
