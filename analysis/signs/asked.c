#include "analysis/signs/asked.h"

#include <math.h>

static bool is_copy(const struct sass_inst *x) {
  return x->access == ACCESS_ASYNC_COPY && x->bytes > 0;
}

bool counts_as(const struct sass_inst *x, enum sass_class class) {
  return x->class == class || (class == SASS_LOAD_GLOBAL && is_copy(x));
}

/* Lanes that fetch nothing (a source size of 0) are taken for such that do: then less is found to be too much. */
double asked_bytes(const struct rule_input *in) {
  double loaded = rule_value(in, "load_data_bytes", -1), requests = rule_value(in, "l1_load_requests", 0);
  double loads = 0, copies = 0, bytes = 0;
  bool unknown = false;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double n = fmax(in->sass->executed[i], 0);
    if (x->never || !counts_as(x, SASS_LOAD_GLOBAL))
      continue;
    unknown = unknown || (is_copy(x) && !in->sass->counted);
    *(is_copy(x) ? &copies : &loads) += n;
    bytes += is_copy(x) ? n * x->bytes : 0;
  }
  if (unknown || (loaded < 0 && loads > 0))
    return 0;
  if (copies <= 0)
    return fmax(loaded, 0);
  /* Executed counts may be estimates: they share out the requests that were counted. */
  double each = requests > 0 ? requests / (copies + loads) : 1;
  return fmax(loaded, 0) + RULE_LANES * bytes * each;
}

double lane_load_bytes(const struct rule_input *in) {
  double requests = rule_value(in, "l1_load_requests", 0) * RULE_LANES * rule_value(in, "lanes_active", 1);
  double n = 0, bytes = 0;
  for (size_t i = 0; in->sass && in->sass->counted && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double executed = counts_as(x, SASS_LOAD_GLOBAL) && !x->never && x->bytes > 0 ? fmax(in->sass->executed[i], 0) : 0;
    n += executed;
    bytes += executed * x->bytes;
  }
  return n > 0 ? bytes / n : requests > 0 ? asked_bytes(in) / requests : 0;
}
