#include "reports/charts/chart.h"

#include "analysis/story/program.h"

#include <math.h>

/* The climb of a ladder: a row a rung, as a share of the speed of light where that is known, else
 * as time.  Both axes are linear and begin at 0, so that a bar twice as long is twice as much. */

enum { ROWS_MAX = 64, WIDTH_PX = 860, NAME_CHARS = 19 };

struct axis {
  bool sol;    /* else time */
  double high; /* the largest value drawn */
};

static double mean_on(const struct axis *a, const struct climb *c) {
  struct value x = a->sol ? c->of_sol : c->time_s;
  return x.present ? x.v * (a->sol ? 100 : 1e6) : NAN;
}

static double shape_on(const struct axis *a, const struct finding *f) {
  if (!f || !f->timed || (a->sol && !f->of_sol.present))
    return NAN;
  return a->sol ? f->of_sol.v * 100 : f->time.middle * 1e6;
}

/* The ladder's axis: the speed of light where all timed rungs have one, else time. */
static struct axis axis_of(const struct chart_source *from, const char *ladder) {
  const struct view *v = from->v;
  struct axis a = {true, 0};
  bool any = false;
  for (size_t i = 0; i < v->f->n; i++) {
    const struct finding *f = &v->f->items[i];
    for (size_t k = 0; k < v->n; k++) {
      if (v->items[k].variant == f->variant && view_on_ladder(&v->items[k], ladder) && f->timed) {
        a.sol &= f->of_sol.present;
        any = true;
      }
    }
  }
  a.sol &= any && headline_of_rivals(v->f); /* kernels that do different work are compared by time */
  for (size_t k = 0; k < v->n; k++) {
    for (size_t i = 0; view_on_ladder(&v->items[k], ladder) && i < v->f->n_shapes; i++) {
      double x = shape_on(&a, findings_at(v->f, v->items[k].variant->id, v->f->shapes[i]));
      a.high = isfinite(x) ? fmax(a.high, x) : a.high;
    }
  }
  return a;
}

/* "24.8 µs · 55 % · +3 pp"; what changed stands whole in the ladder's table. */
static void row_label(struct text *out, const struct chart_source *from, const struct axis *a,
                      const struct story_rung *r) {
  const struct story_rung *parent = r->parent ? story_rung_of(from->story, r->parent) : NULL;
  const struct climb *c = &r->climb;
  if (c->time_s.present)
    text_printf(out, "%s µs", VIEW_NUMBER(c->time_s.v * 1e6, 3));
  else
    text_add(out, "no time at every shape");
  if (c->of_sol.present && a->sol)
    text_printf(out, " · %s %%", VIEW_NUMBER(c->of_sol.v * 100, 2));
  if (a->sol && c->of_sol.present && parent && parent->climb.of_sol.present) {
    double points = 100 * (c->of_sol.v - parent->climb.of_sol.v);
    text_printf(out, " · %s%.*f pp", points < 0 ? "−" : "+", fabs(points) < 9.95, fabs(points));
  }
}

static void row_write(struct text *dat, const struct chart_source *from, const struct axis *a,
                      const struct story_rung *r, size_t row) {
  char name[VIEW_LABEL_MAX];
  double mean = mean_on(a, &r->climb);
  struct text label = {0};
  text_printf(dat, "%zu %d ", row, r->variant->side ? 2 : 1);
  if (isfinite(mean))
    text_printf(dat, "%.6g ", mean);
  else
    text_add(dat, "? ");
  chart_data_quote(dat, view_short_in(name, from->v, r->variant, NAME_CHARS));
  text_add(dat, " ");
  row_label(&label, from, a, r);
  chart_data_quote(dat, text_str(&label));
  text_release(&label);
  text_printf(&label, "%s: ", r->variant->id);
  row_label(&label, from, a, r);
  text_add(dat, " ");
  chart_data_quote(dat, text_str(&label));
  text_add(dat, "\n");
  text_end(&label, dat);
}

static size_t dots_write(struct text *dat, const struct chart_source *from, const struct axis *a,
                         const struct run_variant *variant, size_t row) {
  const struct findings *f = from->v->f;
  size_t n = 0;
  for (size_t i = 0; i < f->n_shapes; i++) {
    const struct finding *at = findings_at(f, variant->id, f->shapes[i]);
    struct text hover = {0};
    double x = shape_on(a, at);
    if (!isfinite(x))
      continue;
    text_printf(&hover, "%s at %s: %s µs", variant->id, VIEW_SHAPE(f->shapes[i]), VIEW_TIME(&at->time));
    if (at->of_sol.present)
      text_printf(&hover, ", %s %% of SOL", VIEW_NUMBER(at->of_sol.v * 100, 3));
    text_printf(dat, "%zu %.6g ", row, x);
    chart_data_quote(dat, text_str(&hover));
    text_add(dat, "\n");
    text_end(&hover, dat);
    n++;
  }
  return n;
}

static void slots_read(struct slots *s, const struct chart_source *from, const struct axis *a) {
  const struct findings *f = from->v->f;
  const struct finding *control = f->n_shapes ? view_read_control(f, f->shapes[0]) : NULL;
  const struct story_rung *r = control ? story_rung_of(from->story, control->variant) : NULL;
  double x = r && a->sol ? mean_on(a, &r->climb) : NAN;
  slot_printf(s, "read", "%.6g", isfinite(x) ? x : 0);
  slot_printf(s, "read_text", "control that reads the same bytes: %.0f %%", isfinite(x) ? x : 0);
}

static void slots_axis(struct slots *s, const struct chart_source *from, const struct axis *a) {
  const struct findings *f = from->v->f;
  const struct sol *sol = f->n_shapes ? view_sol_at(f, f->shapes[0]) : NULL;
  struct text *axis = slot_open(s, "axis");
  if (!a->sol)
    text_add(axis, "time (µs)");
  else if (sol && sol->bandwidth)
    text_printf(axis, "%% of the speed of light (%s TB/s)", VIEW_NUMBER(sol->bandwidth->value / 1e12, 4));
  else
    text_add(axis, "% of the speed of light");
  slot_printf(s, "end", "%.6g", a->sol ? fmax(100, a->high) : a->high * 1.02);
  slot_text(s, "tics", a->sol ? "0, 20" : "autofreq");
}

static bool chart_climb(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct view *v = from->v;
  const char *ladder = v->ladders[from->ladder];
  struct axis a = axis_of(from, ladder);
  size_t rows = 0, row, rungs = 0, sides = 0, n_dots = 0;
  struct text dots = {0};
  for (size_t i = 0; i < v->n; i++)
    rows += view_on_ladder(&v->items[i], ladder);
  if (a.high <= 0 || program_is(v->f->run)) /* chart_kernels.c */
    return false;
  row = rows = rows < ROWS_MAX ? rows : ROWS_MAX;
  text_printf(&out->dat, "# row  kind (1: %s, 2: side step)  mean  name  label  hover; ? is absent\n",
              view_words(v->f, ladder).one);
  for (size_t i = 0; i < v->n && row > 0; i++) {
    const struct story_rung *r;
    bool drawn;
    if (!view_on_ladder(&v->items[i], ladder))
      continue;
    r = story_rung_of(from->story, v->items[i].variant);
    drawn = isfinite(mean_on(&a, &r->climb));
    rungs += drawn && !r->variant->side;
    sides += drawn && r->variant->side;
    row_write(&out->dat, from, &a, r, row);
    if (v->f->n_shapes > 1)
      n_dots += dots_write(&dots, from, &a, r->variant, row);
    row--;
  }
  text_printf(&out->dat, "\n\n# row  one shape  hover\n%s", text_str(&dots));
  text_end(&dots, &out->dat);
  slot_printf(s, "bars", "%zu", rows);
  slot_printf(s, "any_rung", "%d", rungs > 0);
  slot_printf(s, "any_side", "%d", sides > 0);
  slot_printf(s, "any_dot", "%d", n_dots > 0);
  slot_printf(s, "bar_name", "%s%s", view_words(v->f, ladder).one, v->f->n_shapes > 1 ? ": mean over the shapes" : "");
  slots_read(s, from, &a);
  slots_axis(s, from, &a);
  chart_subtitle(v, 0, slot_open(s, "subtitle"));
  slot_printf(s, "width", "%d", WIDTH_PX);
  return true;
}

CHART_ROW(10, climb) = {
    .name = "climb",
    .place = CHART_EVERY_LADDER,
    .script = "plots/climb.gp",
    .title = "Time",
    .hint = "A bar is one launch, the geometric mean where there are several shapes; the axis begins at 0.",
    .steps_title = "The climb",
    .of_steps =
        "100 % is every byte once at the bandwidth named. A bar is the mean over the shapes, a dot one shape; pp: "
        "percentage points against the rung's parent.",
    .fill = chart_climb,
};
