#include "analysis/ladder/projected.h"

#include "base/expr.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Geometric mean over the shapes; absent where one shape has none. */
static struct value mean_there(const struct findings *f, const struct projector *p, const char *id) {
  double sum = 0;
  for (size_t i = 0; i < f->n_shapes; i++) {
    const struct finding *item = findings_at(f, id, f->shapes[i]);
    struct projection x;
    if (!item)
      return value_absent("it was not run at every shape");
    projection_of(&x, p, item);
    if (!x.time_s.present)
      return x.time_s;
    sum += log(x.time_s.v);
  }
  return f->n_shapes ? value_of(exp(sum / (double)f->n_shapes)) : value_absent("the run has no shape");
}

/* "B200" is published for the device "NVIDIA B200". */
static struct value published_mean(const struct run_variant *v, const struct device *to) {
  for (size_t i = 0; i < v->n_published; i++) {
    const struct run_published *p = &v->published[i];
    if (to->name && strstr(to->name, p->device) && strcmp(p->what, "geomean") == 0 && p->time_ns > 0)
      return value_of(p->time_ns * 1e-9);
  }
  return value_absent("none was published");
}

static bool chip_lookup(void *context, const char *name, double *value) {
  const struct device *d = context;
  *value = d->sm;
  return strcmp(name, "sm") == 0;
}

/* Whether "EXPR: TEXT" holds on the chip; *text is what stands behind the colon. */
static bool path_holds(const char *value, struct device *d, const char **text) {
  const char *colon = strchr(value, ':');
  struct expr *x = NULL;
  double holds = 0;
  char *condition = colon ? str_printf("%.*s", (int)(colon - value), value) : NULL;
  bool known = condition && expr_parse(&x, condition, NULL) == 0 && expr_eval(x, chip_lookup, d, &holds, NULL) == 0;
  *text = colon ? colon + 1 + strspn(colon + 1, " ") : "";
  expr_free(x);
  free(condition);
  return known && holds != 0;
}

/* The first path that holds there; NULL where it is the one that was measured, or where none is named. */
static const char *path_there(const struct findings *f, const struct run_variant *v, const struct device *to) {
  struct device there = *to;
  const char *text = NULL, *here = NULL;
  for (size_t i = 0; i < f->n && !here; i++)
    here = f->items[i].variant == v ? f->items[i].result->path : NULL;
  for (size_t i = 0; i < v->n_keys; i++)
    if (strcmp(v->keys[i].key, "path") == 0 && path_holds(v->keys[i].value, &there, &text))
      return here && strcmp(here, text) != 0 ? text : NULL;
  return NULL;
}

static struct value times(struct value v, double factor) {
  return v.present ? value_of(v.v * factor) : v;
}

static void rung_fill(struct projected_rung *out, const struct findings *f, const struct projector *p) {
  static const char no_parent[] = "its parent is not in the run";
  const struct run_variant *v = out->variant, *parent = v->parent ? run_variant_find(f->run, v->parent) : NULL;
  double step = projection_step_factor(p), factor = projection_factor(p);
  out->here_s = findings_geomean(f, v->id);
  out->there_s = mean_there(f, p, v->id);
  out->low_s = times(out->there_s, 1 / factor);
  out->high_s = times(out->there_s, factor);
  out->path_there = path_there(f, v, p->to);
  out->published_s = published_mean(v, p->to);
  out->step_here = out->step_there = out->published_step = value_absent(no_parent);
  if (parent) {
    out->step_here = value_ratio(out->here_s, findings_geomean(f, parent->id), no_parent);
    out->step_there = value_ratio(out->there_s, mean_there(f, p, parent->id), no_parent);
    out->published_step = value_ratio(out->published_s, published_mean(parent, p->to), no_parent);
  }
  out->step_low = times(out->step_there, 1 / step);
  out->step_high = times(out->step_there, step);
}

static void shape_fill(struct projected_shape *out, const struct findings *f, const struct projector *p,
                       const struct run_variant *v) {
  const struct finding *item = findings_at(f, v->id, out->shape);
  struct projection x;
  struct sol sol;
  out->here_s = out->there_s = out->low_s = out->high_s = out->sol_s = value_absent("it was not run at this shape");
  if (!item)
    return;
  projection_of(&x, p, item);
  out->here_s = finding_time(item);
  out->there_s = x.time_s, out->low_s = x.low_s, out->high_s = x.high_s;
  double contest = item->result->bytes_contest;
  sol_of(&sol, contest > 0 ? contest : item->result->bytes_minimal, "contest", sol_stated_bandwidth(p->to));
  out->sol_s = sol.seconds > 0 ? value_of(sol.seconds) : value_absent("no DRAM bandwidth is stated for that device");
}

/* Of three digits, as it is published and as tables show it. */
static double shown(struct value v) {
  char digits[16];
  snprintf(digits, sizeof digits, "%.3g", v.v);
  return strtod(digits, NULL);
}

static bool inside(struct value published, struct value low, struct value high) {
  return shown(low) <= shown(published) && shown(published) <= shown(high);
}

/* How the rung's interval, and its step's, did where its author published. */
static void published_count(struct projected *p, const struct findings *f, const struct projected_rung *r) {
  const struct run_variant *parent = r->variant->parent ? run_variant_find(f->run, r->variant->parent) : NULL;
  if (r->published_step.present && r->step_there.present) {
    p->n_published++;
    p->n_inside += inside(r->published_step, r->step_low, r->step_high);
    p->n_other_steps += r->path_there || path_there(f, parent, p->projector.to);
  }
  if (r->path_there && r->published_s.present && r->there_s.present) {
    p->n_other_times++;
    p->n_other_inside += inside(r->published_s, r->low_s, r->high_s);
  }
}

void projected_make(struct projected *out, const struct findings *f, const struct device *to, const char *ladder) {
  *out = (struct projected){.rungs = calloc(f->run->n_variants + 1, sizeof *out->rungs),
                            .shapes = calloc(f->run->n_variants * f->n_shapes + 1, sizeof *out->shapes),
                            .n_shapes = f->n_shapes};
  projector_init(&out->projector, f->device, to);
  for (size_t i = 0; i < f->n_ladders; i++)
    for (size_t k = 0; k < f->ladders[i].n; k++) {
      const struct ladder *l = &f->ladders[i];
      if (ladder ? strcmp(l->name, ladder) != 0 : run_variant_is_aside(l->rungs[k]))
        continue;
      struct projected_rung *r = &out->rungs[out->n++];
      *r = (struct projected_rung){.variant = l->rungs[k], .ladder = l->name};
      rung_fill(r, f, &out->projector);
      for (size_t s = 0; s < f->n_shapes; s++) {
        struct projected_shape *at = &out->shapes[(out->n - 1) * f->n_shapes + s];
        at->shape = f->shapes[s];
        shape_fill(at, f, &out->projector, r->variant);
      }
      published_count(out, f, r);
    }
}

void projected_release(struct projected *p) {
  free(p->rungs);
  free(p->shapes);
  *p = (struct projected){0};
}
