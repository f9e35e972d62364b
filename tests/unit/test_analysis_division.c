/* What integer divisions by a variable cost. */
#include "analysis/signs/division.h"
#include "unit/made_input.h"

#define RECIPROCAL "I2F.U32.RP R4, R2", "MUFU.RCP R4, R4"
#define SIGNED     "I2F.RP R4, R2", "MUFU.RCP R4, R4"
#define HIGH       "IMAD.HI.U32 R8, R9, R10, R11"

#define CALLED_U "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_u64)"
#define CALLED_S "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_s64)"

static const struct {
  const char *lines[10];
  double executed[10];
  struct dividing is;
} ROWS[] = {
    /* 5 of 18 instructions: 3 on the XU, 5 multiply-adds and 10 others; each has two products of 64 bits */
    {{RECIPROCAL, HIGH, "EXIT"}, {5, 5, 10, 5}, {.n = 5, .xu = 15, .fma = 25, .alu = 50, .insts = 90}},
    {{RECIPROCAL, HIGH, "EXIT"}, {5, 5, 9, 5}, {.n = 5, .xu = 15, .fma = 25, .alu = 50, .insts = 90}},
    /* 4 more quotients by the same divisors, of 4 multiply-adds and 8 others */
    {{RECIPROCAL, HIGH, "EXIT"}, {5, 5, 14, 5}, {.n = 5, .more = 4, .xu = 15, .fma = 41, .alu = 82, .insts = 138}},
    /* of signed numbers */
    {{SIGNED, HIGH, "EXIT"}, {5, 5, 10, 5}, {.n = 5, .xu = 15, .fma = 35, .alu = 70, .insts = 120}},
    {{SIGNED, HIGH, "EXIT"}, {5, 5, 14, 5}, {.n = 5, .more = 4, .xu = 15, .fma = 55, .alu = 114, .insts = 184}},
    /* of 64 bits, whose longer way is not taken */
    {{CALLED_U, RECIPROCAL, HIGH, "EXIT", "I2F.U64.RP R6, R2", "RET.REL.NODEC R2 `(gemv)"},
     {0, 5, 5, 10, 5, 0, 0},
     {.n = 5, .xu = 15, .fma = 35, .alu = 65, .insts = 130}},
    {{CALLED_S, RECIPROCAL, HIGH, "EXIT", "I2F.S64.RP R6, R2", "RET.REL.NODEC R2 `(gemv)"},
     {0, 5, 5, 10, 5, 0, 0},
     {.n = 5, .xu = 15, .fma = 35, .alu = 65, .insts = 130}},
    /* and whose longer way is: 5 times what the function has, whose products of 64 bits are no further quotients */
    {{CALLED_U, "EXIT", "I2F.U64.RP R6, R2", "MUFU.RCP R6, R6", HIGH, HIGH, "IADD3 R8, R8, R8, RZ",
      "RET.REL.NODEC R2 `(gemv)"},
     {5, 5, 5, 5, 5, 5, 5, 5},
     {.n = 5, .xu = 10, .fma = 10, .alu = 5, .insts = 30}},
    {{"I2F.U64 R6, R2", RECIPROCAL, HIGH, "EXIT"},
     {0, 5, 5, 10, 5},
     {.n = 5, .xu = 15, .fma = 25, .alu = 50, .insts = 90}},
    /* a reciprocal of a float is none, nor a conversion by itself */
    {{"MUFU.RCP R4, R4", "EXIT"}, {5, 5}, {0}},
    {{"I2F.U32.RP R4, R2", "EXIT"}, {5, 5}, {0}},
    {{"MUFU.RCP R4, R4", "I2F.U32.RP R4, R2", "EXIT"},
     {7, 5, 5},
     {.n = 5, .xu = 15, .fma = 25, .alu = 50, .insts = 90}},
};

static void what_divisions_take(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct made_input x;
    struct dividing got;
    const struct dividing *is = &ROWS[i].is;
    struct rule_input *in = input(&x, ROWS[i].lines, ROWS[i].executed);
    dividing_of(&got, in);
    if (got.n != is->n || got.more != is->more || got.xu != is->xu || got.fma != is->fma || got.alu != is->alu ||
        got.insts != is->insts)
      fail_msg("row %zu: %g, %g more: %g XU, %g FMA, %g ALU, %g", i, got.n, got.more, got.xu, got.fma, got.alu,
               got.insts);
    assert_float_equal(integer_divisions(in), is->n, 0);
    sass_release(&x.m.sass);
  }
}

/* By a number of the code, or an argument of the kernel, it is what the remedy asks for. */
static void whose_product_it_is(void **state) {
  (void)state;
  static const struct {
    const char *lines[4]; /* the second is asked about */
    double executed;
    bool high;
  } rows[] = {{{"MOV R10, R12", HIGH, "EXIT"}, 5, true},
              {{"MOV R10, R12", HIGH, "EXIT"}, 0, false}, /* it did not run */
              {{"NOP", "IMAD R8, R9, R10, R11", "EXIT"}, 5, false},
              {{"NOP", "IMAD.HI.U32 R8, R9, 0x55555556, RZ", "EXIT"}, 5, false},
              {{"NOP", "IMAD.HI R8, R9, -0x55555555, RZ", "EXIT"}, 5, false},
              {{"NOP", "IMAD.HI.U32 R8, R9, c[0x0][0x220], RZ", "EXIT"}, 5, false},
              {{"NOP", "IMAD.HI.U32 R8, R9, UR4, RZ", "EXIT"}, 5, false},
              {{"MOV R10, 0x55555556", HIGH, "EXIT"}, 5, false},
              {{"LDC R9, c[0x0][0x220]", HIGH, "EXIT"}, 5, false},
              {{"@P0 MOV R10, 0x55555556", HIGH, "EXIT"}, 5, true}, /* on one way only */
              {{"MOV R11, 0x55555556", HIGH, "EXIT"}, 5, true},     /* it is added */
              {{"S2R R10, SR_TID.X", HIGH, "EXIT"}, 5, true},
              {{"LDG.E R10, desc[UR4][R2.64]", HIGH, "EXIT"}, 5, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    const double executed[] = {5, rows[i].executed, 5};
    input(&x, rows[i].lines, executed);
    if (divides_high(&x.m.sass, 1) != rows[i].high)
      fail_msg("row %zu", i);
    sass_release(&x.m.sass);
  }
}

/* Shared out by the counters of a launch, counts say nothing of loops. */
static void guessed_turns(void **state) {
  (void)state;
  static const char *const loop[] = {RECIPROCAL, HIGH, "@P0 BRA 0x0", "EXIT", NULL}, *const straight[] = {RECIPROCAL,
                                                                                                          HIGH, "EXIT",
                                                                                                          NULL};
  static struct made_input x;
  struct dividing got;
  struct rule_input *in = input(&x, loop, NULL);
  dividing_of(&got, in);
  assert_float_equal(got.n, 1, 0);
  x.m.sass.spread = true;
  dividing_of(&got, in);
  assert_float_equal(got.n, 0, 0);
  sass_release(&x.m.sass);
  in = input(&x, straight, NULL);
  x.m.sass.spread = true;
  dividing_of(&got, in);
  assert_float_equal(got.n, 1, 0);
  sass_release(&x.m.sass);
}

/* Without counts or code there is none. */
static void not_counted(void **state) {
  (void)state;
  static const char *const lines[] = {RECIPROCAL, HIGH, "EXIT", NULL};
  static struct made_input x;
  struct dividing got;
  struct rule_input *in = input(&x, lines, NULL);
  x.m.sass.counted = false;
  dividing_of(&got, in);
  assert_float_equal(got.insts, 0, 0);
  assert_false(divides_block_numbers(in));
  in->sass = NULL;
  dividing_of(&got, in);
  assert_float_equal(got.insts, 0, 0);
  assert_false(divides_block_numbers(in));
  sass_release(&x.m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_divisions_take), cmocka_unit_test(whose_product_it_is),
                                     cmocka_unit_test(guessed_turns), cmocka_unit_test(not_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
