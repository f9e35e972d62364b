#include "analysis/signs/next_turn.h"

#include "analysis/sass/origins.h"
#include "analysis/signs/chains.h"

#include <string.h>

static bool could_be_ahead(struct sass *s, size_t load, size_t at) {
  size_t loop = s->blocks[s->block_of[load]].loop;
  return s->insts[load].class == SASS_LOAD_GLOBAL && loop != SASS_NONE && load < at && sass_in_loop(s, at, loop) &&
         !sass_place_is_loaded(s, load) && !sass_place_is_chosen(s, load);
}

bool waits_in_own_turn(const struct rule_input *in) {
  const struct hot *h = in->hot;
  uint64_t all = 0, own = 0;
  if (!in->sass || serial_instruction(in) == SASS_NONE)
    return false;
  for (size_t k = 0; k < h->n_insts; k++) {
    const struct hot_inst *x = &h->insts[k];
    if (h->kernels[x->kernel].kernel != in->sass->kernel || x->n_reasons == 0 ||
        strcmp(x->reasons[0].reason, "long_scoreboard") != 0)
      continue;
    all += x->reasons[0].samples;
    own += x->n_feeds > 0 && could_be_ahead(in->sass, x->feeds[0].inst, x->at) ? x->reasons[0].samples : 0;
  }
  return own > 0 && 2 * own >= all;
}
