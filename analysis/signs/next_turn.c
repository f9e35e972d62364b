#include "analysis/signs/next_turn.h"

#include "analysis/idioms/origins.h"
#include "analysis/sass/sass.h"
#include "analysis/signs/chains.h"

#include <math.h>
#include <string.h>

static bool could_be_ahead(struct sass *s, size_t load, size_t at) {
  size_t loop = s->blocks[s->block_of[load]].loop;
  return s->insts[load].class == SASS_LOAD_GLOBAL && loop != SASS_NONE && load < at && sass_in_loop(s, at, loop) &&
         !sass_place_is_loaded(s, load) && !sass_place_is_chosen(s, load);
}

/* All that it waits for of its loop; what was loaded before the loop has come. */
static bool all_could_be_ahead(struct sass *s, const struct hot_inst *x) {
  size_t loop = s->blocks[s->block_of[x->at]].loop;
  bool some = false;
  for (size_t f = 0; f < x->n_feeds && loop != SASS_NONE; f++) {
    if (!sass_in_loop(s, x->feeds[f].inst, loop))
      continue;
    if (!could_be_ahead(s, x->feeds[f].inst, x->at))
      return false;
    some = true;
  }
  return some;
}

static bool is_long_wait(const struct rule_input *in, const struct hot_inst *x) {
  return rule_is_ours(in, x) && x->n_reasons > 0 && strcmp(x->reasons[0].reason, "long_scoreboard") == 0;
}

bool waits_in_own_turn(const struct rule_input *in) {
  const struct hot *h = in->hot;
  uint64_t all = 0, own = 0;
  if (!in->sass || serial_instruction(in) == SASS_NONE)
    return false;
  for (size_t k = 0; k < h->n_insts; k++) {
    const struct hot_inst *x = &h->insts[k];
    if (!is_long_wait(in, x))
      continue;
    all += x->reasons[0].samples;
    own += all_could_be_ahead(in->sass, x) ? x->reasons[0].samples : 0;
  }
  return own > 0 && 2 * own >= all;
}

/* --- loads that are ahead --- */

/* The loop waits for its copies, but not behind this one for all of them. */
static bool copy_is_ahead(const struct sass *s, size_t copy) {
  size_t loop = s->blocks[s->block_of[copy]].loop;
  bool some = false;
  for (size_t i = 0; i < s->n; i++) {
    unsigned left = 0;
    if (!sass_in_loop(s, i, loop) || !sass_groups_left(&s->insts[i], &left))
      continue;
    if (i > copy && left == 0)
      return false;
    some = true;
  }
  return some;
}

/* The instruction uses what the load of the same loop, which stands behind it, has brought in the turn before. */
static bool uses_turn_before(struct sass *s, size_t use, size_t load, size_t loop) {
  struct sass_producer from[SASS_READS_MAX];
  if (use >= load || !sass_in_loop(s, use, loop) || !sass_waits_for(&s->insts[use], &s->insts[load]))
    return false;
  size_t n = sass_producers(s, use, from, SASS_READS_MAX);
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (from[k].inst == load)
      return true;
  return false;
}

static bool is_ahead(struct sass *s, size_t load) {
  size_t loop = s->blocks[s->block_of[load]].loop;
  for (size_t use = s->blocks[s->loops[loop].header].first; use < load; use++)
    if (uses_turn_before(s, use, load, loop))
      return true;
  return false;
}

static double part_ahead(struct sass *s) {
  double all = 0, ahead = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool loads = x->class == SASS_LOAD_GLOBAL || x->access == ACCESS_ASYNC_COPY;
    if (!loads || x->never || s->blocks[s->block_of[i]].loop == SASS_NONE)
      continue;
    double bytes = x->bytes * (s->counted ? fmax(s->executed[i], 0) : 1);
    all += bytes;
    ahead += (x->access == ACCESS_ASYNC_COPY ? copy_is_ahead(s, i) : is_ahead(s, i)) ? bytes : 0;
  }
  return all > 0 ? ahead / all : 0;
}

static enum waited_load waited_of(const struct sass *s, const struct hot_inst *x, size_t load) {
  size_t loop = s->blocks[s->block_of[load]].loop;
  if (s->insts[load].class != SASS_LOAD_GLOBAL)
    return WAITED_UNKNOWN;
  if (loop == SASS_NONE || !sass_in_loop(s, x->at, loop))
    return WAITED_NO_TURN;
  return load < x->at ? WAITED_OWN_TURN : WAITED_TURN_BEFORE;
}

/* Of several loads that may have brought the value one of the loop's turns is what is waited for again and again. */
static enum waited_load waited_first(const struct sass *s, const struct hot_inst *x, size_t *load) {
  enum waited_load first = WAITED_UNKNOWN;
  for (size_t k = 0; k < x->n_feeds; k++) {
    enum waited_load w = waited_of(s, x, x->feeds[k].inst);
    if (w == WAITED_UNKNOWN || (first != WAITED_UNKNOWN && w >= first))
      continue;
    first = w;
    *load = x->feeds[k].inst;
  }
  return first;
}

void loads_ahead_of(struct loads_ahead *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  uint64_t waits[WAITED_LOADS] = {0}, most[WAITED_LOADS] = {0}, all = 0;
  size_t of[WAITED_LOADS] = {0};
  *out = (struct loads_ahead){.load = SASS_NONE};
  out->part = s ? part_ahead(s) : 0;
  for (size_t k = 0; s && k < in->hot->n_insts; k++) {
    const struct hot_inst *x = &in->hot->insts[k];
    size_t load = SASS_NONE;
    if (!is_long_wait(in, x))
      continue;
    enum waited_load w = waited_first(s, x, &load);
    uint64_t n = x->reasons[0].samples;
    all += n;
    waits[w] += n;
    if (n > most[w]) {
      most[w] = n;
      of[w] = load;
    }
  }
  for (enum waited_load w = WAITED_OWN_TURN; w < WAITED_LOADS; w++)
    if (waits[w] > 0 && 2 * waits[w] >= all && (out->of == WAITED_UNKNOWN || waits[w] > waits[out->of])) {
      out->of = w;
      out->load = of[w];
    }
}
