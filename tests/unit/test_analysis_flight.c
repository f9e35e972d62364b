/* Loads under way and the least time by latency, worked out by hand. */
#include "analysis/model/finding_parts.h"
#include "analysis/model/flight.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/assert_value.h"
#include "unit/made_run.h"

static const struct shape SHAPE = {128, 256, 1};

/* 10 SMs that hold 4 blocks of 96 threads (3 warps) each, a grid of 100 blocks: 120 warps are resident.  Latencies of 40, 300 and 900 cycles
 * at 1 GHz; DRAM at 1 TB/s. */
static struct run_result *made(struct made_run *m) {
  made_begin(m);
  m->device.sms = 10;
  made_ceiling(m, "l1_latency_cycles", 40, CEILING_MEASURED);
  made_ceiling(m, "l2_latency_cycles", 300, CEILING_MEASURED);
  made_ceiling(m, "dram_latency_cycles", 900, CEILING_MEASURED);
  made_ceiling(m, "dram_bw", 1e12, CEILING_MEASURED);
  made_variant(m, "made", "made", NULL);
  struct run_result *r = made_result(m, "made", SHAPE);
  r->n_launches = 1;
  *r->launches = (struct run_launch){.grid = {100, 1, 1}, .block = {96, 1, 1}, .blocks_per_sm = 4};
  made_metric(r, "l1_load_requests", 24000);
  made_metric(r, "l1_load_sectors", 96000);
  made_metric(r, "l1_load_sectors_hit", 0);
  made_metric(r, "l2_sectors", 1000);
  made_metric(r, "l2_sectors_hit", 0);
  return r;
}

struct made_flight {
  struct findings findings;
  struct flight flight;
  struct pool pool;
};

static void make(struct made_flight *out, const struct made_run *m, const struct flight_code *code) {
  struct err e = {0};
  *out = (struct made_flight){0};
  if (findings_make(&out->findings, &m->run, &m->device, &e))
    fail_msg("%s", e.text);
  flight_of(&out->flight, &out->findings.items[0], code, &m->device, value_of(1e9), &out->pool);
}

static void release(struct made_flight *f) {
  findings_release(&f->findings);
  pool_release(&f->pool);
}

static const char none[] = "not known";
/* Two loads of 16 bytes before the first use. */
static struct flight_code two_wide_loads(void) {
  return (struct flight_code){value_of(2), value_of(32), value_absent(none)};
}

static void all_from_dram(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct flight_code code = two_wide_loads();
  struct made_flight f;
  make(&f, &m, &code);
  assert_value(f.flight.requests, 24000); /* the counter's */
  assert_value(f.flight.warps, 120);      /* 10 SMs x 4 blocks x 3 warps */
  assert_value(f.flight.warp_bytes, 1024);
  assert_value(f.flight.bytes, 122880);
  assert_value(f.flight.latency_s, 900e-9); /* nothing hits */
  assert_value(f.flight.needed_bytes, 9e5); /* 1 TB/s x 900 ns */
  assert_value(f.flight.loads_s, 90e-6);    /* 24000 / (120 x 2) = 100 batches of 900 ns */
  release(&f);
}

static void achieved_is_the_bandwidth_reached_by_the_latency(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  made_metric(r, "dram_read_bytes", 9e6);
  made_metric(r, "dram_write_bytes", 1e6);
  struct flight_code code = two_wide_loads();
  struct made_flight f;
  make(&f, &m, &code);
  assert_absent(f.flight.achieved_bytes, "time_s: there are no timing samples");
  release(&f);
  made_time(r, 20e3, 5);
  make(&f, &m, &code);
  assert_value(f.flight.achieved_bytes, 4.5e5); /* 10 MB in 20 us are 0.5 TB/s, x 900 ns */
  release(&f);
}

static void a_small_grid_has_fewer_warps(void **state) {
  (void)state;
  static struct made_run m;
  made(&m)->launches->grid[0] = 5;
  struct flight_code code = two_wide_loads();
  struct made_flight f;
  make(&f, &m, &code);
  assert_value(f.flight.warps, 15);
  release(&f);
}

static void hits_shorten_a_batch(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  r->metrics[2].value = 96000; /* every sector hits in the L1 */
  struct flight_code code = two_wide_loads();
  struct made_flight f;
  make(&f, &m, &code);
  assert_value(f.flight.latency_s, 40e-9);
  release(&f);
  /* Three quarters of the sectors hit in the L1, all others in the L2.  Of batches of two requests half wait for the L2: 40 + 1/2 x 260 = 170
   * cycles; of four each does. */
  r->metrics[2].value = 72000;
  r->metrics[4].value = 1000;
  make(&f, &m, &code);
  assert_value(f.flight.latency_s, 170e-9);
  release(&f);
  code.warp_requests = value_of(4);
  make(&f, &m, &code);
  assert_value(f.flight.latency_s, 300e-9);
  release(&f);
  /* Of 800 bytes read from the L2 DRAM serves 600, though 1000 of 1000 sectors hit there, its writes too: 300 + 3/4 x 600 = 750. */
  made_metric(r, "dram_read_bytes", 600);
  made_metric(r, "l2_read_bytes", 800);
  make(&f, &m, &code);
  assert_value(f.flight.latency_s, 750e-9);
  release(&f);
}

/* Of 480 waits 120 warps have 4 each, whatever the most loads in flight are. */
static void batches_are_what_warps_wait_for(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct flight_code code = two_wide_loads();
  code.batches = value_of(480);
  code.batches_missed = 360; /* three of four: 40 + 3/4 x 860 cycles, as nothing hits in the L2 */
  struct made_flight f;
  make(&f, &m, &code);
  assert_value(f.flight.loads_s, 2.74e-6); /* 4 x 685 ns */
  assert_true(f.flight.plain);
  release(&f);
}

/* Loads of 90 µs.  120 warps were counted waiting for 18 million cycles, 150 µs each, then for 1.2 million. */
static void no_warp_waits_longer_than_was_counted(void **state) {
  (void)state;
  static struct made_run m;
  static const struct rates none_known;
  struct run_result *r = made(&m);
  struct flight_code code = two_wide_loads();
  struct workload w = {.async_share = 0.5};
  struct made_flight f;
  made_metric(r, "stall_long_scoreboard", 18e6);
  make(&f, &m, &code);
  assert_value(f.flight.counted_s, 150e-6);
  f.flight.plain = true;
  workload_loads(&w, &f.flight, &none_known);
  assert_value(w.loads_s, 90e-6);
  assert_value(w.slow_loads, 150.0 / 90 - 1);
  f.flight.plain = false; /* half of the bytes come by copies */
  workload_loads(&w, &f.flight, &none_known);
  assert_value(w.loads_s, 45e-6);
  f.flight.counted_s = value_of(10e-6);
  workload_loads(&w, &f.flight, &none_known);
  assert_value(w.loads_s, 10e-6);
  assert_value(w.slow_loads, 0);
  f.flight.counted_s = value_absent(none);
  workload_loads(&w, &f.flight, &none_known);
  assert_value(w.loads_s, 45e-6);
  assert_absent(w.slow_loads, none);
  release(&f);
}

/* Of a stay at three servers that work half of the time: 0.5 / (0.5 + 0.5^(sqrt(8) - 1) / 6), of which the power is 0.28157. */
static const double NO_QUEUE = 0.914196159238;

/* 100 µs of loads, 200 µs counted, and a warp that is resident for 250 µs.  An L1 that is busy for 125 µs of them, half of the time, makes a queue, of which
 * NO_QUEUE is none; busy all the time, it explains all that is beyond 100 µs.  Busy issue slots explain nothing.  How long warps are resident is the
 * sum of what they do where it was not counted: with 50 µs of its own instructions as long. */
static void a_queue_is_not_the_loads_own(void **state) {
  (void)state;
  struct rates r = {.sms = 1};
  struct flight fl = {
      .loads_s = value_of(100e-6), .counted_s = value_of(200e-6), .resident_s = value_of(250e-6), .plain = true};
  struct workload w = {.inst = value_of(1e6),
                       .l1_wavefronts = value_of(125e3),
                       .clock_hz = value_of(1e9),
                       .balance = 1,
                       .own_issue_s = value_of(50e-6)};
  workload_loads(&w, &fl, &r);
  assert_value(w.slow_loads, NO_QUEUE);
  fl.resident_s = value_absent("not counted");
  workload_loads(&w, &fl, &r);
  assert_value(w.slow_loads, NO_QUEUE);
  w.l1_wavefronts = value_of(260e3);
  workload_loads(&w, &fl, &r);
  assert_value(w.slow_loads, 0);
  w.l1_wavefronts = value_of(0);
  workload_loads(&w, &fl, &r);
  assert_value(w.slow_loads, 1);
  fl.loads_s = value_of(0);
  workload_loads(&w, &fl, &r);
  assert_absent(w.slow_loads, "no load is waited for");
}

/* Of 100 us that a warp waits for its own instructions and at its end, 60 are at its end.  Atomics that take half of the 200 us that it is resident make a queue of
 * which NO_QUEUE is none; atomics that take all of them, all of it; none, nothing. */
static void ends_queue_for_atomics(void **state) {
  (void)state;
  struct rates r = {.sms = 1};
  struct flight fl = {.ends_s = value_of(60e-6), .resident_s = value_of(200e-6)};
  struct workload w = {.dependencies_s = value_of(100e-6), .atomic_sectors = value_of(1e5), .balance = 1};
  r.of[RATE_ATOMIC_SECTORS].value = 1e9;
  workload_loads(&w, &fl, &r);
  assert_value(w.dependencies_s, 40e-6 + NO_QUEUE * 60e-6);
  w = (struct workload){.dependencies_s = value_of(100e-6), .atomic_sectors = value_of(3e5), .balance = 1};
  workload_loads(&w, &fl, &r);
  assert_value(w.dependencies_s, 40e-6);
  w = (struct workload){.dependencies_s = value_of(100e-6), .atomic_sectors = value_of(0), .balance = 1};
  workload_loads(&w, &fl, &r);
  assert_value(w.dependencies_s, 100e-6);
  fl.resident_s = value_absent(none);
  w.atomic_sectors = value_of(1e5);
  workload_loads(&w, &fl, &r);
  assert_value(w.dependencies_s, 100e-6);
  w.dependencies_s = value_absent(none);
  workload_loads(&w, &fl, &r);
  assert_absent(w.dependencies_s, none);
}

/* 24000 requests of 120 warps, each waited for by itself for 900 ns: 180 us at most.  Of 90 us counted all are waits; of 270 us the 90 beyond
 * these are slow ones.  Half of the path's time busy, NO_QUEUE of 90 us are waits, and of the rest the same part of what is left. */
static void counted_waits_stand_in_for_the_code(void **state) {
  (void)state;
  static struct made_run m;
  static const struct rates none_known;
  struct run_result *r = made(&m);
  struct flight_code code = two_wide_loads();
  struct workload w = {0};
  struct made_flight f;
  code.warp_requests = value_absent(none);
  made_metric(r, "stall_long_scoreboard", 90e-6 * 120 * 1e9);
  make(&f, &m, &code);
  assert_value(f.flight.alone_s, 180e-6);
  workload_loads(&w, &f.flight, &none_known);
  assert_value(w.loads_s, 90e-6);
  f.flight.counted_s = value_of(270e-6);
  workload_loads(&w, &f.flight, &none_known);
  assert_value(w.loads_s, 180e-6);
  assert_value(w.slow_loads, 0.5);
  f.flight.counted_s = value_of(90e-6);
  f.flight.resident_s = value_of(250e-6);
  w = (struct workload){.l1_wavefronts = value_of(125e3), .clock_hz = value_of(1e9), .balance = 1};
  workload_loads(&w, &f.flight, &(struct rates){.sms = 1});
  assert_value(w.loads_s, NO_QUEUE * 90e-6);
  assert_value(w.slow_loads, 1 - NO_QUEUE);
  release(&f);
}

/* Which loads a warp waits for together: an executed count and the sectors of each line; -1: it asks for none. */
struct batched {
  const char *lines[8];
  double executed[8], sectors[8];
  double batches, missed, spread;
};

static void batches_are(const struct batched *b) {
  struct run_instruction insts[8];
  struct run_count counts[8];
  struct run_kernel kernel = {.name = (char *)"made", .sass = insts};
  for (; kernel.n_sass < 8 && b->lines[kernel.n_sass]; kernel.n_sass++) {
    size_t i = kernel.n_sass;
    insts[i] = (struct run_instruction){.offset = (uint32_t)(16 * i), .text = (char *)(size_t)b->lines[i]};
    counts[i] = (struct run_count){.offset = (uint32_t)(16 * i),
                                   .executed = b->executed[i],
                                   .global_sectors = b->sectors[i],
                                   .global_sectors_ideal = b->sectors[i] / b->spread};
  }
  struct run_module module = {.kernels = &kernel, .n_kernels = 1};
  struct run run = {.modules = &module, .n_modules = 1};
  struct run_result r = {.counts = counts, .n_counts = kernel.n_sass};
  struct flight_code code;
  flight_code_of(&code, &run, &r, "made", 0.25);
  assert_value(code.batches, b->batches);
  assert_float_equal(code.batches_missed, b->missed, 1e-12);
  assert_float_equal(code.sectors_spread, b->spread, 1e-12);
}

/* Of four requests one misses. */
static void batches_of_a_kernel(void **state) {
  (void)state;
  /* Two loads before the first use, executed 10 times, of 16 and 2 sectors, so of 18/16 requests; a third that waits alone, 30 times in its loop. */
  batches_are(&(struct batched){{"LDG.E R4, [R2.64]", "LDG.E R5, [R2.64+0x10]", "FADD R4, R4, R5",
                                 "LDG.E R6, [R2.64+0x20]", "FADD R4, R4, R6", "@P0 BRA 0x30", "EXIT"},
                                {10, 10, 10, 30, 30, 30, 10},
                                {160, 20, -1, 60, -1, -1, -1},
                                40,
                                10 * 0.25 * 18 / 16 + 30 * 0.25,
                                3});
  /* A load for the loop's next turn: it and the one before the loop are waited for at the loop's first instruction. */
  batches_are(
      &(struct batched){{"LDG.E R4, [R2.64]", "FADD R5, R5, R4", "LDG.E R4, [R2.64+0x10]", "@P0 BRA 0x10", "EXIT"},
                        {10, 40, 40, 40, 10},
                        {40, -1, 160, -1, -1},
                        50,
                        50 * 0.25,
                        2});
  /* Two that nothing in their loop waits for are one; one of another loop, or that waits for its own address, begins anew. */
  batches_are(&(struct batched){{"LDG.E R4, [R2.64]", "LDG.E R5, [R2.64+0x10]", "@P0 BRA 0x0", "LDG.E R6, [R8.64]",
                                 "LDG.E R7, [R6.64]", "FADD R5, R5, R7", "EXIT"},
                                {20, 20, 20, 5, 5, 5, 5},
                                {80, 80, -1, 20, 20, -1, -1},
                                20 + 5 + 5,
                                20 * 0.25 * 2 + 10 * 0.25,
                                1});
  /* An atomic operation that gives back a value is a load of one request; what shared memory gives, what gives nothing, and what
   * never ran are none. */
  batches_are(
      &(struct batched){{"LDG.E R4, [R2.64]", "ATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R5", "ATOMS.ADD R7, [R9], R8",
                         "RED.E.ADD.STRONG.GPU [R2.64], R5", "IADD3 R6, R6, R7, RZ", "EXIT"},
                        {0, 10, 10, 10, 10, 10},
                        {-1, -1, -1, -1, -1, -1},
                        10,
                        10 * 0.25,
                        1});
}

static void exact_counts_go_before_the_counter(void **state) {
  (void)state;
  static struct made_run m;
  made(&m);
  struct flight_code code = two_wide_loads();
  code.requests = value_of(240);
  struct made_flight f;
  make(&f, &m, &code);
  assert_value(f.flight.loads_s, 0.9e-6);
  release(&f);
}

/* 120 warps issue for 120,000 cycles in all and wait for 240,000 + 60,000 + 30,000: 1 us and 2.75 us each, beside the loads' 90 us. */
static void a_warps_own_waits_are_added(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  made_metric(r, "stall_selected", 120000);
  made_metric(r, "stall_wait", 240000);
  made_metric(r, "stall_no_instruction", 60000);
  made_metric(r, "stall_membar", 30000);
  struct flight_code code = two_wide_loads();
  struct made_flight f;
  make(&f, &m, &code);
  assert_value(f.flight.issues_s, 1e-6);
  assert_value(f.flight.waits_s, 2.75e-6);
  assert_value(f.flight.loads_s, 90e-6);
  release(&f);
}

/* A mean of 8 resident warps an SM while it works, though 12 would fit. */
static void the_mean_goes_before_what_would_fit(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  made_metric(r, "warps_active", 8000);
  made_metric(r, "sm_cycles_active", 1000);
  struct flight_code code = two_wide_loads();
  struct made_flight f;
  make(&f, &m, &code);
  assert_value(f.flight.warps, 80);
  release(&f);
}

static void what_is_missing_is_named(void **state) {
  (void)state;
  static struct made_run m;
  struct run_result *r = made(&m);
  r->launches->blocks_per_sm = 0;
  struct flight_code code = two_wide_loads();
  struct made_flight f;
  make(&f, &m, &code);
  assert_absent(f.flight.warps, "the blocks that an SM holds are not known");
  assert_absent(f.flight.loads_s, "the blocks that an SM holds are not known");
  release(&f);
  r->launches->blocks_per_sm = 4;
  m.device.n_ceilings = 2;
  make(&f, &m, &code);
  assert_absent(f.flight.latency_s, "no dram_latency_cycles is known for this device");
  release(&f);
  m.device.n_ceilings = 4;
  code.warp_requests = value_absent(none);
  make(&f, &m, &code);
  assert_absent(f.flight.loads_s, none);
  release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_from_dram),
      cmocka_unit_test(achieved_is_the_bandwidth_reached_by_the_latency),
      cmocka_unit_test(a_small_grid_has_fewer_warps),
      cmocka_unit_test(hits_shorten_a_batch),
      cmocka_unit_test(batches_are_what_warps_wait_for),
      cmocka_unit_test(no_warp_waits_longer_than_was_counted),
      cmocka_unit_test(a_queue_is_not_the_loads_own),
      cmocka_unit_test(ends_queue_for_atomics),
      cmocka_unit_test(counted_waits_stand_in_for_the_code),
      cmocka_unit_test(batches_of_a_kernel),
      cmocka_unit_test(exact_counts_go_before_the_counter),
      cmocka_unit_test(a_warps_own_waits_are_added),
      cmocka_unit_test(the_mean_goes_before_what_would_fit),
      cmocka_unit_test(what_is_missing_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
