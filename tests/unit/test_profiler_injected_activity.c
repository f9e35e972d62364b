/* Activity records as CUPTI hands them over, here by functions of the test's: launches, times and ranges of the kernels in them. */
#include "injected.h"

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static CUptiResult registers, enables;
static size_t n_dropped, given, flushes;
static uint32_t flags;
static CUpti_ActivityKernel10 records[16];
static size_t n_records;

static CUptiResult register_callbacks(CUpti_BuffersCallbackRequestFunc asks, CUpti_BuffersCallbackCompleteFunc takes) {
  request = asks;
  complete = takes;
  return registers;
}

static CUptiResult enable(CUpti_ActivityKind kind) {
  assert_int_equal(kind, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  return enables;
}

static CUptiResult next(uint8_t *buffer, size_t valid, CUpti_Activity **record) {
  (void)buffer, (void)valid;
  if (given == n_records)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity *)(void *)&records[given++];
  return CUPTI_SUCCESS;
}

static CUptiResult dropped(CUcontext context, uint32_t stream, size_t *n) {
  (void)context, (void)stream;
  *n = n_dropped;
  return CUPTI_SUCCESS;
}

static CUptiResult flush(uint32_t how) {
  flushes++;
  flags = how;
  return CUPTI_SUCCESS;
}

static CUptiResult says_error(CUptiResult result, const char **text) {
  (void)result;
  *text = "CUPTI_ERROR_OUCH";
  return CUPTI_SUCCESS;
}

static int begin(void **state) {
  struct cupti *c = &injection.cupti;
  c->cuptiActivityRegisterCallbacks = register_callbacks;
  c->cuptiActivityEnable = enable;
  c->cuptiActivityGetNextRecord = next;
  c->cuptiActivityGetNumDroppedRecords = dropped;
  c->cuptiActivityFlushAll = flush;
  c->cuptiGetResultString = says_error;
  c->cuptiGetErrorMessage = says_error;
  return tables_begin(state);
}

/* As many as are given, in one buffer. */
static void hand_over(void) {
  uint8_t *buffer = NULL;
  size_t bytes = 0, most = 77;
  request(&buffer, &bytes, &most);
  assert_non_null(buffer);
  assert_int_equal(bytes, 1 << 20);
  assert_int_equal((uintptr_t)buffer % 64, 0);
  assert_int_equal(most, 0);
  given = 0;
  complete(NULL, 0, buffer, bytes, bytes);
  n_records = 0;
}

static CUpti_ActivityKernel10 *ran(const char *name, uint64_t start_ns, uint64_t end_ns) {
  CUpti_ActivityKernel10 *r = &records[n_records++];
  *r = (CUpti_ActivityKernel10){
      .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .name = name, .start = start_ns, .end = end_ns};
  r->gridX = r->gridY = r->gridZ = r->blockX = r->blockY = r->blockZ = 1;
  return r;
}

static void test_start(void **state) {
  (void)state;
  registers = CUPTI_ERROR_UNKNOWN;
  assert_false(activity_start());
  registers = CUPTI_SUCCESS, enables = CUPTI_ERROR_UNKNOWN;
  assert_false(activity_start());
  assert_int_equal(injection.n_notes, 2);
  assert_string_equal(injection.notes[0], "no kernel was recorded: cuptiActivityRegisterCallbacks: CUPTI_ERROR_OUCH");
  assert_non_null(strstr(injection.notes[1], "no kernel was recorded: cuptiActivityEnable: "));
  enables = CUPTI_SUCCESS;
  assert_true(activity_start());
  assert_int_equal(injection.n_notes, 2);
}

/* What is not on is not flushed. */
static void test_flush(void **state) {
  (void)state;
  activity_flush(true);
  assert_int_equal(flushes, 0);
  injection.activity = true;
  activity_flush(true);
  assert_int_equal(flags, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  activity_flush(false);
  assert_int_equal(flags, 0);
  assert_int_equal(flushes, 2);
  assert_true(code_hold(false)); /* the turn was given back */
  code_release();
}

static void test_kernel(void **state) {
  (void)state;
  CUpti_ActivityKernel10 *r = ran("whole", 1000, 3000);
  r->gridX = 2, r->gridY = 3, r->gridZ = 4;
  r->blockX = 32, r->blockY = 5, r->blockZ = 6;
  r->clusterX = 7, r->clusterY = 8, r->clusterZ = 9;
  r->registersPerThread = 40;
  r->staticSharedMemory = 1024;
  r->dynamicSharedMemory = 2048;
  r->localMemoryPerThread = 16;
  r->deviceId = 5;
  r->graphId = 1;
  injection.dirty = false;
  hand_over();
  const struct kernel *k = &injection.kernels[0];
  assert_int_equal(injection.n_kernels, 1);
  assert_true(injection.dirty);
  assert_string_equal(k->key.name, "whole");
  assert_memory_equal(k->key.grid, ((unsigned[]){2, 3, 4}), sizeof k->key.grid);
  assert_memory_equal(k->key.block, ((unsigned[]){32, 5, 6}), sizeof k->key.block);
  assert_memory_equal(k->cluster, ((unsigned[]){7, 8, 9}), sizeof k->cluster);
  assert_int_equal(k->registers, 40);
  assert_int_equal(k->smem_static, 1024);
  assert_int_equal(k->key.smem_dynamic, 2048);
  assert_int_equal(k->local_bytes, 16);
  assert_int_equal(k->device, 5);
  assert_int_equal(k->blocks_least, 24);
  assert_int_equal(k->launches, 1);
  assert_int_equal(k->in_graphs, 1);
  assert_float_equal(k->total_ns, 2000, 0);
  assert_int_equal(k->n_samples, 1);
  assert_float_equal(k->samples_ns[0], 2000, 0);
  assert_int_equal(injection.launches, 1);
  assert_float_equal(injection.total_ns, 2000, 0);
}

/* Three launches, one without times: two of 1 us and 3 us.  Between them, in the order of their starts, 1 us and 4 us are idle. */
static void test_several(void **state) {
  (void)state;
  injection.launches = 0, injection.total_ns = 0;
  injection.gaps = (struct gaps_record){0};
  ran("several", 10000, 13000);
  ran("several", 5000, 6000)->graphId = 0;
  ran("several", 0, 0);
  ran("of the old kind", 4000, 4000 + 1)->kind = CUPTI_ACTIVITY_KIND_KERNEL;
  ran("no kernel", 1, 2)->kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  ran(NULL, 13000, 14000);
  hand_over();
  const struct kernel *k = kernel_named("several");
  assert_int_equal(k->launches, 3);
  assert_int_equal(k->disturbed, 1);
  assert_int_equal(k->in_graphs, 0);
  assert_float_equal(k->total_ns, 4000, 0);
  assert_int_equal(k->n_samples, 2);
  assert_float_equal(k->samples_ns[0], 3000, 0);
  assert_int_equal(kernel_named("of the old kind")->launches, 1);
  assert_int_equal(kernel_named("no kernel")->launches, 0);
  assert_int_equal(kernel_named("(no name)")->launches, 1);
  assert_int_equal(injection.launches, 5);
  assert_float_equal(injection.total_ns, 5001, 0);
  assert_float_equal(injection.gaps.idle_ns, 999 + 4000, 0);
  assert_float_equal(injection.gaps.busy_ns, 5001, 0);
  assert_int_equal(injection.gaps.gaps, 2);
}

/* What CUPTI launches itself is none of the program's; a kernel of the program's own may have the name. */
static void test_cuptis(void **state) {
  (void)state;
  injection.launches = 0;
  ran("WaitNs", 20000, 21000);
  hand_over();
  assert_int_equal(injection.launches, 0);
  ran("WaitNs", 20000, 21000)->gridX = 2;
  ran("WaitNs", 20000, 21000)->blockX = 2;
  hand_over();
  assert_int_equal(injection.launches, 2);
}

static void test_dropped(void **state) {
  (void)state;
  size_t notes = injection.n_notes;
  hand_over();
  assert_int_equal(injection.n_notes, notes);
  n_dropped = 1;
  hand_over();
  n_dropped = 0;
  assert_int_equal(injection.n_notes, notes + 1);
  assert_string_equal(injection.notes[notes], "CUPTI dropped activity records: some launches are missing");
  injection.cupti.cuptiActivityGetNumDroppedRecords = NULL;
  hand_over();
  injection.cupti.cuptiActivityGetNumDroppedRecords = dropped;
}

/* A launch stands in the ranges that were told of its correlation, once; a graph's kernels all have its. */
static void test_ranges(void **state) {
  (void)state;
  injection.n_ranges = 3;
  for (size_t i = 0; i < 3; i++)
    injection.ranges[i] = (struct range_record){0};
  pending_add(7, (int16_t[]){0, 2}, false);
  pending_add(8, (int16_t[]){-1, 1}, true);
  pending_add(9, (int16_t[]){1, -1}, false);
  pending_add(9 + PENDING_MAX, (int16_t[]){0, -1}, false); /* which gives way */
  injection.by_range = true;
  ran("in ranges", 30000, 31000)->correlationId = 7;
  ran("in ranges", 31000, 33000)->correlationId = 7;
  ran("in ranges", 33000, 37000)->correlationId = 8;
  ran("ncclDevKernel_AllReduce", 37000, 37500)->correlationId = 8;
  ran("in ranges", 38000, 38500)->correlationId = 9;
  ran("in ranges", 39000, 39500)->correlationId = 0;
  hand_over();
  injection.by_range = false;
  const struct range_record *r = injection.ranges;
  assert_int_equal(r[0].launches, 1);
  assert_float_equal(r[0].total_ns, 1000, 0);
  assert_int_equal(r[2].launches, 1);
  assert_float_equal(r[2].collective_ns, 0, 0);
  assert_int_equal(r[1].launches, 2);
  assert_float_equal(r[1].total_ns, 4500, 0);
  assert_float_equal(r[1].collective_ns, 500, 0);
  struct kernel_key key = key_of("in ranges", 1, 1);
  assert_int_equal(kernel_of(&key, 0)->launches, 4);
  key.range = 1;
  assert_int_equal(kernel_of(&key, 0)->launches, 1);
  injection.n_ranges = 0;
}

/* Launches of kernels that find no place are summed. */
static void test_beyond(void **state) {
  (void)state;
  size_t n = injection.n_kernels;
  injection.total_ns = 0;
  injection.launches = 0;
  injection.n_kernels = KERNELS_MAX;
  ran("beyond", 40000, 41000);
  ran("beyond", 41000, 43000);
  hand_over();
  injection.n_kernels = n;
  assert_int_equal(injection.beyond, 2);
  assert_float_equal(injection.beyond_ns, 3000, 0);
  assert_float_equal(injection.total_ns, 3000, 0);
  assert_int_equal(injection.launches, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_start),   cmocka_unit_test(test_flush),  cmocka_unit_test(test_kernel),
      cmocka_unit_test(test_several), cmocka_unit_test(test_cuptis), cmocka_unit_test(test_dropped),
      cmocka_unit_test(test_ranges),  cmocka_unit_test(test_beyond),
  };
  return cmocka_run_group_tests(tests, begin, NULL);
}
