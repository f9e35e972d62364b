#include "profiler/measure/host.h"

#include "base/text.h"

#include <stdlib.h>

static const struct host_call *const calls[CALLS] = {
    [CALL_GEMM] = &host_gemm,
    [CALL_GEMV] = &host_gemv,
    [CALL_GEMV_BATCHED] = &host_gemv_batched,
    [CALL_FP4] = &host_fp4,
};

int host_prepare(struct session *s, const struct ready *r, const struct plan_launch *l, void **state, struct err *e) {
  if (!s->host && !(s->host = calloc(1, sizeof *s->host)))
    return err_nomem(e, "a library's handle");
  *state = NULL;
  return calls[l->call]->prepare(s, r, l, state, e);
}

int host_launch(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e) {
  return calls[l->call]->launch(s, r, l, state, e);
}

CUdeviceptr host_buffer(const struct ready *r, const struct plan_launch *l, size_t nth) {
  return session_buffer(r, l->args[nth].name);
}

int host_name_path(const struct ready *r, const char *library, size_t version, struct err *e) {
  struct run_result *out = r->job->result;
  free(out->path);
  out->path = str_printf("%s %zu.%zu.%zu", library, version / 10000, version / 100 % 100, version % 100);
  return out->path ? 0 : err_nomem(e, "a path");
}
