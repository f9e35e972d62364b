/* What everything else of a session stands on. */
#include "profiler/measure/session.h"

#define CU(call, ...)                                                                                                  \
  driver_check(&s->driver, s->driver.call(__VA_ARGS__), #call, e) /* one spelling for the call and its name */

int session_alloc(struct session *s, CUdeviceptr *out, size_t bytes, const char *what, struct err *e) {
  if (CU(cuMemAlloc_v2, out, bytes ? bytes : 16))
    return err_context(e, "%s (%.1f MB)", what, (double)bytes / 1e6);
  return 0;
}

int session_wait(struct session *s, struct err *e) {
  return CU(cuStreamSynchronize, s->stream);
}

void session_beat(struct session *s, long trial) {
  atomic_store(&s->pulse->trial, trial);
  atomic_fetch_add(&s->pulse->beats, 1);
}
