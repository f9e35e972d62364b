/* The ranking of a search and its map, on made-up times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/tune_best.h"
#include "unit/made_run.h"

#include <stdio.h>

static const struct shape ONE = {128, 256, 1}, TWO = {64, 128, 1};

struct made_params {
  struct run_key keys[3];
};
static struct made_params params[MADE_RESULTS];

/* A configuration with parameters A, B and C; time 0: it was not timed. */
static struct run_result *add(struct made_run *m, const char *id, struct shape s, const char *a, const char *b,
                              double time_ns) {
  struct made_params *p = &params[m->run.n_results];
  if (!run_variant_find(&m->run, id))
    made_variant(m, id, "made", NULL);
  struct run_result *r = made_result(m, id, s);
  p->keys[0] = (struct run_key){(char *)"A", (char *)a};
  p->keys[1] = (struct run_key){(char *)"B", (char *)b};
  p->keys[2] = (struct run_key){(char *)"C", (char *)"7"};
  r->params = p->keys;
  r->n_params = 3;
  if (time_ns > 0)
    made_time(r, time_ns, 4);
  else
    r->check.verdict = VERDICT_SKIPPED;
  return r;
}

static void rank_of(struct made_run *m, struct findings *f, struct tune_rank *rank, struct shape s) {
  struct err e = {0};
  *rank = (struct tune_rank){0};
  if (findings_make(f, &m->run, &m->device, &e))
    fail_msg("%s", e.text);
  tune_rank_make(rank, f, s, "x");
}

static void the_fastest_is_first(void **state) {
  (void)state;
  struct made_run m;
  struct findings f;
  struct tune_rank rank;
  made_begin(&m);
  add(&m, "x", ONE, "1", "1", 5000);
  add(&m, "x#A=1,B=1", ONE, "1", "1", 4000); /* the same kernel as x: x stands for it, whatever it was measured at */
  add(&m, "x#A=2,B=1", ONE, "2", "1", 6000);
  add(&m, "x#A=2,B=2", ONE, "2", "2", 3000);
  add(&m, "x#A=3,B=2", ONE, "3", "2", 0);
  add(&m, "x#A=2,B=2", TWO, "2", "2", 1);
  rank_of(&m, &f, &rank, ONE);
  assert_int_equal(rank.n, 3);
  assert_string_equal(rank.ranked[0]->variant->id, "x#A=2,B=2");
  assert_string_equal(rank.ranked[1]->variant->id, "x");
  assert_string_equal(rank.ranked[2]->variant->id, "x#A=2,B=1");
  assert_string_equal(rank.standard->variant->id, "x");
  assert_false(rank.best_is_standard);
  tune_rank_release(&rank);
  findings_release(&f);
}

/* The interval of equal samples is 16 ns to each side: 5000 and 5030 overlap, 5000 and 5040 do not. */
static void what_is_not_measurably_faster_is_no_gain(void **state) {
  (void)state;
  static const struct {
    double standard_ns;
    bool same;
  } cases[] = {{5030, true}, {5040, false}, {4000, true}};
  for (size_t i = 0; i < 3; i++) {
    struct made_run m;
    struct findings f;
    struct tune_rank rank;
    made_begin(&m);
    add(&m, "x", ONE, "1", "1", cases[i].standard_ns);
    add(&m, "x#A=2", ONE, "2", "1", 5000);
    rank_of(&m, &f, &rank, ONE);
    if (rank.best_is_standard != cases[i].same)
      fail_msg("case %zu", i);
    tune_rank_release(&rank);
    findings_release(&f);
  }
}

static void the_map_shows_the_least_over_the_rest(void **state) {
  (void)state;
  struct made_run m;
  struct findings f;
  struct tune_rank rank;
  struct tune_map map;
  made_begin(&m);
  /* The least at A = 1, 2, 8 is 4000, 2000, 9000: 4.5 times apart; at B = 1, 2 it is 2000, 3000: 1.5 times; C has one value. */
  add(&m, "c1", ONE, "1", "1", 4000);
  add(&m, "c2", ONE, "8", "1", 9000);
  add(&m, "c3", ONE, "2", "1", 2000);
  add(&m, "c4", ONE, "1", "2", 5000);
  add(&m, "c5", ONE, "2", "2", 3000);
  add(&m, "c6", ONE, "8", "2", 0);
  rank_of(&m, &f, &rank, ONE);
  assert_null(rank.standard);
  assert_true(tune_map_make(&map, &rank));
  assert_string_equal(map.x, "A");
  assert_string_equal(map.y, "B");
  assert_int_equal(map.n_x, 3);
  assert_int_equal(map.x_values[0], 1);
  assert_int_equal(map.x_values[2], 8); /* in the order of numbers, not of letters or of time */
  assert_int_equal(map.n_y, 2);
  assert_true(map.seconds[0][1] > 1.99e-6 && map.seconds[0][1] < 2.01e-6);
  assert_true(map.seconds[1][0] > 4.99e-6 && map.seconds[1][0] < 5.01e-6);
  assert_true(map.seconds[1][2] == 0); /* it was skipped */
  tune_rank_release(&rank);
  findings_release(&f);
}

static void one_parameter_has_one_axis(void **state) {
  (void)state;
  struct made_run m;
  struct findings f;
  struct tune_rank rank;
  struct tune_map map;
  made_begin(&m);
  add(&m, "c1", ONE, "1", "4", 4000);
  add(&m, "c2", ONE, "2", "4", 3000);
  rank_of(&m, &f, &rank, ONE);
  assert_true(tune_map_make(&map, &rank));
  assert_string_equal(map.x, "A");
  assert_null(map.y);
  assert_int_equal(map.n_y, 1);
  tune_rank_release(&rank);
  findings_release(&f);
  rank_of(&m, &f, &rank, TWO); /* nothing was measured there */
  assert_int_equal(rank.n, 0);
  assert_false(tune_map_make(&map, &rank));
  tune_rank_release(&rank);
  findings_release(&f);
}

static void equal_times_keep_the_order_of_the_run(void **state) {
  (void)state;
  static const char *const ids[] = {"c1", "x", "c3", "c4"};
  struct made_run m;
  struct findings f;
  struct tune_rank rank;
  made_begin(&m);
  add(&m, "x", TWO, "9", "9", 1000); /* the standard elsewhere is no standard here */
  for (size_t i = 0; i < 4; i++)
    add(&m, ids[i], ONE, ids[i], "1", 4000);
  rank_of(&m, &f, &rank, ONE);
  assert_int_equal(rank.n, 4);
  for (size_t i = 0; i < 4; i++)
    assert_string_equal(rank.ranked[i]->variant->id, ids[i]);
  assert_ptr_equal(rank.standard, rank.ranked[1]);
  assert_true(rank.best_is_standard);
  tune_rank_release(&rank);
  findings_release(&f);
}

/* A standard that has no time stands for no configuration, and nothing is compared with it. */
static void a_standard_without_a_time(void **state) {
  (void)state;
  struct made_run m;
  struct findings f;
  struct tune_rank rank;
  made_begin(&m);
  add(&m, "x", ONE, "1", "1", 0);
  add(&m, "x#A=1,B=1", ONE, "1", "1", 4000);
  rank_of(&m, &f, &rank, ONE);
  assert_int_equal(rank.n, 1);
  assert_non_null(rank.standard);
  assert_false(rank.best_is_standard);
  tune_rank_release(&rank);
  findings_release(&f);
}

/* A ranking made by hand: the i-th has A and B of row i and takes i + 1 us. */
enum { RANKED_MAX = 40 };
struct made_rank {
  struct run_key keys[RANKED_MAX][2];
  struct run_result results[RANKED_MAX];
  struct finding findings[RANKED_MAX];
  const struct finding *ranked[RANKED_MAX];
  char text[RANKED_MAX][2][8];
};

static struct tune_rank ranked(struct made_rank *m, int (*rows)[2], size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (int k = 0; k < 2; k++) {
      snprintf(m->text[i][k], sizeof m->text[i][k], "%d", rows[i][k]);
      m->keys[i][k] = (struct run_key){(char *)(k ? "B" : "A"), m->text[i][k]};
    }
    m->results[i] = (struct run_result){.params = m->keys[i], .n_params = 2};
    m->findings[i] = (struct finding){.result = &m->results[i], .time = {.middle = 1e-6 * (double)(i + 1)}};
    m->ranked[i] = &m->findings[i];
  }
  return (struct tune_rank){.shape = ONE, .ranked = m->ranked, .n = n};
}

static void the_axes_are_what_moves_the_time_most(void **state) {
  (void)state;
  static struct made_rank m;
  struct tune_map map;
  /* The least at A = 1, 2 is 1 and 2 us, at B = 1, 2, 3 it is 1, 3 and 4: B moves it most. */
  static int both[][2] = {{1, 1}, {2, 1}, {2, 2}, {1, 3}};
  struct tune_rank rank = ranked(&m, both, 4);
  assert_true(tune_map_make(&map, &rank));
  assert_string_equal(map.x, "B");
  assert_string_equal(map.y, "A");
  assert_int_equal(map.shape.m, 128);
  assert_int_equal(map.n_x, 3);
  assert_int_equal(map.n_y, 2);
  assert_float_equal(map.seconds[0][2], 4e-6, 1e-12);
  assert_float_equal(map.seconds[1][1], 3e-6, 1e-12);
  assert_float_equal(map.seconds[0][1], 0, 0);
  /* A, then B, and both less than twice apart: 1.5 and 1.25. */
  static int first[][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 2}, {2, 2}};
  rank = ranked(&m, first, 6);
  for (size_t i = 0; i < 6; i++)
    m.findings[i].time.middle = (double[]){4, 4, 4, 4, 5, 6}[i];
  assert_true(tune_map_make(&map, &rank));
  assert_string_equal(map.x, "A");
  assert_string_equal(map.y, "B");
  /* A has one value: the map has one axis, and the least of each stays. */
  static int one[][2] = {{7, 2}, {7, 1}, {7, 2}};
  rank = ranked(&m, one, 3);
  assert_true(tune_map_make(&map, &rank));
  assert_string_equal(map.x, "B");
  assert_null(map.y);
  assert_int_equal(map.n_y, 1);
  assert_float_equal(map.seconds[0][0], 2e-6, 1e-12);
  assert_float_equal(map.seconds[0][1], 1e-6, 1e-12);
  assert_float_equal(map.seconds[1][0], 0, 0);
  /* No parameter has several; another rung's parameters. */
  rank = ranked(&m, one, 1);
  assert_false(tune_map_make(&map, &rank));
  rank = ranked(&m, one, 3);
  m.results[2].n_params = 1;
  assert_false(tune_map_make(&map, &rank));
}

static void a_map_has_room_for_32_values(void **state) {
  (void)state;
  static struct made_rank m;
  static int rows[RANKED_MAX][2];
  struct tune_map map;
  for (int i = 0; i < RANKED_MAX; i++) {
    rows[i][0] = 100 - i;
    rows[i][1] = i % 2;
  }
  struct tune_rank rank = ranked(&m, rows, RANKED_MAX); /* the 32 fastest have a place */
  assert_true(tune_map_make(&map, &rank));
  assert_string_equal(map.x, "A");
  assert_int_equal(map.n_x, TUNE_AXIS_MAX);
  assert_int_equal(map.x_values[0], 69);
  assert_int_equal(map.x_values[31], 100);
  assert_float_equal(map.seconds[0][31], 1e-6, 1e-12);
  assert_float_equal(map.seconds[1][0], 32e-6, 1e-12);
  assert_float_equal(map.seconds[0][0], 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fastest_is_first),
      cmocka_unit_test(what_is_not_measurably_faster_is_no_gain),
      cmocka_unit_test(the_map_shows_the_least_over_the_rest),
      cmocka_unit_test(one_parameter_has_one_axis),
      cmocka_unit_test(equal_times_keep_the_order_of_the_run),
      cmocka_unit_test(a_standard_without_a_time),
      cmocka_unit_test(the_axes_are_what_moves_the_time_most),
      cmocka_unit_test(a_map_has_room_for_32_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
