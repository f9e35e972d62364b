#include "analysis/ladder/sentence.h"

#include <math.h>
#include <string.h>

/* What moved by less is left out: it explains nothing.  Counts and occupancy: part of what was; a stall: part of all warp cycles. */
static const double COUNT_MOVED = 0.03, OCCUPANCY_MOVED = 0.1, STALL_MOVED = 0.05;
/* The time follows the work of a resource where their logarithms differ by at most this part. */
static const double IN_STEP = 0.25;

static const char *bound_noun(enum bound_kind k) {
  return bound_rows[k].noun;
}

static void add_stall(struct text *out, const char *reason) {
  static const struct {
    const char *reason, *words;
  } known[] = {
      {"long_scoreboard", "waits for loads"},
      {"short_scoreboard", "waits for shared memory"},
      {"wait", "fixed-latency waits"},
      {"barrier", "waits at barriers"},
      {"mio_throttle", "waits for the shared-memory queue"},
      {"lg_throttle", "waits for the load queue"},
      {"math_pipe_throttle", "waits for a busy arithmetic pipe"},
      {"no_instruction", "waits for instructions"},
      {"branch_resolving", "waits for branch targets"},
      {"membar", "waits at memory fences"},
  };
  const char *words = NULL;
  for (size_t i = 0; i < sizeof known / sizeof known[0] && !words; i++)
    if (strcmp(known[i].reason, reason) == 0)
      words = known[i].words;
  if (words) {
    text_add(out, words);
    return;
  }
  for (const char *c = reason; *c; c++)
    text_add_n(out, *c == '_' ? " " : c, 1);
  text_add(out, " stalls");
}

/* "fell 93 %", "rose 12 %", "rose 3.1-fold"; before and after are above 0. */
static void add_move(struct text *out, double before, double after) {
  double ratio = after / before;
  if (ratio >= 2)
    text_printf(out, "rose %.*f-fold", ratio < 10 ? 1 : 0, ratio);
  else if (ratio >= 1)
    text_printf(out, "rose %.0f %%", (ratio - 1) * 100);
  else if (ratio <= 0.01)
    text_add(out, "fell over 99 %");
  else
    text_printf(out, "fell %.0f %%", (1 - ratio) * 100);
}

static bool moved(struct step_change c, double least) {
  return c.before.present && c.after.present && c.before.v > 0 && c.after.v > 0 &&
         fabs(c.after.v / c.before.v - 1) >= least;
}

/* --- the time --- */

static void add_time(struct text *out, const struct step *s, const struct step_at *at) {
  double ratio = at->ratio.v;
  int digits = ratio > 0.1 && ratio < 10 ? 1 : 0;
  text_add(out, s->to->id);
  if (at->same)
    text_printf(out, " shows no measurable change in time against %s", s->from->id);
  else if (ratio <= 1 / 1.5)
    text_printf(out, " is %.*f× faster than %s", digits, 1 / ratio, s->from->id);
  else if (ratio >= 1.5)
    text_printf(out, " is %.*f× slower than %s", digits, ratio, s->from->id);
  else
    text_printf(out, " takes %.*f %% %s time than %s", fabs(ratio - 1) < 0.095 ? 1 : 0, fabs(ratio - 1) * 100,
                ratio < 1 ? "less" : "more", s->from->id);
}

/* --- the bounds --- */

/* "%.0f %%" of the time, once where both are equal as printed. */
static void add_shares(struct text *out, const struct step_at *at) {
  double before = at->parent->bounds.share.v * 100, after = at->child->bounds.share.v * 100;
  if (round(before) == round(after))
    text_printf(out, "%.0f %% of the time", after);
  else
    text_printf(out, "%.0f %%, then %.0f %% of the time", before, after);
}

static void add_bounds(struct text *out, const struct step_at *at) {
  bool late_before = strcmp(at->bound_before, "latency") == 0, late_after = strcmp(at->bound_after, "latency") == 0;
  const char *before = bound_noun(at->parent->bounds.binding), *after = bound_noun(at->child->bounds.binding);
  double share_before = at->parent->bounds.share.v * 100, share_after = at->child->bounds.share.v * 100;

  if (late_before && late_after) {
    text_add(out, "latency binds before and after (no resource needs more than ");
    add_shares(out, at);
    text_add(out, ")");
  } else if (late_before) {
    text_printf(out, "latency bound before (no resource needed more than %.0f %% of the time), %s binds now (%.0f %%)",
                share_before, after, share_after);
  } else if (late_after) {
    text_printf(out, "%s bound before (%.0f %% of the time), latency binds now (no resource needs more than %.0f %%)",
                before, share_before, share_after);
  } else if (before == after) {
    text_printf(out, "%s binds before and after (", before);
    add_shares(out, at);
    text_add(out, ")");
  } else {
    text_printf(out, "%s bound before (%.0f %% of the time), %s binds now (%.0f %%)", before, share_before, after,
                share_after);
  }
}

static struct step_change work_of(const struct step_at *at, enum bound_kind k) {
  return (struct step_change){at->parent->bounds.seconds[k], at->child->bounds.seconds[k]};
}

/* The part of the change in time, as a logarithm, that the change in a resource's work is: 1 where the time followed it. */
static double part_of_time(const struct step_at *at, enum bound_kind k) {
  struct step_change work = work_of(at, k);
  return log(work.after.v / work.before.v) / log(at->ratio.v);
}

static bool work_known(const struct step_at *at, enum bound_kind k) {
  struct step_change work = work_of(at, k);
  return work.before.present && work.after.present && work.before.v > 0 && work.after.v > 0;
}

/* Whose work may say why the time changed: a resource that binds, before or after, and of two the one that the time followed, else the
 * one that bound before (the time fell) or that binds now (it rose).  BOUND_KINDS: none, since latency binds or the time did not change. */
static enum bound_kind cause_of(const struct step_at *at) {
  enum bound_kind before = at->parent->bounds.binding, after = at->child->bounds.binding;
  bool may_before = strcmp(at->bound_before, "latency") != 0 && work_known(at, before);
  bool may_after = strcmp(at->bound_after, "latency") != 0 && work_known(at, after);
  bool fell = at->ratio.v < 1;
  if (at->same)
    return BOUND_KINDS;
  if (may_before && fabs(part_of_time(at, before) - 1) <= IN_STEP)
    return before;
  if (may_after && fabs(part_of_time(at, after) - 1) <= IN_STEP)
    return after;
  if (fell)
    return may_before ? before : BOUND_KINDS;
  return may_after ? after : BOUND_KINDS;
}

static void add_cause(struct text *out, const struct step_at *at, enum bound_kind k) {
  if (k == BOUND_KINDS)
    return;
  struct step_change work = work_of(at, k);
  double part = part_of_time(at, k);
  const char *name = bound_rows[k].work;
  if (fabs(part - 1) <= IN_STEP) {
    text_printf(out, ", and the time followed the %s, which ", name);
    add_move(out, work.before.v, work.after.v);
  } else if (!moved(work, COUNT_MOVED)) {
    text_printf(out, ", with much the same %s", name);
  } else {
    text_printf(out, "%s the %s ", part < 0 ? ", though" : ", and", name);
    add_move(out, work.before.v, work.after.v);
    text_add(out, part < 0 ? "" : part < 1 ? ", less than the time did" : ", more than the time did");
  }
}

/* --- what fell and what rose --- */

static void add_percent(struct text *out, double share) {
  text_printf(out, "%.*f %%", share > 0 && share < 0.095 ? 1 : 0, share * 100);
}

/* Shares of 0..1 as " fell from 49 % to 31 %". */
static void add_from_to(struct text *out, struct step_change c) {
  text_printf(out, " %s from ", c.after.v < c.before.v ? "fell" : "rose");
  add_percent(out, c.before.v);
  text_add(out, " to ");
  add_percent(out, c.after.v);
}

/* The largest change of a stall that fell, or rose; NULL: none is worth a word.  A warp that was ready (`not_selected`) waited for nothing
 * but its turn. */
static const struct step_stall *stall_moved(const struct step_at *at, bool fell) {
  for (size_t i = 0; i < at->n_stalls; i++) {
    const struct step_stall *s = &at->stalls[i];
    double change = s->share.after.v - s->share.before.v;
    if (strcmp(s->reason, "not_selected") != 0 && fabs(change) >= STALL_MOVED && (change < 0) == fell)
      return s;
  }
  return NULL;
}

/* cause: the resource whose work is named already. */
static void add_counts(struct text *out, const struct step_at *at, enum bound_kind cause) {
  const char *separator = "; ";
  if (cause != BOUND_ISSUE && moved(at->inst_per_element, COUNT_MOVED)) {
    text_printf(out, "%sinstructions ", separator);
    add_move(out, at->inst_per_element.before.v, at->inst_per_element.after.v);
    separator = ", ";
  }
  if (cause != BOUND_DRAM && moved(at->dram_bytes, COUNT_MOVED)) {
    text_printf(out, "%sDRAM bytes ", separator);
    add_move(out, at->dram_bytes.before.v, at->dram_bytes.after.v);
    separator = ", ";
  }
  /* First what goes with the time. */
  bool faster = at->ratio.v < 1;
  const struct step_stall *stalls[] = {stall_moved(at, faster), stall_moved(at, !faster)};
  bool named = false;
  for (size_t i = 0; i < sizeof stalls / sizeof stalls[0]; i++) {
    if (!stalls[i])
      continue;
    text_add(out, separator);
    add_stall(out, stalls[i]->reason);
    add_from_to(out, stalls[i]->share);
    text_add(out, named ? "" : " of the warps' cycles");
    named = true;
    separator = ", ";
  }
  if (moved(at->occupancy, OCCUPANCY_MOVED)) {
    text_printf(out, "%soccupancy", separator);
    add_from_to(out, at->occupancy);
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
  enum bound_kind cause = BOUND_KINDS;
  add_time(out, s, at);
  if (at->bound_before && at->bound_after) {
    text_add(out, ": ");
    add_bounds(out, at);
    cause = cause_of(at);
    add_cause(out, at, cause);
  } else {
    text_add(out, "; which bound binds is unknown, for want of counters or ceilings");
  }
  add_counts(out, at, cause);
  text_add(out, ".");
}
