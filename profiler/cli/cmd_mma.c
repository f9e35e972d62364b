/* mma: every matrix instruction of a chip, what the compiler makes of it, and its rate. */
#include "base/file.h"
#include "base/table.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/mma_chart.h"
#include "profiler/compile/compile.h"
#include "profiler/mma/mma.h"
#include "run/device.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"type", "LIST",
     "these types only, comma between, * and ? allowed: bf16, fp16, s8, e4m3, nvf4, ... (default: all)"},
    {"size", "MxNxK", "of the product, multiples of 256 (default: 8192x8192x8192)"},
    {"target", "ARCH", "compile for this chip and run nothing: sm_80, sm_90a, sm_120a, ..."},
    {"sweep", NULL, "try every tile for each type, and show the fastest"},
    {"cold", NULL, "time the compilers without any cache, one type at a time; nvcc too where there is one"},
    {"gpu", "INDEX|UUID", "measure this GPU (default: the first)"},
    {"out", "DIR", "write mma.json there, with every tile that was tried, and a chart: mma.svg .png .gp .dat"},
    {"no-plots", NULL, "do not draw the chart"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

/* --- what people read --- */

static void number_cell(struct table *t, const struct mma_figure *f, double factor) {
  if (f->present)
    table_number(t, f->value * factor, 4);
  else
    table_cell(t, "", NULL);
}

static void share_cell(struct table *t, const struct mma_figure *f, double whole) {
  if (f->present && whole > 0)
    table_cellf(t, "%.1f", 100 * f->value / whole);
  else
    table_cell(t, "", NULL);
}

static void tile_cell(struct table *t, const struct mma_tile *tile) {
  table_cellf(t, "%dx%dx%dB %dx%d s%d g%d", tile->m, tile->n, tile->k_bytes, tile->warps_m, tile->warps_n, tile->stages,
              tile->group_m);
}

static void columns(struct table *t, bool measured, bool cold) {
  table_column(t, "type", "", "type", TABLE_LEFT);
  table_column(t, "sum", "", "sum", TABLE_LEFT);
  table_column(t, "native", "", "native", TABLE_LEFT);
  table_column(t, "SASS", "", "opcode", TABLE_LEFT);
  table_column(t, "regs", "", "registers", TABLE_RIGHT);
  table_column(t, "spill", "B", "spill_bytes", TABLE_RIGHT);
  if (cold || !measured)
    table_column(t, "NVRTC", "s", "nvrtc_s", TABLE_RIGHT);
  if (cold)
    table_column(t, "nvcc", "s", "nvcc_s", TABLE_RIGHT);
  if (measured) {
    table_column(t, "tile", "", "tile", TABLE_LEFT);
    table_column(t, "product", "TFLOP/s", "tflops", TABLE_RIGHT);
    table_column(t, "mma.sync alone", "TFLOP/s", "peak_tflops", TABLE_RIGHT);
    table_column(t, "of it", "%", "of_peak", TABLE_RIGHT);
    table_column(t, "cuBLAS", "TFLOP/s", "library_tflops", TABLE_RIGHT);
    table_column(t, "of it", "%", "of_library", TABLE_RIGHT);
    table_column(t, "datasheet", "TFLOP/s", "datasheet_tflops", TABLE_RIGHT);
    table_column(t, "of it", "%", "of_datasheet", TABLE_RIGHT);
    table_column(t, "error", "", "error", TABLE_RIGHT);
  }
  table_column(t, "absent because", "", "reason", TABLE_LEFT);
}

static void measured_cells(struct table *t, const struct mma_row *r, const struct device *d) {
  double datasheet = mma_datasheet(r->type, d);
  tile_cell(t, &r->tile);
  number_cell(t, &r->flops, 1e-12);
  number_cell(t, &r->peak, 1e-12);
  share_cell(t, &r->flops, r->peak.present ? r->peak.value : 0);
  number_cell(t, &r->library, 1e-12);
  share_cell(t, &r->flops, r->library.present ? r->library.value : 0);
  if (datasheet > 0)
    table_number(t, datasheet * 1e-12, 4);
  else
    table_cell(t, "", NULL);
  share_cell(t, &r->flops, datasheet);
  if (r->error.present)
    table_cellf(t, "%.1g", r->error.value > r->small_error.value ? r->error.value : r->small_error.value);
  else
    table_cell(t, "", NULL);
}

static void row_cells(struct table *t, const struct mma_row *r, const struct device *d, bool measured, bool cold) {
  table_row(t);
  table_cell(t, r->type->name, NULL);
  table_cell(t, mma_sum_name(r->type->sum), NULL);
  table_cell(t, r->compiled ? mma_native_name(r->native) : "refused", NULL);
  if (r->native == MMA_EMULATED || !r->compiled)
    table_style(t, 'b');
  if (r->n_convert)
    table_cellf(t, "%s + %zu conversions", r->opcode, r->n_convert);
  else
    table_cell(t, r->opcode, NULL);
  if (r->compiled)
    table_cellf(t, "%d", r->registers);
  else
    table_cell(t, "", NULL);
  if (r->compiled && r->spill_bytes >= 0)
    table_cellf(t, "%ld", r->spill_bytes);
  else
    table_cell(t, "", NULL);
  if (cold || !measured)
    number_cell(t, &r->nvrtc_s, 1);
  if (cold)
    number_cell(t, &r->nvcc_s, 1);
  if (measured)
    measured_cells(t, r, d);
  const char *reason = !r->compiled ? r->compile_error : measured && !r->flops.present ? r->flops.reason : "";
  table_cell(t, reason, NULL);
}

/* FP32 against FP16 accumulation, side by side. */
static void sums_table(const struct mma *m, struct text *out) {
  struct table *t = table_new();
  bool any = false;
  table_column(t, "type", "", "type", TABLE_LEFT);
  table_column(t, "fp32 sum", "TFLOP/s", "fp32", TABLE_RIGHT);
  table_column(t, "fp16 sum", "TFLOP/s", "fp16", TABLE_RIGHT);
  table_column(t, "fp16 / fp32", "", "ratio", TABLE_RIGHT);
  for (size_t i = 0; i + 1 < n_mma_types; i++) {
    const struct mma_row *single = mma_best(m, &mma_types[i]), *half = mma_best(m, &mma_types[i + 1]);
    bool pair = strcmp(mma_types[i].name, mma_types[i + 1].name) == 0;
    if (!pair || !single || !half || !single->flops.present || !half->flops.present)
      continue;
    any = true;
    table_row(t);
    table_cell(t, mma_types[i].name, NULL);
    number_cell(t, &single->flops, 1e-12);
    number_cell(t, &half->flops, 1e-12);
    table_cellf(t, "%.2f", half->flops.value / single->flops.value);
  }
  if (any) {
    text_add(out, "\nWhat the sum is kept in\n\n");
    table_term(t, out, cli_width(), cli_colour());
  }
  table_free(t);
}

static void people(const struct mma *m, const struct mma_options *o, const struct gpu_probe *gpu,
                   const struct device *d, struct text *out) {
  struct table *t = table_new();
  text_printf(out, "mma.sync on %s, NVRTC %s", gpu ? gpu->name : o->arch, m->nvrtc);
  if (gpu)
    text_printf(out, ", %s; C[%ld][%ld] over K = %ld", m->library[0] ? m->library : "without cuBLAS", o->m, o->n, o->k);
  else
    text_add(out, "; compiled only, nothing was run");
  text_add(out, "\n\n");
  columns(t, gpu != NULL, o->cold);
  for (size_t i = 0; i < n_mma_types; i++) {
    const struct mma_row *r = mma_best(m, &mma_types[i]);
    if (r)
      row_cells(t, r, d, gpu != NULL, o->cold);
  }
  table_term(t, out, cli_width(), cli_colour());
  table_free(t);
  if (!gpu)
    return;
  sums_table(m, out);
  text_add(out,
           "\nmma.sync alone: the instruction in a loop, operands in registers.  cuBLAS and the datasheet may use other"
           " instructions (wgmma, tcgen05), which mma.sync does not reach.\n");
}

/* --- what programs read --- */

static json_t *figure_json(const struct mma_figure *f) {
  if (f->present)
    return json_pack("{s:f}", "value", f->value);
  return json_pack("{s:n, s:s}", "value", "reason", f->reason[0] ? f->reason : "not measured");
}

static json_t *row_json(const struct mma_row *r, const struct mma *m, const struct device *d) {
  const struct mma_tile *tile = &r->tile;
  double datasheet = mma_datasheet(r->type, d);
  json_t *j = json_pack("{s:s, s:s, s:s, s:b, s:b}", "type", r->type->name, "sum", mma_sum_name(r->type->sum), "ptx",
                        r->type->ptx, "best", mma_best(m, r->type) == r, "compiled", r->compiled);
  json_object_set_new(j, "tile",
                      json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I}", "m", tile->m, "n", tile->n, "k_bytes",
                                tile->k_bytes, "warps_m", tile->warps_m, "warps_n", tile->warps_n, "stages",
                                tile->stages, "group_m", tile->group_m, "smem_bytes", (json_int_t)mma_tile_smem(tile)));
  if (r->compiled) {
    json_object_set_new(j, "native", json_string(mma_native_name(r->native)));
    json_object_set_new(j, "opcode", r->opcode[0] ? json_string(r->opcode) : json_null());
    json_object_set_new(j, "opcodes", json_integer((json_int_t)r->n_opcode));
    json_object_set_new(j, "conversions", json_integer((json_int_t)r->n_convert));
    json_object_set_new(j, "registers", json_integer(r->registers));
    json_object_set_new(j, "spill_bytes", r->spill_bytes >= 0 ? json_integer(r->spill_bytes) : json_null());
  } else {
    json_object_set_new(j, "error", json_string(r->compile_error));
  }
  const struct {
    const char *name;
    const struct mma_figure *f;
  } figures[] = {{"nvrtc_s", &r->nvrtc_s},  {"nvcc_s", &r->nvcc_s},          {"time_s", &r->time_s},
                 {"flops", &r->flops},      {"peak_flops", &r->peak},        {"library_flops", &r->library},
                 {"error_full", &r->error}, {"error_small", &r->small_error}};
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
    json_object_set_new(j, figures[i].name, figure_json(figures[i].f));
  json_object_set_new(j, "datasheet_flops", datasheet > 0 ? json_real(datasheet) : json_null());
  return j;
}

static void programs(const struct mma *m, const struct mma_options *o, const struct gpu_probe *gpu,
                     const struct device *d, struct text *out) {
  json_t *rows = json_array();
  for (size_t i = 0; i < m->n; i++)
    json_array_append_new(rows, row_json(&m->rows[i], m, d));
  json_t *j = json_pack("{s:s, s:s, s:o, s:s, s:o, s:{s:I, s:I, s:I}, s:o, s:s}", "schema", "nvfp4-prof/mma/1", "arch",
                        o->arch, "gpu", gpu ? json_string(gpu->name) : json_null(), "nvrtc", m->nvrtc, "library",
                        m->library[0] ? json_string(m->library) : json_null(), "size", "m", (json_int_t)o->m, "n",
                        (json_int_t)o->n, "k", (json_int_t)o->k, "rows", rows, "notes", m->notes);
  char *text = json_dumps(j, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
  text_printf(out, "%s\n", text ? text : "");
  out->failed |= !text;
  free(text);
  json_decref(j);
}

/* --- the command --- */

static int size_parse(const char *text, struct mma_options *o, struct err *e) {
  char after = 0;
  if (text && sscanf(text, "%ldx%ldx%ld%c", &o->m, &o->n, &o->k, &after) != 3)
    return err_set(e, ERR_USAGE, "--size %s: it is MxNxK, as in 8192x8192x8192", text);
  return 0;
}

static int target_verify(const char *arch, struct err *e) {
  int sm = 0;
  char suffix = 0, after = 0;
  int n = sscanf(arch, "sm_%d%c%c", &sm, &suffix, &after);
  if (n < 1 || n > 2 || sm < 80 || (n == 2 && suffix != 'a' && suffix != 'f'))
    return err_set(e, ERR_USAGE, "--target %s: it is an architecture from sm_80 on, as in sm_90a", arch);
  return 0;
}

/* The embedded description of the card, for its datasheet; false where there is none. */
static bool device_named(struct device *d, const char *name) {
  char id[DEVICE_ID_MAX];
  for (size_t i = 0; device_id(i, id); i++) {
    if (device_load(d, id, NULL))
      continue;
    if (strcmp(d->name, name) == 0)
      return true;
    device_release(d);
  }
  return false;
}

static bool any_compiled(const struct mma *m) {
  for (size_t i = 0; i < m->n; i++)
    if (m->rows[i].compiled)
      return true;
  return false;
}

static int present(const struct mma *m, const struct mma_options *o, const struct gpu_probe *gpu, const char *folder,
                   bool plots, bool json, struct err *e) {
  struct device d = {0};
  struct text table = {0}, document = {0};
  char *path = folder ? str_printf("%s/mma.json", folder) : NULL;
  bool known = gpu && device_named(&d, gpu->name);
  programs(m, o, gpu, known ? &d : NULL, &document);
  if (!json)
    people(m, o, gpu, known ? &d : NULL, &table);
  int result = !text_ok(&document) || (folder && !path) ? err_nomem(e, "mma.json") : 0;
  if (!result && path)
    result = file_write(path, text_str(&document), document.n, e);
  if (!result && folder && plots)
    result = mma_chart_write(m, o, gpu, known ? &d : NULL, folder, e);
  if (!result)
    result = cli_print(json ? &document : &table, e);
  if (m->notes[0])
    fprintf(stderr, "nvfp4-prof: %s\n", m->notes);
  free(path);
  text_release(&table);
  text_release(&document);
  device_release(&d);
  return result;
}

static int mma_command(const struct args *a, struct err *e) {
  struct gpu_probe gpu = {0};
  struct mma_options o = {.m = 8192, .n = 8192, .k = 8192, .progress = cli_progress};
  char arch[16];
  int result = 0;
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "mma takes no argument '%s'; did you mean --type %s?", a->rest[0], a->rest[0]);
  const char *target = args_get(a, "target"), *folder = args_get(a, "out");
  o.types = args_get(a, "type");
  o.sweep = args_has(a, "sweep");
  o.cold = args_has(a, "cold");
  result = size_parse(args_get(a, "size"), &o, e);
  if (!result && target)
    result = target_verify(target, e);
  if (!result && target && args_get(a, "gpu"))
    result = err_set(e, ERR_USAGE, "--target compiles and runs nothing, so --gpu has no use beside it");
  if (!result && !target && gpu_probe(&gpu, args_get(a, "gpu"), false, e)) {
    result = e->code == ERR_USAGE || args_get(a, "gpu") ? (int)e->code : 0;
    if (!result)
      fprintf(stderr, "nvfp4-prof: no GPU, so types are compiled for sm_90a and not run (--target names another): %s\n",
              e->text);
  }
  if (!result && folder)
    result = out_folder_make(folder, e);
  o.arch = target ? target : gpu.found ? compile_arch(gpu.sm, arch) : "sm_90a";
  struct mma *m = result ? NULL : calloc(1, sizeof *m);
  if (!result && !m)
    result = err_nomem(e, "mma");
  if (!result)
    result = mma_explore(m, &o, gpu.found ? &gpu : NULL, e);
  cli_progress_end();
  if (!result)
    result = present(m, &o, gpu.found ? &gpu : NULL, folder, !args_has(a, "no-plots"), args_has(a, "json"), e);
  if (!result && !any_compiled(m))
    result = EXIT_VARIANTS;
  free(m);
  return result;
}

const struct command command_mma = {
    .name = "mma",
    .arguments = "[OPTIONS]",
    .summary = "every matrix instruction: native or emulated, its rate, its library's",
    .needs = "NVRTC; a GPU to measure",
    .examples = "mma --type nvf4,e4m3 --sweep\n"
                "mma --target sm_120a --json\n",
    .options = option_rows,
    .run = mma_command,
};
