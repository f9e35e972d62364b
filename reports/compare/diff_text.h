/* Comparisons rendered: terminal, Markdown for a comment on a pull request, JSON, JUnit XML.  Nothing is computed here. */
#pragma once

#include "analysis/compare/diff.h"
#include "analysis/compare/diff_static.h"
#include "base/text.h"

#include <stdbool.h>

struct diff_report { /* what is rendered, and from which files */
  const struct diff *d;
  struct diff_side a, b;
  const char *files_a, *files_b; /* as given on the command line */
};
/* Both sides, what their conditions differ in, the noise, then the pairs that are not the same (all: every one), and a summary. */
void report_diff_term(const struct diff_report *r, struct text *out, int width, bool colour, bool all);
/* A summary and what failed, then the rest folded in <details>. */
void report_diff_markdown(const struct diff_report *r, struct text *out);
void report_diff_json(const struct diff_report *r, struct text *out); /* schema "nvfp4-prof/diff/1" */
/* One test case a variant x shape: a failure where it is a regression, skipped where it was added, removed or not timed. */
void report_diff_junit(const struct diff_report *r, struct text *out);

struct static_report {
  const struct static_diff *d;
  const char *files_a, *files_b;
};
void report_static_term(const struct static_report *r, struct text *out, int width, bool colour, bool all);
void report_static_markdown(const struct static_report *r, struct text *out);
void report_static_json(const struct static_report *r, struct text *out); /* schema "nvfp4-prof/diff-static/1" */
void report_static_junit(const struct static_report *r, struct text *out);
