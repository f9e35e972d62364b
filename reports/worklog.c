#include "reports/report.h"

#include "reports/steps.h"
#include "reports/tables.h"

#include <string.h>

/* Text of others in prose: what Markdown or HTML would take for its own is escaped, and newlines end no paragraph. */
static void add_prose(struct text *out, const char *s) {
  for (; s && *s; s++) {
    if (*s == '<')
      text_add(out, "&lt;");
    else if (*s == '&')
      text_add(out, "&amp;");
    else if (*s == '\n' || *s == '\r')
      text_add(out, " ");
    else {
      if (strchr("\\`*_[]|#~", *s))
        text_add(out, "\\");
      text_add_n(out, s, 1);
    }
  }
}

/* In a code span nothing needs an escape but the backtick, which has none. */
static void add_code(struct text *out, const char *s) {
  text_add(out, "`");
  for (; s && *s; s++)
    text_add_n(out, *s == '`' ? "'" : *s == '\n' ? " " : s, 1);
  text_add(out, "`");
}

static void add_fact(struct text *out, const char *name, const char *value) {
  if (!value || !*value)
    return;
  text_printf(out, "| %s | ", name);
  add_prose(out, value);
  text_add(out, " |\n");
}

static void add_setting(const struct findings *f, struct text *out) {
  const struct run *r = f->run;
  const struct run_device *d = &r->device;
  struct text line = {0};

  text_add(out, "## What ran where\n\n| | |\n|---|---|\n");
  text_printf(&line, "%s (%d SMs, %.0f MHz at most", d->name ? d->name : "unnamed", d->sms, d->clock_max_hz / 1e6);
  text_printf(&line, ", L2 %.1f MB, memory %d bit at %.0f MHz)", d->l2_bytes / 1e6, d->memory_bus_bits,
              d->memory_clock_hz / 1e6);
  add_fact(out, "device", text_str(&line));
  text_release(&line);
  add_fact(out, "driver", d->driver);
  add_fact(out, "CUDA of the driver", d->cuda_driver);
  add_fact(out, "CUPTI", d->cupti);
  add_fact(out, "NVRTC", d->nvrtc);
  add_fact(out, "when", r->created);
  add_fact(out, "tool", r->tool);
  add_fact(out, "git", r->git);
  add_fact(out, "command", r->command);
  text_printf(&line, "%s", r->l2 ? r->l2 : "not stated");
  if (r->flush_bytes > 0)
    text_printf(&line, " (%.0f MB read before each launch)", r->flush_bytes / 1e6);
  add_fact(out, "L2", text_str(&line));
  text_release(&line);
  text_printf(&line, "%s, seed %llu", r->inputs ? r->inputs : "not stated", (unsigned long long)r->seed);
  add_fact(out, "inputs", text_str(&line));
  text_release(&line);
  add_fact(out, "collected", view_tier(f));
  text_add(out, "\n");
}

static void add_charts(const struct report_charts *charts, struct text *out) {
  size_t drawn = 0;

  for (size_t i = 0; i < charts->n; i++)
    drawn += charts->drawn[i];
  if (drawn == 0)
    return;
  text_add(out, "## Charts\n\n");
  for (size_t i = 0; i < charts->n; i++) {
    const char *name = charts->names[i];

    if (charts->drawn[i])
      text_printf(out, "![%s](%s.svg)\n\n", name, name);
  }
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
    add_prose(out, text_str(&caption));
    text_add(out, ".\n\n");
    table_markdown(t, out);
    text_add(out, "\n");
    out->failed |= !table_ok(t);
    text_release(&caption);
    table_free(t);
  }
  if (v->f->n_shapes > 1) {
    struct table *t = tables_geomean(v, TABLES_WORKLOG);

    text_printf(out,
                "### Geometric mean\n\nOver the %zu shapes of this run; published figures are over their authors' "
                "shapes and on the device named beside them.\n\n",
                v->f->n_shapes);
    table_markdown(t, out);
    text_add(out, "\n");
    out->failed |= !table_ok(t);
    table_free(t);
  }
}

static void cell_scaled(struct table *t, struct value x, double scale, int digits) {
  char number[VIEW_NUMBER_MAX];

  table_cell(t, x.present ? view_number(number, x.v * scale, digits) : "", NULL);
}

static void add_step_row(struct table *t, const struct findings *f, const struct finding *item) {
  const struct finding *parent =
      item->variant->parent ? findings_at(f, item->variant->parent, item->result->shape) : NULL;
  char text[SHAPE_TEXT_MAX + 8], number[VIEW_NUMBER_MAX];
  int registers = view_registers(f, item->result);

  table_row(t);
  table_cell(t, view_shape(text, item->result->shape), NULL);
  table_cell(t, parent && parent->timed ? view_time(number, &parent->time) : "", NULL);
  table_cell(t, item->timed ? view_time(number, &item->time) : "", NULL);
  if (item->parent_same && item->speedup_parent.present)
    table_cellf(t, "%s (no measurable change)", view_number(number, item->speedup_parent.v, 3));
  else
    cell_scaled(t, item->speedup_parent, 1, 3);
  cell_scaled(t, item->of_sol, 100, 3);
  cell_scaled(t, item->dram_bytes, 1e-6, 4);
  cell_scaled(t, item->dram_over_minimal, 1, 3);
  table_cell(t, item->bounds.binding == BOUND_KINDS ? "" : bound_name(item->bounds.binding), NULL);
  if (item->top_stall && item->top_stall_share.present)
    table_cellf(t, "%s %.0f%%", item->top_stall, item->top_stall_share.v * 100);
  else
    table_cell(t, item->top_stall ? item->top_stall : "", NULL);
  if (registers < 0)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%d", registers);
}

static void add_step_table(const struct view *v, const struct run_variant *variant, struct text *out) {
  struct table *t = table_new();
  size_t rows = 0;

  table_column(t, "shape", "", "shape", TABLE_LEFT);
  table_column(t, "before", "µs", "before_us", TABLE_RIGHT);
  table_column(t, "after", "µs", "after_us", TABLE_RIGHT);
  table_column(t, "speed-up", "×", "speedup", TABLE_RIGHT);
  table_column(t, "SOL", "%", "of_sol_percent", TABLE_RIGHT);
  table_column(t, "DRAM", "MB", "dram_mb", TABLE_RIGHT);
  table_column(t, "over minimal", "×", "dram_over_minimal", TABLE_RIGHT);
  table_column(t, "bound", "", "bound", TABLE_LEFT);
  table_column(t, "top stall", "of cycles", "top_stall", TABLE_LEFT);
  table_column(t, "registers", "", "registers", TABLE_RIGHT);
  for (size_t i = 0; i < v->f->n; i++) {
    if (v->f->items[i].variant == variant) {
      add_step_row(t, v->f, &v->f->items[i]);
      rows++;
    }
  }
  if (rows > 0) {
    table_markdown(t, out);
    text_add(out, "\n");
  }
  out->failed |= !table_ok(t);
  table_free(t);
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
    add_prose(out, view_fault(f));
    text_add(out, "\n");
    text_release(&verdict);
    any = true;
  }
  text_add(out, any ? "\n" : "");
}

static void add_judged(const struct step *step, struct text *out) {
  struct table *t = steps_predictions(step);
  bool any = false;

  table_markdown(t, out);
  text_add(out, "\n");
  out->failed |= !table_ok(t);
  table_free(t);
  for (size_t i = 0; i < step->n; i++) {
    for (size_t k = 0; k < step->predictions.n; k++) {
      struct text line = {0};

      if (steps_unknown(step, i, k, &line)) {
        text_add(out, "- Unknown: ");
        add_prose(out, text_str(&line));
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
  add_prose(out, why);
  text_add(out, ": ");
  add_code(out, variant->predicts);
  text_add(out, "\n\n");
}

/* One sentence a shape, and what the rung predicted against what came. */
static void add_explanation(const struct view *v, const struct run_variant *variant, struct text *out) {
  const struct run_variant *parent = variant->parent ? run_variant_find(v->f->run, variant->parent) : NULL;
  struct step step = {0};
  struct err e = {0};

  if (!parent) {
    if (variant->predicts)
      add_unjudged(variant, variant->parent ? "its parent is not in this run" : "it has no parent", out);
    return;
  }
  if (step_make(&step, v->f, parent, variant, v->f->shapes, v->f->n_shapes, &e) != 0) {
    add_unjudged(variant, e.text, out);
    out->failed |= e.code == ERR_NOMEM;
    step_release(&step);
    return;
  }
  for (size_t i = 0; i < step.n; i++) {
    char shape[SHAPE_TEXT_MAX + 8];

    text_printf(out, "- %s: ", view_shape(shape, step.at[i].shape));
    add_prose(out, step.at[i].sentence);
    text_add(out, "\n");
  }
  text_add(out, step.n ? "\n" : "");
  if (step.predictions.n)
    add_judged(&step, out);
  step_release(&step);
}

static void add_step(const struct view *v, const struct view_item *item, struct text *out) {
  const struct run_variant *r = item->variant;

  text_printf(out, "### %s%s\n\n", r->id, r->side ? " (side step: tried and left)" : "");
  if (r->change) {
    add_prose(out, r->change);
    text_add(out, ".\n\n");
  }
  text_add(out, r->parent ? "Against " : "The foot of its ladder.");
  if (r->parent)
    add_code(out, r->parent);
  text_printf(out, "%s %s here:\n\n", r->parent ? "," : " Its figures,", run_origin_name(v->f->run->origin));
  add_step_table(v, r, out);
  add_step_faults(v, r, out);
  add_explanation(v, r, out);
  for (size_t i = 0; i < r->n_published; i++) {
    struct text line = {0};

    view_published(&r->published[i], &line);
    text_add(out, "Published: ");
    add_prose(out, text_str(&line));
    text_add(out, "\n\n");
    text_release(&line);
  }
}

static void add_ladders(const struct view *v, struct text *out) {
  for (size_t i = 0; i < v->n_ladders; i++) {
    text_printf(out, "## Ladder %s, rung by rung\n\n", v->ladders[i]);
    for (size_t j = 0; j < v->n; j++) {
      if (v->items[j].group == VIEW_LADDER && strcmp(v->items[j].ladder, v->ladders[i]) == 0)
        add_step(v, &v->items[j], out);
    }
  }
}

static void add_refused(const struct view *v, struct text *out) {
  struct table *t = table_new();
  size_t rows = 0;

  table_column(t, "rung", "", "variant", TABLE_LEFT);
  table_column(t, "shape", "", "shape", TABLE_LEFT);
  table_column(t, "fault built in", "", "change", TABLE_LEFT);
  table_column(t, "verdict", "", "verdict", TABLE_LEFT);
  table_column(t, "what the check saw", "", "reason", TABLE_LEFT);
  for (size_t i = 0; i < v->n; i++) {
    for (size_t j = 0; j < v->f->n && v->items[i].group == VIEW_WRONG; j++) {
      const struct finding *f = &v->f->items[j];
      char shape[SHAPE_TEXT_MAX + 8];
      struct text verdict = {0};

      if (f->variant != v->items[i].variant)
        continue;
      view_verdict(f, &verdict);
      table_row(t);
      table_cell(t, f->variant->id, NULL);
      table_cell(t, view_shape(shape, f->result->shape), NULL);
      table_cell(t, f->variant->change ? f->variant->change : "", NULL);
      table_cell(t, text_str(&verdict), NULL);
      table_cell(t, view_fault(f) ? view_fault(f) : "", NULL);
      text_release(&verdict);
      rows++;
    }
  }
  if (rows > 0) {
    text_add(out,
             "## Wrong on purpose\n\nThese rungs carry one fault each; a check that lets one pass is no check.\n\n");
    table_markdown(t, out);
    text_add(out, "\n");
  }
  out->failed |= !table_ok(t);
  table_free(t);
}

static const char method[] =
    "## Method\n\n"
    "- **Time** is the mid-distribution median of the samples (the mean of those between the quartiles); ± is half of its 95 % "
    "bootstrap interval, shown where it is wide and never under half of the clock's 32 ns tick. A variant that fails the check is "
    "not timed.\n"
    "- **× parent** and **speed-up** are the parent's time over this time; intervals that overlap are no measurable change.\n"
    "- **SOL** (speed of light) is the minimal bytes A + SFA + B + SFB + C, each once, over the DRAM bandwidth that the table names; "
    "**SOL %** is that time over the measured one. **read %** sets the time of the control that only reads the same bytes against it.\n"
    "- **DRAM** is read and written bytes by counters; **× min** is them over the minimal bytes.\n"
    "- **bound** is the resource that needs the longest for the counted work, with the share of the measured time that it explains.\n"
    "- **inst** is warp instructions per element of A; **issue** is issue slots used; **occup** is achieved occupancy.\n"
    "- **Explained steps**: a bound binds where its work needs more than 60 % of the measured time; else latency does. "
    "Predictions are the rung's own; a time prediction is UNCLEAR where the 95 % interval "
    "of the ratio holds the threshold. A stall reason in a prediction is the warp cycles spent on it, in all.\n"
    "- **Origins**: *measured* on this GPU in this run; *recorded* in a shipped run; *modelled* for a chip that was not there; "
    "*published* by the source named. They are never mixed in one column.\n\n";

static void add_limits(const struct findings *f, struct text *out) {
  const struct run *r = f->run;

  text_add(out, "## Limits and notes\n\n");
  if (r->origin != ORIGIN_MEASURED)
    text_printf(out, "- These numbers are %s: nothing was measured on this machine.\n", run_origin_name(r->origin));
  if (r->partial) {
    text_add(out, "- The run is partial: ");
    add_prose(out, r->partial_reason ? r->partial_reason : "it was interrupted");
    text_add(out, ".\n");
  }
  for (size_t i = 0; i < r->n_notes; i++) {
    text_add(out, "- ");
    add_prose(out, r->notes[i]);
    text_add(out, "\n");
  }
  text_add(
      out,
      "- Percentages of SOL against another bandwidth (datasheet, driver-derived, measured) are not comparable.\n");
}

void report_worklog(const struct findings *f, const struct report_charts *charts, struct text *out) {
  struct view v;
  struct text origin = {0};

  view_init(&v, f);
  view_origin(f, &origin);
  text_add(out, f->n_shapes && shape_named(&f->shapes[0]) ? "# Kernels on " : "# NVFP4 batched GEMV on ");
  add_prose(out, f->run->device.name ? f->run->device.name : "an unnamed device");
  text_add(out, "\n\nAll times are ");
  add_prose(out, text_str(&origin));
  text_add(out, ".\n\n");
  add_setting(f, out);
  add_charts(charts, out);
  add_results(&v, out);
  add_ladders(&v, out);
  add_refused(&v, out);
  text_add(out, method);
  add_limits(f, out);
  out->failed |= v.failed || !text_ok(&origin);
  text_release(&origin);
  view_release(&v);
}
