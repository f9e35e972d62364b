#include "profiler/ceilings/arithmetic.h"

#include "base/warp.h"

#include <math.h>

int ceilings_slope(double *out, const double work[2], const double time_s[2], struct err *e) {
  double more = work[1] - work[0], longer_s = time_s[1] - time_s[0];
  for (int i = 0; i < 2; i++)
    if (!isfinite(work[i]) || work[i] <= 0 || !isfinite(time_s[i]) || time_s[i] <= 0)
      return err_set(e, ERR_DATA, "a slope of %g over %g s: both must be above 0", work[i], time_s[i]);
  if (more <= 0 || longer_s <= 0)
    return err_set(e, ERR_DATA, "no slope: %g more work took %g s more", more, longer_s);
  *out = more / longer_s;
  return 0;
}

int ceilings_lanes(double *out, double warps, double instructions, double cycles, struct err *e) {
  if (!isfinite(cycles) || cycles <= 0)
    return err_set(e, ERR_DATA, "the SM's clock counted %g cycles", cycles);
  *out = warps * instructions * WARP_LANES / cycles;
  return 0;
}

struct ceilings_walk ceilings_walk(unsigned long long lines) {
  /* A multiplier of 1 mod 12 serves 2 and 3 alike; an addend that neither divides has no factor in common with the lines.  Both are near the
   * golden section of the lines, so that one step goes far and the next elsewhere. */
  unsigned long long golden = (unsigned long long)((double)lines * 0.6180339887);
  struct ceilings_walk w = {golden / 12 * 12 + 1, golden / 2 / 6 * 6 + 1};
  return w;
}

size_t ceilings_octaves(double first, double last, double *out, size_t max) {
  size_t n = 0;
  for (double size = first; n < max && size <= last; size *= 2) {
    out[n++] = size;
    if (n < max && size * 1.5 <= last)
      out[n++] = size * 1.5;
  }
  return n;
}

size_t ceilings_quarters(double grain, double last, double *out, size_t max) {
  size_t n = 0;
  for (double size = grain; n < max && size <= last;) {
    out[n++] = size;
    double next = floor(size * 1.25 / grain) * grain;
    size = next > size ? next : size + grain;
  }
  return n;
}
