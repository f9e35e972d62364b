/* The profiler: rungs and shapes in, a run out.  It measures, and knows nothing of rooflines. */
#pragma once

#include "base/err.h"
#include "kernels/selection.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/cuda/probe.h"
#include "run/run.h"

#include "phase_rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum l2_policy {
  L2_COLD,  /* read a clean buffer several times the L2 before each launch */
  L2_DIRTY, /* write one: leaves dirty lines whose write-back is billed to the kernel, as the contest harness does */
  L2_WARM,  /* do nothing */
};
int l2_policy_parse(enum l2_policy *out, const char *name, struct err *e);
const char *l2_policy_name(enum l2_policy p);

/* How a time is taken besides the kernel's own. */
enum harness {
  HARNESS_KERNEL,  /* not at all */
  HARNESS_CONTEST, /* an event pair around the launch, after 4 GiB were written: for comparison with a leaderboard */
};
int harness_parse(enum harness *out, const char *name, struct err *e);

/* What is done with each variant, in the order of PHASE_ROWS unless the user gives another: a way to see that no phase disturbs a later one. */
#define PROFILE_PHASE_NUMBER(number, upper, lower) PHASE_##upper,
enum profile_phase { PHASE_ROWS(PROFILE_PHASE_NUMBER) PROFILE_PHASES };
#undef PROFILE_PHASE_NUMBER
/* "check,time,stalls,counters,sass": distinct names, check first.  ERR_USAGE says what is wrong. */
int profile_phases_parse(enum profile_phase phases[PROFILE_PHASES], size_t *n, const char *list, struct err *e);

struct profile_options {
  const char *gpu; /* index or UUID; NULL: the first */
  enum l2_policy l2;
  enum harness harness;
  enum problem_inputs inputs;
  uint64_t seed;
  int min_rounds, max_rounds; /* of timing */
  double time_limit_s;        /* for the timing phase; what is measured by then counts */
  long samples;               /* PC samples wanted of each result */
  double hang_limit_s;        /* a kernel that has not come back by then is killed */
  enum profile_phase phases[PROFILE_PHASES];
  size_t n_phases;
  bool sass;
  progress_told *progress; /* of the parent; may be NULL */
};
void profile_options_default(struct profile_options *o);

/* What rungs ask of a chip. */
struct rung_chip gpu_probe_chip(const struct gpu_probe *p);

/* Profiles every chosen rung at every shape.  *out is a run to be saved, also when it was cut short by a signal (out->partial); the caller
 * releases it.  Failures of single variants are in their results and no error here. */
int profile_run(const struct profile_options *o, const struct gpu_probe *gpu, const struct selection *s,
                struct run *out, struct err *e);

/* Compiles every chosen rung at every shape for an architecture that need not be here.  The run has modules, planned launches and results that say so, but no
 * times: VERDICT_SKIPPED, reason "compiled for sm_100a, not run". */
int profile_compile(const struct profile_options *o, const char *arch, const struct rung_chip *chip,
                    const struct selection *s, struct run *out, struct err *e);
