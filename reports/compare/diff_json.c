#include "reports/compare/diff_text.h"

#include "reports/text/put_json.h"

/* --- times --- */

static json_t *side_json(struct diff_side s, const char *files) {
  json_t *runs = json_array();

  for (size_t i = 0; i < s.n; i++) {
    const struct run *r = s.runs[i].run;

    json_array_append_new(runs,
                          json_pack("{s:o, s:o, s:o, s:s}", "created", text_json(r->created), "git", text_json(r->git),
                                    "device", text_json(r->device.name), "origin", run_origin_name(r->origin)));
  }
  return json_pack("{s:s, s:o}", "files", files, "runs", runs);
}

static json_t *noise_json(const struct diff_noise *n) {
  static const char *const sources[] = {
      [NOISE_RUNS] = "runs",
      [NOISE_SAME_CODE] = "pairs of the same machine code",
      [NOISE_ALL_PAIRS] = "all pairs",
      [NOISE_FLOOR] = "too few pairs: an H200's",
      [NOISE_ONE_RUN] = "one run on both sides",
  };

  return json_pack("{s:s, s:f, s:I, s:f, s:I, s:b, s:o}", "source", sources[n->source], "between_runs_stddev",
                   n->between, "pairs", (json_int_t)n->pairs, "shift_ratio", n->shift, "shift_pairs",
                   (json_int_t)n->shift_pairs, "shift_removed", n->shift_removed, "all_pairs_ratio",
                   number_json(n->shift_all));
}

static json_t *metrics_json(const struct diff *d, const struct diff_pair *p) {
  static const char *const names[] = {
      [METRIC_SAME] = "SAME", [METRIC_MORE] = "MORE", [METRIC_FEWER] = "LESS", [METRIC_ABSENT] = "ABSENT"};
  json_t *list = json_array();

  for (size_t i = 0; p->metrics && i < d->n_metrics; i++) {
    const struct diff_metric *m = &p->metrics[i];
    json_t *o = json_pack("{s:s, s:o, s:o, s:o, s:s, s:b}", "metric", d->metrics[i].name, "a", number_json(m->before),
                          "b", number_json(m->after), "ratio", number_json(m->ratio), "verdict", names[m->verdict],
                          "regression", m->regression);

    if (m->verdict == METRIC_ABSENT)
      json_object_set_new(o, "reason", text_json(m->before.present ? m->after.reason : m->before.reason));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *pair_json(const struct diff *d, const struct diff_pair *p) {
  char shape[SHAPE_TEXT_MAX];
  json_t *o = json_object();

  json_object_set_new(o, "variant_a", text_json(p->id_a));
  json_object_set_new(o, "variant_b", text_json(p->id_b));
  json_object_set_new(o, "renamed", text_json(p->renamed));
  json_object_set_new(o, "shape", json_string(shape_text(p->shape, shape)));
  json_object_set_new(o, "verdict", json_string(diff_verdict_name(p->verdict)));
  json_object_set_new(o, "regression", json_boolean(p->regression));
  json_object_set_new(o, "reason", text_json(p->reason));
  json_object_set_new(o, "same_code", json_boolean(p->same_code));
  json_object_set_new(o, "time_a_s", number_json(p->time_a));
  json_object_set_new(o, "time_b_s", number_json(p->time_b));
  json_object_set_new(o, "runs_a", json_integer((json_int_t)p->runs_a));
  json_object_set_new(o, "runs_b", json_integer((json_int_t)p->runs_b));
  json_object_set_new(o, "ratio", number_json(p->ratio));
  json_object_set_new(o, "ratio_low", number_json(p->ratio_low));
  json_object_set_new(o, "ratio_high", number_json(p->ratio_high));
  json_object_set_new(o, "metrics", metrics_json(d, p));
  return o;
}

void report_diff_json(const struct diff_report *r, struct text *out) {
  const struct diff *d = r->d;
  json_t *root = json_object(), *conditions = json_array(), *counts = json_object(), *pairs = json_array();

  for (size_t i = 0; i < d->n_conditions; i++)
    json_array_append_new(conditions, json_pack("{s:s, s:s, s:s}", "what", d->conditions[i].what, "a",
                                                d->conditions[i].a, "b", d->conditions[i].b));
  for (int v = 0; v < DIFF_VERDICTS; v++)
    json_object_set_new(counts, diff_verdict_name((enum diff_verdict)v), json_integer((json_int_t)d->counts[v]));
  for (size_t i = 0; i < d->n; i++)
    if (d->pairs[i].selected)
      json_array_append_new(pairs, pair_json(d, &d->pairs[i]));
  json_object_set_new(root, "schema", json_string("nvfp4-prof/diff/1"));
  json_object_set_new(root, "a", side_json(r->a, r->files_a));
  json_object_set_new(root, "b", side_json(r->b, r->files_b));
  json_object_set_new(root, "differs_in", conditions);
  json_object_set_new(root, "noise", noise_json(&d->noise));
  json_object_set_new(root, "margin", json_real(DIFF_MARGIN));
  json_object_set_new(root, "fail_over", json_real(d->fail_over));
  json_object_set_new(root, "counts", counts);
  json_object_set_new(root, "regressions",
                      json_integer((json_int_t)d->regressions + (json_int_t)d->metric_regressions));
  json_object_set_new(root, "pairs", pairs);
  put_json(root, out);
}

/* --- what needs no GPU --- */

static json_t *static_pair_json(const struct static_pair *p) {
  char shape[SHAPE_TEXT_MAX];
  size_t n = 0;
  const struct static_quantity *q = static_quantities(&n);
  json_t *o = json_object(), *quantities = json_object();

  for (size_t i = 0; i < n; i++) {
    const struct static_change *c = &p->changes[i];
    json_t *one = json_pack("{s:o, s:o, s:b}", "a", number_json(c->before), "b", number_json(c->after), "regression",
                            c->regression);

    if (!c->before.present || !c->after.present)
      json_object_set_new(one, "reason", text_json(c->before.present ? c->after.reason : c->before.reason));
    json_object_set_new(quantities, q[i].key, one);
  }
  json_object_set_new(o, "variant_a", text_json(p->id_a));
  json_object_set_new(o, "variant_b", text_json(p->id_b));
  json_object_set_new(o, "renamed", text_json(p->renamed));
  json_object_set_new(o, "shape", json_string(shape_text(p->shape, shape)));
  json_object_set_new(o, "shapes", json_integer((json_int_t)p->shapes));
  json_object_set_new(o, "verdict", json_string(static_verdict_name(p->verdict)));
  json_object_set_new(o, "reason", text_json(p->reason));
  json_object_set_new(o, "same_code", json_boolean(p->same_code));
  json_object_set_new(o, "quantities", quantities);
  return o;
}

void report_static_json(const struct static_report *r, struct text *out) {
  const struct static_diff *d = r->d;
  json_t *root = json_object(), *counts = json_object(), *pairs = json_array();

  for (int v = 0; v < STATIC_VERDICTS; v++)
    json_object_set_new(counts, static_verdict_name((enum static_verdict)v), json_integer((json_int_t)d->counts[v]));
  for (size_t i = 0; i < d->n; i++)
    json_array_append_new(pairs, static_pair_json(&d->pairs[i]));
  json_object_set_new(root, "schema", json_string("nvfp4-prof/diff-static/1"));
  json_object_set_new(root, "a", json_pack("{s:s, s:o}", "files", r->files_a, "arch", text_json(d->arch_a)));
  json_object_set_new(root, "b", json_pack("{s:s, s:o}", "files", r->files_b, "arch", text_json(d->arch_b)));
  json_object_set_new(root, "fail_over", json_real(d->fail_over));
  json_object_set_new(root, "counts", counts);
  json_object_set_new(root, "regressions", json_integer((json_int_t)d->regressions));
  json_object_set_new(root, "pairs", pairs);
  put_json(root, out);
}
