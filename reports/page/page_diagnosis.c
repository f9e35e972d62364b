#include "reports/page/page.h"

#include "reports/text/diagnose.h"

#include <stdio.h>

/* A rung's diagnoses, folded, one a shape: the advice, the bounds, and where its warps wait. */

/* A page holds many rungs: what is shown of each is cut here, and `nvfp4-prof diagnose` shows
 * the rest. */
enum { LINES_SHOWN = 8, INSTS_SHOWN = 16 };
/* Of the kernels' samples. */
static const double LEAST_SHOWN = 0.01;

static double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void advice_add(struct slots *s, const struct report_diagnosis *d) {
  const struct diagnosis *x = d->diagnosis;

  slot_text(s, "no_advice", x->n ? NULL : report_no_advice(x->reason));
  slot_list(s, "advice");
  for (size_t i = 0; i < x->n; i++) {
    const struct advice *a = &x->items[i];
    struct slots *item = slot_item(s, "advice");
    struct text *evidence = slot_open(item, "evidence");

    slot_text(item, "title", a->rule->title);
    slot_text(item, "rule", a->rule->name);
    report_saving(a, d->finding->time.middle, slot_open(item, "saving"));
    slot_text(item, "sentence", a->sentence);
    slot_text(item, "remedy", a->remedy);
    for (size_t k = 0; k < a->n_evidence; k++) {
      text_add(evidence, k ? "; " : "");
      report_evidence(&a->evidence[k], evidence);
    }
  }
}

/* --- where warps wait --- */

/* What the line's hottest wait for data is for. */
static void line_waits(const struct hot *h, const struct hot_line *l, struct text *out) {
  for (size_t i = 0; i < h->n_insts; i++) {
    const struct hot_inst *x = &h->insts[i];

    if (x->n_feeds && x->line && x->line->source == l->source && x->line->line == l->line) {
      report_feed(h, x, &x->feeds[0], out);
      return;
    }
  }
}

static struct table *lines_table(const struct hot *h) {
  struct table *t = table_new();

  table_column(t, "line", "", "line", TABLE_LEFT);
  table_column(t, "samples", "%", "samples_share", TABLE_RIGHT);
  table_column(t, "top stall", "of these", "stall", TABLE_LEFT);
  table_column(t, "source", "", "source", TABLE_LEFT);
  table_column(t, "waits for", "", "waits_for", TABLE_LEFT);
  for (size_t i = 0; i < h->n_lines && i < LINES_SHOWN; i++) {
    const struct hot_line *l = &h->lines[i];
    struct text source = {0}, waits = {0};

    report_source_line(h->run, l->source, l->line, &source);
    line_waits(h, l, &waits);
    table_row(t);
    table_cellf(t, "%s:%d", h->run->sources[l->source].name, l->line);
    table_number(t, percent(l->samples, h->samples), 2);
    table_cellf(t, "%s %.0f %%", l->top.reason ? l->top.reason : "", percent(l->top.samples, l->samples));
    table_cell(t, text_str(&source), NULL);
    table_cell(t, text_str(&waits), NULL);
    text_release(&source);
    text_release(&waits);
  }
  return t;
}

static void inst_row(struct table *t, const struct hot *h, const struct hot_kernel *k, const struct hot_inst *x) {
  const struct sass_inst *i = &k->sass.insts[x->at];
  struct text place = {0}, waits = {0};

  report_place(h->run, &k->kernel->sass[x->at], &place);
  for (size_t f = 0; f < x->n_feeds; f++)
    text_printf(&waits, "%s0x%04x %s", f ? "; " : "", k->sass.insts[x->feeds[f].inst].offset,
                k->sass.insts[x->feeds[f].inst].text);
  table_row(t);
  table_cellf(t, "0x%04x", i->offset);
  table_cell(t, i->text, NULL);
  table_number(t, percent(x->samples, h->samples), 2);
  table_cell(t, x->n_reasons ? x->reasons[0].reason : "", NULL);
  if (k->sass.executed[x->at] >= 0)
    table_cellf(t, "%.0f", k->sass.executed[x->at]);
  else
    table_cell(t, "", NULL);
  table_cell(t, text_str(&waits), NULL);
  table_cell(t, text_str(&place), NULL);
  text_release(&place);
  text_release(&waits);
}

/* The hottest instructions of a kernel, in the order of its code.  *shown counts them; NULL
 * where there are none. */
static struct table *insts_table(const struct hot *h, const struct hot_kernel *k, size_t *shown) {
  struct table *t = table_new();

  *shown = 0;
  table_column(t, "offset", "", "offset", TABLE_LEFT);
  table_column(t, "SASS", "", "sass", TABLE_LEFT);
  table_column(t, "samples", "%", "samples_share", TABLE_RIGHT);
  table_column(t, "stall", "", "stall", TABLE_LEFT);
  table_column(t, "executed", "", "executed", TABLE_RIGHT);
  table_column(t, "waits for", "", "waits_for", TABLE_LEFT);
  table_column(t, "line", "", "line", TABLE_LEFT);
  for (size_t at = 0; at < k->sass.n; at++) {
    size_t x = k->insts[at]; /* the hottest come first */

    if (x == SASS_NONE || x >= INSTS_SHOWN || percent(h->insts[x].samples, h->samples) < 100 * LEAST_SHOWN)
      continue;
    inst_row(t, h, k, &h->insts[x]);
    (*shown)++;
  }
  if (*shown)
    return t;
  table_free(t);
  return NULL;
}

static void hot_add(const struct page *p, struct slots *s, const struct report_diagnosis *d, const char *where) {
  const struct hot *h = &d->diagnosis->hot;
  const struct run_sampling *sampling = &d->finding->result->sampling;
  struct text *line = slot_open(s, "samples");

  slot_text(s, "hot", NULL);
  if (h->reason) {
    text_printf(line, "Unknown: %s.", h->reason);
    return;
  }
  text_printf(line, "%llu PC samples", (unsigned long long)h->samples);
  if (sampling->dropped)
    text_printf(line, ", %llu dropped", (unsigned long long)sampling->dropped);
  text_printf(line, "; %.1f %% of them at a known instruction.", percent(h->samples - h->unplaced, h->samples));
  if (h->n_lines)
    page_table(p, false, s, "hot", lines_table(h), "%s: the source lines with the most samples", where);
  for (size_t i = 0; i < h->n_kernels; i++) {
    size_t shown;
    struct table *t = insts_table(h, &h->kernels[i], &shown);

    if (t)
      page_table(p, false, s, "hot", t, "%s: the %zu hottest instructions of %s, in its order", where, shown,
                 h->kernels[i].kernel->name);
  }
}

/* --- one shape --- */

static void shape_add(const struct page *p, struct slots *s, const struct report_diagnosis *d) {
  char shape[SHAPE_TEXT_MAX + 8], name[VIEW_NAME_MAX], where[VIEW_NAME_MAX + SHAPE_TEXT_MAX + 16];

  view_shape(shape, d->finding->result->shape);
  snprintf(where, sizeof where, "%s at %s", view_name(name, d->finding->variant), shape);
  slot_text(s, "shape", shape);
  prose_first_advice(d, slot_open(s, "first_advice"));
  if (p->markdown)
    return; /* `diagnose` shows the rest */
  advice_add(s, d);
  page_table(p, false, s, "least_times", report_bounds(d), "%s: bounds (modelled) against its time (%s)", where,
             run_origin_name(d->findings->run->origin));
  report_stalls(d->finding, slot_open(s, "stalls"));
  hot_add(p, s, d, where);
}

void page_diagnosis(const struct page *p, const struct run_variant *v, struct slots *s) {
  const struct findings *f = p->v->f;

  slot_list(s, "diagnoses");
  for (size_t i = 0; i < f->n; i++) {
    if (f->items[i].variant == v)
      shape_add(p, slot_item(s, "diagnoses"),
                &(struct report_diagnosis){f, &f->items[i], &p->story->diagnoses.items[i]});
  }
}
