#include "analysis/ladder/sentence.h"

#include "analysis/ladder/causes.h"
#include "analysis/ladder/moved.h"

#include <math.h>

/* What is not told of one cause is named where it is this part of the change or more. */
static const double NAMED = 0.1;
enum { NAMED_MAX = 3 };

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

static void add_causes(struct text *out, const struct step_at *at) {
  const char *separator = ": ";
  struct cause causes[STEP_GROUPS];
  double others;
  size_t n = causes_of_shape(causes, at, &others);
  for (size_t i = 0, named = 0; i < n; i++) {
    if (named == NAMED_MAX || !moved_any(at, causes[i].lead)) {
      others += causes[i].share;
      continue;
    }
    named++;
    text_add(out, separator);
    cause_title_add(out, &causes[i]);
    text_add(out, " ");
    us_add(out, causes[i].share);
    moved_add(out, at, causes[i].lead);
    separator = ", ";
  }
  if (fabs(others) >= NAMED * fabs(causes_change_s(at))) {
    text_printf(out, "%sthe others ", separator);
    us_add(out, others);
    separator = ", ";
  }
  if (fabs(at->shares.rest_s) >= NAMED * fabs(causes_change_s(at))) {
    text_printf(out, "%sunexplained ", separator);
    us_add(out, at->shares.rest_s);
    text_add(out, causes_rest_is_noise(at) ? causes_noise : "");
  }
}

/* Where the change was counted: "; counted as waits for loads −3.10 µs, issuing +1.20 µs". */
static void add_counted(struct text *out, const struct step_at *at) {
  enum cycle_use named[CYCLE_USES_NAMED];
  double part[CYCLE_USES];
  for (int k = 0; k < CYCLE_USES; k++)
    part[k] = causes_counted(at) ? at->cycles[k] / causes_change_s(at) : 0;
  size_t n = cycle_uses_named(named, part);
  for (size_t i = 0; i < n; i++) {
    text_printf(out, "%s%s ", i ? ", " : "; counted as ", cycle_use_titles[named[i]]);
    us_add(out, at->cycles[named[i]]);
  }
}

void sentence_write(struct text *out, const struct step *s, const struct step_at *at) {
  const struct run_variant *missing = at->parent ? (at->child ? NULL : s->to) : s->from;
  if (missing) {
    text_printf(out, "nothing to explain: %s was not run at this shape.", missing->id);
    return;
  }
  if (!at->ratio.present) {
    const struct finding *f = at->time.before.present ? at->child : at->parent;
    text_printf(out, "nothing to explain: %s has no time (%s).", f->variant->id,
                f->time_reason ? f->time_reason : at->ratio.reason);
    return;
  }
  add_ratio(out, s, at);
  if (!at->same && !at->shares.known) {
    text_printf(out, ": cause unknown, %s", at->shares.reason);
  } else if (!at->same && !causes_found(at)) {
    text_add(out, ": cause not found; the counters show ");
    us_add(out, causes_change_s(at) - at->shares.rest_s);
    text_add(out, " of ");
    us_add(out, causes_change_s(at));
    add_counted(out, at);
  } else if (!at->same) {
    add_causes(out, at);
  }
  moved_code_add(out, at);
  text_add(out, ".");
}
