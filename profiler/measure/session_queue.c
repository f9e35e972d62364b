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
