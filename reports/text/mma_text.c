#include "reports/text/mma_text.h"

#include "base/table.h"
#include "reports/words/put_json.h"
#include "reports/words/view.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* --- what people read --- */

/* The product's rate as a share of this one. */
static void share_cell(struct table *t, const struct mma_text_row *r, double whole) {
  table_format(t, "%.1f",
               r->figures[MMA_TEXT_FLOPS].present && whole > 0 ? 100 * r->figures[MMA_TEXT_FLOPS].v / whole : NAN);
}

static void columns(struct table *t, bool measured, bool cold) {
  table_head(t, "type | sum | native | SASS =opcode -1 | >regs =registers -2 | >spill [B] =spill_bytes -3");
  if (cold || !measured)
    table_head(t, ">NVRTC [s] =nvrtc_s -4");
  if (cold)
    table_head(t, ">nvcc [s] =nvcc_s -5");
  if (measured) {
    table_head(t, "tile -6 | >product [TFLOP/s] =tflops | >mma.sync alone [TFLOP/s] =peak_tflops | "
                  ">of it [%] =of_peak | >cuBLAS [TFLOP/s] =library_tflops | >of it [%] =of_library | "
                  ">datasheet [TFLOP/s] =datasheet_tflops | >of it [%] =of_datasheet | >error -7");
  }
  table_head(t, "absent because =reason");
}

static void measured_cells(struct table *t, const struct mma_text_row *r) {
  table_cellf(t, "%dx%dx%dB %dx%d s%d g%d", r->m, r->n, r->k_bytes, r->warps_m, r->warps_n, r->stages, r->group_m);
  view_cell(t, r->figures[MMA_TEXT_FLOPS], 1e-12, 4);
  view_cell(t, r->figures[MMA_TEXT_PEAK], 1e-12, 4);
  share_cell(t, r, r->figures[MMA_TEXT_PEAK].v);
  view_cell(t, r->figures[MMA_TEXT_LIBRARY], 1e-12, 4);
  share_cell(t, r, r->figures[MMA_TEXT_LIBRARY].v);
  table_number(t, r->datasheet_flops > 0 ? r->datasheet_flops * 1e-12 : NAN, 4);
  share_cell(t, r, r->datasheet_flops);
  table_format(t, "%.1g",
               r->figures[MMA_TEXT_ERROR_FULL].present
                   ? fmax(r->figures[MMA_TEXT_ERROR_FULL].v, r->figures[MMA_TEXT_ERROR_SMALL].v)
                   : NAN);
}

static void row_cells(struct table *t, const struct mma_text_row *r, bool measured, bool cold) {
  const char *reason = r->error                                          ? r->error
                       : measured && !r->figures[MMA_TEXT_FLOPS].present ? r->figures[MMA_TEXT_FLOPS].reason
                                                                         : "";
  table_line(t, "s s s", r->type, r->sum, r->error ? "refused" : r->native);
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
  table_format(t, "%.0f", !r->error && r->spill_bytes >= 0 ? (double)r->spill_bytes : NAN);
  if (cold || !measured)
    view_cell(t, r->figures[MMA_TEXT_NVRTC_S], 1, 4);
  if (cold)
    view_cell(t, r->figures[MMA_TEXT_NVCC_S], 1, 4);
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
  table_head(t, "type | >fp32 sum [TFLOP/s] =fp32 | >fp16 sum [TFLOP/s] =fp16 | >fp16 / fp32 =ratio");
  for (size_t i = 0; i < m->n_rows; i++) {
    const struct mma_text_row *single = &m->rows[i], *half = single->best ? other_sum(m, i) : NULL;
    if (!half || !single->figures[MMA_TEXT_FLOPS].present || !half->figures[MMA_TEXT_FLOPS].present)
      continue;
    any = true;
    table_row(t);
    table_cell(t, single->type, NULL);
    view_cell(t, single->figures[MMA_TEXT_FLOPS], 1e-12, 4);
    view_cell(t, half->figures[MMA_TEXT_FLOPS], 1e-12, 4);
    table_cellf(t, "%.2f", half->figures[MMA_TEXT_FLOPS].v / single->figures[MMA_TEXT_FLOPS].v);
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
  table_print(t, out, width, colour);
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
  json_t *j = json_of("type:s sum:s ptx:s best:b compiled:b", r->type, r->sum, r->ptx, r->best, !r->error);
  json_object_set_new(j, "tile",
                      json_of("m:I n:I k_bytes:I warps_m:I warps_n:I stages:I group_m:I smem_bytes:I", (json_int_t)r->m,
                              (json_int_t)r->n, (json_int_t)r->k_bytes, (json_int_t)r->warps_m, (json_int_t)r->warps_n,
                              (json_int_t)r->stages, (json_int_t)r->group_m, (json_int_t)r->smem_bytes));
  if (r->error) {
    json_object_set_new(j, "error", json_string(r->error));
  } else {
    members_set(j, "native:s opcode:o opcodes:I conversions:I registers:I spill_bytes:o", r->native,
                r->opcode[0] ? json_string(r->opcode) : json_null(), (json_int_t)r->n_opcode, (json_int_t)r->n_convert,
                (json_int_t)r->registers, r->spill_bytes >= 0 ? json_integer(r->spill_bytes) : json_null());
  }
  for (size_t i = 0; i < MMA_TEXT_FIGURES; i++)
    json_object_set_new(j, names[i], value_json(r->figures[i]));
  json_object_set_new(j, "datasheet_flops", real_json(r->datasheet_flops > 0, r->datasheet_flops));
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
