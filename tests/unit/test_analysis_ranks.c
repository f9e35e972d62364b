/* Spreads over ranks, against numbers worked out by hand. */
#include "analysis/story/ranks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

enum { RANKS = 8 };

static struct run_merged_rank merged[RANKS];
static struct run_variant variants[3];
static struct run_result results[3];
static struct run_by_rank cells[4][RANKS];
static struct run_range range;
static struct run_key collective = {(char *)"collective", (char *)"yes"};

/* Eight ranks of which 3 has a kernel that takes 50 % more; the others wait for it in the collective. */
static struct run slowed(void) {
  static const double work_ms[RANKS] = {100, 101, 99, 150, 100, 100, 102, 98};
  static const double wait_ms[RANKS] = {60, 59, 61, 10, 60, 60, 58, 62};
  memset(merged, 0, sizeof merged);
  memset(variants, 0, sizeof variants);
  memset(results, 0, sizeof results);
  for (int i = 0; i < RANKS; i++) {
    merged[i].file = (char *)"f";
    merged[i].process = (struct run_process){.host = (char *)(i < 4 ? "a" : "b"),
                                             .launcher = (char *)"srun",
                                             .rank = i,
                                             .launches = 30,
                                             .gpu_time_ns = (work_ms[i] + wait_ms[i] + 40) * 1e6};
    cells[0][i] = (struct run_by_rank){i, 10, work_ms[i] * 1e6};
    cells[1][i] = (struct run_by_rank){i, 10, wait_ms[i] * 1e6};
    cells[2][i] = (struct run_by_rank){i, i == 5 ? 12 : 10, 30e6};
    cells[3][i] = (struct run_by_rank){i, 20, (work_ms[i] + 30) * 1e6};
  }
  for (int i = 0; i < 3; i++) {
    variants[i].id = (char *)(const char *[]){"work", "nccl", "rest"}[i];
    results[i] = (struct run_result){.variant = i, .by_rank = cells[i], .n_by_rank = RANKS};
  }
  variants[1].keys = &collective;
  variants[1].n_keys = 1;
  range = (struct run_range){.name = (char *)"step", .by_rank = cells[3], .n_by_rank = RANKS};
  return (struct run){.merge = {.expected = 8, .ranks = merged, .n_ranks = RANKS},
                      .ranges = &range,
                      .n_ranges = 1,
                      .variants = variants,
                      .n_variants = 3,
                      .results = results,
                      .n_results = 3};
}

static void test_slowed(void **state) {
  (void)state;
  struct run run = slowed();
  struct ranks r;
  ranks_make(&r, &run);
  assert_int_equal(r.n_missing, 0);
  assert_int_equal(r.n_hosts, 2);
  const struct ranks_spread *work = &r.kernels[0];
  assert_float_equal(work->median_s, 0.1, 1e-6);
  assert_float_equal(work->min_s, 0.098, 1e-6);
  assert_float_equal(work->max_s, 0.15, 1e-6);
  assert_float_equal(work->mean_s, 0.85 / 8, 1e-6);
  assert_float_equal(work->imbalance, 0.15 / (0.85 / 8) - 1, 1e-6);
  assert_int_equal(work->farthest, 3);
  assert_float_equal(work->off, 0.5, 1e-6);
  assert_true(work->stands_out);
  /* In the collective it waits least. */
  const struct ranks_spread *nccl = &r.kernels[1];
  assert_true(nccl->collective && nccl->stands_out);
  assert_int_equal(nccl->farthest, 3);
  assert_float_equal(nccl->off, 10.0 / 60 - 1, 1e-6);
  /* The same everywhere but for its calls. */
  assert_false(r.kernels[2].stands_out);
  assert_int_equal(r.kernels[2].launches_min, 10);
  assert_int_equal(r.kernels[2].launches_max, 12);
  /* Outside collectives: work, rest, and 10 ms of kernels that the run does not keep. */
  assert_int_equal(r.own.farthest, 3);
  assert_float_equal(r.own.max_s, 0.19, 1e-6);
  assert_float_equal(r.own.median_s, 0.14, 1e-6);
  assert_int_equal(r.own.by_rank[3].launches, 20);
  assert_float_equal(r.waits.median_s, 0.06, 1e-6);
  assert_int_equal(r.waits.farthest, 3);
  assert_ptr_equal(r.cause, work);
  assert_float_equal(r.cause_s, 0.15, 1e-6);
  assert_ptr_equal(r.range, &r.ranges[0]);
  assert_float_equal(r.ranges[0].imbalance, 0.18 / (1.09 / 8) - 1, 1e-6);
  assert_float_equal(ranks_time(work, 6), 0.102, 1e-6);
  ranks_release(&r);
  assert_null(r.kernels);
}

/* Without the slow one nothing stands out: 102 ms are 2 % above the median, and 98 below. */
static void test_even(void **state) {
  (void)state;
  struct run run = slowed();
  struct ranks r;
  cells[0][3].gpu_time_ns = 100e6;
  cells[1][3].gpu_time_ns = 60e6;
  merged[3].process.gpu_time_ns = 200e6;
  ranks_make(&r, &run);
  assert_false(r.kernels[0].stands_out);
  assert_false(r.kernels[1].stands_out);
  assert_false(r.own.stands_out);
  ranks_release(&r);
  /* Noise of 10 % hides what lies 12 % off: 3 * 1.4826 * 8.5 ms = 38 ms. */
  for (int i = 0; i < RANKS; i++)
    cells[0][i].gpu_time_ns = (double[]){90, 92, 95, 98, 102, 108, 110, 112}[i] * 1e6;
  ranks_make(&r, &run);
  assert_false(r.kernels[0].stands_out);
  ranks_release(&r);
  /* Of deviations 0, 0, 2, 2, 5, 5, 10 and the last the median is 3.5 ms: sqrt(2 ln 160) * 1.4826 * 3.5 = 16.53. */
  for (int last = 16; last < 18; last++) {
    for (int i = 0; i < RANKS; i++)
      cells[0][i].gpu_time_ns = (double[]){90, 95, 98, 100, 100, 102, 105, 100 + last}[i] * 1e6;
    ranks_make(&r, &run);
    assert_int_equal(r.kernels[0].stands_out, last == 17);
    ranks_release(&r);
  }
}

/* Of two ranges the one that its slowest rank draws out most, 45 ms above the mean against 43.75; of even ones the first. */
static void test_range(void **state) {
  (void)state;
  static struct run_by_rank other[RANKS];
  struct run run = slowed();
  struct run_range two[2] = {range, {.name = (char *)"other", .by_rank = other, .n_by_rank = RANKS}};
  struct ranks r;
  for (int i = 0; i < RANKS; i++)
    other[i] = (struct run_by_rank){i, 1, i ? 4e6 : 56e6}; /* 56 - 84 / 8 = 45.5 */
  run.ranges = two;
  run.n_ranges = 2;
  ranks_make(&r, &run);
  assert_ptr_equal(r.range, &r.ranges[1]);
  assert_string_equal(r.range->name, "other");
  ranks_release(&r);
  for (int i = 0; i < RANKS; i++)
    other[i].gpu_time_ns = cells[3][i].gpu_time_ns = 5e6;
  ranks_make(&r, &run);
  assert_ptr_equal(r.range, &r.ranges[0]);
  ranks_release(&r);
}

/* Counters in two sets: "work" has both, "nccl" lacks one, "rest" has geometries that differ. */
static void test_split(void **state) {
  (void)state;
  static struct run_key work[] = {{(char *)"counters_of", (char *)"0 1"}, {(char *)"geometries", (char *)"2"}},
                        nccl[] = {{(char *)"counters_of", (char *)"0"}, {(char *)"counters_lack", (char *)"2"}},
                        rest[] = {{(char *)"geometries", (char *)"2"}};
  struct run run = slowed();
  struct ranks r;
  variants[0].keys = work;
  variants[1].keys = nccl;
  variants[2].keys = rest;
  variants[0].n_keys = variants[1].n_keys = 2;
  variants[2].n_keys = 1;
  for (int i = 0; i < 3; i++)
    results[i].n_metrics = 1;
  ranks_make(&r, &run);
  assert_int_equal(r.split.sets, 0); /* each rank collected all */
  assert_int_equal(r.split.whole + r.split.lack + r.split.apart, 0);
  ranks_release(&r);
  for (int i = 0; i < RANKS; i++)
    merged[i].process.pass_set = (struct pass_set){i == 4 ? 3 : 1, 3};
  ranks_make(&r, &run);
  assert_int_equal(r.split.sets, 3);
  assert_true(r.split.has[1] && !r.split.has[2] && r.split.has[3]);
  assert_int_equal(r.split.whole, 1);
  assert_int_equal(r.split.lack, 1);
  assert_int_equal(r.split.apart, 1);
  ranks_release(&r);
}

/* Of two ranks the slower one is named: there is no estimate of the noise. */
static void test_two(void **state) {
  (void)state;
  struct run run = slowed();
  struct ranks r;
  run.merge.n_ranks = 2;
  run.n_ranges = 0;
  for (int i = 0; i < 3; i++)
    results[i].n_by_rank = 2;
  cells[0][1].gpu_time_ns = 110e6;
  merged[1].process.gpu_time_ns = 209e6;
  ranks_make(&r, &run);
  assert_float_equal(r.kernels[0].median_s, 0.105, 1e-6);
  assert_int_equal(r.kernels[0].farthest, 1);
  assert_true(r.kernels[0].stands_out);
  assert_true(r.own.stands_out);
  assert_null(r.range);
  assert_int_equal(r.n_missing, 6);
  assert_int_equal(r.missing[0], 2);
  assert_int_equal(r.missing[5], 7);
  ranks_release(&r);
}

/* A kernel of one rank alone; no collective; a program of unknown size; a size that no program has. */
static void test_edges(void **state) {
  (void)state;
  struct run run = slowed();
  struct ranks r;
  results[0].by_rank = &cells[0][3];
  results[0].n_by_rank = 1;
  variants[1].n_keys = 0;
  run.merge.expected = 0;
  ranks_make(&r, &run);
  assert_false(r.kernels[0].stands_out);
  assert_int_equal(r.waits.n, 0);
  assert_int_equal(r.n_missing, 0);
  assert_float_equal(ranks_time(&r.kernels[0], 2), 0, 0);
  assert_float_equal(ranks_time(&r.kernels[0], 3), 0.15, 1e-6);
  ranks_release(&r);
  run.merge.expected = 2000000000;
  ranks_make(&r, &run);
  assert_int_equal(r.n_missing, 0);
  ranks_release(&r);
  ranks_make(&r, &(struct run){0});
  assert_null(r.merge);
  ranks_release(&r);
}

static void test_map(void **state) {
  (void)state;
  struct run run = slowed();
  struct ranks r;
  struct ranks_map m;
  run.merge.expected = 10;
  merged[7].process.rank = 9; /* 7 and 8 are missing */
  ranks_make(&r, &run);
  ranks_map_make(&m, &r);
  assert_int_equal(m.n_columns, 10);
  assert_int_equal(m.per_column, 1);
  assert_int_equal(m.n_rows, 5); /* all, three kernels, a range */
  assert_int_equal(m.n_kernels, 3);
  assert_ptr_equal(m.rows[0], &r.own);
  assert_ptr_equal(m.rows[4], &r.ranges[0]);
  assert_int_equal(m.cells[1 * 10 + 3].rank, 3);
  assert_float_equal(m.cells[1 * 10 + 3].off, 0.5, 1e-6);
  assert_int_equal(m.cells[1 * 10 + 8].rank, -1);
  assert_int_equal(m.cells[1 * 10 + 9].rank, 7);
  assert_float_equal(m.cells[1 * 10 + 9].off, -0.02, 1e-6);
  ranks_map_release(&m);
  ranks_release(&r);
  merged[0].process.rank = 1000000; /* a file that was made up: ranks stand in their order */
  ranks_make(&r, &run);
  ranks_map_make(&m, &r);
  assert_int_equal(m.cells[1 * 11 + 0].rank, 0);
  assert_int_equal(m.cells[1 * 11 + 7].rank, 7);
  ranks_map_release(&m);
  ranks_release(&r);
  ranks_map_make(&m, &(struct ranks){0});
  assert_int_equal(m.n_rows, 0);
}

/* 130 ranks are 44 columns of three; each shows the one farthest from the median. */
static void test_map_of_many(void **state) {
  (void)state;
  enum { MANY = 130 };
  static struct run_merged_rank ranks[MANY];
  static struct run_by_rank by_rank[MANY];
  struct run_variant v = {.id = (char *)"k"};
  struct run_result x = {.by_rank = by_rank, .n_by_rank = MANY};
  struct run run = {
      .merge = {.ranks = ranks, .n_ranks = MANY}, .variants = &v, .n_variants = 1, .results = &x, .n_results = 1};
  struct ranks r;
  struct ranks_map m;
  for (int i = 0; i < MANY; i++) { /* processes without a rank */
    ranks[i].file = (char *)"f";
    ranks[i].process.gpu_time_ns = 1e6;
    by_rank[i] = (struct run_by_rank){i, 1, i == 100 ? 0.5e6 : i == 101 ? 1.2e6 : 1e6};
  }
  ranks_make(&r, &run);
  ranks_map_make(&m, &r);
  assert_int_equal(m.per_column, 3);
  assert_int_equal(m.n_columns, 44);
  assert_int_equal(m.cells[44 + 33].rank, 100); /* 99, 100, 101 */
  assert_float_equal(m.cells[44 + 33].off, -0.5, 1e-6);
  assert_int_equal(m.cells[44 + 43].rank, 129);
  ranks_map_release(&m);
  ranks_release(&r);
}

/* Ranks without a kernel in common are not slow beside each other; a collective is no kernel in common. */
static void test_alone(void **state) {
  (void)state;
  struct run run = slowed();
  struct ranks r;
  ranks_make(&r, &run);
  assert_int_equal(r.n_alone, 0);
  ranks_release(&r);
  results[0].n_by_rank = results[2].n_by_rank =
      6; /* ranks 6 and 7 have the collective alone in common with the others */
  ranks_make(&r, &run);
  assert_int_equal(r.n_alone, 2);
  assert_int_equal(r.alone, 6);
  assert_non_null(r.cause);
  ranks_release(&r);
  results[0].n_by_rank = 1; /* rank 0's */
  results[2].by_rank++;     /* rank 1's */
  results[2].n_by_rank = 1;
  ranks_make(&r, &run);
  assert_int_equal(r.n_alone, RANKS);
  assert_int_equal(r.alone, 0);
  assert_null(r.cause);
  ranks_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_range), cmocka_unit_test(test_split),       cmocka_unit_test(test_slowed),
      cmocka_unit_test(test_even),  cmocka_unit_test(test_two),         cmocka_unit_test(test_edges),
      cmocka_unit_test(test_map),   cmocka_unit_test(test_map_of_many), cmocka_unit_test(test_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
