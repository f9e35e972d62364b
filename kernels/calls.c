/* The calls of libraries that may stand in a step, and the arguments that each takes. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const struct call {
  const char *name, *host;
  const char *args; /* what they are */
  size_t n_buffers, n_integers;
} calls[CALLS] = {
    [CALL_GEMM] = {"gemm", "cublas", "MATRIX, VECTOR, OUTPUT", 3, 0},
    [CALL_GEMV] = {"gemv", "cublas", "MATRIX, VECTOR, OUTPUT", 3, 0},
    [CALL_GEMV_BATCHED] = {"gemv-batched", "cublas", "MATRIX, VECTOR, OUTPUT", 3, 0},
    [CALL_GEMM_INT8] = {"gemm-int8", "cublas", "MATRIX, VECTORS, OUTPUT, columns", 3, 1},
    [CALL_FP4] = {"fp4", "cublaslt", "A, B, SFA, SFB, OUTPUT, columns", 5, 1},
};

const char *rung_call_host(enum rung_call c) {
  return calls[c].host;
}

int fm_call(const struct fm *f, const char *name, struct rung_launch *l, struct err *e) {
  const char *names[CALLS - 1];
  for (enum rung_call c = CALL_NONE + 1; c < CALLS; c++) {
    names[c - 1] = calls[c].name;
    if (strcmp(calls[c].name, name) == 0) {
      l->call = c;
      free(l->kernel); /* a call with a kernel is refused once all its fields are known */
      l->kernel = str_copy(name);
      return 0;
    }
  }
  return fm_error_unknown(e, f, "call", name, names, CALLS - 1);
}

int fm_call_args(const struct fm *f, const struct rung_launch *l, struct err *e) {
  const struct call *c = &calls[l->call];
  bool right = l->n_args == c->n_buffers + c->n_integers;
  for (size_t i = 0; i < l->n_args && right; i++)
    right = l->args[i].kind == (i < c->n_buffers ? ARG_BUFFER : ARG_INT);
  return right ? 0
               : fm_error(e, f, "the arguments of %s are %s: %zu buffers and %zu integers; write them as args = LIST",
                          c->name, c->args, c->n_buffers, c->n_integers);
}
