#include "reports/text/diagnose.h"

#include "reports/text/static_text.h"
#include "reports/words/bound_words.h"
#include "reports/words/place_text.h"
#include "reports/words/put_json.h"

enum { LINES_MAX = 50, INSTS_MAX = 100 };

static json_t *advice_json(const struct report_diagnosis *d, const struct advice *a) {
  const struct run_line *line = report_advice_line(d, a);
  struct text place = {0};
  json_t *o = json_object();
  if (line)
    report_line_of(d->findings->run, line, a->told.at, true, &place);
  members_set(o, "rule:s title:s stop:b saves_s:f saves_low_s:f", a->rule->name, a->rule->title, a->told.stop,
              a->price.saves_s, a->price.low_s);
  members_set(o, "saves_high_s:f capped:b capped_by:s behind:s sentence:s remedy:s then:s evidence:o", a->price.high_s,
              a->price.capped, a->price.capped && a->price.cap_s > 0 ? bound_name(a->price.cap) : NULL, a->behind,
              a->told.sentence, a->told.remedy, a->then, evidence_json(a->told.evidence, a->told.n_evidence));
  text_set(o, "line", &place);
  return o;
}

static json_t *bounds_json(const struct bounds *b) {
  json_t *o = json_object(), *list = json_object();
  for (int k = 0; k < BOUND_KINDS; k++)
    value_set(list, bound_name((enum bound_kind)k), bound_least(b, (enum bound_kind)k));
  members_set(o, "least_s:o binding:o fixed_s:V model_s:V", list,
              b->binding == BOUND_KINDS ? json_null() : json_string(bound_name(b->binding)), b->fixed, b->time_s);
  members_set(o, "explained:V bytes_in_flight:V bytes_in_flight_needed:V", b->explained, b->flight.bytes,
              b->flight.needed_bytes);
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
    report_place(h->run, hot_placed(k, x->feeds[i].inst), PLACE_WHOLE, &at);
    json_array_append_new(feeds, json_of("offset:I sass:s bytes:I line:s", (json_int_t)fed->offset, fed->text,
                                         (json_int_t)fed->bytes, text_str(&at)));
    text_release(&at);
  }
  report_place(h->run, hot_shown(k, x->at), PLACE_WHOLE, &place);
  members_set(o, "kernel:s offset:I sass:s line:s samples:I waits:I not_issued:I reasons:o waits_for:o",
              k->kernel->name, (json_int_t)k->sass.insts[x->at].offset, k->sass.insts[x->at].text, text_str(&place),
              (json_int_t)x->samples, (json_int_t)x->waits, (json_int_t)x->not_issued, reasons, feeds);
  if (k->sass.executed[x->at] >= 0 && !k->sass.estimated)
    json_object_set_new(o, "executed", json_real(k->sass.executed[x->at]));
  text_release(&place);
  return o;
}

static json_t *hot_json(const struct hot *h) {
  json_t *o = json_object(), *lines = json_array(), *insts = json_array();
  for (size_t i = 0; i < h->n_lines && i < LINES_MAX; i++)
    json_array_append_new(lines, json_of("file:s line:I samples:I waits:I not_issued:I top:s",
                                         h->lines[i].source < 0 ? NULL : h->run->sources[h->lines[i].source].name,
                                         (json_int_t)h->lines[i].line, (json_int_t)h->lines[i].samples,
                                         (json_int_t)h->lines[i].waits, (json_int_t)h->lines[i].not_issued,
                                         h->lines[i].top.reason));
  for (size_t i = 0; i < h->n_insts && i < INSTS_MAX; i++)
    json_array_append_new(insts, inst_json(h, &h->insts[i]));
  members_set(o, "samples:I unplaced:I reason:s lines:o instructions:o", (json_int_t)h->samples,
              (json_int_t)h->unplaced, h->reason, lines, insts);
  return o;
}

static json_t *diagnosis_json(const struct report_diagnosis *d) {
  const struct finding *f = d->finding;
  json_t *o = json_object(), *advice = json_array(), *stalls = json_object();
  for (size_t i = 0; i < d->diagnosis->n; i++)
    json_array_append_new(advice, advice_json(d, &d->diagnosis->items[i]));
  for (size_t i = 0; i < f->n_stalls; i++)
    json_object_set_new(stalls, f->stalls[i].reason, json_real(f->stalls[i].share));
  members_set(
      o, "variant:s shape:o time_s:V bounds:o stall_shares:o", f->variant->id, declared_shape_json(f->result->shape),
      f->timed ? (struct value){.present = true, .v = f->time.middle} : (struct value){.reason = f->time_reason},
      bounds_json(&f->bounds), stalls);
  members_set(o, "advice:o together_s:f no_advice_reason:s hot:o", advice, d->diagnosis->together_s,
              d->diagnosis->reason, hot_json(&d->diagnosis->hot));
  if (d->diagnosis->code)
    json_object_set_new(o, "code", code_json(d->diagnosis->code));
  return o;
}

void report_diagnose_json(const struct report_diagnosis *d, size_t n, struct text *out) {
  json_t *root = json_object(), *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, diagnosis_json(&d[i]));
  json_object_set_new(root, "schema", json_string("nvfp4-prof/diagnose/1"));
  if (n) {
    members_set(root, "origin:s device:s", run_origin_name(d[0].findings->run->origin),
                d[0].findings->run->device.name);
  }
  json_object_set_new(root, "diagnoses", list);
  put_json(root, out);
}
