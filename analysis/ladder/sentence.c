#include "analysis/ladder/sentence.h"

#include "analysis/ladder/moved.h"

#include <math.h>
#include <string.h>

/* A share is named where it is this part of the change or more; the cause is not found where the rest is over half of it. */
static const double NAMED = 0.1, NOT_FOUND = 0.5;
enum { NAMED_MAX = 3 };

static double change_s(const struct step_at *at) {
  return at->time.after.v - at->time.before.v;
}

/* Microseconds with three digits, no more than a hundredth behind the point. */
static int us_digits(double us) {
  return fabs(us) >= 99.95 ? 0 : fabs(us) >= 9.995 ? 1 : 2;
}

static void us_add(struct text *out, double seconds) {
  double us = seconds * 1e6;
  text_printf(out, "%s%.*f µs", us < 0 ? "−" : "+", us_digits(us), fabs(us));
}

static void add_times(struct text *out, const struct step_at *at) {
  double a = at->time.before.v * 1e6, b = at->time.after.v * 1e6;
  text_printf(out, " (%.*f → %.*f µs)", us_digits(a), a, us_digits(b), b);
}

static void add_ratio(struct text *out, const struct step *s, const struct step_at *at) {
  double times = fmax(at->ratio.v, 1 / at->ratio.v);
  text_add(out, s->to->id);
  if (at->same)
    text_printf(out, ": no measurable change against %s", s->from->id);
  else
    text_printf(out, " is %.*f× %s than %s",
                times >= 10     ? 0
                : times >= 3    ? 1
                : times >= 1.01 ? 2
                                : 3,
                times, at->ratio.v < 1 ? "faster" : "slower", s->from->id);
  add_times(out, at);
}

/* The largest share that is not yet named; STEP_GROUPS: none is worth a word. */
static enum step_group next_group(const struct step_at *at, unsigned named) {
  enum step_group best = STEP_GROUPS;
  double most = NAMED * fabs(change_s(at));
  for (int g = 0; g < STEP_GROUPS; g++)
    if (!(named >> g & 1) && fabs(at->shares.seconds[g]) >= most) {
      most = fabs(at->shares.seconds[g]);
      best = (enum step_group)g;
    }
  return best;
}

static void add_causes(struct text *out, const struct step_at *at) {
  const char *separator = ": ";
  unsigned named = 0;
  for (int i = 0; i < NAMED_MAX; i++) {
    enum step_group g = next_group(at, named);
    if (g == STEP_GROUPS)
      break;
    named |= 1U << g;
    text_printf(out, "%s%s ", separator, step_group_rows[g].title);
    us_add(out, at->shares.seconds[g]);
    moved_add(out, at, g);
    separator = ", ";
  }
  double others = 0;
  for (int g = 0; g < STEP_GROUPS; g++)
    others += named >> g & 1 ? 0 : at->shares.seconds[g];
  if (fabs(others) >= NAMED * fabs(change_s(at))) {
    text_printf(out, "%sthe others ", separator);
    us_add(out, others);
    separator = ", ";
  }
  if (fabs(at->shares.rest_s) >= NAMED * fabs(change_s(at))) {
    text_printf(out, "%sunexplained ", separator);
    us_add(out, at->shares.rest_s);
  }
}

/* The shares explain half of the change or more, or all but noise. */
static bool is_found(const struct step_at *at) {
  const struct stats *a = &at->parent->time, *b = &at->child->time;
  double noise = (a->ci_high - a->ci_low + b->ci_high - b->ci_low) / 2;
  double rest = fabs(at->shares.rest_s);
  return at->shares.known && (rest <= NOT_FOUND * fabs(change_s(at)) || rest <= noise);
}

size_t sentence_write(struct text *out, const struct step *s, const struct step_at *at) {
  size_t cause;
  const struct run_variant *missing = at->parent ? (at->child ? NULL : s->to) : s->from;
  if (missing) {
    text_printf(out, "nothing to explain: %s was not run at this shape.", missing->id);
    return out->n;
  }
  if (!at->ratio.present) {
    const struct finding *f = at->time.before.present ? at->child : at->parent;
    text_printf(out, "nothing to explain: %s has no time (%s).", f->variant->id,
                f->time_reason ? f->time_reason : at->ratio.reason);
    return out->n;
  }
  add_ratio(out, s, at);
  cause = out->n;
  if (!at->same && !at->shares.known) {
    text_printf(out, ": cause unknown, %s", at->shares.reason);
  } else if (!at->same && !is_found(at)) {
    text_add(out, ": cause not found (from the counters ");
    us_add(out, change_s(at) - at->shares.rest_s);
    text_add(out, ", measured ");
    us_add(out, change_s(at));
    text_add(out, ")");
  } else if (!at->same) {
    add_causes(out, at);
  }
  moved_code_add(out, at);
  bool named = out->n > cause;
  text_add(out, ".");
  return named ? cause + strlen(": ") : out->n;
}
