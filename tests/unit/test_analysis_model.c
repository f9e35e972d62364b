/* The model of time against numbers worked out by hand: each resource by itself, how they combine, the shares, what-ifs. */
#include "analysis/model/time_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A chip of round numbers: 100 SMs at 1 GHz, 1 TB/s of DRAM (0.8 of a copy, 0.5 by plain loads), 2 and 1 TB/s of L2, DRAM after 500 cycles. */
static struct ceiling CEILINGS[] = {
    {"dram_bulk_bw", "B/s", 1e12, CEILING_MEASURED, "made"},
    {"dram_load_bw", "B/s", 0.5e12, CEILING_MEASURED, "made"},
    {"dram_copy_bw", "B/s", 0.8e12, CEILING_MEASURED, "made"},
    {"l2_bw", "B/s", 2e12, CEILING_MEASURED, "made"},
    {"l2_write_bw", "B/s", 1e12, CEILING_MEASURED, "made"},
    {"l2_partial_sectors", "sector/s", 5e10, CEILING_MEASURED, "made"},
    {"l2_line_sectors", "sector/s", 2.5e10, CEILING_MEASURED, "made"},
    {"l2_line_partial_sectors", "sector/s", 2.5e10, CEILING_MEASURED, "made"},
    {"red_scattered", "lane/s", 1e11, CEILING_MEASURED, "made"},
    {"red_32_addresses", "lane/s", 8e9, CEILING_MEASURED, "made"},
    {"red_one_address", "lane/s", 5e8, CEILING_MEASURED, "made"},
    {"rate_alu", "lane/cycle/SM", 64, CEILING_MEASURED, "made"},
    {"rate_ffma", "lane/cycle/SM", 128, CEILING_MEASURED, "made"},
    {"rate_imad", "lane/cycle/SM", 64, CEILING_MEASURED, "made"},
    {"rate_imad_hi", "lane/cycle/SM", 32, CEILING_MEASURED, "made"},
    {"rate_xu", "lane/cycle/SM", 16, CEILING_MEASURED, "made"},
    {"dram_latency_cycles", "cycle", 500, CEILING_MEASURED, "made"},
    {"l2_latency_cycles", "cycle", 250, CEILING_MEASURED, "made"},
    {"launch_ns", "ns", 1000, CEILING_MEASURED, "made"},
};
static const struct device CHIP = {
    .sms = 100, .clock_max_hz = 1e9, .ceilings = CEILINGS, .n_ceilings = sizeof CEILINGS / sizeof CEILINGS[0]};

static struct rates chip_rates(void) {
  struct rates r;
  rates_of(&r, &CHIP);
  return r;
}

/* One launch of which only the clock is known. */
static struct workload nothing(void) {
  struct workload w = {.clock_hz = value_of(1e9), .launches = 1, .balance = 1};
  return w;
}

static void assert_near(double got, double wanted) {
  if (!(fabs(got - wanted) <= 1e-6 * fabs(wanted)))
    fail_msg("%.9g is not %.9g", got, wanted);
}

static double seconds(enum resource k, const struct workload *w) {
  struct rates r = chip_rates();
  struct value v = resource_rows[k].seconds(w, &r);
  assert_true(v.present);
  return v.v;
}

static void each_resource_by_itself(void **state) {
  (void)state;
  struct workload w = nothing();
  w.inst = value_of(4e9);
  assert_near(seconds(RESOURCE_ISSUE, &w), 0.01); /* 4 per cycle x 100 SMs x 1 GHz */
  w.alu = value_of(4e9);
  assert_near(seconds(RESOURCE_ALU, &w), 0.02); /* 2 per cycle and SM */
  w.fma = value_of(4e9);
  assert_near(seconds(RESOURCE_FMA, &w), 0.01); /* 4 per cycle and SM */
  w.fma_heavy = value_of(3e9);
  assert_near(seconds(RESOURCE_FMA, &w), 0.015); /* its heavy half alone: 2 per cycle and SM */
  w.xu = value_of(1e9);
  assert_near(seconds(RESOURCE_XU, &w), 0.02);
  w.l1_wavefronts = value_of(2e9);
  assert_near(seconds(RESOURCE_L1, &w), 0.02);
  w.l2_read = value_of(4e9);
  assert_near(seconds(RESOURCE_L2_READ, &w), 0.002);
  w.l2_write = value_of(3e9);
  assert_near(seconds(RESOURCE_L2_WRITE, &w), 0.003);
  w.atomic_sectors = value_of(1e9);
  assert_near(seconds(RESOURCE_ATOMICS, &w), 0.01);
  w.empty_s = value_of(5e-6);
  assert_near(seconds(RESOURCE_BLOCKS, &w), 4e-6); /* beyond the launch's microsecond */
  assert_near(seconds(RESOURCE_LAUNCH, &w), 1e-6);
  assert_near(seconds(RESOURCE_RAMP, &w), 0.5e-6);
}

static void dram_by_kind_of_access(void **state) {
  (void)state;
  struct workload w = nothing();
  w.dram_read = value_of(1e9);
  assert_near(seconds(RESOURCE_DRAM, &w), 0.002); /* plain loads: 0.5 TB/s */
  w.async_share = 1;
  assert_near(seconds(RESOURCE_DRAM, &w), 0.001);
  w.async_share = 0.5;
  assert_near(seconds(RESOURCE_DRAM, &w), 0.0015);
  w.async_share = 1;
  w.dram_write = value_of(1e9); /* as much written as read: the copy's bandwidth */
  assert_near(seconds(RESOURCE_DRAM, &w), 2e9 / 0.8e12);
  w.dram_read = value_of(0); /* nothing but writes: no turnarounds */
  assert_near(seconds(RESOURCE_DRAM, &w), 0.001);
}

/* 2 blocks an SM of 1 MB each: 200 MB in flight for 500 ns; 4e11 bytes take 2,000 times that. */
static void copies_by_littles_law(void **state) {
  (void)state;
  struct workload w = nothing();
  w.l2_read = value_of(4e11);
  assert_near(seconds(RESOURCE_COPIES, &w), 0);
  w.async_share = 1;
  w.blocks = value_of(1e6);
  w.blocks_per_sm = value_of(2);
  w.smem_block = value_of(1e6);
  assert_near(seconds(RESOURCE_COPIES, &w), 4e11 * 500e-9 / 200e6);
  w.blocks = value_of(50); /* a grid that fills a quarter of the places */
  assert_near(seconds(RESOURCE_COPIES, &w), 4e11 * 500e-9 / 50e6);
  w.async_share = 0.5;
  assert_near(seconds(RESOURCE_COPIES, &w), 2e11 * 500e-9 / 50e6);
  static const size_t parts[] = {offsetof(struct workload, blocks), offsetof(struct workload, blocks_per_sm),
                                 offsetof(struct workload, smem_block)};
  for (size_t i = 0; i < 3; i++) {
    struct workload lacks = w;
    struct rates r = chip_rates();
    *(struct value *)((char *)&lacks + parts[i]) = value_absent("not known");
    assert_false(resource_rows[RESOURCE_COPIES].seconds(&lacks, &r).present);
  }
  w.smem_block = value_of(0); /* shared memory that nobody asked for holds no copy */
  assert_near(seconds(RESOURCE_COPIES, &w), 0);
}

static void what_is_unknown_takes_no_part(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model m;
  model_of(&m, &w, &r);
  assert_false(m.time_s.present);
  assert_int_equal(m.binding, BOUND_KINDS);
  assert_false(resource_rows[RESOURCE_FP64].seconds(&w, &r).present);
  w.fp64 = value_of(1e9); /* the chip has no such rate */
  assert_false(resource_rows[RESOURCE_FP64].seconds(&w, &r).present);
}

/* Alone on the chip, without a launch in the way: the time is the resource's and the ramp. */
static void one_resource_is_the_time(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model_constants c = {.p = 3, .r = 4, .ramp = 6, .tail = 0.5};
  w.inst = value_of(4e9);
  assert_near(model_time_by(&c, &w, &r).v, 0.01 + 6 * 0.5e-6);
  w.balance = 0.5; /* half of the SMs idle */
  assert_near(model_time_by(&c, &w, &r).v, 0.02 + 6 * 0.5e-6);
  w.l2_read = value_of(0); /* nothing is read: the launch alone */
  assert_near(model_time_by(&c, &w, &r).v, 0.02 + 1e-6);
}

static void how_resources_hide_one_another(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model_constants c = {.p = 2, .r = 4, .ramp = 0, .tail = 0};
  w.l2_read = value_of(0);
  w.inst = value_of(4e9), w.alu = value_of(2e9); /* 0.01 s each: 2^(1/4) of one */
  assert_near(model_time_by(&c, &w, &r).v, 0.01 * pow(2, 0.25) + 1e-6);
  w.alu = value_of(0);
  w.l2_read = value_of(6e9), w.l2_write = value_of(4e9); /* 3 and 4 ms: 5 ms by their square norm */
  w.inst = value_of(0);
  assert_near(model_time_by(&c, &w, &r).v, 0.005 + 1e-6);
  w.inst = value_of(4.8e9); /* 12 ms of issue beside 5 of memory, p 2: 13 */
  assert_near(model_time_by(&c, &w, &r).v, 0.013 + 1e-6);
  w.dependencies_s = value_of(0.084); /* and a chain of 84: 85 */
  assert_near(model_time_by(&c, &w, &r).v, 0.085 + 1e-6);
}

/* 1 ms of loads of 7.389 sectors where one would do, a factor e^2, so twice of it more, but as slow as was counted where it was: 1 ms more; 2 ms at
 * barriers; twice as long where SMs that have blocks are busy half of the time. */
static void what_a_warp_does_in_turn(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model_constants c = {.p = 2, .r = 4, .ramp = 0, .tail = 0};
  w.inst = value_of(1), w.l2_read = value_of(0);
  w.loads_s = value_of(1e-3), w.sectors_spread = exp(2);
  assert_near(seconds(RESOURCE_SLOW_LOADS, &w), 2e-3);
  assert_near(model_time_by(&c, &w, &r).v, 3e-3 + 1e-6);
  w.slow_loads = value_of(1);
  assert_near(seconds(RESOURCE_SLOW_LOADS, &w), 1e-3);
  assert_near(model_time_by(&c, &w, &r).v, 2e-3 + 1e-6);
  w.barriers_s = value_of(2e-3);
  assert_near(model_time_by(&c, &w, &r).v, 4e-3 + 1e-6);
  w.balance = 0.25;
  w.warps = value_of(50), w.blocks = value_of(50), w.blocks_per_sm = value_of(1), w.warps_per_block = value_of(1);
  assert_near(model_time_by(&c, &w, &r).v, 8e-3 + 1e-6); /* 50 of 100 SMs have blocks: 0.25 is 0.5 of these */
}

/* 1e8 sectors, half of the bytes in sectors written whole at 1 TB/s, half in part at 5e10 a second. */
static void sectors_written_in_part(void **state) {
  (void)state;
  struct workload w = nothing();
  w.l2_write = value_of(3.2e9), w.partial_share = 0.5;
  assert_near(seconds(RESOURCE_L2_WRITE, &w), 1.6e-3 + 1e-3);
}

/* 1e8 sectors in 1.6e-11 s each in requests of two to four, 4e-11 s in requests of one.  Requests of 1.5 are half of one, half of two: 4e-11 and
 * 2 x 1.6e-11 s for three sectors. */
static void sectors_read_by_requests(void **state) {
  (void)state;
  static const double fills[] = {0, 4, 1, 1.5, 2}, wanted[] = {1.6e-3, 1.6e-3, 4e-3, 2.4e-3, 1.6e-3}; /* 0: unknown */
  struct workload w = nothing();
  w.l2_read = value_of(3.2e9);
  for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i++) {
    w.read_fill = fills[i];
    assert_near(seconds(RESOURCE_L2_READ, &w), wanted[i]);
  }
}

/* As many written in part: 2e-11 s each in requests of four, 4e-11 s in requests of one, (4/3 + 4/3) x 1e-11 s in requests of two. */
static void sectors_written_by_requests(void **state) {
  (void)state;
  struct workload w = nothing();
  w.l2_write = value_of(3.2e9), w.partial_share = 1, w.write_fill = 1;
  assert_near(seconds(RESOURCE_L2_WRITE, &w), 4e-3);
  w.write_fill = 2;
  assert_near(seconds(RESOURCE_L2_WRITE, &w), 8e-3 / 3);
  w.partial_share = 0; /* whole sectors at 1 TB/s, whatever the requests */
  assert_near(seconds(RESOURCE_L2_WRITE, &w), 3.2e-3);
}

/* 6.4e9 lanes of IMAD at 64 a cycle of 100 SMs, half of them IMAD.WIDE at 32. */
static void wide_products_take_the_heavy_half_longer(void **state) {
  (void)state;
  struct workload w = nothing();
  w.fma_heavy = value_of(2e8), w.wide_share = 0.5;
  double narrow = 2e8 * 32 / 64 / (100 * 1e9);
  assert_near(seconds(RESOURCE_FMA, &w), 1.5 * narrow);
}

/* One slice takes 8e9 / 8 sectors a second; lanes that meet in a word 5e8. */
static void atomics_to_few_addresses(void **state) {
  (void)state;
  struct workload w = nothing();
  w.atomic_sectors = value_of(1e9);
  w.atomic_cycles_max = value_of(1e7); /* spread evenly: 10 ms in either way of counting */
  assert_near(seconds(RESOURCE_ATOMICS, &w), 10e-3);
  w.atomic_cycles_max = value_of(2e7);
  assert_near(seconds(RESOURCE_ATOMICS, &w), 20e-3);
  w.atomic_lanes = 8; /* a word each */
  assert_near(seconds(RESOURCE_ATOMICS, &w), 20e-3);
  w.atomic_lanes = 32;
  assert_near(seconds(RESOURCE_ATOMICS, &w), 2e7 * 32 / 5e8);
}

/* What binds needs at least: the sectors that were sent, one a request at 1e11 a second, four at
 * 1.25e11. */
static void atomics_need_at_least(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  w.atomic_sectors = value_of(1.5e9);
  assert_near(resource_atomics_least_s(&w, &r).v, 15e-3);
  w.atomic_sent = value_of(1e9);
  assert_near(resource_atomics_least_s(&w, &r).v, 10e-3);
  assert_near(seconds(RESOURCE_ATOMICS, &w), 15e-3); /* as the constants were fitted */
  r.of[RATE_ATOMIC_LINES].value = 1.25e11;
  w.atomic_fill = 1;
  assert_near(resource_atomics_least_s(&w, &r).v, 10e-3);
  w.atomic_fill = 4;
  assert_near(resource_atomics_least_s(&w, &r).v, 8e-3);
  assert_int_equal(resource_atomics_rate(&w, &r), RATE_ATOMIC_SECTORS); /* none was counted */
  w.atomic_cycles_max = value_of(7e6);
  assert_int_equal(resource_atomics_rate(&w, &r), RATE_ATOMIC_SECTORS); /* 7 ms */
  w.atomic_cycles_max = value_of(2e7);
  assert_near(resource_atomics_least_s(&w, &r).v, 20e-3);
  assert_int_equal(resource_atomics_rate(&w, &r), RATE_ATOMIC_SLICE);
  w.atomic_lanes = 8; /* of which each has a word: 20 ms still */
  assert_int_equal(resource_atomics_rate(&w, &r), RATE_ATOMIC_SLICE);
  w.atomic_lanes = 32; /* 1280 ms of one word */
  assert_int_equal(resource_atomics_rate(&w, &r), RATE_ATOMIC_WORD);
  w.atomic_sectors = w.atomic_sent = value_absent("not counted");
  assert_int_equal(resource_atomics_rate(&w, &r), RATE_ATOMIC_WORD);
  w.atomic_cycles_max = value_of(0);
  assert_int_equal(resource_atomics_rate(&w, &r), RATE_ATOMIC_SECTORS);
}

/* Each bound by itself: an SM's on the busiest, which does four times the mean; the L2's reads and
 * writes as they overlap; a chain no more than it has blocks. */
static void what_each_bound_needs(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model m;
  w.l1_wavefronts = value_of(1e8);
  w.balance = 0.25;
  w.dependencies_s = value_of(3e-3);
  w.barriers_s = value_of(1e-3);
  model_of(&m, &w, &r);
  assert_near(m.least[BOUND_L1].v, m.seconds[RESOURCE_L1].v * 4);
  assert_near(m.least[BOUND_LATENCY].v, 4e-3);
  w.l2_read = value_of(3e9);
  w.l2_write = value_of(4e9);
  model_of(&m, &w, &r);
  assert_near(m.least[BOUND_L2].v, hypot(m.seconds[RESOURCE_L2_READ].v, m.seconds[RESOURCE_L2_WRITE].v));
}

/* 3 ms of issue slots and 4 ms of starting blocks: 5 ms by their square norm, whatever p is. */
static void starting_blocks_takes_the_sms_time(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model_constants c = {.p = 9, .r = 4, .ramp = 0, .tail = 0};
  w.inst = value_of(1.2e9), w.l2_read = value_of(0), w.empty_s = value_of(4e-3 + 1e-6);
  assert_near(model_time_by(&c, &w, &r).v, 5e-3 + 1e-6);
}

/* 2 ms of LSU instructions that take the L1's data stage 2 ms are these 2 ms; 4 ms of them, of which the stage sees 2, are 4. */
static void what_lies_in_one_stage_is_counted_once(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model_constants c = {.p = 2, .r = 2, .ramp = 0, .tail = 0};
  r.of[RATE_LSU].value = 32;
  w.inst = value_of(1), w.l2_read = value_of(0), w.l1_wavefronts = value_of(2e8), w.lsu = value_of(2e8);
  assert_near(model_time_by(&c, &w, &r).v, 2e-3 + 1e-6);
  w.lsu = value_of(4e8);
  assert_near(model_time_by(&c, &w, &r).v, sqrt(4.0 * 4 + 2 * 2) * 1e-3 + 1e-6);
}

/* 1e7 requests of the busiest slice at 1e9 a second: 10 ms; where the 4 lanes of a burst meet in a word, three of four at 5e8. */
static void lanes_that_meet_in_a_word(void **state) {
  (void)state;
  struct workload w = nothing();
  w.atomic_sectors = value_of(1e7), w.atomic_cycles_max = value_of(1e7), w.atomic_bursts = 1;
  assert_near(seconds(RESOURCE_ATOMICS, &w), 10e-3);
  w.atomic_bursts = 4;
  assert_near(seconds(RESOURCE_ATOMICS, &w), 0.25 * 10e-3 + 0.75 * 20e-3);
  struct rates r = chip_rates(); /* the least: other words' requests may come between */
  assert_near(resource_atomics_least_s(&w, &r).v, 10e-3);
}

/* The first launch waits for DRAM; later ones find three quarters of what they read in the L2, after half as long. */
static void later_launches_are_warm(void **state) {
  (void)state;
  struct workload w = nothing();
  w.launches = 3;
  w.l2_read = value_of(4e9), w.dram_read = value_of(1e9);
  assert_near(seconds(RESOURCE_RAMP, &w), 0.5e-6 * (1 + 2 * (0.5 + 0.25 * 0.5)));
}

/* 150 blocks, one an SM: a full wave and half a one.  In step 2 x 10 ms of chain; smoothly 10 ms x 1.5 blocks... of which the chain of a
 * resident warp is 15 ms: the tail is half of the 5 ms between. */
static void a_partial_wave(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model_constants c = {.p = 2, .r = 4, .ramp = 0, .tail = 0.5};
  w.inst = value_of(1), w.l2_read = value_of(0);
  w.dependencies_s = value_of(15e-3);
  w.warps = value_of(100), w.blocks = value_of(150), w.blocks_per_sm = value_of(1), w.warps_per_block = value_of(1);
  assert_near(model_time_by(&c, &w, &r).v, 15e-3 + 0.5 * 5e-3 + 1e-6);
}

/* 500 warps are resident where 1000 have room, each with a chain of 10 ms: 5 ms, were the slots full.  Blocks that take 8 ms to start fill 5/8 of them, so
 * that the rest of the empty ones are not theirs: 6.25 ms.  Blocks that start in 4 ms keep none empty. */
static void blocks_that_start_slowly(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model_constants c = {.p = 2, .r = 4, .ramp = 0, .tail = 0};
  w.inst = value_of(1), w.l2_read = value_of(0);
  w.dependencies_s = value_of(10e-3);
  w.warps = value_of(500), w.blocks = value_of(1e6), w.blocks_per_sm = value_of(10), w.warps_per_block = value_of(1);
  w.empty_s = value_of(8e-3 + 1e-6);
  assert_near(model_time_by(&c, &w, &r).v, sqrt(6.25 * 6.25 + 8 * 8) * 1e-3 + 1e-6);
  w.empty_s = value_of(20e-3 + 1e-6); /* they fill a quarter: half of the chain is theirs at most */
  assert_near(model_time_by(&c, &w, &r).v, sqrt(5.0 * 5 + 20 * 20) * 1e-3 + 1e-6);
  w.empty_s = value_of(4e-3 + 1e-6);
  assert_near(model_time_by(&c, &w, &r).v, sqrt(10.0 * 10 + 4 * 4) * 1e-3 + 1e-6);
}

static void shares_add_up(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model m;
  double sum = 0, bounds = 0;
  w.inst = value_of(4e9), w.alu = value_of(1e9), w.l1_wavefronts = value_of(5e8), w.dram_read = value_of(6e9);
  w.l2_read = value_of(7e9), w.l2_write = value_of(1e9), w.loads_s = value_of(2e-3), w.own_issue_s = value_of(1e-3);
  w.warps = value_of(800), w.blocks = value_of(330), w.blocks_per_sm = value_of(2), w.warps_per_block = value_of(4);
  w.empty_s = value_of(3e-6);
  model_of(&m, &w, &r);
  for (int k = 0; k < RESOURCES; k++) {
    sum += m.share[k];
    assert_true(m.share[k] >= -1e-9);
  }
  for (int k = 0; k < BOUND_KINDS; k++)
    bounds += m.bound_share[k];
  assert_true(fabs(sum - 1) < 1e-3 && fabs(bounds - 1) < 1e-3);
  assert_int_equal(m.binding, BOUND_DRAM); /* 12 ms by plain loads, against 10 of issue */
  assert_near(m.time_s.v, model_time(&w, &r).v);
}

static void an_empty_kernel_is_launching(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  struct model m;
  w.inst = value_of(1e5), w.dram_read = value_of(100), w.l2_read = value_of(0), w.empty_s = value_of(9e-6);
  model_of(&m, &w, &r);
  assert_int_equal(m.binding, BOUND_LAUNCH);
  assert_true(m.bound_share[BOUND_LAUNCH] > 0.95);
}

/* Units with a queue of their own are hidden wholly by what takes as long, and other pipes are not. */
static void queued_units_are_hidden(void **state) {
  (void)state;
  struct rates r = chip_rates();
  struct workload w = nothing();
  w.inst = value_of(1e8), w.clock_hz = value_of(1e9);
  double alone = model_time(&w, &r).v;
  r.of[RATE_ADU].value = 16, r.of[RATE_TEX].value = 4;
  w.adu = value_of(1e8 / 4 / 2),
  w.tex = value_of(1e8 / 4 / 8); /* as long as issuing: 32 lanes in 2 and 8 cycles, and 4 warps in one */
  assert_near(model_time(&w, &r).v, alone);
  w.adu.v *= 2;
  assert_true(model_time(&w, &r).v > 1.9 * alone);
}

/* One row a thing: every resource and bound has a name of its own, a bound and a function; every bound moves the model. */
static void every_row_is_filled(void **state) {
  (void)state;
  bool told[BOUND_KINDS] = {false};
  for (int k = 0; k < RESOURCES; k++) {
    const struct resource_row *row = &resource_rows[k];
    assert_true(row->name && row->seconds && row->bound < BOUND_KINDS);
    told[row->bound] = true;
    for (int other = 0; other < k; other++)
      assert_string_not_equal(row->name, resource_rows[other].name);
  }
  for (int k = 0; k < BOUND_KINDS; k++) {
    const struct bound_row *row = &bound_rows[k];
    assert_true(told[k] && row->name && row->noun);
    for (int other = 0; other < k; other++)
      assert_string_not_equal(row->name, bound_rows[other].name);
  }
  for (int k = 0; k < RATE_KINDS; k++)
    assert_non_null(rate_name((enum rate_kind)k));
}

/* A launch of 1 µs; a thousand blocks at 1 ns each for 8 warps and fewer, 2 ns for 32, so 1.5 ns for 20. */
static void blocks_that_were_not_timed(void **state) {
  (void)state;
  struct rates r = {.sms = 1};
  struct workload w = {.launches = 1, .blocks = value_of(1000), .warps_per_block = value_of(4)};
  assert_false(resource_empty_s(&w, &r).present);
  r.of[RATE_LAUNCH].value = 1000;
  r.of[RATE_BLOCKS].value = 1e9;
  r.of[RATE_BLOCKS_LARGE].value = 0.5e9;
  assert_near(resource_empty_s(&w, &r).v, 2e-6);
  w.warps_per_block = value_of(20);
  assert_near(resource_empty_s(&w, &r).v, 2.5e-6);
  w.warps_per_block = value_of(32);
  assert_near(resource_empty_s(&w, &r).v, 3e-6);
  r.of[RATE_BLOCKS_LARGE].value = 0; /* not measured there: as fast as small ones */
  assert_near(resource_empty_s(&w, &r).v, 2e-6);
  w.blocks = value_absent("no launch was observed");
  assert_false(resource_empty_s(&w, &r).present);
}

/* What a device lacks follows from another ceiling by a stated ratio, or is unknown. */
static void rates_that_stand_in(void **state) {
  (void)state;
  static struct ceiling few[] = {{"dram_bw", "B/s", 1e12, CEILING_DATASHEET, "made"},
                                 {"l2_bw", "B/s", 1e12, CEILING_MEASURED, "made"}};
  const struct device d = {.sms = 1, .ceilings = few, .n_ceilings = 2};
  struct rates r;
  rates_of(&r, &d);
  assert_near(r.of[RATE_DRAM].value, 1e12);
  assert_near(r.of[RATE_L2_WRITE].value, 0.465e12);
  assert_string_equal(r.of[RATE_L2_WRITE].ceiling->name, "l2_bw");
  assert_true(r.of[RATE_ALU].value == 0 && !r.of[RATE_ALU].ceiling);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_resource_by_itself),
      cmocka_unit_test(dram_by_kind_of_access),
      cmocka_unit_test(copies_by_littles_law),
      cmocka_unit_test(what_is_unknown_takes_no_part),
      cmocka_unit_test(one_resource_is_the_time),
      cmocka_unit_test(how_resources_hide_one_another),
      cmocka_unit_test(what_a_warp_does_in_turn),
      cmocka_unit_test(sectors_written_in_part),
      cmocka_unit_test(sectors_read_by_requests),
      cmocka_unit_test(sectors_written_by_requests),
      cmocka_unit_test(wide_products_take_the_heavy_half_longer),
      cmocka_unit_test(starting_blocks_takes_the_sms_time),
      cmocka_unit_test(what_lies_in_one_stage_is_counted_once),
      cmocka_unit_test(lanes_that_meet_in_a_word),
      cmocka_unit_test(atomics_to_few_addresses),
      cmocka_unit_test(atomics_need_at_least),
      cmocka_unit_test(what_each_bound_needs),
      cmocka_unit_test(later_launches_are_warm),
      cmocka_unit_test(a_partial_wave),
      cmocka_unit_test(blocks_that_start_slowly),
      cmocka_unit_test(shares_add_up),
      cmocka_unit_test(an_empty_kernel_is_launching),
      cmocka_unit_test(queued_units_are_hidden),
      cmocka_unit_test(every_row_is_filled),
      cmocka_unit_test(rates_that_stand_in),
      cmocka_unit_test(blocks_that_were_not_timed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
