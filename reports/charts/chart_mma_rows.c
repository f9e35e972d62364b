#include "reports/charts/mma_report.h"

#include <stdlib.h>

static double or_zero(const struct mma_text_row *r, enum mma_text_figure f) {
  return r->figures[f].present ? r->figures[f].value : 0;
}

static size_t rows_fill(struct mma_chart_row *rows, const struct mma_text *m) {
  size_t n = 0;
  for (size_t i = 0; i < m->n_rows; i++) {
    const struct mma_text_row *r = &m->rows[i];
    if (r->best && !r->error)
      rows[n++] = (struct mma_chart_row){
          .type = r->type,
          .sum = r->sum,
          .flops = or_zero(r, MMA_TEXT_FLOPS),
          .peak_flops = or_zero(r, MMA_TEXT_PEAK),
          .library_flops = or_zero(r, MMA_TEXT_LIBRARY),
          .datasheet_flops = r->datasheet_flops,
          /* Where they were not compiled cold they were compiled side by side. */
          .nvrtc_s = m->cold ? or_zero(r, MMA_TEXT_NVRTC_S) : 0,
          .nvcc_s = m->cold ? or_zero(r, MMA_TEXT_NVCC_S) : 0,
      };
  }
  return n;
}

int report_mma_text_chart(const struct mma_text *m, const struct report_options *o, struct text *warning,
                          struct err *e) {
  struct text title = {0}, subtitle = {0};
  struct mma_chart_row *rows = calloc(m->n_rows + 1, sizeof *rows);
  text_printf(&title, "mma.sync on %s", m->gpu ? m->gpu : m->arch);
  text_printf(&subtitle, "NVRTC %s", m->nvrtc);
  if (m->gpu)
    text_printf(&subtitle, "; measured: C[%ld][%ld] over K = %ld; %s", m->m, m->n, m->k,
                m->library[0] ? m->library : "without cuBLAS");
  else
    text_add(&subtitle, "; compiled only, nothing was run");
  int rc = rows && text_ok(&title) && text_ok(&subtitle) ? 0 : err_nomem(e, "mma's chart");
  if (!rc) {
    struct mma_chart chart = {text_str(&title), text_str(&subtitle), rows, rows_fill(rows, m)};
    rc = report_mma_chart(&chart, o, warning, e);
  }
  text_release(&title);
  text_release(&subtitle);
  free(rows);
  return rc;
}
