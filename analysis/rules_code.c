/* Rules on what the SASS shows: they need its analysis beside the counters. */
#include "analysis/rules_parts.h"

bool rule_dependent_loads(const struct rule_input *in, struct advice *out) {
  (void)in;
  (void)out;
  return false;
}

bool rule_non_fused(const struct rule_input *in, struct advice *out) {
  (void)in;
  (void)out;
  return false;
}
