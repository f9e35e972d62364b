#include "reports/text/report.h"

#include "reports/text/columns.h"
#include "reports/text/put_json.h"
#include "reports/text/view.h"

/* {"value": 0.93}, or {"value": null, "reason": "no counters: ..."}. */
static json_t *value_json(struct value x) {
  json_t *o = json_object();

  json_object_set_new(o, "value", number_json(x));
  if (!x.present)
    json_object_set_new(o, "reason", text_json(x.reason ? x.reason : "not known"));
  return o;
}

static json_t *ceiling_json(const struct ceiling *c) {
  if (!c)
    return json_null();
  return json_pack("{s:o, s:o, s:o, s:s, s:o}", "name", text_json(c->name), "unit", text_json(c->unit), "value",
                   real_json(true, c->value), "kind", ceiling_kind_name(c->kind), "source", text_json(c->source));
}

static json_t *time_json(const struct finding *item) {
  const struct stats *s = &item->time;

  if (!item->timed)
    return json_pack("{s:n, s:o}", "middle_s", "reason",
                     text_json(item->time_reason ? item->time_reason : "not known"));
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "middle_s", real_json(true, s->middle), "ci_low_s",
                   real_json(true, s->ci_low), "ci_high_s", real_json(true, s->ci_high), "mean_s",
                   real_json(true, s->mean), "stddev_s", real_json(true, s->stddev), "min_s", real_json(true, s->min),
                   "max_s", real_json(true, s->max), "samples", (json_int_t)s->n, "discarded",
                   (json_int_t)item->result->timing.discarded);
}

static json_t *sol_json(const struct sol *s) {
  return json_pack("{s:o, s:o, s:o, s:o}", "bytes", real_json(s->bytes > 0, s->bytes), "bytes_kind",
                   text_json(s->bytes_kind), "bandwidth", ceiling_json(s->bandwidth), "seconds",
                   real_json(s->seconds > 0, s->seconds));
}

static json_t *bounds_json(const struct bounds *b) {
  json_t *o = json_object(), *seconds = json_object();

  for (int k = 0; k < BOUND_KINDS; k++) {
    json_t *one = value_json(b->seconds[k]);

    if (b->ceiling[k])
      json_object_set_new(one, "ceiling", ceiling_json(b->ceiling[k]));
    json_object_set_new(seconds, bound_name((enum bound_kind)k), one);
  }
  json_object_set_new(o, "seconds", seconds);
  json_object_set_new(o, "binding", text_json(b->binding == BOUND_KINDS ? NULL : bound_name(b->binding)));
  json_object_set_new(o, "share",
                      b->binding == BOUND_KINDS ? json_null() : json_real(b->model.bound_share[b->binding]));
  json_object_set_new(o, "explained", value_json(b->explained));
  json_object_set_new(o, "clock_hz", value_json(b->clock_hz));
  json_object_set_new(o, "clock_source", text_json(b->clock_source));
  return o;
}

static json_t *roof_json(const struct roof_point *points) {
  json_t *o = json_object();

  for (int l = 0; l < ROOF_LEVELS; l++) {
    json_object_set_new(o, roof_level_name((enum roof_level)l),
                        json_pack("{s:o, s:o, s:o}", "intensity_flop_per_byte", value_json(points[l].intensity),
                                  "flop_per_s", value_json(points[l].flops), "bytes_per_s",
                                  value_json(points[l].bandwidth)));
  }
  return o;
}

static json_t *derived_json(const struct finding *item) {
  json_t *o = json_object();

  for (size_t i = 0; i < item->n_derived; i++) {
    const struct derived *d = &item->derived[i];
    json_t *one = value_json(d->value);

    json_object_set_new(one, "unit", text_json(d->unit));
    json_object_set_new(one, "title", text_json(d->title));
    json_object_set_new(o, d->name, one);
  }
  return o;
}

static json_t *counters_json(const struct run_result *r) {
  json_t *o = json_object();

  for (size_t i = 0; i < r->n_metrics; i++) {
    const struct run_metric *m = &r->metrics[i];
    json_t *one = value_json((struct value){m->present, m->value, m->reason});

    json_object_set_new(one, "unit", text_json(m->unit));
    json_object_set_new(o, m->name, one);
  }
  return o;
}

/* The columns that are members of a finding. */
static void columns_set(json_t *o, const struct column_row *row) {
  for (size_t i = 0; i < n_result_columns; i++) {
    const struct result_column *c = &result_columns[i];
    struct text line = {0};

    if (!c->json)
      continue;
    if (c->text)
      c->text(row, &line);
    json_object_set_new(o, c->json,
                        c->flag   ? json_boolean(c->flag(row))
                        : c->text ? text_json(line.n ? line.s : NULL)
                                  : value_json(result_column_number(c, 0, row)));
    text_release(&line);
  }
}

static json_t *finding_json(const struct findings *f, const struct finding *item) {
  const struct run_result *r = item->result;
  char shape[SHAPE_TEXT_MAX];
  int registers = view_registers(f, r);
  json_t *o = json_object();

  columns_set(o, &(struct column_row){f, item, NULL, false, false});
  json_object_set_new(o, "shape", json_string(shape_text(r->shape, shape)));
  json_object_set_new(o, "registers", registers < 0 ? json_null() : json_integer(registers));
  json_object_set_new(o, "time", time_json(item));
  json_object_set_new(o, "same_as_parent", json_boolean(item->parent_same));
  json_object_set_new(o, "sol_minimal", sol_json(&item->sol_minimal));
  json_object_set_new(o, "sol_contest", sol_json(&item->sol_contest));
  json_object_set_new(o, "bounds", bounds_json(&item->bounds));
  json_object_set_new(o, "roofline", roof_json(item->roof));
  json_t *doubts = json_array();
  for (size_t i = 0; i < item->n_doubts; i++)
    json_array_append_new(doubts, json_string(item->doubts[i]));
  json_object_set_new(o, "doubts", doubts);
  json_object_set_new(o, "derived", derived_json(item));
  json_object_set_new(o, "counters", counters_json(r));
  return o;
}

void report_json(const struct findings *f, struct text *out) {
  const struct run *r = f->run;
  json_t *root = json_object(), *items = json_array(), *means = json_object(), *notes = json_array();

  for (size_t i = 0; i < f->n; i++)
    json_array_append_new(items, finding_json(f, &f->items[i]));
  for (size_t i = 0; i < r->n_variants; i++)
    json_object_set_new(means, r->variants[i].id, value_json(findings_geomean(f, r->variants[i].id)));
  for (size_t i = 0; i < r->n_notes; i++)
    json_array_append_new(notes, json_string(r->notes[i]));
  json_object_set_new(root, "schema", json_string("nvfp4-prof/findings/1"));
  json_object_set_new(root, "origin", json_string(run_origin_name(r->origin)));
  json_object_set_new(root, "device", text_json(r->device.name));
  json_object_set_new(root, "created", text_json(r->created));
  json_object_set_new(root, "tool", text_json(r->tool));
  json_object_set_new(root, "l2", text_json(r->l2));
  json_object_set_new(root, "inputs", text_json(r->inputs));
  json_object_set_new(root, "partial", json_boolean(r->partial));
  json_object_set_new(root, "notes", notes);
  json_object_set_new(root, "geomean_s", means);
  json_object_set_new(root, "findings", items);
  put_json(root, out);
}
