/* Ceilings without a GPU: the arithmetic, and the device that is written. */
#include "profiler/ceilings/arithmetic.h"
#include "profiler/ceilings/bench.h"
#include "profiler/ceilings/measures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

static const char scratch[] = "./test_profiler_ceilings.tmp.json";

/* --- arithmetic --- */

static void test_slope(void **state) {
  (void)state;
  struct err e = {0};
  /* A launch of 3 µs and 5 TB/s: 1 GB takes 203 µs, 3 GB take 603 µs; 2 GB more in 400 µs more.  3 GB / 603 µs would be 4.975 TB/s. */
  const double work[2] = {1e9, 3e9}, time_s[2] = {203e-6, 603e-6};
  double slope = 0;
  assert_int_equal(ceilings_slope(&slope, work, time_s, &e), 0);
  assert_true(fabs(slope - 5e12) < 1);
  assert_int_equal(e.code, 0);
}

static void slope_refused(double w0, double w1, double t0, double t1, const char *text) {
  struct err e = {0};
  double slope = -1;
  assert_int_equal(ceilings_slope(&slope, (double[]){w0, w1}, (double[]){t0, t1}, &e), ERR_DATA);
  assert_true(slope == -1);
  assert_string_equal(e.text, text);
}

static void test_slope_refused(void **state) {
  (void)state;
  slope_refused(1, 2, 5, 5, "no slope: 1 more work took 0 s more");
  slope_refused(1, 2, 5, 4, "no slope: 1 more work took -1 s more");
  slope_refused(2, 2, 4, 5, "no slope: 0 more work took 1 s more");
  slope_refused(1, 2, 0, 5, "a slope of 1 over 0 s: both must be above 0");
  slope_refused(1, 2, 1, (double)INFINITY, "a slope of 2 over inf s: both must be above 0");
  slope_refused((double)NAN, 2, 1, 2, "a slope of nan over 1 s: both must be above 0");
}

static void test_lanes(void **state) {
  (void)state;
  struct err e = {0};
  double lanes = 0;
  /* 32 warps of 1000 instructions of 32 lanes are 1,024,000 lanes; in 8000 cycles 128 a cycle. */
  assert_int_equal(ceilings_lanes(&lanes, 32, 1000, 8000, &e), 0);
  assert_true(lanes == 128);
  assert_int_equal(ceilings_lanes(&lanes, 32, 1000, 0, &e), ERR_DATA);
  assert_string_equal(e.text, "the SM's clock counted 0 cycles");
  assert_true(lanes == 128);
}

/* Steps until the walk is back at its start; 0 where it comes by another line twice. */
static unsigned long long walk_length(unsigned long long lines) {
  struct ceilings_walk w = ceilings_walk(lines);
  bool *seen = calloc(lines, sizeof *seen);
  unsigned long long at = 0, steps = 0;
  assert_non_null(seen);
  do {
    seen[at] = true;
    at = (w.multiplier * at + w.addend) % lines;
    steps++;
  } while (!seen[at]);
  free(seen);
  return at == 0 ? steps : 0;
}

static void test_walk_visits_every_line(void **state) {
  (void)state;
  for (unsigned long long lines = 8; lines <= 1 << 18; lines *= 2) {
    assert_int_equal(walk_length(lines), lines);
    assert_int_equal(walk_length(lines / 2 * 3), lines / 2 * 3);
  }
  /* The largest that a GPU of today is asked for: the theorem's conditions, and no product beyond 64 bits. */
  const unsigned long long most = 3ull << 28;
  struct ceilings_walk w = ceilings_walk(most);
  assert_int_equal(w.multiplier % 12, 1);
  assert_true(w.addend % 2 == 1 && w.addend % 3 != 0);
  assert_true(w.multiplier > most / 2 && w.multiplier < most && w.addend < most);
}

static void test_sizes(void **state) {
  (void)state;
  double sizes[16];
  static const double octaves[] = {16384, 24576, 32768, 49152, 65536, 98304};
  assert_int_equal(ceilings_octaves(16384, 100000, sizes, 16), 6);
  for (size_t i = 0; i < 6; i++)
    assert_true(sizes[i] == octaves[i]);
  assert_int_equal(ceilings_octaves(16384, 100000, sizes, 3), 3);
  assert_int_equal(ceilings_octaves(16384, 16383, sizes, 16), 0);
  /* In units of the grain: 1, then each a quarter over the last and rounded down, at least one more; 15 would be 245,760. */
  static const double quarters[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12};
  assert_int_equal(ceilings_quarters(16384, 200000, sizes, 16), 10);
  for (size_t i = 0; i < 10; i++)
    assert_true(sizes[i] == 16384 * quarters[i]);
  assert_int_equal(ceilings_quarters(16384, 200000, sizes, 4), 4);
}

/* --- instructions --- */

static void test_count(void **state) {
  (void)state;
  struct run_instruction sass[] = {{.text = (char *)"FFMA R0, R1, R2, R3"},
                                   {.text = (char *)"@!P0 FFMA.FTZ R0, R1, R2, R3"},
                                   {.text = (char *)"FFMA2 R0, R1, R2, R3"},
                                   {.text = (char *)"@P1 BRA 0x10"},
                                   {.text = (char *)"FFMA"},
                                   {.text = (char *)"DFMA R0, R1, R2, R3"}};
  struct run_kernel k = {.sass = sass, .n_sass = sizeof sass / sizeof sass[0]};
  assert_int_equal(bench_count(&k, "FFMA"), 3);
  assert_int_equal(bench_count(&k, "BRA"), 1);
  assert_int_equal(bench_count(&k, "FFM"), 0);
  k.n_sass = 0;
  assert_int_equal(bench_count(&k, "FFMA"), -1);
}

/* --- the table and the device --- */

/* device_ceiling finds the first of a name: no measure may give one twice. */
static void test_rows_have_names_of_their_own(void **state) {
  (void)state;
  static const char *const wanted[] = {
      "dram_bw",          "l2_bw",   "l1_bytes_per_clock", "rate_alu",   "rate_ffma",           "rate_hfma2",
      "rate_lsu",         "rate_xu", "rate_tensor",        "rate_issue", "dram_latency_cycles", "l2_latency_cycles",
      "l1_latency_cycles"};
  const char *names[CEILINGS_ROWS_MAX];
  size_t n = 0, found = 0;
  for (size_t m = 0; m < n_measures; m++)
    for (size_t i = 0; i < 3 && measures[m].rows[i].name; i++) {
      for (size_t k = 0; k < n; k++)
        assert_string_not_equal(names[k], measures[m].rows[i].name);
      assert_true(n < CEILINGS_ROWS_MAX);
      names[n++] = measures[m].rows[i].name;
    }
  for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; w++)
    for (size_t k = 0; k < n; k++)
      found += strcmp(names[k], wanted[w]) == 0;
  assert_int_equal(found, sizeof wanted / sizeof wanted[0]);
}

/* What red_f32 asks of its arguments, so that n turns of a grid visit every word alike. */
static void test_atomics_visit_every_word(void **state) {
  (void)state;
  size_t seen = 0;
  for (size_t m = 0; m < n_measures; m++) {
    const struct red *r = measures[m].what;
    if (measures[m].run != measure_red)
      continue;
    seen++;
    if (!r->words || r->words & (r->words - 1) || r->stride % 2 == 0 || r->turns % 8 || r->shift > 5)
      fail_msg("%s: %u words, stride %u, %u turns, shift %u", measures[m].label, r->words, r->stride, r->turns,
               r->shift);
  }
  assert_int_equal(seen, 6);
}

static void test_device(void **state) {
  (void)state;
  static struct ceilings c = {
      .rows = {{.name = "dram_bw", .unit = "B/s", .present = true, .value = 3e12, .clock_hz = 1.5e9, .detail = "read"},
               {.name = "l2_bw", .unit = "B/s", .reason = "no"}},
      .n = 2,
      .curves = {
          {.name = "read_bw", .x_unit = "B", .y_unit = "B/s", .detail = "set", .x = {1, 2}, .y = {30, 20}, .n = 2},
          {.name = "latency", .reason = "no"}}};
  static const struct gpu_probe gpu = {
      .name = "NVIDIA H200", .sm = 90, .sms = 131, .memory_clock_hz = 1e9, .memory_bus_bits = 8000};
  struct device d, back;
  struct err e = {0};
  assert_int_equal(ceilings_device(&d, &c, &gpu, "2026-11-21", &e), 0);
  assert_int_equal(device_save(&d, scratch, &e), 0);
  assert_int_equal(device_load(&back, scratch, &e), 0);
  assert_string_equal(back.id, "h200");
  assert_int_equal(back.sms, 131);
  const struct ceiling *bandwidth = device_ceiling(&back, "dram_bw", CEILING_MEASURED);
  assert_non_null(bandwidth);
  assert_true(bandwidth->value == 3e12);
  assert_string_equal(bandwidth->source, "nvfp4-prof ceilings on one NVIDIA H200, 2026-11-21: read; SM at 1500 MHz");
  /* Datasheet and driver stay; what another card measured goes, also where this one could not measure it. */
  assert_true(device_ceiling(&back, "dram_bw", CEILING_DATASHEET)->value == 4.8e12);
  assert_true(device_ceiling(&back, "dram_bw", CEILING_DRIVER)->value == 2e12);
  for (size_t i = 0; i < back.n_ceilings; i++)
    assert_true(back.ceilings[i].kind != CEILING_MEASURED || strcmp(back.ceilings[i].name, "dram_bw") == 0);
  assert_int_equal(back.n_curves, 1);
  assert_int_equal(back.curves[0].n_x, 2);
  assert_true(back.curves[0].x[1] == 2 && back.curves[0].y[1] == 20);
  device_release(&back);
  device_release(&d);
  unlink(scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slope),
      cmocka_unit_test(test_slope_refused),
      cmocka_unit_test(test_lanes),
      cmocka_unit_test(test_walk_visits_every_line),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_count),
      cmocka_unit_test(test_rows_have_names_of_their_own),
      cmocka_unit_test(test_atomics_visit_every_word),
      cmocka_unit_test(test_device),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
