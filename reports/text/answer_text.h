/* The first screen: where the numbers come from, a row per ladder's best or per shape, and the answer.  Nothing is computed here. */
#pragma once

#include "analysis/story/answer.h"
#include "base/text.h"

#include <stdbool.h>

struct report_answer_options {
  int width; /* of the terminal; 0: no limit, and sentences break at 80 */
  bool colour;
  bool full_names;      /* of a program's kernels */
  bool quiet;           /* the answer's lines only: no table, no notes */
  const char *run_file; /* that the next command is to name; NULL: the recorded run, which needs no name */
};

/* "measured on NVIDIA H200 (...)": the first line, before anything is worked out. */
void report_answer_origin(const struct run *r, struct text *out, int width);
void report_answer_term(const struct answer *a, const struct report_answer_options *o, struct text *out);
