/* The merged run: a kernel's result is one rank's, and what all ranks had stands beside it. */
#include "base/array.h"
#include "base/text.h"
#include "run/merging.h"

#include <stdlib.h>
#include <string.h>

static void process_release(struct run_process *p) {
  free(p->host);
  free(p->launcher);
}

static void table_release(struct merging_table *t) {
  for (size_t i = 0; i < t->n; i++) {
    free(t->entries[i].name);
    free(t->entries[i].shares);
  }
  free(t->entries);
  free(t->slots);
}

void run_merging_free(struct run_merging *m) {
  if (!m)
    return;
  for (size_t i = 0; i < m->n_files; i++) {
    free(m->files[i].path);
    free(m->files[i].device);
    free(m->files[i].created);
    free(m->files[i].program);
    process_release(&m->files[i].process);
  }
  for (size_t i = 0; i < m->n_notes; i++)
    free(m->notes[i]);
  for (size_t i = 0; i < m->merge.n_ranks; i++) {
    free(m->merge.ranks[i].file);
    process_release(&m->merge.ranks[i].process);
  }
  for (size_t i = 0; i < m->merge.n_left_out; i++) {
    free(m->merge.left_out[i].file);
    free(m->merge.left_out[i].reason);
  }
  free(m->merge.ranks);
  free(m->merge.left_out);
  merging_rows_release(&m->kernel_rows);
  merging_rows_release(&m->range_rows);
  table_release(&m->kernels);
  table_release(&m->ranges);
  run_release(&m->out);
  free(m->wanted);
  free(m->notes);
  free(m->files);
  free(m);
}

static void row_want(struct run_merging *m, const struct merging_row *row) {
  m->wanted[row->file] = true;
  for (size_t i = 0; i < row->n_donors; i++)
    m->wanted[row->donors[i].file] = true;
}

int run_merging_match(struct run_merging *m, struct err *e) {
  int rc = merging_ranks_make(m, e);
  if (rc)
    return rc;
  merging_rows_make(&m->kernel_rows, m, &m->kernels, MERGED_KERNELS_MAX);
  merging_rows_make(&m->range_rows, m, &m->ranges, SIZE_MAX);
  m->wanted = calloc(m->n_files + 1, sizeof *m->wanted);
  m->out.variants = calloc(m->kernel_rows.n + 1, sizeof *m->out.variants);
  m->out.results = calloc(m->kernel_rows.n + 1, sizeof *m->out.results);
  m->out.n_variants = m->out.n_results = m->kernel_rows.n;
  for (size_t i = 0; i < m->kernel_rows.n; i++)
    row_want(m, &m->kernel_rows.items[i]);
  return 0;
}

size_t run_merging_wanted(const struct run_merging *m) {
  size_t n = 0;
  for (size_t i = 0; i < m->n_files; i++)
    n += m->wanted[i];
  return n;
}

const char *run_merging_next(struct run_merging *m) {
  while (m->next < m->n_files && !m->wanted[m->next])
    m->next++;
  return m->next < m->n_files ? m->files[m->next].path : NULL;
}

/* --- what is taken of a file --- */

struct taking {
  struct run_merging *m;
  struct run *from;
  int *modules, *sources; /* their new index; -1: not taken */
};

static int *unmoved(size_t n) {
  int *indices = malloc((n + 1) * sizeof *indices);
  for (size_t i = 0; i < n; i++)
    indices[i] = -1;
  return indices;
}

/* Of one name, with one text; a rank that did not find the text takes another's. */
static bool source_same(struct run_source *a, const struct run_source *b) {
  if (strcmp(a->name, b->name) != 0)
    return false;
  if (!a->text[0] && b->text[0]) {
    free(a->text);
    a->text = str_copy(b->text);
  }
  return !b->text[0] || strcmp(a->text, b->text) == 0;
}

/* Ranks compile the same sources. */
static int source_take(struct taking *t, int source) {
  struct run *out = &t->m->out;
  struct run_source *from = &t->from->sources[source];
  for (size_t i = 0; i < out->n_sources && t->sources[source] < 0; i++)
    if (source_same(&out->sources[i], from))
      t->sources[source] = (int)i;
  if (t->sources[source] < 0) {
    t->sources[source] = (int)out->n_sources;
    struct run_source *copy = array_add(&out->sources, &out->n_sources, sizeof *copy);
    *copy = (struct run_source){str_copy(from->name), str_copy(from->text)};
  }
  return t->sources[source];
}

static void lines_take(struct taking *t, struct run_kernel *k) {
  for (size_t i = 0; i < k->n_sass; i++)
    for (size_t j = 0; j < k->sass[i].n_lines; j++)
      if (k->sass[i].lines[j].source >= 0)
        k->sass[i].lines[j].source = source_take(t, k->sass[i].lines[j].source);
}

static void module_take(struct taking *t, int *module) {
  struct run *out = &t->m->out;
  int from = *module;
  if (from < 0)
    return;
  if (t->modules[from] < 0) {
    t->modules[from] = (int)out->n_modules;
    struct run_module *moved = array_add(&out->modules, &out->n_modules, sizeof *moved);
    *moved = t->from->modules[from];
    t->from->modules[from] = (struct run_module){0};
    for (size_t i = 0; i < moved->n_kernels; i++)
      lines_take(t, &moved->kernels[i]);
  }
  *module = t->modules[from];
}

static int row_take(struct taking *t, size_t at, struct err *e) {
  struct merging_row *row = &t->m->kernel_rows.items[at];
  struct run *from = t->from, *out = &t->m->out;
  const struct merging_file *f = &t->m->files[row->file];
  struct run_result *x = row->result < from->n_results ? &from->results[row->result] : NULL;
  struct run_variant *v = x ? &from->variants[x->variant] : NULL;
  const char *name = v && v->id ? run_variant_key(v, "kernel") : NULL;
  if (!name || strcmp(name, row->entries[0]->name) != 0)
    return err_set(e, ERR_DATA, "%s has changed while it was merged: merge again", f->path);
  out->variants[at] = *v;
  out->results[at] = *x;
  *v = (struct run_variant){0};
  *x = (struct run_result){0};
  v = &out->variants[at];
  x = &out->results[at];
  x->variant = (int)at;
  module_take(t, &x->module);
  for (size_t i = 0; i < x->n_samples; i++)
    module_take(t, &x->samples[i].module);
  for (size_t i = 0; i < x->n_counts; i++)
    module_take(t, &x->counts[i].module);
  x->by_rank = row->by_rank;
  x->n_by_rank = row->n_by_rank;
  row->by_rank = NULL;
  merging_key_set(v, "launches", str_printf("%llu", (unsigned long long)row->launches));
  merging_key_set(v, "gpu_time_ns", str_printf("%.0f", row->gpu_time_ns));
  merging_key_set(v, "of_rank", merging_rank_text(t->m, f->rank));
  if (row->summed)
    merging_key_set(v, "geometries", str_printf("%zu", row->n_entries));
  return 0;
}

/* The card, and what every run says of its conditions, are the first file's. */
static void head_take(struct run *out, struct run *from) {
  if (out->l2)
    return;
  out->device = from->device;
  from->device = (struct run_device){0};
  out->l2 = from->l2;
  out->inputs = from->inputs;
  from->l2 = from->inputs = NULL;
  out->origin = from->origin;
}

int run_merging_take(struct run_merging *m, struct run *r, struct err *e) {
  struct taking t = {.m = m, .from = r, .modules = unmoved(r->n_modules), .sources = unmoved(r->n_sources)};
  int rc = 0;
  head_take(&m->out, r);
  for (size_t i = 0; i < m->kernel_rows.n && !rc; i++)
    rc = merging_donors_take(&m->kernel_rows.items[i], m, r, e);
  for (size_t i = 0; i < m->kernel_rows.n && !rc; i++)
    if (m->kernel_rows.items[i].file == m->next)
      rc = row_take(&t, i, e);
  m->next++;
  free(t.modules);
  free(t.sources);
  return rc;
}

/* --- the end --- */

static int by_id(const void *left, const void *right) {
  const struct run_variant *a = *(const struct run_variant *const *)left,
                           *b = *(const struct run_variant *const *)right;
  int order = strcmp(a->id, b->id);
  return order ? order : (a > b) - (a < b);
}

/* Ranks name their kernels each by itself: a further one of a name has a number. */
static void ids_part(struct run *out) {
  struct run_variant **sorted = calloc(out->n_variants + 1, sizeof *sorted);
  for (size_t i = 0; i < out->n_variants; i++)
    sorted[i] = &out->variants[i];
  qsort(sorted, out->n_variants, sizeof *sorted, by_id);
  for (size_t i = 0, same; i < out->n_variants; i += same)
    for (same = 1; i + same < out->n_variants && strcmp(sorted[i + same]->id, sorted[i]->id) == 0; same++) {
      char *id = str_printf("%s [%zu]", sorted[i]->id, same + 1);
      free(sorted[i + same]->id);
      sorted[i + same]->id = id;
    }
  free(sorted);
}

static void ranges_make(struct run_merging *m) {
  struct run *out = &m->out;
  out->ranges = calloc(m->range_rows.n + 1, sizeof *out->ranges);
  for (size_t i = 0; i < m->range_rows.n; i++) {
    struct merging_row *row = &m->range_rows.items[i];
    struct run_range *to = &out->ranges[out->n_ranges++];
    *to = (struct run_range){.name = str_copy(row->entries[0]->name),
                             .launches = row->launches,
                             .gpu_time_ns = row->gpu_time_ns + row->collective_ns,
                             .collective_ns = row->collective_ns,
                             .by_rank = row->by_rank,
                             .n_by_rank = row->n_by_rank};
    row->by_rank = NULL;
  }
}

static void note(struct run *out, char *sentence) {
  run_note(out, sentence);
  free(sentence);
}

static bool is_split(const struct run_merging *m) {
  for (size_t i = 0; i < m->merge.n_ranks; i++)
    if (m->merge.ranks[i].process.pass_set.sets)
      return true;
  return false;
}

/* Processes without a launcher are ranks of one program as far as their commands say so. */
static void note_commands(struct run_merging *m) {
  const struct merging_file *first = NULL, *other = NULL;
  size_t n = 0;
  for (size_t i = 0; i < m->n_files; i++) {
    const struct merging_file *f = &m->files[i];
    if (f->rank < 0 || !f->program || f->process.launcher)
      continue;
    first = first ? first : f;
    if (strcmp(f->program, first->program) == 0)
      continue;
    other = other ? other : f;
    n++;
  }
  if (!other)
    return;
  char *more = n > 1 ? str_printf("; so did %zu more files", n - 1) : str_copy("");
  note(&m->out, str_printf("%s" RUN_MERGE_OTHER "%s (%s, and %s), and both are added%s", other->path, first->path,
                           other->program, first->program, more));
  free(more);
}

static void notes_make(struct run_merging *m) {
  struct run *out = &m->out;
  note(
      out,
      str_printf(
          "merged from %zu ranks: launches and GPU time are sums; a kernel's times, counters, samples and code are from one rank (of_rank): of the ranks with most counters, the one nearest the median",
          m->merge.n_ranks));
  if (is_split(m))
    note(
        out,
        str_copy(
            "--split-passes: each rank collected one set of the counters; counters_of names the ranks that a kernel's counters come from, counters_lack the sets that are missing"));
  if (m->n_joined) {
    const struct merging_file *f = m->joined, *of = m->joined_to;
    char *more = m->n_joined > 1 ? str_printf("; so are %zu more files", m->n_joined - 1) : str_copy("");
    note(out, str_printf("%s (of %s)" RUN_MERGE_JOINED
                         "%ld beside %s (of %s), and both are added: leave one out if it is of an earlier job%s",
                         f->path, f->created ? f->created : "an unknown time", f->process.rank, of->path,
                         of->created ? of->created : "an unknown time", more));
    free(more);
  }
  note_commands(m);
  if (m->kernel_rows.n_beyond)
    note(out, str_printf("the %zu longest kernels are kept; %zu others take %.3f ms of the GPU time", m->kernel_rows.n,
                         m->kernel_rows.n_beyond, m->kernel_rows.beyond_ns / 1e6));
  for (size_t i = 0; i < m->n_notes; i++)
    run_note(out, m->notes[i]);
}

/* A kernel's time is that of all ranks, and so is the whole that it is a part of. */
static void shares_set(struct run_merging *m) {
  double all_ns = m->out.process.gpu_time_ns;
  for (size_t i = 0; i < m->kernel_rows.n; i++)
    merging_key_set(&m->out.variants[i], "gpu_time_share",
                    str_printf("%.6f", all_ns > 0 ? m->kernel_rows.items[i].gpu_time_ns / all_ns : 0));
}

void run_merging_end(struct run_merging *m, struct run *out) {
  ids_part(&m->out);
  for (size_t i = 0; i < m->kernel_rows.n; i++)
    merging_row_join(&m->kernel_rows.items[i], m, &m->out, i);
  ranges_make(m);
  notes_make(m);
  for (size_t i = 0; i < m->merge.n_ranks; i++) {
    m->out.process.launches += m->merge.ranks[i].process.launches;
    m->out.process.gpu_time_ns += m->merge.ranks[i].process.gpu_time_ns;
  }
  shares_set(m);
  m->out.merge = m->merge;
  m->merge = (struct run_merge){0};
  *out = m->out;
  m->out = (struct run){0};
}
