#include "analysis/ladder/claims.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char TEST[] = "[test:";

/* --- parsing --- */

/* value is cut. */
static int claim_parse(struct claim *out, char *value, struct err *e) {
  char *test = strstr(value, TEST), *end = strrchr(value, ']');
  int rc = 0;
  if (test && end > test) {
    *end = '\0';
    rc = expr_parse(&out->test, str_trim(test + strlen(TEST)), e);
    *test = '\0';
  }
  out->words = str_copy(str_trim(value));
  return rc;
}

static int claim_add(struct claims *out, const char *text, struct err *e) {
  char *value = str_copy(text);
  int rc = claim_parse(array_add(&out->items, &out->n, sizeof *out->items), value, e);
  free(value);
  return rc;
}

int claims_parse(struct claims *out, const struct run_variant *v, struct err *e) {
  int rc = 0;
  *out = (struct claims){0};
  for (size_t i = 0; i < v->n_keys && !rc; i++)
    if (strcmp(v->keys[i].key, "claim") == 0 && v->keys[i].value[0])
      rc = claim_add(out, v->keys[i].value, e);
  return rc ? err_context(e, "%s: claim", v->id) : 0;
}

void claims_release(struct claims *c) {
  for (size_t i = 0; i < c->n; i++) {
    free(c->items[i].words);
    expr_free(c->items[i].test);
  }
  free(c->items);
  *c = (struct claims){0};
}

/* --- judging --- */

enum end { END_LOW, END_HIGH }; /* of the interval of a time's ratio */

struct asked {
  const struct findings *f;
  const struct finding *parent, *child;
  enum end end;
  const char *absent; /* why a name has no value */
  struct text found;
  bool time, stall; /* the test names it */
};

static struct value ratio_of(const struct asked *a, const char *name) {
  struct value before = prediction_value(a->f, a->parent, name), after = prediction_value(a->f, a->child, name);
  if (before.present && after.present && before.v == 0)
    return after;
  return value_ratio(after, before, "");
}

static bool lookup(void *context, const char *name, double *value) {
  struct asked *a = context;
  struct value v = ratio_of(a, name);
  const struct stats *before = &a->parent->time, *after = &a->child->time;
  if (!v.present) {
    a->absent = v.reason ? v.reason : "no value";
    return false;
  }
  *value = v.v;
  if (strcmp(name, "time") == 0 && before->ci_low > 0)
    *value = a->end == END_LOW ? after->ci_low / before->ci_high : after->ci_high / before->ci_low;
  return true;
}

static void found_add(void *context, const char *name) {
  struct asked *a = context;
  struct value before = prediction_value(a->f, a->parent, name), v = ratio_of(a, name);
  if (!v.present)
    return;
  bool own = before.present && before.v == 0;
  a->time |= strcmp(name, "time") == 0;
  a->stall |= prediction_is_stall(a->child, name);
  text_printf(&a->found, "%s%s %s%.*f", a->found.n ? ", " : "", name, own ? "" : "×", own && v.v == round(v.v) ? 0 : 2,
              v.v);
}

void claim_judge(struct claim_judgement *out, const struct claim *c, const struct findings *f,
                 const struct finding *parent, const struct finding *child) {
  struct asked low = {.f = f, .parent = parent, .child = child, .end = END_LOW}, high = low;
  struct err why = {0};
  double at_low = 0, at_high = 0;
  *out = (struct claim_judgement){.verdict = JUDGED_UNKNOWN};
  high.end = END_HIGH;
  if (!c->test) {
    out->found = str_copy("the claim has no test");
    return;
  }
  if (expr_eval(c->test, lookup, &low, &at_low, &why) != 0 || expr_eval(c->test, lookup, &high, &at_high, &why) != 0) {
    out->found = str_copy(low.absent ? low.absent : why.text);
    return;
  }
  bool holds_low = at_low != 0, holds_high = at_high != 0;
  out->verdict = holds_low != holds_high ? JUDGED_UNCLEAR : holds_low ? JUDGED_CONFIRMED : JUDGED_REFUTED;
  expr_names(c->test, found_add, &low);
  out->of_time = low.time || low.stall;
  if (out->of_time && !low.time)
    found_add(&low, "time");
  out->found = text_take(&low.found);
  text_release(&low.found);
}

/* --- published --- */

/* Published and measured ratios agree within this part. */
static const double AGREE = 0.1;

static const struct run_published *published_like(const struct run_variant *v, const struct run_published *p) {
  for (size_t i = 0; i < v->n_published; i++)
    if (strcmp(v->published[i].device, p->device) == 0 && strcmp(v->published[i].what, p->what) == 0)
      return &v->published[i];
  return NULL;
}

static struct value time_over(const struct findings *f, const char *id, const char *what) {
  struct value none = value_absent("not measured at this shape");
  char text[SHAPE_TEXT_MAX];
  if (strcmp(what, "geomean") == 0)
    return findings_geomean(f, id);
  for (size_t i = 0; i < f->n_shapes; i++) {
    const struct finding *item = findings_at(f, id, f->shapes[i]);
    if (item && strcmp(shape_text(f->shapes[i], text), what) == 0)
      return finding_time(item);
  }
  return none;
}

/* What the rung takes where it was published is its first path. */
static void path_add(struct text *out, const struct findings *f, const struct run_variant *v) {
  const char *first = run_variant_key(v, "path"), *colon = first ? strchr(first, ':') : NULL;
  for (size_t i = 0; i < f->n && colon; i++) {
    const char *path = f->items[i].result->path;
    if (f->items[i].variant == v && path) {
      if (strcmp(path, colon + 1 + strspn(colon + 1, " ")) != 0)
        text_printf(out, "; path here: %s", path);
      return;
    }
  }
}

char *claims_published(const struct findings *f, const struct run_variant *from, const struct run_variant *to) {
  struct text out = {0};
  for (size_t i = 0; i < to->n_published; i++) {
    const struct run_published *after = &to->published[i], *before = published_like(from, after);
    if (!before || !(before->time_ns > 0) || !(after->time_ns > 0))
      continue;
    struct value here = value_ratio(time_over(f, to->id, after->what), time_over(f, from->id, after->what), "");
    double there = after->time_ns / before->time_ns;
    if (!here.present || fabs(log(here.v / there)) <= AGREE)
      continue;
    text_printf(&out, "%spublished ×%.2f (%s, %s), here ×%.2f", out.n ? "; " : "", there, after->device, after->what,
                here.v);
  }
  if (out.n)
    path_add(&out, f, to);
  char *sentence = out.n ? text_take(&out) : NULL;
  text_release(&out);
  return sentence;
}
