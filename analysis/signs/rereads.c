#include "analysis/signs/rereads.h"

#include "analysis/idioms/origins.h"
#include "analysis/signs/gathers.h"

#include <math.h>
#include <stdlib.h>

/* Of each load what its lanes ask for, and no more than the sectors that it touched: lanes of one address ask for it once.  Where data choose the places, fewer loads are
 * no matter of the code: 0.  The caller frees it. */
static double *asked_make(struct sass *s) {
  double *asked = calloc(s->n + 1, sizeof *asked);
  for (size_t i = 0; i < s->n; i++) {
    if (s->insts[i].class != SASS_LOAD_GLOBAL || s->insts[i].never || sass_place_is_chosen(s, i))
      continue;
    asked[i] = fmax(s->executed[i], 0) * s->insts[i].bytes * RULE_LANES;
    if (s->count[i] && s->count[i]->global_sectors >= 0)
      asked[i] = fmin(asked[i], SECTOR_BYTES * s->count[i]->global_sectors);
  }
  return asked;
}

/* Marks the loads of lines that ask for so many bytes. */
static bool *lines_make(const struct sass *s, const double *asked, double least) {
  bool *of = calloc(s->n + 1, sizeof *of);
  for (size_t i = 0; i < s->n; i++) {
    double line = 0;
    for (size_t k = 0; k < s->n && asked[i] > 0; k++)
      line += asked[k] > 0 && same_code_line(s, i, k) ? asked[k] : 0;
    of[i] = asked[i] > 0 && line >= least;
  }
  return of;
}

static double waits_for(const struct rule_input *in, const bool *of) {
  double n = 0;
  for (size_t k = 0; k < in->hot->n_insts; k++) {
    const struct hot_inst *x = &in->hot->insts[k];
    bool feeds = false;
    for (size_t f = 0; f < x->n_feeds && rule_is_ours(in, x); f++)
      feeds = feeds || of[x->feeds[f].inst];
    n += feeds ? hot_samples_of(x, "long_scoreboard") : 0;
  }
  return n;
}

bool rereads_are_waited_for(const struct rule_input *in) {
  static const double HALF = 0.5, AGAIN = 2;
  double least = distinct_bytes(in);
  if (!in->sass || !in->sass->counted || in->hot->samples == 0 || least <= 0 ||
      rule_value(in, "stall_long_scoreboard_share", 0) < HALF)
    return false;
  double *asked = asked_make(in->sass);
  bool *of = lines_make(in->sass, asked, AGAIN * least);
  double waits = waits_for(in, of);
  free(of);
  free(asked);
  return waits >= HALF * (double)in->hot->samples;
}
