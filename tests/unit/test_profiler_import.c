/* Nsight Compute's CSV as a run.  The samples and how they were made: tests/import/README.md. */
#include "unit/imported.h"

/* --- the forms --- */

/* axpy<float, 4> of n = 2^24: one FMA an element, of 2 FLOP; 32 lanes, 4 elements a thread.  matmul of n = 512: 512^3 FMA. */
static void raw_page(void **state) {
  const char *name = *state ? *state : "raw-auto.csv";
  struct run run = imported(name, NULL);
  assert_int_equal(run.n_results, 3);
  assert_string_equal(run.device.name, "NVIDIA H200");
  assert_int_equal(run.device.sms, 132);
  assert_int_equal(run.device.sm, 90);
  near(run.device.clock_max_hz, 1.98e9, 1e-12); /* 1,980,000 kHz */
  near(run.device.memory_clock_hz, 3.201e9, 1e-12);
  const struct run_result *axpy = result_of(&run, AXPY_LARGE), *matmul = result_of(&run, "matmul");
  assert_int_equal(axpy->timing.n, 3);
  assert_int_equal(matmul->timing.n, 2);
  near(axpy->timing.samples_ns[0], 103488, 1e-9); /* 103.488 us in auto units */
  assert_string_equal(axpy->timing.source, "ncu gpu__time_duration");
  assert_int_equal(axpy->shape.m, 0);
  assert_true(axpy->check.verdict == VERDICT_UNCHECKED);
  assert_int_equal(axpy->launches[0].grid[0], 16384);
  assert_int_equal(axpy->launches[0].registers, 16);
  assert_int_equal(axpy->launches[0].blocks_per_sm, 8); /* 2048 threads of 256 */
  near(metric(axpy, "inst_executed"), 7077888, 1e-12);
  near(axpy->flops, 2.0 * 16777216, 1e-3); /* a rate, rounded in base units, times cycles */
  near(matmul->flops, 2.0 * 512 * 512 * 512, 5e-3);
  /* The mean of 134.228992, 134.230272 and another close by; x and y are 64 MiB each. */
  near(metric(axpy, "dram_read_bytes"), 134217728, 2e-4);
  near(metric(axpy, "stall_long_scoreboard"), 8.7e8, 0.03); /* 122.63 cycles an issue, 7.087e6 issues */
  const struct run_metric *lsu = run_metric_find(axpy, "pipe_lsu");
  assert_false(lsu->present);
  assert_non_null(strstr(lsu->reason, "ncu --metrics sm__inst_executed_pipe_lsu.sum adds it"));
  run_release(&run);
}

static void raw_page_in_base_units(void **state) {
  (void)state;
  void *name = "raw-base.csv";
  raw_page(&name);
}

static void details_page(void **state) {
  (void)state;
  struct run run = imported("details.csv", NULL), raw = imported("raw-auto.csv", NULL);
  const struct run_result *d = result_of(&run, "matmul"), *r = result_of(&raw, "matmul");
  assert_int_equal(run.n_results, 2);
  assert_string_equal(run.device.name, "a GPU of compute capability 9.0");
  assert_int_equal(run.device.sms, 132); /* "# SMs" */
  near(d->timing.samples_ns[0], r->timing.samples_ns[0], 1e-4);
  near(metric(d, "inst_executed"), 11419648, 1e-12);
  /* Two decimals of a scaled unit. */
  near(metric(d, "sm_cycles_active"), 8565356, 1e-5);
  near(metric(d, "l2_hit_rate"), 652382.0 / 765805.0, 0.01);
  assert_false(run_metric_find(d, "dram_read_bytes")->present);
  assert_true(run_metric_find(d, "dram_bytes")->present);
  run_release(&run);
  run_release(&raw);
}

static void transposed_page(void **state) {
  (void)state;
  struct run run = imported("transposed.csv", NULL), raw = imported("raw-auto.csv", NULL);
  const struct run_result *t = result_of(&run, AXPY);
  assert_int_equal(run.n_results, 2);
  assert_int_equal(t->launches[0].grid[0], 16384);
  near(metric(t, "inst_executed"), 7077888, 1e-12); /* "7,077,888 {132}" */
  near(metric(t, "dram_read_bytes"), 134228992, 1e-12);
  near(t->timing.samples_ns[0], 103488, 1e-12);
  run_release(&run);
  run_release(&raw);
}

static void printed_with_the_programs_lines(void **state) {
  (void)state;
  struct run run = imported("raw-printed.csv", NULL);
  assert_int_equal(run.n_results, 1);
  assert_int_equal(run.results[0].timing.n, 2);
  assert_true(run_metric_find(&run.results[0], "dram_read_bytes")->present);
  assert_false(run_metric_find(&run.results[0], "dram_write_bytes")->present);
  run_release(&run);
}

/* Four of our rungs counted by ncu, against our own counters in the same session (cuda-6-fused at 7168x2048x4: 33,056,256 bytes read,
 * 8,601,600 instructions, 2,924,544 sectors loaded, 33,694,336 bytes from the L2).  Kernels of one name and grid are told apart by registers. */
static void rungs_agree_with_our_counters(void **state) {
  (void)state;
  struct run run = imported("rungs.csv", NULL);
  assert_int_equal(run.n_results, 6);
  const struct run_result *fused = result_of(&run, "gemv <<<896x4x1, 16x8x1>>>");
  near(metric(fused, "inst_executed"), 8601600, 1e-12);
  near(metric(fused, "thread_inst_executed"), 272670720, 1e-12);
  near(metric(fused, "l1_load_sectors"), 2924544, 1e-12);
  near(metric(fused, "dram_read_bytes"), 33056256, 1e-3);
  near(metric(fused, "l2_read_bytes"), 33694336, 5e-3);
  near(metric(fused, "stall_wait"), 6044563, 1e-3); /* a ratio times the issues, against the counter itself */
  near(metric(fused, "sm_clock_hz"), 1959807237, 0.01);
  near(metric(result_of(&run, "gemv <<<896x4x1, 32x8x1>>>"), "inst_executed"), 213978961, 1e-12);
  near(metric(result_of(&run, "gemv <<<896x4x1, 32x8x1>>> 48 registers"), "inst_executed"), 117783037, 1e-12);
  run_release(&run);
}

/* --- what is malformed --- */

static void malformed(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"", "m.csv:1:1: the file is empty"},
      {"hello\n", "m.csv:1:1: this is not a table of Nsight Compute"},
      {HEAD UNITS, "m.csv:1:1: the table holds no launch"},
      {HEAD, "m.csv:1:1: the table holds no launch"},
      {HEAD UNITS "\"0\",\"k\",\"(256, 1, 1)\",\"(8, 1", "m.csv:3:23: this quote is not closed: the file is cut off"},
      {HEAD UNITS "\"0\",\"k\",\"(256, 1, 1)\"\n", "m.csv:3:9: the row has 3 cells, its head 6: the file is cut off"},
      {HEAD UNITS ROW("fast"), "m.csv:3:35: gpu__time_duration.sum is 'fast', which is not a number"},
      {HEAD UNITS ROW("1.234,5"), "m.csv:3:35: gpu__time_duration.sum is '1.234,5', which is not a number"},
      {HEAD "\"\",\"\",\"\",\"\",\"moon\",\"inst\"\n" ROW("1"),
       "m.csv:2:13: gpu__time_duration.sum has the unknown unit 'moon'; export with --print-units base"},
      {HEAD ROW("1"), "m.csv:2:1: the second row of ncu's raw page holds the units"},
      {HEAD UNITS "\"0\",\"k\",\"wide\",\"(8, 1, 1)\",\"1\",\"64\"\n", "m.csv:3:9: 'wide' is not a grid or block"},
      {HEAD UNITS "\"0\",\"\",\"(1, 1, 1)\",\"(8, 1, 1)\",\"1\",\"64\"\n", "m.csv:3:5: the launch names no kernel"},
      {"\"ID\",\"Kernel Name\",\"Metric Value\",\"Metric Name\"\n",
       "m.csv:1:1: the head has no column \"Metric Unit\""},
      {"\"Kernel Name\",\"k\"\n\"a__b.sum [us]\",\"1\",\"2\"\n",
       "m.csv:2:21: the line has 2 values, where the first has 1"},
      /* Found by fuzzing: a row of the details page that ends behind its value, which does not stand last. */
      {"ID,Metric Value,Kernel Name,Block Size,Grid Size,Metric Name,Metric Unit\n0,1\n",
       "m.csv:2:3: the row has 2 cells, its head 7: the file is cut off"},
      {"\"Address\",\"Source\"\n", "m.csv:1:1: this is a view of the source: give it as --source m.csv"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct run run;
    struct err e = {0};
    if (import_texts(&run, cases[i].text, NULL, NULL, &e) != ERR_DATA || !strstr(e.text, cases[i].says))
      fail_msg("\"%s\" is not in \"%s\"", cases[i].says, e.text);
    run_release(&run);
  }
}

/* An unknown unit or a text costs nothing where nothing asks for the metric. */
static void what_is_not_asked_for_is_not_judged(void **state) {
  (void)state;
  struct run run;
  struct err e = {0};
  const char text[] =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"some__new.sum\"\n\"\",\"\",\"\",\"\",\"moon\"\n"
      "\"0\",\"k\",\"1\",\"8\",\"blue\"\n";
  if (import_texts(&run, text, NULL, NULL, &e))
    fail_msg("%s", e.text);
  assert_int_equal(run.results[0].timing.n, 0);
  assert_non_null(strstr(run.results[0].timing.reason, "no gpu__time_duration.sum"));
  run_release(&run);
}

/* One name and geometry: 32 and 33 registers are different code; 8.19 Kbyte is 8192 byte rounded. */
static void code_is_told_apart(void **state) {
  (void)state;
  struct run run;
  struct err e = {0};
  const char text[] =
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"launch__registers_per_thread\","
      "\"launch__shared_mem_per_block_static\"\n\"\",\"\",\"\",\"\",\"register/thread\",\"byte/block\"\n"
      "\"0\",\"k\",\"1\",\"8\",\"32\",\"8,192\"\n\"1\",\"k\",\"1\",\"8\",\"33\",\"8,192\"\n"
      "\"2\",\"k\",\"1\",\"8\",\"32\",\"8,190\"\n\"3\",\"k\",\"1\",\"8\",\"33\",\"0\"\n";
  if (import_texts(&run, text, NULL, NULL, &e))
    fail_msg("%s", e.text);
  assert_int_equal(run.n_results, 3);
  assert_string_equal(run.variants[0].id, "k <<<8x1x1, 1x1x1>>>");
  assert_string_equal(run.variants[1].id, "k <<<8x1x1, 1x1x1>>> 33 registers");
  assert_string_equal(run.variants[2].id, "k <<<8x1x1, 1x1x1>>> 33 registers (2)");
  run_release(&run);
}

static void problem_and_kernel(void **state) {
  (void)state;
  struct run run;
  struct err e = {0};
  char *text = sample("rungs.csv");
  struct import_file file = {"m.csv", text};
  struct shape shape = {7168, 2048, 4};
  struct import_options o = {.files = &file, .n_files = 1, .kernel = "gemv", .problem = &shape};
  if (import_ncu(&run, &o, &e))
    fail_msg("%s", e.text);
  assert_int_equal(run.n_results, 4);
  /* A 4*7168*1024, SFA 4*7168*128, B 4*1024, SFB 4*128, C 2*4*7168 bytes; 2*M*K*L FLOP. */
  near(run.results[0].bytes_minimal, 29360128 + 3670016 + 4096 + 512 + 57344, 1e-12);
  near(run.results[0].flops, 2.0 * 7168 * 2048 * 4, 1e-12);
  run_release(&run);
  o.kernel = "gemm";
  assert_int_equal(import_ncu(&run, &o, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "--kernel 'gemm' names no kernel of m.csv; the first there is 'nvfp4_prof_flush'"));
  run_release(&run);
  free(text);
}

/* Written and read back: a result without a problem is one that a run file may hold. */
static void saved_and_loaded(void **state) {
  (void)state;
  struct run run = imported("raw-auto.csv", "source-sass.csv"), back = {0};
  struct err e = {0};
  char path[] = "/tmp/nvfp4-import-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  run.tool = str_copy("test");
  if (run_save(&run, path, &e) || run_load(&back, path, &e))
    fail_msg("%s", e.text);
  assert_int_equal(back.n_results, 3);
  assert_true(shape_none(back.results[0].shape));
  near(metric(result_of(&back, "matmul"), "inst_executed"), 11419648, 1e-12);
  run_release(&run);
  run_release(&back);
  remove(path);
}

/* tests/import/percent.csv: five percentages, no device. */
static void percentages(void **state) {
  (void)state;
  struct run run = imported("percent.csv", NULL);
  const struct run_result *r = &run.results[0];
  near(metric(r, "peak_dram"), 0.912, 1e-12);
  near(metric(r, "peak_issue"), 0.215, 1e-12);
  near(metric(r, "achieved_occupancy"), 0.88, 1e-12);
  assert_null(run_metric_find(r, "peak_l2")); /* not said, so not there */
  run_release(&run);
  /* The details page of the same: DRAM Throughput, Issue Slots Busy of the active cycles, Achieved Occupancy. */
  run = imported("details.csv", NULL);
  r = result_of(&run, "matmul");
  near(metric(r, "peak_dram"), 0.0122, 1e-9);
  near(metric(r, "peak_l1"), 0.8046, 1e-9);
  near(metric(r, "peak_l2"), 0.0581, 1e-9);
  near(metric(r, "peak_issue"), 0.2994, 1e-9);
  near(metric(r, "achieved_occupancy"), 0.8148, 1e-9);
  run_release(&run);
}

/* --- the forms that people have --- */

static void printed_report(void **state) {
  (void)state;
  struct run run = imported("printed.txt", NULL);
  const struct run_result *r = result_of(&run, "row_sums(const float *, float *, unsigned long)");
  assert_int_equal(run.n_results, 2);
  assert_int_equal(run.device.sm, 80);
  near(r->timing.samples_ns[0], 3.84e6, 1e-12); /* msecond */
  assert_int_equal(r->launches[0].grid[0], 64);
  assert_int_equal(r->launches[0].block[0], 256);
  near(metric(r, "peak_dram"), 0.1798, 1e-9);
  near(metric(r, "peak_l1"), 0.9984, 1e-9); /* of the active cycles: the mean of the elapsed ones is not told */
  near(metric(r, "peak_issue"), 0.0208, 1e-9);
  near(metric(r, "achieved_occupancy"), 0.1246, 1e-9); /* its section's */
  near(metric(r, "sm_clock_hz"), 1.09e9, 1e-9);
  r = result_of(&run, "void fill<float>(T1 *)");
  assert_int_equal(r->launches[0].grid[0], 0); /* not said */
  near(r->timing.samples_ns[0], 12e3, 1e-12);
  run_release(&run);
}

static void raw_page_without_geometry(void **state) {
  (void)state;
  struct run run = imported("no-geometry.csv", NULL);
  const struct run_result *r = result_of(&run, "step_factor");
  near(metric(r, "peak_dram"), 0.396, 1e-9);
  near(metric(r, "peak_issue"), 0.1825, 1e-9);
  assert_int_equal(r->launches[0].grid[0], 0);
  r = result_of(&run, "gelu");
  assert_int_equal(r->launches[0].grid[0], 128);
  assert_int_equal(r->launches[0].block[0], 256);
  near(metric(r, "dram_read_bytes"), 2503680, 1e-12); /* and not 2.50 Mbyte */
  assert_false(run_metric_find(r, "dram_write_bytes")->present);
  run_release(&run);
}

static void summary_of_kernels(void **state) {
  (void)state;
  struct run run = imported("summary.csv", NULL);
  const struct run_result *r = result_of(&run, "saxpy(float, const float *, float *) <<<4096x1x1, 256x1x1>>>");
  assert_int_equal(run.n_results, 2);
  near(r->timing.samples_ns[0], 21.5e3, 1e-12); /* the average */
  near(metric(r, "peak_dram"), 0.825, 1e-9);
  near(metric(r, "achieved_occupancy"), 0.7492, 1e-9);
  run_release(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(raw_page),
      cmocka_unit_test(raw_page_in_base_units),
      cmocka_unit_test(details_page),
      cmocka_unit_test(transposed_page),
      cmocka_unit_test(printed_with_the_programs_lines),
      cmocka_unit_test(rungs_agree_with_our_counters),
      cmocka_unit_test(malformed),
      cmocka_unit_test(what_is_not_asked_for_is_not_judged),
      cmocka_unit_test(code_is_told_apart),
      cmocka_unit_test(problem_and_kernel),
      cmocka_unit_test(saved_and_loaded),
      cmocka_unit_test(percentages),
      cmocka_unit_test(printed_report),
      cmocka_unit_test(raw_page_without_geometry),
      cmocka_unit_test(summary_of_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
