/* A process's records as a run: names, keys, times, samples, notes, worked out by hand; and what a first run of two tells the second. */
#include "profiler/attach/outside/composing.h"
#include "profiler/attach/records/attach_record.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "demangled.h"

static struct attached_process p;
static struct run run;
static struct err e;
static struct text records;

static void kernel(const char *name, int device, unsigned blocks, uint64_t launches, uint64_t in_graphs,
                   double total_ns, const char *range) {
  attach_record_print(&records, RECORD_KERNEL,
                      &(struct kernel_record){.name = (char *)(size_t)name,
                                              .device = device,
                                              .launch = {.grid = {blocks, 1, 1},
                                                         .block = {128, 2, 1},
                                                         .registers = 40,
                                                         .smem_static = 16,
                                                         .smem_dynamic = 32,
                                                         .local_bytes = 8},
                                              .launches = launches,
                                              .in_graphs = in_graphs,
                                              .total_ns = total_ns,
                                              .blocks_least = blocks,
                                              .blocks_most = blocks + (in_graphs ? 2 : 0),
                                              .range = (char *)(size_t)range});
}

static void times(const double *ns, size_t n) {
  attach_record_print(&records, RECORD_SAMPLES, &(struct times_record){(double *)(size_t)ns, n});
}

static void begin(const char *launcher, long rank, long size) {
  records = (struct text){0};
  text_add(&records, RECORDS_FIRST "\n");
  attach_record_print(&records, RECORD_PROCESS,
                      &(struct process_record){.pid = 42,
                                               .launcher = (char *)(size_t)launcher,
                                               .rank = rank,
                                               .size = size,
                                               .local_rank = launcher ? 1 : -1,
                                               .host = (char *)(size_t) "n1"});
  attach_record_print(&records, RECORD_DEVICE, &(struct device_record){0, (char *)(size_t) "GPU-x"});
}

static void compose(bool complete, const struct attach_options *o) {
  static const struct attach_options none = {.tool = "t", .git = "g", .command = "attach"};
  const struct gpu_probe gpu = {.found = true, .uuid = "GPU-x", .name = "A card", .sms = 4};
  if (complete)
    text_add(&records, "end\tcomplete\n");
  e = (struct err){0};
  if (attached_parse(&p, "42.part", text_str(&records), &e))
    fail_msg("%s", e.text);
  attach_compose(&p, o ? o : &none, &gpu, NULL, &run);
}

static void end(void) {
  run_release(&run);
  attached_release(&p);
  text_release(&records);
}

static const char *key_of(size_t variant, const char *key) {
  const char *value = run_variant_key(&run.variants[variant], key);
  return value ? value : "(none)";
}

static bool noted(const char *says) {
  for (size_t i = 0; i < run.n_notes; i++)
    if (strcmp(run.notes[i], says) == 0)
      return true;
  for (size_t i = 0; i < run.n_notes; i++)
    print_message("note: %s\n", run.notes[i]);
  return false;
}

/* What tells an instance of a template stands at the end of a long name: "f<aa...a, float>", "f<aa...a, int>" of 130 a's. */
static void long_names_stay_whole(void **state) {
  char a[131] = "", name[192], want[192];
  (void)state;
  skip_without_demangler();
  memset(a, 'a', 130);
  begin(NULL, -1, -1);
  attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 2, .total_ns = 3e5});
  snprintf(name, sizeof name, "_Z1fI130%sfEvT_T0_", a);
  kernel(name, 0, 5, 1, 0, 2e5, NULL);
  snprintf(name, sizeof name, "_Z1fI130%siEvT_T0_", a);
  kernel(name, 0, 5, 1, 0, 1e5, NULL);
  compose(true, NULL);
  snprintf(want, sizeof want, "f<%s, float>", a);
  assert_string_equal(run.variants[0].id, want);
  snprintf(want, sizeof want, "f<%s, int>", a);
  assert_string_equal(run.variants[1].id, want);
  end();
}

/* Three kernels of 600, 300 and 100 us; the second has the first's name and another grid, the third waits for other ranks. */
static void kernels_become_variants(void **state) {
  static const double ns[] = {100e3, 250e3, 250e3};
  (void)state;
  skip_without_demangler();
  begin("srun", 3, 8);
  attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 18, .total_ns = 1e6});
  kernel("_Z3addIfEvPT_", 0, 5, 6, 2, 300e3, NULL);
  kernel("_Z3addIfEvPT_", 0, 7, 4, 0, 600e3, NULL);
  times(ns, 3);
  kernel("ncclDevKernel_AllReduce", 0, 1, 8, 0, 100e3, NULL);
  compose(true, NULL);
  assert_int_equal(run.n_results, 3);
  assert_string_equal(run.variants[0].id, "add<float>"); /* of most time first */
  assert_string_equal(run.variants[1].id, "add<float> <<<5x1x1, 128x2x1>>>");
  assert_string_equal(run.variants[0].ladder, "attached");
  assert_string_equal(key_of(0, "kernel"), "_Z3addIfEvPT_");
  assert_string_equal(key_of(0, "launches"), "4");
  assert_string_equal(key_of(0, "gpu_time_ns"), "600000");
  assert_string_equal(key_of(0, "gpu_time_share"), "0.600000");
  assert_string_equal(key_of(0, "in_graphs"), "(none)");
  assert_string_equal(key_of(0, "grids"), "(none)");
  assert_string_equal(key_of(0, "collective"), "(none)");
  assert_string_equal(key_of(1, "in_graphs"), "2");
  assert_string_equal(key_of(1, "grids"), "5 to 7 blocks");
  assert_string_equal(key_of(2, "collective"), "waits for other ranks");
  const struct run_result *r = &run.results[0];
  assert_int_equal(r->timing.n, 3);
  assert_float_equal(r->timing.samples_ns[2], 250e3, 0);
  assert_int_equal(r->timing.discarded, 1); /* of 4 launches */
  assert_string_equal(r->timing.source, "CUPTI activity");
  assert_null(r->timing.reason);
  assert_int_equal(r->check.verdict, VERDICT_UNCHECKED);
  assert_int_equal(r->launches[0].grid[0], 7);
  assert_int_equal(r->launches[0].block[1], 2);
  assert_int_equal(r->launches[0].registers, 40);
  assert_int_equal(r->launches[0].smem_dynamic, 32);
  assert_string_equal(r->launches[0].kernel, "_Z3addIfEvPT_");
  assert_int_equal(r->module, -1);
  assert_string_equal(run.results[1].timing.reason, "all its launches were counted, or CUPTI gave no time for them");
  assert_string_equal(r->counts_reason, "attach does not count single instructions");
  assert_string_equal(
      r->sampling.reason,
      "attach took no PC samples: --samples is off, or the program ended before kernels were chosen (--window)");
  assert_string_equal(run.device.name, "A card");
  assert_string_equal(run.process.host, "n1");
  assert_string_equal(run.process.launcher, "srun");
  assert_int_equal(run.process.pid, 42);
  assert_int_equal(run.process.rank, 3);
  assert_int_equal(run.process.ranks, 8);
  assert_int_equal(run.process.local_rank, 1);
  assert_int_equal(run.process.launches, 18);
  assert_float_equal(run.process.gpu_time_ns, 1e6, 0);
  assert_false(run.partial);
  assert_true(noted(
      "process 42, rank 3 of 8: 18 launches of 3 kernels, 1.000 ms of GPU time; counters of 0 kernels cover 0.0 % of it, "
      "0.0 % of the time outside collectives"));
  assert_true(noted(
      "2 of the launches came from CUDA graphs: timed there, and counted where the program launches the same kernels outside a graph, as a warm-up does"));
  assert_int_equal(run.n_notes, 2);
  end();
}

/* By geometry, then with the shared memory, then by number; two of five are on a second card.  Of one time the names decide. */
static void one_name_is_five_variants(void **state) {
  (void)state;
  begin(NULL, -1, -1);
  attach_record_print(&records, RECORD_DEVICE, &(struct device_record){1, (char *)(size_t) "GPU-y"});
  kernel("plain", 0, 5, 1, 0, 400e3, NULL);
  kernel("plain", 0, 7, 1, 0, 300e3, NULL);
  kernel("plain", 1, 7, 1, 0, 200e3, NULL);
  kernel("plain", 1, 7, 1, 0, 150e3, NULL);
  kernel("plain", 0, 7, 1, 0, 100e3, "step");
  kernel("last", 0, 7, 1, 0, 50e3, NULL);
  kernel("final", 0, 7, 1, 0, 50e3, NULL);
  kernel("zero", 0, 7, 1, 0, 50e3, NULL);
  compose(true, NULL);
  static const char *const ids[] = {"plain",
                                    "plain <<<7x1x1, 128x2x1>>>",
                                    "plain <<<7x1x1, 128x2x1, 32>>>",
                                    "plain <<<7x1x1, 128x2x1>>> (2)",
                                    "step/plain",
                                    "final",
                                    "last",
                                    "zero"};
  assert_int_equal(run.n_variants, 8);
  for (size_t i = 0; i < 8; i++)
    assert_string_equal(run.variants[i].id, ids[i]);
  assert_true(noted("the process used several GPUs: 2 kernels ran on a GPU other than the one described here"));
  end();
}

/* What ended it is told where it is known; of samples that were being taken, where nobody asked it to end. */
static void how_it_ended(void **state) {
  static const char asks[] = "PC samples were being taken as it ended";
  static const struct {
    int signal;
    const char *says;
    bool asks;
  } cases[] = {
      {SIGTERM, "the process did not finish: signal 15 (Terminated) ended it; its last moments may be missing", false},
      {SIGKILL, "the process did not finish: signal 9 (Killed) ended it; its last moments may be missing", false},
      {SIGSEGV, "the process did not finish: signal 11 (Segmentation fault) ended it; its last moments may be missing",
       true}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct gpu_probe gpu = {.found = true, .uuid = "GPU-x", .name = "A card", .sms = 4};
    bool asked = false;
    begin(NULL, -1, -1);
    kernel("k", 0, 1, 2, 0, 80e3, NULL);
    assert_int_equal(attached_parse(&p, "42.part", text_str(&records), &e), 0);
    p.signal = cases[i].signal;
    p.sampled_last = true;
    p.first_only = i == 0;
    attach_compose(&p, &(struct attach_options){.tool = "t", .git = "g", .command = "attach"}, &gpu, NULL, &run);
    assert_true(noted(cases[i].says));
    for (size_t k = 0; k < run.n_notes; k++)
      asked |= strncmp(run.notes[k], asks, sizeof asks - 1) == 0;
    assert_int_equal(asked, cases[i].asks);
    assert_int_equal(
        noted(
            "the second of two runs counts, and there was none: let the program run to its end, or leave --two-runs out"),
        i == 0);
    end();
  }
}

static void a_process_alone_has_no_rank(void **state) {
  (void)state;
  begin(NULL, -1, -1);
  attach_record_print(&records, RECORD_TOTALS,
                      &(struct totals_record){.launches = 5, .beyond = 3, .total_ns = 100e3, .beyond_ns = 20e3});
  kernel("k", 0, 1, 2, 0, 80e3, "layer");
  compose(false, NULL);
  assert_string_equal(run.variants[0].id, "layer/k");
  assert_string_equal(key_of(0, "range"), "layer");
  assert_true(run.partial);
  assert_string_equal(run.partial_reason, "the process did not finish");
  assert_true(noted("the process did not finish: its last moments may be missing"));
  assert_true(noted("3 launches were of kernels beyond the first 1, which alone are kept apart"));
  assert_null(run.process.launcher);
  assert_int_equal(run.process.rank, 0);
  assert_int_equal(run.process.ranks, -1);
  assert_int_equal(run.process.local_rank, -1);
  end();
}

static void counters_say_how_they_were_counted(void **state) {
  static const char *const how[] = {RECORD_REPLAYED, RECORD_PARTLY, NULL};
  static const char *const says[] = {"4 launches, replayed, warm", "4 launches, one pass each, not all passes",
                                     "4 launches, one pass each"};
  static const char *const names[] = {"a", "b", "c"};
  (void)state;
  begin("torchrun", 0, -1);
  attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 30, .total_ns = 600e3});
  for (int i = 0; i < 3; i++) {
    kernel(names[i], 0, 1, 10, 0, 300e3 - 100e3 * i, NULL);
    attach_record_print(&records, RECORD_COUNTED, &(struct counted_record){4, (char *)(size_t)how[i]});
    attach_record_print(&records, RECORD_METRIC,
                        &(struct metric_record){"inst_executed", "inst", "smsp__inst_executed.sum", NULL, 64});
    attach_record_print(&records, RECORD_METRIC,
                        &(struct metric_record){"pipe_fp16", "inst", NULL, "no such counter", NAN});
  }
  compose(true, NULL);
  for (size_t i = 0; i < 3; i++) {
    assert_string_equal(key_of(i, "counted"), says[i]);
    assert_int_equal(run.results[i].n_metrics, 2);
    assert_true(run.results[i].metrics[0].present && run.results[i].metrics[0].value == 64);
    assert_string_equal(run.results[i].metrics[0].source, "smsp__inst_executed.sum");
    assert_string_equal(run.results[i].metrics[1].reason, "no such counter");
  }
  /* What was not counted in every pass is not counted: 300 and 100 of 600 us. */
  assert_true(noted(
      "process 42, rank 0: 30 launches of 3 kernels, 0.600 ms of GPU time; counters of 2 kernels cover 66.7 % of it"));
  assert_true(noted(
      "counters replayed with warm caches (each pass repeats the launch on restored memory, so the caches hold what the replay left in them): a"));
  end();
}

/* Of 500 us 100 wait for other ranks; of the other 400 counters cover 300. */
static void collectives_are_told_apart(void **state) {
  (void)state;
  begin("srun", 0, 8);
  attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 30, .total_ns = 500e3});
  kernel("a", 0, 1, 10, 0, 300e3, NULL);
  attach_record_print(&records, RECORD_COUNTED, &(struct counted_record){4, (char *)(size_t) "each"});
  attach_record_print(&records, RECORD_METRIC,
                      &(struct metric_record){"inst_executed", "inst", "smsp__inst_executed.sum", NULL, 64});
  kernel("b", 0, 1, 10, 0, 100e3, NULL);
  kernel("ncclKernel_AllGather", 0, 1, 10, 0, 100e3, NULL);
  compose(true, NULL);
  assert_true(noted("process 42, rank 0 of 8: 30 launches of 3 kernels, 0.500 ms of GPU time; counters of 1 kernel "
                    "cover 60.0 % of it, 75.0 % of the time outside collectives"));
  end();
}

/* 6 ms of work and 4 of waiting, 2.5 of these in gaps as short as a launch; a pause of 3 s. */
static void waiting_is_noted(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    begin(NULL, -1, -1);
    attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 2, .total_ns = 6e6});
    const struct gaps_record gaps[] = {
        {6e6, 4e6, 2.5e6, 120, 100, 3e9, 1}, {6e6, 4e6, 1e6, 120, 100, 0, 0}, {9.96e6, 0.04e6, 0.01e6, 2, 1, 0, 0}};
    attach_record_print(&records, RECORD_GAPS, &gaps[i]);
    kernel("k", 0, 1, 2, 0, 6e6, NULL);
    attach_record_print(&records, RECORD_RANGE, &(struct range_record){"step", 2, 5e6, 1e6});
    attach_record_print(&records, RECORD_NOTE, &(struct note_record){"one thing"});
    compose(true, NULL);
    if (i == 0)
      assert_true(noted(
          "the GPU is idle 40 % of the time from its first kernel to its last: 25 % in 100 gaps of at most 50 µs, so it is launch-bound (CUDA graphs, fewer "
          "and larger kernels, or fewer blocking copies between them, help), 15 % in 20 longer ones; without 1 pause of more than 10 ms or before a kernel's first launch, 3.0 s in all (start-up, loading, compilation, input)"));
    static const double idle[][2] = {{0.4, 0.25}, {0.4, 0.1}, {0.004, 0.001}};
    assert_float_equal(run.process.idle.share, idle[i][0], 1e-12);
    assert_float_equal(run.process.idle.short_share, idle[i][1], 1e-12);
    if (i == 1)
      assert_true(noted(
          "the GPU is idle 40 % of the time from its first kernel to its last: 10 % in 100 gaps of at most 50 µs, 30 % in 20 longer ones"));
    assert_true(noted("NVTX range \"step\": 2 launches, 5.000 ms of GPU time"));
    assert_true(noted("one thing"));
    assert_int_equal(run.n_notes, i < 2 ? 4 : 3); /* under half a percent is not worth a sentence */
    assert_int_equal(run.n_ranges, 1);
    assert_string_equal(run.ranges[0].name, "step");
    assert_int_equal(run.ranges[0].launches, 2);
    assert_float_equal(run.ranges[0].gpu_time_ns, 5e6, 0);
    assert_float_equal(run.ranges[0].collective_ns, 1e6, 0);
    end();
  }
}

static void the_longest_are_kept(void **state) {
  char name[16];
  (void)state;
  begin(NULL, -1, -1);
  attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 50, .total_ns = 50e3});
  for (int i = 0; i < 50; i++) {
    snprintf(name, sizeof name, "k%d", i);
    kernel(name, 0, 1, 1, 0, 1e3, NULL);
  }
  compose(true, NULL);
  assert_int_equal(run.n_variants, 48);
  assert_true(noted("the 48 longest kernels are kept, 96.0 % of the GPU time"));
  end();
}

static void samples_need_code(void **state) {
  (void)state;
  begin(NULL, -1, -1);
  attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 4, .total_ns = 3e3});
  kernel("a", 0, 1, 1, 0, 3e3, NULL);
  kernel("a", 0, 2, 1, 0, 2e3, NULL);
  kernel("b", 0, 1, 1, 0, 1e3, NULL);
  attach_record_print(&records, RECORD_SAMPLING,
                      &(struct sampling_record){.period_cycles = 1024, .samples = 100, .dropped = 5});
  attach_record_print(&records, RECORD_FUNCTION, &(struct function_record){"a", 0, 1, 60});
  attach_record_print(&records, RECORD_FUNCTION, &(struct function_record){"a", 1, 1, 70});
  attach_record_print(&records, RECORD_FUNCTION, &(struct function_record){"other", 2, 1, 900});
  attach_record_print(&records, RECORD_PC, &(struct pc_record){1, 0x10, "long_scoreboard", 70, 30});
  compose(true, NULL);
  assert_string_equal(run.results[0].sampling.reason, "there is no SASS to assign its PC samples to");
  assert_string_equal(run.results[1].sampling.reason,
                      "its PC samples are counted with a: CUPTI separates kernels by name, not by geometry");
  assert_string_equal(run.results[2].sampling.reason, "it has no PC samples: it did not run while samples were taken");
  /* With its code: the function of most samples. */
  struct run_result *r = &run.results[0];
  free(r->sampling.reason);
  r->sampling = (struct run_sampling){0};
  r->module = 3;
  attach_samples(&p, "a", &run, 0);
  assert_int_equal(r->sampling.user, 70);
  assert_int_equal(r->sampling.other, 30);
  assert_int_equal(r->sampling.dropped, 5);
  assert_int_equal(r->sampling.launches, 1);
  assert_float_equal(r->sampling.period_cycles, 1024, 0);
  assert_int_equal(r->n_samples, 1);
  assert_int_equal(r->samples[0].module, 3);
  assert_int_equal(r->samples[0].offset, 0x10);
  assert_int_equal(r->samples[0].samples, 70);
  assert_int_equal(r->samples[0].not_issued, 30);
  assert_string_equal(r->samples[0].reason, "long_scoreboard");
  end();
}

/* --- the file's name --- */

static void name_is(const char *pattern, const char *launcher, long rank, long size, bool several, const char *want) {
  const struct process_record process = {.pid = 42, .launcher = (char *)(size_t)launcher, .rank = rank, .size = size};
  const struct timespec long_ago = {0};
  char *name = out_name(pattern, &process, several, &long_ago);
  assert_string_equal(name, want);
  free(name);
}

static void glob_is(const char *pattern, const char *want) {
  char *glob = out_glob(pattern);
  assert_string_equal(glob, want);
  free(glob);
}

static void a_glob_of_all_files(void **state) {
  (void)state;
  glob_is("run.json", "run.*.json");
  glob_is("x/run.json.gz", "x/run.*.json.gz");
  glob_is("run", "run.*");
  glob_is("run.%r.json", "run.*.json");
  glob_is("%r-%p.json", "*-*.json");
}

static void files_are_named_by_rank_and_process(void **state) {
  char folder[] = "/tmp/nvfp4-names-XXXXXX", path[64], want[64];
  (void)state;
  name_is("/none/run.json", NULL, -1, -1, false, "/none/run.json");
  name_is("/none/run.json", NULL, -1, -1, true, "/none/run.42.json");
  name_is("/none/run.json.gz", NULL, -1, -1, true, "/none/run.42.json.gz");
  name_is(".json.gz", NULL, -1, -1, true, ".json.42.gz"); /* which is no name before an ending */
  name_is("x.json.gz", NULL, -1, -1, true, "x.42.json.gz");
  name_is("/none/.run", NULL, -1, -1, true, "/none/.run.42"); /* which has no ending */
  name_is("/no.ne/run", NULL, -1, -1, true, "/no.ne/run.42");
  name_is("/none/%p.json", NULL, -1, -1, true, "/none/42.json");
  name_is("/none/%r.json", NULL, -1, -1, false, "/none/0.json");
  name_is("/none/%r-%p.json", "srun", 3, 8, true, "/none/3-42.json");
  name_is("/none/run.json", "srun", 3, 8, true, "/none/run.3.json");
  name_is("/none/run.json", "srun", 0, 1, false, "/none/run.json"); /* one rank of one */
  name_is("/none/run.json", "srun", 2, -1, false, "/none/run.2.json");
  /* What another process has written since is left alone. */
  assert_non_null(mkdtemp(folder));
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/run.json", folder);
    snprintf(want, sizeof want, i == 0 ? "%s/run.json" : i == 1 ? "%s/run.42.json" : "%s/run.42.2.json", folder);
    name_is(path, NULL, -1, -1, false, want);
    fclose(fopen(want, "w"));
  }
  const char *const made[] = {"run.json", "run.42.json", "run.42.2.json"};
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, made[i]);
    unlink(path);
  }
  rmdir(folder);
}

/* --- two runs --- */

/* Of 1 ms, 0.6 and 0.3 cover 90 %; what only graphs launch, and what waits for others, is not chosen. */
static void the_longest_are_chosen(void **state) {
  struct text out = {0};
  (void)state;
  begin(NULL, -1, -1);
  kernel("graphs", 0, 1, 5, 5, 900e3, NULL);
  kernel("ncclDevKernel_AllReduce", 0, 1, 5, 0, 800e3, NULL);
  kernel("a", 0, 1, 5, 2, 600e3, NULL);
  kernel("b", 0, 1, 5, 0, 300e3, NULL);
  kernel("c", 0, 1, 5, 0, 100e3, NULL);
  compose(true, NULL);
  chosen_add(&out, &p, 1, 2);
  assert_non_null(strstr(text_str(&out), "\ta\t0\t1\t"));
  assert_non_null(strstr(text_str(&out), "\tb\t"));
  assert_null(strstr(text_str(&out), "\tc\t"));
  assert_null(strstr(text_str(&out), "graphs"));
  assert_null(strstr(text_str(&out), "nccl"));
  text_release(&out);
  end();
}

static void times_are_the_first_runs(void **state) {
  static const double first[] = {10, 20}, second[] = {99};
  struct attached_process counted, timed;
  (void)state;
  begin(NULL, -1, -1);
  attach_record_print(&records, RECORD_TOTALS, &(struct totals_record){.launches = 7, .total_ns = 30});
  kernel("a", 0, 1, 7, 1, 30, NULL);
  times(first, 2);
  attach_record_print(&records, RECORD_RANGE, &(struct range_record){"step", 2, 5e6, 1e6});
  assert_int_equal(attached_parse(&timed, "1.part", text_str(&records), &e), 0);
  text_release(&records);
  begin(NULL, -1, -1);
  kernel("a", 0, 2, 3, 0, 99, NULL); /* of another grid */
  kernel("a", 0, 1, 3, 0, 99, NULL);
  times(second, 1);
  assert_int_equal(attached_parse(&counted, "2.part", text_str(&records), &e), 0);
  times_take(&counted, &timed);
  assert_int_equal(counted.kernels[0].seen.launches, 3);
  assert_int_equal(counted.kernels[0].samples.n, 0);
  assert_int_equal(counted.kernels[1].seen.launches, 7);
  assert_int_equal(counted.kernels[1].seen.in_graphs, 1);
  assert_float_equal(counted.kernels[1].seen.total_ns, 30, 0);
  assert_int_equal(counted.kernels[1].samples.n, 2);
  assert_float_equal(counted.kernels[1].samples.ns[1], 20, 0);
  assert_int_equal(counted.n_ranges, 1);
  assert_int_equal(counted.totals.launches, 7);
  assert_true(counted.timed_before);
  assert_float_equal(timed.kernels[0].samples.ns[0], 99, 0); /* freed with it */
  attached_release(&counted);
  attached_release(&timed);
  text_release(&records);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_become_variants),
      cmocka_unit_test(long_names_stay_whole),
      cmocka_unit_test(one_name_is_five_variants),
      cmocka_unit_test(a_process_alone_has_no_rank),
      cmocka_unit_test(how_it_ended),
      cmocka_unit_test(counters_say_how_they_were_counted),
      cmocka_unit_test(collectives_are_told_apart),
      cmocka_unit_test(waiting_is_noted),
      cmocka_unit_test(the_longest_are_kept),
      cmocka_unit_test(samples_need_code),
      cmocka_unit_test(a_glob_of_all_files),
      cmocka_unit_test(files_are_named_by_rank_and_process),
      cmocka_unit_test(the_longest_are_chosen),
      cmocka_unit_test(times_are_the_first_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
