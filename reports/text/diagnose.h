/* A diagnosis, rendered.  Nothing is computed here. */
#pragma once

#include "analysis/advice/diagnosis.h"
#include "base/text.h"
#include "reports/words/advice_words.h"

#include <stdbool.h>
#include <stddef.h>

struct report_diagnosis { /* of one variant at one shape */
  const struct findings *findings;
  const struct finding *finding;
  const struct diagnosis *diagnosis;
};

struct report_diagnose_options {
  int width;
  bool colour;
  size_t lines;      /* source lines shown at most, of those that hold most samples */
  bool all;          /* every bound, source line, instruction and shape, and all advice in full */
  bool shapes_whole; /* each shape of a kernel, not the one with the most to gain and the others in brief */
  bool brief;        /* 4 KB at most: report_brief_term */
};

/* Of each kernel the time and what it is set against, the advice, the bounds, the stalls, the source lines and the instructions where warps wait; of its
 * shapes the one with the most to gain (most_to_gain), of the others what binds and the first advice. */
void report_diagnose_term(const struct report_diagnosis *d, size_t n, const struct report_diagnose_options *o,
                          struct text *out);
/* The line that the remedy changes; NULL: it is not known, or that is the launch. */
const struct run_line *report_advice_line(const struct report_diagnosis *d, const struct advice *a);
/* An array with an object a diagnosis, schema "nvfp4-prof/diagnose/1". */
void report_diagnose_json(const struct report_diagnosis *d, size_t n, struct text *out);

/* --- 4 KB at most, for a script or an agent to act on --- */
enum { BRIEF_BYTES = 4096 };

/* In the order given, as many as find room; how many did not is said. */
void report_brief_term(const struct report_diagnosis *d, size_t n, struct text *out);
/* The same as one JSON document, schema "nvfp4-prof/brief/1": an object per kernel and shape. */
void report_brief_json(const struct report_diagnosis *d, size_t n, struct text *out);

/* Where the warps of a diagnosed kernel wait: source lines, instructions and what these wait for; o->all: every line, and the SASS.  Private to
 * the reports. */
void report_hot(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out);
