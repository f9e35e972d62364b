/* Loads under way at once: what serves them, what a thread could have more, and whether it has a next turn to load for. */
#include "analysis/signs/flight_plan.h"
#include "unit/judged.h"
#include "unit/made_input.h"

#define LOAD "LDG.E R4, desc[UR4][R2.64]"

/* 32 warps of an SM share 65536 registers: 64 a thread. */
static void what_registers_hold(void **state) {
  (void)state;
  static const struct {
    int registers;
    double now, most;
  } rows[] = {{32, 0, 128}, {48, 16, 16 + 64}, {48, 80, 128}, {64, 16, 16}, {100, 16, 16}, {63, 16, 20}, {0, 16, 128}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    static const struct judged_case kernel = {.rule = NULL};
    judged_make(&j, &kernel, NULL);
    ((struct run_launch *)j.in.f->launch)->registers = (unsigned)rows[i].registers;
    if (!(fabs(thread_flight_most(&j.in, rows[i].now) - rows[i].most) < 1e-9))
      fail_msg("row %zu: %g", i, thread_flight_most(&j.in, rows[i].now));
    judged_release(&j);
  }
}

static void half_comes_from_dram(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool l2;
  } rows[] = {{{.set = {{"dram_read_bytes", 49}, {"l2_read_bytes", 100}}}, true},
              {{.set = {{"dram_read_bytes", 50}, {"l2_read_bytes", 100}}}, false},
              {{.set = {{"l2_read_bytes", 100}}}, false},
              {{.set = {{"dram_read_bytes", 0}}}, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    assert_int_equal(l2_serves(&j.in), rows[i].l2);
    judged_release(&j);
  }
}

/* --- turns --- */

/* 10 warps; a loop of two turns. */
#define IN_LOOP LOAD, TURNS("@P0 BRA 0x10")
#define TURNS(back)                                                                                                    \
  "LDG.E R5, desc[UR4][R6.64]", "STS [R8], R5", "IADD3 R6, R6, 0x4, RZ", "ISETP.NE.AND P0, PT, R6, R10, PT", back,     \
      "EXIT"

static void what_a_thread_loads_once(void **state) {
  (void)state;
  static const struct {
    const char *lines[10];
    double executed[10];
    size_t at;
    bool once;
  } rows[] = {
      {{LOAD, "EXIT"}, {10, 10}, 0, true},
      {{LOAD, "EXIT"}, {0, 10}, 0, false},
      {{"FADD R4, R4, R4", "EXIT"}, {10, 10}, 0, false},
      {{"@!PT LDG.E R4, desc[UR4][R2.64]", "EXIT"}, {10, 10}, 0, false},
      {{IN_LOOP}, {10, 20, 20, 20, 20, 20, 10}, 0, false}, /* most stand in the loop */
      {{LOAD, LOAD, LOAD, TURNS("@P0 BRA 0x30")}, {10, 10, 10, 20, 20, 20, 20, 20, 10}, 0, true},
      {{LOAD, LOAD, TURNS("@P0 BRA 0x20")}, {10, 10, 20, 20, 20, 20, 20, 10}, 0, false},
      {{LOAD, LOAD, LOAD, TURNS("@P0 BRA 0x30")},
       {10, 10, 10, 20, 20, 20, 20, 20, 10},
       3,
       false},                                            /* warps wait for the loop's */
      {{IN_LOOP}, {10, 10, 10, 10, 10, 10, 10}, 1, true}, /* it turns once */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    struct rule_input *in = input(&x, rows[i].lines, rows[i].executed);
    if (loads_once(in, &x.m.insts[rows[i].at]) != rows[i].once)
      fail_msg("row %zu", i);
    in->sass = NULL;
    assert_false(loads_once(in, &x.m.insts[rows[i].at]));
    sass_release(&x.m.sass);
  }
}

static void what_fills_tiles(void **state) {
  (void)state;
  static const struct {
    const char *lines[10];
    double executed[10];
    bool tiles;
  } rows[] = {
      {{IN_LOOP}, {10, 20, 20, 20, 20, 20, 10}, true},
      {{IN_LOOP}, {10, 10, 10, 10, 10, 10, 10}, false}, /* it turns once */
      {{LOAD, "STS [R8], R4", "EXIT"}, {10, 10, 10}, false},
      {{"STS [R8], R5", "LDG.E R5, desc[UR4][R6.64]", "ISETP.NE.AND P0, PT, R6, R10, PT", "@P0 BRA 0x0", "EXIT"},
       {20, 20, 20, 20, 10},
       true},
      {{LOAD, "LDGSTS.E.128 [R8], desc[UR4][R6.64]", "IADD3 R6, R6, 0x4, RZ", "ISETP.NE.AND P0, PT, R6, R10, PT",
        "@P0 BRA 0x10", "EXIT"},
       {10, 20, 20, 20, 20, 10},
       true},
      {{LOAD, "LDG.E R5, desc[UR4][R6.64]", "IADD3 R6, R6, 0x4, RZ", "ISETP.NE.AND P0, PT, R6, R10, PT", "@P0 BRA 0x10",
        "STS [R8], R5", "EXIT"},
       {10, 20, 20, 20, 20, 10, 10},
       false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    struct rule_input *in = input(&x, rows[i].lines, rows[i].executed);
    if (loads_tiles(in) != rows[i].tiles)
      fail_msg("row %zu", i);
    in->sass = NULL;
    assert_true(loads_tiles(in));
    sass_release(&x.m.sass);
  }
}

/* Loads of 8 bytes in the mean, of which Little's law needs three times what is in flight: 32 B are 96, 12 rows; registers hold 128 B. */
static void rows_to_load_ahead(void **state) {
  (void)state;
  static const struct judged_case kernel = {.lines = {LOAD, "LDG.E.64 R4, desc[UR4][R2.64]",
                                                      "LDG.E.128 R4, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R4",
                                                      "EXIT"},
                                            .executed = {10, 10, 5, 10, 10}};
  static struct judged j;
  judged_make(&j, &kernel, NULL);
  struct flight_plan x = {.in_flight = 100, .needed = 300, .thread_bytes = 32};
  assert_float_equal(rows_ahead(&j.in, &x), 12, 0);
  x.needed = 301;
  assert_float_equal(rows_ahead(&j.in, &x), 13, 0);
  x.needed = 900;
  assert_float_equal(rows_ahead(&j.in, &x), 16, 0);
  j.in.sass->executed[0] = j.in.sass->executed[1] = j.in.sass->executed[2] = 0;
  assert_float_equal(rows_ahead(&j.in, &x), 0, 0);
  judged_release(&j);
  /* of 640 warps each turns four times: there are no 16 loads */
  static const struct judged_case loop = {.lines = {LOAD, "LDG.E.64 R4, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
                                          .executed = {640, 2560, 2560, 640}};
  judged_make(&j, &loop, NULL);
  x.needed = 900;
  assert_float_equal(rows_ahead(&j.in, &x), 4, 0);
  judged_release(&j);
}

/* 400 requests of 4 bytes a lane ask for 51,200 bytes; DRAM reads 5,120: a tenth, though sectors of one word for all lanes make it 0.4. */
static void lanes_that_ask_for_one_word(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      .lines = {LOAD, "FADD R5, R4, R4", "EXIT"},
      .executed = {400, 400, 400},
      .set = {{"l1_load_requests", 400}, {"l1_load_bytes", 12800}, {"dram_read_bytes", 5120}, {"l2_read_bytes", 5120}}};
  static struct judged j;
  struct flight_plan x;
  judged_make(&j, &kernel, NULL);
  flight_plan_of(&x, &j.in);
  assert_true(x.under_way > 0);
  assert_float_equal(x.in_flight / x.under_way, 0.1, 1e-9);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_that_ask_for_one_word),
                                     cmocka_unit_test(what_registers_hold),
                                     cmocka_unit_test(half_comes_from_dram),
                                     cmocka_unit_test(what_a_thread_loads_once),
                                     cmocka_unit_test(what_fills_tiles),
                                     cmocka_unit_test(rows_to_load_ahead)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
