/* The answer's rows and sentences, for the terminal and the page.  Private to the reports.  Nothing is computed here. */
#pragma once

#include "analysis/story/answer.h"
#include "base/table.h"
#include "base/text.h"
#include "reports/words/program_text.h"

#include <stdbool.h>

/* A row a ladder's best, a variant or a shape.  The caller frees it. */
struct table *answer_rows(const struct answer *a);
/* The rows of a program that attach saw; release with program_shown_release. */
struct program_shown answer_program(const struct answer *a);
/* "The best of each ladder (84 variants timed), geometric mean of 3 shapes" */
void answer_caption(const struct answer *a, struct text *out);

/* "bound" and what is said of it. */
typedef void answer_line_fn(void *context, const char *label, const char *line);
/* Fastest, how close, bound, do, next; nothing where nothing has a time.  run_file: that the next command is to name; NULL: the recorded run.
 * steps: also how the one variant that was asked for differs from its parent, a line per shape. */
void answer_lines(const struct answer *a, const char *run_file, bool steps, answer_line_fn *line, void *context);
