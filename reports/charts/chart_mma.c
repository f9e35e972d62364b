/* What each type of matrix instruction reaches, and how long its kernel takes to compile: a row
 * a type, a mark a figure. */
#include "reports/charts/chart.h"
#include "reports/text/mma_text.h"

#include <stdio.h>

enum { ROW_PX = 24 };

/* What a row draws; 0: absent. */
struct marks {
  double rates[4]; /* per second: of the product, of the instruction alone, of cuBLAS, of the datasheet */
  double times[2]; /* to compile, cold: NVRTC, nvcc */
};

/* Where they were not compiled cold they were compiled side by side. */
static struct marks marks_of(const struct mma_text *m, const struct mma_text_row *r) {
  return (struct marks){
      {r->figures[MMA_TEXT_FLOPS].v, r->figures[MMA_TEXT_PEAK].v, r->figures[MMA_TEXT_LIBRARY].v, r->datasheet_flops},
      {m->cold ? r->figures[MMA_TEXT_NVRTC_S].v : 0, m->cold ? r->figures[MMA_TEXT_NVCC_S].v : 0}};
}

static void numbers_add(struct text *dat, const double *v, size_t n, double scale) {
  for (size_t i = 0; i < n; i++)
    if (v[i] > 0)
      text_printf(dat, " %.6g", v[i] * scale);
    else
      text_add(dat, " ?");
}

static void subtitle_add(struct text *out, const struct mma_text *m) {
  text_printf(out, "NVRTC %s", m->nvrtc);
  if (m->gpu)
    text_printf(out, "; measured: C[%ld][%ld] over K = %ld; %s", m->m, m->n, m->k,
                m->library[0] ? m->library : "without cuBLAS");
  else
    text_add(out, "; compiled only, nothing was run");
}

/* The best row of each type that compiled. */
static bool is_drawn(const struct mma_text_row *r) {
  return r->best && !r->error;
}

static bool chart_mma(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct mma_text *m = from->mma;
  bool rates = false, times = false, library = false, nvcc = false;
  size_t n = 0, left;
  for (size_t i = 0; i < m->n_rows; i++)
    n += is_drawn(&m->rows[i]);
  left = n;
  text_printf(&out->title, "mma.sync on %s", m->gpu ? m->gpu : m->arch);
  text_add(&out->dat,
           "# row  type  TFLOP/s: product, mma.sync alone, cuBLAS, datasheet  seconds: NVRTC, nvcc; ? is absent\n");
  for (size_t i = 0; i < m->n_rows; i++) {
    const struct mma_text_row *r = &m->rows[i];
    struct marks x = marks_of(m, r);
    char name[VIEW_LABEL_MAX];
    if (!is_drawn(r))
      continue;
    rates |= x.rates[0] > 0 || x.rates[1] > 0;
    library |= x.rates[2] > 0;
    times |= x.times[0] > 0 || x.times[1] > 0;
    nvcc |= x.times[1] > 0;
    snprintf(name, sizeof name, "%s, %s", r->type, r->sum);
    text_printf(&out->dat, "%zu ", left--);
    chart_data_quote(&out->dat, name);
    numbers_add(&out->dat, x.rates, 4, 1e-12);
    numbers_add(&out->dat, x.times, 2, 1);
    text_add(&out->dat, "\n");
  }
  subtitle_add(slot_open(s, "subtitle"), m);
  slot_printf(s, "types", "%zu", n);
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
