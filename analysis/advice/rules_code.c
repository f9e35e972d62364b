/* Rules on what the SASS shows beside the counters. */
#include "analysis/advice/rule_tools.h"

#include <string.h>

/* Waits for loads are worth a word above this part of the warps' cycles. */
static const double STALL_ABOVE = 0.3;

/* The loop with the most executed instructions, else SASS_NONE. */
static size_t hot_loop(struct sass *s) {
  struct sass_summary summary;
  sass_summarise(s, &summary);
  return summary.hot;
}

bool rule_dependent_loads(const struct rule_input *in, struct advice *out) {
  double share = rule_value(in, "stall_long_scoreboard_share", 0);
  if (share < STALL_ABOVE || dram_is_full(in) || !in->sass)
    return false;
  size_t loop = hot_loop(in->sass);
  size_t load = loop == SASS_NONE ? SASS_NONE : sass_chained_load(in->sass, loop);
  if (load == SASS_NONE)
    return false;
  out->saves_s = in->time_s * share * (1 - rule_value(in, "issue_slot_utilisation", 0));
  evidence_metric(out, in, "stall_long_scoreboard_share");
  evidence_metric(out, in, "issue_interval");
  evidence_metric(out, in, "issue_slot_utilisation");
  out->sentence = pool_printf(
      in->pool,
      "%.0f %% of the warps' cycles wait for loads, and the address of %s at 0x%04x is what an earlier load of the same loop "
      "brings: they follow one another, each for the whole latency",
      100 * share, in->sass->insts[load].text, in->sass->insts[load].offset);
  out->remedy =
      "break the chain: store addresses or indices together and load them ahead; walk several chains a thread at a time; more warps";
  return true;
}

/* FADD and FMUL that could be one FFMA: executed, or in the text of the hottest loop where nothing was counted. */
bool rule_non_fused(const struct rule_input *in, struct advice *out) {
  if (!in->sass || bound_share(in, BOUND_FMA) < 0.3)
    return false;
  double adds = 0, muls = 0, fused = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double n = in->sass->counted && in->sass->executed[i] >= 0 ? in->sass->executed[i] : !in->sass->counted;
    adds += strcmp(x->opcode, "FADD") == 0 ? n : 0;
    muls += strcmp(x->opcode, "FMUL") == 0 ? n : 0;
    fused += strcmp(x->opcode, "FFMA") == 0 ? n : 0;
  }
  double pairs = adds < muls ? adds : muls, all = adds + muls + fused;
  if (all <= 0 || pairs < 0.1 * all)
    return false;
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_FMA] = scale[BOUND_ISSUE] = 1 - pairs / all;
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_add(out, "FADD and FMUL that could pair", "inst", value_of(2 * pairs));
  evidence_add(out, "FFMA", "inst", value_of(fused));
  out->sentence = pool_printf(in->pool, "%.0f %% of the fp32 arithmetic are separate multiplications and additions",
                              200 * pairs / all);
  out->remedy =
      "write a * b + c where both are one thought, do not compile with -fmad=false, keep the product's only use beside it";
  return true;
}
