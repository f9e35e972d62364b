/* Counters that ranks divided between them (run/pass_set.h), put together in one result. */
#include "base/array.h"
#include "base/text.h"
#include "run/merging.h"

#include <stdlib.h>
#include <string.h>

void merging_key_set(struct run_variant *v, const char *key, char *value) {
  for (size_t i = 0; i < v->n_keys; i++)
    if (strcmp(v->keys[i].key, key) == 0) {
      free(v->keys[i].value);
      v->keys[i].value = value;
      return;
    }
  struct run_key *added = array_add(&v->keys, &v->n_keys, sizeof *added);
  *added = (struct run_key){str_copy(key), value};
}

char *merging_rank_text(const struct run_merging *m, int rank) {
  const struct run_merged_rank *r = &m->out.merge.ranks[rank];
  return r->process.launcher ? str_printf("%ld", r->process.rank) : str_copy(r->file);
}

int merging_donors_take(struct merging_row *row, const struct run_merging *m, struct run *r, struct err *e) {
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
    char *rank = has[i] ? merging_rank_text(m, (int)i) : NULL;
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

void merging_row_join(struct merging_row *row, const struct run_merging *m, struct run *out, size_t at) {
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
  merging_key_set(v, "counters_of", ranks_text(row, m));
  if (*lacking)
    merging_key_set(v, "counters_lack", str_copy(lacking));
  free(lacking);
  free(reason);
}
