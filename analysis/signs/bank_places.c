#include "analysis/signs/bank_places.h"

#include "analysis/idioms/origins.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>

struct places {
  double *excess; /* by instruction: turns beyond the first, by all its executions, where its step says them */
  bool *unknown;  /* may meet, since its step does not say */
  double told, loaded, all;
};

static bool is_shared(const struct sass_inst *x) {
  return (x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED) && x->bytes > 0 && !x->never;
}

/* Lanes of a row of the block that a warp has, where it has several whole ones; 32: it lies in one, or its rows are not known. */
static int width_of(const struct run_launch *l) {
  unsigned wide = l ? l->block[0] : 0;
  bool rows = wide > 0 && wide < RULE_LANES && RULE_LANES % wide == 0 && l->block[1] % (RULE_LANES / wide) == 0;
  return rows ? (int)wide : RULE_LANES;
}

static bool is_told(const struct sass_step *x) {
  return x->kind == STEP_BYTES || (x->kind == STEP_UNKNOWN && x->wraps > 0);
}

static struct bank_lanes lanes_of(const struct sass_inst *inst, int width, const struct sass_step *x,
                                  const struct sass_step *y) {
  bool rows = width < RULE_LANES;
  return (struct bank_lanes){.x = x->bytes,
                             .y = rows ? y->bytes : 0,
                             .width = width,
                             .bytes = inst->bytes,
                             .x_wraps = x->wraps,
                             .y_wraps = rows ? y->wraps : 0};
}

static void places_add(struct places *p, const struct rule_input *in, size_t i, const struct bank_lanes *lanes,
                       bool told) {
  double n = in->sass->counted ? fmax(in->sass->executed[i], 0) : 1;
  int turns = told ? bank_turns(lanes) : 0;
  p->excess[i] = turns > 1 ? n * (turns - 1) : 0;
  p->told += p->excess[i];
  p->unknown[i] = turns == 0 && n > 0;
  p->all += p->unknown[i] ? n : 0;
  bool data = p->unknown[i] && (sass_place_is_loaded(in->sass, i) || sass_place_is_chosen(in->sass, i));
  p->loaded += data ? n : 0;
}

/* Of those that may meet the line that is executed the most: by weight and not by samples, since a
 * full queue stalls whoever comes to it first. */
static const struct run_instruction *of_unknown(const struct rule_input *in, const struct places *p) {
  if (!in->sass->counted)
    return about_marked(in, p->unknown, false);
  for (size_t i = 0; i < in->sass->n; i++)
    p->excess[i] = p->unknown[i] ? fmax(in->sass->executed[i], 0) : 0;
  return about_heaviest(in, p->excess);
}

/* The most turns by all executions; on the line that is told, where one is. */
static size_t worst_of(const struct rule_input *in, const struct places *p, const struct run_instruction *at) {
  size_t worst = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct run_instruction *x = &in->sass->kernel->sass[i];
    bool there = !at || (x->n_lines > 0 && same_line(&x->lines[0], &at->lines[0]));
    worst = there && p->excess[i] > p->excess[worst] ? i : worst;
  }
  return worst;
}

/* What the steps tell is less than half of the conflicts that were counted, and there are accesses that could have the rest. */
static bool explains_too_little(const struct rule_input *in, const struct places *p) {
  return in->sass->counted && p->all > 0 && 2 * p->told < rule_value(in, "shared_bank_conflicts", 0);
}

/* More than twice what was counted: guards leave most lanes out, as the last steps of a tree, and the steps do not tell which meet. */
static bool explains_too_much(const struct rule_input *in, const struct places *p) {
  return in->sass->counted && p->told > 2 * rule_value(in, "shared_bank_conflicts", INFINITY);
}

void bank_places_of(struct bank_places *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  *out = (struct bank_places){.turns = 1};
  if (!s)
    return;
  int width = width_of(in->f->launch);
  unsigned block_x = in->f->launch && width == RULE_LANES ? in->f->launch->block[0] : 0;
  struct sass_step *x = sass_steps_make(s, block_x), *y = sass_row_steps_make(s);
  struct places p = {.excess = calloc(s->n + 1, sizeof *p.excess), .unknown = calloc(s->n + 1, 1)};
  for (size_t i = 0; i < s->n; i++)
    if (is_shared(&s->insts[i])) {
      struct bank_lanes lanes = lanes_of(&s->insts[i], width, &x[i], &y[i]);
      places_add(&p, in, i, &lanes, is_told(&x[i]) && (width == RULE_LANES || is_told(&y[i])));
    }
  if (p.told > 0 && !explains_too_little(in, &p)) {
    out->at = about_heaviest(in, p.excess);
    size_t i = worst_of(in, &p, out->at);
    out->lanes = lanes_of(&s->insts[i], width, &x[i], &y[i]);
    out->turns = explains_too_much(in, &p) ? 1 : bank_turns(&out->lanes);
  } else {
    out->by_data = p.loaded > p.all / 2;
    out->at = of_unknown(in, &p);
  }
  free(p.excess);
  free(p.unknown);
  free(x);
  free(y);
}
