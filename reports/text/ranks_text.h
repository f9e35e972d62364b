/* How evenly the ranks of a merged run share its time: for people, and for programs. */
#pragma once

#include "analysis/story/ranks.h"
#include "base/table.h"
#include "base/text.h"

/* The answer, five sentences: item is called with each. */
void ranks_answer(const struct ranks *r, void (*item)(void *context, const char *sentence), void *context);
/* The answer, the spread of the kernels and ranges of most time, and what was left out: at most 60 lines of 80 columns. */
void report_ranks_term(const struct ranks *r, struct text *out, int width, bool colour);
/* One row a kernel and range. */
void report_ranks_csv(const struct ranks *r, struct text *out);
void report_ranks_json(const struct ranks *r, struct text *out);

/* The spread of kernels or ranges, at most `most` of them, as a table; the caller frees it. */
struct table *ranks_table(const struct ranks *r, bool ranges, size_t most);
/* Calls item with every file that was left out, and why. */
void ranks_left_out(const struct ranks *r, void (*item)(void *context, const char *sentence), void *context);

enum { RANK_LABEL_MAX = 96 };
/* "rank 3"; of a process without a rank its file. */
const char *rank_label(char buffer[RANK_LABEL_MAX], const struct ranks *r, int rank);
#define RANK_LABEL(r, rank)                                                                                            \
  rank_label((char[RANK_LABEL_MAX]){0}, r, rank) /* lasts as long as the block that it stands in */
