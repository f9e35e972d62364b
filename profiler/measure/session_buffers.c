/* The arrays of a GEMV on the device, and every buffer by its name. */
#include "profiler/measure/session.h"

#include <stdlib.h>
#include <string.h>

static int upload(struct session *s, CUdeviceptr *out, const void *data, size_t bytes, const char *what,
                  struct err *e) {
  int rc = session_alloc(s, out, bytes, what, e);
  return rc ? rc : CU_CALL(&s->driver, e, cuMemcpyHtoD_v2, *out, data, bytes);
}

static int upload_blocked(struct session *s, CUdeviceptr *out, const uint8_t *scales, size_t rows, size_t columns,
                          size_t batches, const char *what, struct err *e) {
  size_t bytes = problem_blocked_bytes(rows, columns, batches);
  uint8_t *blocked = calloc(1, bytes);
  if (!blocked)
    return err_nomem(e, what);
  for (size_t l = 0; l < batches; l++)
    for (size_t r = 0; r < rows; r++)
      for (size_t k = 0; k < columns; k++)
        blocked[problem_blocked_at(rows, columns, l, r, k)] = scales[(l * rows + r) * columns + k];
  int rc = upload(s, out, blocked, bytes, what, e);
  free(blocked);
  return rc;
}

int buffers_upload(struct session *s, struct device_shape *d, const struct problem *p, struct err *e) {
  struct shape shape = p->shape;
  char text[SHAPE_TEXT_MAX];
  int rc = upload(s, &d->a, p->a, problem_a_bytes(shape), "A", e);
  if (!rc)
    rc = upload(s, &d->b, p->b, problem_b_bytes(shape), "B", e);
  if (!rc)
    rc = upload(s, &d->sfa, p->sfa, problem_sfa_bytes(shape), "SFA", e);
  if (!rc)
    rc = upload(s, &d->sfb, p->sfb, problem_sfb_bytes(shape), "SFB", e);
  d->c_bytes = problem_c_bytes(shape);
  if (!rc)
    rc = session_alloc(s, &d->c, d->c_bytes + 2 * GUARD_BYTES, "C", e);
  if (rc)
    return err_context(e, "%s", shape_text(shape, text));
  d->c += GUARD_BYTES;
  return 0;
}

int buffers_need_blocked(struct session *s, size_t problem, struct err *e) {
  struct device_shape *d = &s->shapes[problem];
  const struct problem *p = &s->problems[problem];
  if (d->sfa_blocked)
    return 0;
  size_t columns = (size_t)p->shape.k / PROBLEM_BLOCK, batches = (size_t)p->shape.l;
  int rc = upload_blocked(s, &d->sfa_blocked, p->sfa, (size_t)p->shape.m, columns, batches, "blocked SFA", e);
  return rc ? rc : upload_blocked(s, &d->sfb_blocked, p->sfb, PROBLEM_PAD_ROWS, columns, batches, "blocked SFB", e);
}

CUdeviceptr session_buffer(const struct ready *r, const char *name) {
  const struct device_shape *d = r->shape;
  for (size_t i = 0; i < r->trial->plan.n_scratch; i++)
    if (strcmp(r->trial->plan.scratch[i].name, name) == 0)
      return r->scratch[i];
  if (r->arrays)
    return arrays_buffer(r, name);
  bool blocked = r->trial->plan.rung->sf_blocked;
  const struct {
    const char *name;
    CUdeviceptr at;
  } table[] = {{"a", d->a},
               {"b", d->b},
               {"sfa", blocked ? d->sfa_blocked : d->sfa},
               {"sfb", blocked ? d->sfb_blocked : d->sfb},
               {"c", d->c}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (strcmp(table[i].name, name) == 0)
      return table[i].at;
  return 0;
}

size_t buffers_bytes(const struct ready *r, const char *name) {
  for (size_t i = 0; i < r->trial->plan.n_scratch; i++)
    if (strcmp(r->trial->plan.scratch[i].name, name) == 0)
      return r->trial->plan.scratch[i].bytes;
  for (size_t i = 0; i < r->trial->plan.n_arrays; i++)
    if (strcmp(r->trial->plan.arrays[i].buffer->name, name) == 0)
      return r->trial->plan.arrays[i].bytes;
  return r->shape->c_bytes; /* front matter lets a reset fill scratch or c */
}

int session_poison(struct session *s, const struct ready *r, struct err *e) {
  const struct device_shape *d = r->shape;
  int rc = guards_set(s, d->c, d->c_bytes, e);
  return rc ? rc : CU_CALL(&s->driver, e, cuMemsetD16Async, d->c, PROBLEM_POISON, d->c_bytes / 2, s->stream);
}
