#include "analysis/model/findings.h"

void sol_of(struct sol *out, double bytes, const char *bytes_kind, const struct ceiling *bandwidth) {
  *out = (struct sol){.bytes = bytes, .bytes_kind = bytes_kind, .bandwidth = bandwidth};
  if (bandwidth && bandwidth->value > 0)
    out->seconds = bytes / bandwidth->value;
}
