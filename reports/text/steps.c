#include "reports/text/steps.h"

#include "reports/text/diagnose.h"
#include "reports/words/prose_ladder.h"
#include "reports/words/view.h"
#include "reports/words/wrap.h"

#include <math.h>
#include <string.h>

/* A share that is below this at every shape has no row. */
static const double SHARE_SHOWN_S = 5e-9;

/* --- what changed --- */

static const char NONE[] = "–";

/* "before → after", one of them where they are the same, absent where neither is there. */
static void cell_pair(struct table *t, const char *before, const char *after) {
  if (strcmp(before, after) != 0)
    table_cellf(t, "%s → %s", before, after);
  else
    table_cell(t, strcmp(before, NONE) == 0 ? "" : before, NULL);
}

static void cell_change(struct table *t, struct step_change c, double scale, int digits) {
  cell_pair(t, c.before.present ? VIEW_NUMBER(c.before.v * scale, digits) : NONE,
            c.after.present ? VIEW_NUMBER(c.after.v * scale, digits) : NONE);
}

static void cell_bounds(struct table *t, const struct step_at *at) {
  cell_pair(t, at->bound_before ? at->bound_before : NONE, at->bound_after ? at->bound_after : NONE);
}

static void cell_registers(struct table *t, struct step_change c) {
  if (!c.before.present || !c.after.present || c.before.v == c.after.v)
    cell_change(t, c, 1, 2);
  else
    table_cellf(t, "%.0f → %.0f", c.before.v, c.after.v);
}

static void cell_faster(struct table *t, const struct step_at *at) {
  if (!at->ratio.present) {
    table_cell(t, "", NULL);
    return;
  }
  struct text words = {0};
  if (at->same)
    text_add(&words, "no change");
  else
    prose_times(&words, at->ratio.v);
  table_cell(t, text_str(&words), VIEW_NUMBER(at->ratio.v, 17));
  text_release(&words);
}

struct table *steps_changes(const struct step *s, bool counts) {
  struct table *t = table_of("shape | >time [µs] =time_us | change =ratio | bound");
  if (counts) {
    table_head(t, ">DRAM [MB] =dram_mb -3 | >inst [/elem] =inst_per_element -4 | >regs =registers -2 | "
                  ">occup [%] =occupancy_percent -1");
  }
  for (size_t i = 0; i < s->n; i++) {
    const struct step_at *at = &s->at[i];
    table_row(t);
    table_cell(t, VIEW_SHAPE(at->shape), NULL);
    cell_change(t, at->time, 1e6, 4);
    cell_faster(t, at);
    cell_bounds(t, at);
    if (!counts)
      continue;
    cell_change(t, at->dram_bytes, 1e-6, 4);
    cell_change(t, at->inst_per_element, 1, 3);
    cell_registers(t, at->registers);
    cell_change(t, at->occupancy, 100, 3);
  }
  return t;
}

/* --- the change in time, shared out --- */

static bool share_any(const struct step *s, unsigned groups) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++)
    any |= s->at[i].shares.known && fabs(step_groups_s(&s->at[i], groups)) >= SHARE_SHOWN_S;
  return any;
}

static void cell_groups(struct table *t, unsigned groups) {
  struct text title = {0};
  for (int g = 0; g < STEP_GROUPS; g++)
    if (groups >> g & 1)
      text_printf(&title, "%s%s", title.n ? " + " : "", step_group_rows[g].title);
  table_cell(t, text_str(&title), NULL);
  text_release(&title);
}

static void cell_us(struct table *t, bool known, double seconds) {
  table_format(t, "%+.2f", known ? seconds * 1e6 : NAN);
}

struct table *steps_shares(const struct step *s) {
  struct table *t = table_of("change in time by =group");
  for (size_t i = 0; i < s->n; i++) {
    char key[SHAPE_TEXT_MAX];
    table_column(t, VIEW_SHAPE(s->at[i].shape), "µs", shape_text(s->at[i].shape, key), TABLE_RIGHT);
  }
  for (size_t k = 0; k < s->n_rows; k++) {
    if (!share_any(s, s->rows[k]))
      continue;
    table_row(t);
    cell_groups(t, s->rows[k]);
    for (size_t i = 0; i < s->n; i++)
      cell_us(t, s->at[i].shares.known, step_groups_s(&s->at[i], s->rows[k]));
  }
  table_row(t);
  table_cell(t, "unexplained", NULL);
  for (size_t i = 0; i < s->n; i++)
    cell_us(t, s->at[i].shares.known, s->at[i].shares.rest_s);
  table_rule(t);
  table_row(t);
  table_cell(t, "measured", NULL);
  for (size_t i = 0; i < s->n; i++)
    cell_us(t, s->at[i].ratio.present, s->at[i].time.after.v - s->at[i].time.before.v);
  return t;
}

/* --- predictions --- */

static void cell_judgement(struct table *t, const struct prediction *p, const struct judgement *j) {
  static const char styles[] = {
      [JUDGED_CONFIRMED] = 'g', [JUDGED_REFUTED] = 'b', [JUDGED_UNCLEAR] = 'd', [JUDGED_UNKNOWN] = 'd'};
  const char *name = judgement_name(j->verdict);
  if (j->verdict == JUDGED_UNKNOWN)
    table_cell(t, name, NULL);
  else if (p->kind == PREDICTION_BOUND)
    table_cellf(t, "%s %s → %s", name, j->bound_before, j->bound_after);
  else if (j->ratio.present)
    table_cellf(t, "%s %s×", name, VIEW_NUMBER(j->ratio.v, 3));
  else
    table_cellf(t, "%s from 0 to %s", name, VIEW_NUMBER(j->after.v, 3));
  table_style(t, styles[j->verdict]);
}

struct table *steps_predictions(const struct step *s) {
  struct table *t = table_of("predicted =item");
  for (size_t i = 0; i < s->n; i++) {
    char key[SHAPE_TEXT_MAX];
    table_column(t, VIEW_SHAPE(s->at[i].shape), "", shape_text(s->at[i].shape, key), TABLE_LEFT);
  }
  for (size_t i = 0; i < s->predictions.n; i++) {
    table_row(t);
    table_cell(t, s->predictions.items[i].item, NULL);
    for (size_t k = 0; k < s->n; k++)
      cell_judgement(t, &s->predictions.items[i], &s->at[k].judgements[i]);
  }
  return t;
}

bool steps_unknown(const struct step *s, size_t shape, size_t item, struct text *out) {
  const struct judgement *j = &s->at[shape].judgements[item];
  if (j->verdict != JUDGED_UNKNOWN)
    return false;
  text_printf(out, "%s at %s: ", s->predictions.items[item].item, VIEW_SHAPE(s->at[shape].shape));
  if (j->absent)
    text_printf(out, "%s: ", j->absent);
  text_add(out, j->reason ? j->reason : "no value");
  return true;
}

/* --- the terminal --- */

void steps_stalls(const struct step_at *at, struct text *out) {
  for (size_t i = 0; i < at->n_stalls; i++) {
    const struct step_stall *s = &at->stalls[i];
    text_printf(out, "%s %s %.1f → %.1f", i ? "," : "stalls, % of warp cycles:", s->reason, s->share.before.v * 100,
                s->share.after.v * 100);
  }
}

/* False where neither side is above 0. */
static bool change_add(struct text *out, const char *lead, const char *name, struct step_change c, double scale) {
  if (!c.before.present || !c.after.present || (c.before.v <= 0 && c.after.v <= 0))
    return false;
  text_printf(out, "%s %s %s → %s", lead, name, VIEW_NUMBER(c.before.v * scale, 3), VIEW_NUMBER(c.after.v * scale, 3));
  return true;
}

void steps_bounds(const struct step_at *at, struct text *out) {
  bool any = false;
  for (int k = 0; k < BOUND_KINDS; k++)
    any |= change_add(out, any ? "," : "bounds, µs:", bound_name((enum bound_kind)k), at->bounds[k], 1e6);
}

static void steps_pipes(const struct step_at *at, struct text *out) {
  bool any = false;
  for (size_t i = 0; i < STEP_PIPES; i++)
    any |= change_add(out, any ? "," : "instructions, thousands by pipe:", step_pipes[i], at->pipes[i], 1e-3);
}

/* "; aimed at [uncoalesced]: 27 % promised; the whole step gained 82 %; no longer advised" */
static void cure_words(const struct cure *c, bool same, struct text *out) {
  text_printf(out, "; aimed at [%s]: ", c->rule->name);
  if (c->before)
    text_printf(out, "%.0f %% promised", 100 * c->promised);
  else
    text_add(out, "not advised");
  if (same)
    text_add(out, "; no measurable change");
  else
    text_printf(out, "; the whole step %s %.*f %%", c->gained < 0 ? "lost" : "gained", fabs(c->gained) < 0.095,
                100 * fabs(c->gained));
  if (c->before)
    text_add(out, c->silent_after ? "; no longer advised" : "; still advised");
}

void steps_advised(const struct story_step *s, size_t i, bool with_shape, struct text *out) {
  const struct step_at *at = &s->step.at[i];
  const struct advised *a = s->advised ? &s->advised[i] : NULL;
  if (!a || !at->parent || !at->child)
    return;
  text_printf(out, "advised at %s%s%s: ", s->step.from->id, with_shape ? ", " : "",
              with_shape ? VIEW_SHAPE(at->shape) : "");
  if (a->first) {
    text_printf(out, "%s [%s], ", a->first->rule->title, a->first->rule->name);
    report_saving(a->first, at->parent, out);
  } else {
    text_printf(out, "nothing (%s)", report_no_advice(a->reason));
  }
  for (size_t k = 0; k < a->n_cures; k++)
    cure_words(&a->cures[k], at->same, out);
}

/* A line of its own, where there is something to say; takes the words. */
static void detail_add(struct text *words, struct text *out) {
  if (words->n)
    text_printf(out, "  %s\n", words->s);
  text_end(words, out);
}

static bool all_refuted(const struct step *s, const struct step_at *at) {
  for (size_t i = 0; i < s->claims.n; i++)
    if (at->claimed[i].verdict != JUDGED_REFUTED)
      return false;
  return s->claims.n > 0;
}

/* "REFUTED (time ×1.22; causes of the change in time: instructions)" */
static void judged_add(struct text *out, const struct step_at *at, size_t claim) {
  const struct claim_judgement *j = &at->claimed[claim];
  text_printf(out, " (%s", j->found ? j->found : "no value");
  if (j->of_time && at->causes)
    text_printf(out, "; causes: %s", at->causes);
  text_add(out, ")");
}

void steps_claims(const struct step *s, const struct step_at *at, struct text *out) {
  if (!at->parent || !at->child)
    return;
  for (size_t i = 0; i < s->claims.n; i++) {
    text_printf(out, "%s\"%s\": %s", i ? "; " : "claimed: ", s->claims.items[i].words,
                judgement_name(at->claimed[i].verdict));
    judged_add(out, at, i);
  }
  if (all_refuted(s, at) && s->published_on)
    text_printf(out, "; the author measured on %s", s->published_on);
}

/* The shapes at which a claim is judged otherwise. */
static void judged_otherwise(const struct step *s, size_t claim, enum judgement_verdict verdict, struct text *out) {
  for (size_t i = 0; i < s->n; i++) {
    const struct claim_judgement *j = &s->at[i].claimed[claim];
    if (j->verdict == verdict || j->verdict == JUDGED_UNKNOWN)
      continue;
    text_printf(out, ", %s at %s (%s)", judgement_name(j->verdict), VIEW_SHAPE(s->at[i].shape), j->found);
  }
}

/* Of all shapes: the verdict of the one that stands for the others, and where it is another. */
static void claims_over_shapes(const struct step *s, struct text *out) {
  bool refuted = s->claims.n > 0;
  for (size_t i = 0; i < s->claims.n; i++) {
    const struct claim_judgement *j = &s->most->claimed[i];
    struct text otherwise = {0};
    judged_otherwise(s, i, j->verdict, &otherwise);
    text_printf(out, "%s\"%s\": %s", i ? "; " : "", s->claims.items[i].words, judgement_name(j->verdict));
    if (otherwise.n)
      text_printf(out, " at %s", VIEW_SHAPE(s->most->shape));
    judged_add(out, s->most, i);
    text_add(out, text_str(&otherwise));
    refuted &= j->verdict == JUDGED_REFUTED && !otherwise.n;
    text_release(&otherwise);
  }
  if (refuted && s->published_on)
    text_printf(out, "; the author measured on %s", s->published_on);
}

static void add_title(const struct step *s, struct text *out, int width) {
  const struct run_variant *to = s->to;
  text_printf(out, "\n%s → %s%s\n", s->from->id, to->id, to->side ? "   (side step)" : "");
  if (to->change && to->parent && strcmp(to->parent, s->from->id) == 0)
    wrap_add(out, to->change, width, 0);
}

static void add_details(const struct story_step *told, struct text *out, int width, bool colour) {
  const struct step *s = &told->step;
  struct text words = {0};
  table_print(steps_shares(s), out, width, colour);
  if (s->predictions.n)
    table_print(steps_predictions(s), out, width, colour);
  for (size_t i = 0; i < s->n; i++) {
    for (size_t k = 0; k < s->predictions.n; k++)
      if (steps_unknown(s, i, k, out))
        text_add(out, "\n");
  }
  for (size_t i = 0; i < s->n; i++) {
    text_printf(out, "%s: %s\n", VIEW_SHAPE(s->at[i].shape), s->at[i].sentence);
    steps_claims(s, &s->at[i], &words);
    detail_add(&words, out);
    steps_bounds(&s->at[i], &words);
    detail_add(&words, out);
    steps_pipes(&s->at[i], &words);
    detail_add(&words, out);
    steps_stalls(&s->at[i], &words);
    detail_add(&words, out);
    steps_advised(told, i, false, &words);
    detail_add(&words, out);
  }
}

enum { LABEL = 10 };

/* "why       instructions ...", broken at the terminal's width; nothing where there are no words, which it takes.  Words that begin with the
 * label do not say it twice. */
static void add_line(struct text *out, const char *label, struct text *words, int width) {
  struct text line = {0};
  const char *rest = text_str(words);
  if (strncmp(rest, label, strlen(label)) == 0)
    rest += strlen(label) + strspn(rest + strlen(label), ": ");
  text_printf(&line, "%-*s%s", LABEL, label, rest);
  if (words->n)
    wrap_add(out, text_str(&line), width, LABEL);
  text_end(&line, out);
  text_end(words, out);
}

/* What was advised before the step and what the author claimed, at the shape that stands for the others. */
static void add_lines(const struct story_step *told, struct text *out, int width) {
  const struct step *s = &told->step;
  struct text words = {0};
  prose_why(s, &words);
  add_line(out, "why", &words, width);
  prose_predictions(s, &words);
  add_line(out, "predicted", &words, width);
  text_add(&words, s->published ? s->published : "");
  add_line(out, "published", &words, width);
  if (s->most) {
    claims_over_shapes(s, &words);
    add_line(out, "claimed", &words, width);
    steps_advised(told, (size_t)(s->most - s->at), true, &words);
    add_line(out, "advised", &words, width);
  }
}

void report_steps_term(const struct findings *f, const struct story_step *steps, size_t n, bool details,
                       struct text *out, int width, bool colour) {
  view_origin(f, out);
  text_add(out, "\n");
  for (size_t i = 0; i < n; i++) {
    add_title(&steps[i].step, out, width);
    table_print(steps_changes(&steps[i].step, details), out, width, colour);
    add_lines(&steps[i], out, width);
    if (details)
      add_details(&steps[i], out, width, colour);
  }
}
