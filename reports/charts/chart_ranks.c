/* Kernels and ranges over the ranks of a merged run, as a heat map. */
#include "reports/charts/chart.h"
#include "reports/text/ranks_text.h"

#include <math.h>
#include <stdio.h>

enum { RANKS_LABEL_CHARS = 30, NUMBERED_COLUMNS = 16, TICS = 16 };

static void cell_write(struct text *dat, const struct ranks *r, const struct ranks_map *m, size_t row, size_t column) {
  const struct ranks_cell *c = &m->cells[row * m->n_columns + column];
  const struct ranks_spread *s = m->rows[row];
  if (c->rank < 0) {
    text_printf(dat, "%zu %zu NaN \"\"\n", column, row);
    return;
  }
  text_printf(dat, "%zu %zu %.4g ", column, row, c->off * 100);
  if (m->n_columns > NUMBERED_COLUMNS)
    chart_data_quote(dat, s->stands_out && s->farthest == c->rank ? RANK_LABEL(r, c->rank) : "");
  else if (fabs(c->off) < 0.005)
    text_add(dat, "\"0\"");
  else
    text_printf(dat, "\"%+.0f\"", c->off * 100);
  text_add(dat, "\n");
}

static void tic_add(struct text *out, size_t at, const char *label) {
  text_add(out, out->n ? ", " : "");
  chart_data_quote(out, label);
  text_printf(out, " %zu", at);
}

static void columns_add(const struct ranks_map *m, struct slots *s) {
  size_t every = (m->n_columns + TICS - 1) / TICS;
  for (size_t i = 0; i < m->n_columns; i += every) {
    char label[24];
    snprintf(label, sizeof label, "%zu", i * m->per_column);
    tic_add(slot_open(s, "columns"), i, label);
  }
  if (m->per_column > 1)
    slot_printf(s, "axis", "rank (%zu to a column: the one farthest from the median)", m->per_column);
  else
    slot_text(s, "axis", "rank");
}

static void rows_add(const struct ranks_map *m, struct slots *s) {
  for (size_t i = 0; i < m->n_rows; i++) {
    char name[VIEW_LABEL_MAX], label[VIEW_LABEL_MAX + 8];
    snprintf(label, sizeof label, "%s%s", i > m->n_kernels ? "range " : "",
             m->rows[i]->name ? str_middle_cut(name, sizeof name, m->rows[i]->name, RANKS_LABEL_CHARS)
                              : "all outside collectives");
    tic_add(slot_open(s, "rows"), i, label);
  }
}

static bool chart_ranks(const struct chart_source *from, struct chart *out, struct slots *s) {
  const struct ranks_map *m = &from->story->ranks_map;
  if (m->n_columns < 2 || from->ladder > 0)
    return false;
  text_printf(&out->dat,
              "# %s: column  row  time over the median, less 1 (%%)  label; NaN: no rank of the column has it\n",
              out->name);
  for (size_t row = 0; row < m->n_rows; row++) {
    for (size_t column = 0; column < m->n_columns; column++)
      cell_write(&out->dat, &from->story->ranks, m, row, column);
    text_add(&out->dat, "\n");
  }
  chart_subtitle(from->v, 0, slot_open(s, "subtitle"));
  columns_add(m, s);
  rows_add(m, s);
  slot_printf(s, "n_columns", "%zu", m->n_columns);
  slot_printf(s, "n_rows", "%zu", m->n_rows);
  slot_printf(s, "n_kernels", "%zu", m->n_kernels);
  slot_printf(s, "numbered", "%d", m->n_columns <= NUMBERED_COLUMNS);
  return true;
}

CHART_ROW(110, ranks) = {
    .name = "ranks",
    .place = CHART_LEADING_LADDER,
    .script = "plots/ranks.gp",
    .title = "GPU time of the ranks against their median",
    .hint =
        "One row per kernel, the longest first, then the NVTX ranges; one column per rank, or per as many ranks as the axis says. Red took longer than the median rank, blue less; in an empty cell the rank never launched the kernel, or its file is missing. Where a column stands for several ranks, the outlier's number is beside it. In a collective, the rank that comes last waits least and is blue.",
    .fill = chart_ranks,
};
