#include "reports/text/report.h"

#include "reports/words/columns.h"
#include "reports/words/put_json.h"
#include "reports/words/view.h"

static json_t *ceiling_json(const struct ceiling *c) {
  if (!c)
    return json_null();
  return json_of("name:s unit:s value:f kind:s source:s", c->name, c->unit, c->value, ceiling_kind_name(c->kind),
                 c->source);
}

static json_t *time_json(const struct finding *item) {
  const struct stats *s = &item->time;
  if (!item->timed)
    return json_pack("{s:n, s:o}", "middle_s", "reason",
                     text_json(item->time_reason ? item->time_reason : "not known"));
  return json_of("middle_s:f ci_low_s:f ci_high_s:f mean_s:f stddev_s:f min_s:f max_s:f samples:I discarded:I",
                 s->middle, s->ci_low, s->ci_high, s->mean, s->stddev, s->min, s->max, (json_int_t)s->n,
                 (json_int_t)item->result->timing.discarded);
}

static json_t *sol_json(const struct sol *s) {
  return json_of("bytes:o bytes_kind:s bandwidth:o seconds:o", real_json(s->bytes > 0, s->bytes), s->bytes_kind,
                 ceiling_json(s->bandwidth), real_json(s->seconds > 0, s->seconds));
}

static json_t *bounds_json(const struct bounds *b) {
  json_t *o = json_object(), *seconds = json_object();
  for (int k = 0; k < BOUND_KINDS; k++) {
    json_t *one = value_json(b->seconds[k]);
    if (b->ceiling[k])
      json_object_set_new(one, "ceiling", ceiling_json(b->ceiling[k]));
    json_object_set_new(seconds, bound_name((enum bound_kind)k), one);
  }
  members_set(o, "seconds:o binding:s share:o whole_s:o explained:o clock_hz:o clock_source:s", seconds,
              b->binding == BOUND_KINDS ? NULL : bound_name(b->binding), real_json(b->share.present, b->share.v),
              value_json(b->whole), value_json(b->explained), value_json(b->clock_hz), b->clock_source);
  return o;
}

static json_t *roof_json(const struct roof_point *points) {
  json_t *o = json_object();
  for (int l = 0; l < ROOF_LEVELS; l++) {
    json_object_set_new(o, roof_level_name((enum roof_level)l),
                        json_of("intensity_flop_per_byte:o flop_per_s:o bytes_per_s:o", value_json(points[l].intensity),
                                value_json(points[l].flops), value_json(points[l].bandwidth)));
  }
  return o;
}

static json_t *derived_json(const struct finding *item) {
  json_t *o = json_object();
  for (size_t i = 0; i < item->n_derived; i++) {
    const struct derived *d = &item->derived[i];
    json_t *one = value_json(d->value);
    members_set(one, "unit:s title:s", d->unit, d->title);
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
  int registers = view_registers(f, r);
  json_t *o = json_object();
  columns_set(o, &(struct column_row){f, item, NULL, false, false});
  members_set(o, "shape:o registers:o time:o same_as_parent:b sol_minimal:o sol_contest:o bounds:o roofline:o",
              declared_shape_json(r->shape), registers < 0 ? json_null() : json_integer(registers), time_json(item),
              item->parent_same, sol_json(&item->sol_minimal), sol_json(&item->sol_contest), bounds_json(&item->bounds),
              roof_json(item->roof));
  json_t *doubts = json_array();
  for (size_t i = 0; i < item->n_doubts; i++)
    json_array_append_new(doubts, json_string(item->doubts[i]));
  members_set(o, "doubts:o derived:o counters:o", doubts, derived_json(item), counters_json(r));
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
  members_set(root, "schema:s origin:s device:s created:s tool:s l2:s", "nvfp4-prof/findings/1",
              run_origin_name(r->origin), r->device.name, r->created, r->tool, r->l2);
  members_set(root, "inputs:s partial:b notes:o geomean_s:o findings:o", r->inputs, r->partial, notes, means, items);
  put_json(root, out);
}
