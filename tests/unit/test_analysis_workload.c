/* What a launch's work is, by its counters, and what each part of it costs, worked out by hand. */
#include "analysis/model/finding.h"
#include "analysis/model/finding_parts.h"
#include "analysis/model/findings.h"
#include "analysis/model/resources.h"
#include "unit/made_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

/* --- the work --- */

struct counted {
  struct run_variant variant;
  struct run_result result;
  struct run_metric metrics[16];
  struct finding finding;
  struct flight_code code;
  struct workload work;
};

static void begin(struct counted *x) {
  memset(x, 0, sizeof *x);
  x->variant.id = (char *)"k";
  x->result.metrics = x->metrics;
  x->finding.variant = &x->variant;
  x->finding.result = &x->result;
  x->code.sectors_spread = 1;
}

static void count(struct counted *x, const char *name, double value) {
  size_t i = 0;
  while (i < x->result.n_metrics && strcmp(x->metrics[i].name, name) != 0)
    i++;
  x->metrics[i] = (struct run_metric){.name = (char *)name, .present = true, .value = value};
  x->result.n_metrics += i == x->result.n_metrics;
}

static const struct workload *work(struct counted *x) {
  struct pool pool = {0};
  workload_of(&x->work, &x->finding, &x->code, value_of(1e9), &pool);
  pool_release(&pool); /* reasons alone */
  return &x->work;
}

static void assert_near(double got, double wanted) {
  if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
    fail_msg("%.12g is not %.12g", got, wanted);
}

static void nothing_was_counted(void **state) {
  struct counted x;
  const struct workload *w = &x.work;
  (void)state;
  begin(&x);
  work(&x);
  assert_false(w->inst.present || w->l2_read.present || w->empty_s.present || w->barriers_s.present);
  assert_false(w->blocks.present || w->warps_per_block.present || w->smem_block.present || w->blocks_per_sm.present);
  assert_near(w->launches, 1);
  assert_near(w->balance, 1);
  assert_near(w->atomic_lanes, 1);
  assert_near(w->atomic_bursts, 1);
  assert_near(w->sectors_spread, 1);
  assert_near(w->read_fill, 0);
  assert_near(w->write_fill, 0);
  assert_near(w->partial_share, 0);
  assert_near(w->async_share, 0);
  assert_near(w->wide_share, 0);
}

/* Sectors of 32 bytes in a request, one to four. */
static void sectors_of_a_request(void **state) {
  static const double rows[][3] = {{640, 10, 2}, {5, 10, 1}, {1280, 10, 4}, {2560, 10, 4}, {0, 10, 0}, {640, 0, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct counted x;
    begin(&x);
    count(&x, "l2_read_bytes", rows[i][0]);
    count(&x, "l2_read_requests", rows[i][1]);
    count(&x, "l2_write_bytes", rows[i][0]);
    assert_near(work(&x)->read_fill, rows[i][2]);
    assert_near(x.work.write_fill, 0); /* its requests were not counted */
    count(&x, "l2_write_requests", rows[i][1]);
    assert_near(work(&x)->write_fill, rows[i][2]);
  }
}

/* 1,200 sectors that the L2 worked on, of which 800 were sent in 200 requests: the others crossed
 * to its other half. */
static void sectors_of_atomic_operations(void **state) {
  struct counted x;
  (void)state;
  begin(&x);
  count(&x, "l2_atomic_sectors", 1200);
  assert_near(work(&x)->atomic_sent.v, 1200); /* what was sent is not known */
  assert_near(x.work.atomic_fill, 0);
  count(&x, "reduction_sectors", 500);
  count(&x, "atomic_sectors", 300);
  count(&x, "l2_reduction_requests", 150);
  count(&x, "l2_atomic_requests", 50);
  assert_near(work(&x)->atomic_sent.v, 800);
  assert_near(x.work.atomic_sectors.v, 1200);
  assert_near(x.work.atomic_fill, 4);
  count(&x, "l2_atomic_requests", 850); /* another launch's */
  assert_near(work(&x)->atomic_fill, 0);
  count(&x, "reduction_sectors", 1100);
  assert_near(work(&x)->atomic_sent.v, 1200);
}

/* 4-byte operations: 64 of reductions in 16 sectors, and 36 of atomic operations in 4. */
static void lanes_of_atomic_operations(void **state) {
  struct counted x;
  (void)state;
  begin(&x);
  count(&x, "reduction_data_bytes", 256);
  count(&x, "reduction_sectors", 16);
  assert_near(work(&x)->atomic_lanes, 4);
  assert_near(x.work.atomic_bursts, 1);
  count(&x, "atomic_data_bytes", 144);
  count(&x, "atomic_sectors", 4);
  assert_near(work(&x)->atomic_lanes, 5);
  count(&x, "reduction_sectors", 0);
  count(&x, "atomic_sectors", 0);
  assert_near(work(&x)->atomic_lanes, 1);
  count(&x, "reduction_sectors", 200); /* more requests than words: lanes that met in one */
  assert_near(work(&x)->atomic_lanes, 1);
  assert_near(x.work.atomic_bursts, 200.0 / 64);
  count(&x, "reduction_data_bytes", 4);
  assert_near(work(&x)->atomic_bursts, 200);
  count(&x, "reduction_data_bytes", 12); /* three words of one sector */
  count(&x, "reduction_sectors", 1);
  count(&x, "atomic_data_bytes", 0);
  assert_near(work(&x)->atomic_lanes, 3);
  count(&x, "reduction_data_bytes", 0);
  assert_near(work(&x)->atomic_bursts, 1);
}

static void how_the_sms_share_it(void **state) {
  struct counted x;
  (void)state;
  begin(&x);
  count(&x, "sm_balance", 0.75);
  assert_near(work(&x)->balance, 0.75);
  count(&x, "sm_balance", 0);
  assert_near(work(&x)->balance, 1);
}

static void copies_past_the_registers(void **state) {
  struct counted x;
  (void)state;
  begin(&x);
  x.code.async_copies = 1;
  x.code.global_loads = 3;
  assert_near(work(&x)->async_share, 0.25);
  x.code.bulk_copies = 1; /* of 512 bytes 4 sectors that missed the L1 */
  count(&x, "l2_read_bytes", 512);
  count(&x, "l1_load_sectors", 10);
  count(&x, "l1_load_sectors_hit", 6);
  assert_near(work(&x)->async_share, 0.75);
  count(&x, "l1_load_sectors", 100);
  assert_near(work(&x)->async_share, 0);
  count(&x, "l1_load_sectors", 6);
  count(&x, "l2_read_bytes", 1); /* all of one */
  assert_near(work(&x)->async_share, 1);
  count(&x, "l2_read_bytes", 0);
  assert_near(work(&x)->async_share, 0);
}

static void parts_of_what_was_counted(void **state) {
  struct counted x;
  (void)state;
  begin(&x);
  count(&x, "store_data_bytes", 80);
  count(&x, "l1_store_sectors", 10); /* 8 of 32 bytes */
  assert_near(work(&x)->partial_share, 0.75);
  count(&x, "l2_write_bytes", 960); /* 30 sectors, 20 of them local memory's, which are whole */
  assert_near(work(&x)->partial_share, 0.75);
  count(&x, "local_store_sectors", 20);
  assert_near(work(&x)->partial_share, 0.25);
  count(&x, "l2_write_bytes", 300); /* fewer than are global: some were merged */
  assert_near(work(&x)->partial_share, 0.75);
  count(&x, "store_data_bytes", 640);
  assert_near(work(&x)->partial_share, 0);
  count(&x, "pipe_fmaheavy", 8);
  x.code.wide_products = 2;
  assert_near(work(&x)->wide_share, 0.25);
  x.code.wide_products = 16;
  assert_near(work(&x)->wide_share, 1);
  count(&x, "fixed_ns", 2500);
  assert_near(work(&x)->empty_s.v, 2.5e-6);
  count(&x, "l1_wavefronts", 100);
  count(&x, "shared_wavefronts", 10);
  x.code.shared_wavefronts = 30; /* which counters miss 20 of */
  assert_near(work(&x)->l1_wavefronts.v, 120);
  x.code.shared_wavefronts = 5;
  assert_near(work(&x)->l1_wavefronts.v, 100);
  x.code.sectors_spread = 4;
  count(&x, "l1_hit_rate", 0.5);
  assert_near(work(&x)->sectors_spread, 2);
  count(&x, "l1_hit_rate", 0.9);
  assert_near(work(&x)->sectors_spread, 1);
}

static void what_was_launched(void **state) {
  struct run_launch launch = {.grid = {7, 2, 1}, .block = {96, 1, 1}, .smem_static = 100, .smem_dynamic = 24};
  struct counted x;
  (void)state;
  begin(&x);
  x.finding.launch = &launch;
  x.result.n_launches = 3;
  work(&x);
  assert_near(x.work.launches, 3);
  assert_near(x.work.blocks.v, 14);
  assert_near(x.work.warps_per_block.v, 3);
  assert_near(x.work.smem_block.v, 124);
  assert_false(x.work.blocks_per_sm.present);
  launch.blocks_per_sm = 1;
  launch.block[0] = 97; /* a fourth warp of one lane */
  work(&x);
  assert_near(x.work.blocks_per_sm.v, 1);
  assert_near(x.work.warps_per_block.v, 4);
  launch.grid[0] = launch.block[0] = 0; /* an import */
  work(&x);
  assert_false(x.work.blocks.present || x.work.warps_per_block.present);
}

/* 100 resident warps at 1 GHz: a million cycles of all of them are 10 us of each. */
static void waits_of_a_resident_warp(void **state) {
  struct counted x;
  (void)state;
  begin(&x);
  x.finding.bounds.flight.warps = value_of(100);
  x.finding.bounds.flight.waits_s = value_of(1e-6);
  x.finding.bounds.flight.issues_s = value_of(3e-6);
  count(&x, "stall_barrier", 1e6);
  work(&x);
  assert_near(x.work.warps.v, 100);
  assert_near(x.work.barriers_s.v, 10e-6);
  assert_near(x.work.dependencies_s.v, 1e-6);
  assert_near(x.work.own_issue_s.v, 3e-6);
  count(&x, "stall_gmma", 2e5);
  assert_near(work(&x)->dependencies_s.v, 3e-6);
  x.finding.bounds.flight.warps = value_of(0);
  assert_near(work(&x)->dependencies_s.v, 1e-6);
  assert_false(x.work.barriers_s.present);
  x.finding.bounds.flight.warps = value_absent("unknown");
  assert_false(work(&x)->barriers_s.present);
}

/* Shares of peaks alone: what the busiest of two or more units leaves of 10 us is waiting. */
static void shares_of_peaks(void **state) {
  struct counted x;
  (void)state;
  begin(&x);
  x.finding.timed = true;
  x.finding.time.middle = 10e-6;
  count(&x, "peak_dram", 0.75);
  work(&x);
  assert_near(x.work.at_peak_s[BOUND_DRAM].v, 7.5e-6);
  assert_false(x.work.at_peak_s[BOUND_LATENCY].present);
  count(&x, "peak_issue", 0.5);
  work(&x);
  assert_near(x.work.at_peak_s[BOUND_ISSUE].v, 5e-6);
  assert_near(x.work.at_peak_s[BOUND_LATENCY].v, 2.5e-6);
  count(&x, "peak_dram", 1);
  assert_false(work(&x)->at_peak_s[BOUND_LATENCY].present);
  x.finding.timed = false;
  assert_false(work(&x)->at_peak_s[BOUND_ISSUE].present);
}

/* --- what it costs --- */

/* 1 us of a launch, 10 ns a block of 8 warps or fewer and 40 ns of 32. */
static void an_empty_kernel(void **state) {
  struct rates r = {
      .of = {[RATE_LAUNCH] = {.value = 1000}, [RATE_BLOCKS] = {.value = 1e8}, [RATE_BLOCKS_LARGE] = {.value = 2.5e7}}};
  struct workload w = {
      .launches = 1, .blocks = value_of(1000), .warps_per_block = value_of(8), .empty_s = value_absent("not timed")};
  (void)state;
  assert_near(resource_empty_s(&w, &r).v, 11e-6);
  w.warps_per_block.v = 2;
  assert_near(resource_empty_s(&w, &r).v, 11e-6);
  w.warps_per_block.v = 20; /* half way */
  assert_near(resource_empty_s(&w, &r).v, 26e-6);
  w.warps_per_block.v = 32;
  assert_near(resource_empty_s(&w, &r).v, 41e-6);
  w.launches = 2;
  assert_near(resource_empty_s(&w, &r).v, 42e-6);
  r.of[RATE_BLOCKS_LARGE].value = 0;
  assert_near(resource_empty_s(&w, &r).v, 12e-6);
  r.of[RATE_LAUNCH].value = 0;
  assert_false(resource_empty_s(&w, &r).present);
  r.of[RATE_LAUNCH].value = 1000;
  r.of[RATE_BLOCKS].value = 0;
  assert_false(resource_empty_s(&w, &r).present);
  r.of[RATE_BLOCKS].value = 1e8;
  w.blocks.present = false;
  assert_false(resource_empty_s(&w, &r).present);
}

/* 500 cycles of DRAM and 250 of the L2 at 1 GHz.  Later launches find what the L2 kept. */
static void first_and_last_bytes(void **state) {
  struct rates r = {.clock_max_hz = 1e9,
                    .of = {[RATE_DRAM_LATENCY] = {.value = 500}, [RATE_L2_LATENCY] = {.value = 250}}};
  struct workload w = {.launches = 1, .l2_read = value_absent(""), .dram_read = value_absent("")};
  struct value (*ramp)(const struct workload *, const struct rates *) = resource_rows[RESOURCE_RAMP].seconds;
  (void)state;
  assert_near(ramp(&w, &r).v, 0.5e-6);
  w.launches = 3;
  assert_near(ramp(&w, &r).v, 1.5e-6);
  w.l2_read = value_of(1e6);
  assert_near(ramp(&w, &r).v, 1.5e-6);
  w.dram_read = value_of(5e5); /* half comes from DRAM: 375 cycles in the mean */
  assert_near(ramp(&w, &r).v, 1.25e-6);
  w.dram_read = value_of(0);
  assert_near(ramp(&w, &r).v, 1e-6);
  w.l2_kept = true; /* the first finds what the program left there, too */
  assert_near(ramp(&w, &r).v, 0.75e-6);
  w.l2_kept = false;
  w.dram_read = value_of(3e6); /* no more than all */
  assert_near(ramp(&w, &r).v, 1.5e-6);
  r.of[RATE_L2_LATENCY].value = 0;
  w.dram_read = value_of(0);
  assert_near(ramp(&w, &r).v, 1.5e-6);
  w.l2_read = value_of(0);
  assert_near(ramp(&w, &r).v, 0);
  w.l2_read = value_absent("");
  r.of[RATE_DRAM_LATENCY].value = 1;
  w.launches = 1;
  assert_near(ramp(&w, &r).v, 1e-9);
  r.of[RATE_DRAM_LATENCY].value = 0;
  assert_false(ramp(&w, &r).present);
  r.of[RATE_DRAM_LATENCY].value = 500;
  r.clock_max_hz = 0;
  assert_false(ramp(&w, &r).present);
}

/* 2e6 sectors at 2 TB/s take 32 us in requests of two and more, 16 ns a thousand.  2.5e10 single ones a second are 40 ns a thousand; of requests of 1.25
 * three in four are single: (3 x 40 + 2 x 16) / 5 ns a thousand. */
static void sectors_by_the_request(void **state) {
  struct rates r = {.of = {[RATE_L2_READ] = {.value = 2e12}, [RATE_L2_LINES] = {.value = 2.5e10}}};
  struct workload w = {.l2_read = value_of(64e6), .read_fill = 4};
  struct value (*read)(const struct workload *, const struct rates *) = resource_rows[RESOURCE_L2_READ].seconds;
  (void)state;
  assert_near(read(&w, &r).v, 32e-6);
  w.read_fill = 0; /* unknown */
  assert_near(read(&w, &r).v, 32e-6);
  w.read_fill = 1;
  assert_near(read(&w, &r).v, 80e-6);
  w.read_fill = 2;
  assert_near(read(&w, &r).v, 32e-6);
  w.read_fill = 1.25;
  assert_near(read(&w, &r).v, 60.8e-6);
  r.of[RATE_L2_LINES].value = 0;
  assert_near(read(&w, &r).v, 32e-6);
  static const double faster[] = {1e12, 8e10}; /* singles cannot be */
  for (size_t i = 0; i < 2; i++) {
    r.of[RATE_L2_LINES].value = faster[i];
    assert_near(read(&w, &r).v, 32e-6);
  }
}

/* --- roofs and warps --- */

static void no_fp32_roof_without_its_rate(void **state) {
  static struct ceiling ceilings[] = {{(char *)"rate_issue", (char *)"inst/cycle/SM", 4, CEILING_DATASHEET, NULL}};
  struct device d = {.sms = 10, .clock_max_hz = 1e9, .ceilings = ceilings, .n_ceilings = 1};
  (void)state;
  assert_false(roof_fp32(&d).present);
}

/* Of a library's kernel the blocks that an SM holds are not known: the warps that were counted stand. */
static void warps_that_are_resident(void **state) {
  struct device d = {.sms = 10};
  struct run_launch launch = {.grid = {1000, 1, 1}, .block = {256, 1, 1}};
  struct counted x;
  struct flight flight;
  struct pool pool = {0};
  (void)state;
  begin(&x);
  x.finding.launch = &launch;
  count(&x, "warps_active", 640);
  count(&x, "sm_cycles_active", 20);
  flight_of(&flight, &x.finding, &x.code, &d, value_of(1e9), &pool);
  assert_near(flight.warps.v, 320);
  launch.blocks_per_sm = 2; /* 10 x 2 blocks of 8 warps are 160 at most */
  flight_of(&flight, &x.finding, &x.code, &d, value_of(1e9), &pool);
  assert_near(flight.warps.v, 160);
  launch.grid[0] = 5;
  flight_of(&flight, &x.finding, &x.code, &d, value_of(1e9), &pool);
  assert_near(flight.warps.v, 40);
  pool_release(&pool);
}

/* Two loads of 64 and 16 sectors, that 16 and 4 would do for; what other kernels and modules count is not theirs. */
static void sectors_over_the_least(void **state) {
  static struct run_instruction sass[] = {{.offset = 0, .text = (char *)"LDG.E R4, desc[UR4][R2.64]"},
                                          {.offset = 16, .text = (char *)"LDG.E R5, desc[UR4][R6.64]"},
                                          {.offset = 32, .text = (char *)"EXIT"}};
  struct run_kernel kernel = {.name = (char *)"k", .sass = sass, .n_sass = 3};
  struct run_module modules[] = {{.kernels = &kernel, .n_kernels = 1}, {.n_kernels = 0}};
  struct run_count counts[] = {
      {.module = 0, .kernel = 0, .offset = 0, .executed = 1, .global_sectors = 64, .global_sectors_ideal = 16},
      {.module = 0, .kernel = 0, .offset = 16, .executed = 1, .global_sectors = 16, .global_sectors_ideal = 4},
      {.module = 1, .kernel = 0, .offset = 0, .executed = 1, .global_sectors = 900, .global_sectors_ideal = 1},
      {.module = 0, .kernel = 1, .offset = 0, .executed = 1, .global_sectors = 900, .global_sectors_ideal = 1},
      {.module = 0, .kernel = 0, .offset = 16, .executed = 1, .global_sectors = -1, .global_sectors_ideal = 1}};
  struct run run = {.modules = modules, .n_modules = 2};
  struct run_result result = {.module = 0, .counts = counts, .n_counts = 5};
  struct flight_code code;
  (void)state;
  flight_code_of(&code, &run, &result, "k", 1);
  assert_near(code.sectors_spread, 4);
  counts[0].global_sectors = 16;
  counts[1].global_sectors = 4;
  flight_code_of(&code, &run, &result, "k", 1);
  assert_near(code.sectors_spread, 1);
}

/* --- findings --- */

static void a_bounds_share_is_of_the_measured_time(void **state) {
  struct made_run m;
  struct findings f;
  struct run_result *r;
  (void)state;
  made_begin(&m);
  m.device.sms = 10;
  m.device.clock_max_hz = 1e9;
  made_ceiling(&m, "rate_alu", 64, CEILING_DATASHEET);
  made_variant(&m, "k", "l", NULL);
  r = made_result(&m, "k", (struct shape){128, 256, 1});
  made_time(r, 100e3, 5);
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "pipe_alu", 1e6); /* 1e6 x 32 lanes / 64 / 10 SMs: 50 us */
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_true(f.items[0].timed);
  assert_int_equal(f.items[0].bounds.binding, BOUND_ALU);
  assert_near(f.items[0].bounds.share.v, 0.5);
  findings_release(&f);
  made_time(r, 0, 5); /* no time at all is no time */
  assert_int_equal(findings_make(&f, &m.run, &m.device, NULL), 0);
  assert_false(f.items[0].timed);
  assert_false(f.items[0].bounds.share.present);
  findings_release(&f);
}

/* A rate above the memory's is doubted where the bytes are more than what a range holds besides its kernel. */
static void a_rate_of_few_bytes_is_not_doubted(void **state) {
  static struct ceiling bandwidth = {(char *)"dram_bw", (char *)"B/s", 1e12, CEILING_DATASHEET, NULL};
  struct device d = {.ceilings = &bandwidth, .n_ceilings = 1};
  struct derived moved = {.name = "dram_bw", .value = {true, 2e12, NULL}};
  struct run run = {0};
  struct pool pool = {0};
  struct counted x;
  (void)state;
  begin(&x);
  x.finding.derived = &moved;
  x.finding.n_derived = 1;
  x.finding.dram_bytes = value_of(1e5);
  doubts_of(&x.finding, &(const struct flight_code){0}, &run, &d, &pool);
  assert_int_equal(x.finding.n_doubts, 0);
  x.finding.dram_bytes = value_of(1e7);
  doubts_of(&x.finding, &(const struct flight_code){0}, &run, &d, &pool);
  assert_int_equal(x.finding.n_doubts, 1);
  assert_string_equal(x.finding.doubts[0], "DRAM bandwidth is 2 TB/s, 200 % of the memory's peak");
  x.finding.dram_bytes = (struct value){.v = 1e7, .reason = "not counted"};
  doubts_of(&x.finding, &(const struct flight_code){0}, &run, &d, &pool);
  assert_int_equal(x.finding.n_doubts, 0);
  pool_release(&pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_was_counted),
      cmocka_unit_test(sectors_of_a_request),
      cmocka_unit_test(lanes_of_atomic_operations),
      cmocka_unit_test(sectors_of_atomic_operations),
      cmocka_unit_test(how_the_sms_share_it),
      cmocka_unit_test(copies_past_the_registers),
      cmocka_unit_test(parts_of_what_was_counted),
      cmocka_unit_test(what_was_launched),
      cmocka_unit_test(waits_of_a_resident_warp),
      cmocka_unit_test(shares_of_peaks),
      cmocka_unit_test(an_empty_kernel),
      cmocka_unit_test(first_and_last_bytes),
      cmocka_unit_test(sectors_by_the_request),
      cmocka_unit_test(no_fp32_roof_without_its_rate),
      cmocka_unit_test(warps_that_are_resident),
      cmocka_unit_test(sectors_over_the_least),
      cmocka_unit_test(a_bounds_share_is_of_the_measured_time),
      cmocka_unit_test(a_rate_of_few_bytes_is_not_doubted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
