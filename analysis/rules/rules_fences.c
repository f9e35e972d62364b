/* What memory order costs: a warp waits at a fence until its writes are seen. */
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"
#include "analysis/signs/atomic_waits.h"
#include "analysis/signs/polling.h"

#include <string.h>

static const double FENCES_KEPT = 0.25; /* as of the waits at barriers; a relaxed atomic has none */

static bool is_fence(const struct sass_inst *x) {
  return x->wait == WAIT_MEMORY_ORDER && !x->never;
}

/* Within a few instructions of each fence: what an atomic with an order of its own (acquire, release) is compiled to. */
static bool order_atomics(const struct sass *s) {
  enum { NEAR = 6 };
  size_t fences = 0, beside = 0;
  for (size_t i = 0; s && i < s->n; i++) {
    bool atomic = false;
    for (size_t k = i < NEAR ? 0 : i - NEAR; k < s->n && k <= i + NEAR; k++)
      atomic = atomic || s->insts[k].class == SASS_ATOMIC;
    fences += is_fence(&s->insts[i]);
    beside += is_fence(&s->insts[i]) && atomic;
  }
  return fences > 0 && 2 * beside >= fences;
}

RULE_ROW(165, fences, "fences", "warps wait at memory fences", RULE_CAUSE | RULE_NO_PAIR, NULL);
bool rule_fences(const struct rule_input *in, struct told *out) {
  double share = rule_value(in, "stall_membar_share", 0);
  double acquired = waits_part_of_fences(in) * rule_value(in, "stall_long_scoreboard_share", 0);
  if (share <= 0)
    return false;
  evidence_metric(out, in, "stall_membar_share");
  if (acquired > 0)
    evidence_add(out, "long scoreboard at CCTL.IVALL, share", "ratio", value_of(acquired));
  out->at = about_place(in, is_fence);
  const struct run_line *line = out->at && out->at->n_lines ? &out->at->lines[0] : NULL;
  out->sentence =
      pool_printf(in->pool, "%.0f %% of warp cycles wait at memory fences, until all writes of the warp are seen%s%s",
                  100 * (share + acquired), line ? ": " : "", line ? line_words(in, line->source, line->line) : "");
  out->remedy =
      order_atomics(in->sass)
          ? "relaxed atomics (atomicAdd, memory_order_relaxed) where no other data are handed over with them: the fences go"
          : "one __threadfence per block, not per thread, or __threadfence_block where only the block reads "
            "(the estimate assumes that a quarter of the waits stays)";
  return true;
}

void change_fences(const struct rule_input *in, struct workload *w) {
  double kept = order_atomics(in->sass) ? 0 : FENCES_KEPT;
  value_lessen(&w->dependencies_s, warp_seconds(in, "stall_membar") * (1 - kept));
  value_scale(&w->loads_s, 1 - waits_part_of_fences(in) * (1 - kept));
}
