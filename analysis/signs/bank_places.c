#include "analysis/signs/bank_places.h"

#include "analysis/sass/origins.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>

struct places {
  bool *known, *unknown; /* by instruction: meet in a bank by their step; may, since their step is not known */
  double worst, loaded, all;
};

static bool is_shared(const struct sass_inst *x) {
  return (x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED) && x->bytes > 0 && !x->never;
}

static void places_add(struct bank_places *out, struct places *p, const struct rule_input *in, size_t i,
                       const struct sass_step *step) {
  const struct sass_inst *x = &in->sass->insts[i];
  double n = in->sass->counted ? fmax(in->sass->executed[i], 0) : 1;
  int turns = step->kind == STEP_BYTES ? sass_step_turns(step->bytes, x->bytes) : 1;
  p->known[i] = turns > 1 && n > 0;
  p->unknown[i] = step->kind == STEP_UNKNOWN && n > 0;
  if (n * (turns - 1) > p->worst) {
    p->worst = n * (turns - 1);
    out->turns = turns;
    out->step = step->bytes;
  }
  p->all += p->unknown[i] ? n : 0;
  bool data = p->unknown[i] && (sass_place_is_loaded(in->sass, i) || sass_place_is_chosen(in->sass, i));
  p->loaded += data ? n : 0;
}

/* Of these the line that is executed the most: a full queue stalls whoever comes to it first. */
static const struct run_instruction *most_executed(const struct rule_input *in, const bool *of) {
  double *weight = calloc(in->sass->n + 1, sizeof *weight), *samples = about_samples(in);
  bool *guessed = calloc(in->sass->n + 1, 1);
  for (size_t i = 0; i < in->sass->n; i++)
    weight[i] = of[i] ? fmax(in->sass->executed[i], 0) : 0;
  const struct run_instruction *at = about_weighted(in, weight, samples, guessed);
  free(weight);
  free(samples);
  free(guessed);
  return at;
}

void bank_places_of(struct bank_places *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  *out = (struct bank_places){.turns = 1};
  if (!s)
    return;
  struct sass_step *steps = sass_steps_make(s, in->f->launch ? in->f->launch->block[0] : 0);
  struct places p = {.known = calloc(s->n + 1, 1), .unknown = calloc(s->n + 1, 1)};
  for (size_t i = 0; i < s->n; i++)
    if (is_shared(&s->insts[i]))
      places_add(out, &p, in, i, &steps[i]);
  out->by_data = out->turns == 1 && p.all > 0 && p.loaded > p.all / 2;
  const bool *of = out->turns > 1 ? p.known : p.unknown;
  out->at = s->counted ? most_executed(in, of) : about_marked(in, of, false);
  free(p.known);
  free(p.unknown);
  free(steps);
}
