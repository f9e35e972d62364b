/* The calls that a step may be, a row each. */
#include "profiler/measure/host.h"

#include <stdlib.h>

static const struct host_call *const calls[CALLS] = {
    [CALL_GEMM] = &host_gemm,           [CALL_GEMV] = &host_gemv, [CALL_GEMV_BATCHED] = &host_gemv_batched,
    [CALL_GEMM_INT8] = &host_gemm_int8, [CALL_FP4] = &host_fp4,
};

int host_prepare(struct session *s, const struct ready *r, const struct plan_launch *l, void **state, struct err *e) {
  s->host = s->host ? s->host : calloc(1, sizeof *s->host);
  *state = NULL;
  return calls[l->call]->prepare(s, r, l, state, e);
}

int host_launch(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e) {
  return calls[l->call]->launch(s, r, l, state, e);
}
