/* Values that cannot be are told, and those that can are not. */
#include "analysis/model/findings.h"
#include "unit/made_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* A device of 4 TB/s, 10 SMs and 1 GHz; a problem of 40 MB, which takes at least 10 µs.  20 µs are then half of the speed of light. */
static struct run_result *plain(struct made_run *m) {
  made_begin(m);
  m->device.sms = 10;
  m->device.warps_per_sm = 64;
  m->device.clock_max_hz = 1e9;
  m->run.l2 = (char *)"cold";
  made_ceiling(m, "dram_bw", 4e12, CEILING_DATASHEET);
  made_variant(m, "rung", "cuda", NULL);
  struct run_result *r = made_result(m, "rung", (struct shape){.m = 64, .k = 64, .l = 1});
  r->check.verdict = VERDICT_PASS;
  r->bytes_minimal = r->bytes_contest = r->bytes_declared = 40e6;
  made_time(r, 20000, 4);
  return r;
}

/* The first doubt; NULL: none.  As many as *n says in all. */
static char told[512];
static const char *doubt(struct made_run *m, size_t *n) {
  struct findings f;
  struct err e = {0};
  if (findings_make(&f, &m->run, &m->device, &e))
    fail_msg("%s", e.text);
  *n = f.items[0].n_doubts;
  snprintf(told, sizeof told, "%s", *n ? f.items[0].doubts[0] : "");
  findings_release(&f);
  return *n ? told : NULL;
}

static void expect(struct made_run *m, const char *text) {
  size_t n;
  const char *first = doubt(m, &n);
  if (!text ? n != 0 : n != 1 || !strstr(first, text))
    fail_msg("%zu doubts, the first: %s; expected: %s", n, first ? first : "none", text ? text : "none");
}

/* Of 20 us the L2 needs 1 for 16 MB, at 16 TB/s: nothing is told by how often it was hit.  At 4 TB/s it needs 4. */
static void the_hit_rate_of_an_idle_cache(void **state) {
  static const struct {
    double rate;
    const char *text;
  } rows[] = {{16e12, NULL}, {4e12, "is 200 %, and 100 % is the most that is possible"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct made_run m;
    struct run_result *r = plain(&m);
    made_ceiling(&m, "l2_bw", rows[i].rate, CEILING_MEASURED);
    made_metric(r, "l2_read_bytes", 16e6);
    made_metric(r, "l2_write_bytes", 0);
    made_metric(r, "l2_sectors", 500001);
    made_metric(r, "l2_sectors_hit", 2 * 500001);
    expect(&m, rows[i].text);
  }
}

/* Blocks of 8 warps: 1.25 of 64 are resident in the mean.  Seven may have ended, where launches are alike; where they are not, nobody knows what was counted of
 * which.  Under one warp is none while the SM works, but for a little. */
static void fewer_warps_than_a_block_has(void **state) {
  static const struct {
    double warps, cycles, longest_ns;
    const char *text;
  } rows[] = {
      {1.25e5, 1e5, 20000, NULL},
      {1.25e5, 1e5, 30000, "achieved occupancy is 2 %, and one block is 12 %: passes counted launches of unlike work"},
      {4.1e5, 1e5, 30000, NULL},
      {0.92e5, 1e5, 20000, NULL},
      {0.9e5, 1e5, 20000, "achieved occupancy is 1.4 %, and one warp is 1.6 %"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct made_run m;
    struct run_result *r = plain(&m);
    r->shape = (struct shape){0};
    r->bytes_minimal = r->bytes_contest = r->bytes_declared = 0;
    r->n_launches = 1;
    *r->launches = (struct run_launch){.grid = {80, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 4, .registers = 32};
    r->timing.samples_ns[0] = rows[i].longest_ns;
    made_metric(r, "sm_cycles_active", rows[i].cycles);
    made_metric(r, "warps_active", rows[i].warps);
    expect(&m, rows[i].text);
  }
}

/* The same blocks, whose threads without an element end at once, or only after what they have loaded. */
static void warps_that_leave(void **state) {
  static const char *const exits[][5] = {
      {"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x40, PT", "@P0 EXIT", "LDG.E R2, desc[UR4][R4.64]", "EXIT"},
      {"S2R R0, SR_TID.X", "LDG.E R2, desc[UR4][R4.64]", "ISETP.GE.AND P0, PT, R0, 0x40, PT", "@P0 EXIT", "EXIT"},
      {"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x40, PT", "BAR.SYNC.DEFER_BLOCKING 0x0", "@P0 EXIT", "EXIT"},
      {"S2R R0, SR_CTAID.X", "ISETP.GE.AND P0, PT, R0, 0x40, PT", "@P0 EXIT", "LDG.E R2, desc[UR4][R4.64]", "EXIT"},
      {"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x210]", "ISETP.GE.AND P0, PT, R0, R1, PT", "@P0 EXIT", "EXIT"},
  };
  static const bool leave[] = {true, false, false, false, true};
  (void)state;
  for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
    struct made_run m;
    struct run_instruction insts[5] = {0};
    for (size_t k = 0; k < 5; k++)
      insts[k] = (struct run_instruction){.offset = (uint32_t)(16 * k), .text = (char *)exits[i][k]};
    struct run_kernel kernel = {.name = (char *)"k", .sass = insts, .n_sass = 5};
    struct run_module module = {.kernels = &kernel, .n_kernels = 1};
    struct run_result *r = plain(&m);
    m.run.modules = &module;
    m.run.n_modules = 1;
    r->module = 0;
    r->shape = (struct shape){0};
    r->bytes_minimal = r->bytes_contest = r->bytes_declared = 0;
    r->n_launches = 1;
    *r->launches = (struct run_launch){
        .kernel = (char *)"k", .grid = {80, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 4, .registers = 32};
    r->timing.samples_ns[0] = 30000;
    made_metric(r, "sm_cycles_active", 1e5);
    made_metric(r, "warps_active", 1.25e5);
    expect(&m, leave[i] ? NULL : "achieved occupancy is 2 %, and one block is 12 %");
  }
}

static void what_can_be_is_not_doubted(void **state) {
  (void)state;
  struct made_run m;
  struct run_result *r = plain(&m);
  made_metric(r, "dram_read_bytes", 40e6);
  made_metric(r, "dram_write_bytes", 0);
  made_metric(r, "sm_cycles_active", 1e5);
  made_metric(r, "issue_active", 4e5); /* 4 schedulers, each in every cycle: all there is */
  made_metric(r, "inst_executed", 4e5);
  made_metric(r, "sm_clock_hz", 1e9);
  expect(&m, NULL);
}

static void counters_over_their_peak(void **state) {
  (void)state;
  struct made_run m;
  struct run_result *r = plain(&m);
  made_metric(r, "sm_cycles_active", 1e5);
  made_metric(r, "issue_active", 4.8e5); /* over 4 * 1e5: 120 % */
  expect(&m, "is 120 %, and 100 % is the most that is possible");
  r = plain(&m);
  made_metric(r, "l2_sectors", 500001); /* 32 bytes each: 16 MB and a little */
  made_metric(r, "l2_sectors_hit", 2 * 500001);
  expect(&m, "is 200 %, and 100 % is the most that is possible");
  r = plain(&m);
  made_metric(r, "l2_sectors", 499999); /* what else the range holds counts */
  made_metric(r, "l2_sectors_hit", 2 * 499999);
  expect(&m, NULL);
  r = plain(&m);
  made_metric(r, "sm_clock_hz", 1.5e9);
  expect(&m, "the SM clock was 1500 MHz, above the chip's maximum of 1000 MHz");
  r = plain(&m);
  made_metric(r, "dram_read_bytes", 100e6); /* in 20 µs: 5 TB/s, 125 % of 4 */
  made_metric(r, "dram_write_bytes", 0);
  expect(&m, "DRAM bandwidth is 5 TB/s, 125 % of the memory's peak");
}

static void fewer_bytes_than_there_are(void **state) {
  (void)state;
  struct made_run m;
  struct run_result *r = plain(&m);
  made_metric(r, "dram_read_bytes", 30e6);
  made_metric(r, "dram_write_bytes", 0);
  expect(&m, "DRAM moved 30 MB, less than the 40 MB that the problem holds");
  m.run.l2 = (char *)"warm"; /* then the L2 may have held them */
  expect(&m, NULL);
  m.run.l2 = (char *)"cold";
  m.variants[0].ladder = (char *)"control"; /* it may read less by its nature */
  expect(&m, NULL);
}

static void faster_than_light(void **state) {
  (void)state;
  struct made_run m;
  struct run_result *r = plain(&m);
  r->timing.n = 0;
  made_time(r, 8000, 4); /* 40 MB in 8 µs are 5 TB/s */
  expect(&m, "faster than the speed of light: 40 MB in 8 µs are 5 TB/s, more than the memory's 4 TB/s");
  made_ceiling(&m, "dram_bw", 5e12, CEILING_MEASURED); /* a measurement that shows more than the datasheet */
  expect(&m, NULL);
}

static void warps_that_do_more_than_there_is_time_for(void **state) {
  (void)state;
  struct made_run m;
  for (int over = 0; over < 2; over++) {
    struct run_result *r = plain(&m);
    r->shape = (struct shape){0}; /* a program's kernel: of a problem of ours all launches are alike */
    made_metric(r, "warps_active", 1e6);
    made_metric(r, "stall_selected", 5e5);
    made_metric(r, "stall_wait", 7e5);
    made_metric(r, "stall_long_scoreboard", over ? 8.1e5 : 7.9e5);
    expect(&m,
           over ? "what its warps do adds up to 201 % of their cycles: passes counted launches of unlike work" : NULL);
  }
}

/* Of a program's kernel whose launches took 15 to 20 us the passes may have counted unlike ones. */
static void launches_of_unlike_work(void **state) {
  (void)state;
  struct made_run m;
  for (int uneven = 0; uneven < 2; uneven++) {
    struct run_result *r = plain(&m);
    r->shape = (struct shape){0};
    r->timing.samples_ns[0] = uneven ? 15000 : 17000;
    made_metric(r, "sm_cycles_active", 1e4);
    made_metric(r, "issue_active", 5e4);
    expect(
        &m,
        uneven
            ? "issue slots used is 125 %, and 100 % is the most that is possible: passes counted launches of unlike work"
            : "issue slots used is 125 %, and 100 % is the most that is possible");
    assert_int_equal(strstr(told, "unlike") != NULL, uneven);
  }
}

static void nothing_counted_though_it_ran(void **state) {
  (void)state;
  struct made_run m;
  struct run_result *r = plain(&m);
  made_metric(r, "inst_executed", 0);
  expect(&m, "inst_executed is 0, although the kernel ran");
}

/* What a doubt stands on, one thing at a time: a limit that is met is none, and what takes a doubt's ground away takes the doubt. */
struct given {
  const char *name;
  double value;
};

static void no_peak(struct made_run *m) {
  m->device.n_ceilings = 0;
}

static void no_clock(struct made_run *m) {
  m->device.clock_max_hz = 0;
}

static void in_8_us(struct made_run *m) {
  m->results[0].timing.n = 0;
  made_time(&m->results[0], 8000, 4);
}

static void in_8_us_warm(struct made_run *m) {
  in_8_us(m);
  m->run.l2 = (char *)"warm";
}

static void in_8_us_of_unknown_l2(struct made_run *m) {
  in_8_us(m);
  m->run.l2 = NULL;
}

static void in_8_us_between(struct made_run *m) {
  in_8_us(m);
  m->run.l2 = (char *)"between";
}

static void in_8_us_no_peak(struct made_run *m) {
  in_8_us(m);
  no_peak(m);
}

static void in_8_us_by_the_driver(struct made_run *m) {
  in_8_us(m);
  m->ceilings[0].kind = CEILING_DRIVER;
}

static void refused(struct made_run *m) {
  in_8_us(m);
  m->variants[0].wrong = true;
}

static void no_gemv(struct made_run *m) {
  in_8_us(m);
  m->results[0].bytes_contest = 0;
}

static void least_of_a_byte(struct made_run *m) {
  in_8_us(m);
  m->results[0].bytes_contest = 1;
}

static void one_mb(struct made_run *m) {
  m->results[0].bytes_minimal = 1e6;
}

static void under_one_mb(struct made_run *m) {
  m->results[0].bytes_minimal = 999999;
}

static void at_21_mb(struct made_run *m) {
  m->results[0].bytes_minimal = 21e6;
}

static void over_21_mb(struct made_run *m) {
  m->results[0].bytes_minimal = 21.001e6;
}

static void of_unknown_l2(struct made_run *m) {
  m->run.l2 = NULL;
}

static void untimed(struct made_run *m) {
  m->results[0].timing.n = 0;
}

static void in_1_us(struct made_run *m) {
  untimed(m);
  made_time(&m->results[0], 1000, 4);
  m->results[0].bytes_minimal = 1e6; /* 1 TB/s */
}

#define FASTER "faster than the speed of light: 40 MB in 8 µs are 5 TB/s"

static void one_ground_at_a_time(void **state) {
  (void)state;
  static const struct {
    void (*also)(struct made_run *m);
    struct given set[3];
    const char *says;
  } rows[] = {
      /* 1.05 of each is no doubt, a thousandth more is */
      {NULL, {{"sm_cycles_active", 1e5}, {"issue_active", 4.2e5}}, NULL},
      {NULL, {{"sm_cycles_active", 1e5}, {"issue_active", 4.204e5}}, "is 105 %, and 100 %"},
      {NULL, {{"sm_clock_hz", 1.05e9}}, NULL},
      {NULL, {{"sm_clock_hz", 1.051e9}}, "was 1051 MHz, above the chip's maximum of 1000 MHz"},
      {no_clock, {{"sm_clock_hz", 1.5e9}}, NULL},
      {NULL, {{"dram_read_bytes", 83.9e6}, {"dram_write_bytes", 0}}, NULL}, /* 4.195 of 4.2 TB/s */
      {NULL, {{"dram_read_bytes", 84.2e6}, {"dram_write_bytes", 0}}, "4.21 TB/s, 105 % of the memory's peak"},
      {no_peak, {{"dram_read_bytes", 100e6}, {"dram_write_bytes", 0}}, NULL},
      {in_1_us, {{"dram_read_bytes", 5e6}, {"dram_write_bytes", 0}}, "5 TB/s, 125 % of the memory's peak"},
      {at_21_mb, {{"dram_read_bytes", 20e6}, {"dram_write_bytes", 0}}, NULL},
      {over_21_mb, {{"dram_read_bytes", 20e6}, {"dram_write_bytes", 0}}, "moved 20 MB, less than the 21 MB"},
      {of_unknown_l2, {{"dram_read_bytes", 30e6}, {"dram_write_bytes", 0}}, NULL},
      /* a range's own bytes are much of less than 1 MB */
      {one_mb, {{"dram_read_bytes", 5e5}, {"dram_write_bytes", 0}}, "moved 0.5 MB, less than the 1 MB"},
      {under_one_mb, {{"dram_read_bytes", 5e5}, {"dram_write_bytes", 0}}, NULL},
      {in_8_us, {{NULL, 0}}, FASTER},
      {in_8_us_between, {{NULL, 0}}, FASTER},
      {in_8_us_by_the_driver, {{NULL, 0}}, FASTER},
      {least_of_a_byte, {{NULL, 0}}, FASTER},
      {in_8_us_warm, {{NULL, 0}}, NULL},
      {in_8_us_of_unknown_l2, {{NULL, 0}}, NULL},
      {in_8_us_no_peak, {{NULL, 0}}, NULL},
      {refused, {{NULL, 0}}, NULL},
      {no_gemv, {{NULL, 0}}, NULL},
      {NULL, {{"sm_cycles_active", 0}}, "sm_cycles_active is 0, although the kernel ran"},
      {NULL, {{"inst_executed", 1}}, NULL},
      {untimed, {{"inst_executed", 0}}, NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct made_run m;
    struct run_result *r = plain(&m);
    if (rows[i].also)
      rows[i].also(&m);
    for (size_t k = 0; k < 3 && rows[i].set[k].name; k++)
      made_metric(r, rows[i].set[k].name, rows[i].set[k].value);
    expect(&m, rows[i].says);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warps_that_do_more_than_there_is_time_for),
      cmocka_unit_test(fewer_warps_than_a_block_has),
      cmocka_unit_test(warps_that_leave),
      cmocka_unit_test(what_can_be_is_not_doubted),
      cmocka_unit_test(the_hit_rate_of_an_idle_cache),
      cmocka_unit_test(counters_over_their_peak),
      cmocka_unit_test(fewer_bytes_than_there_are),
      cmocka_unit_test(faster_than_light),
      cmocka_unit_test(launches_of_unlike_work),
      cmocka_unit_test(nothing_counted_though_it_ran),
      cmocka_unit_test(one_ground_at_a_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
