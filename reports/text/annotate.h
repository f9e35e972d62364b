/* A kernel's source with its samples beside each line.  Nothing is computed here. */
#pragma once

#include "analysis/model/hot.h"
#include "base/text.h"

#include <stdbool.h>

struct report_annotate_options {
  int width; /* 0: no limit */
  bool colour;
  bool whole; /* whole files, not the lines around those that have samples */
};
/* A table a file: share of the samples, what most of them wait for, line number, source. */
void report_annotate(const struct hot *h, const struct report_annotate_options *o, struct text *out);
