/* Views of the source, joined to the launches that they show. */
#include "base/array.h"
#include "base/text.h"
#include "profiler/import/importing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- which launch a block shows --- */

/* The source view writes template arguments with their type, "axpy<float, (int)4>", where the metrics have "axpy<float, 4>": the end of such a
 * cast, or NULL. */
static const char *cast_end(const char *s) {
  if (*s != '(')
    return NULL;
  const char *c = s + 1;
  while (isalpha((unsigned char)*c) || *c == ' ' || *c == ':' || *c == '_')
    c++;
  return c > s + 1 && *c == ')' && (isdigit((unsigned char)c[1]) || c[1] == '-') ? c + 1 : NULL;
}

static bool kernel_same(const char *a, const char *b) {
  for (;;) {
    const char *skip_a = cast_end(a), *skip_b = cast_end(b);
    a = skip_a ? skip_a : a;
    b = skip_b ? skip_b : b;
    if (*a != *b)
      return false;
    if (!*a)
      return true;
    a++;
    b++;
  }
}

static size_t group_of(const struct imported *im, const struct ncu_launch *l) {
  return l->joined ? l->group : im->n_groups;
}

static const struct ncu_launch *launch_at(const struct imported *im, size_t at) {
  for (size_t f = 0; f < im->options->n_files; f++) {
    if (at < im->files[f].n)
      return &im->files[f].launches[at];
    at -= im->files[f].n;
  }
  return NULL;
}

static const struct source_block *block_at(const struct imported *im, size_t at) {
  for (size_t s = 0; s < im->n_sources; s++) {
    if (at < im->sources[s].n)
      return &im->sources[s].blocks[at];
    at -= im->sources[s].n;
  }
  return NULL;
}

/* Block after block shows launch after launch. */
static bool in_step(const struct imported *im) {
  for (size_t i = 0;; i++) {
    const struct ncu_launch *l = launch_at(im, i);
    const struct source_block *b = block_at(im, i);
    if (!l || !b)
      return !l && !b;
    if (!kernel_same(l->kernel, b->kernel))
      return false;
  }
}

static int group_by_name(const struct imported *im, const struct source_block *b, const char *file, size_t *out,
                         struct err *e) {
  size_t n = 0;
  for (size_t i = 0; i < im->n_groups; i++) {
    if (b->kernel[0] && !kernel_same(im->groups[i].launches[0]->kernel, b->kernel))
      continue;
    *out = i;
    n++;
  }
  if (n == 1)
    return 0;
  if (n == 0)
    return err_set(e, ERR_DATA,
                   "%s: shows the kernel %.200s, which %s does not launch: export both files from one report", file,
                   b->kernel, im->files[0].name);
  return err_set(
      e, ERR_DATA,
      "%s: %s%.200s may be any of %zu kernels of %s: export the source of all launches, in their order, or one "
      "kernel at a time (ncu --kernel-name, --launch-skip)",
      file, b->kernel[0] ? "" : "names no kernel, which ", b->kernel, n, im->files[0].name);
}

/* --- source lines --- */

static const char *file_name(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    name = *c == '/' || *c == '\\' ? c + 1 : name;
  return name;
}

/* The number of its source among the run's, to which it is added where it is new. */
static int source_index(struct imported *im, const struct source_place *place) {
  struct run *run = im->run;
  const char *path = place->whole ? place->file : file_name(place->file);
  long at = name_index_find(&im->by_file, path);
  if (at != NAME_NEW)
    return (int)at;
  at = (long)run->n_sources;
  struct run_source *s = array_add(&run->sources, &run->n_sources, sizeof *s);
  *s = (struct run_source){str_copy(path), str_copy("")};
  *name_index_at(&im->by_file, s->name) = at;
  return (int)at;
}

struct shown { /* a line of a source that has instructions */
  long source;
  size_t order;
  const struct source_line *line;
};

static int by_place(const void *a, const void *b) {
  const struct shown *x = a, *y = b;
  if (x->source != y->source)
    return x->source < y->source ? -1 : 1;
  if (x->line->line != y->line->line)
    return x->line->line < y->line->line ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

/* All lines of the views that are of a source of the run, by source and line; of a line that stands there twice the last counts. */
static struct shown *lines_shown(const struct imported *im, size_t *n) {
  size_t room = 0;
  for (size_t s = 0; s < im->n_sources; s++)
    room += im->sources[s].n_lines;
  struct shown *out = calloc(room + 1, sizeof *out);
  *n = 0;
  for (size_t s = 0; s < im->n_sources; s++) {
    for (size_t i = 0; i < im->sources[s].n_lines; i++) {
      const struct source_line *l = &im->sources[s].lines[i];
      out[*n] = (struct shown){name_index_find(&im->by_file, file_name(l->file)), *n, l};
      *n += out[*n].source != NAME_NEW;
    }
  }
  qsort(out, *n, sizeof *out, by_place);
  return out;
}

/* The texts of the sources, of which a view shows only the lines that have instructions: the others are blank. */
static void source_texts(struct imported *im) {
  size_t n;
  struct shown *lines = lines_shown(im, &n);
  for (size_t i = 0; i < n;) {
    struct run_source *source = &im->run->sources[lines[i].source];
    struct text text = {0};
    int number = 1;
    for (long of = lines[i].source; i < n && lines[i].source == of; i++) {
      bool last = i + 1 == n || lines[i + 1].source != of || lines[i + 1].line->line != lines[i].line->line;
      for (; last && number < lines[i].line->line; number++)
        text_add(&text, "\n");
      if (last)
        text_printf(&text, "%s\n", lines[i].line->text);
      number += last;
    }
    free(source->text);
    source->text = text_take(&text);
  }
  free(lines);
}

static void lines_fill(struct imported *im, const struct source_block *b, const struct source_instruction *x,
                       struct run_instruction *out) {
  if (x->n_places == 0)
    return;
  out->lines = calloc(x->n_places, sizeof *out->lines);
  for (size_t i = 0; i < x->n_places; i++)
    out->lines[out->n_lines++] = (struct run_line){source_index(im, &x->places[i]), x->places[i].line};
  if (x->n_places > 1 && !b->of) /* of a report's own cubin the order is known */
    run_note(im->run,
             "ncu lists the source lines of inlined code without their call order: they are in the file's order");
}

/* --- instructions, samples, counts --- */

static uint32_t offset_of(const struct source_block *b, size_t i) {
  return (uint32_t)(b->items[i].address - b->items[0].address);
}

static void module_add(struct imported *im, size_t g, const struct source_block *b) {
  struct run *run = im->run;
  struct run_module *m = array_add(&run->modules, &run->n_modules, sizeof *m);
  *m = (struct run_module){.arch = str_printf("sm_%d", run->device.sm), .kernels = calloc(1, sizeof *m->kernels)};
  run->results[g].module = (int)run->n_modules - 1;
  m->n_kernels = 1;
  struct run_kernel *k = m->kernels;
  *k = (struct run_kernel){.name = str_copy(im->groups[g].launches[0]->kernel),
                           .registers = run->results[g].launches[0].registers,
                           .smem_static = run->results[g].launches[0].smem_static,
                           .spill_store_bytes = -1,
                           .spill_load_bytes = -1,
                           .sass = calloc(b->n ? b->n : 1, sizeof *k->sass)};
  for (size_t i = 0; i < b->n; i++) {
    struct run_instruction *x = &k->sass[k->n_sass++];
    *x = (struct run_instruction){.offset = offset_of(b, i), .text = str_copy(b->items[i].text)};
    lines_fill(im, b, &b->items[i], x);
  }
}

static void counts_fill(struct run_result *r, const struct source_block *b) {
  r->counts = calloc(b->n ? b->n : 1, sizeof *r->counts);
  for (size_t i = 0; i < b->n; i++) {
    const double *c = b->items[i].counts;
    if (c[COUNT_EXECUTED] < 0)
      continue;
    bool global = c[COUNT_GLOBAL_IDEAL] >= 0, shared = c[COUNT_SHARED_IDEAL] >= 0;
    r->counts[r->n_counts++] = (struct run_count){.module = r->module,
                                                  .offset = offset_of(b, i),
                                                  .executed = c[COUNT_EXECUTED],
                                                  .threads = c[COUNT_THREADS],
                                                  .global_sectors = global ? c[COUNT_GLOBAL_SECTORS] : -1,
                                                  .global_sectors_ideal = global ? c[COUNT_GLOBAL_IDEAL] : -1,
                                                  .shared_wavefronts = shared ? c[COUNT_SHARED_WAVEFRONTS] : -1,
                                                  .shared_wavefronts_ideal = shared ? c[COUNT_SHARED_IDEAL] : -1};
  }
  if (r->n_counts == 0)
    r->counts_reason = str_copy("the view of the source has no column \"Instructions Executed\"");
}

static void sample_add(struct run_result *r, const struct run_sample *s) {
  struct run_sample *added = array_add(&r->samples, &r->n_samples, sizeof *added);
  *added = *s;
  added->reason = str_copy(s->reason);
}

static int stall_index(const char *reason) {
  int s = 0;
  while (s < SOURCE_STALLS && strcmp(ncu_source_reason(s), reason) != 0)
    s++;
  return s;
}

enum { SAMPLE_NONE = -1 };
/* Where the samples of earlier launches stand, for each instruction of the block and each reason.  Instructions are in the order of their
 * offsets, and what one launch brought is too. */
static long *samples_index(const struct run_result *r, const struct source_block *b) {
  size_t n = b->n * SOURCE_STALLS, at = 0;
  long *index = malloc((n + 1) * sizeof *index);
  for (size_t i = 0; i < n; i++)
    index[i] = SAMPLE_NONE;
  for (size_t i = 0; i < r->n_samples; i++) {
    uint32_t offset = r->samples[i].offset;
    int stall = stall_index(r->samples[i].reason);
    if (at == b->n || offset_of(b, at) > offset)
      at = 0; /* the next launch's */
    while (at < b->n && offset_of(b, at) < offset)
      at++;
    if (at < b->n && offset_of(b, at) == offset && stall < SOURCE_STALLS)
      index[at * SOURCE_STALLS + (size_t)stall] = (long)i;
  }
  return index;
}

/* One block has an instruction and reason once: a second launch adds to what is there. */
static void samples_fill(struct run_result *r, const struct source_block *b) {
  long *index = samples_index(r, b);
  for (size_t i = 0; i < b->n; i++) {
    const struct source_instruction *x = &b->items[i];
    for (int s = 0; s < SOURCE_STALLS; s++) {
      long at = index[i * SOURCE_STALLS + (size_t)s];
      if (x->samples[s] == 0)
        continue;
      struct run_sample one = {.module = r->module,
                               .offset = offset_of(b, i),
                               .reason = (char *)ncu_source_reason(s),
                               .samples = x->samples[s],
                               .not_issued = x->not_issued[s]};
      r->sampling.user += x->samples[s];
      if (at == SAMPLE_NONE) {
        sample_add(r, &one);
      } else {
        r->samples[at].samples += one.samples;
        r->samples[at].not_issued += one.not_issued;
      }
    }
  }
  free(index);
  r->sampling.launches++;
}

static bool code_same(const struct run_kernel *k, const struct source_block *b) {
  bool same = k->n_sass == b->n;
  for (size_t i = 0; i < b->n && same; i++)
    same = strcmp(k->sass[i].text, b->items[i].text) == 0;
  return same;
}

static int block_attach(struct imported *im, size_t g, const struct source_block *b, const char *file, struct err *e) {
  struct run_result *r = &im->run->results[g];
  static const uint64_t code_max = UINT32_MAX;
  if (b->n && b->items[b->n - 1].address - b->items[0].address > code_max)
    return err_set(e, ERR_DATA, "%s: the instructions of %.200s lie more than 4 GB apart", file, b->kernel);
  if (r->module >= 0) {
    if (!code_same(&im->run->modules[r->module].kernels[0], b))
      return err_set(e, ERR_DATA,
                     "%s: two launches of %.200s with one geometry are of different code: import them one at a time",
                     file, b->kernel);
    samples_fill(r, b);
    return 0;
  }
  struct ncu_reading reading = {.e = e};
  double period;
  module_add(im, g, b);
  counts_fill(r, b);
  if (group_value(&im->groups[g], "smsp__pcsamp_interval_cycles", &period, &reading) && period > 0)
    r->sampling.period_cycles = period;
  samples_fill(r, b);
  return reading.rc;
}

int sources_attach(struct imported *im, struct err *e) {
  bool step = in_step(im);
  size_t at = 0;
  int rc = 0;
  for (size_t s = 0; s < im->n_sources && !rc; s++) {
    for (size_t i = 0; i < im->sources[s].n && !rc; i++, at++) {
      const struct source_block *b = &im->sources[s].blocks[i];
      size_t g = b->of ? group_of(im, b->of) : step ? group_of(im, launch_at(im, at)) : 0;
      bool left_out = im->options->kernel && b->kernel[0] && !str_glob(im->options->kernel, b->kernel);
      if (!b->of && !step && !left_out)
        rc = group_by_name(im, b, im->sources[s].name, &g, e);
      if (!rc && !left_out && g < im->n_groups)
        rc = block_attach(im, g, b, im->sources[s].name, e);
    }
  }
  if (rc)
    return rc;
  source_texts(im);
  /* What was not shown says so. */
  for (size_t i = 0; i < im->run->n_results; i++) {
    struct run_result *r = &im->run->results[i];
    if (r->module >= 0)
      continue;
    r->sampling.reason = str_copy("no view of the source was imported: --source FILE.csv");
    r->counts_reason = str_copy("no view of the source was imported: --source FILE.csv");
  }
  return 0;
}
