#include "reports/text/diagnose.h"

#include "reports/text/steps.h"
#include "reports/words/put_json.h"

static json_t *change_json(struct step_change c) {
  json_t *o = json_of("before:v after:v", c.before, c.after);
  struct value absent = c.before.present ? c.after : c.before;
  if (!absent.present)
    json_object_set_new(o, "reason", text_json(absent.reason));
  return o;
}

static json_t *bound_json(const struct finding *f, const char *bound) {
  json_t *o = json_object();
  members_set(o, "bound:s largest:s", bound, f && bound ? bound_name(f->bounds.binding) : NULL);
  json_object_set_new(o, "share",
                      f ? number_json(f->bounds.share) : json_null()); /* of the time, by the largest bound */
  return o;
}

static json_t *judgement_json(const struct prediction *p, const struct judgement *j) {
  json_t *o = json_of("item:s verdict:s", p->item, judgement_name(j->verdict));
  if (p->kind == PREDICTION_BOUND) {
    json_object_set_new(o, "before", text_json(j->bound_before));
    json_object_set_new(o, "after", text_json(j->bound_after));
  } else {
    members_set(o, "before:v after:v ratio:v", j->before, j->after, j->ratio);
  }
  if (j->verdict == JUDGED_UNKNOWN)
    members_set(o, "reason:s absent_from:s", j->reason, j->absent);
  return o;
}

static json_t *cure_json(const struct cure *c) {
  return json_of("rule:s spoke:b promised_s:f gained_s:f silent_after:b", c->rule->name, c->before != NULL,
                 c->promised_s, c->gained_s, c->silent_after);
}

/* What was advised at the parent, and what of it the step says that it cures. */
static void advised_set(json_t *o, const struct advised *a) {
  json_t *cures = json_array();
  json_object_set_new(o, "advice_before",
                      a->first ? json_of("rule:s title:s saves_s:f stop:b", a->first->rule->name, a->first->rule->title,
                                         a->first->price.saves_s, a->first->told.stop)
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
    json_array_append_new(list, json_of("words:s verdict:s found:s causes:s", s->claims.items[i].words,
                                        judgement_name(at->claimed[i].verdict), at->claimed[i].found,
                                        at->claimed[i].of_time ? at->causes : NULL));
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
  members_set(o, "shape:s time_s:o time_ratio:v same:b bound_before:o bound_after:o", shape_text(at->shape, shape),
              change_json(at->time), at->ratio, at->same, bound_json(at->parent, at->bound_before),
              bound_json(at->child, at->bound_after));
  members_set(o, "dram_bytes:o inst_per_element:o registers:o achieved_occupancy:o stall_shares:o bounds_s:o",
              change_json(at->dram_bytes), change_json(at->inst_per_element), change_json(at->registers),
              change_json(at->occupancy), stalls, changes_json(at->bounds, BOUND_KINDS, bound_at));
  members_set(o, "instructions_by_pipe:o shares_s:o predictions:o claims:o sentence:s",
              changes_json(at->pipes, STEP_PIPES, pipe_at), shares_json(at), predictions, claims_json(s, at),
              at->sentence);
  if (told->advised)
    advised_set(o, &told->advised[shape_index]);
  return o;
}

static json_t *step_json(const struct story_step *told) {
  const struct step *s = &told->step;
  json_t *shapes = json_array();
  for (size_t i = 0; i < s->n; i++)
    json_array_append_new(shapes, at_json(told, i));
  return json_of("from:s to:s ladder:s change:s side:b why:s published:s shapes:o", s->from->id, s->to->id,
                 s->to->ladder, s->to->change, s->to->side, s->why, s->published, shapes);
}

void report_steps_json(const struct findings *f, const struct story_step *steps, size_t n, struct text *out) {
  const struct run *r = f->run;
  json_t *root = json_object(), *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, step_json(&steps[i]));
  members_set(root, "schema:s origin:s device:s created:s steps:o", "nvfp4-prof/explain/1", run_origin_name(r->origin),
              r->device.name, r->created, list);
  put_json(root, out);
}
