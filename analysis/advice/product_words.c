#include "analysis/advice/product_words.h"

const char *product_words(const struct rule_input *in, struct told *out, struct product_roof *roof) {
  static const double MS = 1e3;
  product_roof_of(roof, in);
  if (roof->seconds <= 0 || roof->seconds >= in->time_s)
    return NULL;
  out->roof_s = roof->seconds;
  return pool_printf(in->pool, "at least %.2g ms stay: %s and DRAM", MS * roof->seconds,
                     roof->pipe == BOUND_TENSOR ? "tensor cores" : "the FMA pipe");
}
