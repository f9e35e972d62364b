#include "reports/words/prose_ladder.h"

#include <math.h>
#include <string.h>

const char *prose_goal(const char *ladder) {
  static const struct {
    const char *ladder, *goal;
  } goals[] = {
      {"cuda", "Goal: repeat a CUDA worklog, from one thread per row to the whole tile in one PTX block, and see which "
               "of its steps pay on this chip."},
      {"cute",
       "Goal: repeat two CuTe DSL worklogs as CUDA C++, from the contest's template to warp reductions, a sweep "
       "and the tensor cores."},
      {"attempts", "Goal: repeat a worklog of twelve attempts and test its explanations, most of them of failures, "
                   "against the counters."},
      {"top", "Goal: rebuild what the contest's winners did: cache policy, constant K, wide loads, few registers, one "
              "configuration per shape."},
      {"ours", "Goal: the time of a pure read of the same bytes."},
      {"cutlass", "Goal: a reference, the scheme of CUTLASS's block-scaled GEMV."},
  };
  for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
    if (strcmp(goals[i].ladder, ladder) == 0)
      return goals[i].goal;
  return NULL;
}

/* --- a ladder --- */

struct summary {
  const struct story_rung *first, *best, *gain; /* gain: the step that gained most; NULL: none */
  size_t rungs, sides, held, judged;
};

static void count_predictions(struct summary *x, const struct step *s) {
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = 0; k < s->predictions.n; k++) {
      enum judgement_verdict v = s->at[i].judgements[k].verdict;
      x->held += v == JUDGED_CONFIRMED;
      x->judged += v == JUDGED_CONFIRMED || v == JUDGED_REFUTED;
    }
}

static struct summary summary_of(const struct story *s, const struct view *v, const char *ladder) {
  struct summary x = {0};
  for (size_t i = 0; i < v->n; i++) {
    const struct story_rung *r = story_rung_of(s, v->items[i].variant);
    const struct climb *c = &r->climb;
    if (!view_on_ladder(&v->items[i], ladder))
      continue;
    x.rungs += !r->variant->side;
    x.sides += r->variant->side;
    if (!x.first && c->time_s.present)
      x.first = r;
    if (c->time_s.present && (!x.best || c->time_s.v < x.best->climb.time_s.v))
      x.best = r;
    if (c->over_parent.present && c->outcome == CLIMB_FASTER &&
        (!x.gain || c->over_parent.v > x.gain->climb.over_parent.v))
      x.gain = r;
    if (!r->untold)
      count_predictions(&x, &r->told.step);
  }
  return x;
}

static void us_add(struct text *out, struct value time_s) {
  text_printf(out, "%s µs", VIEW_NUMBER(time_s.v * 1e6, 4));
}

/* A ratio just above 1 has as many as tell it from 1. */
static int decimals_of(double ratio) {
  return ratio >= 10 ? 0 : ratio >= 3 ? 1 : ratio >= 1.01 ? 2 : 3;
}

/* "1.12 times" */
static void times_add(struct text *out, double ratio) {
  text_printf(out, "%.*f times", decimals_of(ratio), ratio);
}

void prose_times(struct text *out, double ratio) {
  double times = fmax(ratio, 1 / ratio);
  text_printf(out, "%.*f× %s", decimals_of(times), times, ratio < 1 ? "faster" : "slower");
}

void prose_ladder(const struct story *s, const struct view *v, const char *ladder, struct text *out) {
  struct summary x = summary_of(s, v, ladder);
  bool climb = view_words(v->f, ladder).climb;
  if (!x.best) {
    text_add(out, "No kernel has a time at every shape.");
    return;
  }
  if (!headline_of_rivals(v->f)) {
    text_printf(out, "%zu kernel%s of a program; a time is the median launch's, unless a column says mean.", x.rungs,
                x.rungs == 1 ? "" : "s");
    return;
  }
  if (climb && x.first != x.best) {
    text_printf(out, "From %s (", VIEW_NAME(x.first->variant));
    us_add(out, x.first->climb.time_s);
    text_add(out, ") to ");
  }
  text_printf(out, "%s (", VIEW_NAME(x.best->variant));
  us_add(out, x.best->climb.time_s);
  if (x.best->climb.of_sol.present)
    text_printf(out, ", %s %% of the speed of light", VIEW_NUMBER(100 * x.best->climb.of_sol.v, 3));
  text_add(out, ")");
  if (climb && x.first != x.best) {
    text_add(out, ": ");
    times_add(out, x.first->climb.time_s.v / x.best->climb.time_s.v);
    text_add(out, " faster");
  }
  if (climb)
    text_printf(out, "; %zu rung%s", x.rungs, x.rungs == 1 ? "" : "s");
  else if (x.rungs > 1)
    text_printf(out, " is the fastest of %zu kernels", x.rungs);
  if (climb && x.sides)
    text_printf(out, ", %zu side step%s", x.sides, x.sides == 1 ? "" : "s");
  text_add(out, ".");
}

void prose_sources(const struct view *v, const char *ladder, struct text *out) {
  for (size_t i = 0; i < v->n; i++) {
    for (size_t k = 0; view_on_ladder(&v->items[i], ladder) && k < v->items[i].variant->n_published; k++) {
      const struct run_published *p = &v->items[i].variant->published[k];
      if (p->source && !strstr(text_str(out), p->source))
        text_printf(out, "%s%s%s%s", out->n ? "; " : "", p->source, p->device ? ", measured on " : "",
                    p->device ? p->device : "");
    }
  }
}

void prose_lesson(const struct story *s, const struct view *v, const char *ladder, struct text *out) {
  struct summary x = summary_of(s, v, ladder);
  const struct finding *at = NULL;
  if (x.gain) {
    text_printf(out, "The largest step was %s, ", VIEW_NAME(x.gain->variant));
    times_add(out, x.gain->climb.over_parent.v);
    text_printf(out, " faster: %s. ", x.gain->variant->change ? x.gain->variant->change : "its change is not stated");
  }
  if (x.judged)
    text_printf(out, "%zu of %zu judged predictions held. ", x.held, x.judged);
  for (size_t i = 0; x.best && i < v->f->n_shapes && !at; i++)
    at = findings_at(v->f, x.best->variant->id, v->f->shapes[i]);
  if (at && at->bounds.binding != BOUND_KINDS)
    text_printf(out, "%s is now bound by %s at %s.", VIEW_NAME(x.best->variant), bound_rows[at->bounds.binding].noun,
                VIEW_SHAPE(at->result->shape));
}

/* --- a step --- */

/* What happened to the time at a shape. */
enum change { CHANGE_NONE, CHANGE_FASTER, CHANGE_SLOWER, CHANGE_UNKNOWN };

static enum change change_at(const struct step_at *at) {
  if (!at->ratio.present)
    return CHANGE_UNKNOWN;
  return at->same ? CHANGE_NONE : at->ratio.v < 1 ? CHANGE_FASTER : CHANGE_SLOWER;
}

/* "1.12 times faster", "no measurable change" */
static void change_words(struct text *out, const struct step_at *at) {
  enum change c = change_at(at);
  if (c == CHANGE_UNKNOWN) {
    text_add(out, "not known");
  } else if (c == CHANGE_NONE) {
    text_add(out, "no measurable change");
  } else {
    times_add(out, c == CHANGE_FASTER ? 1 / at->ratio.v : at->ratio.v);
    text_add(out, c == CHANGE_FASTER ? " faster" : " slower");
  }
}

/* The shapes at which the step did another thing than over all. */
static void exceptions_add(struct text *out, const struct step *s, enum change overall, bool mixed) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    if (change_at(&s->at[i]) == overall)
      continue;
    text_printf(out, "%s at %s ", any ? "," : mixed ? ":" : "; but", VIEW_SHAPE(s->at[i].shape));
    change_words(out, &s->at[i]);
    any = true;
  }
}

/* "at 7168×16384×1: ": where it is told of some shapes only. */
static void told_at_add(const struct step *s, struct text *out) {
  const char *separator = "at ";
  bool apart = false;
  for (size_t i = 0; i < s->n; i++)
    apart |= s->at[i].ratio.present && !s->at[i].same && !s->at[i].told;
  for (size_t i = 0; apart && i < s->n; i++) {
    if (!s->at[i].told)
      continue;
    text_printf(out, "%s%s", separator, VIEW_SHAPE(s->at[i].shape));
    separator = ", ";
  }
  text_add(out, strcmp(separator, ", ") == 0 ? ": " : "");
}

void prose_why(const struct step *s, struct text *out) {
  told_at_add(s, out);
  text_add(out, s->why);
}

bool prose_cause(const struct step *s, struct text *out) {
  if (!s->cause || !*s->cause)
    return false;
  told_at_add(s, out);
  text_add(out, s->cause);
  return true;
}

void prose_step_over(const struct step *step, const struct climb *c, struct value parent_s, struct text *out) {
  struct text why = {0};
  enum change overall;
  overall = c->outcome == CLIMB_FASTER || c->outcome == CLIMB_SLOWER
                ? (c->outcome == CLIMB_FASTER ? CHANGE_FASTER : CHANGE_SLOWER)
                : CHANGE_NONE;
  if (c->time_s.present && c->over_parent.present) {
    us_add(out, parent_s);
    text_add(out, " → ");
    us_add(out, c->time_s);
    text_printf(out, " against %s: ", VIEW_NAME(step->from));
    if (overall == CHANGE_NONE) {
      text_add(out, c->outcome == CLIMB_MIXED ? "it depends on the shape" : "no measurable change");
    } else {
      times_add(out, overall == CHANGE_FASTER ? fmax(c->over_parent.v, 1) : fmax(1 / c->over_parent.v, 1));
      text_add(out, overall == CHANGE_FASTER ? " faster" : " slower");
    }
    exceptions_add(out, step, overall, c->outcome == CLIMB_MIXED);
    text_add(out, ".");
  }
  prose_why(step, &why);
  if (why.n)
    text_printf(out, " Why: %s.", text_str(&why));
  text_end(&why, out);
}

void prose_step(const struct story_rung *r, const struct story *s, struct text *out) {
  if (!r->untold && r->told.step.most)
    prose_step_over(&r->told.step, &r->climb, story_rung_of(s, r->parent)->climb.time_s, out);
}

void prose_predictions(const struct step *s, struct text *out) {
  for (size_t k = 0; k < s->predictions.n; k++) {
    size_t held = 0, failed = 0;
    struct text where = {0};
    for (size_t i = 0; i < s->n; i++) {
      const struct judgement *j = &s->at[i].judgements[k];
      held += j->verdict == JUDGED_CONFIRMED;
      if (j->verdict != JUDGED_REFUTED)
        continue;
      failed++;
      text_printf(&where, "%s %s", where.n ? "," : "", VIEW_SHAPE(s->at[i].shape));
      if (j->ratio.present)
        text_printf(&where, " (%s×)", VIEW_NUMBER(j->ratio.v, 3));
    }
    text_printf(out, "%s%s ", out->n ? "; " : "", s->predictions.items[k].item);
    if (failed && failed == s->n)
      text_add(out, "failed");
    else if (failed)
      text_printf(out, "failed at%s", text_str(&where));
    else
      text_add(out, held == s->n ? "held" : held ? "held where it is known" : "is not known");
    text_release(&where);
  }
}
