#include "analysis/advice/texture_words.h"

#include "analysis/advice/rule_tools.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <string.h>

/* Filtered fetches of one lane in a cycle: an SM of sm_80 and sm_90 has four texture units (NVIDIA H100 Tensor Core GPU Architecture, 2022, table of full chips:
 * 528 of 132 SMs, A100 432 of 108).  Fetches without a filter, of one dimension, were seen to be faster. */
static const double UNITS_OF_SM = 4;

static bool about_fetches(const struct sass_inst *x) {
  return strcmp(x->opcode, "TEX") == 0 || strcmp(x->opcode, "TLD") == 0 || strcmp(x->opcode, "TLD4") == 0;
}

/* Waits for a full queue are fetches'; those for what was loaded by their part of all loads, as an SM's warps issue them. */
static double waits_of(const struct rule_input *in) {
  double fetches = rule_value(in, "pipe_tex", 0);
  double loads = rule_value(in, "l1_load_requests", INFINITY);
  return fmin(rule_value(in, "stall_tex_throttle_share", 0) +
                  rule_value(in, "stall_long_scoreboard_share", 0) * fetches / (fetches + loads),
              1);
}

/* Part of the time that four units need; 0: not known, or beyond what can be, since these fetches are faster. */
static double busy_of(const struct rule_input *in) {
  static const double SEEN = 0.005; /* as it would be printed */
  double sms = in->all->device->sms, clock = or_zero(in->work.clock_hz);
  double busy =
      sms > 0 && clock > 0 ? rule_value(in, "pipe_tex", 0) * RULE_LANES / (UNITS_OF_SM * sms * clock * in->time_s) : 0;
  return busy >= SEEN && busy <= 1 ? busy : 0;
}

/* What other rows leave at best. */
static double left_by_rows(const struct rule_input *in) {
  double most = 0;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_LATENCY && bound_needs(in, (enum bound_kind)k) <= 1)
      most = fmax(most, bound_needs(in, (enum bound_kind)k));
  return 1 - most;
}

bool waits_for_texture(const struct rule_input *in) {
  return rule_value(in, "pipe_tex", 0) > 0 && rule_value(in, "stall_tex_throttle_share", 0) >= ADVICE_LEAST_SHARE;
}

void tell_texture(struct told *out, const struct rule_input *in) {
  double busy = busy_of(in), waits = waits_of(in);
  evidence_add(out, "fetches", "inst", value_of(rule_value(in, "pipe_tex", 0)));
  evidence_metric(out, in, "stall_tex_throttle_share");
  evidence_metric(out, in, "stall_long_scoreboard_share");
  out->sentence = pool_printf(
      in->pool, "%.0f %% of warp cycles wait for fetches from textures%s", 100 * waits,
      busy > 0
          ? pool_printf(in->pool, "; at 4 filtered fetches a cycle the units of an SM are busy %.0f %%", 100 * busy)
          : "");
  out->remedy = "fetch each texel once: a tile in shared memory, several outputs per thread; plain loads where nothing "
                "is filtered";
  out->at = about_place(in, about_fetches);
  out->general = false;
  out->unpriced = true; /* what other loads take instead is not known */
  out->rank_s = fmin(waits, left_by_rows(in)) * in->time_s;
}
