/* mma: every matrix instruction of a chip, what the compiler makes of it, and its rate. */
#include "base/file.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/measure_options.h"
#include "profiler/cli/present.h"
#include "profiler/compile/compile.h"
#include "profiler/machine/machine.h"
#include "profiler/mma/mma.h"
#include "reports/text/mma_text.h"
#include "run/device.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"type", "LIST", "comma-separated types, * and ? allowed: bf16, fp16, s8, e4m3, nvf4, ... (default: all)"},
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

static const struct clash_row clash_rows[] = {{"target", "gpu", "--target compiles and runs nothing: leave out --gpu"},
                                              {NULL}};

/* --- what is shown --- */

static double datasheet_of(const struct mma_type *t, const struct device *d) {
  const struct ceiling *c = t->ceiling && d ? device_ceiling(d, t->ceiling, CEILING_DATASHEET) : NULL;
  return c ? c->value : 0;
}

static void row_shown(struct mma_text_row *out, const struct mma *m, const struct mma_row *r, const struct device *d) {
  const struct mma_tile *t = &r->tile;
  const struct mma_figure *const figures[MMA_TEXT_FIGURES] = {&r->nvrtc_s, &r->nvcc_s,  &r->time_s, &r->flops,
                                                              &r->peak,    &r->library, &r->error,  &r->small_error};
  *out = (struct mma_text_row){.type = r->type->name,
                               .sum = mma_sum_name(r->type->sum),
                               .ptx = r->type->ptx,
                               .best = mma_best(m, r->type) == r,
                               .error = r->compiled ? NULL : r->compile_error,
                               .native = mma_native_name(r->native),
                               .emulated = r->native == MMA_EMULATED,
                               .opcode = r->opcode,
                               .n_opcode = r->n_opcode,
                               .n_convert = r->n_convert,
                               .registers = r->registers,
                               .spill_bytes = r->spill_bytes,
                               .m = t->m,
                               .n = t->n,
                               .k_bytes = t->k_bytes,
                               .warps_m = t->warps_m,
                               .warps_n = t->warps_n,
                               .stages = t->stages,
                               .group_m = t->group_m,
                               .smem_bytes = mma_tile_smem(t),
                               .datasheet_flops = datasheet_of(r->type, d)};
  for (size_t i = 0; i < MMA_TEXT_FIGURES; i++)
    out->figures[i] = figures[i]->present ? value_of(figures[i]->value)
                                          : value_absent(figures[i]->reason[0] ? figures[i]->reason : "not measured");
}

/* --- the command --- */

static int size_parse(const char *text, struct mma_options *o, struct err *e) {
  char after = 0;
  if (text && sscanf(text, "%ldx%ldx%ld%c", &o->m, &o->n, &o->k, &after) != 3)
    return err_set(e, ERR_USAGE, "--size %s: must be MxNxK, as in 8192x8192x8192", text);
  return 0;
}

static bool any_compiled(const struct mma *m) {
  for (size_t i = 0; i < m->n; i++)
    if (m->rows[i].compiled)
      return true;
  return false;
}

static int present(const struct mma *m, const struct mma_options *o, const struct gpu_probe *gpu, const char *folder,
                   const struct args *a, struct err *e) {
  struct device d = {0};
  struct text table = {0}, document = {0};
  char *path = folder ? str_printf("%s/mma.json", folder) : NULL;
  bool known = gpu && device_from_run(&d, &(struct run_device){.name = (char *)gpu->name}, NULL) == 0,
       json = args_has(a, "json");
  struct mma_text_row *rows = calloc(m->n + 1, sizeof *rows);
  const struct mma_text shown = {.arch = o->arch,
                                 .gpu = gpu ? gpu->name : NULL,
                                 .nvrtc = m->nvrtc,
                                 .library = m->library,
                                 .notes = m->notes,
                                 .m = o->m,
                                 .n = o->n,
                                 .k = o->k,
                                 .cold = o->cold,
                                 .rows = rows,
                                 .n_rows = m->n};
  for (size_t i = 0; i < m->n; i++)
    row_shown(&rows[i], m, &m->rows[i], known ? &d : NULL);
  report_mma_json(&shown, &document);
  if (!json)
    report_mma_term(&shown, &table, cli_width(), cli_colour());
  int rc = path ? file_write(path, text_str(&document), document.n, e) : 0;
  if (!rc && folder && !args_has(a, "no-plots"))
    rc = chart_present(&(struct lone_chart){.mma = &shown}, folder, e);
  if (!rc)
    rc = cli_print_or_words(json ? &document : &table, json, e);
  if (m->notes[0])
    cli_tell("nvfp4-prof: %s\n", m->notes);
  free(path);
  free(rows);
  text_release(&table);
  text_release(&document);
  device_release(&d);
  return rc;
}

static int mma_command(const struct args *a, struct err *e) {
  struct gpu_probe gpu = {0};
  struct mma_options o = {.m = 8192, .n = 8192, .k = 8192, .progress = cli_progress};
  char arch[16];
  int rc = 0;
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "mma takes no argument '%s'; did you mean --type %s?", a->rest[0], a->rest[0]);
  const char *target = args_get(a, "target"), *folder = args_get(a, "out");
  o.types = args_get(a, "type");
  o.sweep = args_has(a, "sweep");
  o.cold = args_has(a, "cold");
  rc = size_parse(args_get(a, "size"), &o, e);
  if (!rc && target && !target_sm(target))
    rc = err_set(e, ERR_USAGE, "--target %s: must be sm_80 or later, as in sm_90a", target);
  if (!rc && !target && gpu_probe(&gpu, args_get(a, "gpu"), false, e)) {
    rc = e->code == ERR_USAGE || args_get(a, "gpu") ? (int)e->code : 0;
    if (!rc)
      cli_tell("nvfp4-prof: no GPU, so types are compiled for sm_90a and not run (--target names another): %s\n",
               e->text);
  }
  if (!rc && folder)
    rc = out_folder_make(folder, e);
  o.arch = target ? target : gpu.found ? compile_arch(gpu.sm, arch) : "sm_90a";
  struct mma *m = rc ? NULL : calloc(1, sizeof *m);
  if (!rc)
    rc = mma_explore(m, &o, gpu.found ? &gpu : NULL, e);
  cli_progress_end();
  if (!rc)
    rc = present(m, &o, gpu.found ? &gpu : NULL, folder, a, e);
  if (!rc && !any_compiled(m))
    rc = EXIT_VARIANTS;
  free(m);
  return rc;
}

COMMAND_ROW(140, mma) = {
    .name = "mma",
    .arguments = "[OPTIONS]",
    .summary = "measure every matrix instruction: native or emulated, its rate, cuBLAS's",
    .needs = "NVRTC; a GPU to measure",
    .examples = "mma --type nvf4,e4m3 --sweep\n"
                "mma --target sm_120a --json\n",
    .options = option_rows,
    .clashes = clash_rows,
    .run = mma_command,
};
