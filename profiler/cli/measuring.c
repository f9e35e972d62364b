#include "profiler/cli/measuring.h"
#include "profiler/cli/cli.h"

const struct option_row measuring_options[] = {
    {"shape", "LIST",
     "bench (default), tests, or MxKxL, comma between; of a generic problem \"NAME=VALUE NAME=VALUE\""},
    {"kernels", "DIR", "rungs of this folder instead of the built-in ones"},
    {"l2", "POLICY",
     "before each launch: cold (default: the L2 is emptied by reading), dirty (by writing), warm (left)"},
    {"inputs", "KIND", "default, contest or extreme"},
    {"seed", "N", "of the inputs (default: 1)"},
    {"gpu", "INDEX|UUID", "the GPU to use (default: the first)"},
    {"rounds", "N", "most timing rounds (default: 100); of a search, in its last measurement"},
    {"hang-limit", "SECONDS", "a kernel that has not come back by then is killed (default: 10)"},
    {NULL, NULL, NULL},
};

int measuring_read(struct profile_options *out, const struct args *a, struct err *e) {
  profile_options_default(out);
  const char *l2 = args_get(a, "l2"), *inputs = args_get(a, "inputs");
  long rounds = out->max_rounds, seed = (long)out->seed;
  out->gpu = args_get(a, "gpu");
  out->progress = cli_progress;
  int result = l2 ? l2_policy_parse(&out->l2, l2, e) : 0;
  if (!result && inputs)
    result = problem_inputs_parse(&out->inputs, inputs, e);
  if (!result)
    result = args_long(a, "rounds", 1, 100000, &rounds, e);
  if (!result)
    result = args_long(a, "seed", 0, 1L << 53, &seed, e);
  if (!result)
    result = args_double(a, "hang-limit", 0.1, 3600, &out->hang_limit_s, e);
  out->max_rounds = (int)rounds;
  out->min_rounds = out->min_rounds < out->max_rounds ? out->min_rounds : out->max_rounds;
  out->seed = (uint64_t)seed;
  return result;
}

struct selection_asked measuring_selection(const struct args *a) {
  return (struct selection_asked){args_get(a, "kernels"), args_get(a, "kernel"), args_get(a, "variant"),
                                  args_get(a, "shape")};
}
