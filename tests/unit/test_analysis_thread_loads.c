/* What a thread has of its own work at once. */
#include "analysis/signs/thread_loads.h"
#include "unit/made_input.h"

#define LOADS_12   "LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x4]", "LDG.E R6, desc[UR4][R2.64+0x8]"
#define LOAD_LAST  "LDG.E R7, desc[UR4][R2.64+0xc]"
#define STORES_12  "STG.E desc[UR4][R2.64], R4", "STG.E desc[UR4][R2.64+0x4], R5", "STG.E desc[UR4][R2.64+0x8], R6"
#define STORE_LAST "STG.E desc[UR4][R2.64+0xc], R7"
#define SCATTERED  "STG.E desc[UR4][R8.64], R4", "STG.E desc[UR4][R10.64], R5", "STG.E desc[UR4][R12.64], R6"
#define WIDE       "LDG.E.128 R4, desc[UR4][R2.64]"

/* 2 blocks of 4 warps. */
static struct rule_input *of_8_warps(struct made_input *x, const char *const *lines, const double *executed) {
  struct rule_input *in = input(x, lines, executed);
  in->work.blocks = value_of(2);
  in->work.warps_per_block = value_of(4);
  return in;
}

static void bytes_of_a_thread(void **state) {
  (void)state;
  static const struct {
    const char *lines[8];
    double executed[8];
    double bytes, uncounted;
    bool several;
  } rows[] = {{{WIDE, "EXIT"}, {8, 8}, 16, 16, false},
              {{WIDE, "EXIT"}, {4, 8}, 8, 16, false},    /* half of the warps come to it */
              {{WIDE, "EXIT"}, {800, 8}, 16, 16, false}, /* a hundred times each */
              {{WIDE, "LDG.E.64 R4, desc[UR4][R2.64]", "EXIT"}, {8, 2, 8}, 18, 24, false},
              {{WIDE, WIDE, WIDE, WIDE, "EXIT"}, {8, 8, 8, 8, 8}, 64, 64, true},
              {{WIDE, WIDE, WIDE, WIDE, "EXIT"}, {8, 8, 8, 7, 8}, 62, 64, false},
              {{"@!PT LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R4", "LDS R5, [R6]", "EXIT"},
               {8, 8, 8, 8},
               0,
               0,
               false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    struct rule_input *in = of_8_warps(&x, rows[i].lines, rows[i].executed);
    assert_float_equal(thread_loads(in), rows[i].bytes, 1e-12);
    assert_int_equal(threads_have_several(in), rows[i].several);
    in->work.blocks = value_absent("not launched");
    assert_float_equal(thread_loads(in), rows[i].uncounted, 1e-12);
    in->work.blocks = value_of(2);
    x.m.sass.counted = false;
    assert_float_equal(thread_loads(in), rows[i].uncounted, 1e-12);
    in->sass = NULL;
    assert_float_equal(thread_loads(in), 0, 0);
    sass_release(&x.m.sass);
  }
}

static void what_threads_store(void **state) {
  (void)state;
  static const struct {
    const char *lines[10];
    double executed[10];
    bool several;
  } rows[] = {
      {{STORES_12, STORE_LAST, "EXIT"}, {1, 1, 1, 1, 1}, true},
      {{STORES_12, "EXIT"}, {1, 1, 1, 1}, false},
      {{STORES_12, STORE_LAST, "EXIT"}, {0, 1, 1, 1, 1}, false}, /* one did not run */
      {{STORES_12, "@!PT STG.E desc[UR4][R2.64+0xc], R7", "EXIT"}, {1, 1, 1, 1, 1}, false},
      {{"STG.E.128 desc[UR4][R2.64], R4", "EXIT"}, {1, 1}, true},
      {{"STG.E.64 desc[UR4][R2.64], R4", "EXIT"}, {1, 1}, false},
      /* each to a place of its own, what was loaded side by side, or what was not */
      {{LOADS_12, LOAD_LAST, SCATTERED, "STG.E desc[UR4][R14.64], R7", "EXIT"}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, true},
      {{LOADS_12, LOAD_LAST, SCATTERED, "EXIT"}, {1, 1, 1, 1, 1, 1, 1, 1}, false}, /* 12 bytes */
      {{LOADS_12, SCATTERED, "STG.E desc[UR4][R14.64], R7", "EXIT"}, {1, 1, 1, 1, 1, 1, 1, 1}, false},
      {{SCATTERED, "STG.E desc[UR4][R14.64], R7", "EXIT"}, {1, 1, 1, 1, 1}, false},
      {{LOADS_12, "LDG.E R7, desc[UR4][R16.64]", SCATTERED, "STG.E desc[UR4][R14.64], R7", "EXIT"},
       {1, 1, 1, 1, 1, 1, 1, 1, 1},
       false},
      /* fewer than four loads are no four elements, however wide */
      {{WIDE, SCATTERED, "STG.E desc[UR4][R14.64], R7", "EXIT"}, {1, 1, 1, 1, 1, 1}, false},
      {{"EXIT"}, {1}, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    if (threads_store_several(input(&x, rows[i].lines, rows[i].executed)) != rows[i].several)
      fail_msg("row %zu", i);
    sass_release(&x.m.sass);
  }
}

static void of_code_alone(void **state) {
  (void)state;
  static const char *const lines[] = {STORES_12, STORE_LAST, "EXIT", NULL};
  static const double executed[] = {0, 0, 0, 0, 0};
  static struct made_input x;
  struct rule_input *in = input(&x, lines, executed);
  x.m.sass.counted = false;
  assert_true(threads_store_several(in));
  in->sass = NULL;
  assert_false(threads_store_several(in));
  sass_release(&x.m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_of_a_thread), cmocka_unit_test(what_threads_store),
                                     cmocka_unit_test(of_code_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
