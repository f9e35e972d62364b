#include "reports/text/diagnose.h"

#include "reports/text/put_json.h"

enum { LINES_MAX = 50, INSTS_MAX = 100 };

static json_t *advice_json(const struct advice *a) {
  json_t *o = json_object(), *evidence = json_array();

  for (size_t i = 0; i < a->n_evidence; i++) {
    json_t *x = json_pack("{s:s, s:s}", "title", a->evidence[i].title, "unit", a->evidence[i].unit);
    value_set(x, "value", a->evidence[i].value);
    json_array_append_new(evidence, x);
  }
  json_object_set_new(o, "rule", json_string(a->rule->name));
  json_object_set_new(o, "title", json_string(a->rule->title));
  json_object_set_new(o, "stop", json_boolean(a->stop));
  json_object_set_new(o, "saves_s", json_real(a->saves_s));
  json_object_set_new(o, "saves_low_s", json_real(a->low_s));
  json_object_set_new(o, "saves_high_s", json_real(a->high_s));
  json_object_set_new(o, "capped", json_boolean(a->capped));
  json_object_set_new(o, "sentence", text_json(a->sentence));
  json_object_set_new(o, "remedy", text_json(a->remedy));
  json_object_set_new(o, "evidence", evidence);
  return o;
}

static json_t *bounds_json(const struct bounds *b) {
  json_t *o = json_object(), *list = json_object();

  for (int k = 0; k < BOUND_KINDS; k++)
    value_set(list, bound_name((enum bound_kind)k), b->seconds[k]);
  json_object_set_new(o, "least_s", list);
  json_object_set_new(o, "binding", b->binding == BOUND_KINDS ? json_null() : json_string(bound_name(b->binding)));
  value_set(o, "fixed_s", b->fixed);
  value_set(o, "model_s", b->time_s);
  value_set(o, "explained", b->explained);
  value_set(o, "bytes_in_flight", b->flight.bytes);
  value_set(o, "bytes_in_flight_needed", b->flight.needed_bytes);
  return o;
}

static json_t *inst_json(const struct hot *h, const struct hot_inst *x) {
  const struct hot_kernel *k = &h->kernels[x->kernel];
  json_t *o = json_object(), *reasons = json_object(), *feeds = json_array();
  struct text place = {0};

  for (size_t i = 0; i < x->n_reasons; i++)
    json_object_set_new(reasons, x->reasons[i].reason, json_integer((json_int_t)x->reasons[i].samples));
  for (size_t i = 0; i < x->n_feeds; i++) {
    const struct sass_inst *fed = &k->sass.insts[x->feeds[i].inst];
    struct text at = {0};
    report_place(h->run, &k->kernel->sass[x->feeds[i].inst], &at);
    json_array_append_new(feeds, json_pack("{s:i, s:s, s:i, s:s}", "offset", (int)fed->offset, "sass", fed->text,
                                           "bytes", fed->bytes, "line", text_str(&at)));
    text_release(&at);
  }
  report_place(h->run, &k->kernel->sass[x->at], &place);
  json_object_set_new(o, "kernel", json_string(k->kernel->name));
  json_object_set_new(o, "offset", json_integer(k->sass.insts[x->at].offset));
  json_object_set_new(o, "sass", json_string(k->sass.insts[x->at].text));
  json_object_set_new(o, "line", json_string(text_str(&place)));
  json_object_set_new(o, "samples", json_integer((json_int_t)x->samples));
  json_object_set_new(o, "not_issued", json_integer((json_int_t)x->not_issued));
  json_object_set_new(o, "reasons", reasons);
  json_object_set_new(o, "waits_for", feeds);
  if (k->sass.executed[x->at] >= 0 && !k->sass.estimated)
    json_object_set_new(o, "executed", json_real(k->sass.executed[x->at]));
  text_release(&place);
  return o;
}

static json_t *hot_json(const struct hot *h) {
  json_t *o = json_object(), *lines = json_array(), *insts = json_array();

  for (size_t i = 0; i < h->n_lines && i < LINES_MAX; i++)
    json_array_append_new(lines,
                          json_pack("{s:s, s:i, s:I, s:I, s:o}", "file", h->run->sources[h->lines[i].source].name,
                                    "line", h->lines[i].line, "samples", (json_int_t)h->lines[i].samples, "not_issued",
                                    (json_int_t)h->lines[i].not_issued, "top", text_json(h->lines[i].top.reason)));
  for (size_t i = 0; i < h->n_insts && i < INSTS_MAX; i++)
    json_array_append_new(insts, inst_json(h, &h->insts[i]));
  json_object_set_new(o, "samples", json_integer((json_int_t)h->samples));
  json_object_set_new(o, "unplaced", json_integer((json_int_t)h->unplaced));
  json_object_set_new(o, "reason", text_json(h->reason));
  json_object_set_new(o, "lines", lines);
  json_object_set_new(o, "instructions", insts);
  return o;
}

static json_t *diagnosis_json(const struct report_diagnosis *d) {
  const struct finding *f = d->finding;
  json_t *o = json_object(), *advice = json_array(), *stalls = json_object();
  char shape[SHAPE_TEXT_MAX];

  for (size_t i = 0; i < d->diagnosis->n; i++)
    json_array_append_new(advice, advice_json(&d->diagnosis->items[i]));
  for (size_t i = 0; i < f->n_stalls; i++)
    json_object_set_new(stalls, f->stalls[i].reason, json_real(f->stalls[i].share));
  json_object_set_new(o, "variant", json_string(f->variant->id));
  json_object_set_new(o, "shape", json_string(shape_text(f->result->shape, shape)));
  value_set(o, "time_s",
            f->timed ? (struct value){.present = true, .v = f->time.middle} : (struct value){.reason = f->time_reason});
  json_object_set_new(o, "bounds", bounds_json(&f->bounds));
  json_object_set_new(o, "stall_shares", stalls);
  json_object_set_new(o, "advice", advice);
  json_object_set_new(o, "together_s", json_real(d->diagnosis->together_s));
  json_object_set_new(o, "no_advice_reason", text_json(d->diagnosis->reason));
  json_object_set_new(o, "hot", hot_json(&d->diagnosis->hot));
  return o;
}

void report_diagnose_json(const struct report_diagnosis *d, size_t n, struct text *out) {
  json_t *root = json_object(), *list = json_array();

  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, diagnosis_json(&d[i]));
  json_object_set_new(root, "schema", json_string("nvfp4-prof/diagnose/1"));
  if (n) {
    json_object_set_new(root, "origin", json_string(run_origin_name(d[0].findings->run->origin)));
    json_object_set_new(root, "device", text_json(d[0].findings->run->device.name));
  }
  json_object_set_new(root, "diagnoses", list);
  put_json(root, out);
}

/* --- the ledger --- */

void report_ledger_json(const struct ledger *l, struct text *out) {
  json_t *root = json_object(), *entries = json_array(), *scores = json_array();
  char shape[SHAPE_TEXT_MAX];

  for (size_t i = 0; i < l->n; i++) {
    const struct ledger_entry *x = &l->entries[i];
    json_array_append_new(entries, json_pack("{s:s, s:s, s:s, s:s, s:b, s:f, s:f}", "rule", x->rule->name, "parent",
                                             x->parent->variant->id, "child", x->child->variant->id, "shape",
                                             shape_text(x->child->result->shape, shape), "spoke", x->spoke,
                                             "promised_s", x->promised_s, "gained_s", x->gained_s));
  }
  for (size_t i = 0; i < l->n_scores; i++) {
    const struct ledger_score *s = &l->scores[i];
    json_t *o = json_pack("{s:s, s:I, s:I}", "rule", s->rule ? s->rule->name : "all", "steps", (json_int_t)s->n,
                          "spoke", (json_int_t)s->spoke);
    value_set(o, "rank_correlation", s->correlation);
    value_set(o, "median_error", s->median_error);
    value_set(o, "median_abs_error", s->median_abs_error);
    json_array_append_new(scores, o);
  }
  json_object_set_new(root, "schema", json_string("nvfp4-prof/ledger/1"));
  json_object_set_new(root, "scores", scores);
  json_object_set_new(root, "entries", entries);
  put_json(root, out);
}
