#include "reports/compare/diff_text.h"

#include "reports/words/put_json.h"

/* --- times --- */

static json_t *side_json(struct diff_side s, const char *files) {
  json_t *runs = json_array();
  for (size_t i = 0; i < s.n; i++) {
    const struct run *r = s.runs[i].run;
    json_array_append_new(runs, json_of("created:s git:s device:s origin:s", r->created, r->git, r->device.name,
                                        run_origin_name(r->origin)));
  }
  return json_of("files:s runs:o", files, runs);
}

static json_t *noise_json(const struct diff_noise *n) {
  static const char *const sources[] = {
      [NOISE_RUNS] = "runs",
      [NOISE_SAME_CODE] = "pairs of the same machine code",
      [NOISE_ALL_PAIRS] = "all pairs",
      [NOISE_FLOOR] = "too few pairs: an H200's",
      [NOISE_CHIPS] = "two chips: an H200's",
      [NOISE_ONE_RUN] = "one run on both sides",
  };
  return json_of("source:s between_runs_stddev:f pairs:I shift_ratio:f shift_pairs:I shift_removed:b all_pairs_ratio:v",
                 sources[n->source], n->between, (json_int_t)n->pairs, n->shift, (json_int_t)n->shift_pairs,
                 n->shift_removed, n->shift_all);
}

static json_t *metrics_json(const struct diff *d, const struct diff_pair *p) {
  static const char *const names[] = {
      [METRIC_SAME] = "SAME", [METRIC_MORE] = "MORE", [METRIC_FEWER] = "LESS", [METRIC_ABSENT] = "ABSENT"};
  json_t *list = json_array();
  for (size_t i = 0; p->metrics && i < d->n_metrics; i++) {
    const struct diff_metric *m = &p->metrics[i];
    json_t *o = json_of("metric:s a:v b:v ratio:v verdict:s regression:b", d->metrics[i].name, m->before, m->after,
                        m->ratio, names[m->verdict], m->regression);
    if (m->verdict == METRIC_ABSENT)
      json_object_set_new(o, "reason", text_json(m->before.present ? m->after.reason : m->before.reason));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *pair_json(const struct diff *d, const struct diff_pair *p) {
  json_t *o = json_object();
  members_set(o, "variant_a:s variant_b:s renamed:s shape:o verdict:s regression:b reason:s same_code:o", p->id_a,
              p->id_b, p->renamed, declared_shape_json(p->shape), diff_verdict_name(p->verdict), p->regression,
              p->reason, p->code_known ? json_boolean(p->same_code) : json_null());
  members_set(o, "time_a_s:v time_b_s:v runs_a:I runs_b:I ratio:v ratio_low:v ratio_high:v metrics:o", p->time_a,
              p->time_b, (json_int_t)p->runs_a, (json_int_t)p->runs_b, p->ratio, p->ratio_low, p->ratio_high,
              metrics_json(d, p));
  return o;
}

void report_diff_json(const struct diff_report *r, struct text *out) {
  const struct diff *d = r->d;
  json_t *root = json_object(), *conditions = json_array(), *counts = json_object(), *pairs = json_array();
  for (size_t i = 0; i < d->n_conditions; i++)
    json_array_append_new(conditions,
                          json_of("what:s a:s b:s", d->conditions[i].what, d->conditions[i].a, d->conditions[i].b));
  for (int v = 0; v < DIFF_VERDICTS; v++)
    json_object_set_new(counts, diff_verdict_name((enum diff_verdict)v), json_integer((json_int_t)d->counts[v]));
  for (size_t i = 0; i < d->n; i++)
    if (d->pairs[i].selected)
      json_array_append_new(pairs, pair_json(d, &d->pairs[i]));
  members_set(root, "schema:s a:o b:o differs_in:o noise:o margin:f fail_over:f counts:o regressions:I pairs:o",
              "nvfp4-prof/diff/1", side_json(r->a, r->files_a), side_json(r->b, r->files_b), conditions,
              noise_json(&d->noise), DIFF_MARGIN, d->fail_over, counts,
              (json_int_t)d->regressions + (json_int_t)d->metric_regressions, pairs);
  put_json(root, out);
}

/* --- what needs no GPU --- */

static json_t *static_pair_json(const struct static_pair *p) {
  size_t n = 0;
  const struct static_quantity *q = static_quantities(&n);
  json_t *o = json_object(), *quantities = json_object();
  for (size_t i = 0; i < n; i++) {
    const struct static_change *c = &p->changes[i];
    json_t *one = json_of("a:v b:v regression:b", c->before, c->after, c->regression);
    if (!c->before.present || !c->after.present)
      json_object_set_new(one, "reason", text_json(c->before.present ? c->after.reason : c->before.reason));
    json_object_set_new(quantities, q[i].key, one);
  }
  members_set(o, "variant_a:s variant_b:s renamed:s shape:o shapes:I", p->id_a, p->id_b, p->renamed,
              declared_shape_json(p->shape), (json_int_t)p->shapes);
  members_set(o, "verdict:s reason:s same_code:b quantities:o", static_verdict_name(p->verdict), p->reason,
              p->same_code, quantities);
  return o;
}

void report_static_json(const struct static_report *r, struct text *out) {
  const struct static_diff *d = r->d;
  json_t *root = json_object(), *counts = json_object(), *pairs = json_array();
  for (int v = 0; v < STATIC_VERDICTS; v++)
    json_object_set_new(counts, static_verdict_name((enum static_verdict)v), json_integer((json_int_t)d->counts[v]));
  for (size_t i = 0; i < d->n; i++)
    json_array_append_new(pairs, static_pair_json(&d->pairs[i]));
  members_set(root, "schema:s a:o b:o fail_over:f counts:o regressions:I pairs:o", "nvfp4-prof/diff-static/1",
              json_of("files:s arch:s", r->files_a, d->arch_a), json_of("files:s arch:s", r->files_b, d->arch_b),
              d->fail_over, counts, (json_int_t)d->regressions, pairs);
  put_json(root, out);
}
