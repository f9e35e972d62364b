#include "base/table.h"
#include "reports/compare/diff_text.h"
#include "reports/compare/diff_words.h"

static void cell_change(struct table *t, const struct static_change *c) {
  if (!c->before.present && !c->after.present)
    table_cell(t, "", NULL);
  else if (!c->before.present || !c->after.present)
    table_cellf(t, "%.0f", c->before.present ? c->before.v : c->after.v);
  else if (!c->changed)
    table_cellf(t, "%.0f", c->after.v);
  else
    table_cellf(t, "%.0f → %.0f", c->before.v, c->after.v);
  if (c->regression)
    table_style(t, 'b');
}

/* No pair has a shape: kernels of programs. */
static bool no_shapes(const struct static_diff *d) {
  for (size_t i = 0; i < d->n; i++)
    if (!shape_none(d->pairs[i].shape))
      return false;
  return true;
}

static void pair_row(struct table *t, const struct static_pair *p, size_t n, bool shapes) {
  char name[WORDS_VARIANT_MAX];
  table_row(t);
  table_cell(t, words_variant(name, p->id_a, p->id_b), NULL);
  if (shapes && p->shapes > 1)
    table_cellf(t, "%zu shapes", p->shapes);
  else if (shapes)
    table_cell(t, VIEW_SHAPE(p->shape), NULL);
  for (size_t i = 0; i < n; i++)
    cell_change(t, &p->changes[i]);
  table_cell(t, static_verdict_name(p->verdict), NULL);
  table_style(t, p->verdict == STATIC_WORSE || p->verdict == STATIC_BROKEN ? 'b' : 'd');
}

static struct table *pairs_table(const struct static_diff *d, bool all, size_t *rows) {
  size_t n = 0;
  const struct static_quantity *q = static_quantities(&n);
  struct table *t = table_of(no_shapes(d) ? "kernel" : "variant | shape");
  for (size_t i = 0; i < n; i++)
    table_column(t, q[i].title, q[i].unit, q[i].key, TABLE_RIGHT);
  table_head(t, "verdict");
  *rows = 0;
  for (size_t i = 0; i < d->n; i++) {
    const struct static_pair *p = &d->pairs[i];
    if (!all && (p->verdict == STATIC_SAME || p->verdict == STATIC_ABSENT))
      continue;
    pair_row(t, p, n, !no_shapes(d));
    ++*rows;
  }
  return t;
}

static void add_reasons(const struct static_diff *d, bool all, struct text *out) {
  for (size_t i = 0; i < d->n; i++) {
    const struct static_pair *p = &d->pairs[i];
    char name[WORDS_VARIANT_MAX];
    if (p->renamed && (i == 0 || d->pairs[i - 1].id_a != p->id_a))
      text_printf(out, "- renamed: %s is %s now (%s)\n", p->id_a, p->id_b, p->renamed);
    if (p->reason && (all || p->verdict != STATIC_ABSENT))
      text_printf(out, "- %s: %s%s%s: %s\n", static_verdict_name(p->verdict), words_variant(name, p->id_a, p->id_b),
                  shape_none(p->shape) ? "" : " ", shape_none(p->shape) ? "" : VIEW_SHAPE(p->shape), p->reason);
  }
}

static void add_head(const struct static_report *r, struct text *out) {
  const char *arch = r->d->arch_a ? r->d->arch_a : r->d->arch_b;
  text_printf(out, "A: %s; B: %s; compiled for %s, nothing was run\n", r->files_a, r->files_b,
              arch ? arch : "several chips");
}

static void add_outcome(const struct static_diff *d, struct text *out) {
  if (!static_diff_compared(d))
    text_add(out, "nothing was compared, as no kernel was compiled in both");
  else if (d->regressions)
    text_printf(out, "%zu regression%s", d->regressions, d->regressions == 1 ? "" : "s");
  else
    text_add(out, "no regression");
}

void report_static_term(const struct static_report *r, struct text *out, int width, bool colour, bool all) {
  size_t rows = 0;
  struct table *t = pairs_table(r->d, all, &rows);
  add_head(r, out);
  if (rows) {
    text_add(out, "\n");
    table_term(t, out, width, colour);
  }
  text_add(out, "\n");
  add_reasons(r->d, all, out);
  words_static_counts(r->d, out);
  text_add(out, ": ");
  add_outcome(r->d, out);
  text_add(out, "\n");
  table_free(t);
}

void report_static_markdown(const struct static_report *r, struct text *out) {
  size_t rows = 0, every = 0;
  struct table *t = pairs_table(r->d, false, &rows), *full = pairs_table(r->d, true, &every);
  struct text lines = {0};
  text_add(out, "### nvfp4-prof diff --static: ");
  add_outcome(r->d, out);
  text_add(out, "\n\n");
  words_static_counts(r->d, out);
  text_add(out, ".\n\n");
  if (rows) {
    table_markdown(t, out);
    text_add(out, "\n");
  }
  add_reasons(r->d, false, &lines);
  words_markdown(out, &lines);
  text_add(out, "<details><summary>Every kernel</summary>\n\n");
  add_head(r, &lines);
  words_markdown(out, &lines);
  text_add(out, "\n");
  table_markdown(full, out);
  text_add(out, "\n</details>\n");
  table_free(t);
  table_free(full);
}
