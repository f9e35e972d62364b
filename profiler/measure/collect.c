#include "profiler/measure/collect.h"

#include "base/array.h"
#include "base/text.h"

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bury(struct ready *r, enum run_verdict verdict, const char *reason) {
  struct run_check *check = &r->trial->result->check;
  r->trial->dead = true;
  check->verdict = verdict;
  free(check->reason);
  check->reason = str_copy(reason);
}

void collect_fail(struct session *s, struct ready *r, const char *reason) {
  bury(r, VERDICT_FAILED, reason);
  s->emit(s, 'X', r->trial->index, reason);
}

void collect_skip(struct session *s, struct ready *r, const char *reason) {
  bury(r, VERDICT_SKIPPED, reason);
  s->emit(s, 'K', r->trial->index, reason);
}

void collect_explain(char **reason, const char *why) {
  if (!*reason)
    *reason = str_copy(why);
}

int collect_emit(struct session *s, struct ready *r) {
  struct err e = {0};
  char *line = run_result_to_line(r->trial->result, &e);
  int rc = line ? s->emit(s, 'R', r->trial->index, line) : s->emit(s, 'X', r->trial->index, e.text);
  free(line);
  return rc;
}

void collect_put_metric(struct run_result *r, const char *name, const char *unit, char *source, double value,
                        const char *reason) {
  size_t i = 0;
  while (i < r->n_metrics && strcmp(r->metrics[i].name, name) != 0)
    i++;
  struct run_metric *at = i < r->n_metrics ? &r->metrics[i] : array_add(&r->metrics, &r->n_metrics, sizeof *at);
  free(at->name);
  free(at->unit);
  free(at->source);
  free(at->reason);
  *at = (struct run_metric){.name = str_copy(name),
                            .unit = str_copy(unit),
                            .source = source,
                            .present = !reason,
                            .value = reason ? 0 : value,
                            .reason = str_copy(reason)};
}

int collect_find_kernel(const struct session *s, const struct ready *r, const char *name) {
  if (r->trial->result->module < 0 || !name)
    return -1;
  const struct run_module *m = &s->modules[r->trial->result->module];
  for (size_t i = 0; i < m->n_kernels; i++)
    if (strcmp(m->kernels[i].name, name) == 0)
      return (int)i;
  return -1;
}

void collect_range_push(const struct ready *r) {
  char shape[SHAPE_TEXT_MAX], name[256];
  snprintf(name, sizeof name, "%.180s %s", r->trial->plan.rung->id, shape_text(r->trial->plan.shape, shape));
  nvtxRangePushA(name);
}

void collect_range_pop(void) {
  nvtxRangePop();
}
