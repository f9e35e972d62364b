/* What binds, in words, and the nearest roof; each sentence worked out by hand. */
#include "reports/words/bound_words.h"
#include "reports/words/view.h"
#include "unit/text_is.h"

#include <stdio.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_binds),
      cmocka_unit_test(chains_on_uneven_sms),
      cmocka_unit_test(counters_of_unlike_launches),
      cmocka_unit_test(what_binds_beside_as_much),
      cmocka_unit_test(what_binds_beside_more),
      cmocka_unit_test(least_of_a_chain),
      cmocka_unit_test(the_nearest_roof),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
