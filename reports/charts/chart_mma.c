/* What each type of matrix instruction reaches, and how long its kernel takes to compile: a row
 * a type, a mark a figure. */
#include "reports/charts/chart.h"
#include "reports/charts/mma_report.h"

#include <stdio.h>

enum { ROW_PX = 24 };

static void number_write(struct text *dat, double v, double scale) {
  if (v > 0)
    text_printf(dat, " %.6g", v * scale);
  else
    text_add(dat, " ?");
}

static void row_write(struct text *dat, const struct mma_chart_row *r, size_t from_below) {
  char name[VIEW_LABEL_MAX];

  snprintf(name, sizeof name, "%s, %s", r->type, r->sum);
  text_printf(dat, "%zu ", from_below);
  chart_data_quote(dat, name);
  number_write(dat, r->flops, 1e-12);
  number_write(dat, r->peak_flops, 1e-12);
  number_write(dat, r->library_flops, 1e-12);
  number_write(dat, r->datasheet_flops, 1e-12);
  number_write(dat, r->nvrtc_s, 1);
  number_write(dat, r->nvcc_s, 1);
  text_add(dat, "\n");
}

static bool chart_mma(const struct chart_kind *k, const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct mma_chart *m = from->mma;
  bool rates = false, times = false, library = false, nvcc = false;

  (void)k;
  for (size_t i = 0; i < m->n; i++) {
    const struct mma_chart_row *r = &m->rows[i];
    rates |= r->flops > 0 || r->peak_flops > 0;
    library |= r->library_flops > 0;
    times |= r->nvrtc_s > 0 || r->nvcc_s > 0;
    nvcc |= r->nvcc_s > 0;
  }
  text_add(&out->title, m->title);
  text_add(&out->dat,
           "# row  type  TFLOP/s: product, mma.sync alone, cuBLAS, datasheet  seconds: NVRTC, nvcc; ? is absent\n");
  for (size_t i = 0; i < m->n; i++)
    row_write(&out->dat, &m->rows[i], m->n - i);
  slot_text(s, "subtitle", m->subtitle);
  slot_printf(s, "types", "%zu", m->n);
  slot_printf(s, "rates", "%d", rates);
  slot_printf(s, "times", "%d", times);
  slot_printf(s, "library", "%d", rates && library);
  slot_printf(s, "nvcc", "%d", nvcc);
  slot_printf(s, "row_height", "%d", ROW_PX);
  return rates || times;
}

CHART_ROW(140, mma) = {
    .name = "mma",
    .script = "plots/mma.gp",
    .hint = "One row per type of operand and sum, one mark per figure.",
    .of = CHART_OF_MMA,
    .fill = chart_mma,
};
