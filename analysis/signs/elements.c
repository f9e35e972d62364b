#include "analysis/signs/elements.h"

#include "analysis/signs/about.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCERS = 32 };

/* Its value is another lane's, or one that lanes put together: a vote's word has a bit of each lane's element, and no two elements share it. */
static bool is_of_lanes(const struct sass_inst *x) {
  return (x->class == SASS_SHUFFLE && strncmp(x->opcode, "VOTE", 4) != 0) || x->class == SASS_ATOMIC ||
         strcmp(x->opcode, "REDUX") == 0;
}

/* A texture's element is one as well. */
static bool brings(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || strcmp(x->opcode, "TEX") == 0 || strcmp(x->opcode, "TLD") == 0 ||
         strcmp(x->opcode, "TLD4") == 0;
}

static bool makes(const struct sass_inst *x) {
  bool loads = x->access == ACCESS_LOAD && x->class != SASS_LOAD_GLOBAL; /* at a place that is the element's */
  return (x->access == ACCESS_NONE || loads) && x->class != SASS_CONTROL && !is_of_lanes(x);
}

/* Whether instruction i makes something of one element: it reads what was loaded or made of it, and nothing that came from other lanes by a shuffle. */
static bool is_made_of(struct sass *s, size_t i, const bool *of) {
  struct sass_producer from[PRODUCERS];
  size_t n = sass_producers(s, i, from, PRODUCERS);
  bool reads = false;
  for (size_t k = 0; k < n && k < PRODUCERS; k++) {
    if (is_of_lanes(&s->insts[from[k].inst]))
      return false;
    reads = reads || of[from[k].inst];
  }
  return reads;
}

/* Elements do not come round: a loop that they are in is one that runs over them already. */
static bool loads_in_loop(const struct sass *s) {
  for (size_t i = 0; i < s->n; i++)
    if (brings(&s->insts[i]) && s->executed[i] > 0 && s->blocks[s->block_of[i]].loop != SASS_NONE)
      return true;
  return false;
}

/* Whether the same number of threads stores as loads: else what is stored is what they put together. */
static bool stores_elements(const struct sass *s) {
  static const double HALF = 0.5;
  double loads = 0, stores = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double n = fmax(s->executed[i], 0);
    loads = brings(&s->insts[i]) ? fmax(loads, n) : loads;
    stores = s->insts[i].class == SASS_STORE_GLOBAL ? fmax(stores, n) : stores;
  }
  return stores >= HALF * loads;
}

static void mark(bool *of, struct sass *s) {
  bool stores = stores_elements(s);
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (!(s->executed[i] > 0) || x->never)
      continue;
    of[i] = brings(x) || (x->class == SASS_STORE_GLOBAL ? stores : makes(x) && is_made_of(s, i, of));
  }
}

/* Lanes hand their elements to one another by shuffles, as a sort does, and store what they have then: which instructions are an element's is not known. */
static bool elements_are_exchanged(struct sass *s, const bool *of) {
  bool shuffles = false, stored = false;
  for (size_t i = 0; i < s->n; i++) {
    if (!(s->executed[i] > 0))
      continue;
    shuffles = shuffles || s->insts[i].class == SASS_SHUFFLE;
    stored = stored || (s->insts[i].class == SASS_STORE_GLOBAL && is_made_of(s, i, of));
  }
  return shuffles && !stored && stores_elements(s);
}

/* Elements that go by way of shared memory: what a lane reads there at a place of its own, and not what all lanes read alike, comes to what is stored. */
static bool elements_are_shared(const struct rule_input *in) {
  struct sass *s = in->sass;
  struct sass_step *steps = NULL;
  bool *of = calloc(s->n, sizeof *of), found = false;
  if (stores_elements(s)) {
    steps = rule_steps_make(in);
    for (size_t i = 0; i < s->n && !found; i++) {
      const struct sass_inst *x = &s->insts[i];
      if (!(s->executed[i] > 0) || x->never)
        continue;
      bool alike = steps[i].kind == STEP_BYTES && steps[i].bytes == 0;
      of[i] = (x->class == SASS_LOAD_SHARED && !alike) || (makes(x) && is_made_of(s, i, of));
      found = x->class == SASS_STORE_GLOBAL && is_made_of(s, i, of);
    }
  }
  free(steps);
  free(of);
  return found;
}

/* Instructions for an element where its neighbours' are accessed with it. */
static double each(const struct sass_inst *x, bool wide, double times) {
  return sass_is_global(x) && wide ? 1 / fmin(fmax((double)LANE_BYTES_MOST / x->bytes, 1), times) : 1;
}

bool elements_of(struct elements *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  double wave = or_zero(in->work.blocks_per_sm) * in->all->device->sms, all = 0, stay = 0;
  double by[SASS_PIPES] = {0}, stays[SASS_PIPES] = {0};
  *out = (struct elements){.times = wave > 0 ? fmin(grid_blocks(in) / wave, ELEMENTS) : 1};
  if (!s || !s->counted || !(out->times > 1) || loads_in_loop(s))
    return false;
  bool *of = calloc(s->n, sizeof *of), known, any = false, exchanged;
  enum wider how = wider_loads(in, &known);
  out->wide = known && (how == WIDER_BESIDE || how == WIDER_LANES);
  mark(of, s);
  exchanged = elements_are_exchanged(s, of);
  for (size_t i = 0; i < s->n; i++) {
    double n = fmax(s->executed[i], 0), once = n / out->times;
    double left = of[i] ? n * each(&s->insts[i], out->wide, out->times) : once;
    any = any || of[i];
    all += n, stay += left;
    by[s->insts[i].pipe] += n, stays[s->insts[i].pipe] += left;
  }
  free(of);
  out->insts = all > 0 ? stay / all : 1;
  for (size_t p = 0; p < SASS_PIPES; p++)
    out->pipes[p] = by[p] > 0 ? stays[p] / by[p] : 1;
  out->shares_once = !elements_are_shared(in);
  return any && !exchanged;
}
