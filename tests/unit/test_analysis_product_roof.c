/* The time of a product that is cut into tiles as well as can be: what stays beside its multiply-adds. */
#include "analysis/signs/product_roof.h"
#include "unit/judged.h"

#include "analysis/model/time_model.h"

#define PRODUCT                                                                                                        \
  .executed = {64e3, 64e3, 64e3, 64e3, 64e3, 640},                                                                     \
  .set = {{"l1_load_bytes", 16e6},   {"l1_load_requests", 128e3}, {"l1_wavefronts", 1e6}, {"l2_read_bytes", 80e3},     \
          {"dram_read_bytes", 80e3}, {"pipe_fma", 64e3},          {"pipe_alu", 64e3},     {"inst_executed", 320e3}}
#define PRODUCT_THEN(x)                                                                                                \
  .lines = {                                                                                                           \
      "LDG.E R4, desc[UR4][R2.64]", "LDG.E R6, desc[UR4][R10.64]", "FFMA R8, R4, R6, R8", x, "@P0 BRA 0x0", "EXIT"}

/* 64e3 of a pipe of 128 lanes take 1.6 us, of one of 64 lanes 3.2: comparisons of the sums stay, what counts turns does not. */
static void comparisons_stay(void **state) {
  (void)state;
  static const struct judged_case cases[] = {{PRODUCT_THEN("FSETP.GT.AND P1, PT, R8, R9, PT"), PRODUCT},
                                             {PRODUCT_THEN("IADD3 R12, R12, 0x1, RZ"), PRODUCT}};
  double seconds[2];
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    struct product_roof roof;
    judged_make(&j, &cases[i], NULL);
    product_roof_of(&roof, &j.in);
    assert_int_equal(roof.pipe, BOUND_FMA);
    assert_int_equal(roof.compares, i == 0);
    seconds[i] = roof.seconds;
    judged_release(&j);
  }
  assert_true(seconds[1] > 0 && seconds[0] > 1.5 * seconds[1]);
}

static void with_l2(struct made_diagnosis *d) {
  d->m.device.l2_bytes = 10e6;
}

/* 64e3 FFMA of 32 lanes, whose factors are 4 bytes each: 8.192 MB, which is 8 times 1.024 MB. */
#define THEN(x, runs, ...)                                                                                             \
  .lines =                                                                                                             \
      {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R6, desc[UR4][R10.64]", "FFMA R8, R4, R6, R8", x, "@P0 BRA 0x0", "EXIT"},  \
  .executed = {64e3, 64e3, 64e3, runs, 64e3, 640}, .set = {__VA_ARGS__}
#define COUNTS                                                                                                         \
  {"l1_load_bytes", 16e6}, {"l1_load_requests", 128e3}, {"l1_wavefronts", 1e6}, {"pipe_fma", 64e3},                    \
      {"pipe_alu", 64e3}, {                                                                                            \
    "inst_executed", 320e3                                                                                             \
  }
#define TURN "IADD3 R12, R12, 0x1, RZ"

static void what_is_such_a_product(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool is;
  } rows[] = {
      {{THEN(TURN, 64e3, COUNTS, {"dram_read_bytes", 80e3})}, true},
      {{THEN(TURN, 64e3, COUNTS)}, false}, /* what DRAM reads was not counted */
      {{.set = {COUNTS, {"dram_read_bytes", 80e3}}}, false},
      /* each byte is in 8 products or more: of those that DRAM reads, and of those that the L2 may hold */
      {{THEN(TURN, 64e3, COUNTS, {"dram_read_bytes", 1.024e6})}, true},
      {{THEN(TURN, 64e3, COUNTS, {"dram_read_bytes", 1.025e6})}, false},
      {{THEN(TURN, 64e3, COUNTS, {"dram_read_bytes", 80e3}, {"l2_read_bytes", 1.025e6})}, true}, /* it has no L2 */
      {{THEN(TURN, 64e3, COUNTS, {"dram_read_bytes", 80e3}, {"l2_read_bytes", 1.025e6}), .also = with_l2}, false},
      {{THEN(TURN, 64e3, COUNTS, {"dram_read_bytes", 80e3}, {"l2_read_bytes", 1.024e6}), .also = with_l2}, true},
      /* half of the arithmetic is something else, of whatever type */
      {{THEN("FMUL R12, R12, R13", 64e3, COUNTS, {"dram_read_bytes", 80e3})}, false},
      {{THEN("FMUL R12, R12, R13", 63e3, COUNTS, {"dram_read_bytes", 80e3})}, true},
      {{THEN("FADD R12, R12, R13", 64e3, COUNTS, {"dram_read_bytes", 80e3})}, false},
      {{THEN("FFMA R12, R12, R13, R14", 64e3, COUNTS, {"dram_read_bytes", 80e3})}, false},
      {{THEN("HFMA2 R12, R12, R13, R14", 64e3, COUNTS, {"dram_read_bytes", 80e3})}, false},
      {{THEN("HMUL2 R12, R12, R13", 64e3, COUNTS, {"dram_read_bytes", 80e3})}, false},
      {{THEN("HADD2 R12, R12, R13", 64e3, COUNTS, {"dram_read_bytes", 80e3})}, false},
      /* an exponential is of a softmax */
      {{THEN("MUFU.EX2 R12, R12", 1, COUNTS, {"dram_read_bytes", 80e3})}, false},
      {{THEN("MUFU.EX2 R12, R12", 0, COUNTS, {"dram_read_bytes", 80e3})}, true},
      {{THEN("MUFU.RCP R12, R12", 1, COUNTS, {"dram_read_bytes", 80e3})}, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct product_roof roof;
    judged_make(&j, &rows[i].kernel, NULL);
    product_roof_of(&roof, &j.in);
    if ((roof.seconds > 0) != rows[i].is || !(roof.seconds < j.in.time_s))
      fail_msg("row %zu: %g s", i, roof.seconds);
    assert_int_equal(roof.pipe, BOUND_FMA);
    assert_false(roof.compares);
    if (j.in.sass) {
      j.in.sass->counted = false;
      product_roof_of(&roof, &j.in);
      assert_float_equal(roof.seconds, 0, 0);
    }
    judged_release(&j);
  }
}

/* Comparisons take as long as the products where they are half as many. */
static void comparisons_that_take_longer(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool compares;
  } rows[] = {{{THEN("FSETP.GT.AND P1, PT, R8, R9, PT", 32e3, COUNTS, {"dram_read_bytes", 80e3})}, false},
              {{THEN("FSETP.GT.AND P1, PT, R8, R9, PT", 33e3, COUNTS, {"dram_read_bytes", 80e3})}, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct product_roof roof;
    judged_make(&j, &rows[i].kernel, NULL);
    product_roof_of(&roof, &j.in);
    assert_true(roof.seconds > 0);
    assert_int_equal(roof.compares, rows[i].compares);
    judged_release(&j);
  }
}

/* Where the chip has a tensor pipe, halves are multiplied there: 64e3 HFMA2 of two products a lane are 128e3 of one, which 2e3 mma.sync of 16 by 8 by 16 make.  What is left
 * of the work is these, and each byte once. */
static void halves_are_multiplied_by_the_tensor_cores(void **state) {
  (void)state;
#define HALVES(dram)                                                                                                   \
  .lines = {"LDG.E R4, desc[UR4][R2.64]",                                                                              \
            "LDG.E R6, desc[UR4][R10.64]",                                                                             \
            "HFMA2 R8, R4, R6, R8",                                                                                    \
            TURN,                                                                                                      \
            "@P0 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {64e3, 64e3, 64e3, 64e3, 64e3, 640}, .set = {                                                            \
    COUNTS,                                                                                                            \
    {"l2_read_bytes", 4e6},                                                                                            \
    {"dram_read_bytes", dram}                                                                                          \
  }
  static const struct {
    struct judged_case kernel;
    bool tensor; /* the chip has such a pipe */
    bool is;
    enum bound_kind pipe;
  } rows[] = {{{HALVES(80e3)}, true, true, BOUND_TENSOR},
              {{HALVES(80e3)}, false, true, BOUND_FMA},
              {{HALVES(1.024e6)}, true, true, BOUND_TENSOR}, /* 8.192 MB, as of as many FFMA */
              {{HALVES(1.025e6)}, true, false, BOUND_FMA},
              {{THEN(TURN, 64e3, COUNTS, {"dram_read_bytes", 80e3})}, true, true, BOUND_FMA}}; /* of floats */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct product_roof roof;
    judged_make(&j, &rows[i].kernel, NULL);
    j.in.work.tensor = rows[i].tensor ? value_of(1) : value_absent("no such pipe");
    product_roof_of(&roof, &j.in);
    if (roof.pipe != rows[i].pipe || (roof.seconds > 0) != rows[i].is)
      fail_msg("row %zu: %d, %g s", i, (int)roof.pipe, roof.seconds);
    if (roof.pipe == BOUND_TENSOR) {
      struct workload w = j.in.work;
      struct value *const none[] = {&w.fma,        &w.alu,         &w.fma_heavy,      &w.lsu,
                                    &w.xu,         &w.fp64,        &w.l1_wavefronts,  &w.loads_s,
                                    &w.slow_loads, &w.own_issue_s, &w.dependencies_s, &w.barriers_s};
      for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        none[k]->v = 0;
      w.tensor.v = w.inst.v = 2e3;
      w.l2_read.v = i == 0 ? 80e3 : 1.024e6;
      double then = model_time(&w, &j.in.all->rates).v, now = model_time(&j.in.work, &j.in.all->rates).v;
      assert_float_equal(roof.seconds / (j.in.time_s * then / now), 1, 1e-9);
    }
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(comparisons_stay), cmocka_unit_test(what_is_such_a_product),
                                     cmocka_unit_test(comparisons_that_take_longer),
                                     cmocka_unit_test(halves_are_multiplied_by_the_tensor_cores)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
