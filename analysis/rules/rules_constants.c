/* Rules on constant memory. */
#include "analysis/idioms/constants.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>

/* Loads of constants at an index of each lane; `marked` by instruction of in->sass. */
struct indexed {
  bool *marked;
  size_t most;  /* of them the one that runs the most; SASS_NONE: there is none */
  double runs;  /* executed; 0: not known */
  double share; /* of the time, that warps wait to issue them or for what they bring */
  double turns; /* of the ADU, which takes one for each address; 0: not known */
};

/* What goes the same way and is waited for by the same names; a load of one address for all lanes takes one turn of it. */
static bool goes_with_them(const struct sass_inst *x) {
  return x->space == SPACE_SHARED || x->class == SASS_SHUFFLE || x->pipe == PIPE_XU;
}

/* Of what goes that way, by executed counts where they are known. */
static double part_of_queue(const struct rule_input *in, const struct indexed *of) {
  double ours = 0, others = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    double n = of->runs > 0 ? fmax(in->sass->executed[i], 0) : !in->sass->insts[i].never;
    ours += of->marked[i] ? n : 0;
    others += goes_with_them(&in->sass->insts[i]) ? n : 0;
  }
  return ours > 0 ? ours / (ours + others) : 0;
}

/* Whatever stands at a full queue waits for what fills it; at what reads their results a warp waits for these loads alone. */
static double share_of_samples(const struct rule_input *in, const struct indexed *of) {
  double queued = 0, waits = 0;
  for (size_t i = 0; i < in->hot->n_insts; i++) {
    const struct hot_inst *x = &in->hot->insts[i];
    bool fed = false;
    if (!rule_is_ours(in, x))
      continue;
    for (size_t k = 0; k < x->n_feeds; k++)
      fed = fed || of->marked[x->feeds[k].inst];
    queued += hot_samples_of(x, "mio_throttle") + hot_samples_of(x, "imc_miss");
    waits += fed ? hot_samples_of(x, "short_scoreboard") : 0;
  }
  return (queued * part_of_queue(in, of) + waits) / (double)in->hot->samples;
}

static double share_of_stalls(const struct rule_input *in, const struct indexed *of) {
  return part_of_queue(in, of) *
         (rule_value(in, "stall_mio_throttle_share", 0) + rule_value(in, "stall_short_scoreboard_share", 0) +
          rule_value(in, "stall_imc_miss_share", 0));
}

/* The ADU counts a load once for each address that lanes ask for: what of its work is neither another constant nor a barrier. */
static double turns_of(const struct rule_input *in, const struct indexed *of) {
  double others = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    others += x->pipe == PIPE_ADU && !of->marked[i] ? fmax(in->sass->executed[i], 0) : 0;
  }
  return fmax(rule_value(in, "pipe_adu", 0) - others, 0);
}

/* The caller frees out->marked. */
static void indexed_of(struct indexed *out, const struct rule_input *in) {
  *out = (struct indexed){.most = SASS_NONE};
  if (!in->sass)
    return;
  out->marked = sass_indexed_constants_make(in->sass);
  for (size_t i = 0; i < in->sass->n; i++) {
    if (!out->marked[i])
      continue;
    out->runs += fmax(in->sass->executed[i], 0);
    if (out->most == SASS_NONE || in->sass->executed[i] > in->sass->executed[out->most])
      out->most = i;
  }
  if (out->most != SASS_NONE && out->runs > 0)
    out->turns = turns_of(in, out);
  if (out->most != SASS_NONE)
    out->share = in->hot->samples > 0 ? share_of_samples(in, out) : share_of_stalls(in, out);
}

RULE_ROW(155, indexed_constants, "indexed-constants", "constants indexed per lane", 0, NULL);
bool rule_indexed_constants(const struct rule_input *in, struct told *out) {
  struct indexed x;
  indexed_of(&x, in);
  bool fires = x.share >= ADVICE_LEAST_SHARE;
  if (fires) {
    evidence_add(out, "constant loads at an index of each lane", "inst",
                 x.runs > 0 ? value_of(x.runs) : value_absent("not counted"));
    evidence_metric(out, in, "stall_mio_throttle_share");
    evidence_metric(out, in, "stall_short_scoreboard_share");
    evidence_metric(out, in, "stall_imc_miss_share");
    out->sentence = pool_printf(
        in->pool,
        "%.0f %% of warp cycles wait for constants at an index of each lane: the cache serves one address after the other",
        100 * x.share);
    out->remedy = "copy the table to shared memory, or compute its values (bits: __popc, __popcll); constant memory is "
                  "for what all lanes read alike";
    if (x.turns > x.runs)
      evidence_add(out, "addresses that a load asks for", "address", value_of(x.turns / x.runs));
    evidence_needs(out, in, "share of the time that the ADU pipe needs", BOUND_ADU);
    out->at = about_marked(in, x.marked, false);
    out->unpriced = x.turns <= 0; /* without counts what goes is not known */
    out->rank_s = out->unpriced ? fmin(x.share, 1) * in->time_s : 0;
  }
  free(x.marked);
  return fires;
}

/* Shared memory takes each in a wavefront: banks of a small table meet in none, and those of a large one seldom.  Waits at the full queue are no part of the
 * short waits. */
void change_indexed_constants(const struct rule_input *in, struct workload *w) {
  struct indexed x;
  indexed_of(&x, in);
  value_lessen(&w->dependencies_s, fmin(x.share * in->time_s, warp_seconds(in, "stall_short_scoreboard")));
  value_scale(&w->adu, part_kept(x.turns, rule_value(in, "pipe_adu", 0)));
  if (x.turns > 0) {
    w->lsu.v += x.runs;
    w->l1_wavefronts.v += x.runs;
  }
  free(x.marked);
}
