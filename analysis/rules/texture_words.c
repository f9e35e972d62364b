#include "analysis/rules/texture_words.h"

#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <string.h>

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

/* What other rows leave at best. */
static double left_by_rows(const struct rule_input *in) {
  double most = 0;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_LATENCY && k != BOUND_TEX && bound_needs(in, (enum bound_kind)k) <= 1)
      most = fmax(most, bound_needs(in, (enum bound_kind)k));
  return 1 - most;
}

bool waits_for_texture(const struct rule_input *in) {
  return rule_value(in, "pipe_tex", 0) > 0 && rule_value(in, "stall_tex_throttle_share", 0) >= ADVICE_LEAST_SHARE;
}

void tell_texture(struct told *out, const struct rule_input *in) {
  static const double SEEN = 0.005; /* as it would be printed */
  double busy = bound_needs(in, BOUND_TEX), waits = waits_of(in);
  evidence_add(out, "fetches", "inst", value_of(rule_value(in, "pipe_tex", 0)));
  evidence_metric(out, in, "stall_tex_throttle_share");
  evidence_metric(out, in, "stall_long_scoreboard_share");
  out->sentence = pool_printf(
      in->pool, "%.0f %% of warp cycles wait for fetches from textures%s", 100 * waits,
      busy >= SEEN ? pool_printf(in->pool, "; the units that filter are busy %.0f %% of the time", 100 * busy) : "");
  out->remedy = "fetch each texel once: a tile in shared memory, several outputs per thread; plain loads where nothing "
                "is filtered";
  out->at = about_place(in, about_fetches);
  out->general = false;
  out->unpriced = true; /* what other loads take instead is not known */
  out->rank_s = fmin(waits, left_by_rows(in)) * in->time_s;
}
