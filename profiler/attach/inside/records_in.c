/* CUPTI's activity records: every kernel, however it was launched. */
#include "profiler/attach/inside/inject.h"
#include "profiler/attach/records/collective.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGN = 64 };

static pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER; /* of injection.pending; the last to be taken */

void pending_add(uint32_t correlation, const int16_t ranges[NVTX_RANGES], bool stays) {
  struct pending *p = &injection.pending[correlation % PENDING_MAX];
  pthread_mutex_lock(&pending_lock);
  /* A launch of 65,536 launches ago whose activity never came gives way. */
  *p = (struct pending){.correlation = correlation, .ranges = {ranges[0], ranges[1]}, .stays = stays};
  pthread_mutex_unlock(&pending_lock);
}

static struct pending pending_take(uint32_t correlation) {
  struct pending *p = &injection.pending[correlation % PENDING_MAX], found = {.ranges = {-1, -1}};
  pthread_mutex_lock(&pending_lock);
  if (correlation && p->correlation == correlation) {
    found = *p;
    if (!p->stays)
      *p = (struct pending){.ranges = {-1, -1}};
  }
  pthread_mutex_unlock(&pending_lock);
  return found;
}

/* A kernel that CUPTI itself launches around a counted range. */
static bool is_cuptis(const struct kernel_key *key) {
  return strcmp(key->name, "WaitNs") == 0 && key->grid[0] == 1 && key->block[0] == 1;
}

static void add_kernel(const CUpti_ActivityKernel10 *r) {
  struct kernel_key key = {
      .name = r->name ? r->name : "(no name)",
      .grid = {(unsigned)r->gridX, (unsigned)r->gridY, (unsigned)r->gridZ},
      .block = {(unsigned)r->blockX, (unsigned)r->blockY, (unsigned)r->blockZ},
      .smem_dynamic = r->dynamicSharedMemory,
  };
  if (is_cuptis(&key))
    return;
  struct pending p = pending_take(r->correlationId);
  key.range = kernel_range(p.ranges);
  double ns = r->end > r->start ? (double)(r->end - r->start) : 0; /* 0: CUPTI has no times for it */
  injection.launches++;
  injection.dirty = true;
  for (int i = 0; i < NVTX_RANGES; i++)
    if (p.ranges[i] >= 0) {
      injection.ranges[p.ranges[i]].launches++;
      injection.ranges[p.ranges[i]].total_ns += ns;
      injection.ranges[p.ranges[i]].collective_ns += kernel_is_collective(key.name) ? ns : 0;
    }
  struct kernel *k = kernel_of(&key, r->deviceId);
  if (!k) {
    injection.beyond++;
    injection.beyond_ns += ns;
    injection.total_ns += ns;
    return;
  }
  k->launches++;
  k->in_graphs += r->graphId != 0;
  k->registers = r->registersPerThread;
  k->smem_static = r->staticSharedMemory;
  k->local_bytes = (long)r->localMemoryPerThread;
  k->cluster[0] = r->clusterX;
  k->cluster[1] = r->clusterY;
  k->cluster[2] = r->clusterZ;
  if (ns <= 0) {
    k->disturbed++;
    return;
  }
  k->total_ns += ns;
  injection.total_ns += ns;
  kernel_time(k, ns);
}

static void CUPTIAPI buffer_request(uint8_t **buffer, size_t *bytes, size_t *max_records) {
  *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
  *bytes = *buffer ? BUFFER_BYTES : 0;
  *max_records = 0;
}

static int by_start(const void *a, const void *b) {
  const CUpti_ActivityKernel10 *const *x = a, *const *y = b;
  return ((*x)->start > (*y)->start) - ((*x)->start < (*y)->start);
}

/* CUPTI is asked before the lock is taken: a thread that loads code may be in a callback that waits
 * for the lock, and hold what CUPTI's answer waits for. */
static void CUPTIAPI buffer_complete(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid) {
  const struct cupti *c = &injection.cupti;
  CUpti_Activity *record = NULL;
  size_t dropped = 0, n = 0;
  (void)bytes;
  const CUpti_ActivityKernel10 **kernels = calloc(BUFFER_BYTES / sizeof **kernels + 1, sizeof *kernels);
  while (kernels && valid && c->cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
      kernels[n++] = (const CUpti_ActivityKernel10 *)(const void *)record;
  bool lost = (!kernels && valid) ||
              (c->cuptiActivityGetNumDroppedRecords &&
               c->cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS && dropped);
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < n; i++)
    add_kernel(kernels[i]);
  if (n)
    qsort(kernels, n, sizeof *kernels, by_start); /* streams come one after the other */
  for (size_t i = 0; i < n; i++)
    gaps_kernel(kernels[i]->name ? kernels[i]->name : "", kernels[i]->deviceId, kernels[i]->start, kernels[i]->end,
                kernels[i]->correlationId);
  if (lost)
    inject_note_locked("CUPTI dropped activity records: some launches are missing");
  pthread_mutex_unlock(&injection.lock);
  free(kernels);
  free(buffer);
}

bool activity_start(void) {
  const struct cupti *c = &injection.cupti;
  struct err e = {0};
  if (cupti_check(c, c->cuptiActivityRegisterCallbacks(buffer_request, buffer_complete),
                  "cuptiActivityRegisterCallbacks", &e) ||
      cupti_check(c, c->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable", &e)) {
    inject_note("no kernel was recorded: %s", e.text);
    return false;
  }
  return true;
}

void activity_flush(bool forced) {
  if (!injection.activity)
    return;
  bool taken = turn_take();
  injection.cupti.cuptiActivityFlushAll(forced ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
  turn_give(taken);
}
