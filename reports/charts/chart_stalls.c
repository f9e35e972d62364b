/* Where a warp's cycles go: a row a rung, parts end to end, and a panel a shape. */
#include "base/stats.h"
#include "reports/charts/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 64, LABEL_CHARS = 18 };
enum { ROW_PX = 22, NAME_PX = 150, MARGIN_PX = 14, END_LABEL_PX = 84, FOOT_PX = 82 };

/* A bar is cut at so many times the median one. */
static const double row_cut = 4;

/* Cycles from one issued instruction to the next, of which the parts are shares; what they leave
 * is `rest`. */
static const char interval[] = "issue_interval";
static const char rest_title[] = "other";

/* Colours by Okabe and Ito, told apart by the colour-blind, and greys. */
static const struct part {
  const char *metric, *title;
  unsigned colour;
} parts[] = {
    {"stall_selected_share", "issues, no stall", 0x009E73},
    {"stall_long_scoreboard_share", "long scoreboard: a load", 0x0072B2},
    {"stall_short_scoreboard_share", "short scoreboard: shared, shuffle", 0x56B4E9},
    {"stall_wait_share", "wait: fixed latency", 0xE69F00},
    {"stall_barrier_share", "barrier", 0xCC79A7},
    {"stall_lg_throttle_share", "LG throttle: load queue full", 0xD55E00},
    {"stall_mio_throttle_share", "MIO throttle", 0x8F5A2A},
    {"stall_math_pipe_throttle_share", "math pipe throttle", 0x000000},
    {"stall_not_selected_share", "not selected", 0xF0E442},
    {"stall_no_instruction_share", "no instruction", 0x999999},
    {"stall_branch_resolving_share", "branch resolving", 0x6A3D9A},
};
enum { PARTS = sizeof parts / sizeof *parts, REST_COLOUR = 0xD9D9D9 };

struct ends { /* of the rows that have parts */
  double of[ROWS_MAX];
  size_t n;
};

static void part_write(struct text *dat, size_t part, const struct run_variant *variant, size_t row, double from,
                       double to) {
  struct text hover = {0};
  text_printf(&hover, "%s: %s %s cycles", variant->id, part < PARTS ? parts[part].title : rest_title,
              VIEW_NUMBER(to - from, 3));
  text_printf(dat, "%zu %zu %.6g %.6g ", row, part + 1, from, to);
  chart_data_quote(dat, text_str(&hover));
  text_add(dat, "\n");
  text_end(&hover, dat);
}

/* One rung's parts, from 0 to what is returned. */
static double row_write(struct text *dat, const struct finding *f, size_t row, struct ends *ends) {
  struct value whole = f ? finding_value(f, interval) : (struct value){0};
  double at = 0;
  for (size_t i = 0; i < PARTS && whole.present; i++) {
    struct value share = finding_value(f, parts[i].metric);
    double v = share.present ? share.v * whole.v : 0;
    if (v <= 0)
      continue;
    part_write(dat, i, f->variant, row, at, at + v);
    at += v;
  }
  /* Counters of several passes differ by a hundredth. */
  if (at > 0 && whole.v - at > 0.01 * whole.v) {
    part_write(dat, PARTS, f->variant, row, at, at + whole.v - at);
    at += whole.v - at;
  }
  if (at > 0)
    ends->of[ends->n++] = at;
  return at;
}

static void label_write(struct text *out, const struct view *v, const struct run_variant *variant,
                        const struct finding *f, size_t row, double end) {
  char name[VIEW_LABEL_MAX];
  if (end > 0)
    text_printf(out, "%zu %.6g ", row, end);
  else
    text_printf(out, "%zu ? ", row);
  chart_data_quote(out, view_short_in(name, v, variant, LABEL_CHARS));
  text_add(out, " ");
  chart_data_quote(out, end > 0 ? VIEW_NUMBER(finding_value(f, interval).v, 3) : "not counted");
  text_add(out, "\n");
}

/* Where the axis ends: a rung that takes many times what most take would press them against the
 * axis, so its bar is cut. */
static double axis_end(struct ends *x) {
  qsort(x->of, x->n, sizeof *x->of, stats_by_value);
  return fmin(x->of[x->n - 1], row_cut * x->of[x->n / 2]);
}

/* A ladder's rungs, at most ROWS_MAX; the first stands at the top, which is the row of that number. */
static size_t rows_count(const struct view *v, const char *ladder) {
  size_t n = 0;
  for (size_t i = 0; i < v->n; i++)
    n += view_on_ladder(&v->items[i], ladder);
  return n < ROWS_MAX ? n : ROWS_MAX;
}

/* A shape's two blocks: the parts, then the names and labels. */
static struct ends panel_write(struct text *dat, const struct view *v, const char *ladder, struct shape s) {
  struct ends x = {0};
  size_t row = rows_count(v, ladder);
  struct text names = {0};
  text_printf(dat, "# %s\n# row  part  from  to  hover\n", VIEW_SHAPE(s));
  for (size_t i = 0; i < v->n && row > 0; i++) {
    const struct run_variant *variant = v->items[i].variant;
    if (!view_on_ladder(&v->items[i], ladder))
      continue;
    const struct finding *f = findings_at(v->f, variant->id, s);
    label_write(&names, v, variant, f, row, row_write(dat, f, row, &x));
    row--;
  }
  text_printf(dat, "\n\n# row  end  name  label\n%s\n\n", text_str(&names));
  text_end(&names, dat);
  return x;
}

static void slots_parts(struct slots *s) {
  slot_printf(s, "parts", "%d", PARTS + 1);
  for (size_t i = 0; i <= PARTS; i++) {
    text_printf(slot_open(s, "colours"), "%s0x%06X", i ? ", " : "", i < PARTS ? parts[i].colour : REST_COLOUR);
    slot_item_text(s, "titles", i < PARTS ? parts[i].title : rest_title);
  }
}

/* A panel's axis from 0 to `high`, and room behind for a label. */
static void slot_range(struct slots *s, double high, size_t panels) {
  size_t columns = panels < CHART_COLUMNS ? panels : CHART_COLUMNS;
  double panel = (double)(CHART_WIDTH_PX - NAME_PX) / (double)columns - MARGIN_PX;
  struct text *out = slot_open(s, "ranges");
  text_printf(out, "%s0, %.5g, %.5g", out->n ? ", " : "", high * panel / (panel - END_LABEL_PX), high);
}

static bool chart_stalls(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct view *v = from->v;
  const char *ladder = v->ladders[from->ladder];
  struct ends ends[CHART_PANELS_MAX];
  size_t panels = 0, left_out = 0;
  slot_printf(s, "bars", "%zu", rows_count(v, ladder));
  slot_printf(s, "row_height", "%d", ROW_PX);
  slot_printf(s, "name_width", "%d", NAME_PX);
  slot_printf(s, "margin", "%d", MARGIN_PX);
  slot_printf(s, "foot", "%d", FOOT_PX);
  slots_parts(s);
  text_printf(&out->dat, "# %s: two blocks per shape, one row per %s from the top; ? is absent\n", out->name,
              view_words(v->f, ladder).one);
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    struct text block = {0};
    struct ends x = panel_write(&block, v, ladder, v->f->shapes[i]);
    left_out += x.n > 0 && panels == CHART_PANELS_MAX;
    if (x.n > 0 && panels < CHART_PANELS_MAX) {
      text_add(&out->dat, text_str(&block));
      slot_item_text(s, "shapes", VIEW_SHAPE(v->f->shapes[i]));
      ends[panels++] = x;
    }
    text_end(&block, &out->dat);
  }
  for (size_t i = 0; i < panels; i++)
    slot_range(s, axis_end(&ends[i]), panels);
  slot_printf(s, "panels", "%zu", panels);
  chart_subtitle(v, left_out, slot_open(s, "subtitle"));
  return panels > 0;
}

CHART_ROW(60, stalls) = {
    .name = "stalls",
    .place = CHART_LEADING_LADDER,
    .script = "plots/stalls.gp",
    .title = "Where warp cycles go, by stall reason",
    .hint =
        "A warp's cycles from one issued instruction to its next, by stall reason; the label is their sum. A bar with » extends beyond the axis.",
    .fill = chart_stalls,
};
