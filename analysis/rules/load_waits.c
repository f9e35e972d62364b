#include "analysis/rules/load_waits.h"

#include "analysis/rules/rule_tools.h"

#include <math.h>

static double waits_for_memory(const struct rule_input *in) {
  return rule_value(in, "stall_long_scoreboard_share", INFINITY);
}

bool waits_for_loads(const struct rule_input *in) {
  return waits_for_memory(in) >= ADVICE_LEAST_SHARE;
}

bool waits_most_for_loads(const struct rule_input *in) {
  return waits_for_loads(in) && waits_for_memory(in) >= rule_value(in, "stall_wait_share", 0) &&
         waits_for_memory(in) >= rule_value(in, "stall_short_scoreboard_share", 0);
}
