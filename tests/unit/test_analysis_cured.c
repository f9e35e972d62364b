/* What a step cured: one part of the work falls, and the counts that tell its causes apart. */
#include "analysis/ladder/cured.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNTERS = 4, NOT_COUNTED = -1 };

static const struct cured_case {
  struct {
    const char *name;
    double parent, child;
  } counters[COUNTERS];
  unsigned parent_blocks, child_blocks; /* 0: 80 */
  const char *causes;                   /* "spills excess-dram-bytes " */
} CASES[] = {
    {{{"dram_read_bytes", 80e6, 40e6}, {"dram_write_bytes", 1, 1}}, 0, 0, "excess-dram-bytes "},
    {{{"dram_read_bytes", 40e6, 40e6}, {"dram_write_bytes", 40e6, 10e6}}, 0, 0, "write-back "},
    /* 3 of 80 MB are less than 5 % of all that DRAM moves; of 80, 5 are more */
    {{{"dram_read_bytes", 80e6, 77e6}, {"dram_write_bytes", 9e6, 1e6}}, 0, 0, "write-back "},
    {{{"dram_read_bytes", 80e6, 75e6}, {"dram_write_bytes", 9e6, 1e6}}, 0, 0, "write-back excess-dram-bytes "},
    {{{"dram_read_bytes", 80e6, 40e6}, {"dram_write_bytes", 1, 1}, {"local_load_sectors", 100, 0}},
     0,
     0,
     "spills excess-dram-bytes "},
    {{{"l2_read_bytes", 80e6, 40e6}}, 0, 0, "l2-rereads "},
    {{{"l2_read_bytes", 80e6, 40e6}, {"l1_load_bytes", 100, 50}, {"local_load_sectors", 9, 1}},
     0,
     0,
     "spills redundant-loads l2-rereads "},
    {{{"l2_write_bytes", 8e6, 8e6}, {"store_data_bytes", 1e6, 8e6}, {"l1_store_sectors", 25e4, 25e4}},
     0,
     0,
     "partial-sectors "},
    {{{"l1_wavefronts", 1e6, 5e5}, {"shared_wavefronts", 1e6, 5e5}, {"shared_bank_conflicts", 1e5, 1e5}},
     0,
     0,
     "shared-memory "},
    {{{"l1_wavefronts", 1e6, 5e5}, {"shared_wavefronts", 0, 0}, {"l1_load_requests", 100, 100}}, 0, 0, "uncoalesced "},
    {{{"l2_atomic_sectors", 80e3, 20e3}}, 0, 0, "atomics "},
    {{{"inst_executed", 4e6, 2e6}}, 0, 0, "issue-slots "},
    {{{"inst_executed", 4e6, 2e6}, {"pipe_xu", 1e6, 5e5}}, 0, 0, "conversions issue-slots "},
    {{{"inst_executed", 4e6, 2e6}, {"l1_load_requests", 1e6, 5e5}}, 0, 0, "redundant-loads issue-slots "},
    {{{"inst_executed", 4e6, 2e6}, {"pipe_alu", 5e5, 2e5}, {"pipe_xu", 1e5, 1e5}}, 0, 0, "decode-cost issue-slots "},
    {{{"inst_executed", 4e6, 2e6}, {"pipe_alu", 4e5, 2e5}, {"pipe_xu", 2e5, 4e5}},
     0,
     0,
     "issue-slots "}, /* decoding went from one pipe to the other */
    {{{"pipe_fp64", 16e5, 1e5}}, 0, 0, "fp64 "},
    {{{"stall_wait", 32e6, 8e6}, {"stall_selected", 0, 0}}, 0, 0, "dependent-chain "},
    {{{"stall_barrier", 32e6, 8e6}}, 0, 0, "barrier "},
    {{{"fixed_ns", 80e3, 40e3}}, 800, 80, "small-blocks "},
    {{{"sm_cycles_active_max", 2e5, 1e5}, {"l1_wavefronts", 5e5, 5e5}}, 0, 0, "imbalance "},
    {{{"fixed_ns", 80e3, 40e3}}, 80, 800, ""}, /* blocks rose */
    {{{"inst_executed", 4e6, 4e6}}, 0, 0, ""},
    {{{"inst_executed", 4e6, 2e6}, {"pipe_fp64", 2e6, NOT_COUNTED}},
     0,
     0,
     "issue-slots "}, /* what fp64 did is not known */
};

static void part_by_part(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const struct cured_case *c = &CASES[i];
    static struct made_run m;
    struct findings f;
    struct err e = {0};
    struct label l;
    char causes[256] = "";
    made_begin(&m);
    m.device.sms = 10;
    m.device.clock_max_hz = 1e9;
    made_ceiling(&m, "dram_bw", 1e12, CEILING_MEASURED);
    made_ceiling(&m, "l2_bw", 1e12, CEILING_MEASURED);
    made_ceiling(&m, "l2_write_bw", 1e12, CEILING_MEASURED);
    made_ceiling(&m, "l2_partial_sectors", 1e9, CEILING_MEASURED);
    made_ceiling(&m, "red_scattered", 1e9, CEILING_MEASURED);
    made_ceiling(&m, "rate_fp64", 64, CEILING_DATASHEET);
    for (int child = 0; child < 2; child++) {
      made_variant(&m, child ? "b" : "a", "l", child ? "a" : NULL);
      struct run_result *r = made_result(&m, child ? "b" : "a", (struct shape){128, 256, 1});
      unsigned blocks = child ? c->child_blocks : c->parent_blocks;
      *r->launches =
          (struct run_launch){.grid = {blocks ? blocks : 80, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 4};
      r->n_launches = 1;
      r->bytes_minimal = 1;
      made_metric(r, "sm_clock_hz", 1e9);
      made_metric(r, "warps_active", 32e6);
      made_metric(r, "sm_cycles_active", 1e6);
      for (int k = 0; k < COUNTERS && c->counters[k].name; k++)
        if (!child || c->counters[k].child != NOT_COUNTED)
          made_metric(r, c->counters[k].name, child ? c->counters[k].child : c->counters[k].parent);
      made_metric(r, "inst_executed", 1); /* where it is not given before */
      made_time(r, child ? 50e3 : 100e3, 5);
    }
    assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
    cured_of(&l, &f.items[0], &f.items[1], &f.rates);
    for (size_t k = 0; k < l.n_causes; k++)
      snprintf(causes + strlen(causes), sizeof causes - strlen(causes), "%s ", l.causes[k]);
    if (strcmp(causes, c->causes) != 0)
      fail_msg("case %zu: \"%s\", wanted \"%s\"", i, causes, c->causes);
    assert_string_equal(l.parent, "a");
    assert_string_equal(l.child, "b");
    assert_ptr_equal(l.at, &f.items[1]);
    findings_release(&f);
  }
}

/* Half of DRAM's bytes go; but the step tells something only where both ends have a time, these lie apart, and 5 % are gained or more. */
static void steps_that_tell_nothing(void **state) {
  (void)state;
  static const struct {
    bool parent_timed, child_timed;
    double parent_low, child_high, child_us;
    bool tells;
  } rows[] = {{true, true, 99, 91, 90, true},   {false, true, 99, 91, 90, false}, {true, false, 99, 91, 90, false},
              {true, true, 91, 91, 90, false},  {true, true, 91.1, 91, 90, true}, {true, true, 80, 91, 90, false},
              {true, true, 99, 96, 94.9, true}, {true, true, 99, 96, 95.1, false}};
  static struct made_run m;
  struct findings f;
  struct err e = {0};
  made_begin(&m);
  m.device.sms = 10;
  m.device.clock_max_hz = 1e9;
  made_ceiling(&m, "dram_bw", 1e12, CEILING_MEASURED);
  for (int child = 0; child < 2; child++) {
    made_variant(&m, child ? "b" : "a", "l", child ? "a" : NULL);
    struct run_result *r = made_result(&m, child ? "b" : "a", (struct shape){128, 256, 1});
    r->bytes_minimal = 1;
    made_metric(r, "sm_clock_hz", 1e9);
    made_metric(r, "warps_active", 32e6);
    made_metric(r, "sm_cycles_active", 1e6);
    made_metric(r, "dram_read_bytes", child ? 40e6 : 80e6);
    made_metric(r, "dram_write_bytes", 1);
    made_time(r, child ? 90e3 : 100e3, 5);
  }
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct label l;
    f.items[0].timed = rows[i].parent_timed;
    f.items[1].timed = rows[i].child_timed;
    f.items[0].time.middle = 100e-6;
    f.items[0].time.ci_low = rows[i].parent_low * 1e-6;
    f.items[1].time.ci_high = rows[i].child_high * 1e-6;
    f.items[1].time.middle = rows[i].child_us * 1e-6;
    cured_of(&l, &f.items[0], &f.items[1], &f.rates);
    if ((l.n_causes > 0) != rows[i].tells)
      fail_msg("row %zu", i);
  }
  findings_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(part_by_part), cmocka_unit_test(steps_that_tell_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
