#include "reports/compare/diff_text.h"

#include "base/table.h"
#include "reports/compare/diff_words.h"

#include <string.h>

/* --- which rows --- */

enum rows { ROWS_HEAD, ROWS_TOLD, ROWS_ALL };

/* HEAD: what a reviewer must see first; TOLD: all but what is the same. */
static bool row_wanted(const struct diff_pair *p, enum rows rows) {
  if (!p->selected)
    return false;
  switch (p->verdict) {
  case DIFF_SAME:
    return rows == ROWS_ALL || (rows == ROWS_TOLD && p->renamed);
  case DIFF_FASTER:
  case DIFF_SLOWER:
  case DIFF_BROKEN:
  case DIFF_MENDED:
    return true;
  case DIFF_UNCLEAR:
  case DIFF_REMOVED:
  case DIFF_ADDED:
    return rows != ROWS_HEAD;
  default:
    return rows == ROWS_ALL;
  }
}

static char verdict_style(const struct diff_pair *p) {
  switch (p->verdict) {
  case DIFF_FASTER:
  case DIFF_MENDED:
    return 'g';
  case DIFF_SLOWER:
  case DIFF_BROKEN:
    return 'b';
  default:
    return 'd';
  }
}

/* --- tables --- */

/* No pair has a shape: kernels of programs. */
static bool no_shapes(const struct diff *d) {
  for (size_t i = 0; i < d->n; i++)
    if (!shape_none(d->pairs[i].shape))
      return false;
  return true;
}

/* "variant | shape | ", which the other columns follow. */
static struct table *table_begun(const struct diff *d, const char *columns) {
  struct table *t = table_of(no_shapes(d) ? "kernel" : "variant | shape");
  table_head(t, columns);
  return t;
}

static void pair_cells(struct table *t, const struct diff *d, const struct diff_pair *p) {
  char name[WORDS_VARIANT_MAX];
  table_row(t);
  table_cell(t, words_variant(name, p->id_a, p->id_b), NULL);
  if (!no_shapes(d))
    table_cell(t, VIEW_SHAPE(p->shape), NULL);
}

static void pair_row(struct table *t, const struct diff *d, const struct diff_pair *p) {
  pair_cells(t, d, p);
  view_cell(t, p->a ? p->time_a : (struct value){0}, 1e6, 4);
  view_cell(t, p->b ? p->time_b : (struct value){0}, 1e6, 4);
  if (p->ratio.present) {
    table_cell(t, WORDS_CHANGE(p->ratio.v), NULL);
    table_cellf(t, "%s to %s", WORDS_CHANGE(p->ratio_low.v), WORDS_CHANGE(p->ratio_high.v));
  } else {
    table_cell(t, "", NULL);
    table_cell(t, "", NULL);
  }
  table_cell(t, !p->a || !p->b ? "" : !p->code_known ? "unknown" : p->same_code ? "same" : "other", NULL);
  table_cell(t, diff_verdict_name(p->verdict), NULL);
  table_style(t, verdict_style(p));
}

static struct table *pairs_table(const struct diff *d, enum rows rows, size_t *n) {
  struct table *t = table_begun(d, ">A [µs] =a_us | >B [µs] =b_us | >B vs A [%] =change_percent | "
                                   ">95 % interval [%] =interval_percent -4 | machine code =code -1 | verdict");
  *n = 0;
  for (size_t i = 0; i < d->n; i++) {
    if (!row_wanted(&d->pairs[i], rows))
      continue;
    pair_row(t, d, &d->pairs[i]);
    ++*n;
  }
  return t;
}

static void metric_row(struct table *t, const struct diff *d, const struct diff_pair *p, const char *metric,
                       const struct diff_metric *m) {
  static const char *const names[] = {
      [METRIC_SAME] = "same", [METRIC_MORE] = "more", [METRIC_FEWER] = "less", [METRIC_ABSENT] = "absent"};
  pair_cells(t, d, p);
  table_cell(t, metric, NULL);
  view_cell(t, m->before, 1, 6);
  view_cell(t, m->after, 1, 6);
  table_cell(t, m->ratio.present ? WORDS_CHANGE(m->ratio.v) : "", NULL);
  table_cellf(t, "%s%s", names[m->verdict], m->regression ? ", beyond the tolerance" : "");
  table_style(t, m->regression ? 'b' : 'd');
}

static struct table *metrics_table(const struct diff *d, bool all, size_t *n) {
  struct table *t = table_begun(d, "metric | >A =a | >B =b | >B vs A [%] =change_percent |  =verdict");
  *n = 0;
  for (size_t i = 0; i < d->n; i++) {
    const struct diff_pair *p = &d->pairs[i];
    for (size_t k = 0; p->selected && p->metrics && k < d->n_metrics; k++) {
      if (p->metrics[k].verdict == METRIC_SAME && !all)
        continue;
      metric_row(t, d, p, d->metrics[k].name, &p->metrics[k]);
      ++*n;
    }
  }
  return t;
}

/* --- reasons: each once, with the pairs it holds for --- */

static bool same_reason(const struct diff_pair *a, const struct diff_pair *b) {
  return a->verdict == b->verdict && strcmp(a->reason, b->reason) == 0;
}

static void reason_line(const struct diff *d, size_t first, enum rows rows, struct text *out) {
  enum { NAMED = 4 };
  const struct diff_pair *p = &d->pairs[first];
  size_t n = 0;
  text_printf(out, "- %s: ", diff_verdict_name(p->verdict));
  for (size_t i = first; i < d->n; i++) {
    char name[WORDS_VARIANT_MAX];
    const struct diff_pair *q = &d->pairs[i];
    if (!row_wanted(q, rows) || !q->reason || !same_reason(p, q) || ++n > NAMED)
      continue;
    text_printf(out, "%s%s%s%s", n > 1 ? ", " : "", words_variant(name, q->id_a, q->id_b),
                shape_none(q->shape) ? "" : " ", shape_none(q->shape) ? "" : VIEW_SHAPE(q->shape));
  }
  if (n > NAMED)
    text_printf(out, " and %zu more", n - NAMED);
  text_printf(out, ": %s\n", p->reason);
}

static void add_reasons(const struct diff *d, enum rows rows, struct text *out) {
  for (size_t i = 0; i < d->n; i++) {
    const struct diff_pair *p = &d->pairs[i];
    bool told = false;
    if (!row_wanted(p, rows) || !p->reason)
      continue;
    for (size_t k = 0; k < i && !told; k++)
      told = row_wanted(&d->pairs[k], rows) && d->pairs[k].reason && same_reason(&d->pairs[k], p);
    if (!told)
      reason_line(d, i, rows, out);
  }
  for (size_t i = 0; i < d->n; i++) {
    const struct diff_pair *p = &d->pairs[i];
    if (p->selected && p->renamed && (i == 0 || d->pairs[i - 1].id_a != p->id_a))
      text_printf(out, "- renamed: %s is %s now (%s)\n", p->id_a, p->id_b, p->renamed);
  }
}

static void add_conditions(const struct diff *d, struct text *out) {
  for (size_t i = 0; i < d->n_conditions; i++) {
    const struct diff_condition *c = &d->conditions[i];
    text_printf(out, "- %s: %s in A, %s in B\n", c->what, c->a, c->b);
  }
}

/* What fails the comparison, or that nothing does. */
static void add_outcome(const struct diff *d, struct text *out) {
  if (!diff_compared(d)) {
    text_add(out, "nothing was compared, as no variant has a time in both");
    return;
  }
  if (d->regressions + d->metric_regressions == 0) {
    text_add(out, "no regression");
    return;
  }
  text_printf(out, "%zu regression%s", d->regressions + d->metric_regressions,
              d->regressions + d->metric_regressions == 1 ? "" : "s");
  if (d->fail_over > 0)
    text_printf(out, " (slower by more than %g %%, wrong or failed)", d->fail_over * 100);
}

/* --- the terminal --- */

static void put_table(struct table *t, size_t n, struct text *out, int width, bool colour) {
  if (n) {
    text_add(out, "\n");
    table_term(t, out, width, colour);
  }
  table_free(t);
}

void report_diff_term(const struct diff_report *r, struct text *out, int width, bool colour, bool all) {
  const struct diff *d = r->d;
  enum rows rows = all ? ROWS_ALL : ROWS_TOLD;
  size_t n = 0;
  words_side("A", r->a, r->files_a, out);
  text_add(out, "\n");
  words_side("B", r->b, r->files_b, out);
  text_add(out, "\n");
  if (d->n_conditions) {
    text_add(out, "The runs differ in:\n");
    add_conditions(d, out);
  }
  words_noise(d, out);
  text_add(out, "\n");
  struct table *pairs = pairs_table(d, rows, &n);
  put_table(pairs, n, out, width, colour);
  if (d->n_metrics) {
    struct table *metrics = metrics_table(d, all, &n);
    put_table(metrics, n, out, width, colour);
  }
  text_add(out, "\n");
  add_reasons(d, rows, out);
  words_counts(d, out);
  text_add(out, ": ");
  add_outcome(d, out);
  text_add(out, all ? "\n" : " (--all lists every pair)\n");
}

/* --- Markdown --- */

static void put_markdown(struct table *t, size_t n, struct text *out) {
  if (n) {
    table_markdown(t, out);
    text_add(out, "\n");
  }
  table_free(t);
}

void report_diff_markdown(const struct diff_report *r, struct text *out) {
  const struct diff *d = r->d;
  struct text lines = {0};
  size_t n = 0;
  text_add(out, "### nvfp4-prof diff: ");
  add_outcome(d, out);
  text_add(out, "\n\n");
  words_counts(d, out);
  text_add(out, ".\n\n");
  struct table *head = pairs_table(d, ROWS_HEAD, &n);
  put_markdown(head, n, out);
  if (d->n_metrics) {
    struct table *metrics = metrics_table(d, false, &n);
    put_markdown(metrics, n, out);
  }
  text_add(out, "<details><summary>The runs, their noise, and every pair</summary>\n\n");
  text_add(&lines, "- ");
  words_side("A", r->a, r->files_a, &lines);
  text_add(&lines, "\n- ");
  words_side("B", r->b, r->files_b, &lines);
  text_add(&lines, "\n");
  add_conditions(d, &lines);
  words_markdown(out, &lines);
  text_add(out, "\n");
  words_noise(d, out);
  text_add(out, "\n\n");
  struct table *every = pairs_table(d, ROWS_ALL, &n);
  put_markdown(every, n, out);
  add_reasons(d, ROWS_ALL, &lines);
  words_markdown(out, &lines);
  text_add(out, "\n</details>\n");
}
