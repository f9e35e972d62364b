/* Whole runs on the fake GPU with the fake NVRTC: what a run says of rungs that are well and of rungs that are not, and the search of `tune`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "measured.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/measure/describe.h"
#include "profiler/measure/tune_batch.h"
#include "profiler/measure/tune_search.h"

#define HEAD(name) "//! id: " name "\n//! ladder: l\n//! side: yes\n//! change: it\n"
#define BODY(kernel)                                                                                                   \
  "extern \"C\" __global__ void " kernel                                                                               \
  "(const void *a, const void *b, const void *sfa, const void *sfb, void *c, int M, int K, int L) {}\n"
#define PLAIN(name, kernel)                                                                                            \
  "//! id: " name "\n//! ladder: " name "\n//! step: kernel = " kernel                                                 \
  "; grid = ceil(M / 128), L; block = 128\n" BODY(kernel)

static const struct shape shapes[] = {{.m = 128, .k = 64, .l = 1}, {.m = 256, .k = 64, .l = 2}};
static struct rung_set set;
static struct profile_options options;
static struct gpu_probe gpu;
static struct run run;
static struct err e;

static void set_of(const char *const *files, size_t n) {
  set = (struct rung_set){0};
  e = (struct err){0};
  for (size_t i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "x/%zu.cu", i);
    if (rung_set_add(&set, name, files[i], &e))
      fail_msg("%s", e.text);
  }
  if (rung_set_finish(&set, &e))
    fail_msg("%s", e.text);
  bench_libraries("whole");
  profile_options_default(&options);
  options.min_rounds = options.max_rounds = 5;
  options.samples = 4000;
  options.sass = false;
  profile_phases_parse(options.phases, &options.n_phases, "check,time", &e);
  gpu = (struct gpu_probe){.found = true,
                           .sm = 90,
                           .sms = 4,
                           .warps_per_sm = 64,
                           .regs_per_sm = 65536,
                           .smem_optin = 232448,
                           .l2_bytes = 1 << 20,
                           .memory_bytes = 1 << 30,
                           .clock_max_hz = 1e9,
                           .name = "Fake GPU 0",
                           .uuid = "GPU-a0",
                           .uuid_hash = "hash",
                           .driver = "999.1"};
}
#define SET(...)                                                                                                       \
  do {                                                                                                                 \
    const char *const files[] = {__VA_ARGS__};                                                                         \
    set_of(files, sizeof files / sizeof *files);                                                                       \
  } while (0)

static int profile(size_t n_shapes) {
  bool chosen[8] = {true, true, true, true, true, true, true, true};
  const struct selection s = {set, chosen, (struct shape *)shapes, n_shapes};
  return profile_run(&options, &gpu, &s, &run, &e);
}

static void end(void) {
  run_release(&run);
  rung_set_release(&set);
}

static const struct run_result *result_of(const char *id, size_t shape) {
  const struct run_result *r = run_result_find(&run, id, shapes[shape]);
  assert_non_null(r);
  return r;
}

static void a_run_is_whole(void **state) {
  (void)state;
  SET(PLAIN("first", "gemv"), PLAIN("second", "gemv_other"));
  assert_int_equal(profile(2), 0);
  assert_int_equal(run.n_variants, 2);
  assert_int_equal(run.n_results, 4);
  assert_int_equal(run.n_modules, 2); /* one for both shapes; our own kernels' is none of the run's */
  assert_int_equal(run.n_sources, 2);
  assert_string_equal(run.sources[1].name, "x/1.cu");
  assert_false(run.partial);
  assert_int_equal(run.n_notes, 0);
  assert_float_equal(run.flush_bytes, 8388608, 0);
  assert_string_equal(run.l2, "cold");
  assert_string_equal(run.inputs, "default");
  assert_int_equal(run.seed, 1);
  assert_string_equal(run.device.nvrtc, "13.7");
  const struct run_result *r = result_of("second", 1);
  assert_int_equal(r->check.verdict, VERDICT_PASS);
  assert_int_equal(r->check.total, 512);
  assert_int_equal(r->timing.n, 5);
  assert_float_equal(r->timing.samples_ns[4], 14000, 0);
  assert_float_equal(result_of("first", 0)->timing.samples_ns[0], 11000, 0);
  assert_string_equal(run.modules[r->module].kernels[0].name, "gemv_other");
  /* 256 rows of 64 values in 2 batches: A 256 * 32 * 2, SFA 256 * 4 * 2, B 32 * 2, SFB 4 * 2, C 256 * 2 * 2. */
  assert_float_equal(r->bytes_minimal, 16384 + 2048 + 64 + 8 + 1024, 0);
  assert_float_equal(r->bytes_declared, r->bytes_minimal, 0);
  assert_float_equal(r->bytes_contest, r->bytes_minimal + 127 * 8, 0);
  assert_float_equal(r->flops, 2 * 256 * 64 * 2, 0);
  end();
}

static void a_warm_run_flushes_nothing(void **state) {
  (void)state;
  SET(PLAIN("first", "gemv"));
  options.l2 = L2_WARM;
  assert_int_equal(profile(1), 0);
  assert_float_equal(run.flush_bytes, 0, 0);
  end();
}

/* Each way to fail costs its own rung and no other. */
static void a_bad_rung_costs_itself(void **state) {
  (void)state;
  SET(PLAIN("broken", "k") "#error\n", PLAIN("crash", "gemv_crash"), PLAIN("exits", "gemv_exit"),
      PLAIN("fault", "gemv_fault"), PLAIN("good", "gemv"), PLAIN("last", "gemv_last"),
      "//! id: needy\n//! ladder: needy\n//! needs: sm >= 100\n//! step: kernel = gemv; grid = 1; block = 32\n" BODY(
          "gemv"));
  assert_int_equal(profile(1), 0);
  const struct run_result *r = result_of("broken", 0);
  assert_int_equal(r->check.verdict, VERDICT_FAILED);
  assert_int_equal(r->module, -1);
  assert_string_equal(r->check.reason,
                      "did not compile: x/0.cu for sm_90a: NVRTC_ERROR_COMPILATION\nmine.cu(2): error: wrong\n");
  r = result_of("crash", 0);
  assert_int_equal(r->check.verdict, VERDICT_FAILED);
  assert_string_equal(r->check.reason, "took its process down in phase check: it ended by signal 6 (Aborted)");
  assert_string_equal(r->timing.reason, "not timed: see the check");
  assert_string_equal(result_of("exits", 0)->check.reason,
                      "took its process down in phase check: it ended with exit code 7");
  r = result_of("fault", 0);
  assert_int_equal(r->check.verdict, VERDICT_FAILED);
  assert_string_equal(r->check.reason, "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS: said by the fake driver");
  r = result_of("last", 0);
  assert_int_equal(r->check.verdict, VERDICT_WRONG);
  assert_int_equal(r->timing.n, 0);
  r = result_of("needy", 0);
  assert_int_equal(r->check.verdict, VERDICT_SKIPPED);
  assert_non_null(strstr(r->check.reason, "sm >= 100"));
  r = result_of("good", 0);
  assert_int_equal(r->check.verdict, VERDICT_PASS);
  assert_int_equal(r->timing.n, 5);
  assert_int_equal(run.n_modules, 5); /* without the one that does not compile and the one that is not compiled */
  end();
}

/* From its second launch on: after the check, in the first round of its warm-up, so while trials are queued, and nobody knows whose fault it is until they
 * run one by one. */
static void a_culprit_among_queued_trials_is_found(void **state) {
  (void)state;
  SET(PLAIN("crash", "gemv_crash_2"), PLAIN("good", "gemv"));
  assert_int_equal(profile(1), 0);
  assert_int_equal(result_of("crash", 0)->check.verdict, VERDICT_FAILED);
  assert_string_equal(result_of("crash", 0)->check.reason,
                      "took its process down in phase time: it ended by signal 6 (Aborted)");
  assert_int_equal(result_of("good", 0)->timing.n, 5);
  assert_int_equal(run.n_notes, 0); /* the last worker timed what is left together */
  end();
}

/* The same of one that takes the context down and not the process. */
static void a_fault_among_queued_trials_is_found(void **state) {
  (void)state;
  SET(PLAIN("good", "gemv"), PLAIN("faulty", "gemv_fault_2"));
  assert_int_equal(profile(1), 0);
  assert_int_equal(result_of("faulty", 0)->check.verdict, VERDICT_FAILED);
  assert_string_equal(result_of("faulty", 0)->check.reason,
                      "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS: said by the fake driver");
  assert_int_equal(result_of("good", 0)->timing.n, 5);
  end();
}

static void an_optional_phase_goes_on_without_its_culprit(void **state) {
  (void)state;
  SET(PLAIN("crash", "gemv_crash_2"), PLAIN("good", "gemv"));
  profile_phases_parse(options.phases, &options.n_phases, "check,stalls", &e);
  assert_int_equal(profile(1), 0);
  const struct run_result *r = result_of("crash", 0);
  assert_int_equal(r->check.verdict, VERDICT_PASS); /* under instruments it says nothing of the kernel */
  assert_string_equal(r->sampling.reason, "took its process down in phase stalls: it ended by signal 6 (Aborted)");
  assert_int_equal(result_of("good", 0)->sampling.user, 4000);
  assert_int_equal(run.n_notes, 1);
  assert_string_equal(
      run.notes[0],
      "no stalls of crash 128x64x1: took its process down in phase stalls: it ended by signal 6 (Aborted)");
  end();
}

static void a_phase_that_is_refused_is_a_note(void **state) {
  (void)state;
  SET(PLAIN("good", "gemv"));
  profile_phases_parse(options.phases, &options.n_phases, "check,counters,sass,time", &e);
  setenv("NVFP4_FAKE", "cuptiSassMetricsSetConfig=999,cuptiRangeProfilerEnable=999", 1);
  assert_int_equal(profile(1), 0);
  unsetenv("NVFP4_FAKE");
  assert_int_equal(run.n_notes, 2);
  assert_non_null(strstr(run.notes[0], "no counters: cuptiRangeProfilerEnable"));
  assert_non_null(strstr(run.notes[1], "no sass: cuptiSassMetricsSetConfig"));
  assert_non_null(strstr(result_of("good", 0)->counts_reason, "cuptiSassMetricsSetConfig"));
  assert_int_equal(result_of("good", 0)->timing.n, 5); /* and what comes after it is done */
  end();
}

static void a_device_that_cannot_be_used_ends_the_run(void **state) {
  (void)state;
  SET(PLAIN("good", "gemv"));
  setenv("NVFP4_FAKE", "cuMemAlloc_v2=2", 1);
  assert_int_equal(profile(1), ERR_GPU);
  unsetenv("NVFP4_FAKE");
  assert_string_equal(e.text, "128x64x1: A (0.0 MB): cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY: said by the fake driver");
  assert_true(run.partial);
  assert_string_equal(run.partial_reason, e.text);
  assert_string_equal(result_of("good", 0)->check.reason, "interrupted before it ran");
  assert_string_equal(result_of("good", 0)->timing.reason, "interrupted before it was timed");
  end();
}

static size_t n_progress;
static char progress_phases[4096], progress_what[64];
static void progressed(const char *phase, size_t done, size_t total, const char *what) {
  size_t n = strlen(progress_phases);
  (void)done, (void)total;
  n_progress++;
  if (!strstr(progress_phases, phase))
    snprintf(progress_phases + n, sizeof progress_phases - n, "%s ", phase);
  if (*what)
    snprintf(progress_what, sizeof progress_what, "%s", what);
}

static void an_interruption_keeps_what_there_is(void **state) {
  (void)state;
  SET(PLAIN("good", "gemv"));
  options.progress = progressed;
  profile_interrupted = 2;
  assert_int_equal(profile(1), 0);
  profile_interrupted = 0;
  assert_true(run.partial);
  assert_string_equal(run.partial_reason, "interrupted in phase start");
  assert_int_equal(result_of("good", 0)->check.verdict, VERDICT_SKIPPED);
  assert_string_equal(result_of("good", 0)->check.reason, "interrupted before it ran");
  assert_true(n_progress > 0);
  assert_non_null(strstr(progress_phases, "inputs "));
  end();
}

static void what_is_compiled_only_says_so(void **state) {
  bool chosen[2] = {true, true};
  (void)state;
  SET(PLAIN("good", "gemv"), PLAIN("broken", "k") "#error\n");
  const struct selection s = {set, chosen, (struct shape *)shapes, 2};
  assert_int_equal(profile_compile(&options, "sm_90a", &bench_chip, &s, &run, &e), 0);
  const struct run_result *r = result_of("good", 1);
  assert_int_equal(r->check.verdict, VERDICT_SKIPPED);
  assert_string_equal(r->check.reason, "compiled for sm_90a, not run");
  assert_int_equal(r->n_launches, 1);
  assert_string_equal(r->launches[0].kernel, "gemv");
  assert_int_equal(r->launches[0].grid[0], 2);
  assert_int_equal(r->launches[0].grid[1], 2);
  assert_int_equal(r->launches[0].block[0], 128);
  assert_int_equal(r->launches[0].registers, 32);
  assert_int_equal(r->launches[0].smem_static, 1024);
  assert_int_equal(r->launches[0].local_bytes, 16);
  assert_int_equal(r->launches[0].blocks_per_sm, 0); /* no driver was asked */
  assert_int_equal(result_of("broken", 0)->check.verdict, VERDICT_FAILED);
  assert_int_equal(result_of("broken", 0)->n_launches, 0);
  assert_int_equal(run.device.sm, 90);
  assert_string_equal(run.device.nvrtc, "13.7");
  assert_int_equal(run.n_modules, 1);
  end();
}

static void constants_of_the_shape_compile_once_a_shape(void **state) {
  (void)state;
  SET("//! id: good\n//! ladder: good\n//! constants: M\n//! step: kernel = gemv; grid = ceil(M / 128), L; block = 128\n" BODY(
      "gemv"));
  assert_int_equal(profile(2), 0);
  assert_int_equal(run.n_modules, 2);
  assert_string_equal(run.modules[1].options, "-DSHAPE_M=256");
  assert_int_equal(result_of("good", 1)->module, 1);
  end();
}

/* Two rungs of the same arrays share them; one of other sizes does not. */
static void own_problems_have_their_own_arrays(void **state) {
#define OWN(name, n)                                                                                                   \
  "//! id: " name "\n//! ladder: " name "\n//! problem: generic\n//! size: N = " n                                     \
  "\n//! buffer: x = fp32[N]; init = iota\n"                                                                           \
  "//! buffer: y = fp32[N]\n//! output: y\n//! step: kernel = scale; grid = 1; block = 128\n"                          \
  "//! reference: kernel = scale; grid = 1; block = 128\nextern \"C\" __global__ void scale(const float *x, float *y, int n) {}\n"
  bool chosen[3] = {true, true, true};
  (void)state;
  SET(OWN("a", "10"), OWN("b", "20"));
  struct shape at[1] = {{0}};
  assert_int_equal(rung_sizes(&at[0], &set.rungs[0], &(struct shape){0}, &e), 0);
  const struct selection s = {set, chosen, at, 1};
  assert_int_equal(profile_run(&options, &gpu, &s, &run, &e), 0);
  for (size_t i = 0; i < run.n_results; i++) {
    assert_int_equal(run.results[i].check.verdict, VERDICT_PASS);
    assert_int_equal(run.results[i].check.total, 10);
    assert_float_equal(run.results[i].bytes_minimal, 80, 0);
    assert_float_equal(run.results[i].bytes_contest, 0, 0);
  }
  end();
}

/* --- tune --- */

#define TUNED(params, kernel)                                                                                          \
  "//! id: t\n//! ladder: t\n" params "//! step: kernel = " kernel                                                     \
  "; grid = G, H; block = 32\n//! output: none\n" BODY(kernel)

static struct tune_space space;
static struct tune_result tuned;

static void search_with(const char *file, double budget_s, int want) {
  const char *const files[] = {file};
  set_of(files, 1);
  assert_int_equal(tune_space_make(&space, &set.rungs[0], NULL, &e), 0);
  const struct tune_request q = {.options = &options,
                                 .gpu = &gpu,
                                 .set = &set,
                                 .space = &space,
                                 .shapes = shapes,
                                 .n_shapes = 1,
                                 .folder = own_folder,
                                 .budget_s = budget_s};
  assert_int_equal(tune_search(&tuned, &q, &e), want);
}

static void search_end(void) {
  tune_result_release(&tuned);
  tune_space_release(&space);
  rung_set_release(&set);
}

static double time_of(const char *id) {
  const struct run_result *r = run_result_find(&tuned.run, id, shapes[0]);
  assert_non_null(r);
  return r->timing.n ? r->timing.samples_ns[0] : 0;
}

/* 12 blocks of the grid are 12 configurations, of which the ten fastest are measured once more, with the rung itself. */
static void a_small_space_is_measured_whole(void **state) {
  (void)state;
  search_with(TUNED("//! param: G = 3 in {1, 2, 3, 4, 5, 6}\n//! param: H = 1 in {1, 10}\n", "gemv"), 1e9, 0);
  assert_int_equal(tuned.n_measured, 12);
  assert_int_equal(tuned.n_resumed, 0);
  assert_int_equal(tuned.n_left, 0);
  assert_int_equal(tuned.stages, 1);
  assert_false(tuned.run.partial);
  assert_int_equal(tuned.run.n_variants, 13);
  assert_float_equal(time_of("t#G=1,H=1"), 11000, 0);
  assert_float_equal(time_of("t#G=6,H=10"), 70000, 0);
  assert_float_equal(time_of("t"), 13000, 0);
  for (size_t i = 0; i < tuned.run.n_variants; i++) {
    const char *id = tuned.run.variants[i].id;
    bool slow = strcmp(id, "t#G=6,H=10") == 0 || strcmp(id, "t#G=5,H=10") == 0;
    assert_int_equal(tune_stage_of(&tuned.run.variants[i]), slow ? 0 : TUNE_FINAL_STAGE);
  }
  char path[700];
  snprintf(path, sizeof path, "%s/tune-state.json", own_folder);
  assert_false(file_exists(path));
  search_end();
}

/* With no time at all the first batch is measured nevertheless, its state is kept, and the next search goes on from there. */
static void a_search_goes_on_where_it_ended(void **state) {
  static const char file[] =
      TUNED("//! param: G = 3 in {1, 2, 3, 4, 5, 6, 7}\n//! param: H = 1 in {1, 2, 3, 4, 5, 6, 7}\n", "gemv");
  char path[700];
  (void)state;
  search_with(file, 0, 0);
  assert_int_equal(tuned.n_measured, 48); /* a batch of 49 */
  assert_int_equal(tuned.n_left, 1);
  assert_true(tuned.run.partial);
  assert_non_null(run_variant_find(&tuned.run, "t")); /* what was found is still measured against the rung */
  search_end();
  snprintf(path, sizeof path, "%s/tune-state.json", own_folder);
  assert_true(file_exists(path));
  search_with(file, 1e9, 0);
  assert_int_equal(tuned.n_measured, 49);
  assert_int_equal(tuned.n_resumed, 48);
  assert_int_equal(tuned.n_left, 0);
  assert_false(tuned.run.partial);
  assert_false(file_exists(path));
  search_end();
}

static void another_source_is_another_search(void **state) {
  static const char *const files[] = {
      TUNED("//! param: G = 3 in {1, 2, 3, 4, 5, 6, 7}\n//! param: H = 1 in {1, 2, 3, 4, 5, 6, 7}\n", "gemv"),
      TUNED("//! param: G = 3 in {1, 2, 3, 4, 5, 6, 7}\n//! param: H = 1 in {1, 2, 3, 4, 5, 6, 7}\n", "gemv") "//\n"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    search_with(files[i], 0, 0);
    assert_int_equal(tuned.n_resumed, 0);
    assert_int_equal(tuned.n_measured, 48);
    search_end();
  }
}

/* 210 configurations, then the faster half twice, then 32; of those the ten fastest. */
static void a_larger_space_is_halved(void **state) {
  (void)state;
  search_with(TUNED("//! param: G = 3 in {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}\n"
                    "//! param: H = 1 in {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}\n",
                    "gemv"),
              1e9, 0);
  assert_int_equal(tuned.n_measured, 210);
  assert_int_equal(tuned.n_left, 0);
  assert_int_equal(tuned.stages, 4); /* 210, 105, 52, 32 */
  size_t of_stage[4] = {0}, final = 0;
  for (size_t i = 0; i < tuned.run.n_variants; i++) {
    int stage = tune_stage_of(&tuned.run.variants[i]);
    if (stage == TUNE_FINAL_STAGE)
      final++;
    else
      of_stage[stage]++;
  }
  assert_int_equal(of_stage[0], 105);
  assert_int_equal(of_stage[1], 53);
  assert_int_equal(of_stage[2], 20);
  assert_true(final >= 11 && of_stage[3] == 32 - (final - 1));
  assert_float_equal(time_of("t#G=1,H=1"), 11000, 0);
  assert_int_equal(tune_stage_of(run_variant_find(&tuned.run, "t#G=2,H=2")), TUNE_FINAL_STAGE);
  assert_int_equal(tune_stage_of(run_variant_find(&tuned.run, "t#G=15,H=14")), 0);
  search_end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_is_whole),
      cmocka_unit_test(a_warm_run_flushes_nothing),
      cmocka_unit_test(a_bad_rung_costs_itself),
      cmocka_unit_test(a_culprit_among_queued_trials_is_found),
      cmocka_unit_test(a_fault_among_queued_trials_is_found),
      cmocka_unit_test(an_optional_phase_goes_on_without_its_culprit),
      cmocka_unit_test(a_phase_that_is_refused_is_a_note),
      cmocka_unit_test(a_device_that_cannot_be_used_ends_the_run),
      cmocka_unit_test(an_interruption_keeps_what_there_is),
      cmocka_unit_test(what_is_compiled_only_says_so),
      cmocka_unit_test(constants_of_the_shape_compile_once_a_shape),
      cmocka_unit_test(own_problems_have_their_own_arrays),
      cmocka_unit_test(a_small_space_is_measured_whole),
      cmocka_unit_test(a_search_goes_on_where_it_ended),
      cmocka_unit_test(another_source_is_another_search),
      cmocka_unit_test(a_larger_space_is_halved),
  };
  return cmocka_run_group_tests(tests, own_open, own_close);
}
