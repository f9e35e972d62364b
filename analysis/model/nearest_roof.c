#include "analysis/model/nearest_roof.h"

#include "analysis/model/resources.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* FLOPs of asynchronous matrix instructions (wgmma, tcgen05.mma), which no warp instruction stands
 * for, against the rate that the datasheet states of their type; where it states none, against
 * another type's times a ratio. */
static const struct typed_roof {
  const char *name, *counter, *ceiling, *from;
  double ratio;
} typed_roofs[] = {
    {"bf16 tensor", "async_mma_bf16_flops", "tensor_bf16_flops"},
    {"fp16 tensor", "async_mma_fp16_flops", "tensor_fp16_flops"},
    /* Half of bf16's on every chip since the A100: 494.7 of 989.5 TFLOP/s, H200 datasheet. */
    {"tf32 tensor", "async_mma_tf32_flops", "tensor_tf32_flops", "tensor_bf16_flops", 0.5},
    {"fp8 tensor", "async_mma_fp8_flops", "tensor_fp8_flops"},
    {"fp4 tensor", "async_mma_fp4_flops", "tensor_fp4_flops"},
    {"int8 tensor", "async_mma_int8_ops", "tensor_int8_flops"},
};

/* What has a roof, as a reader is told of it: neither a warp's own chain nor launching is a speed
 * to come near to. */
static const char *const roofs[BOUND_KINDS] = {
    [BOUND_DRAM] = "DRAM",   [BOUND_L2] = "L2",           [BOUND_L1] = "L1",     [BOUND_ATOMICS] = "atomics",
    [BOUND_ISSUE] = "issue", [BOUND_ALU] = "ALU",         [BOUND_FMA] = "FMA",   [BOUND_LSU] = "LSU",
    [BOUND_XU] = "XU",       [BOUND_TENSOR] = "mma.sync", [BOUND_FP64] = "fp64", [BOUND_ADU] = "ADU",
    [BOUND_TEX] = "texture",
};

static double typed_rate(const struct typed_roof *t, const struct device *d) {
  const struct ceiling *own = device_best(d, t->ceiling), *other = t->from ? device_best(d, t->from) : NULL;
  return own ? own->value : other ? other->value * t->ratio : 0;
}

/* The mean of what `of` says of the instructions that it knows, which it returns more than 0 of; 0
 * where it knows none. */
static double mean_in_code(const struct run *run, const struct run_result *r, double (*of)(const char *sass)) {
  double sum = 0;
  size_t n = 0;
  for (size_t k = 0; r->module >= 0 && k < run->modules[r->module].n_kernels; k++) {
    const struct run_kernel *kernel = &run->modules[r->module].kernels[k];
    for (size_t i = 0; i < kernel->n_sass; i++) {
      double one = of(kernel->sass[i].text);
      sum += one;
      n += one > 0;
    }
  }
  return n ? sum / (double)n : 0;
}

static double flops_of(const char *sass) {
  const char *op = strstr(sass, "HMMA.168");
  long depth = op && (op == sass || op[-1] == ' ') ? strtol(op + strlen("HMMA.168"), NULL, 10) : 0;
  return depth > 0 && depth <= 64 ? 2.0 * 16 * 8 * (double)depth : 0;
}

double hmma_flops(const struct run *run, const struct run_result *r) {
  return mean_in_code(run, r, flops_of);
}

/* The time that a warp's HMMA takes as a part of that of m16n8k16 on fp16 or bf16, by opcode and
 * operands: 2/3, 1, 2/3, 1 and 1/2 of them a cycle and SM on an H100 and an H200, 2026-11-27. */
static const struct hmma_shape {
  const char *op, *operands;
  double of_k16;
} hmma_shapes[] = {
    {"HMMA.16816.", "", 1},           {"HMMA.1688.", ".TF32", 1},      {"HMMA.1688.", "", 2.0 / 3},
    {"HMMA.1684.", ".TF32", 2.0 / 3}, {"HMMA.SP.16832.", "", 4.0 / 3}, {"HMMA.SP.16816.", ".TF32", 4.0 / 3},
};
enum { K16_FLOPS = 2 * 16 * 8 * 16 };

static double hmma_of_k16(const char *text) {
  size_t length = strcspn(text, " ");
  if (*text == '@') {
    text += length + strspn(text + length, " ");
    length = strcspn(text, " ");
  }
  for (size_t i = 0; i < sizeof hmma_shapes / sizeof hmma_shapes[0]; i++) {
    const struct hmma_shape *s = &hmma_shapes[i];
    const char *operands = strstr(text, s->operands);
    if (!strncmp(text, s->op, strlen(s->op)) && operands && operands < text + length)
      return s->of_k16;
  }
  return 0;
}

/* mma.sync has a peak of its own, about two thirds of the asynchronous instructions' on Hopper.
 * 0: the shape of its HMMAs is not known, and the row of the model, which takes all for m16n8k16,
 * stands. */
static double mma_sync_s(const struct finding *f, double of_k16, const struct rates *rates, struct pool *pool) {
  struct value hmma = value_counter(f->result, "pipe_tensor_hmma", pool);
  const struct ceiling *peak = device_best(rates->device, "mma_f16_flops");
  return hmma.present && peak && peak->value > 0 ? hmma.v * of_k16 * K16_FLOPS / peak->value : 0;
}

/* Asynchronous matrix instructions: 2 of those on 2:4 sparse operands, whose FLOPs are counted as if
 * they were dense and take half of the time (H100 datasheet), else 1. */
static double async_speed(const char *sass) {
  const char *op = strstr(sass, "GMMA.");
  return !op ? 0 : !strncmp(op, "GMMA.SP.", strlen("GMMA.SP.")) ? 2 : 1;
}

/* No other row is as long as the tensor pipes'. */
static bool tensor_is_longest(const struct bounds *b) {
  struct value tensor = b->seconds[BOUND_TENSOR];
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_TENSOR && b->seconds[k].present && b->seconds[k].v >= tensor.v)
      return false;
  return b->binding != BOUND_KINDS;
}

/* The row of the tensor pipes by FLOPs where these are known, and the name of its roof. */
static const char *tensor_row(struct bounds *b, const struct finding *f, const struct run *run,
                              const struct rates *rates, struct pool *pool) {
  const char *name = roofs[BOUND_TENSOR];
  bool async = false;
  double balance = b->work.balance, of_k16 = mean_in_code(run, f->result, hmma_of_k16);
  double sync_s = mma_sync_s(f, of_k16, rates, pool) / balance;
  double speed = fmax(mean_in_code(run, f->result, async_speed), 1);
  if (sync_s > 0) {
    b->seconds[BOUND_TENSOR] = value_of(sync_s);
    b->ceiling[BOUND_TENSOR] = device_best(rates->device, "mma_f16_flops");
    b->tensor_times = hmma_flops(run, f->result) / (K16_FLOPS * of_k16);
  }
  for (size_t i = 0; i < sizeof typed_roofs / sizeof typed_roofs[0]; i++) {
    struct value flops = value_counter(f->result, typed_roofs[i].counter, pool);
    const struct ceiling *own = device_best(rates->device, typed_roofs[i].ceiling);
    double rate = speed * typed_rate(&typed_roofs[i], rates->device), seconds = flops.v / (rate * balance);
    if (!flops.present || flops.v <= 0 || !(rate > 0) ||
        (b->seconds[BOUND_TENSOR].present && seconds <= b->seconds[BOUND_TENSOR].v))
      continue;
    name = typed_roofs[i].name;
    async = true;
    b->seconds[BOUND_TENSOR] = value_of(seconds);
    b->ceiling[BOUND_TENSOR] = own ? own : device_best(rates->device, typed_roofs[i].from);
    b->tensor_times = rate / b->ceiling[BOUND_TENSOR]->value;
  }
  if (async && tensor_is_longest(b)) /* the model counts warp instructions, which these are not */
    b->binding = BOUND_TENSOR;
  if (b->binding == BOUND_TENSOR)
    b->share = value_ratio(b->seconds[BOUND_TENSOR], b->whole, "the time is 0");
  return name;
}

void nearest_roof(struct finding *f, const struct run *run, const struct rates *rates, struct pool *pool) {
  struct bounds *b = &f->bounds;
  struct value time = b->whole;
  const char *tensor = tensor_row(b, f, run, rates, pool);
  enum bound_kind nearest = BOUND_KINDS, largest = BOUND_KINDS;
  for (int k = 0; k < BOUND_KINDS; k++) {
    double seconds = b->seconds[k].present ? b->seconds[k].v : 0;
    if (seconds > 0 && (largest == BOUND_KINDS || seconds > b->seconds[largest].v))
      largest = (enum bound_kind)k;
    if (seconds > 0 && roofs[k] && (nearest == BOUND_KINDS || seconds > b->seconds[nearest].v))
      nearest = (enum bound_kind)k;
  }
  f->sol_roof = NULL;
  if (!time.present) {
    f->of_sol = time;
  } else if (nearest == BOUND_KINDS) {
    f->of_sol = value_absent("no rate of what was counted is known for this device");
  } else if (largest == BOUND_LAUNCH) {
    f->of_sol = value_absent(pool_printf(
        pool, "no roof is near: launching takes %.0f %% of the time, %s %.2g %%", 100 * b->seconds[largest].v / time.v,
        nearest == BOUND_TENSOR ? tensor : bound_rows[nearest].noun, 100 * b->seconds[nearest].v / time.v));
  } else if (b->seconds[nearest].v > BOUND_MARGIN * time.v) {
    f->of_sol = value_absent(pool_printf(pool, "not known: %s would need %.0f %% of the time, which cannot be",
                                         nearest == BOUND_TENSOR ? tensor : bound_rows[nearest].noun,
                                         100 * b->seconds[nearest].v / time.v));
  } else {
    f->sol_roof = nearest == BOUND_TENSOR ? tensor : roofs[nearest];
    f->sol_bound = nearest;
    f->of_sol = value_ratio(b->seconds[nearest], time, "the time is 0");
  }
}
