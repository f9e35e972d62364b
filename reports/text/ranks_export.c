/* A merge for programs. */
#include "reports/text/ranks_text.h"
#include "reports/words/put_json.h"

#include <math.h>

/* A rank's number; of a process without one its file. */
static json_t *rank_json(const struct ranks *r, int rank) {
  const struct run_merged_rank *m = &r->merge->ranks[rank];
  return m->process.launcher ? json_integer(m->process.rank) : json_string(m->file);
}

static void rows_csv(struct table *t, const struct ranks *r, const struct ranks_spread *spreads, size_t n,
                     const char *kind) {
  for (size_t i = 0; i < n; i++) {
    const struct ranks_spread *s = &spreads[i];
    table_line(t, "s s d z z z 6 6 6 6 6 6 s 6", kind, s->name, s->collective, s->n, (size_t)s->launches_min,
               (size_t)s->launches_max, s->total_s, s->min_s, s->median_s, s->mean_s, s->max_s, s->imbalance,
               s->stands_out ? RANK_LABEL(r, s->farthest) : "", s->stands_out ? s->off : NAN);
  }
}

void report_ranks_csv(const struct ranks *r, struct text *out) {
  struct table *t =
      table_of("kind | name | collective | ranks | calls_min | calls_max | total_s | least_s | median_s | "
               "mean_s | most_s | imbalance | outlier | outlier_off");
  rows_csv(t, r, r->kernels, r->n_kernels, "kernel");
  rows_csv(t, r, r->ranges, r->n_ranges, "range");
  table_csv(t, out);
  table_free(t);
}

static json_t *spread_json(const struct ranks *r, const struct ranks_spread *s) {
  json_t *o = json_of(
      "collective:b ranks:I calls_min:I calls_max:I total_s:f least_s:f median_s:f mean_s:f most_s:f imbalance:f",
      (int)s->collective, (json_int_t)s->n, (json_int_t)s->launches_min, (json_int_t)s->launches_max, s->total_s,
      s->min_s, s->median_s, s->mean_s, s->max_s, s->imbalance);
  if (s->name)
    json_object_set_new(o, "name", json_string(s->name));
  members_set(o, "farthest:o off:o outlier:b", s->farthest < 0 ? json_null() : rank_json(r, s->farthest),
              s->farthest < 0 ? json_null() : json_real(s->off), s->stands_out);
  return o;
}

static json_t *spreads_json(const struct ranks *r, const struct ranks_spread *spreads, size_t n) {
  json_t *a = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(a, spread_json(r, &spreads[i]));
  return a;
}

static void answer_add(void *context, const char *sentence) {
  json_array_append_new(context, json_string(sentence));
}

void report_ranks_json(const struct ranks *r, struct text *out) {
  json_t *root = json_object(), *ranks = json_array(), *missing = json_array(), *left_out = json_array(),
         *answer = json_array();
  for (size_t i = 0; i < r->merge->n_ranks; i++) {
    const struct run_merged_rank *m = &r->merge->ranks[i];
    json_t *o = json_of("rank:o file:s host:s own_s:f collectives_s:f", rank_json(r, (int)i), m->file, m->process.host,
                        ranks_time(&r->own, (int)i), ranks_time(&r->waits, (int)i));
    json_array_append_new(ranks, o);
  }
  for (size_t i = 0; i < r->n_missing; i++)
    json_array_append_new(missing, json_integer(r->missing[i]));
  for (size_t i = 0; i < r->merge->n_left_out; i++)
    json_array_append_new(left_out,
                          json_of("file:s reason:s", r->merge->left_out[i].file, r->merge->left_out[i].reason));
  ranks_answer(r, answer_add, answer);
  members_set(root, "schema:s answer:o expected:o missing:o left_out:o", "nvfp4-prof/merge/1", answer,
              r->merge->expected ? json_integer(r->merge->expected) : json_null(), missing, left_out);
  members_set(root, "ranks:o own:o collectives:o kernels:o ranges:o", ranks, spread_json(r, &r->own),
              spread_json(r, &r->waits), spreads_json(r, r->kernels, r->n_kernels),
              spreads_json(r, r->ranges, r->n_ranges));
  put_json(root, out);
}
