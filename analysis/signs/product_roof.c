#include "analysis/signs/product_roof.h"

#include "analysis/idioms/loaded_products.h"
#include "analysis/model/time_model.h"

#include <math.h>

/* mma.sync m16n8k16: FFMA of a warp with as many products.  Where a value is in fewer products than the 8 columns of one, no tile fills it. */
static const double FFMA_OF_MMA = 16 * 8 * 16 / (double)RULE_LANES, LEAST_USES = 8;

static void set_known(struct value *v, double now) {
  v->v = v->present ? now : v->v;
}

/* Sums and products of fp32 and fp16; what else is computed of the values, as a softmax, is no product alone. */
static double arithmetic_of(const struct rule_input *in) {
  return executed_of(in, "FFMA", NULL) + executed_of(in, "FMUL", NULL) + executed_of(in, "FADD", NULL) +
         executed_of(in, "HFMA2", NULL) + executed_of(in, "HMUL2", NULL) + executed_of(in, "HADD2", NULL);
}

void product_roof_of(struct product_roof *out, const struct rule_input *in) {
  enum { FLOAT_BYTES = 4, HALF_BYTES = 2 };
  static const double HALF = 0.5;
  struct sass_loaded_products p;
  struct workload w = in->work;
  double dram = rule_value(in, "dram_read_bytes", 0);
  /* What the L2 had of an earlier kernel DRAM did not read: as much as fits there. */
  double least = fmax(dram, fmin(rule_value(in, "l2_read_bytes", 0), in->all->device->l2_bytes));
  *out = (struct product_roof){.pipe = BOUND_FMA};
  if (!in->sass || !in->sass->counted || dram <= 0)
    return;
  sass_loaded_products(&p, in->sass);
  double halves = p.fp16 + p.fp16_packed + p.mma_ffma, insts = p.fp32 + p.fp16 + p.mma;
  bool on_tensor = halves > p.fp32 && w.tensor.present;
  double bytes = RULE_LANES * (p.fp32 * FLOAT_BYTES + halves * HALF_BYTES);
  if (insts <= HALF * (arithmetic_of(in) + p.mma) || executed_of(in, "MUFU", "EX2") > 0 || bytes < LEAST_USES * least)
    return;
  double fma = on_tensor ? 0 : p.fp32 + p.fp16, mma = on_tensor ? halves / FFMA_OF_MMA : 0;
  set_known(&w.fma, fma);
  set_known(&w.tensor, mma);
  /* Comparisons of the sums, as of a nearest neighbour: each product's own. */
  double compared = on_tensor ? 0 : executed_in(in, SASS_FP32, PIPE_ALU);
  set_known(&w.alu, compared);
  set_known(&w.inst, fma + mma + compared);
  struct value *const gone[] = {&w.fma_heavy, &w.lsu,        &w.xu,          &w.fp64,           &w.l1_wavefronts,
                                &w.loads_s,   &w.slow_loads, &w.own_issue_s, &w.dependencies_s, &w.barriers_s};
  for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
    gone[i]->v = 0;
  w.l2_read.v = fmin(w.l2_read.v, least); /* each byte once */
  struct value now = model_time(&in->work, &in->all->rates), then = model_time(&w, &in->all->rates);
  if (!now.present || !then.present || then.v >= now.v)
    return;
  out->seconds = in->time_s * (then.v / now.v);
  out->pipe = on_tensor ? BOUND_TENSOR : BOUND_FMA;
  out->compares = 2 * compared > fma; /* the ALU has half the lanes, so that it takes longer */
}
