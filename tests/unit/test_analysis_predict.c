#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/ladder/explain.h"
#include "analysis/ladder/predict.h"
#include "unit/made_run.h"

static const struct shape ONE = {128, 1024, 1};

/* p and its child c, on 100 SMs at 1 GHz with 1 TB/s.
 *              p                                 c
 *   time       100 µs ± 16 ns                    90 µs ± 16 ns
 *   inst       32e6: issue 32e6/(400e9) = 80 µs  16e6: 40 µs
 *   DRAM       50e6 B: 50 µs                     60e6 B: 60 µs
 *   so         issue, 80 % of the time           dram, 67 % of the time */
static void made(struct made_run *m) {
  made_begin(m);
  m->device.sms = 100;
  m->device.warps_per_sm = 64;
  m->device.clock_max_hz = 1e9;
  made_ceiling(m, "dram_bw", 1e12, CEILING_DATASHEET);
  made_variant(m, "p", "made", NULL);
  made_variant(m, "c", "made", "p");
  static const struct {
    const char *id;
    double time_ns, inst, dram, stalled, cycles;
    int registers;
    unsigned blocks;
  } rows[] = {{"p", 100e3, 32e6, 50e6, 600, 100, 40, 200}, {"c", 90e3, 16e6, 60e6, 300, 100, 50, 100}};
  for (size_t i = 0; i < 2; i++) {
    struct run_result *r = made_result(m, rows[i].id, ONE);
    made_time(r, rows[i].time_ns, 4);
    made_metric(r, "inst_executed", rows[i].inst);
    made_metric(r, "dram_read_bytes", rows[i].dram);
    made_metric(r, "dram_write_bytes", 0);
    made_metric(r, "stall_long_scoreboard", rows[i].stalled);
    made_metric(r, "warps_active", 3200);
    made_metric(r, "sm_cycles_active", rows[i].cycles);
    made_metric(r, "shared_bank_conflicts", 0);
    made_metric(r, "pipe_alu", i == 0 ? 0 : 5);
    made_absent(r, "l1_wavefronts", "the chip has no such counter");
    r->n_launches = 1;
    r->launches[0] =
        (struct run_launch){.grid = {rows[i].blocks, 1, 1}, .block = {128, 1, 1}, .registers = rows[i].registers};
  }
}

static struct judgement judge(struct made_run *m, struct findings *f, struct predictions *p, const char *item) {
  struct judgement j;
  struct err e = {0};
  if (predictions_parse(p, "c", item, &e) != 0 || findings_make(f, &m->run, &m->device, &e) != 0)
    fail_msg("%s", e.text);
  assert_int_equal(p->n, 1);
  prediction_judge(&j, &p->items[0], f, findings_at(f, "p", ONE), findings_at(f, "c", ONE));
  return j;
}

static void verdict(struct made_run *m, const char *item, enum judgement_verdict want) {
  struct findings f;
  struct predictions p;
  struct judgement j = judge(m, &f, &p, item);
  if (j.verdict != want)
    fail_msg("%s: %s, not %s", item, judgement_name(j.verdict), judgement_name(want));
  predictions_release(&p);
  findings_release(&f);
}

static void counters_are_compared_as_they_are(void **state) {
  struct made_run m;
  (void)state;
  made(&m);
  verdict(&m, "inst < 0.51x", JUDGED_CONFIRMED);
  verdict(&m, "inst < 0.5x", JUDGED_REFUTED); /* it is 0.5 */
  verdict(&m, "inst <= 0.5x", JUDGED_CONFIRMED);
  verdict(&m, "inst >= 0.5x", JUDGED_CONFIRMED);
  verdict(&m, "inst > 0.5x", JUDGED_REFUTED);
  verdict(&m, "inst_executed<0.51x", JUDGED_CONFIRMED);
  verdict(&m, "dram_bytes within 25%", JUDGED_CONFIRMED); /* 1.2 */
  verdict(&m, "dram_bytes within 15%", JUDGED_REFUTED);
  verdict(&m, "registers > 1.2x", JUDGED_CONFIRMED); /* 50 / 40 = 1.25 */
  verdict(&m, "registers > 1.3x", JUDGED_REFUTED);
  verdict(&m, "blocks < 0.7x", JUDGED_CONFIRMED); /* 100 / 200 */
  verdict(&m, "threads within 1%", JUDGED_CONFIRMED);
  verdict(&m, "occupancy within 1%", JUDGED_CONFIRMED);    /* 3200 / (100 * 64) both */
  verdict(&m, "long_scoreboard < 0.6x", JUDGED_CONFIRMED); /* 300 / 600 */
  verdict(&m, "long_scoreboard > 0.6x", JUDGED_REFUTED);
  verdict(&m, "inst_per_element < 0.6x", JUDGED_CONFIRMED);
}

/* The ratio lies in 89,984/100,016 = 0.89970 to 90,016/99,984 = 0.90030. */
static void times_have_an_interval(void **state) {
  struct made_run m;
  (void)state;
  made(&m);
  verdict(&m, "time < 0.9005x", JUDGED_CONFIRMED);
  verdict(&m, "time < 0.9x", JUDGED_UNCLEAR);
  verdict(&m, "time > 0.9x", JUDGED_UNCLEAR);
  verdict(&m, "time < 0.8995x", JUDGED_REFUTED);
  verdict(&m, "time > 0.8995x", JUDGED_CONFIRMED);
  verdict(&m, "time within 10.1%", JUDGED_CONFIRMED);
  verdict(&m, "time within 10%", JUDGED_UNCLEAR);
  verdict(&m, "time within 9.9%", JUDGED_REFUTED);
  m.rest[1].samples_ns[0] = m.rest[1].samples_ns[1] = m.rest[1].samples_ns[2] = m.rest[1].samples_ns[3] = 100e3;
  verdict(&m, "time > 1x", JUDGED_UNCLEAR);
  verdict(&m, "time within 0.01%", JUDGED_UNCLEAR); /* both ends lie outside, on either side */
  verdict(&m, "time within 0.1%", JUDGED_CONFIRMED);
}

static void bounds_are_named_as_they_bind(void **state) {
  struct made_run m;
  struct findings f;
  struct predictions p;
  (void)state;
  made(&m);
  verdict(&m, "bound: issue -> dram", JUDGED_CONFIRMED);
  verdict(&m, "bound:issue->dram", JUDGED_CONFIRMED);
  verdict(&m, "bound: latency -> dram", JUDGED_REFUTED);
  verdict(&m, "bound: issue -> alu", JUDGED_REFUTED);
  for (int i = 0; i < 4; i++)
    m.rest[1].samples_ns[i] =
        101e3; /* 60 / 101 = 59 %: what binds is the largest share of the model, however little it explains */
  struct judgement j = judge(&m, &f, &p, "bound: issue -> latency");
  assert_int_equal(j.verdict, JUDGED_REFUTED);
  assert_string_equal(j.bound_before, "issue");
  assert_string_equal(j.bound_after, "dram");
  predictions_release(&p);
  findings_release(&f);
  m.results[1].n_metrics = 0;
  j = judge(&m, &f, &p, "bound: issue -> latency");
  assert_int_equal(j.verdict, JUDGED_UNKNOWN);
  assert_string_equal(j.absent, "c");
  assert_string_equal(j.reason, "no bound is known");
  predictions_release(&p);
  findings_release(&f);
}

static void what_is_absent_is_unknown(void **state) {
  struct made_run m;
  struct findings f;
  struct predictions p;
  (void)state;
  made(&m);
  struct judgement j = judge(&m, &f, &p, "l1_wavefronts < 1x");
  assert_int_equal(j.verdict, JUDGED_UNKNOWN);
  assert_string_equal(j.reason, "the chip has no such counter");
  assert_string_equal(j.absent, "p");
  predictions_release(&p);
  findings_release(&f);
  verdict(&m, "no_such_counter < 1x", JUDGED_UNKNOWN);
  verdict(&m, "shared_bank_conflicts < 0.2x", JUDGED_UNKNOWN);      /* of 0 */
  verdict(&m, "shared_bank_conflicts within 2%", JUDGED_CONFIRMED); /* 0 and 0 */
  verdict(&m, "pipe_alu within 2%", JUDGED_REFUTED);                /* 0 and 5 */
  m.results[1].check.verdict = VERDICT_WRONG;
  j = judge(&m, &f, &p, "time < 1x");
  assert_int_equal(j.verdict, JUDGED_UNKNOWN);
  assert_string_equal(j.absent, "c");
  assert_string_equal(j.reason, "the result is wrong: a wrong kernel has no time");
  predictions_release(&p);
  findings_release(&f);
}

static void several_items_in_order(void **state) {
  struct predictions p;
  struct err e = {0};
  (void)state;
  assert_int_equal(predictions_parse(&p, "c", " time < 0.5x;inst within 2%; bound: alu -> latency ;", &e), 0);
  assert_int_equal(p.n, 3);
  assert_string_equal(p.items[0].item, "time < 0.5x");
  assert_string_equal(p.items[1].name, "inst");
  assert_int_equal(p.items[1].kind, PREDICTION_WITHIN);
  assert_float_equal(p.items[1].threshold, 0.02, 1e-12);
  assert_string_equal(p.items[2].item, "bound: alu -> latency");
  assert_string_equal(p.items[2].before, "alu");
  assert_string_equal(p.items[2].after, "latency");
  predictions_release(&p);
  assert_int_equal(predictions_parse(&p, "c", NULL, &e), 0);
  assert_int_equal(p.n, 0);
}

static void malformed_items_are_named(void **state) {
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"time < 1x; inst < 0.2", "my-rung: predicts: 'inst < 0.2': expected 'x' behind the number, not ''"},
      {"inst < 0.2y", "'inst < 0.2y': expected 'x' behind the number, not 'y'"},
      {"inst < 0.2x more", "expected 'x' behind the number, not 'x more'"},
      {"inst < x", "expected a number above 0 and 'x', not 'x'"},
      {"inst < -1x", "expected a number above 0"},
      {"inst < nanx", "expected a number above 0"},
      {"inst < 1e999x", "expected a number above 0"},
      {"inst = 1x", "expected NAME < NUMBERx (or > <= >=), NAME within P%, or bound: X -> Y"},
      {"inst", "expected NAME < NUMBERx"},
      {"inst within 5", "expected '%' behind the number, not ''"},
      {"< 1x", "expected the name of a value in front, not ''"},
      {"in-st < 1x", "expected the name of a value in front, not 'in-st'"},
      {"bound: issue", "'bound: issue': expected bound: X -> Y"},
      {"bound: issue -> memory",
       "'memory' is not a bound; the bounds are dram, l2, l1, atomics, issue, alu, fma, lsu, xu, tensor, fp64, adu, texture, latency, launch"},
      {"bound: -> dram", "'' is not a bound"},
      {"time < 1x;; inst < 1x", "my-rung: predicts: an item is empty"},
      {"", "an item is empty"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct predictions p;
    struct err e = {0};
    assert_int_equal(predictions_parse(&p, "my-rung", cases[i].text, &e), ERR_DATA);
    if (!strstr(e.text, cases[i].says))
      fail_msg("'%s': %s", cases[i].text, e.text);
    predictions_release(&p);
  }
}

/* A metric that nothing knows parses, and is told before anything is measured; a bound's names were read already. */
static void names_that_nothing_has(void **state) {
  static const struct {
    const char *text, *says; /* NULL: all are known */
  } cases[] = {
      {"time < 1x; inst < 1x; occupancy > 1x; registers < 1x; local_bytes < 1x; blocks < 1x; blocks_per_sm > 1x", NULL},
      {"bound: issue -> dram; bound_atomics < 1x; long_scoreboard < 1x; inst_executed < 1x; dram_bytes within 5%",
       NULL},
      {"time < 1x; instt < 0.5x",
       "'instt < 0.5x': there is no metric, stall or bound 'instt'; time, inst, dram_bytes are some"},
      {"bound_memory < 1x", "no metric, stall or bound 'bound_memory'"},
      {"m < 1x", "no metric, stall or bound 'm'"}, /* a fact that no rung changes */
  };
  struct metric_table table = {0};
  struct err e = {0};
  (void)state;
  assert_int_equal(metric_table_load(&table, &e), 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct predictions p;
    assert_int_equal(predictions_parse(&p, "my-rung", cases[i].text, &e), 0);
    int rc = predictions_verify(&p, &table, &e);
    if (rc != (cases[i].says ? ERR_DATA : 0) || (rc && !strstr(e.text, cases[i].says)))
      fail_msg("'%s': %d %s", cases[i].text, rc, e.text);
    predictions_release(&p);
  }
  metric_table_release(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_are_compared_as_they_are),
      cmocka_unit_test(times_have_an_interval),
      cmocka_unit_test(bounds_are_named_as_they_bind),
      cmocka_unit_test(what_is_absent_is_unknown),
      cmocka_unit_test(several_items_in_order),
      cmocka_unit_test(malformed_items_are_named),
      cmocka_unit_test(names_that_nothing_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
