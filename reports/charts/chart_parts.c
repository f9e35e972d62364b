#include "reports/charts/chart_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Charts of several derived metrics a rung, side by side or end to end: a row of `kinds` is all that a further one needs, and one whose
 * metrics the run has none of is not drawn. */

enum { PARTS_MAX = 10, END_LABEL_PX = 84, FOOT_PX = 82 };

/* Of the median row. */
static const double row_cut = 4;

struct part {
  const char *metric, *title;
  unsigned colour;
  int point; /* gnuplot's point type, where they are dots */
};

struct kind {
  const char *name, *what, *hint, *axis;
  bool stack;         /* parts end to end from 0, else dots on a log axis */
  double scale;       /* from the metric's unit to the axis's */
  const char *end;    /* metric that labels a row; NULL: none */
  double end_scale;   /* to the label's unit */
  const char *format; /* of that label */
  double line;        /* a reference drawn across; 0: none */
  const char *line_name;
  struct part parts[PARTS_MAX];
};

/* Colours by Okabe and Ito, told apart by the colour-blind, and a grey. */
enum { BLUE = 0x0072B2, SKY = 0x56B4E9, GREEN = 0x009E73, YELLOW = 0xF0E442 };
enum { ORANGE = 0xE69F00, RED = 0xD55E00, PINK = 0xCC79A7, GREY = 0x999999, BROWN = 0x8F5A2A, BLACK = 0x000000 };

static const struct kind stalls = {
    .name = "stalls",
    .what = "Where warp cycles go, by stall reason",
    .hint =
        "Shares of the cycles of all resident warps; the label is the cycles of a warp for one issued instruction. Reasons that are not drawn make up what is left to 100 %; counters "
        "of several passes may sum to a few percent more.",
    .axis = "warp cycles (%)",
    .stack = true,
    .scale = 100,
    .end = "issue_interval",
    .end_scale = 1,
    .format = "%s cycles",
    .parts = {{"stall_selected_share", "issues, no stall", GREEN, 0},
              {"stall_long_scoreboard_share", "long scoreboard: a load", BLUE, 0},
              {"stall_short_scoreboard_share", "short scoreboard: shared, shuffle", SKY, 0},
              {"stall_wait_share", "wait: fixed latency", ORANGE, 0},
              {"stall_barrier_share", "barrier", PINK, 0},
              {"stall_lg_throttle_share", "LG throttle: load queue full", RED, 0},
              {"stall_mio_throttle_share", "MIO throttle", BROWN, 0},
              {"stall_math_pipe_throttle_share", "math pipe throttle", BLACK, 0},
              {"stall_not_selected_share", "not selected", YELLOW, 0},
              {"stall_no_instruction_share", "no instruction", GREY, 0}},
};

static const struct kind mix = {
    .name = "mix",
    .what = "Instructions for one element, by pipe",
    .hint =
        "Warp instructions for one element of A, by the pipe that executes them; the label is their total. A bar with » runs on beyond the axis.",
    .axis = "warp instructions / element",
    .stack = true,
    .scale = 1,
    .end = "inst_per_element",
    .end_scale = 1,
    .format = "%s",
    .parts = {{"alu_per_element", "ALU: integer, logic, conversions", ORANGE, 0},
              {"fma_per_element", "FMA: fp32, packed fp16", BLUE, 0},
              {"lsu_per_element", "LSU: loads, stores, shuffles", GREEN, 0},
              {"xu_per_element", "XU: wide conversions", PINK, 0},
              {"tensor_per_element", "tensor", RED, 0},
              {"uniform_per_element", "uniform", SKY, 0},
              {"adu_per_element", "ADU: addresses, barriers", YELLOW, 0},
              {"cbu_per_element", "CBU: branches", GREY, 0}},
};

static const struct kind bytes = {
    .name = "bytes",
    .what = "Bytes moved against the minimal bytes",
    .hint =
        "1× is every operand once; the label is the bytes at the DRAM. DRAM above it is redundant traffic that misses the L2; L2 and L1 above it are "
        "operands read again, which the caches serve.",
    .axis = "× minimal (log); label: DRAM",
    .scale = 1,
    .end = "dram_bytes",
    .end_scale = 1e-6,
    .format = "%s MB",
    .line = 1,
    .line_name = "minimal bytes",
    .parts = {{"dram_over_minimal", "DRAM", BLUE, 7},
              {"l2_over_minimal", "L2", ORANGE, 13},
              {"l1_over_minimal", "L1", PINK, 9}},
};

static const struct kind inflight = {
    .name = "inflight",
    .what = "Bytes in flight: needed, possible, achieved",
    .hint =
        "Needed: the best known DRAM bandwidth × DRAM's idle latency (Little's law). Possible: what the resident warps' "
        "loads can have under way at most, by the SASS. Achieved: the DRAM bandwidth reached × the same latency. The label "
        "is that bandwidth. Possible under needed: more loads ahead of the first use; well above it with little achieved: "
        "loads come in bursts, or something else binds.",
    .axis = "KiB in flight (log); label: DRAM",
    .scale = 1 / 1024.0,
    .end = "dram_bw",
    .end_scale = 1e-12,
    .format = "%s TB/s",
    .parts = {{"bytes_in_flight_needed", "needed: DRAM bandwidth × latency", RED, 13},
              {"bytes_in_flight_most", "possible: resident warps × loads outstanding (SASS)", ORANGE, 9},
              {"bytes_in_flight_achieved", "achieved: measured bandwidth × latency", BLUE, 7}},
};

/* What stands in the finding itself, and is no derived metric. */
static const struct value *own_value(const struct finding *f, const char *metric) {
  const struct {
    const char *name;
    const struct value *value;
  } own[] = {{"dram_over_minimal", &f->dram_over_minimal},
             {"dram_bytes", &f->dram_bytes},
             {"bytes_in_flight_needed", &f->bounds.flight.needed_bytes},
             {"bytes_in_flight_most", &f->bounds.flight.bytes},
             {"bytes_in_flight_achieved", &f->bounds.flight.achieved_bytes}};

  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    if (strcmp(own[i].name, metric) == 0)
      return own[i].value;
  }
  return NULL;
}

static struct value part_value(const struct finding *f, const char *metric) {
  const struct value *own = own_value(f, metric);

  return own ? *own : finding_value(f, metric);
}

static size_t parts_count(const struct kind *k) {
  size_t n = 0;

  while (n < PARTS_MAX && k->parts[n].metric)
    n++;
  return n;
}

struct extent {
  double low, high;
  bool any;
  double ends[ROWS_MAX]; /* of the rows, where they stack */
  size_t n_ends;
};

static void part_write(struct text *dat, const struct kind *k, size_t part, const struct run_variant *variant,
                       size_t row, double from, double to) {
  struct text hover = {0};
  char number[VIEW_NUMBER_MAX];

  text_printf(&hover, "%s: %s %s%s", variant->id, k->parts[part].title, view_number(number, to - from, 3),
              k->stack && k->scale == 100 ? " %" : "");
  text_printf(dat, "%zu %zu %.6g %.6g ", row, part + 1, from, to);
  chart_data_quote(dat, text_str(&hover));
  text_add(dat, "\n");
  dat->failed |= !text_ok(&hover);
  text_release(&hover);
}

/* One rung's parts; dots stand at `to`, from 0. */
static double row_write(struct text *dat, const struct kind *k, const struct finding *f, size_t row, struct extent *x) {
  double at = 0, most = 0;

  for (size_t i = 0; f && i < parts_count(k); i++) {
    struct value value = part_value(f, k->parts[i].metric);
    double v = value.present ? value.v * k->scale : 0;

    if (v <= 0) /* absent, or a part of no length; a log axis has no place for it either */
      continue;
    part_write(dat, k, i, f->variant, row, at, at + v);
    at += k->stack ? v : 0;
    most = fmax(most, k->stack ? at : v);
    x->low = fmin(x->low, v);
    x->any = true;
  }
  x->high = fmax(x->high, most);
  if (most > 0)
    x->ends[x->n_ends++] = most;
  return most;
}

static void label_write(struct text *out, const struct kind *k, const struct view_item *item, const struct finding *f,
                        size_t row, double end) {
  char number[VIEW_NUMBER_MAX];
  struct value value = f && k->end ? part_value(f, k->end) : (struct value){0};
  struct text label = {0};

  if (end > 0)
    text_printf(out, "%zu %.6g ", row, end);
  else
    text_printf(out, "%zu ? ", row);
  rows_name(out, item->variant);
  if (end > 0 && value.present) {
    const char *format = k->format, *slot = strstr(format, "%s");

    text_add_n(&label, format, (size_t)(slot - format));
    text_add(&label, view_number(number, value.v * k->end_scale, 3));
    text_add(&label, slot + 2);
  } else if (end <= 0) {
    text_add(&label, "not counted");
  }
  text_add(out, " ");
  chart_data_quote(out, text_str(&label));
  text_add(out, "\n");
  out->failed |= !text_ok(&label);
  text_release(&label);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Where the axis ends: a rung that takes many times what most take would press them against the axis, so its bar is cut. */
static double axis_end(struct extent *x, const struct kind *k) {
  double most;

  if (!k->stack || x->n_ends == 0)
    return x->high;
  qsort(x->ends, x->n_ends, sizeof *x->ends, by_value);
  most = row_cut * x->ends[x->n_ends / 2];
  return fmin(x->high, most);
}

/* A shape's two blocks: the parts, then the names and labels. */
static struct extent panel_write(struct text *dat, const struct view *v, const char *ladder, const struct kind *k,
                                 struct shape s) {
  struct extent x = {.low = k->line > 0 ? k->line : INFINITY, .high = k->line};
  size_t row = rows_count(v, ladder);
  struct text names = {0};
  char shape[SHAPE_TEXT_MAX + 8];

  text_printf(dat, "# %s\n# row  part  from  to  hover\n", view_shape(shape, s));
  for (size_t i = 0; i < v->n && row > 0; i++) {
    const struct finding *f;

    if (!chart_on_ladder(&v->items[i], ladder))
      continue;
    f = findings_at(v->f, v->items[i].variant->id, s);
    label_write(&names, k, &v->items[i], f, row, row_write(dat, k, f, row, &x));
    row--;
  }
  text_printf(dat, "\n\n# row  end  name  label\n%s\n\n", text_str(&names));
  dat->failed |= !text_ok(&names);
  text_release(&names);
  return x;
}

enum slot { AXIS = ROWS_SLOTS, STACKED, PARTS, COLOURS, POINTS, TITLES, LINE, LINE_NAME, SLOTS };

static void slots_parts(struct chart_slot *slots, const struct kind *k) {
  size_t n = parts_count(k);

  chart_quote(&slots[AXIS].text, k->axis);
  text_printf(&slots[STACKED].text, "%d", k->stack);
  text_printf(&slots[PARTS].text, "%zu", n);
  for (size_t i = 0; i < n; i++) {
    const char *comma = i ? ", " : "";

    text_printf(&slots[COLOURS].text, "%s0x%06X", comma, k->parts[i].colour);
    text_printf(&slots[POINTS].text, "%s%d", comma, k->parts[i].point);
    text_add(&slots[TITLES].text, comma);
    chart_quote(&slots[TITLES].text, k->parts[i].title);
  }
  text_printf(&slots[LINE].text, "%g", k->line);
  chart_quote(&slots[LINE_NAME].text, k->line_name ? k->line_name : "");
}

static bool parts_make(const struct view *v, size_t ladder, const struct kind *k, struct chart *out) {
  struct chart_slot slots[SLOTS] = {
      [AXIS] = {"AXIS", {0}},       [STACKED] = {"STACKED", {0}},    [PARTS] = {"PARTS", {0}},
      [COLOURS] = {"COLOURS", {0}}, [POINTS] = {"POINTS", {0}},      [TITLES] = {"TITLES", {0}},
      [LINE] = {"LINE", {0}},       [LINE_NAME] = {"LINE_NAME", {0}}};
  struct extent extents[CHART_PANELS_MAX];
  size_t panels = 0, left_out = 0;

  *out = (struct chart){0};
  chart_begin(out, v, k->name, ladder, k->what);
  text_add(&out->hint, k->hint);
  rows_begin(slots, v, out, FOOT_PX);
  slots_parts(slots, k);
  text_printf(&out->dat, "# %s: two blocks a shape, one row a %s from the top; ? is absent\n", out->name,
              view_words(v->f, v->ladders[ladder]).one);
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    struct text block = {0};
    struct extent x = panel_write(&block, v, v->ladders[ladder], k, v->f->shapes[i]);

    left_out += x.any && panels == CHART_PANELS_MAX;
    if (x.any && panels < CHART_PANELS_MAX) {
      text_add(&out->dat, text_str(&block));
      rows_panel(slots, v->f->shapes[i], panels);
      extents[panels++] = x;
    }
    out->dat.failed |= !text_ok(&block);
    text_release(&block);
  }
  for (size_t i = 0; i < panels; i++)
    rows_range(slots, extents[i].low, axis_end(&extents[i], k), panels, k->end ? END_LABEL_PX : 0, !k->stack);
  rows_end(slots, v, panels, left_out);
  chart_fill(&out->gp, "parts.gp", slots, SLOTS);
  if (panels == 0)
    chart_release(out);
  return panels > 0;
}

bool chart_stalls(const struct view *v, size_t ladder, struct chart *out) {
  return parts_make(v, ladder, &stalls, out);
}
bool chart_mix(const struct view *v, size_t ladder, struct chart *out) {
  return parts_make(v, ladder, &mix, out);
}
bool chart_bytes(const struct view *v, size_t ladder, struct chart *out) {
  return parts_make(v, ladder, &bytes, out);
}
bool chart_inflight(const struct view *v, size_t ladder, struct chart *out) {
  return parts_make(v, ladder, &inflight, out);
}
