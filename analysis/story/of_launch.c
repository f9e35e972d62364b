#include "analysis/story/of_launch.h"

#include "analysis/model/occupancy.h"

/* Warps that the block's size keeps out, or a grid of less
 * than they are, and not what a thread or block takes. */
static bool size_limits(const struct advice *a, const struct finding *f, const struct device *d) {
  const struct run_launch *l = f->launch;
  struct occupancy o;
  struct occupancy_block b = occupancy_block_of(l);
  if (a->told.general) /* no limit keeps them out, there are no more blocks */
    return true;
  return l->registers > 0 && !occupancy_of(&o, d, &b, NULL) && (o.limit == LIMIT_BLOCKS || o.limit == LIMIT_WARPS);
}

bool advice_of_launch(const struct advice *a, const struct finding *f, const struct device *d) {
  if (!f->launch || a->told.at)
    return false;
  return (a->rule->flags & RULE_BY_LAUNCH) || ((a->rule->flags & RULE_BY_BLOCK_SIZE) && size_limits(a, f, d));
}

static void size_words(const unsigned size[3], struct text *out) {
  text_printf(out, "%u", size[0]);
  if (size[1] > 1 || size[2] > 1)
    text_printf(out, "x%u", size[1]);
  if (size[2] > 1)
    text_printf(out, "x%u", size[2]);
}

void launch_words(const struct finding *f, struct text *out) {
  if (!f->launch)
    return;
  text_add(out, "<<<");
  size_words(f->launch->grid, out);
  text_add(out, ", ");
  size_words(f->launch->block, out);
  text_add(out, ">>>");
}
