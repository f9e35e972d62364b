#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/model/findings.h"
#include "analysis/model/projection.h"
#include "base/file.h"
#include "base/text.h"
#include "unit/made_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shape ONE = {128, 1000, 1};

static struct ceiling MADE[] = {
    {.name = (char *)"dram_bw", .value = 2e12, .kind = CEILING_MEASURED},
    {.name = (char *)"dram_load_bw", .value = 2e12, .kind = CEILING_MEASURED},
    {.name = (char *)"launch_ns", .value = 3000, .kind = CEILING_MEASURED},
};

/* DRAM alone: 100 MB at 1 TB/s and a launch of 1 µs are 101 µs in the model; measured 202, so that the model's half error stays. */
static void twice_the_bandwidth_by_hand(void **state) {
  struct made_run m;
  struct findings f = {0};
  struct err e = {0};
  struct projector p;
  struct projection x;
  struct device other = {.sm = 90, .ceilings = MADE, .n_ceilings = 3};
  (void)state;
  made_begin(&m);
  m.device.sm = 90;
  made_ceiling(&m, "dram_bw", 1e12, CEILING_MEASURED);
  made_ceiling(&m, "dram_load_bw", 1e12, CEILING_MEASURED);
  made_ceiling(&m, "launch_ns", 1000, CEILING_MEASURED);
  made_ceiling(&m, "rate_alu", 64, CEILING_MEASURED);
  made_variant(&m, "p", "made", NULL);
  struct run_result *r = made_result(&m, "p", ONE);
  made_time(r, 202e3, 4);
  made_metric(r, "dram_read_bytes", 100e6);
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  projector_init(&p, &m.device, &other);
  assert_true(p.same_architecture);
  assert_int_equal(p.borrowed, 1U << RATE_ALU);
  projection_of(&x, &p, &f.items[0]);
  assert_float_equal(x.time_s.v, 106e-6, 1e-12); /* 2 x (50 + 3) */
  assert_float_equal(x.high_s.v, 106e-6 * (1 + projection_error.ninety), 1e-12);
  assert_float_equal(x.low_s.v, 106e-6 / (1 + projection_error.ninety), 1e-12);
  other.sm = 100;
  projector_init(&p, &m.device, &other);
  projection_of(&x, &p, &f.items[0]);
  assert_float_equal(x.high_s.v, 106e-6 * (1 + projection_error.ninety * projection_error.other_architecture), 1e-12);
  r->timing.n = 0;
  findings_release(&f);
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  projection_of(&x, &p, &f.items[0]);
  assert_false(x.time_s.present);
  findings_release(&f);
}

/* To a chip of twice the SMs at twice the clock, whose DRAM takes 3/2 of the time and whose launch 2 us more.  A warp's loads take 3/2, its
 * instructions half; where 2 times as many warps are resident, each has half of them. */
static void work_by_hand(void **state) {
  const struct device here = {.sm = 90,
                              .sms = 10,
                              .clock_max_hz = 1e9,
                              .regs_per_sm = 65536,
                              .smem_per_sm = 233472,
                              .warps_per_sm = 64,
                              .ceilings = (struct ceiling[]){{.name = (char *)"dram_latency_cycles", .value = 500},
                                                             {.name = (char *)"launch_ns", .value = 1000},
                                                             {.name = (char *)"dram_bulk_bw", .value = 1e12}},
                              .n_ceilings = 3},
                      there = {.sm = 90,
                               .sms = 20,
                               .clock_max_hz = 2e9,
                               .regs_per_sm = 32768,
                               .smem_per_sm = 233472,
                               .warps_per_sm = 64,
                               .ceilings = (struct ceiling[]){{.name = (char *)"dram_latency_cycles", .value = 1500},
                                                              {.name = (char *)"launch_ns", .value = 3000}},
                               .n_ceilings = 2};
  /* 256 threads of 64 registers are 16384: 4 blocks of 65536, 2 of 32768. */
  static const struct run_launch launch = {.block = {256, 1, 1}, .registers = 64};
  static const struct {
    double blocks, balance;                /* of 4 that are resident on an SM; 0.5 .. 1 */
    const struct run_launch *launch;       /* NULL: as many are resident there */
    double out_blocks, out_balance, warps; /* warps: over those here */
  } cases[] = {
      {20, 1, NULL, 40, 1, 2},              /* two an SM: a grid made for the chip */
      {40, 0.8, NULL, 80, 0.8, 2},          /* as many as are resident */
      {15, 0.8, NULL, 15, 0.8, 1},          /* 1.5 an SM, of 2 at most: 0.75; there 0.75 of 1 */
      {45, 0.9, NULL, 45, 0.75, 45.0 / 40}, /* 4.5 of 5, 0.9; there 2.25 of 3, 0.75 */
      {90, 0.5, NULL, 90, 0.45, 2},         /* 9 an SM are even; there 4.5 of 5 */
      {80, 0.5, NULL, 80, 0.5, 2},          /* 8 an SM, but not all resident: no grid of this chip's */
      {20, 1, &launch, 40, 1, 2},           /* 40 places there */
      {45, 0.9, &launch, 45, 0.75, 1},      /* 40 places there, and 40 here */
  };
  struct projector p;
  (void)state;
  projector_init(&p, &here, &there);
  assert_int_equal(p.borrowed, (1U << RATE_DRAM));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct finding f = {.launch = cases[i].launch};
    f.bounds.work = (struct workload){
        .clock_hz = value_of(0.9e9),
        .loads_s = value_of(40e-6),
        .own_issue_s = value_of(20e-6),
        .dependencies_s = value_of(10e-6),
        .barriers_s = value_of(7e-6),
        .launches = 3,
        .empty_s = value_of(5e-6),
        .blocks = value_of(cases[i].blocks),
        .blocks_per_sm = value_of(4),
        .warps = value_of(100),
        .balance = cases[i].balance,
    };
    f.bounds.work.at_peak_s[BOUND_DRAM] = value_of(1);
    struct workload w;
    projection_workload(&w, &p, &f);
    assert_float_equal(w.blocks.v, cases[i].out_blocks, 1e-9);
    assert_float_equal(w.blocks_per_sm.v, (cases[i].launch ? 2 : 4), 1e-9);
    assert_float_equal(w.balance, cases[i].out_balance, 1e-9);
    assert_float_equal(w.warps.v, 100 * cases[i].warps, 1e-9);
    assert_float_equal(w.loads_s.v * 1e6, 60 / cases[i].warps, 1e-9);
    assert_float_equal(w.own_issue_s.v * 1e6, 10 / cases[i].warps, 1e-9);
    assert_float_equal(w.dependencies_s.v * 1e6, 5 / cases[i].warps, 1e-9);
    assert_float_equal(w.barriers_s.v * 1e6, 7, 1e-9);
    assert_float_equal(w.clock_hz.v, 1.8e9, 1);
    assert_float_equal(w.empty_s.v * 1e6, 5 + 3 * 2, 1e-9); /* three launches */
    assert_false(w.at_peak_s[BOUND_DRAM].present);
    /* Of a grid that is not known only the clock and the latency are another chip's. */
    f.bounds.work.blocks = value_absent("not known");
    projection_workload(&w, &p, &f);
    assert_float_equal(w.warps.v, 100, 0);
    assert_float_equal(w.loads_s.v * 1e6, 60, 1e-9);
    assert_float_equal(w.balance, cases[i].balance, 0);
  }
  /* Back: 23 blocks are 1.15 an SM of 2, and 2.3 of 3 there: more even, but not beyond 1. */
  struct finding f = {.bounds.work = {.blocks = value_of(23),
                                      .blocks_per_sm = value_of(4),
                                      .warps = value_of(100),
                                      .balance = 0.9,
                                      .launches = 3,
                                      .empty_s = value_of(5e-6)}};
  struct workload w;
  projector_init(&p, &there, &here);
  assert_int_equal(p.borrowed, 0);
  projection_workload(&w, &p, &f);
  assert_float_equal(w.balance, 1, 0);
  assert_float_equal(w.empty_s.v, 0, 0); /* nothing takes less than no time */
}

/* --- one recorded run projected to the other's chip --- */

struct recorded {
  struct run run;
  struct device device;
  struct findings findings;
};

static void recorded_load(struct recorded *r, const char *name) {
  struct err e = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/recorded/%s.json.gz", TEST_SOURCE_DIR, name);
  if (run_load(&r->run, path, &e) || device_load(&r->device, name, &e) ||
      findings_make(&r->findings, &r->run, &r->device, &e))
    fail_msg("%s", e.text);
}

static void recorded_release(struct recorded *r) {
  findings_release(&r->findings);
  device_release(&r->device);
  run_release(&r->run);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum { ERRORS_MAX = 1024 };
struct errors {
  double times[ERRORS_MAX], steps[ERRORS_MAX];
  size_t n_times, n_steps;
};

static bool of_a_ladder(const struct finding *f) {
  const char *ladder = f->variant->ladder;
  return ladder && strcmp(ladder, "control") != 0 && strcmp(ladder, "wrong") != 0;
}

/* ladder: NULL, each. */
static void errors_add(struct errors *out, const struct recorded *from, const struct recorded *to, const char *ladder) {
  struct projector p;
  projector_init(&p, &from->device, &to->device);
  for (size_t i = 0; i < from->findings.n; i++) {
    const struct finding *f = &from->findings.items[i];
    const struct finding *there = findings_at(&to->findings, f->variant->id, f->result->shape);
    struct projection x, parent;
    projection_of(&x, &p, f);
    if (!of_a_ladder(f) || (ladder && strcmp(f->variant->ladder, ladder) != 0) || !there || !there->timed ||
        !x.time_s.present)
      continue;
    out->times[out->n_times++] = fabs(x.time_s.v / there->time.middle - 1);
    if (!f->variant->parent)
      continue;
    const struct finding *before = findings_at(&from->findings, f->variant->parent, f->result->shape);
    const struct finding *before_there = findings_at(&to->findings, f->variant->parent, f->result->shape);
    if (!before || !before_there || !before_there->timed)
      continue;
    projection_of(&parent, &p, before);
    if (parent.time_s.present)
      out->steps[out->n_steps++] =
          fabs(x.time_s.v / parent.time_s.v / (there->time.middle / before_there->time.middle) - 1);
  }
}

static double quantile(double *x, size_t n, double q) {
  qsort(x, n, sizeof *x, by_size);
  return x[(size_t)(q * (double)(n - 1))];
}

/* "2.7 %, 6.9 %" of the times of a ladder: half and nine in ten are off by less. */
static void cell_add(struct text *row, const struct recorded *from, const struct recorded *to, const char *ladder) {
  static struct errors e;
  e.n_times = 0;
  errors_add(&e, from, to, ladder);
  text_printf(row, " | %zu | %.1f %% | %.1f %%", e.n_times, 100 * quantile(e.times, e.n_times, 0.5),
              100 * quantile(e.times, e.n_times, 0.9));
}

/* docs/model.md has a row a ladder. */
static void each_ladder_has_its_row(const struct recorded *h200, const struct recorded *h100) {
  static const char *const ladders[] = {"cuda", "cute", "attempts", "top", "ours", NULL};
  char *doc = NULL;
  size_t bytes = 0;
  struct err e = {0};
  if (file_read(TEST_SOURCE_DIR "/docs/model.md", 1 << 20, &doc, &bytes, &e))
    fail_msg("%s", e.text);
  int missing = 0;
  for (size_t i = 0; i < sizeof ladders / sizeof ladders[0]; i++) {
    struct text row = {0};
    text_printf(&row, "| %s", ladders[i] ? ladders[i] : "all");
    cell_add(&row, h200, h100, ladders[i]);
    cell_add(&row, h100, h200, ladders[i]);
    text_add(&row, " |");
    if (!strstr(doc, row.s))
      print_error("docs/model.md has no row %s\n", row.s), missing++;
    text_release(&row);
  }
  free(doc);
  assert_int_equal(missing, 0);
}

static void each_recorded_chip_projects_the_other(void **state) {
  static struct recorded h200, h100;
  static struct errors all;
  (void)state;
  recorded_load(&h200, "h200");
  recorded_load(&h100, "h100");
  errors_add(&all, &h200, &h100, NULL);
  size_t there = all.n_times;
  errors_add(&all, &h100, &h200, NULL);
  double median_there = quantile(all.times, there, 0.5), ninety_there = quantile(all.times, there, 0.9);
  double median_back = quantile(all.times + there, all.n_times - there, 0.5),
         ninety_back = quantile(all.times + there, all.n_times - there, 0.9);
  double ninety_step = quantile(all.steps, all.n_steps, 0.9);
  double ninety = quantile(all.times, all.n_times, 0.9), median = quantile(all.times, all.n_times, 0.5);
  print_message(
      "times: H200 to H100 %zu, median %.3f, 90 %% %.3f; back %zu, %.3f, %.3f; both %.3f, %.3f; steps %zu, 90 %% %.3f\n",
      there, median_there, ninety_there, all.n_times - there, median_back, ninety_back, median, ninety, all.n_steps,
      ninety_step);
  assert_true(there > 150);
  assert_true(median_there <= 0.04 && median_back <= 0.04);
  assert_true(ninety_there <= 0.08 && ninety_back <= 0.08);
  /* What the interval is made of: as recorded, to a third of a percent. */
  assert_float_equal(median, projection_error.median, 0.0034);
  assert_float_equal(ninety, projection_error.ninety, 0.0034);
  assert_float_equal(ninety_step, projection_error.step_ninety, 0.0034);
  each_ladder_has_its_row(&h200, &h100);
  recorded_release(&h200);
  recorded_release(&h100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twice_the_bandwidth_by_hand),
      cmocka_unit_test(work_by_hand),
      cmocka_unit_test(each_recorded_chip_projects_the_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
