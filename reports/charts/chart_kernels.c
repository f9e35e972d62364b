#include "reports/charts/chart.h"

#include "analysis/story/program.h"
#include "reports/words/program_text.h"

#include <math.h>
#include <stdlib.h>

/* The kernels of a program by the GPU time of all their launches, the longest first.  The axis is linear and begins at 0. */

enum { ROWS_MAX = 24, WIDTH_PX = 900, NAME_CHARS = 19 };

/* "82.6 ms · 11 % · 38 × 2.17 ms" */
static void label_add(struct text *out, const struct program_kernel *k) {
  double mean_us = k->calls > 0 ? k->total_s / k->calls * 1e6 : 0;
  text_printf(out, "%s ms", VIEW_NUMBER(k->total_s * 1e3, 3));
  if (k->share.present)
    text_printf(out, " · %.*f %%", k->share.v < 0.1, 100 * k->share.v);
  if (mean_us < 1000)
    text_printf(out, " · %.0f × %s µs", k->calls, VIEW_NUMBER(mean_us, 3));
  else
    text_printf(out, " · %.0f × %s ms", k->calls, VIEW_NUMBER(mean_us / 1000, 3));
}

static void row_add(struct text *dat, const struct program_kernel *k, const char *name, const char *id, size_t row) {
  struct text label = {0}, hover = {0};
  label_add(&label, k);
  text_printf(&hover, "%s: %s", id, text_str(&label));
  text_printf(dat, "%zu 1 %.6g ", row, k->total_s * 1e3);
  chart_data_quote(dat, name);
  text_add(dat, " ");
  chart_data_quote(dat, text_str(&label));
  text_add(dat, " ");
  chart_data_quote(dat, text_str(&hover));
  text_add(dat, "\n");
  text_end(&label, dat);
  text_end(&hover, dat);
}

/* 1, 2 or 5 times a power of ten, of which three to six make the axis: the numbers of more would meet. */
static double tic_of(double high) {
  static const double steps[] = {1, 2, 5};
  double ten = pow(10, floor(log10(fmax(high, 1e-6) / 3)));
  size_t i = sizeof steps / sizeof steps[0] - 1;
  while (i > 0 && 3 * steps[i] * ten > high)
    i--;
  return steps[i] * ten;
}

static void slots_fill(struct slots *s, const struct view *v, size_t rows, double high) {
  slot_printf(s, "bars", "%zu", rows);
  slot_text(s, "any_rung", "1");
  slot_text(s, "any_side", "0");
  slot_text(s, "any_dot", "0");
  slot_text(s, "bar_name", "all launches of a kernel");
  slot_text(s, "read", "0");
  slot_text(s, "read_text", "");
  slot_text(s, "axis", "GPU time (ms)");
  slot_printf(s, "end", "%.6g", high * 1.02);
  slot_printf(s, "tics", "%.6g", tic_of(high));
  chart_subtitle(v, 0, slot_open(s, "subtitle"));
  slot_printf(s, "width", "%d", WIDTH_PX);
}

static bool chart_kernels(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct view *v = from->v;
  struct program_shown shown = program_shown_of(v->f);
  size_t rows = shown.n < ROWS_MAX ? shown.n : ROWS_MAX;
  char(*names)[VIEW_NAME_MAX] = program_labels(&shown, NAME_CHARS);
  double high = 0;
  bool any = program_is(v->f->run);

  text_add(&out->dat, "# row  kind  milliseconds of all launches  name  label  hover\n");
  for (size_t i = 0; i < rows && any; i++) {
    struct program_kernel k;
    program_kernel_of(shown.items[i]->variant, &k);
    high = fmax(high, k.total_s * 1e3);
    row_add(&out->dat, &k, names[i], shown.items[i]->variant->id, rows - i);
  }
  text_add(&out->dat, "\n\n# none of one shape\n");
  slots_fill(s, v, rows, high);
  free(names);
  program_shown_release(&shown);
  return any && high > 0;
}

CHART_ROW(15, kernels) = {
    .name = "kernels",
    .place = CHART_EVERY_LADDER,
    .script = "plots/climb.gp",
    .title = "GPU time",
    .hint =
        "A bar is all launches of a kernel; its label has their share of the program's GPU time, how many there were, and their mean.",
    .fill = chart_kernels,
};
