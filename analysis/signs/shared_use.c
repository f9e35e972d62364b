#include "analysis/signs/shared_use.h"

#include "analysis/idioms/origins.h"
#include "analysis/idioms/repeats.h"
#include "analysis/signs/chains.h"

#include <math.h>
#include <string.h>

/* --- whether it is used --- */

/* Estimates by samples know what never ran; those that share out the launch's counters do not. */
static bool may_run(const struct sass *s, size_t i) {
  return !s->insts[i].never && (!s->counted || s->spread || s->executed[i] != 0);
}

/* It names shared memory itself: copies into it and matrix instructions that read it, too. */
static bool names_shared(const struct sass_inst *x) {
  return x->space == SPACE_SHARED || x->class == SASS_ASYNC_COPY || (x->class == SASS_TENSOR && x->wait == WAIT_TENSOR);
}

/* Generic addresses, and code that is not known, may reach it. */
static bool may_reach_shared(const struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  bool calls_others = x->calls && sass_called(s, i) == SASS_NONE && !strstr(x->text, "$__internal_");
  return x->space == SPACE_GENERIC || !x->known || calls_others;
}

/* A launch of no shared memory: what generic addresses reach is global, and how often code ran that names shared memory was not counted.  Of a launch without
 * registers the driver has told neither. */
static bool launched_without(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  return l && l->registers > 0 && l->smem_static + l->smem_dynamic == 0;
}

bool shares_nothing(const struct rule_input *in) {
  bool without = launched_without(in);
  for (size_t k = 0; k < in->hot->n_kernels; k++) {
    const struct sass *s = &in->hot->kernels[k].sass;
    bool guessed = !s->counted || s->spread;
    if (s->indirect && !without)
      return false;
    for (size_t i = 0; i < s->n; i++)
      if (may_run(s, i) &&
          ((names_shared(&s->insts[i]) && !(without && guessed)) || (may_reach_shared(s, i) && !without)))
        return false;
  }
  return in->hot->n_kernels > 0;
}

/* --- shuffles --- */

bool about_shuffles(const struct sass_inst *x) {
  return strcmp(x->opcode, "SHFL") == 0;
}

void shuffle_use_of(struct shuffle_use *out, const struct rule_input *in) {
  double scans = executed_of(in, "SHFL", "UP"), values = executed_of(in, "SHFL", "IDX");
  *out = (struct shuffle_use){.shuffles = executed_of(in, "SHFL", NULL)};
  out->accesses = executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN) +
                  executed_of(in, "ATOMS", NULL);
  out->kind = 2 * scans > out->shuffles ? SHUFFLED_SCANS : 2 * values > out->shuffles ? SHUFFLED_VALUES : SHUFFLED_SUMS;
  out->lead = out->shuffles > out->accesses;
}

/* --- what else may be done --- */

bool feeds_matrices(const struct rule_input *in) {
  static const char *const counted[] = {"async_mma_bf16_flops", "async_mma_fp16_flops", "async_mma_tf32_flops",
                                        "async_mma_fp8_flops",  "async_mma_fp4_flops",  "async_mma_int8_ops"};
  for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++)
    if (rule_value(in, counted[i], 0) > 0)
      return true;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (x->class == SASS_TENSOR && x->wait == WAIT_TENSOR && !x->never)
      return true;
  }
  return false;
}

bool narrow_shared(const struct rule_input *in) {
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    bool shared = x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED;
    if (shared && x->bytes < LANE_BYTES_MOST && in->sass->executed[i] != 0)
      return true;
  }
  return !in->sass;
}

/* --- waits --- */

/* Samples of short waits, by what they are for. */
struct short_waits {
  double shared, others;
};

static bool takes_shared_path(const struct sass_inst *x) {
  return x->space == SPACE_SHARED || x->class == SASS_SHUFFLE;
}

static void waits_add(struct short_waits *out, const struct hot *h, const struct hot_inst *x) {
  const struct sass_inst *insts = h->kernels[x->kernel].sass.insts;
  bool shared = false;
  for (size_t i = 0; i < x->n_feeds; i++)
    shared = shared || takes_shared_path(&insts[x->feeds[i].inst]);
  if (x->n_feeds > 0)
    *(shared ? &out->shared : &out->others) += hot_samples_of(x, "short_scoreboard");
}

double sampled_shared_waits(const struct rule_input *in) {
  static const double LEAST = 100; /* samples: a tenth of error */
  struct short_waits x = {0};
  for (size_t i = 0; i < in->hot->n_insts; i++)
    waits_add(&x, in->hot, &in->hot->insts[i]);
  double all = x.shared + x.others, by_insts = shared_waits(in);
  return all >= LEAST ? fmin(warp_seconds(in, "stall_short_scoreboard") * x.shared / all, by_insts) : by_insts;
}

/* --- what is loaded each turn --- */

double looked_up_shared(const struct rule_input *in) {
  static const double MOST = 0.5;
  struct sass *s = in->sass;
  double all = 0, chosen = 0;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    double n = names_shared(&s->insts[i]) ? fmax(s->executed[i], 0) : 0;
    all += n;
    chosen += s->insts[i].class == SASS_LOAD_SHARED && n > 0 && sass_place_is_chosen(s, i) ? n : 0;
  }
  return chosen > MOST * all ? chosen / all : 0;
}
