/* nvbench's times and Nsight Compute's counters of the same program. */
#include "profiler/import/nvbench.h"

#include "base/cxx_name.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The function's name in a kernel's, without type, name spaces and template arguments. */
static bool function_is(const char *kernel, const char *function) {
  const char *rest;
  size_t n, m = strlen(function);
  const char *name = cxx_bare(kernel, &n, &rest), *end = memchr(name, '<', n);
  n = end ? (size_t)(end - name) : n;
  return n >= m && strncmp(name + n - m, function, m) == 0 && (n == m || name[n - m - 1] == ':');
}

/* The counters' result of each of ours; -1: none. */
static size_t match_by_name(const struct run *run, const struct run *counters, long *of) {
  size_t matched = 0;
  for (size_t i = 0; i < run->n_results; i++) {
    const char *benchmark = run_variant_key(&run->variants[run->results[i].variant], "benchmark");
    size_t states = 0, kernels = 0;
    for (size_t j = 0; j < run->n_results; j++)
      states += strcmp(run_variant_key(&run->variants[run->results[j].variant], "benchmark"), benchmark) == 0;
    for (size_t j = 0; j < counters->n_results; j++)
      if (function_is(counters->results[j].launches[0].kernel, benchmark)) {
        of[i] = (long)j;
        kernels++;
      }
    if (states != 1 || kernels != 1)
      of[i] = -1;
    matched += of[i] >= 0;
  }
  return matched;
}

/* Of states that nvbench skipped there is no launch. */
static size_t timed(const struct run *run) {
  size_t n = 0;
  for (size_t i = 0; i < run->n_results; i++)
    n += run->results[i].timing.n > 0;
  return n;
}

static int match(const struct run *run, const struct run *counters, long *of, struct err *e) {
  size_t states = timed(run), next = 0;
  for (size_t i = 0; i < run->n_results; i++)
    of[i] = states == counters->n_results && run->results[i].timing.n > 0 ? (long)next++ : -1;
  if (states == counters->n_results || match_by_name(run, counters, of) > 0)
    return 0;
  return err_set(
      e, ERR_USAGE,
      "--counters: %zu kernels do not match %zu timed states, and no benchmark has a single state and the name of one kernel: profile with ncu ... BENCH --profile, and name the kernel of each state with --kernel GLOB",
      counters->n_results, states);
}

static void take_counters(struct run_result *to, struct run_result *from) {
  free(to->sampling.reason);
  free(to->counts_reason);
  to->module = from->module;
  to->launches = from->launches;
  to->n_launches = from->n_launches;
  to->metrics = from->metrics;
  to->n_metrics = from->n_metrics;
  to->sampling = from->sampling;
  to->samples = from->samples;
  to->n_samples = from->n_samples;
  to->counts = from->counts;
  to->n_counts = from->n_counts;
  to->counts_reason = from->counts_reason;
  if (to->flops <= 0)
    to->flops = from->flops;
  /* What was taken is not the other's to free. */
  from->launches = NULL;
  from->metrics = NULL;
  from->samples = NULL;
  from->counts = NULL;
  from->counts_reason = NULL;
  from->sampling = (struct run_sampling){0};
  from->n_launches = from->n_metrics = from->n_samples = from->n_counts = 0;
}

static void notes_take(struct run *run, const struct run *counters, size_t joined) {
  char *line = str_printf(
      "counters of %zu of %zu states are from Nsight Compute, times are from nvbench: these were separate runs, at different clocks",
      joined, run->n_results);
  run_note(run, line);
  for (size_t i = 0; i < counters->n_notes; i++)
    run_note(run, counters->notes[i]);
  free(line);
}

int nvbench_join(struct run *run, struct run *counters, struct err *e) {
  long *of = calloc(run->n_results + 1, sizeof *of);
  size_t joined = 0;
  int rc = match(run, counters, of, e);
  for (size_t i = 0; i < run->n_results && !rc; i++) {
    if (of[i] < 0)
      continue;
    take_counters(&run->results[i], &counters->results[of[i]]);
    joined++;
  }
  if (!rc) {
    run->modules = counters->modules;
    run->n_modules = counters->n_modules;
    run->sources = counters->sources;
    run->n_sources = counters->n_sources;
    counters->modules = NULL;
    counters->sources = NULL;
    counters->n_modules = counters->n_sources = 0;
    notes_take(run, counters, joined);
  }
  free(of);
  return rc;
}
