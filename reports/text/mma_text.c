#include "reports/text/mma_text.h"

#include "base/table.h"
#include "reports/text/put_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* --- what people read --- */

static void number_cell(struct table *t, const struct mma_text_row *r, enum mma_text_figure f, double factor) {
  if (r->figures[f].present)
    table_number(t, r->figures[f].value * factor, 4);
  else
    table_cell(t, "", NULL);
}

/* The product's rate as a share of this one. */
static void share_cell(struct table *t, const struct mma_text_row *r, double whole) {
  if (r->figures[MMA_TEXT_FLOPS].present && whole > 0)
    table_cellf(t, "%.1f", 100 * r->figures[MMA_TEXT_FLOPS].value / whole);
  else
    table_cell(t, "", NULL);
}

static double or_zero(const struct mma_text_row *r, enum mma_text_figure f) {
  return r->figures[f].present ? r->figures[f].value : 0;
}

static void columns(struct table *t, bool measured, bool cold) {
  table_column(t, "type", "", "type", TABLE_LEFT);
  table_column(t, "sum", "", "sum", TABLE_LEFT);
  table_column(t, "native", "", "native", TABLE_LEFT);
  table_column(t, "SASS", "", "opcode", TABLE_LEFT);
  table_drop(t, 1);
  table_column(t, "regs", "", "registers", TABLE_RIGHT);
  table_drop(t, 2);
  table_column(t, "spill", "B", "spill_bytes", TABLE_RIGHT);
  table_drop(t, 3);
  if (cold || !measured) {
    table_column(t, "NVRTC", "s", "nvrtc_s", TABLE_RIGHT);
    table_drop(t, 4);
  }
  if (cold) {
    table_column(t, "nvcc", "s", "nvcc_s", TABLE_RIGHT);
    table_drop(t, 5);
  }
  if (measured) {
    table_column(t, "tile", "", "tile", TABLE_LEFT);
    table_drop(t, 6);
    table_column(t, "product", "TFLOP/s", "tflops", TABLE_RIGHT);
    table_column(t, "mma.sync alone", "TFLOP/s", "peak_tflops", TABLE_RIGHT);
    table_column(t, "of it", "%", "of_peak", TABLE_RIGHT);
    table_column(t, "cuBLAS", "TFLOP/s", "library_tflops", TABLE_RIGHT);
    table_column(t, "of it", "%", "of_library", TABLE_RIGHT);
    table_column(t, "datasheet", "TFLOP/s", "datasheet_tflops", TABLE_RIGHT);
    table_column(t, "of it", "%", "of_datasheet", TABLE_RIGHT);
    table_column(t, "error", "", "error", TABLE_RIGHT);
    table_drop(t, 7);
  }
  table_column(t, "absent because", "", "reason", TABLE_LEFT);
}

static void measured_cells(struct table *t, const struct mma_text_row *r) {
  double full = or_zero(r, MMA_TEXT_ERROR_FULL), small = or_zero(r, MMA_TEXT_ERROR_SMALL);
  table_cellf(t, "%dx%dx%dB %dx%d s%d g%d", r->m, r->n, r->k_bytes, r->warps_m, r->warps_n, r->stages, r->group_m);
  number_cell(t, r, MMA_TEXT_FLOPS, 1e-12);
  number_cell(t, r, MMA_TEXT_PEAK, 1e-12);
  share_cell(t, r, or_zero(r, MMA_TEXT_PEAK));
  number_cell(t, r, MMA_TEXT_LIBRARY, 1e-12);
  share_cell(t, r, or_zero(r, MMA_TEXT_LIBRARY));
  if (r->datasheet_flops > 0)
    table_number(t, r->datasheet_flops * 1e-12, 4);
  else
    table_cell(t, "", NULL);
  share_cell(t, r, r->datasheet_flops);
  if (r->figures[MMA_TEXT_ERROR_FULL].present)
    table_cellf(t, "%.1g", full > small ? full : small);
  else
    table_cell(t, "", NULL);
}

static void row_cells(struct table *t, const struct mma_text_row *r, bool measured, bool cold) {
  const char *reason = r->error                                          ? r->error
                       : measured && !r->figures[MMA_TEXT_FLOPS].present ? r->figures[MMA_TEXT_FLOPS].reason
                                                                         : "";
  table_row(t);
  table_cell(t, r->type, NULL);
  table_cell(t, r->sum, NULL);
  table_cell(t, r->error ? "refused" : r->native, NULL);
  if (r->emulated || r->error)
    table_style(t, 'b');
  if (r->n_convert)
    table_cellf(t, "%s + %zu conversions", r->opcode, r->n_convert);
  else
    table_cell(t, r->opcode, NULL);
  if (r->error)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%d", r->registers);
  if (!r->error && r->spill_bytes >= 0)
    table_cellf(t, "%ld", r->spill_bytes);
  else
    table_cell(t, "", NULL);
  if (cold || !measured)
    number_cell(t, r, MMA_TEXT_NVRTC_S, 1);
  if (cold)
    number_cell(t, r, MMA_TEXT_NVCC_S, 1);
  if (measured)
    measured_cells(t, r);
  table_cell(t, reason, NULL);
}

/* The best row of the type that stands at row i, with another sum; NULL: there is none. */
static const struct mma_text_row *other_sum(const struct mma_text *m, size_t i) {
  for (size_t k = i + 1; k < m->n_rows; k++)
    if (m->rows[k].best && strcmp(m->rows[k].type, m->rows[i].type) == 0 && strcmp(m->rows[k].sum, m->rows[i].sum) != 0)
      return &m->rows[k];
  return NULL;
}

/* FP32 against FP16 accumulation, side by side. */
static void sums_table(const struct mma_text *m, struct text *out, int width, bool colour) {
  struct table *t = table_new();
  bool any = false;
  table_column(t, "type", "", "type", TABLE_LEFT);
  table_column(t, "fp32 sum", "TFLOP/s", "fp32", TABLE_RIGHT);
  table_column(t, "fp16 sum", "TFLOP/s", "fp16", TABLE_RIGHT);
  table_column(t, "fp16 / fp32", "", "ratio", TABLE_RIGHT);
  for (size_t i = 0; i < m->n_rows; i++) {
    const struct mma_text_row *single = &m->rows[i], *half = single->best ? other_sum(m, i) : NULL;
    if (!half || !single->figures[MMA_TEXT_FLOPS].present || !half->figures[MMA_TEXT_FLOPS].present)
      continue;
    any = true;
    table_row(t);
    table_cell(t, single->type, NULL);
    number_cell(t, single, MMA_TEXT_FLOPS, 1e-12);
    number_cell(t, half, MMA_TEXT_FLOPS, 1e-12);
    table_cellf(t, "%.2f", half->figures[MMA_TEXT_FLOPS].value / single->figures[MMA_TEXT_FLOPS].value);
  }
  if (any) {
    text_add(out, "\nWhat the sum is kept in\n\n");
    table_term(t, out, width, colour);
  }
  table_free(t);
}

void report_mma_term(const struct mma_text *m, struct text *out, int width, bool colour) {
  struct table *t = table_new();
  text_printf(out, "mma.sync on %s, NVRTC %s", m->gpu ? m->gpu : m->arch, m->nvrtc);
  if (m->gpu)
    text_printf(out, ", %s; C[%ld][%ld] over K = %ld", m->library[0] ? m->library : "without cuBLAS", m->m, m->n, m->k);
  else
    text_add(out, "; compiled only, nothing was run");
  text_add(out, "\n\n");
  columns(t, m->gpu != NULL, m->cold);
  for (size_t i = 0; i < m->n_rows; i++)
    if (m->rows[i].best)
      row_cells(t, &m->rows[i], m->gpu != NULL, m->cold);
  table_term(t, out, width, colour);
  table_free(t);
  if (!m->gpu)
    return;
  sums_table(m, out, width, colour);
  text_add(out,
           "\nmma.sync alone: the instruction in a loop, operands in registers.  cuBLAS and the datasheet may use other"
           " instructions (wgmma, tcgen05), which mma.sync does not reach.\n");
}

/* --- what programs read --- */

static json_t *row_json(const struct mma_text_row *r) {
  static const char *const names[MMA_TEXT_FIGURES] = {"nvrtc_s",    "nvcc_s",        "time_s",     "flops",
                                                      "peak_flops", "library_flops", "error_full", "error_small"};
  json_t *j = json_pack("{s:s, s:s, s:s, s:b, s:b}", "type", r->type, "sum", r->sum, "ptx", r->ptx, "best", r->best,
                        "compiled", !r->error);
  json_object_set_new(j, "tile",
                      json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I}", "m", r->m, "n", r->n, "k_bytes", r->k_bytes,
                                "warps_m", r->warps_m, "warps_n", r->warps_n, "stages", r->stages, "group_m",
                                r->group_m, "smem_bytes", (json_int_t)r->smem_bytes));
  if (r->error) {
    json_object_set_new(j, "error", json_string(r->error));
  } else {
    json_object_set_new(j, "native", json_string(r->native));
    json_object_set_new(j, "opcode", r->opcode[0] ? json_string(r->opcode) : json_null());
    json_object_set_new(j, "opcodes", json_integer((json_int_t)r->n_opcode));
    json_object_set_new(j, "conversions", json_integer((json_int_t)r->n_convert));
    json_object_set_new(j, "registers", json_integer(r->registers));
    json_object_set_new(j, "spill_bytes", r->spill_bytes >= 0 ? json_integer(r->spill_bytes) : json_null());
  }
  for (size_t i = 0; i < MMA_TEXT_FIGURES; i++)
    json_object_set_new(j, names[i],
                        r->figures[i].present
                            ? json_pack("{s:f}", "value", r->figures[i].value)
                            : json_pack("{s:n, s:s}", "value", "reason",
                                        r->figures[i].reason[0] ? r->figures[i].reason : "not measured"));
  json_object_set_new(j, "datasheet_flops", r->datasheet_flops > 0 ? json_real(r->datasheet_flops) : json_null());
  return j;
}

void report_mma_json(const struct mma_text *m, struct text *out) {
  json_t *rows = json_array();
  for (size_t i = 0; i < m->n_rows; i++)
    json_array_append_new(rows, row_json(&m->rows[i]));
  json_t *j = json_pack("{s:s, s:s, s:o, s:s, s:o, s:{s:I, s:I, s:I}, s:o, s:s}", "schema", "nvfp4-prof/mma/1", "arch",
                        m->arch, "gpu", m->gpu ? json_string(m->gpu) : json_null(), "nvrtc", m->nvrtc, "library",
                        m->library[0] ? json_string(m->library) : json_null(), "size", "m", (json_int_t)m->m, "n",
                        (json_int_t)m->n, "k", (json_int_t)m->k, "rows", rows, "notes", m->notes);
  put_json(j, out);
}
