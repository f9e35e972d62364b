/* The words that reports share: figures, roofs, ratios, predictions, headlines; each sentence worked out by hand. */
#include "reports/page/page.h"
#include "reports/text/diagnose.h"
#include "reports/words/bound_words.h"
#include "reports/words/evidence_text.h"
#include "reports/words/prose_ladder.h"
#include "reports/words/view.h"
#include "reports/words/wrap.h"
#include "unit/text_is.h"

#include <stdio.h>

static void evidence_in_its_unit(void **state) {
  static const struct {
    struct evidence x;
    const char *want;
  } rows[] = {
      {{"hits", "ratio", {true, 0.25, NULL}}, "hits 25 %"},
      {{"hits", "ratio", {true, 1, NULL}}, "hits 100 %"},
      {{"bytes", "ratio", {true, 1.25, NULL}}, "bytes 1.25×"},
      {{"pipe's share of the time", "ratio", {true, 1.25, NULL}}, "pipe's share of the time 100 %"},
      {{"share of the time spent", "inst", {true, 7, NULL}}, "share of the time spent 7 inst"},
      {{"wait", "s", {true, 2.5e-6, NULL}}, "wait 2.50 µs"},
      {{"rate", "B/s", {true, 3.2e12, NULL}}, "rate 3.20 TB/s"},
      {{"tile", "B", {true, 3072, NULL}}, "tile 3.00 KiB"},
      {{"grid", "block", {true, 56, NULL}}, "grid 56 blocks"},
      {{"grid", "block", {true, 1, NULL}}, "grid 1 block"},
      {{"launches", "launch", {true, 2, NULL}}, "launches 2 launches"},
      {{"places", "address", {true, 27.6, NULL}}, "places 27.6 addresses"},
      {{"eligible warps", "warp", {true, 0.5, NULL}}, "eligible warps 0.500 warps"},
      {{"occupancy", "ratio", {true, 5.31, NULL}, true}, "occupancy 5.31× (impossible)"},
      {{"cost", "inst", {true, 19.9, NULL}}, "cost 19.9 inst"},
      {{"pipe_alu", "inst", {true, 9203456, NULL}}, "pipe_alu 9.20 M inst"},
      {{"conflicts", "cycle", {true, 1e6, NULL}}, "conflicts 1.00 M cycles"},
      {{"conflicts", "cycle", {true, 999999, NULL}}, "conflicts 999999 cycles"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    report_evidence(&rows[i].x, &out);
    is(&out, rows[i].want);
  }
}

static void what_a_remedy_may_save(void **state) {
  struct advice a = {.price.saves_s = 8e-6, .price.low_s = 4e-6, .price.high_s = 12e-6};
  struct finding f = {.time = {.middle = 32e-6}};
  struct text out = {0};
  (void)state;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 12 µs, best estimate 8.00, 25 % of the time");
  a.price.high_s = 8.4e-6; /* of which the estimate is 95.2 %: it is told all the same */
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 8.4 µs, best estimate 8.00, 25 % of the time");
  a.price.high_s = 12e-6;
  f.bounds.unlike = true; /* the counted launches are not those of 32 us */
  report_saving(&a, &f, &out);
  is(&out, "may save 12 to 38 % of the time, best estimate 25 %");
  f.bounds.unlike = false;
  a.price.high_s = 12e-6;
  a.price.capped = true; /* the best estimate alone, which the interval goes beyond */
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 12 µs, best estimate 8.00, 25 % of the time");
  a.price.high_s = 8e-6;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 8.0 µs, best estimate 8.00, 25 % of the time (capped by the speed of light)");
  a.price.cap = BOUND_DRAM;
  a.price.cap_s = 24e-6;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 8.0 µs, best estimate 8.00, 25 % of the time (capped: 24.0 µs of DRAM are left)");
  a.price.capped = false;
  a.price.high_s = 12e-6;
  a.price.fewer_bytes = true;
  report_saving(&a, &f, &out);
  is(&out, "may save 4.0 to 12 µs, best estimate 8.00, 25 % of the time (DRAM moves fewer bytes)");
  a.price.saves_s = 0;
  report_saving(&a, &f, &out);
  is(&out, "no estimate of the saving");
  a.told.stop = true;
  a.told.helps = "fewer bytes";
  report_saving(&a, &f, &out);
  is(&out, "only fewer bytes can save time");
}

static void what_warps_spend_their_cycles_on(void **state) {
  static const struct run_result result = {.module = -1};
  struct derived issuing = {.name = "stall_selected_share", .value = {true, 0.25, NULL}};
  struct finding f = {
      .result = &result, .stalls = {{"long_scoreboard", 0.6}, {"wait", 0.007}, {"barrier", 0.004}}, .n_stalls = 3};
  struct text out = {0};
  (void)state;
  report_stalls(&f, &out);
  is(&out, "warps' cycles: long_scoreboard 60 %, wait 1 %");
  f.derived = &issuing;
  f.n_derived = 1;
  f.n_stalls = 1;
  report_stalls(&f, &out);
  is(&out, "warps' cycles: 25 % issuing, long_scoreboard 60 %");
  f.n_stalls = 0;
  report_stalls(&f, &out);
  is(&out, "");
}

static void a_grid_without_its_ones(void **state) {
  struct run_launch launch = {.grid = {7, 1, 1}};
  struct finding f = {.launch = &launch};
  char grid[VIEW_GRID_MAX];
  (void)state;
  view_grid(grid, &f);
  assert_string_equal(grid, "7");
  launch.grid[1] = 2;
  view_grid(grid, &f);
  assert_string_equal(grid, "7x2");
  launch.grid[1] = 1;
  launch.grid[2] = 2;
  view_grid(grid, &f);
  assert_string_equal(grid, "7x1x2");
  view_grid(grid, &(struct finding){0});
  assert_string_equal(grid, "0");
}

/* L1 of one SM in ten for 99 of 100 us; the model says 105. */
static void what_binds(void **state) {
  struct finding f = {.bounds = {.binding = BOUND_L1,
                                 .whole = {true, 100e-6, NULL},
                                 .share = {true, 0.99, NULL},
                                 .explained = {true, 1.05, NULL},
                                 .work.balance = 0.1,
                                 .seconds = {[BOUND_L1] = {true, 99e-6, NULL}, [BOUND_DRAM] = {true, 3e-6, NULL}}}};
  struct bound_told told;
  struct text out = {0};
  (void)state;
  bound_told_of(&told, &f);
  bound_sentence(&told, &out);
  is(&out,
     "L1 and shared memory, 99 % of the time on the busiest SM, as the load is uneven: the average SM is busy 10 % as "
     "long (model: 105 % of the measured time)");
  f.bounds.work.balance = 0.8;
  bound_sentence(&told, &out);
  is(&out, "L1 and shared memory, 99 % of the time on the busiest SM (model: 105 % of the measured time)");
  f.bounds.work.balance = 0.1;
  bound_brief(&told, &out);
  is(&out, "L1 and shared memory, 99 % of the time");
  f.bounds.work.balance = 1;
  f.bounds.unlike = f.bounds.partial = true;
  bound_sentence(&told, &out);
  is(&out,
     "of what was counted, L1 and shared memory, 99 % of the 100 µs that the counted launches took (model: 105 % of "
     "the same time)");
  bound_brief(&told, &out);
  is(&out, "L1 and shared memory?, 99 % of the time");
}

/* Warps' chains where the SMs are loaded unevenly: of two blocks for each SM, four of which fit, and of one for every second SM. */
static void chains_on_uneven_sms(void **state) {
  static const struct {
    double waves, balance;
    const char *told;
    unsigned blocks; /* of 132 SMs: a wave has 528 */
    enum bound_kind binding;
  } cases[] = {
      {0.5, 0.11, "latency, 63 % of the time, as the load is uneven: the average SM is busy 11 % as long", 0,
       BOUND_LATENCY},
      {0.5, 0.8, "latency, 63 % of the time", 0, BOUND_LATENCY},
      {0.125, 0.11, "latency, 63 % of the time", 0, BOUND_LATENCY},
      {32 / 528.0, 0.24, "latency, 63 % of the time; 32 blocks on 132 SMs", 32, BOUND_LATENCY},
      {1 / 528.0, 0.24, "latency, 63 % of the time; 1 block on 132 SMs", 1, BOUND_LATENCY},
      {32 / 528.0, 0.24, "L1 and shared memory, 63 % of the time on the busiest SM; 32 blocks on 132 SMs", 32,
       BOUND_L1},
      {1 / 528.0, 0.24, "launching, 63 % of the time", 1, BOUND_LAUNCH},
      {130 / 528.0, 0.24, "latency, 63 % of the time", 130, BOUND_LATENCY},
      {0.25, 0.24, "latency, 63 % of the time, as the load is uneven: the average SM is busy 24 % as long", 132,
       BOUND_LATENCY},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct derived waves = {.name = "waves", .value = {true, cases[i].waves, NULL}};
    struct run_launch launch = {.blocks_per_sm = 4, .grid = {cases[i].blocks, 1, 1}};
    struct run_result result = {0};
    struct finding f = {
        .result = &result,
        .launch = &launch,
        .derived = &waves,
        .n_derived = 1,
        .bounds = {.binding = cases[i].binding, .share = {true, 0.63, NULL}, .work.balance = cases[i].balance}};
    struct bound_told told;
    struct text out = {0};
    bound_told_of(&told, &f);
    bound_sentence(&told, &out);
    is(&out, cases[i].told);
  }
}

static void counters_of_unlike_launches(void **state) {
  static const struct {
    double explained;
    size_t doubts, advice;
    bool counted, unlike;
  } cases[] = {{2.1, 1, 0, true, true},
               {1.9, 1, 0, true, false},
               {2.1, 0, 0, true, false},
               {2.1, 1, 1, true, false},
               {2.1, 1, 0, false, false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct finding f = {.bounds.binding = cases[i].counted ? BOUND_L1 : BOUND_KINDS,
                        .bounds.explained = value_of(cases[i].explained),
                        .n_doubts = cases[i].doubts};
    if (bound_of_unlike(&f, cases[i].advice) != cases[i].unlike)
      fail_msg("case %zu", i);
  }
}

/* What takes 64 of 100 us is named beside latency of 68, what takes 62 is not; nor where that has less than half, nor atomics that the model goes without. */
static void what_binds_beside_as_much(void **state) {
  struct finding f = {.bounds = {.binding = BOUND_LATENCY,
                                 .whole = {true, 100e-6, NULL},
                                 .share = {true, 0.68, NULL},
                                 .explained = {true, 0.9, NULL},
                                 .seconds = {[BOUND_LATENCY] = {true, 68e-6, NULL},
                                             [BOUND_L2] = {true, 64e-6, NULL},
                                             [BOUND_ATOMICS] = {true, 173e-6, NULL}}}};
  struct bound_told told;
  struct text out = {0};
  (void)state;
  bound_told_of(&told, &f);
  bound_sentence(&told, &out);
  is(&out, "latency, 68 % of the time (the L2 needs 64 %, nearly as much; model: 90 % of the measured time)");
  f.bounds.seconds[BOUND_L2].v = 62e-6;
  bound_sentence(&told, &out);
  is(&out, "latency, 68 % of the time (model: 90 % of the measured time)");
  f.bounds.seconds[BOUND_L2].v = 49e-6;
  told.share = value_of(0.5);
  bound_sentence(&told, &out);
  is(&out, "latency, 50 % of the time (model: 90 % of the measured time)");
  text_release(&out);
}

/* Launching binds by the model, of which nothing hides anything; the L2 needs more by itself; the model goes without atomics. */
static void what_binds_beside_more(void **state) {
  struct finding f = {.bounds = {.binding = BOUND_LAUNCH,
                                 .whole = {true, 100e-6, NULL},
                                 .share = {true, 0.47, NULL},
                                 .explained = {true, 0.76, NULL},
                                 .seconds = {[BOUND_LAUNCH] = {true, 47e-6, NULL},
                                             [BOUND_L2] = {true, 53e-6, NULL},
                                             [BOUND_ATOMICS] = {true, 173e-6, NULL}}}};
  struct bound_told told;
  struct text out = {0};
  (void)state;
  bound_told_of(&told, &f);
  bound_sentence(&told, &out);
  is(&out,
     "launching, 47 % of the time (the L2 needs 53 %, but more of it overlaps; model: 24 % below the measured time)");
  told.share = value_of(0.9951);
  f.bounds.seconds[BOUND_L2].v = 131e-6;
  bound_sentence(&told, &out);
  is(&out,
     "launching, all of the time (the L2 needs all, but more of it overlaps; model: 24 % below the measured time)");
  bound_brief(&told, &out);
  is(&out, "launching, all of the time (the L2 needs all, but more of it overlaps)");
  f.bounds.model.least[BOUND_LAUNCH] = value_of(99e-6); /* a hair more than half is of blocks, or less */
  f.bounds.model.seconds[RESOURCE_BLOCKS] = value_of(49.6e-6);
  bound_sentence(&told, &out);
  is(&out,
     "starting blocks, all of the time (the L2 needs all, but more of it overlaps; model: 24 % below the measured time)");
  bound_brief(&told, &out);
  is(&out, "starting blocks, all of the time (the L2 needs all, but more of it overlaps)");
  f.bounds.model.seconds[RESOURCE_BLOCKS] = value_of(49.4e-6);
  f.bounds.unlike = true;
  told.share = value_of(1.31);
  bound_sentence(&told, &out);
  is(&out, "launching, all of the 100 µs that the counted launches took (model: 24 % below the same time)");
  f.bounds.unlike = false;
  told.share = value_of(0.9949);
  bound_brief(&told, &out);
  is(&out, "launching, 99 % of the time (the L2 needs all, but more of it overlaps)");
  told.explained = value_of(2.01);
  bound_sentence(&told, &out);
  is(&out, "launching by the model, which does not fit this kernel: modelled 2.0 times the measured time");
  bound_brief(&told, &out);
  is(&out, "launching by the model, which does not fit this kernel: modelled 2.0 times the measured time");
  told.explained = value_of(0.49);
  f.bounds.work.balance = 0.49; /* the model knows no warp that works longer than others */
  bound_sentence(&told, &out);
  is(&out, "imbalance: the average SM works 49 % as long as the busiest");
  bound_brief(&told, &out);
  is(&out, "imbalance: the average SM works 49 % as long as the busiest");
  f.bounds.work.balance = 0.5;
  bound_sentence(&told, &out);
  is(&out, "launching by the model, which does not fit this kernel: modelled 0.49 times the measured time");
  told.explained = value_of(2.01);
  f.bounds.work.balance = 0.49; /* it is too long */
  bound_sentence(&told, &out);
  is(&out, "launching by the model, which does not fit this kernel: modelled 2.0 times the measured time");
  told.binding = BOUND_KINDS;
  bound_sentence(&told, &out);
  is(&out, "unknown: no counters, or no rates of this device");
  struct run_metric metric = {.name = (char *)"inst_executed"};
  struct run_result result = {.metrics = &metric, .n_metrics = 1};
  for (int counted = 0; counted < 2; counted++) { /* what was asked for and not counted is none */
    metric.present = counted;
    f.result = &result;
    bound_sentence(&told, &out);
    is(&out, counted ? "unknown: no rates of this device for what was counted" : "unknown: no counters");
  }
}

static void least_of_a_chain(void **state) {
  struct bounds b = {.seconds = {[BOUND_LATENCY] = {true, 0}, [BOUND_FP64] = {true, 0}}};
  (void)state;
  assert_false(bound_least(&b, BOUND_LATENCY).present);
  assert_true(bound_least(&b, BOUND_FP64).present);
  b.seconds[BOUND_LATENCY].v = 1e-9;
  assert_true(bound_least(&b, BOUND_LATENCY).present);
}

static void the_nearest_roof(void **state) {
  struct derived derived[] = {{.name = "tensor_active", .value = {true, 0.62, NULL}},
                              {.name = "clock_hz", .value = {true, 1.75e9, NULL}}};
  struct finding f = {.derived = derived, .n_derived = 2};
  struct text out = {0};
  (void)state;
  view_of_roof(NULL, 0.054, &out);
  is(&out, "5.4 % of the speed of light");
  view_of_roof(&f, 0.41, &out);
  is(&out, "41 % of the speed of light");
  f.bounds.share = value_of(0.9);
  f.bounds.binding = BOUND_ALU; /* of an SM: not what the declared bytes pass through */
  view_of_roof(&f, 0.41, &out);
  is(&out, "41 % of the speed of light (DRAM)");
  f.bounds.binding = BOUND_DRAM;
  view_of_roof(&f, 0.41, &out);
  is(&out, "41 % of the speed of light");
  f.bounds.share = value_absent("unknown");
  static const struct {
    enum bound_kind bound;
    const char *roof, *words;
  } roofs[] = {
      {BOUND_DRAM, "DRAM", "the DRAM bandwidth"},
      {BOUND_L2, "L2", "the L2 bandwidth"},
      {BOUND_L1, "L1", "the L1 bandwidth"},
      {BOUND_ISSUE, "issue", "the issue slots"},
      {BOUND_ATOMICS, "atomics", "the rate of atomics"},
      {BOUND_FP64, "fp64", "the fp64 pipe"},
      {BOUND_ALU, "ALU", "the ALU pipe"},
      {BOUND_TENSOR, "mma.sync", "the mma.sync rate"},
  };
  f.n_derived = 0;
  for (size_t i = 0; i < sizeof roofs / sizeof roofs[0]; i++) {
    char words[64];
    f.sol_roof = roofs[i].roof;
    f.sol_bound = roofs[i].bound;
    view_of_roof(&f, 0.054, &out);
    snprintf(words, sizeof words, "uses 5.4 %% of %s, its nearest roof", roofs[i].words);
    is(&out, words);
  }
  f.n_derived = 2;
  f.sol_roof = "fp16 tensor";
  f.sol_bound = BOUND_TENSOR;
  view_of_roof(&f, 0.71, &out);
  is(&out, "uses 71 % of the fp16 tensor rate, its nearest roof (tensor pipes active 62 % of the cycles, at 1.75 GHz)");
  f.n_derived = 1;
  view_of_roof(&f, 0.71, &out);
  is(&out, "uses 71 % of the fp16 tensor rate, its nearest roof (tensor pipes active 62 % of the cycles)");
  f.n_derived = 0;
  f.bounds.work.balance = 0.49; /* most SMs are idle, which an SM's roof is about and the chip's is not */
  view_of_roof(&f, 0.71, &out);
  is(&out, "uses 71 % of the fp16 tensor rate, its nearest roof, on the SMs that have work");
  f.sol_roof = "L2";
  f.sol_bound = BOUND_L2;
  view_of_roof(&f, 0.71, &out);
  is(&out, "uses 71 % of the L2 bandwidth, its nearest roof");
  view_of_roof(&f, 1.004, &out);
  is(&out, "uses 100 % of the L2 bandwidth, its nearest roof");
  view_of_roof(&f, 1.05, &out);
  is(&out,
     "uses 105 % of the L2 bandwidth, its nearest roof (above 100 %: its rate is off by that much for this kernel)");
}

static void figures_of_others(void **state) {
  struct run_published p = {
      .device = (char *)"B200", .time_ns = 39e3, .what = (char *)"geomean", .source = (char *)"a page"};
  struct text out = {0};
  (void)state;
  view_published(&p, &out);
  is(&out, "B200 39 µs geomean, a page");
  p.approximate = true;
  p.what = p.source = p.device = NULL;
  view_published(&p, &out);
  is(&out, "unnamed device ≈39 µs");
}

static void add_line(void *context, const char *s) {
  text_printf(context, "%s\n", s);
}

/* Twelve are told one by one, and how many more there are. */
static void doubts(void **state) {
  static const struct run_variant variant = {.id = (char *)"k"};
  static const struct run_result result = {.shape = {128, 256, 1}};
  struct finding items[13];
  struct findings f = {.items = items, .n = 1};
  struct text out = {0};
  (void)state;
  for (size_t i = 0; i < 13; i++)
    items[i] = (struct finding){
        .variant = &variant, .result = &result, .doubts = {"hits over 100 %", "less than nothing"}, .n_doubts = 1};
  view_doubts(&f, add_line, &out);
  is(&out, "IMPOSSIBLE VALUE: k at 128×256×1: hits over 100 %\n");
  f.n = 12;
  view_doubts(&f, add_line, &out);
  assert_null(strstr(text_str(&out), " more;"));
  text_release(&out);
  f.n = 13;
  items[0].n_doubts = 2;
  view_doubts(&f, add_line, &out);
  assert_non_null(strstr(text_str(&out), "\nIMPOSSIBLE VALUE: k at 128×256×1: less than nothing\n"));
  assert_non_null(strstr(text_str(&out), "\nIMPOSSIBLE VALUE: 2 more; findings.json has them all, as \"doubts\"\n"));
  size_t n = 0;
  for (const char *s = text_str(&out); *s; s++)
    n += *s == '\n';
  assert_int_equal(n, 13);
  text_release(&out);
}

static void ratios_have_the_digits_that_tell_them_from_one(void **state) {
  static const struct {
    double ratio;
    const char *want;
  } rows[] = {{0.1, "10× faster"},      {0.25, "4.0× faster"},  {0.5, "2.00× faster"}, {1 / 1.004, "1.004× faster"},
              {1.004, "1.004× slower"}, {1.01, "1.01× slower"}, {3, "3.0× slower"},    {12.4, "12× slower"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    prose_times(&out, rows[i].ratio);
    is(&out, rows[i].want);
  }
}

static void words_break_at_the_width(void **state) {
  struct text out = {0};
  (void)state;
  wrap_add(&out, "one two three", 7, 2);
  is(&out, "one two\n  three\n");
  wrap_add(&out, "one two three", 6, 2);
  is(&out, "one\n  two\n  three\n");
  wrap_add(&out, "×× ×× ××", 5, 0); /* columns, not bytes */
  is(&out, "×× ××\n××\n");
  wrap_add(&out, "one two three", 0, 2);
  is(&out, "one two three\n");
  assert_int_equal(wrap_widest("ab\n×××\nc"), 3);
  assert_int_equal(wrap_widest(""), 0);
}

/* Over two shapes: where it held, where it did not, and where that is not known. */
static void what_became_of_predictions(void **state) {
  struct prediction items[] = {{.item = (char *)"time < 0.5x"}, {.item = (char *)"inst < 0.2x"}};
  struct judgement one[] = {{.verdict = JUDGED_CONFIRMED}, {.verdict = JUDGED_CONFIRMED}},
                   two[] = {{.verdict = JUDGED_REFUTED, .ratio = {true, 0.75, NULL}}, {.verdict = JUDGED_UNKNOWN}};
  struct step_at at[] = {{.shape = {128, 256, 1}, .judgements = one}, {.shape = {256, 256, 1}, .judgements = two}};
  struct step s = {.at = at, .n = 2, .predictions = {.items = items, .n = 2}};
  struct text out = {0};
  (void)state;
  prose_predictions(&s, &out);
  is(&out, "time < 0.5x failed at 256×256×1 (0.750×); inst < 0.2x held where it is known");
  one[0] = two[0];
  one[1].verdict = JUDGED_UNKNOWN;
  prose_predictions(&s, &out);
  is(&out, "time < 0.5x failed; inst < 0.2x is not known");
  one[1].verdict = two[1].verdict = JUDGED_CONFIRMED;
  one[0] = two[0] = (struct judgement){.verdict = JUDGED_REFUTED};
  one[0].verdict = JUDGED_CONFIRMED;
  prose_predictions(&s, &out);
  is(&out, "time < 0.5x failed at 256×256×1; inst < 0.2x held");
}

/* A step that gained at one shape and lost at the other. */
static void a_step_that_depends_on_the_shape(void **state) {
  static const struct run_variant from = {.id = (char *)"a-0"};
  struct step_at at[] = {{.shape = {128, 256, 1}, .ratio = {true, 0.5, NULL}, .told = true},
                         {.shape = {256, 256, 1}, .ratio = {true, 1.25, NULL}}};
  struct step s = {.at = at, .n = 2, .from = &from, .why = (char *)"fewer bytes"};
  struct climb c = {.outcome = CLIMB_MIXED, .time_s = value_of(80e-6), .over_parent = value_of(1.25)};
  struct text out = {0};
  (void)state;
  prose_step_over(&s, &c, value_of(100e-6), &out);
  is(&out,
     "100.0 µs → 80.00 µs against a-0: it depends on the shape: at 128×256×1 2.00 times faster, at 256×256×1 1.25 times "
     "slower. Why: at 128×256×1: fewer bytes.");
  c.outcome = CLIMB_FASTER;
  at[0].told = false;
  s.why = (char *)"cause not found";
  prose_step_over(&s, &c, value_of(100e-6), &out);
  is(&out,
     "100.0 µs → 80.00 µs against a-0: 1.25 times faster; but at 256×256×1 1.25 times slower. Why: cause not found.");
  c.outcome = CLIMB_SLOWER;
  c.over_parent = value_of(0.5);
  at[0].same = true;
  at[1].ratio = value_absent("no time");
  prose_step_over(&s, &c, value_of(40e-6), &out);
  is(&out,
     "40.00 µs → 80.00 µs against a-0: 2.00 times slower; but at 128×256×1 no measurable change, at 256×256×1 not known. "
     "Why: cause not found.");
  c.outcome = CLIMB_SAME;
  at[1] = at[0];
  s.why = (char *)"";
  prose_step_over(&s, &c, value_of(80e-6), &out);
  is(&out, "80.00 µs → 80.00 µs against a-0: no measurable change.");
}

/* The median time, and the mean that tables of a program have, where these are two. */
static void a_usual_time_and_a_mean(void **state) {
  struct run_result r = {0};
  struct finding f = {
      .timed = true, .result = &r, .time = {.middle = 29.12e-6, .mean = 44.52e-6, .ci_low = 25e-6, .ci_high = 33.2e-6}};
  struct text out = {0};
  (void)state;
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs in the median, 44.52 µs in the mean");
  f.time.mean = 30e-6; /* another number than the table's */
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs in the median");
  f.time.mean = 29.121e-6;
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs");
  f.time.mean = 44.52e-6;
  r.shape = (struct shape){.m = 1, .k = 1, .l = 1};
  report_time(&f, &out);
  is(&out, "29.12 ±4.1 µs");
}

/* Four launches of 7 us, four of 13 and two of 110: 300 us in all. */
static void counted_launches_that_are_far(void **state) {
  (void)state;
  static double kinds[] = {7e3, 13e3, 110e3, 7e3, 13e3, 7e3, 13e3, 7e3, 13e3, 110e3}, rising[10];
  static double even[] = {1e3, 1e3, 1e3, 1e3, 2e3, 2e3, 4e3};
  static const struct {
    double *ns;
    size_t n;
    double whole;
    bool unlike;
    const char *told;
  } cases[] = {
      {kinds, 10, 8.1e-6, true,
       "its launches take 7.00 µs, 13.0 µs and 110 µs; shares and savings are of those that were counted, of 8.10 µs, with 9 % of its time: "
       "attach --two-runs counts where most of it is"},
      {kinds, 10, 100e-6, true,
       "its launches take 7.00 µs, 13.0 µs and 110 µs; shares and savings are of those that were counted, of 100 µs"},
      {kinds, 10, 8.1e-6, false, ""},
      {even, 7, 2e-6, true,
       "its launches take 1.00 µs, 2.00 µs and 4.00 µs; shares and savings are of those that were counted, of 2.00 µs, with 33 % of its time"},
      {rising, 10, 1e-6, true,
       "most of its launches take 18.1 µs to 91.0 µs; shares and savings are of those that were counted, of 1.00 µs, with 0 % of its time: attach "
       "--two-runs counts where most of it is"}};
  for (size_t i = 0; i < 10; i++)
    rising[i] = i ? 1e4 * (double)(1 + i) : 1e3;
  rising[9] = 1e5;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct run_result r = {.timing = {.samples_ns = cases[i].ns, .n = cases[i].n}};
    struct finding f = {.timed = true, .result = &r};
    struct run run = {.command = (char *)"nvfp4-prof attach -- a.out"};
    struct text out = {0};
    f.bounds.unlike = cases[i].unlike;
    f.bounds.whole = value_of(cases[i].whole);
    assert_int_equal(bound_far(&run, &f, &out), cases[i].told[0] != 0);
    is(&out, cases[i].told);
    text_release(&out);
    run.command = "nvfp4-prof attach --two-runs -- a.out";
    bound_far(&run, &f, &out);
    assert_int_equal(strstr(text_str(&out), ": attach --replay --kernel NAME --skip N counts launch N + 1 by itself") !=
                         NULL,
                     strstr(cases[i].told, "--two-runs") != NULL);
    assert_null(strstr(text_str(&out), "--two-runs"));
    text_release(&out);
    run.command = "nvfp4-prof import ncu a.ncu-rep"; /* whose launches attach does not count */
    bound_far(&run, &f, &out);
    assert_null(strstr(text_str(&out), "attach"));
    text_release(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evidence_in_its_unit),
      cmocka_unit_test(what_a_remedy_may_save),
      cmocka_unit_test(what_warps_spend_their_cycles_on),
      cmocka_unit_test(a_grid_without_its_ones),
      cmocka_unit_test(least_of_a_chain),
      cmocka_unit_test(the_nearest_roof),
      cmocka_unit_test(what_binds),
      cmocka_unit_test(chains_on_uneven_sms),
      cmocka_unit_test(counters_of_unlike_launches),
      cmocka_unit_test(what_binds_beside_as_much),
      cmocka_unit_test(what_binds_beside_more),
      cmocka_unit_test(figures_of_others),
      cmocka_unit_test(doubts),
      cmocka_unit_test(ratios_have_the_digits_that_tell_them_from_one),
      cmocka_unit_test(words_break_at_the_width),
      cmocka_unit_test(what_became_of_predictions),
      cmocka_unit_test(a_step_that_depends_on_the_shape),
      cmocka_unit_test(a_usual_time_and_a_mean),
      cmocka_unit_test(counted_launches_that_are_far),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
