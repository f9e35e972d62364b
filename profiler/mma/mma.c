#include "profiler/mma/mma.h"

#include "base/text.h"
#include "profiler/cuda/child.h"
#include "profiler/mma/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHILD_LIMIT_S = 300, SIZE_GRAIN = 256, SIZE_MAX_ROWS = 32768 };

struct board { /* shared with the measuring process */
  struct child_board rows;
  struct mma m;
};

struct mma_measuring {
  struct board *board;
  const struct mma_options *o;
  const struct gpu_probe *gpu;
  struct compiled *built;    /* one a row */
  struct mma_device *device; /* in the measuring process */
};

/* --- which rows --- */

/* The next name of a list; false: there is no more. */
static bool name_next(const char **list, char name[64]) {
  size_t n = strcspn(*list, ",");
  bool more = **list;
  snprintf(name, 64, "%.*s", (int)n, *list);
  *list += n + ((*list)[n] == ',');
  return more;
}

static bool listed(const char *list, const char *name) {
  char part[64];
  while (name_next(&list, part))
    if (str_glob(part, name))
      return true;
  return false;
}

static int types_verify(const char *list, struct err *e) {
  char part[64];
  while (list && name_next(&list, part)) {
    bool found = false;
    for (size_t t = 0; t < n_mma_types && !found; t++)
      found = str_glob(part, mma_types[t].name);
    if (found)
      continue;
    struct text known = {0};
    for (size_t t = 0; t < n_mma_types; t++)
      if (!t || strcmp(mma_types[t].name, mma_types[t - 1].name) != 0)
        text_printf(&known, "%s%s", t ? ", " : "", mma_types[t].name);
    int rc = err_set(e, ERR_USAGE, "--type: no type '%s'; known: %s", part, text_str(&known));
    text_release(&known);
    return rc;
  }
  return 0;
}

static int size_verify(const struct mma_options *o, struct err *e) {
  const long sizes[] = {o->m, o->n, o->k};
  for (int i = 0; i < 3; i++)
    if (sizes[i] < SIZE_GRAIN || sizes[i] > SIZE_MAX_ROWS || sizes[i] % SIZE_GRAIN)
      return err_set(e, ERR_USAGE, "--size %ldx%ldx%ld: %ld is not a multiple of %d from %d to %d", o->m, o->n, o->k,
                     sizes[i], SIZE_GRAIN, SIZE_GRAIN, SIZE_MAX_ROWS);
  return 0;
}

/* Without a sweep the first tile that the GPU's shared memory holds. */
static void type_rows(struct mma *m, const struct mma_type *type, const struct mma_options *o,
                      const struct gpu_probe *gpu) {
  struct mma_tile tile;
  for (size_t i = 0; m->n < MMA_ROWS_MAX && mma_tile_at(i, &tile); i++) {
    if (!o->sweep && gpu && mma_tile_smem(&tile) > gpu->smem_optin)
      continue;
    m->rows[m->n++] = (struct mma_row){.type = type, .tile = tile, .spill_bytes = -1};
    if (!o->sweep)
      return;
  }
}

static void rows_choose(struct mma *m, const struct mma_options *o, const struct gpu_probe *gpu) {
  for (size_t t = 0; t < n_mma_types; t++)
    if (!o->types || listed(o->types, mma_types[t].name))
      type_rows(m, &mma_types[t], o, gpu);
}

/* --- compiling --- */

/* What ptxas or the compiler says first, without the place in the PTX that nobody sees. */
static void error_shorten(char out[400], const char *log) {
  const char *at = strstr(log, "; error");
  at = at ? at : strstr(log, "error:");
  at = at ? strchr(at, ':') : NULL;
  at = at ? at + 1 + strspn(at + 1, " ") : log;
  snprintf(out, 400, "%.*s", (int)strcspn(at, "\n"), at);
}

static void row_compiled(struct mma_row *row, const struct compiled *c) {
  row->compiled = c->ok;
  if (!c->ok) {
    error_shorten(row->compile_error, c->error ? c->error : "it did not compile");
    return;
  }
  if (c->module.cached)
    mma_absent(&row->nvrtc_s, "it came from the cache");
  else
    mma_present(&row->nvrtc_s, c->module.compile_s);
  for (size_t k = 0; k < c->module.n_kernels; k++) {
    const struct run_kernel *kernel = &c->module.kernels[k];
    if (strcmp(kernel->name, "matmul") != 0)
      continue;
    row->registers = kernel->registers;
    row->spill_bytes = kernel->spill_store_bytes;
    mma_classify(row, kernel);
  }
}

static int compile(struct mma_measuring *w, struct err *e) {
  struct mma *m = &w->board->m;
  struct rung_set none = {0};
  struct compile_tools tools = {0};
  struct compile_settings settings = {.arch = w->o->arch, .set = &none, .sass = true, .progress = w->o->progress};
  struct compile_unit *units = calloc(m->n, sizeof *units);
  struct mma_defines *defines = calloc(m->n, sizeof *defines);
  for (size_t i = 0; i < m->n; i++) {
    mma_defines_of(&defines[i], &m->rows[i]);
    units[i] = (struct compile_unit){mma_source_name, mma_source(), defines[i].options, defines[i].n};
  }
  int rc = compile_all(&settings, units, m->n, w->built, &tools, e);
  for (size_t i = 0; i < m->n && !rc; i++)
    row_compiled(&m->rows[i], &w->built[i]);
  snprintf(m->nvrtc, sizeof m->nvrtc, "%s", tools.nvrtc_version);
  if (tools.note[0])
    snprintf(m->notes, sizeof m->notes, "%s", tools.note);
  free(units);
  free(defines);
  return rc;
}

/* --- measuring --- */

/* Figures that nothing filled say why. */
static void row_fail(struct mma_row *row, const char *why) {
  struct mma_figure *const figures[] = {&row->time_s, &row->flops, &row->small_error,
                                        &row->error,  &row->peak,  &row->library};
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
    if (!figures[i]->present && !figures[i]->reason[0])
      mma_absent(figures[i], "%.*s", (int)(strcspn(why, "\n") < 230 ? strcspn(why, "\n") : 230), why);
}

/* The instruction alone and the library are the type's, not the tile's: measured at its first row,
 * and copied to the others. */
static bool first_of_type(const struct mma *m, size_t i) {
  return i == 0 || m->rows[i - 1].type != m->rows[i].type;
}

static int row_measure(struct mma_device *d, struct mma *m, size_t i, const struct compiled *c, struct err *e) {
  struct mma_row *row = &m->rows[i];
  CUmodule module = NULL;
  struct err why = {0};
  int rc = mma_device_fill(d, row->type, e);
  if (!rc)
    rc = CU_CALL(&d->driver, e, cuModuleLoadData, &module, c->cubin);
  if (rc)
    return rc;
  if (first_of_type(m, i)) {
    if (mma_device_peak(d, row, module, &why) && why.code == ERR_GPU)
      return err_set(e, why.code, "%s", why.text);
    if (!row->peak.present)
      mma_absent(&row->peak, "%.200s", why.text);
    if (mma_device_library(d, row, m->library, &why))
      mma_absent(&row->library, "%.200s", why.text);
  }
  rc = mma_device_product(d, row, module, e);
  d->driver.cuModuleUnload(module);
  return rc;
}

static int measuring_open(void *context, struct err *e) {
  struct mma_measuring *w = context;
  w->device = calloc(1, sizeof *w->device);
  return mma_device_open(w->device, w->o, w->gpu, e);
}

static int measuring_run(void *context, size_t i, struct err *e) {
  struct mma_measuring *w = context;
  struct mma *m = &w->board->m;
  if (w->o->progress)
    w->o->progress("measure", i, m->n, m->rows[i].type->name);
  return m->rows[i].compiled ? row_measure(w->device, m, i, &w->built[i], e)
                             : err_set(e, ERR_DATA, "it did not compile");
}

static void measuring_fail(void *context, size_t i, const char *why) {
  struct mma_measuring *w = context;
  row_fail(&w->board->m.rows[i], why);
}

int mma_explore(struct mma *out, const struct mma_options *o, const struct gpu_probe *gpu, struct err *e) {
  int rc = types_verify(o->types, e);
  if (!rc)
    rc = size_verify(o, e);
  if (rc)
    return rc;
  struct mma_measuring w = {.board = child_share(sizeof *w.board), .o = o, .gpu = gpu};
  if (!w.board)
    return err_nomem(e, "mma's shared memory");
  struct mma *m = &w.board->m;
  rows_choose(m, o, gpu);
  w.built = calloc(m->n, sizeof *w.built);
  rc = compile(&w, e);
  if (!rc && o->cold)
    mma_cold(m, o);
  if (!rc && gpu)
    rc = child_each(&(struct child_items){.who = "mma",
                                          .board = &w.board->rows,
                                          .n = m->n,
                                          .limit_s = CHILD_LIMIT_S,
                                          .open = measuring_open,
                                          .run = measuring_run,
                                          .fail = measuring_fail,
                                          .context = &w},
                    e);
  for (size_t i = 0; i < m->n && gpu; i++)
    if (!first_of_type(m, i)) {
      m->rows[i].peak = m->rows[i - 1].peak;
      m->rows[i].library = m->rows[i - 1].library;
    }
  for (size_t i = 0; i < m->n && !gpu; i++)
    row_fail(&m->rows[i], m->rows[i].compiled ? "nothing was run: it was compiled only" : "it did not compile");
  if (!rc)
    *out = *m;
  for (size_t i = 0; i < m->n; i++)
    compiled_release(&w.built[i]);
  free(w.built);
  child_unshare(w.board, sizeof *w.board);
  return rc;
}

const struct mma_row *mma_best(const struct mma *m, const struct mma_type *type) {
  const struct mma_row *best = NULL;
  for (size_t i = 0; i < m->n; i++) {
    const struct mma_row *row = &m->rows[i];
    if (row->type != type)
      continue;
    if (!best || (row->flops.present && (!best->flops.present || row->flops.value > best->flops.value)))
      best = row;
  }
  return best;
}
