/* Sectors that go where lanes access what their bytes need, at each level. */
#include "analysis/signs/sectors_gone.h"
#include "unit/judged.h"

/* 10 loads and 10 stores of 32 lanes' 4 bytes, 1280 B each. */
#define ACCESSES .lines = {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R4", "EXIT"}, .executed = {10, 10, 10}

static void sectors_of(struct judged *j, size_t at, double sectors, double least) {
  j->d.counts[at].global_sectors = sectors;
  j->d.counts[at].global_sectors_ideal = least;
}

/* Of 100 sectors of loads 60 are too many, of 50 of stores 20.  The data stage had 100 cycles, of which 10 are shared memory's and 17.5 would be left. */
static void what_goes_at_each_level(void **state) {
  (void)state;
  static const struct judged_case kernel = {ACCESSES, .set = {{"l1_wavefronts", 100}, {"shared_wavefronts", 10}}};
  static struct judged j;
  struct sectors_gone x;
  judged_make(&j, &kernel, NULL);
  sectors_of(&j, 0, 100, 40);
  sectors_of(&j, 1, 50, 30);
  assert_true(sectors_gone_of(&x, &j.in));
  assert_float_equal(x.l1, 80, 1e-9);
  assert_float_equal(x.l1_cycles, 72.5, 1e-9);
  assert_float_equal(x.over, 150 / 70.0, 1e-9);
  assert_float_equal(x.stores_over, 50 / 30.0, 1e-9);
  assert_float_equal(x.l2_read, 60 * 32, 1e-9); /* all miss the L1 */
  assert_float_equal(x.l2_write, 20 * 32, 1e-9);
  assert_float_equal(x.dram_read, 0, 0);
  assert_false(x.loads_hit || x.by_stores);
  assert_float_equal(l2_read_over(&j.in), 60 * 32, 1e-9);
  sectors_of(&j, 1, 91, 30); /* 61 are more than 60 */
  assert_true(sectors_gone_of(&x, &j.in));
  assert_true(x.by_stores);
  sectors_of(&j, 1, 90, 30);
  assert_true(sectors_gone_of(&x, &j.in));
  assert_false(x.by_stores);
  sectors_of(&j, 0, 40, 40);
  sectors_of(&j, 1, 30, 30);
  assert_false(sectors_gone_of(&x, &j.in)); /* none */
  judged_release(&j);
}

/* Of what loads touch so much hits the L1: only what misses beyond the least crosses the L2 in vain. */
static void what_the_l1_has(void **state) {
  (void)state;
  static const struct {
    double hits, l2_read, over; /* over: at most */
  } rows[] = {{0, 60 * 32, 60 * 32}, {50, 10 * 32, 30 * 32}, {60, 0, 24 * 32}, {100, 0, 0}};
  static const struct judged_case kernel = {ACCESSES, .set = {{"l1_load_sectors", 100}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct sectors_gone x;
    judged_make(&j, &kernel, &(const struct given){"l1_load_sectors_hit", rows[i].hits});
    sectors_of(&j, 0, 100, 40);
    assert_true(sectors_gone_of(&x, &j.in));
    if (!(fabs(x.l2_read - rows[i].l2_read) < 1e-9) || !(fabs(l2_read_over(&j.in) - rows[i].over) < 1e-9) ||
        x.loads_hit != (rows[i].l2_read == 0))
      fail_msg("row %zu: %g, %g, %d", i, x.l2_read, l2_read_over(&j.in), x.loads_hit);
    judged_release(&j);
  }
}

/* DRAM reads 1500 B for 1280; of 1400 more than nine tenths are asked for, and the rest is the ends of rows. */
static void what_dram_reads_in_vain(void **state) {
  (void)state;
  static const struct { double read, gone; } rows[] = {{1500, 220}, {1400, 0}, {1280, 0}, {0, 0}, {8000, 60 * 32}};
  static const struct judged_case kernel = {ACCESSES};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct sectors_gone x;
    judged_make(&j, &kernel, &(const struct given){"dram_read_bytes", rows[i].read});
    sectors_of(&j, 0, 100, 40);
    assert_true(sectors_gone_of(&x, &j.in));
    if (!(fabs(x.dram_read - rows[i].gone) < 1e-9))
      fail_msg("row %zu: %g", i, x.dram_read);
    judged_release(&j);
  }
}

/* --- stores that leave sectors in part --- */

static const struct {
  struct judged_case kernel;
  double fill;
  bool partial;
} FILLED[] = {
    {{.rule = NULL}, 1, false},
    {{.set = {{"store_data_bytes", 160}, {"l1_store_sectors", 10}, {"dram_write_bytes", 161}}}, 0.5, true},
    {{.set = {{"store_data_bytes", 160}, {"l1_store_sectors", 10}, {"dram_write_bytes", 160}}}, 0.5, false},
    {{.set = {{"store_data_bytes", 160}, {"l1_store_sectors", 10}}}, 0.5, false},
    {{.set = {{"store_data_bytes", 320}, {"l1_store_sectors", 10}, {"dram_write_bytes", 321}}}, 1, false},
    {{.set = {{"store_data_bytes", 640}, {"l1_store_sectors", 10}, {"dram_write_bytes", 641}}}, 1, false},
    {{.set = {{"store_data_bytes", 160}, {"dram_write_bytes", 161}}}, 1, false}, /* sectors were not counted */
    {{.set = {{"l1_store_sectors", 10}, {"dram_write_bytes", 161}}}, 1, false},  /* nor bytes */
    /* 5 sectors of what is written are local memory's */
    {{.set =
          {{"store_data_bytes", 160}, {"l1_store_sectors", 10}, {"dram_write_bytes", 320}, {"local_store_sectors", 5}}},
     0.5,
     false},
    {{.set =
          {{"store_data_bytes", 160}, {"l1_store_sectors", 10}, {"dram_write_bytes", 321}, {"local_store_sectors", 5}}},
     0.5,
     true},
};

static void stores_that_fill_no_sectors(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof FILLED / sizeof *FILLED; i++) {
    static struct judged j;
    judged_make(&j, &FILLED[i].kernel, NULL);
    if (!(fabs(store_fill(&j.in) - FILLED[i].fill) < 1e-12) || stores_are_partial(&j.in) != FILLED[i].partial)
      fail_msg("row %zu: %g, %d", i, store_fill(&j.in), stores_are_partial(&j.in));
    judged_release(&j);
  }
}

static void local_memory_is_left_out(void **state) {
  (void)state;
  static const struct judged_case kernel = {.set = {{"l2_write_bytes", 1000}, {"local_store_sectors", 10}}};
  static struct judged j;
  judged_make(&j, &kernel, NULL);
  assert_float_equal(bytes_but_local(&j.in, "l2_write_bytes"), 680, 1e-9);
  assert_float_equal(bytes_but_local(&j.in, "dram_write_bytes"), 0, 0);
  judged_release(&j);
}

/* Those are another remedy's: the loads' 60 are left. */
static void partial_stores_are_no_part(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      ACCESSES, .set = {{"store_data_bytes", 160}, {"l1_store_sectors", 10}, {"dram_write_bytes", 161}}};
  static struct judged j;
  struct sectors_gone x;
  judged_make(&j, &kernel, NULL);
  sectors_of(&j, 0, 100, 40);
  sectors_of(&j, 1, 150, 30);
  assert_true(sectors_gone_of(&x, &j.in));
  assert_float_equal(x.l1, 60, 1e-9);
  assert_float_equal(x.over, 2.5, 1e-9);
  assert_float_equal(x.stores_over, 0, 0);
  assert_float_equal(x.l2_write, 0, 0);
  assert_false(x.by_stores);
  judged_release(&j);
}

/* No instruction was counted by itself: 30 of 100 sectors are too many, or of the 110 that the L1 counted. */
static void of_the_whole_launch(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      ACCESSES, .set = {{"l1_load_sectors", 60}, {"l1_store_sectors", 50}, {"global_sectors_excess", 30}}};
  static struct judged j;
  struct sectors_gone x;
  for (int summed = 0; summed < 2; summed++) {
    judged_make(&j, &kernel, summed ? &(const struct given){"global_sectors", 100} : NULL);
    assert_true(sectors_gone_of(&x, &j.in));
    assert_float_equal(x.l1, 30, 1e-9);
    assert_float_equal(x.over, summed ? 100 / 70.0 : 110 / 80.0, 1e-9);
    assert_float_equal(l2_read_over(&j.in), 30 * 32, 1e-9);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_goes_at_each_level),  cmocka_unit_test(what_the_l1_has),
      cmocka_unit_test(what_dram_reads_in_vain),  cmocka_unit_test(stores_that_fill_no_sectors),
      cmocka_unit_test(local_memory_is_left_out), cmocka_unit_test(partial_stores_are_no_part),
      cmocka_unit_test(of_the_whole_launch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
