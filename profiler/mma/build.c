/* The product's source, what a row puts in front of it, and how long compilers take over it. */
#include "profiler/mma/tuning.h"

#include "base/clock.h"
#include "base/embed.h"
#include "base/file.h"
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern const struct embedded profiler_embedded_mma[];
const char mma_source_name[] = "mma/matmul.cu";
enum { COLD_LIMIT_S = 600 };

const char *mma_source(void) {
  return profiler_embedded_mma[0].name ? profiler_embedded_mma[0].data : "";
}

static void define(struct mma_defines *d, const char *name, const char *value) {
  snprintf(d->text[d->n], sizeof d->text[0], "-D%s%s%s", name, value ? "=" : "", value ? value : "");
  d->options[d->n] = d->text[d->n];
  d->n++;
}

static void define_int(struct mma_defines *d, const char *name, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  define(d, name, text);
}

void mma_defines_of(struct mma_defines *out, const struct mma_row *row) {
  static const char *const sums[] = {[MMA_F32] = "ACC_F32", [MMA_F16] = "ACC_F16", [MMA_S32] = "ACC_S32"};
  const struct mma_tile *t = &row->tile;
  char quoted[140];
  out->n = 0;
  snprintf(quoted, sizeof quoted, "\"%s\"", row->type->ptx);
  define(out, "MMA", quoted);
  define(out, sums[row->type->sum], NULL);
  if (row->type->scales)
    define(out, "SCALES", row->type->scales);
  define_int(out, "BLOCK_M", t->m);
  define_int(out, "BLOCK_N", t->n);
  define_int(out, "BLOCK_K", t->k_bytes);
  define_int(out, "WARPS_M", t->warps_m);
  define_int(out, "WARPS_N", t->warps_n);
  define_int(out, "STAGES", t->stages);
  define_int(out, "GROUP_M", t->group_m);
  define_int(out, "PEAK_CHAINS", MMA_PEAK_CHAINS);
}

/* --- how long it takes --- */

struct cold {    /* of the timing process */
  struct mma *m; /* shared with the parent */
  const struct mma_options *o;
};

static void time_nvrtc(struct nvrtc *n, const struct mma_options *o, struct mma_row *row) {
  struct mma_defines defines;
  struct rung_set none = {0};
  struct compile_settings settings = {.arch = o->arch, .set = &none};
  struct text log = {0};
  struct err e = {0};
  void *cubin = NULL;
  size_t bytes = 0;
  mma_defines_of(&defines, row);
  struct compile_unit unit = {mma_source_name, mma_source(), defines.options, defines.n};
  double start_s = clock_now_s();
  int rc = nvrtc_compile(n, &settings, &unit, &cubin, &bytes, &log, &e);
  if (rc)
    mma_absent(&row->nvrtc_s, "it did not compile");
  else
    mma_present(&row->nvrtc_s, clock_now_s() - start_s);
  free(cubin);
  text_release(&log);
}

static int run_nvcc(const char *program, const char *source, const struct mma_defines *d, const char *arch) {
  char option[32];
  char *argv[MMA_OPTIONS + 10] = {(char *)program, "-cubin", "-std=c++17", "-lineinfo", option, "-o", "/dev/null"};
  size_t n = 7;
  snprintf(option, sizeof option, "-arch=%s", arch);
  for (size_t i = 0; i < d->n; i++)
    argv[n++] = (char *)d->options[i];
  argv[n++] = (char *)source;
  pid_t child;
  return program_start(&child, argv, -1, -1, program_limit_s(0)) ? -1 : child_reap(child);
}

static void time_nvcc(const char *program, const char *source, const struct mma_options *o, struct mma_row *row) {
  struct mma_defines defines;
  mma_defines_of(&defines, row);
  double start_s = clock_now_s();
  if (run_nvcc(program, source, &defines, o->arch))
    mma_absent(&row->nvcc_s, "%s failed", program);
  else
    mma_present(&row->nvcc_s, clock_now_s() - start_s);
}

static void cold_body(void *context) {
  struct cold *c = context;
  struct nvrtc *n = calloc(1, sizeof *n);
  struct err e = {0};
  const char *folder = getenv("TMPDIR");
  char nvcc[LIBRARY_PATH_MAX], source[LIBRARY_PATH_MAX];
  snprintf(source, sizeof source, "%s/nvfp4-prof-XXXXXX.cu", folder && *folder ? folder : P_tmpdir);
  setenv("CUDA_CACHE_DISABLE", "1", 1); /* NVRTC's own cache */
  if (nvrtc_load(n, &e))
    _exit(1);
  struct err no_nvcc = {0};
  bool have_nvcc = program_find(nvcc, "nvcc", &no_nvcc) == 0;
  int fd = have_nvcc ? mkstemps(source, 3) : -1;
  if (fd >= 0)
    close(fd);
  have_nvcc = fd >= 0 && file_write(source, mma_source(), strlen(mma_source()), &no_nvcc) == 0;
  for (size_t i = 0; i < c->m->n; i++) {
    struct mma_row *row = &c->m->rows[i];
    if (!row->compiled)
      continue;
    if (c->o->progress)
      c->o->progress("compile cold", i, c->m->n, row->type->name);
    time_nvrtc(n, c->o, row);
    if (have_nvcc)
      time_nvcc(nvcc, source, c->o, row);
    else
      mma_absent(&row->nvcc_s, "%.200s", no_nvcc.text);
  }
  if (fd >= 0)
    unlink(source);
}

void mma_cold(struct mma *m, const struct mma_options *o) {
  struct cold c = {m, o};
  struct err e = {0};
  pid_t child;
  int rc = child_start(&child, cold_body, &c, &e);
  if (!rc)
    rc = child_wait(child, COLD_LIMIT_S, &e);
  for (size_t i = 0; i < m->n; i++)
    if (!m->rows[i].nvrtc_s.present && !m->rows[i].nvrtc_s.reason[0])
      mma_absent(&m->rows[i].nvrtc_s, "%.200s", rc ? e.text : "it did not compile");
}
