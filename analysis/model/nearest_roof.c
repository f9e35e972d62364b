#include "analysis/model/nearest_roof.h"

#include "analysis/model/resources.h"

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

/* Pipes whose warp instructions are counted. */
static const struct pipe_roof {
  const char *name;
  enum resource resource;
} pipe_roofs[] = {{"FMA", RESOURCE_FMA}, {"fp64", RESOURCE_FP64}, {"ALU", RESOURCE_ALU}, {"XU", RESOURCE_XU}};

static double typed_rate(const struct typed_roof *t, const struct device *d) {
  const struct ceiling *own = device_best(d, t->ceiling), *other = t->from ? device_best(d, t->from) : NULL;
  return own ? own->value : other ? other->value * t->ratio : 0;
}

double hmma_flops(const struct run *run, const struct run_result *r) {
  double flops = 0;
  size_t n = 0;
  for (size_t k = 0; r->module >= 0 && k < run->modules[r->module].n_kernels; k++) {
    const struct run_kernel *kernel = &run->modules[r->module].kernels[k];
    for (size_t i = 0; i < kernel->n_sass; i++) {
      const char *op = strstr(kernel->sass[i].text, "HMMA.168");
      long depth = op && (op == kernel->sass[i].text || op[-1] == ' ') ? strtol(op + strlen("HMMA.168"), NULL, 10) : 0;
      if (depth <= 0 || depth > 64)
        continue;
      flops += 2.0 * 16 * 8 * (double)depth;
      n++;
    }
  }
  return n ? flops / (double)n : 0;
}

/* mma.sync has a peak of its own, about two thirds of the asynchronous instructions' on Hopper. */
static struct value mma_sync_s(const struct finding *f, const struct run *run, const struct rates *rates,
                               struct pool *pool) {
  struct value hmma = value_counter(f->result, "pipe_tensor_hmma", pool);
  const struct ceiling *peak = device_best(rates->device, "mma_f16_flops");
  double flops = hmma_flops(run, f->result);
  if (hmma.present && flops > 0 && peak && peak->value > 0)
    return value_of(hmma.v * flops / peak->value);
  return resource_rows[RESOURCE_TENSOR].seconds(&f->bounds.work, rates);
}

struct nearest {
  double seconds;
  const char *name;
};

static void consider(struct nearest *n, const char *name, double seconds) {
  if (seconds > n->seconds)
    *n = (struct nearest){seconds, name};
}

struct value nearest_roof(const struct finding *f, const struct run *run, const struct rates *rates, struct pool *pool,
                          const char **name) {
  struct nearest found = {0};
  struct value time = finding_time(f);
  consider(&found, "DRAM", f->sol_minimal.seconds);
  for (size_t i = 0; i < sizeof typed_roofs / sizeof typed_roofs[0]; i++) {
    struct value flops = value_counter(f->result, typed_roofs[i].counter, pool);
    double rate = typed_rate(&typed_roofs[i], rates->device);
    if (flops.present && rate > 0)
      consider(&found, typed_roofs[i].name, flops.v / rate);
  }
  struct value mma = mma_sync_s(f, run, rates, pool);
  if (mma.present)
    consider(&found, "mma.sync", mma.v);
  for (size_t i = 0; i < sizeof pipe_roofs / sizeof pipe_roofs[0]; i++) {
    struct value s = resource_rows[pipe_roofs[i].resource].seconds(&f->bounds.work, rates);
    if (s.present)
      consider(&found, pipe_roofs[i].name, s.v);
  }
  *name = time.present ? found.name : NULL;
  if (!found.name)
    return value_absent("no DRAM bandwidth is stated for this device, and no pipe's instructions were counted");
  return value_ratio(value_of(found.seconds), time, "the time is 0");
}
