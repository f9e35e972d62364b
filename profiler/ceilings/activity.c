#include "profiler/ceilings/activity.h"

#include <pthread.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 1 << 16 };

/* CUPTI hands its buffers to callbacks that carry no context, on threads of its own. */
static struct {
  pthread_mutex_t lock;
  const struct cupti *cupti;
  uint64_t start_ns, end_ns;
} last = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void CUPTIAPI buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records) {
  *buffer = aligned_alloc(8, BUFFER_BYTES);
  *size = *buffer ? BUFFER_BYTES : 0;
  *max_records = 0;
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
  (void)context, (void)stream, (void)size;
  CUpti_Activity *record = NULL;
  pthread_mutex_lock(&last.lock);
  while (valid && last.cupti->cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    const CUpti_ActivityKernel10 *k = (const CUpti_ActivityKernel10 *)record;
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && k->end > last.end_ns) {
      last.start_ns = k->start;
      last.end_ns = k->end;
    }
  }
  pthread_mutex_unlock(&last.lock);
  free(buffer);
}

int activity_open(const struct cupti *c, struct err *e) {
  last.cupti = c;
  int result = cupti_check(c, c->cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed),
                           "cuptiActivityRegisterCallbacks", e);
  return result
             ? result
             : cupti_check(c, c->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable", e);
}

int activity_take(double *time_s, struct err *e) {
  int result = cupti_check(last.cupti, last.cupti->cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
                           "cuptiActivityFlushAll", e);
  pthread_mutex_lock(&last.lock);
  *time_s = 1e-9 * (double)(last.end_ns - last.start_ns);
  last.start_ns = last.end_ns; /* the latest end stays, so that an older record is none */
  pthread_mutex_unlock(&last.lock);
  return result;
}
