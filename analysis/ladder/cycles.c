#include "analysis/ladder/cycles.h"

#include <math.h>

enum { SCHEDULERS = 4 }; /* of an SM */

/* A use is named where it is this part of the change or more. */
static const double NAMED = 0.1;

const char *const cycle_use_titles[CYCLE_USES] = {
    [CYCLES_ISSUE] = "issuing",
    [CYCLES_LOADS] = "waits for loads",
    [CYCLES_SHARED] = "waits for shared memory or XU",
    [CYCLES_PIPE] = "waits for a busy pipe",
    [CYCLES_FETCH] = "waits for instructions",
    [CYCLES_FIXED] = "waits for arithmetic",
    [CYCLES_BARRIER] = "waits at barriers",
    [CYCLES_OTHER] = "waits for fences, stores or sleep",
    [CYCLES_UNEVEN] = "SMs idle beside others",
    [CYCLES_NO_SM] = "start and end",
};

/* What a cycle without an issue is told as; an eligible warp that was not selected has a cycle with one. */
static const struct wait_row {
  const char *stall;
  enum cycle_use use;
} WAITS[] = {
    {"stall_long_scoreboard", CYCLES_LOADS},
    {"stall_lg_throttle", CYCLES_LOADS},
    {"stall_tex_throttle", CYCLES_LOADS},
    {"stall_short_scoreboard", CYCLES_SHARED},
    {"stall_mio_throttle", CYCLES_SHARED},
    {"stall_math_pipe_throttle", CYCLES_PIPE},
    {"stall_dispatch", CYCLES_PIPE},
    {"stall_no_instruction", CYCLES_FETCH},
    {"stall_branch_resolving", CYCLES_FETCH},
    {"stall_imc_miss", CYCLES_FETCH},
    {"stall_wait", CYCLES_FIXED},
    {"stall_gmma", CYCLES_FIXED},
    {"stall_barrier", CYCLES_BARRIER},
    {"stall_membar", CYCLES_OTHER},
    {"stall_drain", CYCLES_OTHER},
    {"stall_misc", CYCLES_OTHER},
    {"stall_sleeping", CYCLES_OTHER},
};
enum { N_WAITS = sizeof WAITS / sizeof WAITS[0] };

/* Warp cycles by use; their sum. */
static double waits_of(double out[CYCLE_USES], const struct finding *f) {
  double sum = 0;
  for (size_t i = 0; i < N_WAITS; i++) {
    struct value v = finding_value(f, WAITS[i].stall);
    if (!v.present)
      continue;
    out[WAITS[i].use] += v.v;
    sum += v.v;
  }
  return sum;
}

void cycle_account_of(struct cycle_account *out, const struct finding *f, double sms) {
  struct value time = finding_time(f), clock = f->bounds.clock_hz, active = finding_value(f, "sm_cycles_active"),
               most = finding_value(f, "sm_cycles_active_max"), issued = finding_value(f, "issue_active"),
               loads = finding_value(f, "stall_long_scoreboard");
  const struct value *const needed[] = {&time, &clock, &active, &most, &issued, &loads};
  double waits[CYCLE_USES] = {0}, sum = waits_of(waits, f);
  *out = (struct cycle_account){0};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0] && !out->reason; i++)
    if (!needed[i]->present)
      out->reason = needed[i]->reason;
  if (!out->reason && (!(sms > 0) || !(clock.v > 0) || !(sum > 0)))
    out->reason = "no wait, no clock or no number of SMs is known";
  if (out->reason)
    return;
  double mean_s = active.v / (sms * clock.v), issue_s = issued.v / (SCHEDULERS * sms * clock.v);
  for (int k = 0; k < CYCLE_USES; k++)
    out->seconds[k] = (mean_s - issue_s) * waits[k] / sum;
  out->seconds[CYCLES_ISSUE] = issue_s;
  out->seconds[CYCLES_UNEVEN] = most.v / clock.v - mean_s;
  out->seconds[CYCLES_NO_SM] = time.v - most.v / clock.v;
  out->known = true;
}

size_t cycle_uses_named(enum cycle_use out[CYCLE_USES_NAMED], const double part[CYCLE_USES]) {
  size_t n = 0;
  for (int k = 0; k < CYCLE_USES; k++) {
    size_t place = n;
    while (place > 0 && fabs(part[out[place - 1]]) < fabs(part[k]))
      place--;
    if (fabs(part[k]) < NAMED || place == CYCLE_USES_NAMED)
      continue;
    n = n < CYCLE_USES_NAMED ? n + 1 : n;
    for (size_t i = n - 1; i > place; i--)
      out[i] = out[i - 1];
    out[place] = (enum cycle_use)k;
  }
  return n;
}
