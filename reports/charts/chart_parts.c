/* Charts of derived metrics, a row a rung: parts end to end, or dots.  A further one is data and a
 * CHART_ROW here; where the run has none of its metrics it is not drawn. */
#include "reports/charts/chart_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 13 };

struct chart_part {
  const char *metric, *title;
  unsigned colour;
  int point; /* gnuplot's point type, where they are dots */
};

struct chart_parts_kind {
  const char *axis;
  bool stack;         /* parts end to end from 0, else dots */
  bool log;           /* of dots: on a log axis */
  double most;        /* of dots: where the axis ends at most; what lies beyond stands there and is named; 0: nowhere */
  double scale;       /* from the metric's unit to the axis's */
  const char *times;  /* metric that every part is multiplied by; NULL: none */
  const char *rest;   /* what the parts leave of `end` is this one's; NULL: nobody's */
  const char *end;    /* metric that labels a row; NULL: none */
  double end_scale;   /* to the label's unit */
  const char *format; /* of that label */
  double line;        /* a reference drawn across; 0: none */
  const char *line_name;
  struct chart_part parts[PARTS_MAX];
};

enum { END_LABEL_PX = 84, LONG_LABEL_PX = 128, FOOT_PX = 82 };

/* A bar is cut at so many times the median one. */
static const double row_cut = 4;

/* Colours by Okabe and Ito, told apart by the colour-blind, and a grey. */
enum { BLUE = 0x0072B2, SKY = 0x56B4E9, GREEN = 0x009E73, YELLOW = 0xF0E442 };
enum { ORANGE = 0xE69F00, RED = 0xD55E00, PINK = 0xCC79A7, GREY = 0x999999, BROWN = 0x8F5A2A, BLACK = 0x000000 };
enum { VIOLET = 0x6A3D9A, PALE = 0xD9D9D9 };

static const struct chart_parts_kind parts_stalls = {
    .axis = "warp cycles per issued instruction",
    .stack = true,
    .scale = 1,
    .times = "issue_interval",
    .rest = "other",
    .end = "issue_interval",
    .end_scale = 1,
    .format = "%s",
    .parts = {{"stall_selected_share", "issues, no stall", GREEN, 0},
              {"stall_long_scoreboard_share", "long scoreboard: a load", BLUE, 0},
              {"stall_short_scoreboard_share", "short scoreboard: shared, shuffle", SKY, 0},
              {"stall_wait_share", "wait: fixed latency", ORANGE, 0},
              {"stall_barrier_share", "barrier", PINK, 0},
              {"stall_lg_throttle_share", "LG throttle: load queue full", RED, 0},
              {"stall_mio_throttle_share", "MIO throttle", BROWN, 0},
              {"stall_math_pipe_throttle_share", "math pipe throttle", BLACK, 0},
              {"stall_not_selected_share", "not selected", YELLOW, 0},
              {"stall_no_instruction_share", "no instruction", GREY, 0},
              {"stall_branch_resolving_share", "branch resolving", VIOLET, 0}},
};

static const struct chart_parts_kind parts_mix = {
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
              {"tensor_per_element", "tensor pipe: matrix, some HFMA2", RED, 0},
              {"uniform_per_element", "uniform", SKY, 0},
              {"adu_per_element", "ADU: addresses, barriers", YELLOW, 0},
              {"cbu_per_element", "CBU: branches", GREY, 0}},
};

static const struct chart_parts_kind parts_bytes = {
    .axis = "× minimal; label: DRAM",
    .most = 4,
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

static const struct chart_parts_kind parts_inflight = {
    .axis = "KiB in flight (log); label: DRAM",
    .log = true,
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
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(own[i].name, metric) == 0)
      return own[i].value;
  return NULL;
}

static struct value part_value(const struct finding *f, const char *metric) {
  static const double least = 0.9; /* of the bytes that came from DRAM */
  const struct value *own = own_value(f, metric);
  struct value x = own ? *own : finding_value(f, metric);
  if (strcmp(metric, "l1_over_minimal") == 0 && x.present && f->dram_over_minimal.present &&
      x.v < least * f->dram_over_minimal.v)
    return value_absent("bulk copies go round L1");
  return x;
}

static size_t parts_count(const struct chart_parts_kind *k) {
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

static void part_write(struct text *dat, const struct chart_parts_kind *k, size_t part,
                       const struct run_variant *variant, size_t row, double from, double to) {
  struct text hover = {0};
  text_printf(&hover, "%s: %s %s%s", variant->id, part < parts_count(k) ? k->parts[part].title : k->rest,
              VIEW_NUMBER(to - from, 3), k->times ? " cycles" : "");
  text_printf(dat, "%zu %zu %.6g %.6g ", row, part + 1, from, to);
  chart_data_quote(dat, text_str(&hover));
  text_add(dat, "\n");
  text_end(&hover, dat);
}

/* What every part of a row is multiplied by. */
static double factor_of(const struct chart_parts_kind *k, const struct finding *f) {
  struct value x = f && k->times ? part_value(f, k->times) : (struct value){.present = true, .v = 1};
  return x.present ? x.v : 0;
}

/* What the parts leave of the row's whole; 0 where that is a hundredth of it or less: counters of
 * several passes differ by that. */
static double rest_of(const struct chart_parts_kind *k, const struct finding *f, double drawn) {
  struct value whole = part_value(f, k->end);
  return whole.present && whole.v - drawn > 0.01 * whole.v ? whole.v - drawn : 0;
}

/* One rung's parts; dots stand at `to`, from 0. */
static double row_write(struct text *dat, const struct chart_parts_kind *k, const struct finding *f, size_t row,
                        struct extent *x) {
  double at = 0, most = 0, factor = factor_of(k, f);
  for (size_t i = 0; f && i < parts_count(k); i++) {
    struct value value = part_value(f, k->parts[i].metric);
    double v = value.present ? value.v * k->scale * factor : 0;
    if (v <= 0) /* absent, or a part of no length; a log axis has no place for it either */
      continue;
    part_write(dat, k, i, f->variant, row, at, at + v);
    at += k->stack ? v : 0;
    most = fmax(most, k->stack ? at : v);
    x->low = fmin(x->low, v);
    x->any = true;
  }
  double left = f && k->rest && most > 0 ? rest_of(k, f, at) : 0;
  if (left > 0) {
    part_write(dat, k, parts_count(k), f->variant, row, at, at + left);
    most += left;
  }
  x->high = fmax(x->high, most);
  if (most > 0)
    x->ends[x->n_ends++] = most;
  return most;
}

/* " » L1 117": a dot that the axis has no place for. */
static void beyond_add(struct text *out, const struct chart_parts_kind *k, const struct finding *f) {
  for (size_t i = 0; f && k->most > 0 && i < parts_count(k); i++) {
    struct value value = part_value(f, k->parts[i].metric);
    if (value.present && value.v * k->scale > k->most)
      text_printf(out, " » %s %s×", k->parts[i].title, VIEW_NUMBER(value.v * k->scale, 3));
  }
}

static void label_write(struct text *out, const struct chart_parts_kind *k, const struct view *v,
                        const struct view_item *item, const struct finding *f, size_t row, double end) {
  struct value value = f && k->end ? part_value(f, k->end) : (struct value){0};
  struct text label = {0};
  if (end > 0)
    text_printf(out, "%zu %.6g ", row, end);
  else
    text_printf(out, "%zu ? ", row);
  rows_name(out, v, item->variant);
  if (end > 0 && value.present) {
    const char *format = k->format, *slot = strstr(format, "%s");
    text_add_n(&label, format, (size_t)(slot - format));
    text_add(&label, VIEW_NUMBER(value.v * k->end_scale, 3));
    text_add(&label, slot + 2);
  } else if (end <= 0) {
    text_add(&label, "not counted");
  }
  beyond_add(&label, k, f);
  text_add(out, " ");
  chart_data_quote(out, text_str(&label));
  text_add(out, "\n");
  text_end(&label, out);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Where the axis ends: a rung that takes many times what most take would press them against the
 * axis, so its bar is cut. */
static double axis_end(struct extent *x, const struct chart_parts_kind *k) {
  double most;
  if (!k->stack || x->n_ends == 0)
    return k->most > 0 ? fmin(x->high, k->most) : x->high;
  qsort(x->ends, x->n_ends, sizeof *x->ends, by_value);
  most = row_cut * x->ends[x->n_ends / 2];
  return fmin(x->high, most);
}

/* A shape's two blocks: the parts, then the names and labels. */
static struct extent panel_write(struct text *dat, const struct view *v, const char *ladder,
                                 const struct chart_parts_kind *k, struct shape s) {
  struct extent x = {.low = k->line > 0 ? k->line : INFINITY, .high = k->line};
  size_t row = rows_count(v, ladder);
  struct text names = {0};
  text_printf(dat, "# %s\n# row  part  from  to  hover\n", VIEW_SHAPE(s));
  for (size_t i = 0; i < v->n && row > 0; i++) {
    const struct finding *f;
    if (!view_on_ladder(&v->items[i], ladder))
      continue;
    f = findings_at(v->f, v->items[i].variant->id, s);
    label_write(&names, k, v, &v->items[i], f, row, row_write(dat, k, f, row, &x));
    row--;
  }
  text_printf(dat, "\n\n# row  end  name  label\n%s\n\n", text_str(&names));
  text_end(&names, dat);
  return x;
}

static void slots_parts(struct slots *s, const struct chart_parts_kind *k) {
  size_t n = parts_count(k);
  slot_text(s, "axis", k->axis);
  slot_printf(s, "stacked", "%d", k->stack);
  slot_printf(s, "logarithmic", "%d", k->log);
  slot_printf(s, "parts", "%zu", n + (k->rest != NULL));
  for (size_t i = 0; i < n; i++) {
    text_printf(slot_open(s, "colours"), "%s0x%06X", i ? ", " : "", k->parts[i].colour);
    text_printf(slot_open(s, "points"), "%s%d", i ? ", " : "", k->parts[i].point);
    slot_item_text(s, "titles", k->parts[i].title);
  }
  if (k->rest) {
    text_printf(slot_open(s, "colours"), ", 0x%06X", PALE);
    text_add(slot_open(s, "points"), ", 0");
    slot_item_text(s, "titles", k->rest);
  }
  slot_printf(s, "line", "%g", k->line);
  slot_text(s, "line_name", k->line_name);
}

static bool chart_parts(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct chart_parts_kind *k = out->kind->parts;
  const struct view *v = from->v;
  const char *ladder = v->ladders[from->ladder];
  struct extent extents[CHART_PANELS_MAX];
  size_t panels = 0, left_out = 0;
  rows_begin(s, v, out, FOOT_PX);
  slots_parts(s, k);
  text_printf(&out->dat, "# %s: two blocks per shape, one row per %s from the top; ? is absent\n", out->name,
              view_words(v->f, ladder).one);
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    struct text block = {0};
    struct extent x = panel_write(&block, v, ladder, k, v->f->shapes[i]);
    left_out += x.any && panels == CHART_PANELS_MAX;
    if (x.any && panels < CHART_PANELS_MAX) {
      text_add(&out->dat, text_str(&block));
      rows_panel(s, v->f->shapes[i]);
      extents[panels++] = x;
    }
    text_end(&block, &out->dat);
  }
  for (size_t i = 0; i < panels; i++)
    rows_range(s, extents[i].low, axis_end(&extents[i], k), panels,
               k->end ? (k->most > 0 ? LONG_LABEL_PX : END_LABEL_PX) : 0, k->log);
  rows_end(s, v, panels, left_out);
  return panels > 0;
}

CHART_ROW(60, stalls) = {
    .name = "stalls",
    .place = CHART_LEADING_LADDER,
    .script = "plots/parts.gp",
    .title = "Where warp cycles go, by stall reason",
    .hint =
        "A warp's cycles from one issued instruction to its next, by stall reason; the label is their sum. A bar with » extends beyond the axis.",
    .fill = chart_parts,
    .parts = &parts_stalls,
};

CHART_ROW(70, mix) = {
    .name = "mix",
    .script = "plots/parts.gp",
    .title = "Instructions for one element, by pipe",
    .hint =
        "Warp instructions for one element of A, by the pipe that executes them; the label is their total. A bar with » extends beyond the axis.",
    .fill = chart_parts,
    .parts = &parts_mix,
};

CHART_ROW(80, bytes) = {
    .name = "bytes",
    .script = "plots/parts.gp",
    .title = "Bytes moved against the minimal bytes",
    .hint =
        "1× is every operand once. The label is DRAM's value; after » stand values beyond the axis. DRAM above 1× is redundant traffic that misses the L2; L2 and L1 above 1× are operands read again, which the caches serve.",
    .fill = chart_parts,
    .parts = &parts_bytes,
};

CHART_ROW(90, inflight) = {
    .name = "inflight",
    .script = "plots/parts.gp",
    .title = "Bytes in flight: needed, possible, achieved",
    .hint =
        "Needed: the best known DRAM bandwidth × DRAM's idle latency (Little's law). Possible: the bytes that the "
        "resident warps can have in flight, by the SASS. Achieved: the DRAM bandwidth reached × the same latency. The "
        "label is that bandwidth. Where possible is under needed, issue more loads before the first use; where it is well above needed and little is achieved, loads come in bursts or something else binds.",
    .fill = chart_parts,
    .parts = &parts_inflight,
};
