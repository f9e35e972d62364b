#include "analysis/rules/better_code.h"

#include "analysis/idioms/store_blocks.h"
#include "analysis/rules/rules.h"
#include "analysis/signs/accesses.h"
#include "analysis/signs/flight_plan.h"

#include <math.h>

/* Most loads' places are made of what was loaded: nothing of that can be done before. */
static bool indices_are_loaded(const struct rule_input *in) {
  double loaded = 0, all = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double n = fmax(in->sass->executed[i], 0);
    if ((x->class != SASS_LOAD_GLOBAL && x->class != SASS_LOAD_SHARED) || x->never || n <= 0)
      continue;
    all += n;
    loaded += sass_reads_loaded(in->sass, i) ? n : 0;
  }
  return loaded > 0 && loaded >= all / 2;
}

const char *const *special_words(const struct rule_input *in, enum mix_kind k) {
  static const char *const roots[] = {"square roots", "-prec-sqrt=false, or x == 0 ? 0 : x * rsqrtf(x)"},
                           *const loaded[] = {"index arithmetic on loaded values", "fewer shifts and masks"};
  if (k == MIX_INDEX && indices_are_loaded(in))
    return loaded;
  return k == MIX_ROOTS ? roots : NULL;
}

bool stores_block_loads(struct told *out, const struct rule_input *in) {
  struct sass_summary summary;
  struct sass_store_blocks x;
  if (!in->sass || out->unpriced || ring_bytes(in).present)
    return false;
  sass_summarise(in->sass, &summary);
  if (!sass_store_blocks(&x, in->sass, summary.stream)) {
    if (!loads_once(in, out->at) && sass_works_in_place(in->sass, summary.stream))
      out->remedy =
          "load several iterations' values into registers by hand, then store them: behind a store through the same pointer the compiler loads nothing ahead";
    return false;
  }
  out->remedy =
      x.same_place
          ? "keep the sum in a register and store it after the loop; mark pointers const __restrict__, so that loads can move ahead of stores"
          : "mark pointers const __restrict__, so that loads can move ahead of the loop's stores, then issue more loads before the first use";
  return !x.same_place;
}
