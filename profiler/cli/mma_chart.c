#include "profiler/cli/mma_chart.h"
#include "run/device.h"

#include "base/text.h"
#include "reports/charts/mma_report.h"

#include <stdio.h>
#include <stdlib.h>

double mma_datasheet(const struct mma_type *t, const struct device *d) {
  const struct ceiling *c = t->ceiling && d ? device_ceiling(d, t->ceiling, CEILING_DATASHEET) : NULL;
  return c ? c->value : 0;
}

static double or_zero(const struct mma_figure *f) {
  return f->present ? f->value : 0;
}

static size_t rows_fill(struct mma_chart_row *rows, const struct mma *m, const struct mma_options *o,
                        const struct device *d) {
  size_t n = 0;
  for (size_t t = 0; t < n_mma_types; t++) {
    const struct mma_row *r = mma_best(m, &mma_types[t]);
    if (!r || !r->compiled)
      continue;
    rows[n++] = (struct mma_chart_row){
        .type = r->type->name,
        .sum = mma_sum_name(r->type->sum),
        .flops = or_zero(&r->flops),
        .peak_flops = or_zero(&r->peak),
        .library_flops = or_zero(&r->library),
        .datasheet_flops = mma_datasheet(r->type, d),
        /* Without --cold they were compiled side by side. */
        .nvrtc_s = o->cold ? or_zero(&r->nvrtc_s) : 0,
        .nvcc_s = o->cold ? or_zero(&r->nvcc_s) : 0,
    };
  }
  return n;
}

int mma_chart_write(const struct mma *m, const struct mma_options *o, const struct gpu_probe *gpu,
                    const struct device *datasheet, const char *folder, struct err *e) {
  struct report_options options = {.folder = folder, .gnuplot = getenv("NVFP4_GNUPLOT"), .formats = REPORT_PLOTS};
  struct text title = {0}, subtitle = {0}, warning = {0};
  struct mma_chart_row *rows = calloc(n_mma_types, sizeof *rows);
  text_printf(&title, "mma.sync on %s", gpu ? gpu->name : o->arch);
  text_printf(&subtitle, "NVRTC %s", m->nvrtc);
  if (gpu)
    text_printf(&subtitle, "; measured: C[%ld][%ld] over K = %ld; %s", o->m, o->n, o->k,
                m->library[0] ? m->library : "without cuBLAS");
  else
    text_add(&subtitle, "; compiled only, nothing was run");
  int result = rows && text_ok(&title) && text_ok(&subtitle) ? 0 : err_nomem(e, "mma's chart");
  if (!result) {
    struct mma_chart chart = {text_str(&title), text_str(&subtitle), rows, rows_fill(rows, m, o, datasheet)};
    result = report_mma_chart(&chart, &options, &warning, e);
  }
  if (warning.n)
    fprintf(stderr, "nvfp4-prof: %s", warning.s);
  text_release(&title);
  text_release(&subtitle);
  text_release(&warning);
  free(rows);
  return result;
}
