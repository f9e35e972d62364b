/* Rungs of a run made by hand that conflict in shared memory less and less. */
#ifndef TESTS_UNIT_MADE_CLIMB_H
#define TESTS_UNIT_MADE_CLIMB_H

#include "unit/made_run.h"

static const struct shape SHAPE = {128, 256, 1}, OTHER = {256, 256, 1};

/* A rung of whose cycles of shared memory, which take the time, this part repeats an access. */
static inline void rung(struct made_run *m, const char *id, struct shape s, double time_us, double conflicts) {
  struct run_result *r = made_result(m, id, s);
  r->bytes_minimal = 10e6;
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "sm_cycles_active", 1e6);
  made_metric(r, "warps_active", 32e6);
  made_metric(r, "l1_wavefronts", 1e6);
  made_metric(r, "shared_wavefronts", conflicts * 1e6);
  made_metric(r, "shared_bank_conflicts", conflicts * 1e6);
  made_time(r, time_us * 1e3, 5);
}

#endif
