/* What everything else of a session stands on. */
#include "profiler/measure/session.h"

int session_alloc(struct session *s, CUdeviceptr *out, size_t bytes, const char *what, struct err *e) {
  if (CU_CALL(&s->driver, e, cuMemAlloc_v2, out, bytes ? bytes : 16))
    return err_context(e, "%s (%.1f MB)", what, (double)bytes / 1e6);
  return 0;
}

int session_wait(struct session *s, struct err *e) {
  return CU_CALL(&s->driver, e, cuStreamSynchronize, s->stream);
}

void session_beat(struct session *s, long trial) {
  atomic_store(&s->pulse->trial, trial);
  atomic_fetch_add(&s->pulse->beats, 1);
}

int guards_set(struct session *s, CUdeviceptr at, size_t bytes, struct err *e) {
  int rc = CU_CALL(&s->driver, e, cuMemsetD8Async, at - GUARD_BYTES, GUARD_BYTE, GUARD_BYTES, s->stream);
  return rc ? rc : CU_CALL(&s->driver, e, cuMemsetD8Async, at + bytes, GUARD_BYTE, GUARD_BYTES, s->stream);
}

int guards_intact(struct session *s, CUdeviceptr at, size_t bytes, bool *intact, struct err *e) {
  unsigned char guards[2 * GUARD_BYTES];
  int rc = CU_CALL(&s->driver, e, cuMemcpyDtoH_v2, guards, at - GUARD_BYTES, GUARD_BYTES);
  if (!rc)
    rc = CU_CALL(&s->driver, e, cuMemcpyDtoH_v2, guards + GUARD_BYTES, at + bytes, GUARD_BYTES);
  *intact = true;
  for (size_t i = 0; i < sizeof guards && !rc; i++)
    *intact = *intact && guards[i] == GUARD_BYTE;
  return rc;
}
