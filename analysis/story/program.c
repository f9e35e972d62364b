#include "analysis/story/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SECONDS_PER_NS = 1e-9;

/* NaN: the variant has no such key, or it is no number. */
static double number_of(const struct run_variant *v, const char *key) {
  const char *text = run_variant_key(v, key);
  char *end = NULL;
  double x = text ? strtod(text, &end) : NAN;
  return text && end != text && !*end && isfinite(x) && x >= 0 ? x : NAN;
}

bool program_kernel_of(const struct run_variant *v, struct program_kernel *out) {
  double share = number_of(v, "gpu_time_share");
  *out = (struct program_kernel){.calls = number_of(v, "launches"),
                                 .total_s = number_of(v, "gpu_time_ns") * SECONDS_PER_NS};
  out->share = isfinite(share) ? value_of(share) : value_absent("the run does not say the program's whole GPU time");
  return isfinite(out->calls) && isfinite(out->total_s);
}

bool program_is(const struct run *r) {
  struct program_kernel k;
  bool all = r->n_variants > 0;
  for (size_t i = 0; i < r->n_variants && all; i++)
    all = program_kernel_of(&r->variants[i], &k);
  return all;
}

struct program_others program_others_of(const struct run *r, const struct run_variant *v) {
  struct program_others out = {0};
  const char *name = run_variant_key(v, "kernel");
  for (size_t i = 0; i < r->n_variants && name; i++) {
    const char *other = run_variant_key(&r->variants[i], "kernel");
    struct program_kernel k;
    if (&r->variants[i] == v || !other || strcmp(other, name) != 0 || !program_kernel_of(&r->variants[i], &k))
      continue;
    out.n++;
    out.share += k.share.present ? k.share.v : 0;
  }
  return out;
}

const char *program_longest(const struct run *r) {
  const char *longest = NULL;
  double most_s = -1;
  bool of_program = program_is(r);
  for (size_t i = 0; i < r->n_variants && of_program; i++) {
    struct program_kernel k;
    if (program_kernel_of(&r->variants[i], &k) && k.total_s > most_s) {
      most_s = k.total_s;
      longest = r->variants[i].id;
    }
  }
  return longest;
}
