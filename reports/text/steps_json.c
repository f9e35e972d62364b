#include "reports/text/diagnose.h"

#include "reports/text/put_json.h"
#include "reports/text/steps.h"

static json_t *change_json(struct step_change c) {
  json_t *o = json_pack("{s:o, s:o}", "before", number_json(c.before), "after", number_json(c.after));
  struct value absent = c.before.present ? c.after : c.before;

  if (!absent.present)
    json_object_set_new(o, "reason", text_json(absent.reason));
  return o;
}

static json_t *bound_json(const struct finding *f, const char *bound) {
  json_t *o = json_object();

  json_object_set_new(o, "bound", text_json(bound));
  json_object_set_new(o, "largest", text_json(f && bound ? bound_name(f->bounds.binding) : NULL));
  json_object_set_new(o, "share",
                      f ? number_json(f->bounds.share) : json_null()); /* of the time, by the largest bound */
  return o;
}

static json_t *judgement_json(const struct prediction *p, const struct judgement *j) {
  json_t *o = json_pack("{s:s, s:s}", "item", p->item, "verdict", judgement_name(j->verdict));

  if (p->kind == PREDICTION_BOUND) {
    json_object_set_new(o, "before", text_json(j->bound_before));
    json_object_set_new(o, "after", text_json(j->bound_after));
  } else {
    json_object_set_new(o, "before", number_json(j->before));
    json_object_set_new(o, "after", number_json(j->after));
    json_object_set_new(o, "ratio", number_json(j->ratio));
  }
  if (j->verdict == JUDGED_UNKNOWN) {
    json_object_set_new(o, "reason", text_json(j->reason));
    json_object_set_new(o, "absent_from", text_json(j->absent));
  }
  return o;
}

static json_t *cure_json(const struct cure *c) {
  return json_pack("{s:s, s:b, s:f, s:f, s:b}", "rule", c->rule->name, "spoke", c->before != NULL, "promised_s",
                   c->promised_s, "gained_s", c->gained_s, "silent_after", c->silent_after);
}

/* What was advised at the parent, and what of it the step says that it cures. */
static void advised_set(json_t *o, const struct advised *a) {
  json_t *cures = json_array();

  json_object_set_new(o, "advice_before",
                      a->first ? json_pack("{s:s, s:s, s:f, s:b}", "rule", a->first->rule->name, "title",
                                           a->first->rule->title, "saves_s", a->first->saves_s, "stop", a->first->stop)
                               : json_null());
  if (!a->first)
    json_object_set_new(o, "advice_before_reason", text_json(report_no_advice(a->reason)));
  for (size_t i = 0; i < a->n_cures; i++)
    json_array_append_new(cures, cure_json(&a->cures[i]));
  json_object_set_new(o, "cures", cures);
}

static json_t *claims_json(const struct step *s, const struct step_at *at) {
  json_t *list = json_array();

  for (size_t i = 0; i < s->claims.n; i++)
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:o}", "words", s->claims.items[i].words, "verdict",
                                    judgement_name(at->claimed[i].verdict), "found", text_json(at->claimed[i].found)));
  return list;
}

/* Seconds by group; with the rest they add up to the change in time. */
static json_t *shares_json(const struct step_at *at) {
  json_t *o = json_object();

  for (int g = 0; g < STEP_GROUPS && at->shares.known; g++)
    json_object_set_new(o, step_group_rows[g].name, json_real(at->shares.seconds[g]));
  if (at->shares.known)
    json_object_set_new(o, "unexplained", json_real(at->shares.rest_s));
  else
    json_object_set_new(o, "reason", text_json(at->shares.reason));
  return o;
}

static const char *bound_at(size_t i) {
  return bound_name((enum bound_kind)i);
}

static const char *pipe_at(size_t i) {
  return step_pipes[i];
}

/* An object with a change by name. */
static json_t *changes_json(const struct step_change *c, size_t n, const char *(*name)(size_t i)) {
  json_t *o = json_object();

  for (size_t i = 0; i < n; i++)
    json_object_set_new(o, name(i), change_json(c[i]));
  return o;
}

static json_t *at_json(const struct story_step *told, size_t shape_index) {
  const struct step *s = &told->step;
  const struct step_at *at = &s->at[shape_index];
  json_t *o = json_object(), *stalls = json_array(), *predictions = json_array();
  char shape[SHAPE_TEXT_MAX];

  for (size_t i = 0; i < at->n_stalls; i++) {
    json_t *stall = change_json(at->stalls[i].share);

    json_object_set_new(stall, "stall", text_json(at->stalls[i].reason));
    json_array_append_new(stalls, stall);
  }
  for (size_t i = 0; i < s->predictions.n; i++)
    json_array_append_new(predictions, judgement_json(&s->predictions.items[i], &at->judgements[i]));
  json_object_set_new(o, "shape", json_string(shape_text(at->shape, shape)));
  json_object_set_new(o, "time_s", change_json(at->time));
  json_object_set_new(o, "time_ratio", number_json(at->ratio));
  json_object_set_new(o, "same", json_boolean(at->same));
  json_object_set_new(o, "bound_before", bound_json(at->parent, at->bound_before));
  json_object_set_new(o, "bound_after", bound_json(at->child, at->bound_after));
  json_object_set_new(o, "dram_bytes", change_json(at->dram_bytes));
  json_object_set_new(o, "inst_per_element", change_json(at->inst_per_element));
  json_object_set_new(o, "registers", change_json(at->registers));
  json_object_set_new(o, "achieved_occupancy", change_json(at->occupancy));
  json_object_set_new(o, "stall_shares", stalls);
  json_object_set_new(o, "bounds_s", changes_json(at->bounds, BOUND_KINDS, bound_at));
  json_object_set_new(o, "instructions_by_pipe", changes_json(at->pipes, STEP_PIPES, pipe_at));
  json_object_set_new(o, "shares_s", shares_json(at));
  json_object_set_new(o, "predictions", predictions);
  json_object_set_new(o, "claims", claims_json(s, at));
  json_object_set_new(o, "sentence", json_string(at->sentence));
  if (told->advised)
    advised_set(o, &told->advised[shape_index]);
  return o;
}

static json_t *step_json(const struct story_step *told) {
  const struct step *s = &told->step;
  json_t *shapes = json_array();

  for (size_t i = 0; i < s->n; i++)
    json_array_append_new(shapes, at_json(told, i));
  return json_pack("{s:s, s:s, s:o, s:o, s:b, s:s, s:o, s:o}", "from", s->from->id, "to", s->to->id, "ladder",
                   text_json(s->to->ladder), "change", text_json(s->to->change), "side", s->to->side, "why", s->why,
                   "published", text_json(s->published), "shapes", shapes);
}

void report_steps_json(const struct findings *f, const struct story_step *steps, size_t n, struct text *out) {
  const struct run *r = f->run;
  json_t *root = json_object(), *list = json_array();

  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, step_json(&steps[i]));
  json_object_set_new(root, "schema", json_string("nvfp4-prof/explain/1"));
  json_object_set_new(root, "origin", json_string(run_origin_name(r->origin)));
  json_object_set_new(root, "device", text_json(r->device.name));
  json_object_set_new(root, "created", text_json(r->created));
  json_object_set_new(root, "steps", list);
  put_json(root, out);
}
