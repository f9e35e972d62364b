#include "profiler/collect/collect.h"

#include "base/text.h"

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>

static void bury(struct ready *r, enum run_verdict verdict, const char *reason) {
  struct run_check *check = &r->job->result->check;
  r->job->dead = true;
  check->verdict = verdict;
  free(check->reason);
  check->reason = str_copy(reason);
}

void collect_fail(struct session *s, struct ready *r, const char *reason) {
  bury(r, VERDICT_FAILED, reason);
  s->emit(s, 'X', r->job->index, reason);
}

void collect_skip(struct session *s, struct ready *r, const char *reason) {
  bury(r, VERDICT_SKIPPED, reason);
  s->emit(s, 'K', r->job->index, reason);
}

int collect_emit(struct session *s, struct ready *r) {
  struct err e = {0};
  char *line = run_result_to_line(r->job->result, &e);
  int result = line ? s->emit(s, 'R', r->job->index, line) : s->emit(s, 'X', r->job->index, e.text);
  free(line);
  return result;
}

void collect_range_push(const struct ready *r) {
  char shape[SHAPE_TEXT_MAX], name[256];
  snprintf(name, sizeof name, "%.180s %s", r->job->plan.rung->id, shape_text(r->job->plan.shape, shape));
  nvtxRangePushA(name);
}

void collect_range_pop(void) {
  nvtxRangePop();
}
