/* Every ceiling on a GPU that is a formula: a launch takes 5 µs, 1 ns a block, 1 ns per 1024 bytes of its n, 16 ns a turn, and 1 ns per 512 bytes of shared
 * memory; its blocks' clocks count, at 2 GHz, 2 cycles a turn and warp, and one for each block before them.  What follows for a few is worked out by hand here; all rows, with the
 * sentence that says how, are in tests/golden/ceilings.txt. */
#include "golden_file.h"
#include "gpu_model.h"
#include "profiler/ceilings/measures.h"
#include "profiler/cuda/activity.h"

static struct bench b;
static struct bench_code code;
static struct run_kernel kernels[64];
static struct gpu_probe gpu;
static struct ceilings out;
static struct err e;

enum { BUFFER = 1 << 28, STAMPS = 64 };
static struct bench_stamp stamps[STAMPS];
static uint64_t now_ns, last_start_ns, event_at[2];
static size_t n_launches, n_carved;
static unsigned largest_smem;
static CUpti_ActivityKernel10 record;
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static bool fresh, recording;

/* --- the model --- */

static struct model_launch {
  const char *kernel;
  unsigned grid, block, smem;
  unsigned long long data, n, turns, extra;
} seen[20000];

static CUresult model_attribute(CUfunction f, CUfunction_attribute attribute, int value) {
  (void)f;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
    n_carved += value == 0;
  else if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    largest_smem = (unsigned)value;
  return CUDA_SUCCESS;
}

static CUresult model_launch(const CUlaunchConfig *c, CUfunction f, void **args, void **extra) {
  struct model_launch l = {(const char *)f, c->gridDimX, c->blockDimX, c->sharedMemBytes,
                           .data = *(CUdeviceptr *)args[0]};
  (void)extra;
  l.n = *(unsigned long long *)args[1];
  l.turns = *(unsigned long long *)args[2];
  l.extra = *(unsigned long long *)args[3];
  if (n_launches < sizeof seen / sizeof *seen)
    seen[n_launches] = l;
  n_launches++;
  if (c->gridDimY != 1 || c->gridDimZ != 1 || c->blockDimY != 1 || c->blockDimZ != 1 || l.smem > largest_smem)
    return CUDA_ERROR_INVALID_VALUE;
  last_start_ns = now_ns;
  now_ns += 5000 + l.grid + (l.n < BUFFER ? l.n / 1024 : 0) + 16 * l.turns + l.smem / 512;
  for (unsigned i = 0; i < l.grid && i < STAMPS; i++)
    stamps[i] = (struct bench_stamp){2 * l.turns * (l.block / 32) + i, l.turns * (l.block / 32)};
  if (strncmp(l.kernel, "chase_", 6) == 0 && l.grid == 1)
    stamps[1].cycles = l.data + 64; /* where it ended */
  record = (CUpti_ActivityKernel10){
      .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .start = last_start_ns, .end = now_ns, .name = l.kernel};
  fresh = true;
  return CUDA_SUCCESS;
}

static CUresult model_event(CUevent event, CUstream stream) {
  (void)stream;
  event_at[event == b.events[1]] = now_ns + (event == b.events[1] ? 3000 : 0); /* the launch */
  return CUDA_SUCCESS;
}

static CUresult model_elapsed(float *ms, CUevent from, CUevent to) {
  (void)from, (void)to;
  *ms = (float)(event_at[1] - event_at[0]) / 1e6f;
  return CUDA_SUCCESS;
}

static CUptiResult model_register(CUpti_BuffersCallbackRequestFunc r, CUpti_BuffersCallbackCompleteFunc c) {
  request = r;
  complete = c;
  return CUPTI_SUCCESS;
}

static CUptiResult model_enable(CUpti_ActivityKind kind) {
  recording = kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  return CUPTI_SUCCESS;
}

static CUptiResult model_flush(uint32_t flag) {
  uint8_t *buffer = NULL;
  size_t bytes = 0, most = 0;
  (void)flag;
  if (!fresh || !recording)
    return CUPTI_SUCCESS;
  request(&buffer, &bytes, &most);
  memcpy(buffer, &record, sizeof record);
  complete(NULL, 0, buffer, bytes, sizeof record);
  fresh = false;
  return CUPTI_SUCCESS;
}

static CUptiResult model_next(uint8_t *buffer, size_t valid, CUpti_Activity **next) {
  (void)valid;
  if (*next)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *next = (CUpti_Activity *)(void *)buffer;
  return CUPTI_SUCCESS;
}

/* All kernels but that of loads of 32 bytes, which this chip lacks. */
static const char *const names[] = {"read_16x1",     "read_16x2",
                                    "read_16x4",     "read_16x8",
                                    "read_4x8",      "read_bulk",
                                    "write_16x1",    "write_16x4",
                                    "copy_16x1",     "copy_16x4",
                                    "write_partial", "read_lines",
                                    "write_lines",   "reread_l1",
                                    "reread_l2",     "rewrite_l2",
                                    "recopy_l2",     "rewrite_partial",
                                    "reread_lines",  "rewrite_lines",
                                    "chase_fill",    "chase_l1",
                                    "chase_l2",      "chase_smem",
                                    "rate_issue",    "rate_issue_long",
                                    "rate_ffma",     "rate_hfma2",
                                    "rate_lop3",     "rate_imad",
                                    "rate_imad_hi",  "rate_f2fp_e4m3",
                                    "rate_i2f",      "rate_f2i",
                                    "rate_idiv",     "rate_mufu",
                                    "rate_dfma",     "rate_lds32",
                                    "rate_lds128",   "rate_atoms_one_address",
                                    "rate_ldc",      "rate_atoms_32_banks",
                                    "rate_hmma",     "latency_ffma",
                                    "latency_hfma2", "latency_imad",
                                    "latency_lop3",  "latency_mufu",
                                    "latency_dfma",  "red_f32",
                                    "empty"};
enum { NAMES = sizeof names / sizeof *names };

static void model_open(void) {
  static unsigned char event_bytes[2];
  gpu = (struct gpu_probe){.sm = 90, .sms = 4, .l2_bytes = 1 << 20};
  for (size_t i = 0; i < NAMES; i++)
    kernels[i].name = (char *)(size_t)names[i];
  code.units[0].ok = true;
  for (int i = 1; i < BENCH_UNITS; i++)
    code.units[i].ok = true;
  code.units[1].module = (struct run_module){.kernels = kernels, .n_kernels = NAMES};
  b = (struct bench){.code = &code,
                     .gpu = &gpu,
                     .activity = true,
                     .data = 1ull << 40,
                     .bytes = BUFFER,
                     .stamps = (CUdeviceptr)(size_t)stamps};
  b.driver.cuModuleGetFunction = model_function;
  b.driver.cuFuncSetAttribute = model_attribute;
  b.driver.cuLaunchKernelEx = model_launch;
  b.driver.cuEventRecord = model_event;
  b.driver.cuEventElapsedTime_v2 = model_elapsed;
  b.driver.cuStreamSynchronize = model_wait;
  b.driver.cuMemcpyHtoD_v2 = model_in;
  b.driver.cuMemcpyDtoH_v2 = model_out;
  b.cupti.cuptiActivityRegisterCallbacks = model_register;
  b.cupti.cuptiActivityEnable = model_enable;
  b.cupti.cuptiActivityFlushAll = model_flush;
  b.cupti.cuptiActivityGetNextRecord = model_next;
  for (int i = 0; i < 2; i++)
    b.events[i] = (CUevent)(void *)&event_bytes[i];
  assert_int_equal(activity_open(&b.cupti, &e), 0);
  memset(&out, 0, sizeof out);
  n_launches = n_carved = 0;
  largest_smem = 0;
}

static int run_measure(const char *label) {
  for (size_t m = 0; m < n_measures; m++)
    if (strcmp(measures[m].label, label) == 0) {
      for (size_t i = 0; i < 3 && measures[m].rows[i].name; i++)
        snprintf(out.rows[out.n++].name, sizeof out.rows[0].name, "%s", measures[m].rows[i].name);
      n_launches = 0;
      return measures[m].run(&b, &measures[m], &out, &e);
    }
  fail_msg("no measure %s", label);
  return -1;
}

static double value_of(const char *name) {
  for (size_t i = 0; i < out.n; i++)
    if (strcmp(out.rows[i].name, name) == 0 && out.rows[i].present)
      return out.rows[i].value;
  fail_msg("no %s", name);
  return 0;
}

static void near(double got, double want) {
  if (!(got > want * (1 - 1e-9) && got < want * (1 + 1e-9)))
    fail_msg("%.12g is not %.12g", got, want);
}

/* --- by hand --- */

/* 32 MiB and 96 MiB in chunks of 32 KiB are 1024 and 3072 blocks: 64 MiB more take 65,536 ns and 2048 ns for their blocks. */
static void a_write_is_a_slope(void **state) {
  (void)state;
  model_open();
  assert_int_equal(run_measure("DRAM partial write"), 0);
  near(value_of("dram_partial_bw"), 67108864 / 67584e-9);
  /* A shape is tried 1 + 2 * 5 times and, chosen, measured 1 + 2 * 25 times. */
  assert_int_equal(n_launches, 11 + 51);
  assert_int_equal(seen[0].grid, 3072);
  assert_int_equal(seen[0].data, (1ull << 40) + (1 << 25));
  assert_int_equal(seen[0].n, 3 << 25);
  assert_int_equal(seen[0].extra, 1 << 27);
  assert_int_equal(seen[1].grid, 1024);
  assert_int_equal(seen[1].data, 1ull << 40);
  assert_int_equal(seen[1].n, 1 << 25);
  assert_int_equal(seen[1].block, 1024);
  assert_int_equal(seen[2].grid, 3072);
}

/* Of the three shapes that of four blocks an SM has the fewest blocks, 16 in both parts: 64 MiB in 65,536 ns. */
static void the_fastest_shape_counts(void **state) {
  (void)state;
  model_open();
  assert_int_equal(run_measure("DRAM write"), 0);
  near(value_of("dram_write_bw"), 67108864 / 65536e-9);
  assert_int_equal(seen[n_launches - 1].grid, 16);
  assert_int_equal(seen[n_launches - 1].block, 512);
  assert_int_equal(run_measure("DRAM copy"), 0);
  near(value_of("dram_copy_bw"), 2 * 67108864 / 65536e-9);
  assert_int_equal(run_measure("DRAM read by bulk copies"), 0);
  assert_int_equal(seen[n_launches - 1].smem, 65536);
  assert_int_equal(seen[n_launches - 1].grid, 4); /* one block an SM */
}

/* A turn takes 16 ns, in which 4 SMs read 16 KiB each.  The smallest part, a 32nd of the L2, is 8 KiB an SM and so one span. */
static void l2_is_a_slope_over_turns(void **state) {
  (void)state;
  model_open();
  assert_int_equal(run_measure("L2 read"), 0);
  near(value_of("l2_bw"), 4 * 16384 / 16e-9);
  assert_int_equal(seen[0].grid, 4);
  assert_int_equal(seen[0].block, 1024);
  assert_int_equal(seen[0].n, 16384);
  assert_int_equal(seen[0].turns, 1024);
  assert_int_equal(seen[0].extra, 4 * 16384);
  assert_int_equal(seen[6].turns, 3072); /* after one that warms up and five that count */
  assert_int_equal(n_launches, 5 * (11 + 2));
  assert_int_equal(seen[52].n, 8 * 16384); /* half of the L2 over 4 SMs */
  near(out.rows[0].clock_hz,
       2e9 * (2 * 3072 * 32 + 1.5) / (2 * 3072 * 32)); /* the mean of 4 blocks' clocks is 1.5 cycles more */
}

/* 32 warps, 1000 turns of 512: 64,000 cycles and 1.5 more for the mean of 4 blocks. */
static void a_rate_is_lanes_over_cycles(void **state) {
  (void)state;
  model_open();
  assert_int_equal(run_measure("FFMA"), 0);
  near(value_of("rate_ffma"), 32 * 1000.0 * 512 * 32 / 64001.5);
  assert_int_equal(seen[0].grid, 4);
  assert_int_equal(seen[0].block, 1024);
  assert_int_equal(seen[0].n, 0x38003800);
  assert_int_equal(seen[0].extra, 0x2c002c00);
  assert_int_equal(n_launches, 4); /* one that warms up */
  assert_int_equal(run_measure("FFMA latency"), 0);
  near(value_of("ffma_latency_cycles"), 2 * 1000 / 1000.0 / 512); /* one warp: no other block's cycles */
  assert_int_equal(seen[0].grid, 1);
  assert_int_equal(seen[0].block, 32);
  assert_int_equal(run_measure("tensor"), 0);
  near(value_of("rate_tensor"), 32 * 1000.0 * 512 * 32 / 64001.5);
  near(value_of("mma_f16_flops"), 32 * 1000.0 * 512 / 64001.5 * 4096 * 4 * 2e9 * 64001.5 / 64000);
  assert_int_equal(run_measure("integer division"), 0);
  near(value_of("rate_idiv"), 32 * 1000.0 * 16 * 32 / 64001.5);
}

/* What the compiler made of a loop is counted where its SASS is there. */
static void a_loop_that_lost_instructions_is_no_rate(void **state) {
  static struct run_instruction sass[512];
  (void)state;
  model_open();
  for (size_t i = 0; i < 512; i++)
    sass[i].text = (char *)(size_t)(i % 2 ? "LOP3.LUT R1, R2" : "@P0 FFMA R1, R2");
  for (size_t i = 0; i < NAMES; i++)
    if (strcmp(names[i], "rate_issue") == 0) {
      kernels[i].sass = sass;
      kernels[i].n_sass = 512;
    }
  assert_int_equal(run_measure("issue"), 0);
  assert_non_null(strstr(out.rows[0].detail, "512 in a loop, counted in its SASS"));
  sass[3].text = (char *)(size_t) "FFMAX R1";
  assert_int_equal(run_measure("issue"), ERR_DATA);
  assert_string_equal(e.text, "its SASS holds 511 of 512 FFMA: the compiler changed the loop");
  for (size_t i = 0; i < NAMES; i++)
    kernels[i].n_sass = 0;
  assert_int_equal(run_measure("issue"), 0);
  assert_non_null(strstr(out.rows[0].detail, "not checked in the SASS: there is no nvdisasm"));
}

/* A step takes 2 cycles of the one warp; each chase goes on where the one before ended. */
static void a_chase_goes_on_where_it_ended(void **state) {
  (void)state;
  model_open();
  assert_int_equal(run_measure("DRAM latency"), 0);
  near(value_of("dram_latency_cycles"), 2);
  near(value_of("dram_latency_ns"), 1);
  near(out.rows[0].clock_hz, 2e9);
  assert_int_equal(n_launches, 5); /* fill, read through, three chases */
  assert_int_equal(seen[0].grid, 16);
  assert_int_equal(seen[0].block, 1024);
  assert_int_equal(seen[0].n, (8 << 20) / 128); /* lines of eight times the L2 */
  assert_int_equal(seen[1].grid, 8);
  assert_int_equal(seen[1].data, (1ull << 40) + (7ull << 25)); /* beyond the L2: flushed by the last eighth */
  assert_int_equal(seen[1].n, 1 << 25);
  assert_int_equal(seen[2].data, 1ull << 40);
  assert_int_equal(seen[2].n, 64);
  assert_int_equal(seen[2].turns, 4096);
  assert_int_equal(seen[3].data, (1ull << 40) + 64);
  assert_int_equal(seen[4].data, (1ull << 40) + 128);
  assert_int_equal(run_measure("L1 latency"), 0);
  assert_int_equal(seen[1].data, 1ull << 40); /* 16 KiB, brought into the L2 */
  assert_int_equal(seen[1].n, 16384);
  assert_int_equal(seen[2].n, 128); /* and once through all lines */
  assert_int_equal(n_carved, 2);    /* the kernels of both have the L1 whole */
}

/* An empty kernel of a block takes 5001 ns, and by event pairs, with the launch, 8001; a block 1 ns. */
static void launches_and_blocks(void **state) {
  (void)state;
  model_open();
  assert_int_equal(run_measure("launch"), 0);
  near(value_of("launch_ns"), 5001);
  near(value_of("launch_full_ns"), 5008);
  assert_float_equal(value_of("launch_event_ns"), 8001, 0.01);
  assert_int_equal(n_launches, 45);
  assert_int_equal(seen[44].block, 1024);
  assert_int_equal(run_measure("blocks of 256"), 0);
  near(value_of("blocks_per_s_256"), 1e9);
  assert_int_equal(seen[0].grid, 262144);
  assert_int_equal(seen[9].grid, 4 * 262144);
  assert_int_equal(seen[9].block, 256);
  b.activity = false;
  err_set(&b.why_not, ERR_MACHINE, "no CUPTI");
  assert_int_equal(run_measure("launch"), ERR_MACHINE);
  assert_string_equal(e.text, "only CUPTI gives the kernel's own time: no CUPTI");
}

/* A turn takes 16 ns, in which each of 8 blocks of 1024 lanes adds. */
static void additions_are_a_slope_over_turns(void **state) {
  (void)state;
  model_open();
  assert_int_equal(run_measure("atomics, an address per warp"), 0);
  near(value_of("red_address_per_warp"), 8 * 1024 / 16e-9);
  assert_int_equal(seen[0].grid, 8);
  assert_int_equal(seen[0].n, 1 << 20);
  assert_int_equal(seen[0].turns, 512);
  assert_int_equal(seen[0].extra, 5ull << 32 | 648055);
}

/* --- the tables --- */

/* A shape's sentence, its kernel's name and its numbers say the same. */
static void access_says_what_it_does(const struct access *a) {
  unsigned width = 0, loads = 0, threads = 0, blocks = 0, kib = 0;
  char per[16] = "";
  if (sscanf(a->text, "bulk copies of %u KiB to shared memory, %u in flight per block, %u block", &kib, &loads,
             &blocks) == 3) {
    assert_int_equal(a->chunk_bytes, kib * 1024);
    assert_int_equal(a->smem, loads * a->chunk_bytes);
    assert_int_equal(a->block, 32);
    assert_int_equal(a->blocks_per_sm, blocks);
    return;
  }
  assert_int_equal(a->smem, 0);
  if (sscanf(a->text, "4 B of each %u-%*[^,], %u threads, one %15s", &width, &threads, per) == 3) {
    assert_int_equal(a->block, threads);
    assert_int_equal(a->chunk_bytes, width == 32 ? 32768 : 131072); /* a line a thread; of sectors one a thread */
    assert_int_equal(a->chunk_bytes, width * threads);
    assert_int_equal(a->blocks_per_sm, 0);
    return;
  }
  loads = 1;
  if (sscanf(a->text, "%u B x %u per thread, %u threads", &width, &loads, &threads) != 3) {
    loads = 1;
    assert_int_equal(sscanf(a->text, "%u B per thread, %u threads", &width, &threads), 2);
  }
  const char *end = strstr(a->text, "per block, ");
  blocks = end && sscanf(end, "per block, %u blocks per SM", &blocks) == 1 ? blocks : 0;
  char *kernel = str_printf("_%ux%u", width, loads);
  assert_non_null(strstr(a->kernel, kernel));
  free(kernel);
  assert_int_equal(a->block, threads);
  assert_int_equal(a->chunk_bytes, width * loads * threads);
  assert_int_equal(a->blocks_per_sm, blocks);
}

static void shapes_say_what_they_do(void **state) {
  (void)state;
  for (size_t m = 0; m < n_measures; m++) {
    const struct dram *d = measures[m].run == measure_dram ? measures[m].what : NULL;
    for (size_t i = 0; d && i < d->n_shapes; i++)
      access_says_what_it_does(&d->shapes[i]);
  }
}

static void all_ceilings(void **state) {
  struct text t = {0};
  (void)state;
  model_open();
  for (size_t m = 0; m < n_measures; m++) {
    size_t first = out.n;
    e = (struct err){0};
    int rc = run_measure(measures[m].label);
    text_printf(&t, "%s: %zu launches%s%s\n", measures[m].label, n_launches, rc ? ", " : "", rc ? e.text : "");
    for (size_t i = first; i < out.n; i++) {
      const struct ceilings_row *r = &out.rows[i];
      text_printf(&t, "  %s = %.7g %s at %.7g Hz: %s\n", r->name, r->value, measures[m].rows[i - first].unit,
                  r->clock_hz, r->present ? r->detail : "absent");
    }
    if (n_launches) {
      const struct model_launch *l = &seen[n_launches - 1];
      text_printf(&t, "  last: %s <<<%u, %u, %u>>> data + %llu, n %llu, turns %llu, extra %llu\n", l->kernel, l->grid,
                  l->block, l->smem, l->data - b.data, l->n, l->turns, l->extra);
    }
    const struct ceilings_curve *c = measures[m].curve ? &out.curves[measures[m].curve - 1] : NULL;
    if (!c)
      continue;
    text_printf(&t, "  curve %s, %s over %s: %s:", c->name, c->y_unit, c->x_unit, c->detail);
    for (size_t i = 0; i < c->n; i++)
      text_printf(&t, " %.7g/%.7g", c->y[i], c->x[i]);
    text_add(&t, "\n");
  }
  check_golden("ceilings.txt", &t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_write_is_a_slope),
      cmocka_unit_test(the_fastest_shape_counts),
      cmocka_unit_test(l2_is_a_slope_over_turns),
      cmocka_unit_test(a_rate_is_lanes_over_cycles),
      cmocka_unit_test(a_loop_that_lost_instructions_is_no_rate),
      cmocka_unit_test(a_chase_goes_on_where_it_ended),
      cmocka_unit_test(launches_and_blocks),
      cmocka_unit_test(additions_are_a_slope_over_turns),
      cmocka_unit_test(shapes_say_what_they_do),
      cmocka_unit_test(all_ceilings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
