#include "reports/page/page.h"
#include "reports/words/bound_words.h"
#include "reports/words/evidence_text.h"

#include "reports/text/diagnose.h"
#include "reports/text/static_text.h"
#include "reports/words/place_text.h"

#include <stdio.h>

/* A rung's diagnoses, one a shape: the advice, and where its warps wait. */

/* A page holds many rungs: what is shown of each is cut here, and `nvfp4-prof diagnose` shows
 * the rest. */
enum { LINES_SHOWN = 3, ADVICE_SHOWN = 2 };

static void advice_add(struct slots *s, const struct report_diagnosis *d) {
  const struct diagnosis *x = d->diagnosis;
  struct text none = {0};
  text_add(&none, report_no_advice(x->reason));
  report_code_first(x->code, &none);
  slot_text(s, "no_advice", x->n ? NULL : text_str(&none));
  text_release(&none);
  slot_list(s, "advice");
  for (size_t i = 0; i < x->n && i < ADVICE_SHOWN; i++) {
    const struct advice *a = &x->items[i];
    struct slots *item = slot_item(s, "advice");
    slot_text(item, "title", a->rule->title);
    slot_text(item, "rule", a->rule->name);
    report_saving(a, d->finding, slot_open(item, "saving"));
    slot_text(item, "sentence", a->told.sentence);
    slot_text(item, "remedy", a->told.remedy);
    report_evidences(a->told.evidence, a->told.n_evidence, slot_open(item, "evidence"));
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
  struct table *t = table_of(
      h->issued_on
          ? "line | >instructions [%] =instructions_share | top stall [of waits] =stall | source | waits for =waits_for"
          : "line | >waits [%] =waits_share | top stall [of waits] =stall | source | waits for =waits_for");
  for (size_t i = 0; i < h->n_lines && i < LINES_SHOWN; i++) {
    const struct hot_line *l = &h->lines[i];
    struct text source = {0}, waits = {0}, line = {0};
    report_line_shown(h->run, l->source, l->line, &source);
    report_hot_line_cell(h, l, &line);
    line_waits(h, l, &waits);
    table_row(t);
    table_cell(t, text_str(&line), NULL);
    table_number(t, 100 * hot_line_share(h, l), 2);
    table_cellf(t, "%s %.0f %%", l->top.reason ? l->top.reason : "", view_share(l->top.samples, l->waits));
    table_cell(t, text_str(&source), NULL);
    table_cell(t, text_str(&waits), NULL);
    text_release(&source);
    text_release(&waits);
    text_release(&line);
  }
  return t;
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
  text_printf(line, "; %.1f %% of them at a known instruction.", view_share(h->samples - h->unplaced, h->samples));
  if (h->n_lines)
    page_table(p, false, s, "hot", lines_table(h), "%s: the source lines with the most %s", where,
               h->issued_on ? "instructions on what binds" : "waits");
}

/* --- one shape --- */

static void shape_add(const struct page *p, struct slots *s, const struct report_diagnosis *d) {
  char shape[SHAPE_TEXT_MAX + 8], where[VIEW_NAME_MAX + SHAPE_TEXT_MAX + 16];
  bool none = shape_none(d->finding->result->shape);
  view_shape(shape, d->finding->result->shape);
  snprintf(where, sizeof where, "%s%s%s", VIEW_NAME(d->finding->variant), none ? "" : " at ", none ? "" : shape);
  slot_printf(s, "number", "%zu", page_shape_number(p, d->finding->result->shape));
  slot_text(s, "shape", none ? NULL : shape);
  bound_far(p->v->f->run, d->finding, slot_open(s, "unlike"));
  advice_add(s, d);
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
