#include "analysis/model/findings.h"

const struct ceiling *sol_stated_bandwidth(const struct device *d) {
  const struct ceiling *c = device_ceiling(d, "dram_bw", CEILING_DATASHEET);
  return c ? c : device_ceiling(d, "dram_bw", CEILING_DRIVER);
}

void sol_of(struct sol *out, double bytes, const char *bytes_kind, const struct ceiling *bandwidth) {
  *out = (struct sol){.bytes = bytes, .bytes_kind = bytes_kind, .bandwidth = bandwidth};
  if (bandwidth && bandwidth->value > 0)
    out->seconds = bytes / bandwidth->value;
}
