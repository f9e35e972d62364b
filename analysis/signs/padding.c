#include "analysis/signs/padding.h"

#include <math.h>

double padding_of_products(const struct rule_input *in) {
  static const struct {
    const char *counter;
    double bytes; /* of an operand; an output has as many or more */
  } types[] = {{"async_mma_tf32_flops", 4},
               {"async_mma_fp16_flops", 2},
               {"async_mma_bf16_flops", 2},
               {"async_mma_fp8_flops", 1},
               {"async_mma_int8_ops", 1}};
  double reads = rule_value(in, "dram_read_bytes", 0) + in->all->device->l2_bytes, flops = 0, bytes = 0;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    double n = rule_value(in, types[i].counter, 0);
    bytes = n > 0 ? types[i].bytes : bytes;
    flops += n;
  }
  reads = fmin(reads, rule_value(in, "l2_read_bytes", 0)); /* the L2 may hold what an earlier kernel left */
  if (bytes <= 0 || reads <= 0 || !in->sass || executed_of(in, "SHFL", "BFLY") > 0 ||
      executed_of(in, "MUFU", "EX2") > 0)
    return 0;
  for (size_t i = 0; i < in->sass->n; i++)
    if (in->sass->insts[i].class == SASS_ATOMIC)
      return 0;
  double outputs = rule_value(in, "l2_write_bytes", 0) / bytes, most_k = reads / (2 * bytes * sqrt(outputs));
  return outputs > 0 ? flops / 2 / (outputs * most_k) : 0;
}

bool pads_products(const struct rule_input *in) {
  static const double HALF = 2;
  return padding_of_products(in) >= HALF;
}
