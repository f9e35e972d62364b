#include "reports/text/projected_text.h"

#include "base/table.h"
#include "reports/words/put_json.h"
#include "reports/words/view.h"

static void cell_interval(struct table *t, struct value low, struct value high, double scale) {
  if (low.present && high.present)
    table_cellf(t, "%s–%s", VIEW_NUMBER(low.v * scale, 3), VIEW_NUMBER(high.v * scale, 3));
  else
    table_cell(t, "", NULL);
}

/* A rung of other code there is marked. */
static void cell_rung(struct table *t, const struct projected_rung *r) {
  table_cellf(t, "%s%s", r->variant->id, r->path_there ? " *" : "");
}

static struct table *rungs_table(const struct projected *p) {
  struct table *t = table_of("rung =variant | >here [µs] =here_us | >projected [µs] =projected_us | "
                             ">90 % [µs] =interval_us | >published [µs] =published_us | "
                             ">step [here] =step_here -1 | >step [projected] =step_projected | "
                             ">90 % =step_interval -2 | >step [published] =step_published -3");
  for (size_t i = 0; i < p->n; i++) {
    const struct projected_rung *r = &p->rungs[i];
    if (i && r->ladder != p->rungs[i - 1].ladder)
      table_rule(t);
    table_row(t);
    cell_rung(t, r);
    view_cell(t, r->here_s, 1e6, 3);
    view_cell(t, r->there_s, 1e6, 3);
    cell_interval(t, r->low_s, r->high_s, 1e6);
    view_cell(t, r->published_s, 1e6, 3);
    view_cell(t, r->step_here, 1, 3);
    view_cell(t, r->step_there, 1, 3);
    cell_interval(t, r->step_low, r->step_high, 1);
    view_cell(t, r->published_step, 1, 3);
    if (r->path_there)
      table_style(t, 'd');
  }
  return t;
}

/* What the mark says, and whether the interval holds where it stands. */
static void paths_add(const struct projected *p, struct text *out) {
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++)
    n += p->rungs[i].path_there != NULL;
  if (!n)
    return;
  text_printf(out,
              "*: takes another code path there (path_there of --json), with other instructions than were counted here "
              "(%zu of %zu rungs).",
              n, p->n);
  if (p->n_other_times)
    text_printf(out, " The interval does not allow for that: it holds %zu of their %zu published times.",
                p->n_other_inside, p->n_other_times);
  text_add(out, "\n");
}

static void steps_add(const struct projected *p, struct text *out) {
  if (!p->n_published)
    return;
  text_printf(out, "Of %zu step%s published for %s, %zu lie%s inside the interval", p->n_published,
              p->n_published == 1 ? "" : "s", p->projector.to->name, p->n_inside, p->n_inside == 1 ? "s" : "");
  if (p->n_other_steps)
    text_printf(out, "; %zu of the %zu begin or end at a rung marked *", p->n_other_steps, p->n_published);
  text_add(out, ".\n");
}

static void borrowed_add(const struct projector *p, struct text *out) {
  const char *separator = "; rates that are unknown for that chip, taken from this one: ";
  for (int k = 0; k < RATE_KINDS; k++)
    if (p->borrowed >> k & 1) {
      text_printf(out, "%s%s", separator, rate_name((enum rate_kind)k));
      separator = ", ";
    }
}

void report_projected_term(const struct projected *p, const struct findings *f, struct text *out, int width,
                           bool colour) {
  struct table *t = rungs_table(p);
  view_origin(f, out);
  text_printf(
      out,
      "\nProjected to %s: geometric means over %zu shape%s of this run, this chip's SASS; 90 %% of times within ×%.2f, of steps within ×%.2f",
      p->projector.to->name, f->n_shapes, f->n_shapes == 1 ? "" : "s", projection_factor(&p->projector),
      projection_step_factor(&p->projector));
  borrowed_add(&p->projector, out);
  text_add(out, ".\n");
  table_term(t, out, width, colour);
  paths_add(p, out);
  steps_add(p, out);
  text_printf(
      out,
      "From counters of code for this chip. Of code compiled for that chip, not run: nvfp4-prof diagnose --static VARIANT "
      "--target %s, another estimate with an interval of its own.\n",
      p->projector.to->arch ? p->projector.to->arch : "ARCH");
  table_free(t);
}

static json_t *shape_json(const struct projected_shape *s) {
  char shape[SHAPE_TEXT_MAX];
  json_t *o = json_of("shape:s", shape_text(s->shape, shape));
  members_set(o, "here_s:v projected_s:v projected_low_s:v projected_high_s:v sol_s:v", s->here_s, s->there_s, s->low_s,
              s->high_s, s->sol_s);
  return o;
}

static json_t *rung_json(const struct projected *p, const struct projected_rung *r) {
  json_t *o = json_of("variant:s ladder:s path_there:s", r->variant->id, r->ladder, r->path_there),
         *shapes = json_array();
  for (size_t i = 0; i < p->n_shapes; i++)
    json_array_append_new(shapes, shape_json(&p->shapes[(size_t)(r - p->rungs) * p->n_shapes + i]));
  members_set(o, "here_s:v projected_s:v projected_low_s:v projected_high_s:v published_s:v", r->here_s, r->there_s,
              r->low_s, r->high_s, r->published_s);
  members_set(o, "step_here:v step_projected:v step_projected_low:v step_projected_high:v step_published:v shapes:o",
              r->step_here, r->step_there, r->step_low, r->step_high, r->published_step, shapes);
  return o;
}

void report_projected_json(const struct projected *p, const struct findings *f, struct text *out) {
  json_t *root = json_object(), *rungs = json_array(), *borrowed = json_array();
  for (size_t i = 0; i < p->n; i++)
    json_array_append_new(rungs, rung_json(p, &p->rungs[i]));
  for (int k = 0; k < RATE_KINDS; k++)
    if (p->projector.borrowed >> k & 1)
      json_array_append_new(borrowed, json_string(rate_name((enum rate_kind)k)));
  members_set(root, "schema:s origin:s from:s to:s time_factor:f step_factor:f rates_of_this_chip:o rungs:o",
              "nvfp4-prof/project/1", "projected", f->run->device.name, p->projector.to->name,
              projection_factor(&p->projector), projection_step_factor(&p->projector), borrowed, rungs);
  put_json(root, out);
}
