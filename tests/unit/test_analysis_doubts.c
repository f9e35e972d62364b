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
  expect(&m, "faster than the speed of light: 40 MB in 8 µs are 5 TB/s, more than the memory's 4");
  made_ceiling(&m, "dram_bw", 5e12, CEILING_MEASURED); /* a measurement that shows more than the datasheet */
  expect(&m, NULL);
}

static void nothing_counted_though_it_ran(void **state) {
  (void)state;
  struct made_run m;
  struct run_result *r = plain(&m);
  made_metric(r, "inst_executed", 0);
  expect(&m, "inst_executed is 0, although the kernel ran");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_can_be_is_not_doubted),    cmocka_unit_test(counters_over_their_peak),
      cmocka_unit_test(fewer_bytes_than_there_are),    cmocka_unit_test(faster_than_light),
      cmocka_unit_test(nothing_counted_though_it_ran),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
