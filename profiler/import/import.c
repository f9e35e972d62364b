#include "profiler/import/import.h"

#include "base/demangle.h"
#include "base/embed.h"
#include "base/text.h"
#include "kernels/problem.h"
#include "profiler/import/importing.h"
#include "profiler/import/ncu_rep.h"

#include <stdlib.h>
#include <string.h>

extern const struct embedded profiler_embedded_import[];

/* --- launches to groups --- */

static unsigned extent_of(const struct ncu_launch *l, const char *name, struct ncu_reading *r) {
  double v;
  return ncu_value(l, name, &v, r) && v >= 0 && v <= 0x7fffffff ? (unsigned)v : 0;
}

/* The export of the user interface may say the geometry in its metrics alone, or only how many there are: then they lie as one row. */
static void extents_fill(const struct ncu_launch *l, unsigned extent[3], const char *const names[3], const char *size,
                         struct ncu_reading *r) {
  for (int i = 0; i < 3; i++)
    extent[i] = extent[i] ? extent[i] : extent_of(l, names[i], r);
  if (extent[0] || !(extent[0] = extent_of(l, size, r)))
    return;
  extent[1] = extent[2] = 1;
}

static int launch_geometry(struct ncu_launch *l, struct err *e) {
  static const char *const grid[] = {"launch__grid_dim_x", "launch__grid_dim_y", "launch__grid_dim_z"},
                           *const block[] = {"launch__block_dim_x", "launch__block_dim_y", "launch__block_dim_z"};
  struct ncu_reading r = {.e = e};
  if (l->together)
    return 0;
  extents_fill(l, l->grid, grid, "launch__grid_size", &r);
  extents_fill(l, l->block, block, "launch__block_size", &r);
  return r.rc;
}

static int files_read(struct imported *im, struct err *e) {
  const struct import_options *o = im->options;
  im->files = calloc(o->n_files + 1, sizeof *im->files);
  im->n_sources = o->n_sources + o->n_files;
  im->sources = calloc(im->n_sources + 1, sizeof *im->sources);
  int rc = 0;
  for (size_t i = 0; i < o->n_files && !rc; i++)
    rc = ncu_rep_is(&o->files[i])
             ? ncu_rep_parse(&im->files[i], &im->sources[o->n_sources + i], &im->note, &o->files[i], e)
             : ncu_parse(&im->files[i], o->files[i].name, o->files[i].text, e);
  for (size_t i = 0; i < o->n_sources && !rc; i++)
    rc = ncu_source_parse(&im->sources[i], o->sources[i].name, o->sources[i].text, e);
  for (size_t i = 0; i < o->n_files && !rc; i++) {
    for (size_t j = 0; j < im->files[i].n && !rc; j++) {
      if (o->kernel && !str_glob(o->kernel, im->files[i].launches[j].kernel))
        continue;
      struct ncu_launch *l = &im->files[i].launches[j];
      rc = launch_geometry(l, e);
      if (!rc)
        rc = group_join(im, l, e);
    }
  }
  if (!rc && im->n_groups == 0)
    rc = err_set(e, ERR_USAGE, "--kernel '%s' names no kernel of %s; the first there is '%s'", o->kernel,
                 o->files[0].name, im->files[0].launches[0].kernel);
  return rc;
}

/* --- groups to variants and results --- */

static bool id_taken(const struct imported *im, const char *id) {
  return name_index_find(&im->by_id, id) != NAME_NEW;
}

/* The kernel's name as it was written; where several share it, with the launch's geometry, then with the registers, then with a number. */
static int id_make(struct imported *im, size_t at, char **out, struct err *e) {
  const struct ncu_launch *l = im->groups[at].launches[0];
  const unsigned *g = l->grid, *b = l->block;
  struct ncu_reading r = {.e = e};
  double registers = 0;
  struct text id = {0};
  bool known = group_value(&im->groups[at], "launch__registers_per_thread", &registers, &r);
  char *name = demangle(l->kernel);
  text_add(&id, name);
  free(name);
  if (name_index_find(&im->by_name, l->kernel) != 1 || id_taken(im, text_str(&id)))
    text_printf(&id, " <<<%ux%ux%u, %ux%ux%u>>>", g[0], g[1], g[2], b[0], b[1], b[2]);
  if (known && id_taken(im, text_str(&id)))
    text_printf(&id, " %.0f registers", registers);
  size_t bare = id.n;
  for (int i = 2; id_taken(im, text_str(&id)); i++) {
    id.n = bare;
    text_printf(&id, " (%d)", i);
  }
  *out = text_take(&id);
  *name_index_at(&im->by_id, *out) = (long)at;
  return r.rc;
}

/* 0 where it is not known. */
static double count_of(const struct group *g, const char *name, double most, struct ncu_reading *r) {
  double v;
  return group_value(g, name, &v, r) && v > 0 && v < most ? v : 0;
}

static int launch_fill(const struct group *g, struct run_launch *out, struct err *e) {
  static const char *const limits[] = {"launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
                                       "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps",
                                       "launch__occupancy_limit_barriers"};
  static const double few = 1e6, bytes = 1e9;
  const struct ncu_launch *l = g->launches[0];
  struct ncu_reading r = {.e = e};
  *out = (struct run_launch){.kernel = str_copy(l->kernel),
                             .registers = (int)count_of(g, "launch__registers_per_thread", few, &r),
                             .smem_static = (long)count_of(g, "launch__shared_mem_per_block_static", bytes, &r),
                             .smem_dynamic = (long)count_of(g, "launch__shared_mem_per_block_dynamic", bytes, &r)};
  memcpy(out->grid, l->grid, sizeof out->grid);
  memcpy(out->block, l->block, sizeof out->block);
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    int blocks = (int)count_of(g, limits[i], few, &r);
    if (blocks && (out->blocks_per_sm == 0 || blocks < out->blocks_per_sm))
      out->blocks_per_sm = blocks;
  }
  return r.rc;
}

static int timing_fill(const struct group *g, struct run_timing *t, struct err *e) {
  struct ncu_reading r = {.e = e};
  t->samples_ns = calloc(g->n, sizeof *t->samples_ns);
  t->source = str_copy("ncu gpu__time_duration");
  for (size_t i = 0; i < g->n; i++) {
    double v;
    if (ncu_value(g->launches[i], "gpu__time_duration.sum", &v, &r) && v > 0)
      t->samples_ns[t->n++] = v;
  }
  if (t->n == 0)
    t->reason = str_copy("the file has no gpu__time_duration.sum: ncu --section SpeedOfLight collects it");
  return r.rc;
}

static int result_fill(struct imported *im, size_t at, struct err *e) {
  const struct group *g = &im->groups[at];
  const struct shape *problem = im->options->problem;
  struct run_result *r = &im->run->results[at];
  *r = (struct run_result){.variant = (int)at, .module = -1, .check = {.verdict = VERDICT_UNCHECKED}};
  r->launches = calloc(1, sizeof *r->launches);
  r->n_launches = 1;
  int rc = launch_fill(g, r->launches, e);
  if (!rc)
    rc = timing_fill(g, &r->timing, e);
  if (!rc)
    rc = metrics_fill(im, g, r, e);
  if (!rc && problem) {
    r->shape = *problem;
    r->bytes_minimal = r->bytes_declared = problem_minimal_bytes(*problem);
    r->bytes_contest = problem_contest_bytes(*problem);
    r->flops = problem_flops(*problem);
  }
  return rc ? err_context(e, "%s", g->launches[0]->kernel) : 0;
}

static int results_fill(struct imported *im, struct err *e) {
  struct run *run = im->run;
  run->variants = calloc(im->n_groups, sizeof *run->variants);
  run->results = calloc(im->n_groups, sizeof *run->results);
  int rc = 0;
  for (size_t i = 0; i < im->n_groups && !rc; i++) {
    struct run_variant *v = &run->variants[i];
    rc = id_make(im, i, &v->id, e);
    run->n_variants = i + 1;
    v->ladder = str_copy("ncu");
    v->change = str_copy("imported from Nsight Compute");
    if (!rc) {
      run->n_results = i + 1;
      rc = result_fill(im, i, e);
    }
  }
  return rc;
}

/* --- what a reader must know --- */

static void notes_add(struct imported *im) {
  static const char clocks[] =
      "measured by Nsight Compute: unless it was told otherwise (--clock-control none, --cache-control none) it locks the SM "
      "clock to its base and empties the caches before each launch; the file does not say which, so do not compare these times "
      "with those that nvfp4-prof took";
  static const char unchecked[] = "Nsight Compute checks no results: the verdict is `unchecked`";
  static const char undeclared[] =
      "no problem was declared (--problem MxKxL): bytes and FLOPs are counted, and % of SOL is the part of its nearest roof that a kernel reached (DRAM, L2, L1, issue or a pipe, whichever was busiest), not how close it is to its minimum";
  static const char rounded[] =
      "a details page rounds to two decimals of a scaled unit and lacks most counters: bounds rest on ncu's own shares of peak, and ncu --csv --page raw has all counters";
  struct run *run = im->run;
  run_note(run, clocks);
  run_note(run, unchecked);
  if (!im->options->problem && !im->options->bytes_known)
    run_note(run, undeclared);
  for (size_t i = 0; i < im->options->n_files; i++)
    if (im->files[i].form == NCU_DETAILS)
      run_note(run, rounded);
  if (im->note)
    run_note(run, im->note);
}

static int tables_load(struct imported *im, struct err *e) {
  int rc = metric_table_load(&im->counters, e);
  for (const struct embedded *f = profiler_embedded_import; f->name && !rc; f++)
    if (strcmp(f->name, "import/ncu.txt") == 0)
      rc = metric_table_add(&im->ncu, f->name, f->data, e);
  return rc;
}

static void imported_release(struct imported *im) {
  for (size_t i = 0; im->files && i < im->options->n_files; i++)
    ncu_release(&im->files[i]);
  for (size_t i = 0; im->sources && i < im->n_sources; i++)
    ncu_source_release(&im->sources[i]);
  for (size_t i = 0; i < im->n_groups; i++) {
    free(im->groups[i].launches);
    free(im->groups[i].key);
  }
  name_index_release(&im->by_key);
  name_index_release(&im->by_name);
  name_index_release(&im->by_id);
  name_index_release(&im->by_file);
  free(im->files);
  free(im->sources);
  free(im->note);
  free(im->groups);
  metric_table_release(&im->counters);
  metric_table_release(&im->ncu);
}

int import_ncu(struct run *out, const struct import_options *o, struct err *e) {
  struct imported im = {.run = out, .options = o};
  memset(out, 0, sizeof *out);
  out->l2 = str_copy("as ncu left it");
  out->inputs = str_copy("the program's");
  int rc = tables_load(&im, e);
  if (!rc)
    rc = files_read(&im, e);
  if (!rc)
    rc = device_fill(&im, e);
  if (!rc)
    rc = results_fill(&im, e);
  if (!rc)
    rc = sources_attach(&im, e);
  if (!rc)
    notes_add(&im);
  if (!rc && o->unused)
    unused_list(&im);
  imported_release(&im);
  return rc;
}
