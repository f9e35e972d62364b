#include "analysis/signs/chain_waits.h"

#include "analysis/idioms/origins.h"
#include "analysis/signs/chains.h"

#include <math.h>
#include <stdlib.h>

enum of_chain { UNKNOWN, OTHER, LINK, END };

static bool is_load_of(const struct sass *s, size_t at, size_t loop) {
  return s->insts[at].class == SASS_LOAD_GLOBAL && !s->insts[at].never && sass_in_loop(s, at, loop);
}

/* A load that fewer than one in 32 turns come to, as when a search has found, makes no chain of the others. */
static bool seldom_runs(const struct sass *s, size_t at, double turns) {
  static const double LEAST = 1.0 / 32;
  return s->counted && s->executed[at] >= 0 && s->executed[at] < LEAST * turns;
}

/* Executions of what the loop executes most. */
static double turns_of(const struct sass *s, size_t loop) {
  double most = 0;
  for (size_t i = 0; i < s->n; i++)
    most = sass_in_loop(s, i, loop) ? fmax(most, s->executed[i]) : most;
  return most;
}

/* Where load i goes, or whether it does, follows from one that is wanted. */
static bool follows_from(struct sass *s, size_t i, sass_origin *wanted, size_t of) {
  const struct sass_inst *x = &s->insts[i];
  const struct sass_range *place = sass_place(x);
  return (place && sass_comes_from(s, i, place, wanted, of)) ||
         (x->guarded && sass_comes_from(s, i, &x->guard, wanted, of));
}

static enum of_chain part_of(struct sass *s, size_t load, const bool *chained) {
  for (size_t i = 0; i < s->n; i++)
    if (chained[i] && follows_from(s, i, sass_is_at, load))
      return LINK;
  return chained[load] ? END : OTHER;
}

void chain_waits_of(struct chain_waits *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  size_t loop = s ? hot_loop(s) : SASS_NONE;
  double all = 0;
  *out = (struct chain_waits){.links = 1};
  if (loop == SASS_NONE)
    return;
  bool *chained = calloc(s->n + 1, sizeof *chained);
  unsigned char *parts = calloc(s->n + 1, sizeof *parts);
  double of[END + 1] = {0};
  double turns = turns_of(s, loop);
  for (size_t i = 0; i < s->n; i++)
    chained[i] = is_load_of(s, i, loop) && !seldom_runs(s, i, turns) && follows_from(s, i, is_load_of, loop);
  for (size_t k = 0; k < in->hot->n_insts; k++) {
    const struct hot_inst *x = &in->hot->insts[k];
    double n = hot_samples_of(x, "long_scoreboard");
    enum of_chain most = OTHER;
    for (size_t f = 0; n > 0 && f < x->n_feeds && rule_is_ours(in, x); f++) {
      size_t load = x->feeds[f].inst;
      if (!is_load_of(s, load, loop))
        continue;
      if (parts[load] == UNKNOWN)
        parts[load] = (unsigned char)part_of(s, load, chained);
      most = most == LINK || parts[load] == LINK ? LINK : parts[load] == END ? END : most;
    }
    all += n;
    of[most] += n;
  }
  if (all > 0)
    *out = (struct chain_waits){of[LINK] / all, of[END] / all};
  free(chained);
  free(parts);
}
