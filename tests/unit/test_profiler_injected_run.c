/* What the injected library counts and samples of a program, and what it says where it cannot (injected_program.h). */
#include "injected_program.h"

#include "base/demangle.h"

#include <sys/socket.h>
#include <sys/un.h>

static void says(const char *note) {
  for (size_t i = 0; i < left.n_notes; i++)
    if (strstr(left.notes[i].sentence, note))
      return;
  for (size_t i = 0; i < left.n_notes; i++)
    print_error("it said: %s\n", left.notes[i].sentence);
  fail_msg("it did not say: %s", note);
}

static void not_counted(const char *name) {
  assert_int_equal(kernel(name)->counted, 0);
  assert_int_equal(kernel(name)->n_metrics, 0);
}

/* Of 40 launches two of each kernel are counted, one a pass; they have no time of their own: 8 of 101 us, and 28 of 11. */
static void test_counted(void **state) {
  (void)state;
  RUN(launch_40, USUAL);
  assert_int_equal(left.totals.launches, 40);
  counted("big", 91, 2);
  counted("small", 1, 2);
  assert_int_equal(kernel("big")->seen.launches, 10);
  assert_int_equal(kernel("big")->seen.disturbed, 2);
  assert_float_equal(kernel("big")->seen.total_ns, 8 * 101000, 0);
  assert_float_equal(kernel("small")->seen.total_ns, 28 * 11000, 0);
  assert_true(kernel("big")->seen.launch.blocks_per_sm > 0);
  says("counters: 2 passes over 4 launches");
  assert_non_null(left.uuids[0]);
  assert_string_not_equal(left.uuids[0], left.uuids[RECORD_DEVICES - 1]);
  RUN(launch_40, USUAL, S("NVFP4_ATTACH_COUNT=6")); /* three rounds, whose mean is each's */
  counted("big", 91, 6);
  counted("small", 1, 6);
  RUN(launch_40, USUAL, S("NVFP4_ATTACH_TOP=1"));
  counted("big", 91, 2);
  not_counted("small");
  RUN(launch_40, USUAL, S("NVFP4_ATTACH_TOP=0"));
  not_counted("big");
  assert_int_equal(kernel("big")->seen.disturbed, 0);
  assert_int_equal(left.n_notes, 0);
}

static void launch_mangled(void) {
  for (int i = 0; i < 10; i++)
    launch("_Z3addPf", 5), launch("other", 1);
}

/* libstdc++'s demangler may be missing. */
static bool names_are_demangled(void) {
  char *name = demangle("_Z3addPf");
  bool are = strcmp(name, "_Z3addPf") != 0;
  free(name);
  return are;
}

static void test_named(void **state) {
  (void)state;
  if (names_are_demangled()) {
    RUN(launch_mangled, S("NVFP4_ATTACH_KERNEL=add\\(float"));
    counted("_Z3addPf", 5, 2);
    not_counted("other");
  }
  RUN(launch_mangled, S("NVFP4_ATTACH_KERNEL=^_Z3addPf$"));
  counted("_Z3addPf", 5, 2);
  RUN(launch_mangled, S("NVFP4_ATTACH_KERNEL=_Z3addPf"), S("NVFP4_ATTACH_SKIP=9")); /* the tenth alone */
  assert_int_equal(kernel("_Z3addPf")->counted, 1);
  assert_true(kernel("_Z3addPf")->partly);
  assert_float_equal(value("_Z3addPf", "sm_cycles_elapsed"), 5, 0);
  assert_true(isnan(value("_Z3addPf", "inst_executed")));
  RUN(launch_mangled, S("NVFP4_ATTACH_KERNEL=_Z3addPf"), S("NVFP4_ATTACH_SKIP=8"));
  counted("_Z3addPf", 5, 2);
}

static void test_replayed(void **state) {
  (void)state;
  RUN(launch_mangled, S("NVFP4_ATTACH_KERNEL=add"), S("NVFP4_ATTACH_REPLAY=1"));
  counted("_Z3addPf", 5, 1);
  assert_true(kernel("_Z3addPf")->replayed);
  assert_int_equal(left.totals.launches, 20);
  assert_float_equal(kernel("_Z3addPf")->seen.total_ns, 9 * 15000, 0);
}

/* Kernels that an earlier run chose; one of fewer launches than the 13 passes that there may be is replayed. */
static void test_chosen(void **state) {
  (void)state;
  char path[] = "/tmp/injected-chosen-XXXXXX", setting[64];
  int file = mkstemp(path);
  dprintf(
      file,
      "chosen\t_Z3addPf\t0\t5\t1\t1\t1\t1\t1\t0\t13\t5e4\t0\nnonsense\nchosen\tother\t0\t1\t1\t1\t1\t1\t1\t0\t1\t9\t0\nkernel\tother\n");
  close(file);
  snprintf(setting, sizeof setting, "NVFP4_ATTACH_CHOSEN=%s", path);
  RUN(launch_mangled, setting);
  unlink(path);
  counted("_Z3addPf", 5, 3); /* the replay ended the round that its first launch had begun */
  assert_false(kernel("_Z3addPf")->replayed);
  counted("other", 1, 1);
  assert_true(kernel("other")->replayed);
}

static void launch_in_ranges(void) {
  nvfp4_attach_push("warm-up");
  launch_some(0, 4);
  nvfp4_attach_pop();
  nvfp4_attach_push("step");
  launch_some(4, 24);
  nvfp4_attach_pop();
  launch_some(24, 28);
}

/* In the range are five launches of 101 us and 15 of 11, of which two each are counted. */
static void test_ranges(void **state) {
  (void)state;
  RUN(launch_in_ranges, S("NVFP4_ATTACH_NVTX=step"));
  counted("big", 91, 2);
  counted("small", 1, 2);
  assert_int_equal(left.n_ranges, 2);
  assert_string_equal(left.ranges[0].name, "warm-up");
  assert_int_equal(left.ranges[0].launches, 4);
  assert_float_equal(left.ranges[0].total_ns, 134000, 0);
  assert_int_equal(left.ranges[1].launches, 20);
  assert_float_equal(left.ranges[1].total_ns, 5 * 134000, 1e-3);
  RUN(launch_in_ranges, S("NVFP4_ATTACH_TOP=0"), S("NVFP4_ATTACH_BY_RANGE=1"));
  assert_int_equal(left.n_kernels, 6);
  assert_float_equal(left.ranges[1].total_ns, 5 * 134000, 1e-3);
  RUN(launch_in_ranges, S("NVFP4_ATTACH_NVTX=elsewhere"));
  not_counted("big");
}

static void launch_nccl(void) {
  for (int i = 0; i < 20; i++)
    launch("train", 100), launch("ncclDevKernel_AllReduce", 200);
}

static void test_collectives(void **state) {
  (void)state;
  RUN(launch_nccl, USUAL);
  counted("train", 100, 2);
  not_counted("ncclDevKernel_AllReduce");
}

static void launch_graphs(void) {
  for (int i = 0; i < 10; i++) {
    FAKE(CUPTI, fake_tell_graph)(true);
    FAKE(CUDA, fake_graph)(true);
    FAKE(CUDA, fake_launch)("in a graph", 7);
    FAKE(CUDA, fake_launch)("in a graph", 7);
    FAKE(CUDA, fake_graph)(false);
    FAKE(CUPTI, fake_tell_graph)(false);
    launch("alone", 2);
  }
}

static void ranged_graphs(void) {
  nvfp4_attach_push("graphs");
  launch_graphs();
  nvfp4_attach_pop();
}

static void test_graphs(void **state) {
  (void)state;
  RUN(ranged_graphs, USUAL);
  not_counted("in a graph");
  assert_int_equal(kernel("in a graph")->seen.in_graphs, 20);
  counted("alone", 2, 2);
  assert_int_equal(left.ranges[0].launches, 30);
  assert_float_equal(left.ranges[0].total_ns, 20 * 17000 + 10 * 12000, 1e-3);
}

static void launch_in_two(void) {
  launch_some(0, 20);
  FAKE(CUPTI, fake_tell_context_gone)();
  launch_some(20, 40);
}

static void test_contexts(void **state) {
  (void)state;
  RUN(launch_in_two, S("NVFP4_ATTACH_KERNEL=."), S("NVFP4_ATTACH_COUNT=8"));
  counted("big", 91, 8);
  counted("small", 1, 8);
}

static void test_ranks(void **state) {
  (void)state;
  RUN(launch_40, USUAL, S("NVFP4_ATTACH_SPLIT=1"));
  says("--split-passes: the process is not one of several ranks: all counters are collected here");
  counted("big", 91, 2);
  RUN(launch_40, USUAL, S("NVFP4_ATTACH_SPLIT=1"), S("OMPI_COMM_WORLD_RANK=1"), S("OMPI_COMM_WORLD_SIZE=2"),
      S("OMPI_COMM_WORLD_LOCAL_RANK=1"));
  assert_int_equal(left.seen.rank, 1);
  assert_int_equal(left.pass_set.set, 2);
  assert_int_equal(left.pass_set.sets, 2);
  says("--split-passes: this rank collected set 2 of 2 of the counters");
  RUN(launch_40, USUAL, S("NVFP4_ATTACH_SPLIT=1"), S("OMPI_COMM_WORLD_RANK=1"));
  says("--split-passes: the launcher does not say how many ranks there are");
}

/* Of processes on a GPU one is counted. */
static void test_claim(void **state) {
  (void)state;
  RUN(launch_40, USUAL);
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "nvfp4-prof attach %s", left.uuids[0]);
  int other = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  assert_int_equal(
      bind(other, (const struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)),
      0);
  RUN(launch_40, USUAL);
  not_counted("big");
  says("another process under attach uses this GPU and is sampled and counted: times alone here");
  assert_float_equal(kernel("big")->seen.total_ns, 10 * 101000, 0);
  RUN(launch_40, S("NVFP4_ATTACH_SAMPLING=14"), S("NVFP4_ATTACH_WINDOW=8"));
  assert_int_equal(left.sampling.samples, 0);
  close(other);
  RUN(launch_40, USUAL);
  counted("big", 91, 2);
}

static void test_failures(void **state) {
  (void)state;
  RUN(launch_40, USUAL, S("NVFP4_FAKE=cuptiSubscribe=39"));
  says("another profiler in the program holds CUPTI's callbacks");
  assert_int_equal(left.totals.launches, 40);
  not_counted("big");
  RUN(launch_40, USUAL, S("NVFP4_FAKE=cuptiRangeProfilerStart=999"));
  says("no counters from here on: cuptiRangeProfilerStart: ");
  assert_int_equal(kernel("small")->counted, 0);
  RUN(launch_40, USUAL, S("NVFP4_FAKE=passes=65"));
  says("no counters from here on: CUPTI asks for 65 passes, more than 64");
  RUN(launch_40, USUAL, S("NVFP4_FAKE=cuptiActivityEnable=999"));
  says("no kernel was recorded: cuptiActivityEnable: ");
  RUN(launch_40, USUAL, S("NVFP4_FAKE=nan=1"));
  assert_true(isnan(value("big", "inst_executed")));
}

static void nothing(void) {
}

static void test_libraries(void **state) {
  (void)state;
  RUN(nothing, S("NVFP4_LIBCUPTI=" FAKES "/lacks-required/libcupti.so.13"));
  says("no kernel was recorded: ");
  RUN(launch_40, S("NVFP4_LIBCUDA=" FAKES "/lacks-required/libcuda.so.1"));
  says("no counters: ");
}

static void test_few(void **state) {
  (void)state;
  RUN(launch_3, USUAL);
  says(
      "the program ended after 3 launches, before its kernels were ranked (after 8 launches), so none was counted: a smaller --window");
}

/* From the eighth launch on all are sampled, 8 of "big": 3,000 samples at 0x10 each, 2,500 of them without an issue, 1,000 at 0x20, and in another cubin 500;
 * 50 are dropped. */
static void test_samples(void **state) {
  (void)state;
  RUN(launch_40, S("NVFP4_ATTACH_SAMPLING=14"), S("NVFP4_ATTACH_WINDOW=8"));
  assert_float_equal(left.sampling.period_cycles, 16384, 0);
  assert_int_equal(left.sampling.samples, 33 * 4500);
  assert_int_equal(left.sampling.dropped, 33 * 50);
  assert_null(left.sampling.error);
  assert_float_equal(kernel("big")->seen.total_ns, 10 * 101000, 0);
  says("PC samples: 148500, one per SM every 16384 cycles during 33 launches");
  uint64_t big = 0;
  for (size_t i = 0; i < left.n_functions; i++)
    if (strcmp(left.functions[i].seen.name, "big") == 0) {
      assert_int_equal(left.functions[i].seen.launches, 8);
      big += left.functions[i].seen.samples;
    }
  assert_int_equal(big, 8 * 4500);
  assert_int_equal(clear(), 1); /* no sign of sampling is left */
}

static void load_meanwhile(void) {
  launch_some(0, 12);
  for (int unloads = 0; unloads < 2; unloads++) {
    FAKE(CUPTI, fake_tell_code)(unloads, false); /* which aborts where samples are taken */
    FAKE(CUPTI, fake_tell_code)(unloads, true);
    launch_some(12, 16);
    usleep(120000); /* code has come to rest */
    launch_some(16, 24);
  }
}

/* Loads and unloads interrupt it: 5 launches before, 8 after each; at least 4 after the first, which follow at once, are none. */
static void test_samples_beside_loads(void **state) {
  (void)state;
  RUN(load_meanwhile, S("NVFP4_ATTACH_SAMPLING=14"), S("NVFP4_ATTACH_WINDOW=8"));
  assert_null(left.sampling.error);
  assert_true(left.sampling.samples >= 5 * 4500 && left.sampling.samples % 4500 == 0);
  RUN(launch_40, S("NVFP4_ATTACH_SAMPLING=14"), S("NVFP4_ATTACH_WINDOW=8"), S("NVFP4_FAKE=cuptiPCSamplingEnable=1"));
  says("PC sampling failed: cuptiPCSamplingEnable");
  assert_non_null(left.sampling.error);
}

static void launch_many(void) {
  for (int i = 0; i < 60; i++)
    launch("hot", 2000), launch("warm", 200);
}

/* A launch of 2 ms is to give more samples than are wanted, so that sampling ends and what follows is counted. */
static void test_sampled_then_counted(void **state) {
  (void)state;
  RUN(launch_many, S("NVFP4_ATTACH_SAMPLING=5"), S("NVFP4_ATTACH_WINDOW=8"));
  assert_true(left.sampling.samples > 0 && left.sampling.samples < 110 * 4500);
  counted("hot", 2000, 2);
}

/* A kind that no program leaves is dead; `chosen` is the parent's. */
static void test_every_kind_is_written(void **state) {
  (void)state;
  memset(written, 0, sizeof written);
  RUN(launch_40, USUAL, S("NVFP4_ATTACH_SPLIT=1"), S("OMPI_COMM_WORLD_RANK=1"), S("OMPI_COMM_WORLD_SIZE=2"),
      S("OMPI_COMM_WORLD_LOCAL_RANK=1"));
  RUN(launch_in_ranges, S("NVFP4_ATTACH_TOP=0"), S("NVFP4_ATTACH_BY_RANGE=1"));
  RUN(launch_many, S("NVFP4_ATTACH_SAMPLING=5"), S("NVFP4_ATTACH_WINDOW=8"));
  for (int k = 0; k < RECORD_KINDS; k++)
    if (written[k] != (k != RECORD_CHOSEN))
      fail_msg("no program leaves a line '%s'", attach_record_rows[k].word);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counted),
      cmocka_unit_test(test_named),
      cmocka_unit_test(test_replayed),
      cmocka_unit_test(test_chosen),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_collectives),
      cmocka_unit_test(test_graphs),
      cmocka_unit_test(test_contexts),
      cmocka_unit_test(test_ranks),
      cmocka_unit_test(test_claim),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_libraries),
      cmocka_unit_test(test_few),
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_samples_beside_loads),
      cmocka_unit_test(test_sampled_then_counted),
      cmocka_unit_test(test_every_kind_is_written),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
