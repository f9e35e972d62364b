/* The arrays of a generic problem on the device: guards on both sides of each, outputs poisoned or put back. */
#include "profiler/measure/session.h"

#include <stdlib.h>
#include <string.h>

static bool put_back(const struct rung *r, const struct rung_buffer *b) {
  bool reset = false;
  for (size_t i = 0; i < r->n_resets && !reset; i++)
    reset = r->resets[i].init_buffer && strcmp(r->resets[i].init_buffer, b->name) == 0;
  return b->init != INIT_NONE && (b->output || reset);
}

int arrays_upload(struct session *s, struct device_arrays *out, const struct generic *g, struct err *e) {
  out->at = calloc(g->n + 1, sizeof *out->at);
  out->initial = calloc(g->n + 1, sizeof *out->initial);
  int rc = 0;
  for (size_t i = 0; i < g->n && !rc; i++) {
    const struct rung_buffer *b = g->plan->arrays[i].buffer;
    const struct generic_array *a = &g->arrays[i];
    CUdeviceptr whole = 0;
    rc = session_alloc(s, &whole, a->bytes + 2 * GUARD_BYTES, b->name, e);
    out->at[i] = whole + GUARD_BYTES;
    if (!rc)
      rc = CU_CALL(&s->driver, e, cuMemsetD8Async, whole, GUARD_BYTE, a->bytes + 2 * GUARD_BYTES, s->stream);
    if (!rc)
      rc = session_wait(s, e);
    if (!rc && a->data)
      rc = CU_CALL(&s->driver, e, cuMemcpyHtoD_v2, out->at[i], a->data, a->bytes);
    if (rc || !put_back(g->plan->rung, b))
      continue;
    rc = session_alloc(s, &out->initial[i], a->bytes, b->name, e);
    if (!rc)
      rc = CU_CALL(&s->driver, e, cuMemcpyHtoD_v2, out->initial[i], a->data, a->bytes);
  }
  return rc;
}

static size_t array_index(const struct ready *r, const char *name) {
  size_t i = 0;
  while (i < r->trial->plan.n_arrays && strcmp(r->trial->plan.arrays[i].buffer->name, name) != 0)
    i++;
  return i;
}

CUdeviceptr arrays_buffer(const struct ready *r, const char *name) {
  size_t i = array_index(r, name);
  return i < r->trial->plan.n_arrays ? r->arrays->at[i] : 0;
}

static int array_reset(struct session *s, const struct ready *r, size_t i, struct err *e) {
  size_t bytes = r->trial->plan.arrays[i].bytes;
  return r->arrays->initial[i]
             ? CU_CALL(&s->driver, e, cuMemcpyDtoDAsync_v2, r->arrays->at[i], r->arrays->initial[i], bytes, s->stream)
             : CU_CALL(&s->driver, e, cuMemsetD8Async, r->arrays->at[i], GENERIC_POISON, bytes, s->stream);
}

int arrays_reset(struct session *s, const struct ready *r, const char *name, struct err *e) {
  return array_reset(s, r, array_index(r, name), e);
}

int arrays_poison(struct session *s, const struct ready *r, struct err *e) {
  int rc = 0;
  for (size_t i = 0; i < r->trial->plan.n_arrays && !rc; i++) {
    const struct plan_array *a = &r->trial->plan.arrays[i];
    rc = guards_set(s, r->arrays->at[i], a->bytes, e);
    if (!rc && a->buffer->output)
      rc = array_reset(s, r, i, e);
  }
  return rc;
}

int arrays_guards(struct session *s, const struct ready *r, const char **beside, struct err *e) {
  *beside = NULL;
  for (size_t i = 0; i < r->trial->plan.n_arrays && !*beside; i++) {
    const struct plan_array *a = &r->trial->plan.arrays[i];
    bool intact;
    int rc = guards_intact(s, r->arrays->at[i], a->bytes, &intact, e);
    if (rc)
      return rc;
    *beside = intact ? NULL : a->buffer->name;
  }
  return 0;
}

int arrays_download(struct session *s, const struct ready *r, void *out, struct err *e) {
  unsigned char *to = out;
  int rc = 0;
  for (size_t i = 0; i < r->trial->plan.n_arrays && !rc; i++) {
    const struct plan_array *a = &r->trial->plan.arrays[i];
    if (!a->buffer->output)
      continue;
    rc = CU_CALL(&s->driver, e, cuMemcpyDtoH_v2, to, r->arrays->at[i], a->bytes);
    to += a->bytes;
  }
  return rc;
}
