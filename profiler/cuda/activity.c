#include "profiler/cuda/activity.h"

#include "base/array.h"

#include <pthread.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 1 << 20 };

struct records {
  struct activity_record *records;
  size_t n;
  bool lost;
};

/* CUPTI hands its buffers to callbacks that carry no context, on threads of its own. */
static struct {
  pthread_mutex_t lock;
  const struct cupti *cupti;
  struct records filling, taken;
} sink = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void CUPTIAPI buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records) {
  *buffer = aligned_alloc(8, BUFFER_BYTES);
  *size = *buffer ? BUFFER_BYTES : 0;
  *max_records = 0;
}

static void keep_record(struct records *r, const CUpti_ActivityKernel10 *k) {
  struct activity_record *kept = array_add(&r->records, &r->n, sizeof *kept);
  if (!kept) {
    r->lost = true;
    return;
  }
  *kept = (struct activity_record){
      .start_ns = k->start,
      .end_ns = k->end,
      .name = k->name,
      .seen = {.grid = {(unsigned)k->gridX, (unsigned)k->gridY, (unsigned)k->gridZ},
               .block = {(unsigned)k->blockX, (unsigned)k->blockY, (unsigned)k->blockZ},
               .cluster = {k->clusterX, k->clusterY, k->clusterZ},
               .smem_static = k->staticSharedMemory,
               .smem_dynamic = k->dynamicSharedMemory,
               .registers = k->registersPerThread,
               .local_bytes = (long)k->localMemoryPerThread},
  };
}

static void CUPTIAPI buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
  (void)context, (void)stream, (void)size;
  pthread_mutex_lock(&sink.lock);
  CUpti_Activity *record = NULL;
  while (valid && sink.cupti->cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      keep_record(&sink.filling, (const CUpti_ActivityKernel10 *)record);
  pthread_mutex_unlock(&sink.lock);
  free(buffer);
}

static int compare_records(const void *a, const void *b) {
  const struct activity_record *x = a, *y = b;
  return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

int activity_open(const struct cupti *c, struct err *e) {
  sink.cupti = c;
  int rc = cupti_check(c, c->cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed),
                       "cuptiActivityRegisterCallbacks", e);
  return rc ? rc
            : cupti_check(c, c->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable", e);
}

void activity_close(const struct cupti *c) {
  c->cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

int activity_take(const struct cupti *c, const struct activity_record **records, size_t *n, bool *whole,
                  struct err *e) {
  int rc = cupti_check(c, c->cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll", e);
  if (rc)
    return rc;
  pthread_mutex_lock(&sink.lock);
  struct records last = sink.taken; /* its memory serves again */
  sink.taken = sink.filling;
  sink.filling = last;
  sink.filling.n = 0;
  sink.filling.lost = false;
  pthread_mutex_unlock(&sink.lock);
  if (sink.taken.n)
    qsort(sink.taken.records, sink.taken.n, sizeof *sink.taken.records, compare_records);
  *records = sink.taken.records;
  *n = sink.taken.n;
  *whole = !sink.taken.lost;
  return 0;
}
