/* How things are measured, as the user says it. */
#include "profiler/measure/profile.h"

#include <string.h>

static const struct {
  enum l2_policy policy;
  const char *name;
} l2_policies[] = {{L2_COLD, "cold"}, {L2_DIRTY, "dirty"}, {L2_WARM, "warm"}};

int l2_policy_parse(enum l2_policy *out, const char *name, struct err *e) {
  for (size_t i = 0; i < sizeof l2_policies / sizeof l2_policies[0]; i++)
    if (strcmp(l2_policies[i].name, name) == 0) {
      *out = l2_policies[i].policy;
      return 0;
    }
  return err_set(e, ERR_USAGE, "--l2 %s: it is cold, dirty or warm", name);
}

const char *l2_policy_name(enum l2_policy p) {
  return l2_policies[p].name;
}

int harness_parse(enum harness *out, const char *name, struct err *e) {
  bool contest = strcmp(name, "contest") == 0;
  if (!contest && strcmp(name, "kernel") != 0)
    return err_set(e, ERR_USAGE, "--harness %s: it is kernel or contest", name);
  *out = contest ? HARNESS_CONTEST : HARNESS_KERNEL;
  return 0;
}

void profile_options_default(struct profile_options *o) {
  *o = (struct profile_options){.l2 = L2_COLD,
                                .inputs = INPUTS_DEFAULT,
                                .seed = 1,
                                .min_rounds = 20,
                                .max_rounds = 100,
                                .time_limit_s = 10,
                                .samples = 20000,
                                .hang_limit_s = 10,
                                .sass = true};
  for (; o->n_phases < PROFILE_PHASES; o->n_phases++)
    o->phases[o->n_phases] = (enum profile_phase)o->n_phases;
}
