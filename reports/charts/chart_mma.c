/* What each type of matrix instruction reaches, and how long its kernel takes to compile: a row a type, a mark a figure. */
#include "reports/charts/chart.h"
#include "reports/charts/mma_report.h"

#include <stdio.h>
#include <stdlib.h>

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

enum slot { TITLE, SUBTITLE, ROWS, RATES, TIMES, LIBRARY, NVCC, WIDTH, ROW_HEIGHT, SLOTS };

static bool chart_mma(const struct mma_chart *m, struct chart *out) {
  struct chart_slot slots[SLOTS] = {
      [TITLE] = {"TITLE", {0}}, [SUBTITLE] = {"SUBTITLE", {0}}, [ROWS] = {"TYPES", {0}},
      [RATES] = {"RATES", {0}}, [TIMES] = {"TIMES", {0}},       [LIBRARY] = {"LIBRARY", {0}},
      [NVCC] = {"NVCC", {0}},   [WIDTH] = {"WIDTH", {0}},       [ROW_HEIGHT] = {"ROW_HEIGHT", {0}}};
  bool rates = false, times = false, library = false, nvcc = false;

  *out = (struct chart){.name = "mma"};
  for (size_t i = 0; i < m->n; i++) {
    const struct mma_chart_row *r = &m->rows[i];
    rates |= r->flops > 0 || r->peak_flops > 0;
    library |= r->library_flops > 0;
    times |= r->nvrtc_s > 0 || r->nvcc_s > 0;
    nvcc |= r->nvcc_s > 0;
  }
  if (!rates && !times)
    return false;
  text_add(&out->dat,
           "# row  type  TFLOP/s: product, mma.sync alone, cuBLAS, datasheet  seconds: NVRTC, nvcc; ? is absent\n");
  for (size_t i = 0; i < m->n; i++)
    row_write(&out->dat, &m->rows[i], m->n - i);
  chart_quote(&slots[TITLE].text, m->title);
  chart_quote(&slots[SUBTITLE].text, m->subtitle);
  text_printf(&slots[ROWS].text, "%zu", m->n);
  text_printf(&slots[RATES].text, "%d", rates);
  text_printf(&slots[TIMES].text, "%d", times);
  text_printf(&slots[LIBRARY].text, "%d", rates && library);
  text_printf(&slots[NVCC].text, "%d", nvcc);
  text_printf(&slots[WIDTH].text, "%d", CHART_WIDTH_PX);
  text_printf(&slots[ROW_HEIGHT].text, "%d", ROW_PX);
  chart_fill(&out->gp, "mma.gp", slots, SLOTS);
  return true;
}

int report_mma_chart(const struct mma_chart *m, const struct report_options *o, struct text *warning, struct err *e) {
  struct chart c;
  int rc = 0;

  if (chart_mma(m, &c))
    rc = chart_save(&c, o->folder, o->gnuplot, warning, e);
  chart_release(&c);
  return rc;
}
