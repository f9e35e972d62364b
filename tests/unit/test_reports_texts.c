/* Texts of made-up figures against tests/golden/texts/: each figure is another, so that none can stand in the other's cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/history.h"
#include "reports/compare/diff_text.h"
#include "reports/compare/diff_words.h"
#include "reports/compare/history_text.h"
#include "reports/text/ceilings_text.h"
#include "reports/text/list_text.h"
#include "reports/text/mma_text.h"
#include "reports/text/sol_text.h"
#include "reports/text/steps.h"
#include "reports/text/tune_text.h"
#include "unit/golden_file.h"
#include "unit/made_side.h"

#define KNOWN(x)                                                                                                       \
  { .present = true, .v = (x) }
#define UNKNOWN(x)                                                                                                     \
  { .reason = (x) }

static void matrix_instructions(void **state) {
  static const struct mma_text_row rows[] = {
      {.type = "bf16",
       .sum = "fp32",
       .ptx = "mma.sync.m16n8k16",
       .best = true,
       .native = "native",
       .opcode = "HMMA",
       .n_opcode = 64,
       .n_convert = 3,
       .registers = 120,
       .spill_bytes = 0,
       .m = 128,
       .n = 256,
       .k_bytes = 64,
       .warps_m = 2,
       .warps_n = 4,
       .stages = 3,
       .group_m = 8,
       .smem_bytes = 98304,
       .figures = {KNOWN(0.25), KNOWN(1.5), KNOWN(1.25e-3), KNOWN(4.885e14), KNOWN(6.1e14), KNOWN(6.364e14),
                   KNOWN(2e-7), KNOWN(1e-13)},
       .datasheet_flops = 9.895e14},
      {.type = "e4m3",
       .sum = "fp16",
       .ptx = "mma.sync.m16n8k32",
       .best = true,
       .native = "emulated",
       .opcode = "",
       .emulated = true,
       .n_convert = 512,
       .registers = 255,
       .spill_bytes = 48,
       .m = 64,
       .n = 32,
       .k_bytes = 128,
       .warps_m = 1,
       .warps_n = 2,
       .stages = 4,
       .group_m = 1,
       .smem_bytes = 1024,
       .figures = {KNOWN(0.5), UNKNOWN("no nvcc"), UNKNOWN("it hung"), UNKNOWN("it hung"), UNKNOWN("no SASS"),
                   UNKNOWN("no library"), UNKNOWN("it hung"), KNOWN(0.02)}},
      {.type = "e4m3",
       .sum = "fp32",
       .ptx = "mma.sync.m16n8k32",
       .native = "native",
       .opcode = "QMMA",
       .registers = 99,
       .spill_bytes = -1,
       .figures = {KNOWN(0.75), KNOWN(2), KNOWN(2e-3), KNOWN(3e14), KNOWN(4e14), KNOWN(5e14), KNOWN(1e-3),
                   KNOWN(2e-3)}},
      {.type = "s4",
       .sum = "int32",
       .ptx = "mma.sync.m16n8k64",
       .best = true,
       .error = "not supported on sm_90a",
       .figures = {UNKNOWN("not measured"), UNKNOWN("not measured"), UNKNOWN("not measured"), UNKNOWN("not measured"),
                   UNKNOWN("not measured"), UNKNOWN("not measured"), UNKNOWN("not measured"), UNKNOWN("not measured")}},
  };
  struct mma_text m = {.arch = "sm_90a",
                       .gpu = "NVIDIA H200",
                       .nvrtc = "13.2",
                       .library = "cuBLASLt 13.1",
                       .notes = "a note",
                       .m = 4096,
                       .n = 8192,
                       .k = 2048,
                       .cold = true,
                       .rows = rows,
                       .n_rows = 4};
  struct text out = {0};
  (void)state;
  report_mma_term(&m, &out, 0, false);
  m.gpu = NULL;
  m.library = m.notes = "";
  m.cold = false;
  text_add(&out, "\n---\n");
  report_mma_term(&m, &out, 100, false);
  check_golden("texts/mma.txt", &out);
  report_mma_json(&m, &out);
  m.gpu = "NVIDIA H200";
  m.cold = true;
  report_mma_json(&m, &out);
  check_golden("texts/mma.json", &out);
}

static void measured_ceilings(void **state) {
  static struct ceiling ceilings[] = {
      {(char *)"dram_bw", (char *)"B/s", 4.8e12, CEILING_DATASHEET, (char *)"a datasheet"},
      {(char *)"dram_bw", (char *)"B/s", 4.9e12, CEILING_DRIVER, (char *)"the driver"},
      {(char *)"dram_bw", (char *)"B/s", 4.1e12, CEILING_MEASURED, (char *)"measured"},
      {(char *)"rate_ffma", (char *)"lane/cycle/SM", 128, CEILING_DATASHEET, (char *)"a guide"},
  };
  static const struct ceilings c = {
      .rows =
          {
              {"dram_bw", "B/s", true, 4.1e12, 1.755e9, "reads of 1 GB"},
              {"rate_ffma", "lane/cycle/SM", true, 127.5, 1.98e9, "a chain"},
              {"launch_s", "s", true, 2.5e-6, 0, "an empty kernel"},
              {"tensor_bf16", "FLOP/s", true, 9.125e14, 1.7e9, "HMMA"},
              {"clock", "Hz", true, 1.98e9, 0, "a clock"},
              {"lanes", "lane/s", true, 1.625e13, 0, "lanes"},
              {"l2_lines", "sector/s", true, 1.75e11, 0, "sectors"},
              {"blocks", "block/s", true, 1.3e9, 0, "blocks"},
              {"dram_latency_cycles", "cycle", false, 0, 0, "a pointer chase", "it was interrupted"},
          },
      .n = 9,
      .curves = {{"read_bw", "B", "B/s", "reads", .x = {1e6, 4e6, 64e6}, .y = {6e12, 5e12, 4e12}, .n = 3},
                 {"latency", "B", "cycle", "a chase", "no clock"}},
      .notes = "the clock moved"};
  struct device d = {.id = (char *)"mine",
                     .name = (char *)"NVIDIA H200",
                     .arch = (char *)"sm_90a",
                     .sm = 90,
                     .sms = 132,
                     .clock_max_hz = 1.98e9,
                     .ceilings = ceilings,
                     .n_ceilings = 4};
  struct text out = {0};
  (void)state;
  report_ceilings_term(&c, &d, "mine.json", &out, 0, false);
  check_golden("texts/ceilings.txt", &out);
  report_ceilings_json(&c, &d, "mine.json", &out);
  check_golden("texts/ceilings.json", &out);
}

static void speeds_of_light(void **state) {
  static const struct ceiling sheet = {(char *)"dram_bw", (char *)"B/s", 8e12, CEILING_DATASHEET,
                                       (char *)"a datasheet"};
  static const struct ceiling driver = {(char *)"dram_bw", (char *)"B/s", 7.7e12, CEILING_DRIVER, (char *)"the driver"};
  const struct sol_text_row rows[] = {
      {{7168, 16384, 1},
       &sheet,
       {66.1e6, "minimal", &sheet, 8.3e-6},
       {75.5e6, "contest", &sheet, 9.4e-6},
       "datasheet",
       3.25e-6,
       3.2e-6},
      {{4096, 7168, 8},
       &driver,
       {132e6, "minimal", &driver, 17.1e-6},
       {148e6, "contest", &driver, 19.2e-6},
       "given",
       0,
       0},
  };
  struct ceiling f2fp = {(char *)"rate_f2fp", (char *)"lane/cycle/SM", 64, CEILING_PUBLISHED, (char *)"a paper"};
  struct device d = {.id = (char *)"b200",
                     .name = (char *)"NVIDIA B200",
                     .sm = 100,
                     .sms = 148,
                     .clock_max_hz = 1.965e9,
                     .ceilings = &f2fp,
                     .n_ceilings = 1};
  struct text out = {0};
  (void)state;
  report_sol_term(&d, true, rows, 2, &out, 0, false);
  text_add(&out, "\n---\n");
  report_sol_csv(rows, 2, &out);
  text_add(&out, "---\n");
  report_sol_json(&d, rows, 2, &out);
  check_golden("texts/sol.txt", &out);
}

static void add_table(struct text *out, struct table *t) {
  assert_non_null(t);
  table_term(t, out, 0, false);
  text_add(out, "\n");
  table_free(t);
}

static void what_there_is(void **state) {
  static struct rung_published published[] = {{(char *)"B200", (char *)"geomean", (char *)"a page", 12.5e3, true},
                                              {(char *)"H200", (char *)"geomean", (char *)"a paper", 30e3, false}};
  static const struct rung naive = {
      .id = (char *)"cuda-0-naive", .ladder = (char *)"cuda", .file = "cuda/0.cu", .writes_c = true};
  static const struct rung fast = {.id = (char *)"cuda-1-fast",
                                   .ladder = (char *)"cuda",
                                   .parent = (char *)"cuda-0-naive",
                                   .change = (char *)"it coalesces",
                                   .predicts = (char *)"time 0.5",
                                   .file = "cuda/1.cu",
                                   .writes_c = true,
                                   .accumulate = ACCUMULATE_FP16,
                                   .published = published,
                                   .n_published = 2};
  static const struct rung side = {.id = (char *)"cuda-1-side",
                                   .ladder = (char *)"cuda",
                                   .parent = (char *)"cuda-0-naive",
                                   .change = (char *)"a side step",
                                   .file = "cuda/1s.cu",
                                   .writes_c = true,
                                   .side = true};
  static const struct rung control = {
      .id = (char *)"control-read", .ladder = (char *)"control", .file = "control/read.cu"};
  static const struct rung *const rungs[] = {&naive, &fast, &side, &control};
  static const struct list_shape shapes[] = {{"bench", {7168, 16384, 1}, 66.1e6, 2.35e8},
                                             {"test", {128, 256, 2}, 4e4, 1.3e5}};
  struct metric_table metrics = {0};
  struct text out = {0};
  struct err e = {0};
  struct device d = {0};
  struct table *devices = list_devices();
  (void)state;
  add_table(&out, list_variants(rungs, 4));
  add_table(&out, list_ladders(rungs, 4));
  add_table(&out, list_shapes(shapes, 2));
  assert_int_equal(metric_table_add(&metrics, "10-inst.txt",
                                    "COUNTERS\ninst_executed\t1\tsmsp__inst.sum\t-\twarp instructions\n", &e),
                   0);
  assert_int_equal(
      metric_table_add(&metrics, "20-dram.txt", "COUNTERS\ndram_read\tB\tdram__bytes.sum\t-\tbytes read\n", &e), 0);
  add_table(&out, list_metrics(&metrics));
  metric_table_release(&metrics);
  assert_non_null(devices);
  assert_int_equal(device_load(&d, "h200", &e), 0);
  list_device(devices, &d);
  add_table(&out, devices);
  device_release(&d);
  list_ladders_markdown(rungs, 4, &out);
  check_golden("texts/list.txt", &out);
}

/* Three configurations of three parameters, of which C has one value, at two shapes; at the second the standard is as fast as any. */
static void a_search(void **state) {
  static struct run_key keys[6][3];
  static char values[6][2][8];
  struct run_result results[6] = {{0}};
  struct run_variant variants[3] = {{.id = (char *)"x"}, {.id = (char *)"x#A=2,B=8"}, {.id = (char *)"x#A=4,B=16"}};
  struct finding items[6] = {{0}};
  const struct finding *ranked[2][3];
  struct tune_rank ranks[2];
  struct tune_map maps[2];
  struct run_kernel kernel = {.registers = 77};
  struct run_module module = {.kernels = &kernel, .n_kernels = 1};
  struct run run = {.modules = &module,
                    .n_modules = 1,
                    .device = {.name = (char *)"NVIDIA H200", .sm = 90, .sms = 132},
                    .variants = variants,
                    .n_variants = 3,
                    .results = results,
                    .n_results = 6};
  struct findings f = {.run = &run, .items = items, .n = 6};
  struct text out = {0};
  size_t lines = 0;
  (void)state;
  for (int i = 0; i < 6; i++) {
    int variant = i % 3, at = i / 3;
    snprintf(values[i][0], sizeof values[i][0], "%d", 1 << variant);
    snprintf(values[i][1], sizeof values[i][1], "%d", 4 << variant);
    keys[i][0] = (struct run_key){(char *)"A", values[i][0]};
    keys[i][1] = (struct run_key){(char *)"B", values[i][1]};
    keys[i][2] = (struct run_key){(char *)"C", (char *)"7"};
    results[i] = (struct run_result){.variant = variant,
                                     .module = i % 2 ? -1 : 0,
                                     .shape = {128 + 128 * at, 1024, 1},
                                     .params = keys[i],
                                     .n_params = 3};
    double middle = (at ? 40e-6 : 20e-6) * (at ? 1 + 0.1 * variant : 1 - 0.2 * variant);
    items[i] = (struct finding){
        .result = &results[i],
        .variant = &variants[variant],
        .timed = true,
        .time = {.valid = true, .n = 9, .middle = middle, .ci_low = 0.99 * middle, .ci_high = 1.01 * middle}};
    ranked[at][at ? variant : 2 - variant] = &items[i];
  }
  for (int at = 0; at < 2; at++) {
    ranks[at] = (struct tune_rank){.shape = results[3 * at].shape,
                                   .ranked = ranked[at],
                                   .n = 3,
                                   .standard = &items[3 * at],
                                   .best_is_standard = at};
    assert_true(tune_map_make(&maps[at], &ranks[at]));
  }
  struct tune_report t = {&f, "x", ranks, maps, 2};
  report_tune_term(&t, &out, 0, false);
  text_add(&out, "\n---\n{\n");
  report_tune_json(&t, &out);
  text_add(&out, "}\n---\n");
  tune_lines(&out, &lines, ranks, 2, 90, 132);
  assert_int_equal(lines, 1);
  strcpy(ranks[0].shape.sizes, "ROWS=4096 COLS=77");
  tune_lines(&out, &lines, ranks, 2, 90, 132);
  assert_int_equal(lines, 1);
  check_golden("texts/tune.txt", &out);
}

/* --- runs --- */

static void a_history(void **state) {
  static const char *const days[] = {"2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"};
  static const double x_ns[] = {1e6, 1.25e6, 1.25e6}, y_ns[] = {2e6, 0, 1e6};
  struct made_side *sides[3];
  struct findings findings[3];
  struct text out = {0};
  struct err e = {0};
  (void)state;
  for (int i = 0; i < 3; i++) {
    sides[i] = side_new(days[i]);
    sides[i]->made.run.git = (char *)(i ? "7ffc551 dirty" : "ef4fba4");
    sides[i]->made.run.device.name = (char *)"NVIDIA H200";
    sides[i]->made.run.device.driver = (char *)(i > 1 ? "590" : "580");
    made_metric(side_result(sides[i], "x", i > 1 ? "new" : "old", x_ns[i]), "inst_executed", 1000 + 500 * i);
    struct run_result *y = side_result(sides[i], "y", "same", y_ns[i]);
    if (!y_ns[i])
      y->check = (struct run_check){.verdict = VERDICT_WRONG, .cause = (char *)"nibbles"};
    struct run_result *z = made_result(&sides[i]->made, "x", (struct shape){256, 512, 2});
    made_time(z, 3e6 + 1e3 * i, 4);
    if (findings_make(&findings[i], &sides[i]->made.run, &sides[i]->made.device, &e))
      fail_msg("%s", e.text);
  }
  for (int i = 0; i < 2; i++) {
    struct history h;
    if (history_make(&h, findings, 3, &(struct history_options){.metric = i ? "inst_executed" : "time"}, &e))
      fail_msg("%s", e.text);
    report_history_term(&h, &out, 0, false);
    text_add(&out, "\n---\n");
    report_history_json(&h, &out);
    history_release(&h);
  }
  check_golden("texts/history.txt", &out);
  for (int i = 0; i < 3; i++) {
    findings_release(&findings[i]);
    side_free(sides[i]);
  }
}

/* 9 unchanged, and one of each verdict. */
static void fill(struct made_side *s, bool b) {
  for (int i = 0; i < 9; i++) {
    char id[16];
    snprintf(id, sizeof id, "v%d", i);
    side_result(s, id, id, 1e6 + 1e4 * i);
    if (i < 3)
      made_metric(&s->made.results[i], "inst_executed", b ? 1015 - 15 * i : 1000);
  }
  side_result(s, "slow", b ? "new" : "old", b ? 1.05e6 : 1e6);
  side_result(s, b ? "new-name" : "old-name", "fast", b ? 0.9e6 : 1e6);
  struct run_result *broken = side_result(s, "broken", "k", b ? 0 : 1e6);
  if (b)
    broken->check = (struct run_check){.verdict = VERDICT_WRONG, .cause = (char *)"nib<bl>es & \"more\""};
  s->made.run.device.driver = (char *)(b ? "590" : "580");
  s->made.run.device.name = (char *)"NVIDIA H200";
  s->made.run.git = (char *)(b ? "7ffc551" : "ef4fba4");
  s->made.run.tool = (char *)(b ? "0.2" : "0.1");
}

static void a_comparison(void **state) {
  struct diff_metric_asked asked[] = {{(char *)"inst_executed", 0.01, true}, {(char *)"inst_executed", 0.1, false}};
  struct made_side *a = side_new("2026-01-01T00:00:00Z"), *b = side_new("2026-01-02T00:00:00Z");
  struct text out = {0};
  struct err e = {0};
  (void)state;
  fill(a, false);
  fill(b, true);
  for (int raw = 0; raw < 2; raw++) {
    struct diff d;
    if (findings_make(&a->findings, &a->made.run, &a->made.device, &e) ||
        findings_make(&b->findings, &b->made.run, &b->made.device, &e) ||
        diff_make(&d, (struct diff_side){&a->findings, 1}, (struct diff_side){&b->findings, 1},
                  &(struct diff_options){.fail_over = 0.03, .raw = raw, .metrics = asked, .n_metrics = raw ? 0 : 2},
                  &e))
      fail_msg("%s", e.text);
    struct diff_report r = {&d, {&a->findings, 1}, {&b->findings, 1}, "a.json", "b.json"};
    report_diff_term(&r, &out, 0, false, raw);
    text_add(&out, "\n---\n");
    report_diff_markdown(&r, &out);
    text_add(&out, "---\n");
    report_diff_json(&r, &out);
    text_add(&out, "---\n");
    report_diff_junit(&r, &out);
    diff_release(&d);
    findings_release(&a->findings);
    findings_release(&b->findings);
  }
  check_golden("texts/diff.txt", &out);
  side_free(a);
  side_free(b);
}

static void a_comparison_of_code(void **state) {
  struct run_instruction sass[] = {{.text = (char *)"LDG"}, {.text = (char *)"FFMA"}, {.text = (char *)"EXIT"}};
  struct run_kernel light = {.registers = 40, .local_bytes = 8, .smem_static = 16, .sass = sass, .n_sass = 2};
  struct run_kernel heavy = {
      .registers = 60, .spill_load_bytes = 4, .spill_store_bytes = 8, .smem_static = 32, .sass = sass, .n_sass = 3};
  struct made_side *a = side_new("2026-01-01T00:00:00Z"), *b = side_new("2026-01-02T00:00:00Z");
  struct static_diff d;
  struct text out = {0};
  struct err e = {0};
  (void)state;
  fill(a, false);
  fill(b, true);
  a->modules[9] =
      (struct run_module){(char *)"k1", (char *)"sm_90a", .cubin_bytes = 900, .kernels = &light, .n_kernels = 1};
  b->modules[9] =
      (struct run_module){(char *)"k2", (char *)"sm_90a", .cubin_bytes = 990, .kernels = &heavy, .n_kernels = 1};
  b->modules[1] = b->modules[9];
  a->modules[1] = b->modules[9];
  a->modules[1].key = (char *)"k3";
  a->modules[2] = b->modules[9];
  b->modules[2] = a->modules[9];
  a->modules[2].key = (char *)"k4";
  b->made.results[11].module = -1;
  b->made.results[11].check =
      (struct run_check){.verdict = VERDICT_FAILED, .reason = (char *)"line 3: error: expected ';'"};
  side_result(a, "gone", "g", 0);
  side_result(b, "fresh", "f", 0);
  if (static_diff_make(&d, &a->made.run, &b->made.run, &(struct static_options){.fail_over = 0.05}, &e))
    fail_msg("%s", e.text);
  struct static_report r = {&d, "a.json", "b.json"};
  report_static_term(&r, &out, 0, false, false);
  text_add(&out, "\n---\n");
  report_static_term(&r, &out, 0, false, true);
  text_add(&out, "\n---\n");
  report_static_markdown(&r, &out);
  text_add(&out, "---\n");
  report_static_json(&r, &out);
  text_add(&out, "---\n");
  report_static_junit(&r, &out);
  check_golden("texts/diff-static.txt", &out);
  static_diff_release(&d);
  side_free(a);
  side_free(b);
}

/* Each source of the noise; a shift that is removed, small and large, and one that stays, for each reason. */
static void where_the_noise_comes_from(void **state) {
  struct diff_condition device = {"device", "NVIDIA H100", "NVIDIA H200", true};
  struct diff d = {.noise = {.between = 0.0123, .pairs = 9, .shift = 1.02}};
  struct text out = {0};
  (void)state;
  for (int source = NOISE_RUNS; source <= NOISE_ONE_RUN; source++) {
    d.noise.source = (enum diff_noise_source)source;
    words_noise(&d, &out);
    text_add(&out, "\n");
  }
  for (int i = 0; i < 6; i++) {
    d.noise.shift_pairs = i == 2 ? 0 : 5;
    d.noise.shift_removed = i < 2;
    d.noise.shift_large = i == 1;
    d.noise.shift_all = (struct value){.present = i < 5, .v = 0.97};
    d.one_chip = i == 3;
    words_noise(&d, &out);
    text_add(&out, "\n");
  }
  d.conditions = &device;
  d.n_conditions = 1;
  words_noise(&d, &out);
  text_add(&out, "\n");
  words_counts(&d, &out);
  text_add(&out, "\n");
  check_golden("texts/noise.txt", &out);
}

/* That the author measured another chip is said where nothing of the claims holds here. */
static void the_authors_chip(void **state) {
  static const struct {
    enum judgement_verdict first, second;
    const char *chip, *said;
  } rows[] = {
      {JUDGED_REFUTED, JUDGED_REFUTED, "B200",
       "claimed: \"faster\": REFUTED (time ×1.22; causes: instructions); \"fewer\": REFUTED (no value); the author measured on B200"},
      {JUDGED_REFUTED, JUDGED_REFUTED, NULL,
       "claimed: \"faster\": REFUTED (time ×1.22; causes: instructions); \"fewer\": REFUTED (no value)"},
      {JUDGED_REFUTED, JUDGED_CONFIRMED, "B200",
       "claimed: \"faster\": REFUTED (time ×1.22; causes: instructions); \"fewer\": CONFIRMED (no value)"},
      {JUDGED_CONFIRMED, JUDGED_REFUTED, "B200",
       "claimed: \"faster\": CONFIRMED (time ×1.22; causes: instructions); \"fewer\": REFUTED (no value)"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static const struct finding ran = {0};
    struct claim claims[] = {{.words = (char *)"faster"}, {.words = (char *)"fewer"}};
    struct claim_judgement of[] = {{rows[i].first, (char *)"time ×1.22", true}, {rows[i].second, NULL, false}};
    const struct step_at at = {.parent = &ran, .child = &ran, .claimed = of, .causes = (char *)"instructions"};
    struct step s = {.claims = {claims, 2}, .published_on = rows[i].chip};
    struct text out = {0};
    steps_claims(&s, &at, &out);
    assert_string_equal(text_str(&out), rows[i].said);
    text_release(&out);
    s.claims.n = 0; /* none was made, none is refuted */
    steps_claims(&s, &at, &out);
    assert_string_equal(text_str(&out), "");
    text_release(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_the_noise_comes_from),
      cmocka_unit_test(matrix_instructions),
      cmocka_unit_test(measured_ceilings),
      cmocka_unit_test(speeds_of_light),
      cmocka_unit_test(what_there_is),
      cmocka_unit_test(a_search),
      cmocka_unit_test(a_history),
      cmocka_unit_test(a_comparison),
      cmocka_unit_test(a_comparison_of_code),
      cmocka_unit_test(the_authors_chip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
