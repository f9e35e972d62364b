#include "analysis/ladder/causes.h"

#include "analysis/ladder/moved.h"
#include "base/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A share is named where it is this part of the change or more; groups that undo each other by more than OPPOSED of it are one cause, and the cause is
 * not found where the rest is over NOT_FOUND of it. */
static const double NAMED = 0.1, OPPOSED = 0.5, NOT_FOUND = 0.5;

const double causes_error = 0.05;
const char causes_noise[] = " (within the 95 % intervals of the times)";

/* --- causes of shares --- */

/* What warps and SMs share out among themselves, so that how much of it each has to do with the change depends on the order. */
static const unsigned SHARED_OUT = 1U << GROUP_INSTRUCTIONS | 1U << GROUP_LOADS | 1U << GROUP_DEPENDENCIES |
                                   1U << GROUP_GEOMETRY | 1U << GROUP_BALANCE;

/* The pair that undoes most of each other; what it undoes. */
static double most_opposed(const struct cause *c, size_t n, size_t *a, size_t *b) {
  double most = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++) {
      bool may = c[i].share * c[k].share < 0 && !((c[i].groups | c[k].groups) & ~SHARED_OUT);
      double undone = may ? fmin(fabs(c[i].share), fabs(c[k].share)) : 0;
      if (undone > most)
        most = undone, *a = i, *b = k;
    }
  return most;
}

/* Of the groups the one that speaks most for what they come to together. */
static enum step_group lead_of(unsigned groups, const double shares[STEP_GROUPS], double sum) {
  enum step_group best = STEP_GROUPS;
  for (int g = 0; g < STEP_GROUPS; g++) {
    double sign = sum < 0 ? -1 : 1;
    if (groups >> g & 1 && (best == STEP_GROUPS || sign * shares[g] > sign * shares[best]))
      best = (enum step_group)g;
  }
  return best;
}

/* Cause b becomes part of cause a; the number that is left. */
static size_t joined(struct cause *c, size_t n, size_t a, size_t b, const double shares[STEP_GROUPS]) {
  c[a].groups |= c[b].groups;
  c[a].share += c[b].share;
  c[a].lead = lead_of(c[a].groups, shares, c[a].share);
  c[b] = c[n - 1];
  return n - 1;
}

static size_t opposed_joined(struct cause *c, size_t n, const double shares[STEP_GROUPS], double change) {
  size_t a = 0, b = 0;
  while (most_opposed(c, n, &a, &b) > OPPOSED * fabs(change))
    n = joined(c, n, a, b, shares);
  return n;
}

double step_groups_s(const struct step_at *at, unsigned groups) {
  double sum = 0;
  for (int g = 0; g < STEP_GROUPS; g++)
    sum += groups >> g & 1 ? at->shares.seconds[g] : 0;
  return sum;
}

/* It saves more than the time before, or costs more than the time after. */
static bool beyond_the_time(const struct step_at *at, unsigned groups) {
  double s = step_groups_s(at, groups);
  return -s > at->time.before.v || s > at->time.after.v;
}

/* A cause that is beyond the time of a shape is joined with the one that undoes most of it there. */
static bool one_joined(struct cause *c, size_t *n, const double shares[STEP_GROUPS], const struct step_at *at) {
  for (size_t i = 0; i < *n; i++) {
    double own = step_groups_s(at, c[i].groups), most = 0;
    size_t with = i;
    for (size_t k = 0; k < *n && !(c[i].groups & ~SHARED_OUT) && beyond_the_time(at, c[i].groups); k++) {
      double undone = c[k].groups & ~SHARED_OUT ? 0 : step_groups_s(at, c[k].groups) * (own < 0 ? 1 : -1);
      if (undone > most)
        most = undone, with = k;
    }
    if (with != i) {
      *n = joined(c, *n, with < i ? with : i, with < i ? i : with, shares);
      return true;
    }
  }
  return false;
}

static size_t beyond_joined(struct cause *c, size_t n, const double shares[STEP_GROUPS], struct causes_at at) {
  for (size_t i = 0; i < at.n;)
    i = one_joined(c, &n, shares, at.at[i]) ? 0 : i + 1;
  return n;
}

static bool is_larger(const void *a, const void *b) {
  return fabs(((const struct cause *)a)->share) >= fabs(((const struct cause *)b)->share);
}

size_t causes_of(struct cause out[STEP_GROUPS], const double shares[STEP_GROUPS], double change, struct causes_at at,
                 double *others) {
  struct cause all[STEP_GROUPS];
  size_t n = 0, kept = 0;
  for (int g = 0; g < STEP_GROUPS; g++)
    if (shares[g] != 0)
      all[n++] = (struct cause){1U << g, (enum step_group)g, shares[g]};
  n = opposed_joined(all, n, shares, change);
  n = beyond_joined(all, n, shares, at);
  *others = 0;
  for (size_t i = 0; i < n; i++)
    if (fabs(all[i].share) < NAMED * fabs(change))
      *others += all[i].share;
    else
      array_rank(out, &kept, STEP_GROUPS, sizeof *out, &all[i], is_larger);
  return kept;
}

size_t causes_of_shape(struct cause out[STEP_GROUPS], const struct step_at *at, double *others) {
  return causes_of(out, at->shares.seconds, causes_change_s(at), (struct causes_at){&at, 1}, others);
}

void cause_title_add(struct text *out, const struct cause *c) {
  text_add(out, step_group_rows[c->lead].title);
  for (int g = 0; g < STEP_GROUPS; g++)
    if (c->groups >> g & 1 && g != (int)c->lead)
      text_printf(out, " + %s", step_group_rows[g].title);
}

char *causes_list(const struct step_at *at) {
  struct text out = {0};
  struct cause causes[STEP_GROUPS];
  double others, change = causes_change_s(at);
  size_t n = causes_of_shape(causes, at, &others);
  for (size_t i = 0; i < n; i++) {
    if (causes[i].share * change < 0)
      continue;
    text_add(&out, out.n ? ", " : "");
    cause_title_add(&out, &causes[i]);
  }
  char *list = out.n ? text_take(&out) : NULL;
  text_release(&out);
  return list;
}

double causes_change_s(const struct step_at *at) {
  return at->time.after.v - at->time.before.v;
}

bool causes_rest_is_noise(const struct step_at *at) {
  const struct stats *a = &at->parent->time, *b = &at->child->time;
  return fabs(at->shares.rest_s) <= (a->ci_high - a->ci_low + b->ci_high - b->ci_low) / 2;
}

bool causes_found(const struct step_at *at) {
  bool enough = fabs(at->shares.rest_s) <= NOT_FOUND * fabs(causes_change_s(at));
  return at->shares.known && (enough || causes_rest_is_noise(at));
}

bool causes_counted(const struct step_at *at) {
  static const double LEAST = 0.1; /* of the time before: as the steps whose rests docs/model.md has */
  return at->cycles_known && fabs(causes_change_s(at)) >= LEAST * at->time.before.v;
}

/* --- over the shapes of a step --- */

static bool changed(const struct step_at *at) {
  return at->ratio.present && !at->same;
}

static bool found_at(const struct step_at *at) {
  return changed(at) && causes_found(at);
}

/* The shape at which the time changed most, of those whose cause is found where there are any; NULL: no time is known. */
static const struct step_at *largest_change(const struct step *s) {
  const struct step_at *best = NULL;
  for (size_t i = 0; i < s->n; i++) {
    const struct step_at *at = &s->at[i];
    if (!at->ratio.present || (best && found_at(best) && !found_at(at)))
      continue;
    if (!best || found_at(at) != found_at(best) || fabs(log(at->ratio.v)) > fabs(log(best->ratio.v)))
      best = at;
  }
  return best;
}

/* The shapes that are told together: those that went the way of the one that changed most, and whose cause is found as its is. */
static bool told_with(const struct step_at *at, const struct step_at *most) {
  return changed(at) && at->shares.known && (at->ratio.v < 1) == (most->ratio.v < 1) && found_at(at) == found_at(most);
}

struct extent {
  double low, high, sum;
  size_t n;
};

static void extent_grow(struct extent *x, double v) {
  x->low = x->n ? fmin(x->low, v) : v;
  x->high = x->n ? fmax(x->high, v) : v;
  x->sum += v;
  x->n++;
}

static bool extent_straddles(struct extent x) {
  return x.low < 0 && x.high > 0;
}

static void percent_add(struct text *out, double x) {
  text_printf(out, "%s%.0f", round(100 * x) < 0 ? "−" : "", fabs(100 * x));
}

/* "66 to 80 %"; without the sign where both ends have it, which words say. */
static void extent_add(struct text *out, struct extent x) {
  double sign = x.high <= 0 ? -1 : 1, low = sign < 0 ? -x.high : x.low, high = sign < 0 ? -x.low : x.high;
  if (round(100 * low) != round(100 * high)) {
    percent_add(out, low);
    text_add(out, " to ");
  }
  percent_add(out, high);
  text_add(out, " %");
}

static struct extent part_of(const struct step *s, unsigned groups) {
  struct extent x = {0};
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].told)
      extent_grow(&x, step_groups_s(&s->at[i], groups) / causes_change_s(&s->at[i]));
  return x;
}

enum { ALL_GROUPS = (1 << STEP_GROUPS) - 1, NAMED_MAX = 3 };

static double extent_most(struct extent x) {
  return fmax(-x.low, x.high);
}

/* Less than a tenth of the change: on average, or at every shape where it goes both ways over them. */
static bool extent_little(struct extent x) {
  return extent_straddles(x) ? extent_most(x) < NAMED : fabs(x.sum) < NAMED * (double)x.n;
}

static struct extent extent_less(double whole, struct extent x) {
  return (struct extent){whole - x.high, whole - x.low, whole * (double)x.n - x.sum, x.n};
}

/* Of the named causes those that speak for the change, or against it; returns where the first one's words end, 0 without one. */
static size_t causes_add_one_way(struct text *out, const struct step *s, const struct cause *named, size_t n,
                                 bool against, const char *lead, const char *change) {
  size_t first = 0;
  for (size_t i = 0; i < n; i++) {
    if ((named[i].share < 0) != against)
      continue;
    text_printf(out, "%s%s", first ? ", " : lead, against && !first ? "offset by " : "");
    cause_title_add(out, &named[i]);
    text_add(out, " ");
    extent_add(out, part_of(s, named[i].groups));
    text_add(out, first ? "" : change);
    moved_add(out, s->most, named[i].lead);
    first = first ? first : out->n;
  }
  return first;
}

/* Groups that are one cause but go both ways over the shapes are told apart, where each by itself goes one way. */
static size_t straddling_parted(struct cause c[STEP_GROUPS], size_t n, const double mean[STEP_GROUPS],
                                const struct step *s) {
  struct cause out[STEP_GROUPS];
  size_t parts = 0;
  for (size_t i = 0; i < n; i++) {
    bool whole = !extent_straddles(part_of(s, c[i].groups));
    if (whole)
      array_rank(out, &parts, STEP_GROUPS, sizeof *out, &c[i], is_larger);
    for (int g = 0; g < STEP_GROUPS && !whole; g++)
      if (c[i].groups >> g & 1 && fabs(mean[g]) >= NAMED)
        array_rank(out, &parts, STEP_GROUPS, sizeof *out, &(struct cause){1U << g, (enum step_group)g, mean[g]},
                   is_larger);
  }
  memcpy(c, out, parts * sizeof *out);
  return parts;
}

static bool possible(const struct step *s, unsigned groups) {
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].told && beyond_the_time(&s->at[i], groups))
      return false;
  return true;
}

static bool tells(const struct step *s, const struct cause *c, bool counted) {
  return (!counted || moved_any(s->most, c->lead)) && !extent_straddles(part_of(s, c->groups)) &&
         possible(s, c->groups);
}

/* Of the groups that are left the one that speaks most for the change, or against it; its share is 0 where none tells. */
static struct cause most_left(const struct step *s, const double mean[STEP_GROUPS], unsigned left, double sign) {
  struct cause most = {0};
  for (int g = 0; g < STEP_GROUPS; g++) {
    struct cause c = {1U << g, (enum step_group)g, mean[g]};
    if (left >> g & 1 && sign * mean[g] >= NAMED && sign * mean[g] > fabs(most.share) && tells(s, &c, true))
      most = c;
  }
  return most;
}

/* Groups that are one cause and undo each other are named apart where there is room for both: fewer instructions, in fewer warps.  Beyond UNDONE of the change
 * each they are one thing counted twice, such as the waits of warps that are no longer there. */
static size_t undone_added(struct cause out[NAMED_MAX], size_t n, const struct step *s, const double mean[STEP_GROUPS],
                           unsigned *groups) {
  static const double UNDONE = 2;
  struct cause with = most_left(s, mean, ~*groups, 1), against = most_left(s, mean, ~*groups, -1);
  bool room = n + 2 <= NAMED_MAX && with.groups && against.groups;
  if (!room || with.share > UNDONE || -against.share > UNDONE)
    return n;
  array_rank(out, &n, NAMED_MAX, sizeof *out, &with, is_larger);
  array_rank(out, &n, NAMED_MAX, sizeof *out, &against, is_larger);
  *groups |= with.groups | against.groups;
  return n;
}

/* The largest causes on which all shapes agree, and of which a count moved where they are to be counted; *groups: all of theirs. */
static size_t causes_named(struct cause out[NAMED_MAX], const struct step *s, bool counted, unsigned *groups) {
  struct cause causes[STEP_GROUPS];
  double mean[STEP_GROUPS], others;
  size_t n = 0;
  *groups = 0;
  for (int g = 0; g < STEP_GROUPS; g++) {
    struct extent x = part_of(s, 1U << g);
    mean[g] = x.sum / (double)x.n;
  }
  const struct step_at **at = calloc(s->n + 1, sizeof *at);
  size_t n_at = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].told)
      at[n_at++] = &s->at[i];
  size_t found = straddling_parted(causes, causes_of(causes, mean, 1, (struct causes_at){at, n_at}, &others), mean, s);
  free(at);
  for (size_t i = 0; i < found && n < NAMED_MAX; i++)
    if (tells(s, &causes[i], counted)) {
      *groups |= causes[i].groups;
      out[n++] = causes[i];
    }
  return undone_added(out, n, s, mean, groups);
}

static bool speaks_for(struct extent x) {
  return !extent_straddles(x) && x.high > 0;
}

static void others_add(struct text *out, struct extent x) {
  if (extent_little(x))
    return;
  if (extent_straddles(x)) {
    text_printf(out, ", other changes up to %.0f %% either way", 100 * extent_most(x));
    return;
  }
  text_add(out, speaks_for(x) ? ", other changes " : ", offset by other changes ");
  extent_add(out, x);
}

static bool all_told(const struct step *s, bool (*are)(const struct step_at *at)) {
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].told && !are(&s->at[i]))
      return false;
  return true;
}

static void rest_add(struct text *out, const struct step *s, struct extent x) {
  if (extent_little(x))
    return;
  if (extent_straddles(x)) {
    text_printf(out, ", up to %.0f %% unexplained", 100 * extent_most(x));
  } else {
    text_add(out, speaks_for(x) ? ", " : ", the model overshoots by ");
    extent_add(out, x);
    text_add(out, speaks_for(x) ? " unexplained" : "");
  }
  text_add(out, all_told(s, causes_rest_is_noise) ? causes_noise : "");
}

static bool any_for(const struct cause *c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (c[i].share > 0)
      return true;
  return false;
}

/* Where no count tells of what speaks for the change, its title does.  Returns where the words of the first cause end. */
static size_t causes_add(struct text *out, const struct step *s, const char *change) {
  struct cause named[NAMED_MAX];
  unsigned groups;
  size_t n = causes_named(named, s, true, &groups);
  if (!any_for(named, n))
    n = causes_named(named, s, false, &groups);
  size_t first = causes_add_one_way(out, s, named, n, false, "", change);
  if (!first) {
    text_printf(out, "no change by itself makes a tenth%s", change);
    return out->n;
  }
  struct extent others = part_of(s, ALL_GROUPS & ~groups);
  if (speaks_for(others))
    others_add(out, others);
  causes_add_one_way(out, s, named, n, true, ", ", "");
  if (!speaks_for(others))
    others_add(out, others);
  rest_add(out, s, extent_less(1, part_of(s, ALL_GROUPS)));
  return first;
}

static struct extent cycles_part(const struct step *s, enum cycle_use use) {
  struct extent x = {0};
  for (size_t i = 0; i < s->n; i++)
    if (s->at[i].told)
      extent_grow(&x, s->at[i].cycles[use] / causes_change_s(&s->at[i]));
  return x;
}

/* Of the uses named those that grew with the time, or against it. */
static bool counted_one_way(struct text *out, const struct step *s, const enum cycle_use *named, size_t n, bool against,
                            const char *lead) {
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    struct extent x = cycles_part(s, named[i]);
    if ((x.sum < 0) != against)
      continue;
    text_printf(out, "%s%s ", any ? ", " : lead, cycle_use_titles[named[i]]);
    extent_add(out, x);
    any = true;
  }
  return any;
}

/* "; counted as waits for loads 60 to 80 %, offset by issuing 12 %": what went one way at all shapes told of. */
static void counted_add(struct text *out, const struct step *s) {
  enum cycle_use named[CYCLE_USES_NAMED];
  double mean[CYCLE_USES];
  if (!all_told(s, causes_counted))
    return;
  for (int k = 0; k < CYCLE_USES; k++) {
    struct extent x = cycles_part(s, (enum cycle_use)k);
    mean[k] = extent_straddles(x) ? 0 : x.sum / (double)x.n;
  }
  size_t n = cycle_uses_named(named, mean);
  if (counted_one_way(out, s, named, n, false, "; counted as "))
    counted_one_way(out, s, named, n, true, ", offset by ");
}

/* "; registers 58 → 61": what is left is what changed in the code. */
static void code_add(struct text *out, const struct step_at *at) {
  static const char lead[] = "; ";
  struct text code = {0};
  moved_code_add(&code, at);
  if (code.n)
    text_printf(out, "in the code: %s", text_str(&code) + strlen(lead));
  text_end(&code, out);
}

/* What the model makes of the counters, of the change. */
static void shown_add(struct text *out, struct extent x, const char *change) {
  if (x.high <= 0) {
    text_add(out, "the counters point the other way");
    return;
  }
  text_add(out, "the counters show ");
  if (extent_straddles(x))
    text_printf(out, "at most %.0f %%", 100 * x.high);
  else
    extent_add(out, x);
  text_add(out, change);
}

static bool within_error(const struct step_at *at) {
  return fabs(at->ratio.v - 1) < causes_error;
}

static size_t told(const struct step *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    n += s->at[i].told;
  return n;
}

/* What can be said of a change that the model cannot tell apart: what was counted. */
static void too_small_add(struct text *out, const struct step *s) {
  struct text counted = {0};
  text_printf(out, "too small to attribute: under %.0f %% of the time is within the model's error", 100 * causes_error);
  moved_furthest_add(&counted, s->most);
  if (counted.n)
    text_printf(out, "; counted: %s", text_str(&counted));
  text_release(&counted);
}

/* Returns where what made most of the change is told. */
static size_t why_add(struct text *out, const struct step *s) {
  const char *change = s->most->ratio.v < 1 ? " of the gain" : " of the loss";
  char over[64];
  size_t first;
  if (s->most->shares.known && causes_found(s->most)) {
    snprintf(over, sizeof over, told(s) > 1 ? "%s over %zu shapes" : "%s", change, told(s));
    first = causes_add(out, s, over);
  } else {
    if (!s->most->shares.known) {
      text_printf(out, "cause unknown, %s", s->most->shares.reason);
    } else if (all_told(s, within_error)) {
      too_small_add(out, s);
    } else {
      text_add(out, "cause not found; ");
      shown_add(out, part_of(s, ALL_GROUPS), change);
      counted_add(out, s);
    }
    first = out->n;
  }
  moved_code_add(out, s->most);
  return first;
}

/* A counted cause speaks for the change at all shapes told, and what it leaves to others is less than half of it at each. */
static bool told_alike(const struct step *s) {
  struct cause named[NAMED_MAX];
  unsigned groups;
  bool any = any_for(named, causes_named(named, s, true, &groups));
  return any && extent_most(part_of(s, ALL_GROUPS & ~groups)) <= NOT_FOUND;
}

/* The shapes that are told together where they are alike; else the one that changed most. */
static void shapes_told(struct step *s) {
  for (size_t i = 0; i < s->n; i++)
    s->at[i].told = s->most && told_with(&s->at[i], s->most);
  if (!s->most || !found_at(s->most) || told_alike(s))
    return;
  for (size_t i = 0; i < s->n; i++)
    s->at[i].told = &s->at[i] == s->most;
}

void causes_rows(struct step *s) {
  struct cause rows[STEP_GROUPS];
  double sums[STEP_GROUPS] = {0};
  size_t n = 0;
  for (int g = 0; g < STEP_GROUPS; g++)
    rows[n++] = (struct cause){.groups = 1U << g, .lead = (enum step_group)g};
  for (size_t i = 0; i < s->n;)
    i = s->at[i].shares.known && one_joined(rows, &n, sums, &s->at[i]) ? 0 : i + 1;
  for (int g = 0; g < STEP_GROUPS; g++)
    for (size_t i = 0; i < n; i++)
      if ((rows[i].groups & -rows[i].groups) == 1U << g)
        s->rows[s->n_rows++] = rows[i].groups;
}

void causes_why(struct step *s) {
  struct text out = {0}, cause = {0};
  s->most = largest_change(s);
  shapes_told(s);
  size_t first = 0;
  if (s->most && s->most->same)
    code_add(&out, s->most);
  else if (s->most)
    first = why_add(&out, s);
  text_add_n(&cause, text_str(&out), first);
  s->cause = text_take(&cause);
  s->why = text_take(&out);
}
