#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/metrics/formulas.h"
#include "unit/made_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const STALLS[] = {
    "long_scoreboard",  "short_scoreboard",   "wait",         "barrier",  "mio_throttle",
    "lg_throttle",      "math_pipe_throttle", "not_selected", "selected", "no_instruction",
    "branch_resolving", "dispatch",           "drain",        "membar",   "misc",
    "sleeping",         "tex_throttle",       "imc_miss",     "gmma",
};
enum { N_STALLS = sizeof STALLS / sizeof STALLS[0] };

/* Made-up counts, chosen so that every quotient is a short number. */
static const struct count {
  const char *name;
  double value;
} COUNTS[] = {
    {"dram_read_bytes", 9000},
    {"dram_write_bytes", 1000},
    {"l2_read_bytes", 12000},
    {"l2_write_bytes", 3000},
    {"l2_sectors", 400},
    {"l2_sectors_hit", 100},
    {"l1_load_bytes", 20000},
    {"l1_load_sectors", 800},
    {"l1_load_sectors_hit", 600},
    {"l1_load_requests", 50},
    {"inst_executed", 4096},
    {"inst_issued", 5120},
    {"issue_active", 1024},
    {"sm_cycles_active", 2048},
    {"sm_cycles_elapsed", 4096},
    {"sm_clock_hz", 1.5e9},
    {"gpu_time_ns", 10000},
    {"warps_active", 32768},
    {"warps_eligible", 2048},
    {"pipe_alu", 2048},
    {"pipe_fma", 1024},
    {"pipe_fp16", 512},
    {"pipe_lsu", 256},
    {"pipe_xu", 128},
    {"pipe_tensor", 64},
    {"pipe_tensor_cycles", 4096},
    {"pipe_uniform", 32},
    {"pipe_adu", 16},
    {"pipe_cbu", 8},
    {"pipe_fp64", 4},
    {"pipe_tex", 2},
    {"l1_wavefronts", 500},
    {"thread_inst_executed", 98304},
    {"shared_bank_conflicts", 25},
    {"shared_wavefronts", 100},
    {"local_load_sectors", 150},
    {"local_store_sectors", 50},
    {"sm_cycles_active_max", 256},
};
enum { N_COUNTS = sizeof COUNTS / sizeof COUNTS[0] };

/* Worked out by hand from COUNTS and the facts of made(): M*K*L = 64*128*2 = 16384 elements, 10 µs, 10 SMs of 64 warps, a grid of
 * 4 x 2 blocks of 96 threads (3 warps), 4 of them resident on an SM, 10,000 bytes to move. */
static const struct count EXPECTED[] = {
    {"dram_bytes", 10000},             /* 9000 + 1000 */
    {"dram_bw", 1e9},                  /* 10000 / 1e-5 */
    {"dram_write_share", 0.1},         /* 1000 / 10000 */
    {"l2_bytes", 15000},               /* 12000 + 3000 */
    {"l2_bw", 1.5e9},                  /* 15000 / 1e-5 */
    {"l2_hit_rate", 0.25},             /* 100 / 400 */
    {"l1_bw", 2e9},                    /* 20000 / 1e-5 */
    {"l1_hit_rate", 0.75},             /* 600 / 800 */
    {"sectors_per_request", 16},       /* 800 / 50 */
    {"shared_conflict_share", 0.25},   /* 25 / 100 */
    {"local_share", 0.2},              /* (150 + 50) / (800 + 150 + 50) */
    {"bank_conflict_share", 0.05},     /* 25 / 500 */
    {"ipc", 2},                        /* 4096 / 2048 */
    {"issue_slot_utilisation", 0.125}, /* 1024 / (4 * 2048) */
    {"sm_busy", 0.5},                  /* 2048 / 4096 */
    {"sm_balance", 0.8},               /* 2048 / (10 * 256) */
    {"theoretical_occupancy", 0.1875}, /* 4 * 3 / 64 */
    {"achieved_occupancy", 0.25},      /* 32768 / (2048 * 64) */
    {"waves", 0.2},                    /* 8 / (10 * 4) */
    {"eligible", 0.25},                /* 2048 / (4 * 2048) */
    {"inst_per_element", 0.25},        /* 4096 / 16384 */
    {"inst_per_byte", 0.4096},         /* 4096 / 10000 */
    {"inst_rate", 4.096e8},            /* 4096 / 1e-5 */
    {"inst_reissue", 1.25},            /* 5120 / 4096 */
    {"lanes_active", 0.75},            /* 98304 / (32 * 4096) */
    {"clock_hz", 1.5e9},               /* 15000 / 10 µs */
    {"alu_share", 0.5},                /* 2048 / 4096, and so on down */
    {"fma_share", 0.25},
    {"fp16_share", 0.125},
    {"lsu_share", 0.0625},
    {"xu_share", 0.03125},
    {"tensor_share", 0.015625},
    {"tensor_active", 0.5}, /* 4096 / (4 x 2048) */
    {"uniform_share", 0.0078125},
    {"adu_share", 0.00390625},
    {"cbu_share", 0.001953125},
    {"fp64_share", 0.0009765625},
    {"tex_share", 0.00048828125},
    {"l2_over_minimal", 1.5},                      /* 15000 / 10000 */
    {"l1_over_minimal", 2},                        /* 20000 / 10000 */
    {"inst_per_dram_transaction", 13.1072},        /* 32 * 4096 / 10000 */
    {"inst_per_l2_transaction", 131072.0 / 15000}, /* 32 * 4096 = 131072 */
    {"inst_per_l1_transaction", 5.12},             /* 4096 / 800 */
    {"alu_per_element", 0.125},                    /* 2048 / 16384, and so on down */
    {"fma_per_element", 0.0625},
    {"lsu_per_element", 0.015625},
    {"xu_per_element", 0.0078125},
    {"tensor_per_element", 0.00390625},
    {"uniform_per_element", 0.001953125},
    {"adu_per_element", 0.0009765625},
    {"cbu_per_element", 0.00048828125},
    {"issue_interval", 32}, /* 32768 / 1024 */
};
enum { N_EXPECTED = sizeof EXPECTED / sizeof EXPECTED[0] };

static char stall_names[N_STALLS][48];

static struct run_result *made(struct made_run *m) {
  made_begin(m);
  m->device.sms = 10;
  m->device.warps_per_sm = 64;
  m->device.clock_max_hz = 2e9;
  made_variant(m, "made", "made", NULL);
  struct run_result *r = made_result(m, "made", (struct shape){64, 128, 2});
  r->bytes_minimal = 10000;
  r->bytes_contest = 20000;
  r->flops = 32768;
  r->n_launches = 1;
  r->launches[0] = (struct run_launch){.grid = {4, 2, 1}, .block = {32, 3, 1}, .registers = 40, .blocks_per_sm = 4};
  for (size_t i = 0; i < N_COUNTS; i++)
    made_metric(r, COUNTS[i].name, COUNTS[i].value);
  for (size_t i = 0; i < N_STALLS; i++) {
    snprintf(stall_names[i], sizeof stall_names[i], "stall_%s", STALLS[i]);
    made_metric(r, stall_names[i], 1024.0 * (double)(i + 1));
  }
  return r;
}

static void assert_close(const char *name, double got, double want) {
  if (!(fabs(got - want) <= 1e-12 * fabs(want)))
    fail_msg("%s: got %.17g, want %.17g", name, got, want);
}

struct evaluated {
  struct formulas formulas;
  struct derived *items;
  struct pool pool;
};

static void evaluate(struct evaluated *v, const struct made_run *m, const struct run_result *r, struct value time_s) {
  struct err e = {0};
  *v = (struct evaluated){0};
  if (formulas_load(&v->formulas, &e))
    fail_msg("%s", e.text);
  v->items = calloc(v->formulas.n, sizeof(*v->items));
  assert_non_null(v->items);
  struct value facts[FACTS];
  facts_of(facts, r, &m->device, time_s);
  formulas_eval(&v->formulas, r, facts, v->items, &v->pool);
}

static void evaluated_release(struct evaluated *v) {
  free(v->items);
  formulas_release(&v->formulas);
  pool_release(&v->pool);
}

static const struct derived *at(const struct evaluated *v, const char *name) {
  const struct derived *d = derived_find(v->items, v->formulas.n, name);
  if (!d)
    fail_msg("no formula %s", name);
  return d;
}

static double expected_stall(const char *name, bool *found) {
  char per_inst[64], share[64];
  for (size_t i = 0; i < N_STALLS; i++) {
    snprintf(per_inst, sizeof per_inst, "stall_%s_per_inst", STALLS[i]);
    snprintf(share, sizeof share, "stall_%s_share", STALLS[i]);
    if (strcmp(name, per_inst) == 0) /* 1024 (i+1) / 1024 */
      return (double)(i + 1);
    if (strcmp(name, share) == 0) /* 1024 (i+1) / 32768 */
      return (double)(i + 1) / 32;
  }
  *found = false;
  return 0;
}

static void test_every_shipped_formula(void **state) {
  (void)state;
  static struct made_run m;
  struct evaluated v;
  evaluate(&v, &m, made(&m), value_of(1e-5));
  /* Both ways: each expectation has its row, and each row its expectation. */
  for (size_t i = 0; i < N_EXPECTED; i++)
    at(&v, EXPECTED[i].name);
  for (size_t i = 0; i < v.formulas.n; i++) {
    const struct derived *d = &v.items[i];
    if (!d->value.present)
      fail_msg("%s: %s", d->name, d->value.reason);
    size_t k = 0;
    while (k < N_EXPECTED && strcmp(EXPECTED[k].name, d->name) != 0)
      k++;
    bool found = true;
    double want = k < N_EXPECTED ? EXPECTED[k].value : expected_stall(d->name, &found);
    if (!found)
      fail_msg("%s is new: give it a value worked out by hand", d->name);
    assert_close(d->name, d->value.v, want);
    assert_true(d->unit[0] && d->title[0] && v.formulas.items[i].hint[0]);
  }
  assert_int_equal(v.formulas.n, N_EXPECTED + 2 * N_STALLS);
  evaluated_release(&v);
}

static void assert_absent(const struct derived *d, const char *reason) {
  assert_false(d->value.present);
  assert_string_equal(d->value.reason, reason);
}

static void counter_remove(struct run_result *r, const char *name) {
  for (size_t i = 0; i < r->n_metrics; i++)
    if (strcmp(r->metrics[i].name, name) == 0)
      r->metrics[i].name = (char *)"renamed";
}

static void test_absent_input(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  counter_remove(r, "dram_write_bytes");
  counter_remove(r, "l2_sectors");
  made_absent(r, "l2_sectors", "not on this chip");
  counter_remove(r, "pipe_alu");
  made_absent(r, "pipe_alu", NULL);
  struct evaluated v;
  evaluate(&v, &m, r, value_absent("the result is wrong"));
  assert_absent(at(&v, "dram_bytes"), "dram_write_bytes was not collected");
  assert_absent(at(&v, "dram_bw"), "dram_write_bytes was not collected");
  assert_absent(at(&v, "l2_hit_rate"), "l2_sectors: not on this chip");
  assert_absent(at(&v, "alu_share"), "pipe_alu was not collected");
  assert_absent(at(&v, "l2_bw"), "time_s: the result is wrong");
  assert_true(at(&v, "l2_bytes")->value.present);
  evaluated_release(&v);
}

static void test_division_by_zero(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  counter_remove(r, "l1_load_requests");
  made_metric(r, "l1_load_requests", 0);
  struct evaluated v;
  evaluate(&v, &m, r, value_of(1e-5));
  const struct derived *d = at(&v, "sectors_per_request");
  assert_false(d->value.present);
  assert_non_null(strstr(d->value.reason, "division by zero"));
  evaluated_release(&v);
}

static void test_absent_facts(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  m.device.warps_per_sm = 0;
  r->launches[0].blocks_per_sm = 0;
  struct evaluated v;
  evaluate(&v, &m, r, value_of(1e-5));
  assert_absent(at(&v, "achieved_occupancy"), "warps_per_sm: the device description has no warps_per_sm");
  assert_absent(at(&v, "waves"), "blocks_per_sm: the driver gave no blocks per SM");
  evaluated_release(&v);
  r->n_launches = 0;
  evaluate(&v, &m, r, value_of(1e-5));
  assert_absent(at(&v, "waves"), "blocks: no launch was observed");
  evaluated_release(&v);
}

/* A conversion pass of few threads follows the kernel that does the work: 7168 blocks of 128 against 28 of 256. */
static void test_main_launch(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  struct run_launch launches[] = {
      {.grid = {28, 1, 1}, .block = {256, 1, 1}, .registers = 16, .blocks_per_sm = 8},
      {.grid = {7168, 1, 1}, .block = {128, 1, 1}, .registers = 45, .blocks_per_sm = 10},
      {.grid = {28, 1, 1}, .block = {256, 1, 1}, .registers = 16, .blocks_per_sm = 8},
  };
  r->launches = launches;
  r->n_launches = 3;
  struct value facts[FACTS];
  facts_of(facts, r, &m.device, value_of(1));
  assert_true(facts[FACT_BLOCKS].v == 7168);
  assert_true(facts[FACT_THREADS].v == 128);
  assert_true(facts[FACT_REGISTERS].v == 45);
  assert_true(facts[FACT_BLOCKS_PER_SM].v == 10);
  assert_true(facts[FACT_ELEMENTS].v == 16384);
  assert_true(facts[FACT_CLOCK_MAX_HZ].v == 2e9);
  assert_true(facts[FACT_FLOPS].v == 32768);
  assert_true(facts[FACT_BYTES_CONTEST].v == 20000);
}

static void test_facts_have_names(void **state) {
  (void)state;
  for (int f = 0; f < FACTS; f++)
    assert_non_null(fact_name((enum fact)f));
}

static void test_table_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"elements\tB\t1\tt\th\n", "t:2: 'elements' is the name of a fact"},
      {"a\tB\tb + 1\tt\th\nb\tB\t1\tt\th\n", "t:2: a uses 'b', which must stand above it"},
      {"b\tB\t1\tt\th\na\tB\ta + b\tt\th\n", "t:3: a uses 'a', which must stand above it"},
      {"b\tB\t1\tt\th\na\tB\tb + elements + c\tt\th\n", "t:3: a uses 'c', which is no counter, no fact and no formula"},
      {"a\tB\t1\ttitle\n", "t.txt:2: 4 cells"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct formulas f;
    struct err e = {0};
    char text[256];
    snprintf(text, sizeof text, "FORMULAS\n%s", cases[i].text);
    assert_int_equal(formulas_parse(&f, "t.txt", text, &e), ERR_DATA);
    if (!strstr(e.text, cases[i].message))
      fail_msg("case %zu: '%s' does not hold '%s'", i, e.text, cases[i].message);
    formulas_release(&f);
  }
}

/* A formula may use a counter that stands below it, and a fact. */
static void test_table_edges(void **state) {
  (void)state;
  struct formulas f;
  struct err e = {0};
  assert_int_equal(formulas_parse(&f, "t.txt", "", &e), 0);
  assert_int_equal(f.n, 0);
  formulas_release(&f);
  assert_int_equal(formulas_parse(&f, "t.txt", "FORMULAS\na\tB\tx * M\tt\th\nCOUNTERS\nx\tB\tx.sum\t-\tt", &e), 0);
  assert_int_equal(f.n, 1);
  assert_string_equal(f.items[0].name, "a");
  assert_int_equal(f.items[0].line, 2);
  formulas_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_shipped_formula), cmocka_unit_test(test_absent_input),
      cmocka_unit_test(test_division_by_zero),      cmocka_unit_test(test_absent_facts),
      cmocka_unit_test(test_main_launch),           cmocka_unit_test(test_facts_have_names),
      cmocka_unit_test(test_table_errors),          cmocka_unit_test(test_table_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
