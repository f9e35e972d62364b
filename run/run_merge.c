/* A merge from its first file to the last: what each adds. */
#include "base/array.h"
#include "base/text.h"
#include "run/merging.h"

#include <stdlib.h>
#include <string.h>

struct run_merging *run_merging_new(void) {
  return calloc(1, sizeof(struct run_merging));
}

/* --- entries --- */

/* key: without its own key, its name borrowed. */
static void share_add(struct merging_table *t, struct merging_entry key, const struct merging_share *share) {
  key.key = str_printf("%u %u %u %u %u %u %ld %s", key.grid[0], key.grid[1], key.grid[2], key.block[0], key.block[1],
                       key.block[2], key.smem_dynamic, key.name);
  long *at = name_index_at(&t->by_key, key.key);
  if (*at == NAME_NEW) {
    *at = (long)t->n;
    key.name = key.key + strlen(key.key) - strlen(key.name);
    *(struct merging_entry *)array_add(&t->entries, &t->n, sizeof key) = key;
  } else {
    free(key.key);
  }
  struct merging_entry *entry = &t->entries[*at];
  *(struct merging_share *)array_add(&entry->shares, &entry->n, sizeof *share) = *share;
}

/* --- a file --- */

/* What attach says of a kernel's launches; false: nothing. */
static bool times_of(const struct run_variant *v, uint64_t *launches, double *gpu_time_ns) {
  const char *n = run_variant_key(v, "launches"), *time = run_variant_key(v, "gpu_time_ns");
  if (!n || !time || !run_variant_key(v, "kernel"))
    return false;
  *launches = strtoull(n, NULL, 10);
  *gpu_time_ns = strtod(time, NULL);
  return *gpu_time_ns >= 0 && *gpu_time_ns < 1e18;
}

static void result_add(struct run_merging *m, const struct run *r, size_t i, uint32_t file) {
  const struct run_result *x = &r->results[i];
  const struct run_variant *v = &r->variants[x->variant];
  struct merging_share share = {.file = file, .result = (uint32_t)i};
  struct merging_entry key = {.name = run_variant_key(v, "kernel")};
  if (!times_of(v, &share.launches, &share.gpu_time_ns))
    return;
  for (size_t k = 0; k < x->n_metrics; k++)
    share.metrics += x->metrics[k].present;
  if (x->n_launches) {
    memcpy(key.grid, x->launches->grid, sizeof key.grid);
    memcpy(key.block, x->launches->block, sizeof key.block);
    key.smem_dynamic = x->launches->smem_dynamic;
  }
  share_add(&m->kernels, key, &share);
}

/* What is known of every file alike is a note of the merged run. */
static void notes_meet(struct run_merging *m, const struct run *r) {
  size_t n = 0;
  if (m->n_files == 1) {
    for (size_t i = 0; i < r->n_notes; i++)
      array_copy(&m->notes, &m->n_notes, r->notes[i]);
    return;
  }
  for (size_t i = 0; i < m->n_notes; i++) {
    bool there = false;
    for (size_t k = 0; k < r->n_notes && !there; k++)
      there = strcmp(m->notes[i], r->notes[k]) == 0;
    if (there)
      m->notes[n++] = m->notes[i];
    else
      free(m->notes[i]);
  }
  m->n_notes = n;
}

/* Why it cannot be merged.  attach has one result a kernel, which is moved to the merged run with its variant. */
static int file_verify(const struct run *r, struct err *e) {
  bool any = false, *seen = calloc(r->n_variants + 1, sizeof *seen);
  int rc = 0;
  if (r->merge.n_ranks)
    rc = err_set(e, ERR_DATA, "it is a merged run: name the files of its ranks");
  for (size_t i = 0; i < r->n_results && !rc; i++) {
    int v = r->results[i].variant;
    any = any || times_of(&r->variants[v], &(uint64_t){0}, &(double){0});
    if (seen[v])
      rc = err_set(e, ERR_DATA, "it has two results of %s: merge reads what attach writes", r->variants[v].id);
    seen[v] = true;
  }
  if (!rc && !any)
    rc = err_set(e, ERR_DATA, "it is not the run of a process: merge reads what attach writes");
  free(seen);
  return rc;
}

static void file_add(struct run_merging *m, const struct run *r, const char *path) {
  struct merging_file *f = array_add(&m->files, &m->n_files, sizeof *f);
  *f = (struct merging_file){.path = str_copy(path),
                             .process = r->process,
                             .device = str_copy(r->device.name),
                             .created = str_copy(r->created),
                             .program = str_copy(run_attached_command(r))};
  for (size_t i = 0; i < r->n_results && r->process.launches == 0; i++) { /* a file of an earlier version */
    uint64_t launches;
    double ns;
    if (times_of(&r->variants[r->results[i].variant], &launches, &ns)) {
      f->process.launches += launches;
      f->process.gpu_time_ns += ns;
    }
  }
  f->process.host = str_copy(r->process.host);
  f->process.launcher = str_copy(r->process.launcher);
}

int run_merging_add(struct run_merging *m, const struct run *r, const char *file, struct err *e) {
  uint32_t at = (uint32_t)m->n_files;
  int rc = file_verify(r, e);
  if (rc)
    return rc;
  file_add(m, r, file);
  notes_meet(m, r);
  for (size_t i = 0; i < r->n_results; i++)
    result_add(m, r, i, at);
  for (size_t i = 0; i < r->n_ranges; i++) {
    const struct run_range *x = &r->ranges[i];
    struct merging_share share = {.file = at,
                                  .launches = x->launches,
                                  .gpu_time_ns =
                                      x->gpu_time_ns > x->collective_ns ? x->gpu_time_ns - x->collective_ns : 0,
                                  .collective_ns = x->collective_ns};
    share_add(&m->ranges, (struct merging_entry){.name = x->name}, &share);
  }
  return 0;
}

void run_merging_leave_out(struct run_merging *m, const char *file, const char *reason) {
  struct run_left_out *x = array_add(&m->out.merge.left_out, &m->out.merge.n_left_out, sizeof *x);
  *x = (struct run_left_out){str_copy(file), str_copy(reason)};
}
