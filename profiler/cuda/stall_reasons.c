#include "profiler/cuda/stall_reasons.h"

#include "base/text.h"
#include "profiler/cuda/cupti_calls.h"

#include <stdlib.h>
#include <string.h>

/* "smsp__pcsamp_warps_issue_stalled_NAME[_not_issued]" to the names of run/metrics/80-stalls.txt. */
static int name_reason(struct stall_reason *r, const char *cupti_name) {
  static const char prefix[] = "smsp__pcsamp_warps_issue_stalled_", suffix[] = "_not_issued";
  static const struct {
    const char *cupti, *ours;
  } renamed[] = {{"dispatch_stall", "dispatch"}, {"no_instructions", "no_instruction"}, {"warpgroup_arrive", "gmma"}};
  r->base = -1;
  if (strncmp(cupti_name, prefix, sizeof prefix - 1) != 0)
    return 0; /* the counts of all samples and of dropped ones */
  const char *name = cupti_name + sizeof prefix - 1, *end = strstr(name, suffix);
  r->not_issued = end != NULL;
  r->name = str_printf("%.*s", (int)(end ? (size_t)(end - name) : strlen(name)), name);
  for (size_t i = 0; r->name && i < sizeof renamed / sizeof renamed[0]; i++)
    if (strcmp(r->name, renamed[i].cupti) == 0) {
      free(r->name);
      r->name = str_copy(renamed[i].ours);
    }
  return r->name ? 0 : ERR_NOMEM;
}

static int take_reasons(struct stall_reasons *out, const uint32_t *indices, char *const *names) {
  for (size_t i = 0; i < out->n; i++) {
    struct stall_reason *r = &out->all[i];
    r->index = indices[i];
    if (name_reason(r, names[i]))
      return ERR_NOMEM;
    for (size_t k = 0; r->name && k <= i && r->base < 0; k++)
      if (out->all[k].name && strcmp(out->all[k].name, r->name) == 0)
        r->base = (long)k;
  }
  return 0;
}

int stall_reasons_ask(struct stall_reasons *out, const struct cupti *c, CUcontext context, struct err *e) {
  CUpti_PCSamplingGetNumStallReasonsParams count = {
      .size = CUpti_PCSamplingGetNumStallReasonsParamsSize, .ctx = context, .numStallReasons = &out->n};
  int rc = CUPTI_CALL(c, cuptiPCSamplingGetNumStallReasons, &count, e);
  if (rc)
    return rc;
  size_t n = out->n;
  uint32_t *indices = calloc(n + 1, sizeof *indices);
  char **names = calloc(n + 1, sizeof *names), *text = calloc(n + 1, CUPTI_STALL_REASON_STRING_SIZE);
  out->all = calloc(n + 1, sizeof *out->all);
  CUpti_PCSamplingGetStallReasonsParams p = {.size = CUpti_PCSamplingGetStallReasonsParamsSize,
                                             .ctx = context,
                                             .numStallReasons = n,
                                             .stallReasonIndex = indices,
                                             .stallReasons = names};
  if (!indices || !names || !text || !out->all) {
    rc = err_nomem(e, "stall reasons");
  } else {
    for (size_t i = 0; i < n; i++)
      names[i] = text + i * CUPTI_STALL_REASON_STRING_SIZE;
    rc = CUPTI_CALL(c, cuptiPCSamplingGetStallReasons, &p, e);
  }
  if (!rc && take_reasons(out, indices, names))
    rc = err_nomem(e, "stall reasons");
  free(indices);
  free(names);
  free(text);
  return rc;
}

const struct stall_reason *stall_reasons_find(const struct stall_reasons *r, uint32_t index) {
  for (size_t i = 0; i < r->n; i++)
    if (r->all[i].index == index && r->all[i].base >= 0)
      return &r->all[i];
  return NULL;
}

void stall_reasons_release(struct stall_reasons *r) {
  for (size_t i = 0; r->all && i < r->n; i++)
    free(r->all[i].name);
  free(r->all);
  *r = (struct stall_reasons){0};
}
