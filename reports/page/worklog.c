#include "reports/text/prose.h"

#include "base/markdown.h"
#include "reports/text/steps.h"
#include "reports/text/tables.h"

#include <string.h>

static void add_table(struct table *t, struct text *out) {
  table_markdown(t, out);
  text_add(out, "\n");
  out->failed |= !table_ok(t);
  table_free(t);
}

static void add_item(void *context, const char *s) {
  struct text *out = context;

  text_add(out, "- ");
  markdown_text(out, s);
  text_add(out, "\n");
}

static void add_charts(const struct report_parts *parts, const char *ladder, struct text *out) {
  size_t drawn = 0;

  for (size_t i = 0; i < parts->n_charts; i++) {
    const struct report_chart *c = &parts->charts[i];

    if (!c->drawn || strcmp(c->ladder, ladder) != 0)
      continue;
    text_add(out, "![");
    markdown_text(out, c->title);
    text_printf(out, "](%s.svg)\n\n*", c->name);
    markdown_text(out, c->hint);
    text_add(out, "*\n\n");
    drawn++;
  }
  if (drawn)
    text_add(out,
             "Each chart can be redrawn from the `.gp` and `.dat` of its name: `gnuplot NAME.gp` in this folder.\n\n");
}

static void add_results(const struct view *v, struct text *out) {
  text_add(out, "## Results\n\n");
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    struct table *t = tables_shape(v, v->f->shapes[i], TABLES_WORKLOG, 0);
    struct text caption = {0};
    char shape[SHAPE_TEXT_MAX + 8];

    text_printf(out, "### %s\n\n", view_shape(shape, v->f->shapes[i]));
    tables_shape_caption(v, v->f->shapes[i], &caption);
    markdown_text(out, text_str(&caption));
    text_add(out, ".\n\n");
    add_table(t, out);
    text_release(&caption);
  }
  if (v->f->n_shapes > 1) {
    struct table *t = tables_geomean(v);

    text_printf(out,
                "### Geometric mean\n\nOver the %zu shapes of this run; published figures are over their authors' "
                "shapes and on the device named beside them.\n\n",
                v->f->n_shapes);
    add_table(t, out);
  }
}

static void add_step_faults(const struct view *v, const struct run_variant *variant, struct text *out) {
  bool any = false;

  for (size_t i = 0; i < v->f->n; i++) {
    const struct finding *f = &v->f->items[i];
    char shape[SHAPE_TEXT_MAX + 8];
    struct text verdict = {0};

    if (f->variant != variant || !view_fault(f))
      continue;
    view_verdict(f, &verdict);
    text_printf(out, "- %s: **%s**: ", view_shape(shape, f->result->shape), text_str(&verdict));
    markdown_text(out, view_fault(f));
    text_add(out, "\n");
    text_release(&verdict);
    any = true;
  }
  text_add(out, any ? "\n" : "");
}

static void add_judged(const struct step *step, struct text *out) {
  struct table *t = steps_predictions(step);
  bool any = false;

  add_table(t, out);
  for (size_t i = 0; i < step->n; i++) {
    for (size_t k = 0; k < step->predictions.n; k++) {
      struct text line = {0};

      if (steps_unknown(step, i, k, &line)) {
        text_add(out, "- Unknown: ");
        markdown_text(out, text_str(&line));
        text_add(out, "\n");
        any = true;
      }
      out->failed |= line.failed;
      text_release(&line);
    }
  }
  text_add(out, any ? "\n" : "");
}

static void add_unjudged(const struct run_variant *variant, const char *why, struct text *out) {
  text_add(out, "Predicted, and not judged: ");
  markdown_text(out, why);
  text_add(out, ": ");
  markdown_code(out, variant->predicts);
  text_add(out, "\n\n");
}

static void add_advised(const struct story_step *told, size_t i, struct text *out) {
  struct text line = {0};

  steps_advised(told, i, &line);
  if (line.n) {
    text_add(out, "  - ");
    markdown_text(out, text_str(&line));
    text_add(out, "\n");
  }
  out->failed |= line.failed;
  text_release(&line);
}

/* One sentence a shape, and what the rung predicted against what came. */
static void add_explanation(const struct story_rung *r, struct text *out) {
  const struct step *step = &r->told.step;

  if (r->untold) {
    if (r->variant->predicts)
      add_unjudged(r->variant, r->untold, out);
    return;
  }
  for (size_t i = 0; i < step->n; i++) {
    char shape[SHAPE_TEXT_MAX + 8];

    text_printf(out, "- %s: ", view_shape(shape, step->at[i].shape));
    markdown_text(out, step->at[i].sentence);
    text_add(out, "\n");
    add_advised(&r->told, i, out);
  }
  text_add(out, step->n ? "\n" : "");
  if (step->predictions.n)
    add_judged(step, out);
}

/* What to do next, from here: one line a shape. */
static void add_next(const struct story *s, const struct run_variant *variant, struct text *out) {
  bool any = false;

  for (size_t i = 0; i < s->findings->n; i++) {
    const struct finding *f = &s->findings->items[i];
    char shape[SHAPE_TEXT_MAX + 8];
    struct text line = {0};

    if (f->variant != variant)
      continue;
    prose_first_advice(&(struct report_diagnosis){s->findings, f, &s->diagnoses.items[i]}, &line);
    text_printf(out, "- next at %s: ", view_shape(shape, f->result->shape));
    markdown_text(out, text_str(&line));
    text_add(out, "\n");
    out->failed |= line.failed;
    text_release(&line);
    any = true;
  }
  text_add(out, any ? "\n" : "");
}

static void add_ledger(const struct story *s, const char *ladder, struct text *out) {
  struct table *t = prose_ledger(s, ladder);

  if (!t)
    return;
  text_add(out, "### Promised and gained, ladder ");
  markdown_text(out, ladder);
  text_printf(out, "\n\n%s\n\n", prose_ledger_words);
  add_table(t, out);
}

static void add_note(const struct report_parts *parts, const struct run_variant *r, struct text *out) {
  const struct report_note *note = prose_note(parts, r->id);

  if (!note)
    return;
  text_add(out, "<!-- the author's own words -->\n");
  text_add(out, note->text);
  text_add(out, "\n\n");
}

/* What its file says of it: what was measured when it was written, what binds, what was tried. */
static void add_file_notes(const struct run_variant *r, struct text *out) {
  bool any = false;

  for (size_t i = 0; i < r->n_keys; i++) {
    if (strcmp(r->keys[i].key, "note") != 0)
      continue;
    text_add(out, any ? "- " : "Its file notes:\n\n- ");
    markdown_text(out, r->keys[i].value);
    text_add(out, "\n");
    any = true;
  }
  text_add(out, any ? "\n" : "");
}

/* "Against `cuda-1`, measured here:"; a rung at the foot and a kernel of no ladder stand alone. */
static void add_standing(const struct view *v, const struct view_item *item, struct text *out) {
  const struct run_variant *r = item->variant;

  if (r->parent) {
    text_add(out, "Against ");
    markdown_code(out, r->parent);
    text_add(out, ",");
  } else {
    text_add(out, view_words(v->f, item->ladder).climb ? "The foot of its ladder. Its figures," : "Its figures,");
  }
  text_printf(out, " %s here:\n\n", run_origin_name(v->f->run->origin));
}

static void add_step(const struct view *v, const struct story *s, const struct report_parts *parts,
                     const struct view_item *item, struct text *out) {
  const struct run_variant *r = item->variant;

  text_add(out, "### ");
  markdown_text(out, r->id);
  text_add(out, r->side ? " (side step: tried and left)\n\n" : "\n\n");
  if (r->change) {
    markdown_text(out, r->change);
    text_add(out, ".\n\n");
  }
  add_note(parts, r, out);
  add_standing(v, item, out);
  add_table(tables_rung(v, item), out);
  add_step_faults(v, r, out);
  add_explanation(story_rung_of(s, r), out);
  add_next(s, r, out);
  add_file_notes(r, out);
  for (size_t i = 0; i < r->n_published; i++) {
    struct text line = {0};

    view_published(&r->published[i], &line);
    text_add(out, "Published: ");
    markdown_text(out, text_str(&line));
    text_add(out, "\n\n");
    text_release(&line);
  }
}

static void add_ladder_title(const struct view *v, const char *ladder, struct text *out) {
  struct view_words words = view_words(v->f, ladder);

  text_printf(out, "## %s ", words.title);
  markdown_text(out, ladder);
  text_printf(out, "\n\nTimes are %s", run_origin_name(v->f->run->origin));
  if (words.climb || tables_has_published(v, ladder))
    text_add(out, "; published figures are over their authors' shapes, on the device named beside them");
  text_add(out, words.climb ? ". ✗ marks a step that made it slower.\n\n" : ".\n\n");
}

static void add_ladders(const struct view *v, const struct story *s, const struct report_parts *parts,
                        struct text *out) {
  for (size_t i = 0; i < v->n_ladders; i++) {
    add_ladder_title(v, v->ladders[i], out);
    add_table(tables_climb(v, s, v->ladders[i]), out);
    add_charts(parts, v->ladders[i], out);
    for (size_t j = 0; j < v->n; j++) {
      if (v->items[j].group == VIEW_LADDER && strcmp(v->items[j].ladder, v->ladders[i]) == 0)
        add_step(v, s, parts, &v->items[j], out);
    }
    add_ledger(s, v->ladders[i], out);
  }
}

void report_worklog(const struct story *s, const struct report_parts *parts, struct text *out) {
  const struct findings *f = s->findings;
  struct view v;
  struct text line = {0};

  view_init(&v, f);
  text_add(out, "# ");
  view_title(f, &line);
  markdown_text(out, text_str(&line));
  text_release(&line);
  text_add(out, "\n\n");
  if (prose_headline(s, &line)) {
    text_add(out, "**");
    markdown_text(out, text_str(&line));
    text_add(out, ".**\n\n");
  }
  text_release(&line);
  view_origin(f, &line);
  text_add(out, "All times are ");
  markdown_text(out, text_str(&line));
  text_add(out, ".\n\n");
  text_release(&line);
  if (prose_next(s, add_item, &line))
    text_printf(out, "What holds it now, and what to do next:\n\n%s\n", text_str(&line));
  text_add(out, "## What ran where\n\n");
  add_table(prose_setting(f), out);
  add_results(&v, out);
  add_ladders(&v, s, parts, out);
  if (prose_has_refused(&v)) {
    text_add(out,
             "## Wrong on purpose\n\nThese rungs carry one fault each; a check that lets one pass is no check.\n\n");
    add_table(tables_refused(&v), out);
  }
  text_add(out, "## Method\n\n");
  prose_method(f, out);
  text_add(out, "\n## Limits and notes\n\n");
  prose_limits(f, add_item, out);
  out->failed |= v.failed || !text_ok(&line);
  text_release(&line);
  view_release(&v);
}
