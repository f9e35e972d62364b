/* A diagnosis, rendered.  Nothing is computed here. */
#pragma once

#include "analysis/advice/rules.h"
#include "analysis/ladder/ledger.h"
#include "base/table.h"
#include "base/text.h"
#include "reports/text/place_text.h"

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
  size_t lines; /* source lines shown at most */
  bool all;     /* every instruction of the kernels, not those where warps wait, and advice beyond the third in full */
  bool brief;   /* 4 KB at most: brief_text.h */
  bool further; /* not the first of several: what is said of the whole run has been said */
};

/* The time and what it is set against, the bounds, the stalls, the advice, the source lines and the instructions where warps wait. */
void report_diagnose_term(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out);
/* An array with an object a diagnosis, schema "nvfp4-prof/diagnose/1". */
void report_diagnose_json(const struct report_diagnosis *d, size_t n, struct text *out);

/* "LDG.E.128.CONSTANT R4, ...": the load an instruction waits for, its width, its cache policy and its line, as one phrase. */
void report_feed(const struct hot *h, const struct hot_inst *x, const struct sass_feed *feed, struct text *out);

/* The line as a table's cell; of a file without a name, with what the line's hottest instruction was inlined from. */
void report_hot_line_cell(const struct hot *h, const struct hot_line *l, struct text *out);

/* "29.1 ±4.1 µs usual, mean 44.5 µs"; "no time: ..." */
void report_time(const struct finding *f, struct text *out);

/* "warps' cycles: 16 % issuing, long_scoreboard 36 %, ..."; nothing where none were counted. */
void report_stalls(const struct finding *f, struct text *out);
/* "may save 2.1 to 13 µs, best estimate 3.43, 17 % of the time", "may save 2.1 to 3.5 µs, at most
 * 18 % of the time" where the estimate is the upper end; parts of the time alone where the counted launches are unlike the others; or that there is nothing to
 * gain. */
void report_saving(const struct advice *a, const struct finding *f, struct text *out);
const char *report_no_advice(
    const char *reason); /* why there is no advice: the diagnosis's reason, or that no rule spoke */

/* The ledger of promised against gained. */
void report_ledger_term(const struct ledger *l, struct text *out, int width, bool colour);
/* A row a rule; the caller frees it. */
struct table *ledger_scores(const struct ledger *l);
void report_ledger_json(const struct ledger *l, struct text *out);
