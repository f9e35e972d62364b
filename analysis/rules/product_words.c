#include "analysis/rules/product_words.h"

#include "analysis/signs/shared_use.h"

const char *product_words(const struct rule_input *in, struct told *out, struct product_roof *roof) {
  static const double MICRO = 1e-6, MILLI = 1e-3;
  product_roof_of(roof, in);
  /* what data look up in shared memory no tile spares */
  if (roof->seconds <= 0 || roof->seconds >= in->time_s || looked_up_shared(in) > 0)
    return NULL;
  out->roof_s = roof->seconds;
  const char *pipes = roof->pipe == BOUND_TENSOR ? "tensor cores" : roof->compares ? "FMA, ALU" : "the FMA pipe";
  return roof->seconds < MILLI
             ? pool_printf(in->pool, "at least %.2g µs stay: %s and DRAM", roof->seconds / MICRO, pipes)
             : pool_printf(in->pool, "at least %.2g ms stay: %s and DRAM", roof->seconds / MILLI, pipes);
}
