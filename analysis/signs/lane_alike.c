#include "analysis/signs/lane_alike.h"

#include "analysis/idioms/repeats.h"
#include "analysis/signs/gathers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCERS_MAX = 64, WORD_BYTES = 4 };

/* Words of whole warps that touch a sector each are hardly more than one word; bytes of 32 lanes fill a sector. */
static bool loads_touch_one(const struct rule_input *in) {
  static const double ONE = 1.1, ALL = 0.9;
  double requests = rule_value(in, "l1_load_requests", 0), insts = rule_value(in, "inst_executed", 0);
  return requests > 0 && rule_value(in, "l1_load_sectors", INFINITY) <= ONE * requests &&
         rule_value(in, "thread_inst_executed", 0) >= ALL * RULE_LANES * insts;
}

/* What is left of a loop that was unrolled stands behind it, on its line. */
static bool is_of_loop(const struct sass *s, size_t i) {
  bool is = sass_repeats(s, i);
  for (size_t k = 0; k < s->n && !is; k++)
    is = s->insts[k].class == SASS_LOAD_GLOBAL && sass_repeats(s, k) && same_code_line(s, i, k);
  return is;
}

/* Numbers of blocks and warps and the clock are the same in all lanes, too. */
static bool may_be_alike(const struct sass_inst *x) {
  bool computes = sass_computes(x) || x->class == SASS_UNIFORM || x->class == SASS_CONTROL;
  return (computes || strstr(x->text, "2R ")) && !is_threads_number(x);
}

/* Whether lanes may read what different writers left there: a branch on what differs between lanes leads to the writer, and not to the reader. */
static bool lanes_part(const struct sass *s, size_t writer, size_t reader, const bool *alike) {
  size_t to = s->block_of[reader];
  for (size_t b = s->block_of[writer]; b != SASS_NONE && !sass_dominates(s, b, to); b = s->blocks[b].idom) {
    const struct sass_block *from = s->blocks[b].idom == SASS_NONE ? NULL : &s->blocks[s->blocks[b].idom];
    if (from && from->n_succ > 1 && !alike[from->first + from->n - 1])
      return true;
  }
  return false;
}

static bool reads_alike(struct sass *s, size_t i, const bool *alike) {
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, PRODUCERS_MAX);
  for (size_t k = 0; k < n && n <= PRODUCERS_MAX; k++)
    if (!alike[from[k].inst] || lanes_part(s, from[k].inst, i, alike))
      return false;
  return n <= PRODUCERS_MAX;
}

/* What is the same in the lanes of a warp: all that is made of what is.  Begins with all, so that what a loop carries may be among it. */
static bool *alike_make(const struct rule_input *in) {
  struct sass *s = in->sass;
  bool *alike = calloc(s->n + 1, sizeof *alike), touch_one = loads_touch_one(in);
  struct sass_step *steps = sass_steps_make(s, in->f->launch ? in->f->launch->block[0] : 0);
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool load = x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED;
    bool one = steps[i].kind == STEP_BYTES && steps[i].bytes == 0;
    bool counted = x->class == SASS_LOAD_GLOBAL && touch_one && steps[i].kind == STEP_UNKNOWN && x->bytes >= WORD_BYTES;
    alike[i] = load ? one || (counted && is_of_loop(s, i)) : may_be_alike(x);
  }
  free(steps);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++)
      if (alike[i] && s->insts[i].access == ACCESS_NONE && !reads_alike(s, i, alike)) {
        alike[i] = false;
        more = true;
      }
  }
  return alike;
}

/* All of a loop but the addresses of its loads, which wait for none of them. */
static bool is_alike(const struct rule_input *in, size_t loop, const bool *alike, const bool *index) {
  struct sass *s = in->sass;
  bool loads = false;
  if (!s->loops[loop].innermost || s->loops[loop].spins || sass_chained_load(s, loop) != SASS_NONE)
    return false;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (!sass_in_loop(s, i, loop) || x->never)
      continue;
    if (x->calls || (!alike[i] && !index[i]) || !sass_repeats(s, i))
      return false;
    loads = loads || (x->class == SASS_LOAD_GLOBAL && s->executed[i] > 0);
  }
  return loads;
}

bool *lane_alike_make(const struct rule_input *in) {
  struct sass *s = in->sass;
  if (!s || !s->counted)
    return NULL;
  bool *alike = alike_make(in), *index = sass_index_make(s), *out = calloc(s->n + 1, sizeof *out);
  for (size_t l = 0; l < s->n_loops; l++) {
    bool all = is_alike(in, l, alike, index);
    for (size_t i = 0; all && i < s->n; i++)
      out[i] = out[i] || sass_in_loop(s, i, l);
  }
  free(alike);
  free(index);
  return out;
}
