
#include "reports/text/static_text.h"
#include "reports/words/put_json.h"

#include <limits.h>

static json_t *occupancy_json(const struct static_code *c) {
  json_t *o = json_object(), *limits = json_object();
  members_set(o, "share:V warps_in_chip:V", c->occupied, c->warps);
  for (int i = 0; i < OCCUPANCY_LIMITS && c->occupied.present; i++)
    if (c->occupancy.blocks[i] != INT_MAX)
      json_object_set_new(limits, occupancy_limit_name((enum occupancy_limit)i), json_integer(c->occupancy.blocks[i]));
  members_set(o, "blocks_per_sm:o limit:o blocks_by_limit:o",
              c->occupied.present ? json_integer(c->occupancy.blocks_per_sm) : json_null(),
              c->occupied.present ? json_string(occupancy_limit_name(c->occupancy.limit)) : json_null(), limits);
  return o;
}

static json_t *loop_json(const struct static_code *c) {
  json_t *o = json_object(), *classes = json_object();
  for (int k = 0; k < SASS_CLASSES; k++) {
    const struct static_class *x = &c->classes[k];
    if (x->insts == 0)
      continue;
    json_t *one = json_of("insts:I", (json_int_t)x->insts);
    members_set(one, "per_byte:V per_element:V", x->per_byte, x->per_element);
    json_object_set_new(classes, sass_class_name((enum sass_class)k), one);
  }
  members_set(o, "insts:I bytes_per_thread_turn:V buffers_known:b", (json_int_t)c->loop_insts, c->turn_bytes,
              c->once_bytes.present);
  members_set(o, "insts_per_byte:V insts_per_element:V classes:o", c->insts_per_byte, c->insts_per_element, classes);
  return o;
}

static json_t *flight_json(const struct static_code *c) {
  json_t *o = json_object();
  members_set(o, "bytes_per_thread:V bytes_per_warp:V bytes_in_chip:V bytes_needed:V", c->thread_bytes, c->warp_bytes,
              c->bytes, c->needed_bytes);
  return o;
}

static json_t *bounds_json(const struct static_code *c) {
  json_t *o = json_object();
  for (int k = 0; k < BOUND_KINDS; k++) {
    json_t *one = json_object();
    members_set(one, "load_bytes_per_s:V least_s:V", c->bounds[k].load_bw, c->bounds[k].seconds);
    json_object_set_new(o, bound_name((enum bound_kind)k), one);
  }
  return o;
}

static json_t *advice_json(const struct static_advice *a) {
  return json_of("rule:s title:s sentence:s remedy:s evidence:o", a->rule->name, a->rule->title, a->told.sentence,
                 a->told.remedy, evidence_json(a->told.evidence, a->told.n_evidence));
}

static json_t *dims_json(const unsigned d[3]) {
  return json_pack("[I, I, I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

json_t *code_json(const struct static_code *c) {
  const struct run_kernel *k = c->kernel;
  json_t *o = json_object(), *advice = json_array();
  for (size_t i = 0; i < c->n_advice; i++)
    json_array_append_new(advice, advice_json(&c->advice[i]));
  members_set(o, "variant:s shape:o kernel:s arch:s device:s origin:s assumption:s grid:o",
              c->run->variants[c->result->variant].id, declared_shape_json(c->result->shape), k->name, c->arch,
              c->device->id, run_origin_name(ORIGIN_MODELLED), static_assumption(c),
              c->launch && c->launch->grid[0] ? dims_json(c->launch->grid) : json_null());
  members_set(
      o,
      "block:o registers:I smem_static_bytes:I spill_store_bytes:o spill_load_bytes:o sass_reason:s occupancy:o loop:o",
      c->launch ? dims_json(c->launch->block) : json_null(), (json_int_t)k->registers, (json_int_t)k->smem_static,
      k->spill_store_bytes < 0 ? json_null() : json_integer(k->spill_store_bytes),
      k->spill_load_bytes < 0 ? json_null() : json_integer(k->spill_load_bytes), c->reason, occupancy_json(c),
      loop_json(c));
  members_set(o, "loads_in_flight:o must_bytes:V warp_instructions:V time_s:V time_low_s:V time_high_s:V",
              flight_json(c), c->must_bytes, c->warp_insts, c->time_s, c->low_s, c->high_s);
  members_set(o, "sol_s:o bounds:o binding:o binding_doubt:s advice:o",
              c->sol.seconds > 0 ? json_real(c->sol.seconds) : json_null(), bounds_json(c),
              c->binding == BOUND_KINDS || c->doubt ? json_null() : json_string(bound_name(c->binding)), c->doubt,
              advice);
  return o;
}

void report_code_json(const struct static_code *c, size_t n, struct text *out) {
  json_t *root = json_object(), *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, code_json(&c[i]));
  members_set(root, "schema:s diagnoses:o", "nvfp4-prof/static/1", list);
  put_json(root, out);
}
