#include "profiler/cli/measure_options.h"

#include "run/device.h"
#include "run/run_slim.h"

#include "profiler/cli/cli.h"
#include <stdio.h>
#include <string.h>

const struct option_row measure_options[] = {
    {"shape", "LIST",
     "comma-separated shapes: bench (default), tests, llm, MxKxL; of a generic problem \"NAME=VALUE NAME=VALUE\""},
    {"kernels", "DIR", "rungs of this folder instead of the built-in ones"},
    {"l2", "POLICY",
     "L2 before each launch: cold (default: flushed by reads), dirty (flushed by writes), warm (not flushed)"},
    {"inputs", "KIND", "default, contest or extreme"},
    {"seed", "N", "of the inputs (default: 1)"},
    {"gpu", "INDEX|UUID", "the GPU to use (default: the first)"},
    {"rounds", "N", "take at most this many timing rounds (default: 100; with tune, in its last measurement)"},
    {"hang-limit", "SECONDS", "kill a kernel that runs longer (default: 10)"},
    {NULL, NULL, NULL},
};

int measure_options_read(struct profile_options *out, const struct args *a, struct err *e) {
  profile_options_default(out);
  const char *l2 = args_get(a, "l2"), *inputs = args_get(a, "inputs");
  long rounds = out->max_rounds, seed = (long)out->seed;
  out->gpu = args_get(a, "gpu");
  out->progress = cli_progress;
  int rc = l2 ? l2_policy_parse(&out->l2, l2, e) : 0;
  if (!rc && inputs)
    rc = problem_inputs_parse(&out->inputs, inputs, e);
  if (!rc)
    rc = args_long(a, "rounds", 1, 100000, &rounds, e);
  if (!rc)
    rc = args_long(a, "seed", 0, (1L << 53) - 1, &seed, e); /* which a double tells from its neighbours */
  if (!rc)
    rc = args_double(a, "hang-limit", 0.1, 3600, &out->hang_limit_s, e);
  out->max_rounds = (int)rounds;
  out->min_rounds = out->min_rounds < out->max_rounds ? out->min_rounds : out->max_rounds;
  out->seed = (uint64_t)seed;
  return rc;
}

void measured_slim(struct run *run) {
  run_sources_used(run);
  run_paths_hide(run);
}

struct selection_asked selection_asked_of(const struct args *a) {
  return (struct selection_asked){args_get(a, "kernels"), args_get(a, "kernel"), args_get(a, "variant"),
                                  args_get(a, "shape")};
}

int target_sm(const char *arch) {
  int sm = 0;
  char rest[4] = "";
  if (sscanf(arch, "sm_%d%3s", &sm, rest) < 1 || sm < 80 || sm > 199 ||
      (rest[0] && strcmp(rest, "a") != 0 && strcmp(rest, "f") != 0))
    return 0;
  return sm;
}

int target_chip(struct rung_chip *out, const char *arch, struct err *e) {
  int sm = target_sm(arch);
  if (!sm)
    return err_set(e, ERR_USAGE, "--target %s: must be a chip of sm_80 or later, such as sm_90a, sm_100a, sm_120a",
                   arch);
  struct device d = {0};
  int rc = device_load(&d, sm == 90 ? "h200" : "b200", e);
  *out = (struct rung_chip){sm, d.sms, d.smem_optin, d.regs_per_sm, d.warps_per_sm, (long)d.l2_bytes};
  device_release(&d);
  return rc;
}

int compile_selected(const struct profile_options *o, const struct selection *s, const char *arch, struct run *run,
                     struct err *e) {
  struct rung_chip chip;
  int rc = target_chip(&chip, arch, e);
  return rc ? rc : profile_compile(o, arch, &chip, s, run, e);
}
