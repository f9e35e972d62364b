/* What of a program is looked at first: kernels, and a kernel's shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/story/program.h"
#include "unit/made_run.h"

static struct finding near(double of_sol) {
  return (struct finding){.of_sol = value_of(of_sol), .timed = true, .time.middle = 1e-6};
}

static struct finding lasts(double seconds) {
  return (struct finding){.of_sol = value_absent("no problem is declared"), .timed = true, .time.middle = seconds};
}

static void the_farthest_from_the_speed_of_light(void **state) {
  const struct finding half = near(0.5), third = near(0.33), same = near(0.33), long_one = lasts(9),
                       short_one = lasts(1), untimed = {.of_sol = value_absent("no time"), .time.middle = 99};
  (void)state;
  assert_int_equal(most_to_gain((const struct finding *[]){&half}, 1), 0);
  assert_int_equal(most_to_gain((const struct finding *[]){&half, &third}, 2), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&third, &half}, 2), 0);
  assert_int_equal(most_to_gain((const struct finding *[]){&half, &third, &same}, 3), 1);
  /* What is unknown is not much. */
  assert_int_equal(most_to_gain((const struct finding *[]){&long_one, &half}, 2), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&half, &long_one}, 2), 0);
  /* Where it is known of none, the longest. */
  assert_int_equal(most_to_gain((const struct finding *[]){&short_one, &long_one, &untimed}, 3), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&untimed, &short_one}, 2), 1);
  assert_int_equal(most_to_gain((const struct finding *[]){&short_one, &untimed}, 2), 0);
  assert_int_equal(most_to_gain((const struct finding *[]){&untimed, &untimed}, 2), 0);
}

/* Four kernels of a program, three of one name: 10, 20 and 30 % of its time; one's share is not known. */
static void others_of_the_name(void **state) {
  static const struct {
    const char *name, *total_ns, *share;
    size_t others;
    double share_of_others;
  } rows[] = {{"gemm", "100", "0.1", 2, 0.2},
              {"gemm", "200", "0.2", 2, 0.1},
              {"add", "300", "0.3", 0, 0},
              {"gemm", "400", "", 2, 0.3}};
  static struct made_run m;
  static struct run_key keys[4][4];
  (void)state;
  made_begin(&m);
  for (size_t i = 0; i < 4; i++) {
    const struct run_key own[] = {{(char *)"launches", (char *)"1"},
                                  {(char *)"gpu_time_ns", (char *)rows[i].total_ns},
                                  {(char *)"kernel", (char *)rows[i].name},
                                  {(char *)"gpu_time_share", (char *)rows[i].share}};
    struct run_variant *v = made_variant(&m, rows[i].total_ns, NULL, NULL);
    memcpy(keys[i], own, sizeof own);
    v->keys = keys[i];
    v->n_keys = rows[i].share[0] ? 4 : 3;
  }
  for (size_t i = 0; i < 4; i++) {
    struct program_others others = program_others_of(&m.run, &m.variants[i]);
    assert_int_equal(others.n, rows[i].others);
    assert_float_equal(others.share, rows[i].share_of_others, 1e-12);
  }
  assert_string_equal(program_longest(&m.run), "400");
  m.variants[3].n_keys = 1; /* not all are a program's kernels */
  assert_false(program_is(&m.run));
  assert_null(program_longest(&m.run));
  assert_int_equal(program_others_of(&m.run, &m.variants[0]).n, 1);
}

/* What saves the most of the program comes first, of equals what was first; half of what saves up to its figure is expected. */
static void gains_in_order(void **state) {
  static const struct {
    const char *share;
    double saves_s;
    bool up_to;
    int place; /* -1: nothing is gained */
  } rows[] = {{"0.2", 50e-6, false, 3},
              {"0.4", 50e-6, false, 0},
              {"0.6", 50e-6, true, 2},
              {"0.4", 50e-6, false, 1},
              {"0.9", 0, false, -1}};
  enum { N = sizeof rows / sizeof *rows };
  static struct run_key keys[N][3];
  static struct run_variant variants[N];
  static struct finding findings[N];
  static struct advice items[N];
  struct diagnosis of[N] = {{0}};
  struct diagnoses all = {.items = of, .n = N};
  struct gains g;
  (void)state;
  for (size_t i = 0; i < N; i++) {
    const struct run_key own[] = {{(char *)"launches", (char *)"1"},
                                  {(char *)"gpu_time_ns", (char *)"100"},
                                  {(char *)"gpu_time_share", (char *)rows[i].share}};
    memcpy(keys[i], own, sizeof own);
    variants[i] = (struct run_variant){.keys = keys[i], .n_keys = 3};
    findings[i] = (struct finding){.variant = &variants[i], .timed = true, .time.middle = 100e-6};
    items[i] = (struct advice){.price = {.saves_s = rows[i].saves_s, .up_to = rows[i].up_to}};
    of[i] = (struct diagnosis){.finding = &findings[i], .items = &items[i], .n = 1};
  }
  gains_make(&g, &all);
  assert_int_equal(g.n, 4);
  for (size_t i = 0; i < N; i++)
    if (rows[i].place >= 0)
      assert_ptr_equal(g.items[rows[i].place].at, &findings[i]);
  assert_float_equal(g.items[0].share, 0.5, 1e-12);      /* 50 of 100 µs */
  assert_float_equal(g.items[0].of_program, 0.2, 1e-12); /* of 40 % */
  gains_release(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_farthest_from_the_speed_of_light),
                                     cmocka_unit_test(others_of_the_name), cmocka_unit_test(gains_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
