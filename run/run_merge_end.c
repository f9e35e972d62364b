/* The merged run: a kernel's result is one rank's, and what all ranks had stands beside it. */
#include "base/array.h"
#include "base/text.h"
#include "run/merging.h"

#include <stdlib.h>
#include <string.h>

static void table_release(struct merging_table *t) {
  for (size_t i = 0; i < t->n; i++) {
    free(t->entries[i].key);
    free(t->entries[i].shares);
  }
  free(t->entries);
  name_index_release(&t->by_key);
}

void run_merging_free(struct run_merging *m) {
  if (!m)
    return;
  for (size_t i = 0; i < m->n_files; i++) {
    free(m->files[i].path);
    free(m->files[i].device);
    free(m->files[i].created);
    free(m->files[i].program);
    free(m->files[i].process.host);
    free(m->files[i].process.launcher);
  }
  merging_rows_release(&m->kernel_rows);
  merging_rows_release(&m->range_rows);
  table_release(&m->kernels);
  table_release(&m->ranges);
  run_release(&m->out);
  free(m->wanted);
  array_free(m->notes, m->n_notes);
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

/* --- counters that ranks divided between them (run/pass_set.h), put together in one result --- */

static void key_set(struct run_variant *v, const char *key, char *value) {
  for (size_t i = 0; i < v->n_keys; i++)
    if (strcmp(v->keys[i].key, key) == 0) {
      free(v->keys[i].value);
      v->keys[i].value = value;
      return;
    }
  struct run_key *added = array_add(&v->keys, &v->n_keys, sizeof *added);
  *added = (struct run_key){str_copy(key), value};
}

static char *rank_text(const struct run_merging *m, int rank) {
  const struct run_merged_rank *r = &m->out.merge.ranks[rank];
  return r->process.launcher ? str_printf("%ld", r->process.rank) : str_copy(r->file);
}

static int donors_take(struct merging_row *row, const struct run_merging *m, struct run *r, struct err *e) {
  for (size_t i = 0; i < row->n_donors; i++) {
    struct merging_donor *d = &row->donors[i];
    if (d->file != m->next)
      continue;
    struct run_result *x = d->result < r->n_results ? &r->results[d->result] : NULL;
    const char *name = x ? run_variant_key(&r->variants[x->variant], "kernel") : NULL;
    if (!name || strcmp(name, row->entries[0]->name) != 0)
      return err_set(e, ERR_DATA, "%s has changed while it was merged: merge again", m->files[d->file].path);
    d->taken = (struct run_result){.metrics = x->metrics, .n_metrics = x->n_metrics};
    x->metrics = NULL;
    x->n_metrics = 0;
  }
  return 0;
}

static bool is_lacking(const struct run_metric *m) {
  return !m->present && m->reason && strcmp(m->reason, PASS_SET_LACKS) == 0;
}

/* A donor's counter of that name, or what it knows of it; NULL: it is of no donor's set. */
static struct run_metric *donated(const struct merging_row *row, const char *name) {
  for (size_t i = 0; i < row->n_donors; i++)
    for (size_t k = 0; k < row->donors[i].taken.n_metrics; k++) {
      struct run_metric *x = &row->donors[i].taken.metrics[k];
      if (!is_lacking(x) && strcmp(x->name, name) == 0)
        return x;
    }
  return NULL;
}

/* "0, 1, 3": the ranks whose counters the row has. */
static char *ranks_text(const struct merging_row *row, const struct run_merging *m) {
  bool *has = calloc(m->out.merge.n_ranks + 1, sizeof *has);
  struct text out = {0};
  has[m->files[row->file].rank] = true;
  for (size_t i = 0; i < row->n_donors; i++)
    has[m->files[row->donors[i].file].rank] = true;
  for (size_t i = 0; i < m->out.merge.n_ranks; i++) {
    char *rank = has[i] ? rank_text(m, (int)i) : NULL;
    if (has[i])
      text_printf(&out, "%s%s", out.n ? ", " : "", rank);
    free(rank);
  }
  free(has);
  return text_take(&out);
}

/* "set 2, 3 of 4"; "": none lacks. */
static char *lacking_text(const struct merging_row *row, const struct run_merging *m, struct pass_set of) {
  struct text out = {0};
  bool has[PASS_SETS_MAX + 1] = {false};
  has[of.set] = true;
  for (size_t i = 0; i < row->n_donors; i++)
    has[m->files[row->donors[i].file].process.pass_set.set] = true;
  text_add(&out, "");
  for (long set = 1, n = 0; set <= of.sets; set++)
    if (!has[set])
      text_printf(&out, "%s%ld", n++ ? ", " : "set ", set);
  if (out.n)
    text_printf(&out, " of %ld", of.sets);
  return text_take(&out);
}

/* Puts a donor's counter, or the reason why there is none, in the place of each that the row's result lacks. */
static void metrics_join(struct run_result *x, const struct merging_row *row, const char *reason) {
  for (size_t i = 0; i < x->n_metrics; i++) {
    struct run_metric *to = &x->metrics[i], *from = is_lacking(to) ? donated(row, to->name) : NULL, before = *to;
    if (from) {
      *to = *from;
      *from = before; /* freed with it */
    } else if (is_lacking(to)) {
      free(to->reason);
      to->reason = str_copy(reason);
    }
  }
}

static void row_join(struct merging_row *row, const struct run_merging *m, struct run *out, size_t at) {
  struct pass_set of = m->files[row->file].process.pass_set;
  struct run_result *x = &out->results[at];
  struct run_variant *v = &out->variants[x->variant];
  if (!of.sets || !x->n_metrics)
    return;
  if (row->summed) {
    metrics_join(x, row,
                 "another rank counts it (--split-passes), and the kernel's launches differ in geometry from rank to "
                 "rank: their counters are not joined");
    return;
  }
  char *lacking = lacking_text(row, m, of),
       *reason = str_printf("no merged rank counted it: the counters of %s are missing (--split-passes)", lacking);
  metrics_join(x, row, reason);
  key_set(v, "counters_of", ranks_text(row, m));
  if (*lacking)
    key_set(v, "counters_lack", str_copy(lacking));
  free(lacking);
  free(reason);
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
  key_set(v, "launches", str_printf("%llu", (unsigned long long)row->launches));
  key_set(v, "gpu_time_ns", str_printf("%.0f", row->gpu_time_ns));
  key_set(v, "of_rank", rank_text(t->m, f->rank));
  if (row->summed)
    key_set(v, "geometries", str_printf("%zu", row->n_entries));
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
    rc = donors_take(&m->kernel_rows.items[i], m, r, e);
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
  for (size_t i = 0; i < m->out.merge.n_ranks; i++)
    if (m->out.merge.ranks[i].process.pass_set.sets)
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
          m->out.merge.n_ranks));
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
    key_set(&m->out.variants[i], "gpu_time_share",
            str_printf("%.6f", all_ns > 0 ? m->kernel_rows.items[i].gpu_time_ns / all_ns : 0));
}

void run_merging_end(struct run_merging *m, struct run *out) {
  ids_part(&m->out);
  for (size_t i = 0; i < m->kernel_rows.n; i++)
    row_join(&m->kernel_rows.items[i], m, &m->out, i);
  ranges_make(m);
  notes_make(m);
  for (size_t i = 0; i < m->out.merge.n_ranks; i++) {
    m->out.process.launches += m->out.merge.ranks[i].process.launches;
    m->out.process.gpu_time_ns += m->out.merge.ranks[i].process.gpu_time_ns;
  }
  shares_set(m);
  *out = m->out;
  m->out = (struct run){0};
}
