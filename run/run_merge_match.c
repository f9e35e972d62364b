/* All files were added: which rank each is, and which kernels of theirs are one. */
#include "base/stats.h"
#include "base/text.h"
#include "run/geometry.h"
#include "run/merging.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- ranks --- */

static int by_rank(const void *left, const void *right) {
  const struct merging_file *a = *(const struct merging_file *const *)left,
                            *b = *(const struct merging_file *const *)right;
  long x = a->process.launcher ? a->process.rank : LONG_MAX, y = b->process.launcher ? b->process.rank : LONG_MAX;
  return x != y ? (x > y) - (x < y) : strcmp(a->path, b->path);
}

static int by_size(const void *left, const void *right) {
  long a = *(const long *)left, b = *(const long *)right;
  return (a > b) - (a < b);
}

/* The size of the program that most files tell; 0: none does. */
static void expected_find(struct run_merging *m) {
  long *sizes = calloc(m->n_files + 1, sizeof *sizes);
  size_t n = 0, most = 0;
  for (size_t i = 0; i < m->n_files; i++)
    if (m->files[i].process.launcher && m->files[i].process.ranks > 0)
      sizes[n++] = m->files[i].process.ranks;
  qsort(sizes, n, sizeof *sizes, by_size);
  for (size_t i = 0, same; i < n; i += same) {
    for (same = 1; i + same < n && sizes[i + same] == sizes[i];)
      same++;
    if (same > most)
      m->out.merge.expected = sizes[i];
    most = same > most ? same : most;
  }
  free(sizes);
}

/* The card that most files name; of as many, that of the lowest rank. */
static void device_find(struct run_merging *m, struct merging_file *const *files) {
  size_t most = 0;
  for (size_t i = 0; i < m->n_files; i++) {
    const char *name = files[i]->device;
    size_t n = 0;
    bool seen = !name || !*name;
    for (size_t k = 0; k < i && !seen; k++)
      seen = str_same(files[k]->device, name);
    for (size_t k = i; k < m->n_files && !seen; k++)
      n += str_same(files[k]->device, name);
    if (n > most)
      m->device = name;
    most = n > most ? n : most;
  }
}

/* A copy of a file, or the file named twice: another process of the rank has another number, and the next of that number was made at another time. */
static bool same_process(const struct merging_file *a, const struct merging_file *b) {
  return a->process.pid == b->process.pid && a->created && str_same(a->created, b->created) &&
         str_same(a->process.host, b->process.host) && str_same(a->process.launcher, b->process.launcher) &&
         (!a->process.launcher || a->process.rank == b->process.rank);
}

/* Why files[at] is none of the program's beside the files before it; NULL: it is one, maybe another process of a rank.  The caller's to free. */
static char *foreign_why(const struct run_merging *m, struct merging_file *const *files, size_t at) {
  const struct merging_file *f = files[at];
  const struct run_process *p = &f->process;
  const struct run_merged_rank *last = m->out.merge.n_ranks ? &m->out.merge.ranks[m->out.merge.n_ranks - 1] : NULL;
  if (p->launcher && p->ranks > 0 && p->ranks != m->out.merge.expected)
    return str_printf("it is from a program of %ld ranks, most files are from one of %ld", p->ranks,
                      m->out.merge.expected);
  if (m->device && f->device && *f->device && strcmp(f->device, m->device) != 0)
    return str_printf(
        "it is of %s, and the merged run is of %s: counters and ceilings are of one chip, so merge the ranks of each chip by themselves",
        f->device, m->device);
  for (size_t i = 0; i < at; i++)
    if (files[i]->rank >= 0 && same_process(files[i], f))
      return str_printf("it is the same process as %s (%ld on %s): it is merged once", files[i]->path, p->pid,
                        p->host ? p->host : "an unknown host");
  if (p->launcher && last && last->process.launcher && last->process.rank == p->rank &&
      !str_same(last->process.host, p->host))
    return str_printf("rank %ld is %s already, on another host: it may be from an earlier run", p->rank, last->file);
  return NULL;
}

/* The last file before files[at] that is of its rank; there is one. */
static const struct merging_file *rank_before(struct merging_file *const *files, size_t at) {
  size_t i = at - 1;
  while (i > 0 && files[i]->rank != files[at]->rank)
    i--;
  return files[i];
}

static void rank_add(struct run_merging *m, struct merging_file *const *files, size_t at) {
  struct run_merge *merge = &m->out.merge;
  struct merging_file *f = files[at];
  struct run_merged_rank *last = merge->n_ranks ? &merge->ranks[merge->n_ranks - 1] : NULL;
  char *why = foreign_why(m, files, at);
  if (why) {
    run_merging_leave_out(m, f->path, why);
    free(why);
    f->rank = -1;
    return;
  }
  if (last && f->process.launcher && last->process.launcher && last->process.rank == f->process.rank) {
    last->process.launches += f->process.launches; /* a rank of several processes */
    last->process.gpu_time_ns += f->process.gpu_time_ns;
    f->rank = (int)merge->n_ranks - 1;
    if (!m->n_joined++) {
      m->joined = f;
      m->joined_to = rank_before(files, at);
    }
    return;
  }
  struct run_merged_rank *to = &merge->ranks[merge->n_ranks];
  *to = (struct run_merged_rank){.file = str_copy(f->path), .process = f->process};
  to->process.host = str_copy(f->process.host);
  to->process.launcher = str_copy(f->process.launcher);
  f->rank = (int)merge->n_ranks++;
}

int merging_ranks_make(struct run_merging *m, struct err *e) {
  struct merging_file **files = calloc(m->n_files + 1, sizeof *files);
  expected_find(m);
  m->out.merge.ranks = calloc(m->n_files + 1, sizeof *m->out.merge.ranks);
  for (size_t i = 0; i < m->n_files; i++)
    files[i] = &m->files[i];
  qsort(files, m->n_files, sizeof *files, by_rank);
  device_find(m, files);
  for (size_t i = 0; i < m->n_files; i++)
    rank_add(m, files, i);
  free(files);
  return m->out.merge.n_ranks ? 0 : err_set(e, ERR_DATA, "no file of a rank is left to merge");
}

/* --- rows --- */

static int by_name(const void *left, const void *right) {
  const struct merging_entry *a = *(const struct merging_entry *const *)left,
                             *b = *(const struct merging_entry *const *)right;
  uint64_t x = blocks_in_grid(a->grid), y = blocks_in_grid(b->grid);
  int order = strcmp(a->name, b->name);
  if (order == 0)
    order = memcmp(a->block, b->block, sizeof a->block);
  if (order == 0)
    order = (a->smem_dynamic > b->smem_dynamic) - (a->smem_dynamic < b->smem_dynamic);
  if (order == 0)
    order = (x > y) - (x < y);
  return order ? order : memcmp(a->grid, b->grid, sizeof a->grid);
}

static bool are_alike(const struct merging_entry *a, const struct merging_entry *b) {
  return memcmp(a->block, b->block, sizeof a->block) == 0 && a->smem_dynamic == b->smem_dynamic &&
         grids_alike(a->grid, b->grid);
}

static int by_index(const void *left, const void *right) {
  const struct run_by_rank *a = left, *b = right;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

/* What each rank had of the row's entries. */
static void by_rank_sum(struct merging_row *row, const struct run_merging *m) {
  size_t room = 0, n = 0;
  for (size_t i = 0; i < row->n_entries; i++)
    room += row->entries[i]->n;
  struct run_by_rank *all = calloc(room + 1, sizeof *all);
  for (size_t i = 0; i < row->n_entries; i++)
    for (size_t k = 0; k < row->entries[i]->n; k++) {
      const struct merging_share *s = &row->entries[i]->shares[k];
      if (m->files[s->file].rank >= 0)
        all[n++] = (struct run_by_rank){m->files[s->file].rank, s->launches, s->gpu_time_ns};
      row->collective_ns += m->files[s->file].rank >= 0 ? s->collective_ns : 0;
    }
  qsort(all, n, sizeof *all, by_index);
  row->by_rank = all;
  for (size_t i = 0; i < n; i++) {
    struct run_by_rank *last = row->n_by_rank ? &all[row->n_by_rank - 1] : NULL;
    row->launches += all[i].launches;
    row->gpu_time_ns += all[i].gpu_time_ns;
    if (last && last->rank == all[i].rank) {
      last->launches += all[i].launches;
      last->gpu_time_ns += all[i].gpu_time_ns;
    } else {
      all[row->n_by_rank++] = all[i];
    }
  }
}

/* The share whose counters, samples and code the row has: of those with most counters, the one
 * whose mean time is nearest the median's.  Where set is not zero, of the files that have it and
 * count the kernel; NULL where none does. */
static const struct merging_share *chosen_find(const struct merging_row *row, const struct run_merging *m,
                                               struct pass_set set) {
  uint32_t metrics = set.sets ? 1 : 0;
  size_t n = 0, room = 0;
  for (size_t i = 0; i < row->n_entries; i++)
    room += row->entries[i]->n;
  const struct merging_share *found = NULL, **shares = calloc(room + 1, sizeof *shares);
  double *means = calloc(room + 1, sizeof *means), least = INFINITY;
  for (size_t i = 0; i < row->n_entries; i++)
    for (size_t k = 0; k < row->entries[i]->n; k++) {
      const struct merging_share *s = &row->entries[i]->shares[k];
      const struct pass_set *has = &m->files[s->file].process.pass_set;
      if (m->files[s->file].rank < 0 || s->metrics < metrics ||
          (set.sets && (has->set != set.set || has->sets != set.sets)))
        continue;
      n = s->metrics > metrics ? 0 : n;
      metrics = s->metrics;
      shares[n++] = s;
    }
  for (size_t i = 0; i < n; i++)
    means[i] = shares[i]->gpu_time_ns / (double)(shares[i]->launches ? shares[i]->launches : 1);
  double median = stats_median(means, n); /* which puts them in another order */
  for (size_t i = 0; i < n; i++) {
    const struct merging_share *s = shares[i];
    double off = fabs(s->gpu_time_ns / (double)(s->launches ? s->launches : 1) - median);
    bool before = off == least && m->files[s->file].rank < m->files[found->file].rank;
    if (off < least || before) {
      least = off;
      found = s;
    }
  }
  free(means);
  free(shares);
  return found;
}

/* Whose counters the row has: one share's, and where ranks divide the counters between them, a
 * share's of each other set.  Those of several geometries are not put together. */
static void sources_find(struct merging_row *row, const struct run_merging *m) {
  const struct merging_share *base = chosen_find(row, m, (struct pass_set){0});
  if (!base)
    return;
  row->file = base->file;
  row->result = base->result;
  struct pass_set of = m->files[base->file].process.pass_set;
  for (long set = 1; set <= of.sets && !row->summed && base->metrics; set++) {
    const struct merging_share *s = set == of.set ? NULL : chosen_find(row, m, (struct pass_set){set, of.sets});
    if (s)
      row->donors[row->n_donors++] = (struct merging_donor){.file = s->file, .result = s->result};
  }
}

static void merging_row_release(struct merging_row *row) {
  for (size_t i = 0; i < row->n_donors; i++)
    run_result_release(&row->donors[i].taken);
  free(row->by_rank);
  *row = (struct merging_row){0};
}

static void row_add(struct merging_rows *rows, const struct run_merging *m, const struct merging_entry **entries,
                    size_t n, bool summed) {
  struct merging_row row = {.entries = entries, .n_entries = n, .summed = summed};
  by_rank_sum(&row, m);
  sources_find(&row, m);
  if (row.n_by_rank)
    rows->items[rows->n++] = row;
  else
    merging_row_release(&row); /* of files that are left out alone */
}

/* A row for each geometry, and those that are alike: ranks of ragged batches have seldom the same.
 * One geometry of a kernel on one rank, another on the next: a rank has more to do, and only their
 * sums compare. */
static void name_add(struct merging_rows *rows, const struct run_merging *m, const struct merging_entry **entries,
                     size_t n) {
  size_t first = rows->n;
  bool alike = true;
  struct merging_row all = {.entries = entries, .n_entries = n};
  if (n > 1)
    by_rank_sum(&all, m);
  for (size_t i = 0, same; i < n; i += same) {
    for (same = 1; i + same < n && are_alike(entries[i], entries[i + same]);)
      same++;
    row_add(rows, m, entries + i, same, false);
  }
  for (size_t i = first; i < rows->n && n > 1; i++)
    alike = alike && rows->items[i].n_by_rank == all.n_by_rank;
  free(all.by_rank);
  if (alike)
    return;
  while (rows->n > first)
    merging_row_release(&rows->items[--rows->n]);
  row_add(rows, m, entries, n, true);
}

static int by_time(const void *left, const void *right) {
  const struct merging_row *a = left, *b = right;
  if (a->gpu_time_ns != b->gpu_time_ns)
    return a->gpu_time_ns < b->gpu_time_ns ? 1 : -1;
  return by_name(&a->entries[0], &b->entries[0]);
}

void merging_rows_make(struct merging_rows *out, const struct run_merging *m, const struct merging_table *t,
                       size_t most) {
  out->by_name = calloc(t->n + 1, sizeof *out->by_name);
  out->items = calloc(t->n + 1, sizeof *out->items);
  for (size_t i = 0; i < t->n; i++)
    out->by_name[i] = &t->entries[i];
  qsort(out->by_name, t->n, sizeof *out->by_name, by_name);
  for (size_t i = 0, n; i < t->n; i += n) {
    for (n = 1; i + n < t->n && strcmp(out->by_name[i + n]->name, out->by_name[i]->name) == 0;)
      n++;
    name_add(out, m, out->by_name + i, n);
  }
  qsort(out->items, out->n, sizeof *out->items, by_time);
  for (; out->n > most; out->n_beyond++) {
    out->beyond_ns += out->items[--out->n].gpu_time_ns;
    merging_row_release(&out->items[out->n]);
  }
}

void merging_rows_release(struct merging_rows *rows) {
  for (size_t i = 0; i < rows->n; i++)
    merging_row_release(&rows->items[i]);
  free(rows->items);
  free(rows->by_name);
}
