#include "reports/text/static_text.h"

#include "reports/text/put_json.h"

#include <limits.h>

static json_t *occupancy_json(const struct static_code *c) {
  json_t *o = json_object(), *limits = json_object();

  value_set(o, "share", c->occupied);
  value_set(o, "warps_in_chip", c->warps);
  for (int i = 0; i < OCCUPANCY_LIMITS && c->occupied.present; i++)
    if (c->occupancy.blocks[i] != INT_MAX)
      json_object_set_new(limits, occupancy_limit_name((enum occupancy_limit)i), json_integer(c->occupancy.blocks[i]));
  json_object_set_new(o, "blocks_per_sm", c->occupied.present ? json_integer(c->occupancy.blocks_per_sm) : json_null());
  json_object_set_new(o, "limit",
                      c->occupied.present ? json_string(occupancy_limit_name(c->occupancy.limit)) : json_null());
  json_object_set_new(o, "blocks_by_limit", limits);
  return o;
}

static json_t *loop_json(const struct static_code *c) {
  json_t *o = json_object(), *classes = json_object();

  for (int k = 0; k < SASS_CLASSES; k++) {
    const struct static_class *x = &c->classes[k];
    if (x->insts == 0)
      continue;
    json_t *one = json_pack("{s:I}", "insts", (json_int_t)x->insts);
    value_set(one, "per_byte", x->per_byte);
    value_set(one, "per_element", x->per_element);
    json_object_set_new(classes, sass_class_name((enum sass_class)k), one);
  }
  json_object_set_new(o, "insts", json_integer((json_int_t)c->loop_insts));
  value_set(o, "bytes_per_thread_turn", c->turn_bytes);
  json_object_set_new(o, "buffers_known", json_boolean(c->once_bytes.present));
  value_set(o, "insts_per_byte", c->insts_per_byte);
  value_set(o, "insts_per_element", c->insts_per_element);
  json_object_set_new(o, "classes", classes);
  return o;
}

static json_t *flight_json(const struct static_code *c) {
  json_t *o = json_object();

  value_set(o, "bytes_per_thread", c->thread_bytes);
  value_set(o, "bytes_per_warp", c->warp_bytes);
  value_set(o, "bytes_in_chip", c->bytes);
  value_set(o, "bytes_needed", c->needed_bytes);
  return o;
}

static json_t *bounds_json(const struct static_code *c) {
  json_t *o = json_object();

  for (int k = 0; k < BOUND_KINDS; k++) {
    json_t *one = json_object();
    value_set(one, "load_bytes_per_s", c->bounds[k].load_bw);
    value_set(one, "least_s", c->bounds[k].seconds);
    json_object_set_new(o, bound_name((enum bound_kind)k), one);
  }
  return o;
}

static json_t *advice_json(const struct static_advice *a) {
  json_t *evidence = json_array();

  for (size_t i = 0; i < a->n_evidence; i++) {
    json_t *x = json_pack("{s:s, s:s}", "title", a->evidence[i].title, "unit", a->evidence[i].unit);
    value_set(x, "value", a->evidence[i].value);
    json_array_append_new(evidence, x);
  }
  return json_pack("{s:s, s:s, s:s, s:s, s:o}", "rule", a->rule->name, "title", a->rule->title, "sentence", a->sentence,
                   "remedy", a->remedy, "evidence", evidence);
}

static json_t *dims_json(const unsigned d[3]) {
  return json_pack("[I, I, I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

static json_t *code_json(const struct static_code *c) {
  const struct run_kernel *k = c->kernel;
  json_t *o = json_object(), *advice = json_array();
  char shape[SHAPE_TEXT_MAX];

  for (size_t i = 0; i < c->n_advice; i++)
    json_array_append_new(advice, advice_json(&c->advice[i]));
  json_object_set_new(o, "variant", text_json(c->run->variants[c->result->variant].id));
  json_object_set_new(o, "shape",
                      !shape_none(c->result->shape) ? json_string(shape_text(c->result->shape, shape)) : json_null());
  json_object_set_new(o, "kernel", text_json(k->name));
  json_object_set_new(o, "arch", text_json(c->arch));
  json_object_set_new(o, "device", text_json(c->device->id));
  json_object_set_new(o, "origin", json_string(run_origin_name(ORIGIN_MODELLED)));
  json_object_set_new(o, "assumption", json_string(static_assumption(c)));
  json_object_set_new(o, "grid", c->launch && c->launch->grid[0] ? dims_json(c->launch->grid) : json_null());
  json_object_set_new(o, "block", c->launch ? dims_json(c->launch->block) : json_null());
  json_object_set_new(o, "registers", json_integer(k->registers));
  json_object_set_new(o, "smem_static_bytes", json_integer(k->smem_static));
  json_object_set_new(o, "spill_store_bytes",
                      k->spill_store_bytes < 0 ? json_null() : json_integer(k->spill_store_bytes));
  json_object_set_new(o, "spill_load_bytes", k->spill_load_bytes < 0 ? json_null() : json_integer(k->spill_load_bytes));
  json_object_set_new(o, "sass_reason", text_json(c->reason));
  json_object_set_new(o, "occupancy", occupancy_json(c));
  json_object_set_new(o, "loop", loop_json(c));
  json_object_set_new(o, "loads_in_flight", flight_json(c));
  value_set(o, "must_bytes", c->must_bytes);
  value_set(o, "warp_instructions", c->warp_insts);
  json_object_set_new(o, "sol_s", c->sol.seconds > 0 ? json_real(c->sol.seconds) : json_null());
  json_object_set_new(o, "bounds", bounds_json(c));
  json_object_set_new(o, "binding", c->binding == BOUND_KINDS ? json_null() : json_string(bound_name(c->binding)));
  json_object_set_new(o, "advice", advice);
  return o;
}

void report_code_json(const struct static_code *c, size_t n, struct text *out) {
  json_t *root = json_object(), *list = json_array();

  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, code_json(&c[i]));
  json_object_set_new(root, "schema", json_string("nvfp4-prof/static/1"));
  json_object_set_new(root, "diagnoses", list);
  put_json(root, out);
}
