/* Loops whose turns make values of the turn before's, and loops that only add to them. */
#include "analysis/idioms/serial.h"
#include "unit/made_sass.h"

/* A turn takes the root of R0 into R13 on one of two ways, the second of which is a function, and puts a product and a sum in its place. */
#define SQRT_0      "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_sqrt_rn_f32_slowpath)"
#define SQRT_3      "CALL.REL.NOINC `($__internal_3_$__cuda_sm20_sqrt_rn_f32_slowpath)"
#define SQRT_7      "CALL.REL.NOINC `($__internal_7_$__cuda_sm20_sqrt_rn_f32_slowpath)"
#define RCP_3       "CALL.REL.NOINC `($__internal_3_$__cuda_sm20_rcp_rn_f32_slowpath)"
#define RCP_7       "CALL.REL.NOINC `($__internal_7_$__cuda_sm20_rcp_rn_f32_slowpath)"
#define ROOT(call)  "@!P1 BRA 0x30", call, "BRA 0x40", "FMUL R13, R0, R3", "FFMA R13, R5, R13, R6", "@P0 BRA 0x0", "EXIT"
#define OTHER(call) call, "BRA 0x80"

/* A loop of these lines, closed by a branch to the first. */
static const struct {
  const char *lines[16];
  size_t found; /* SASS_NONE: a sum */
} cases[] = {
    {{"FADD R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FFMA R4, R8, R9, R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FFMA R4, R8, c[0x0][0x210], R4.reuse", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"DFMA R4, R8, R10, -R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FMNMX R4, R4, R8, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"IMAD R4, R4, R8, R9", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* no float: a generator can start elsewhere */
    {{"FMUL R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},     /* a product of parts */
    {{"FMUL R4, R4, R4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FMUL R5, R4, R8", "MOV R6, R5", "FMUL R4, R6, R9", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FMUL R5, R4, R8", "FMUL R4, R5, R4", "@P0 BRA 0x0", "EXIT"}, 0}, /* it is squared on the way */
    {{"FFMA R4, R4, R8, R9", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R4, R8, R4", "@P0 BRA 0x0", "EXIT"}, 0}, /* both: it grows by a part of itself */
    {{"FFMA R0, R0, R8, RZ", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R4, R8, UR4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R8, R9, -|R4|", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"MUFU.RSQ R4, R4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"MOV R5, R4", "FMUL R6, R5, R8", "FADD R4, R6, R9", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"FMUL R6, R8, R8", "FADD R4, R6, R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* made anew each turn */
    {{"FMUL R4, R8, R9", "FMUL R4, R4, R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FMNMX R4, R4, R8, !PT", "FADD R6, R8, -R4", "MUFU.EX2 R6, R6", "FFMA R7, R7, R6, R8", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE},
    /* each turn's sum is stored, or another value is */
    {{"FMNMX R4, R4, R8, !PT", "FADD R6, R8, -R4", "MUFU.EX2 R6, R6", "FFMA R7, R7, R6, R8",
      "STG.E desc[UR4][R10.64], R7", "@P0 BRA 0x0", "EXIT"},
     3},
    {{"FMNMX R4, R4, R8, !PT", "FADD R6, R8, -R4", "MUFU.EX2 R6, R6", "FFMA R7, R7, R6, R8",
      "STG.E desc[UR4][R10.64], R8", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE},
    {{"FADD R6, R8, -R4", "MUFU.EX2 R6, R6", "FFMA R7, R7, R6, R8", "@P0 BRA 0x0", "EXIT"},
     2},                                                                      /* no maximum goes along */
    {{"FMNMX R4, R4, R8, !PT", "FMUL R6, R6, R6", "@P0 BRA 0x0", "EXIT"}, 1}, /* a maximum, and no powers */
    {{"FMNMX R4, R4, R8, !PT", "MUFU.RCP R6, R6", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"LDG.E R4, desc[UR4][R4.64]", "FMUL R5, R4, R8", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE}, /* loads are another matter */
    {{ROOT(SQRT_0), "MOV R13, R2", "RET.REL.NODEC R2 `(made)"}, SASS_NONE},
    {{ROOT(SQRT_0), "@P2 MOV R13, R2", "RET.REL.NODEC R2 `(made)"}, 4},             /* it may leave what was there */
    {{ROOT(SQRT_0), "@P2 BRA 0x90", "MOV R13, R2", "RET.REL.NODEC R2 `(made)"}, 4}, /* so does this */
    {{ROOT(SQRT_0), "@P2 BRA 0xa0", "MOV R13, R2", "RET.REL.NODEC R2 `(made)", "MOV R13, R4", "BRA 0x90"}, SASS_NONE},
    {{ROOT(SQRT_0), "MOV R13, R2", "RET.REL.NODEC R2 `(made)", "RET.REL.NODEC R4 `(made)"}, 4}, /* which of the two? */
    {{ROOT(SQRT_7), "CALL.REL.NOINC `($made$__internal_accurate_pow)", "BRA 0x80", "MOV R2, R4",
      "RET.REL.NODEC R4 `(made)", "MOV R13, R2", "RET.REL.NODEC R2 `(made)"},
     4}, /* it is the first, since the other has no number */
    {{ROOT(SQRT_7), "CALL.REL.NOINC `($made$__internal_accurate_pow)", "BRA 0x80", "MOV R13, R2",
      "RET.REL.NODEC R2 `(made)", "MOV R2, R4", "RET.REL.NODEC R4 `(made)"},
     SASS_NONE},
    {{ROOT("CALL.REL.NOINC `($made$__internal_accurate_pow)"), "CALL.REL.NOINC `($made$__internal_trig_reduction)",
      "BRA 0x80", "MOV R13, R2", "RET.REL.NODEC R2 `(made)", "MOV R2, R4", "RET.REL.NODEC R4 `(made)"},
     4}, /* the order of the two is not told */
    {{ROOT(SQRT_7), OTHER(RCP_3), "MOV R2, R4", "RET.REL.NODEC R4 `(made)", "MOV R13, R2", "RET.REL.NODEC R2 `(made)"},
     SASS_NONE}, /* of two it is the second */
    {{ROOT(SQRT_3), OTHER(RCP_7), "MOV R2, R4", "RET.REL.NODEC R4 `(made)", "MOV R13, R2", "RET.REL.NODEC R2 `(made)"},
     4},
};

/* Integers: what is linear can start anywhere. */
static const struct {
  const char *lines[8];
  size_t found;
} integers[] = {
    {{"IADD3 R4, R4, R8, RZ", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"LOP3.LUT R4, R4, R8, RZ, 0x3c, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* an exclusive or of terms */
    {{"LOP3.LUT R4, R4, R8, RZ, 0xfc, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* an or */
    {{"VIMNMX R4, R4, R8, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    /* a sum that is clamped: of what is loaded, of what the loop makes; by a number it is a counter with an end */
    {{"LDS R8, [R9]", "VIADDMNMX R4, R4, R8, RZ, !PT", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"LDS R8, [R9]", "VIADDMNMX R4, R8, R4, RZ, !PT", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"LDS R8, [R9]", "VIADDMNMX R4, R4, 0x4, R6, PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"LDS R8, [R9]", "VIADDMNMX R4, R8, R6, R4, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* the most of all sums */
    {{"LDS R8, [R9]", "IADD3 R5, R4, R8, RZ", "VIMNMX R4, R5, RZ, !PT", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"LDG.E R8, desc[UR4][R6.64]", "FADD R5, R4, R8", "FMNMX R4, R5, RZ, !PT", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"LDS R8, [R9]", "FADD R4, R4, R8", "FMNMX R5, R5, R4, !PT", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE},                                                                      /* the sum goes on */
    {{"FADD R5, R4, R8", "FMNMX R4, R5, RZ, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* R8 is the same in all turns */
    {{"IMAD R4, R4, 0x19660d, R8", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},                /* a congruential generator */
    {{"IADD3 R4, R4, 0x1, RZ", "LOP3.LUT R4, R4, 0x7, RZ, 0xc0, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* a ring */
    {{"IADD3 R4, R4, 0x10, RZ", "LOP3.LUT R4, R4, 0x4000, RZ, 0x3c, !PT", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE}, /* of two buffers */
    {{"SHF.L.U32 R5, R4, 0xd, RZ", "LOP3.LUT R4, R4, R5, RZ, 0x3c, !PT", "SHF.R.U32.HI R5, RZ, 0x11, R4",
      "LOP3.LUT R4, R4, R5, RZ, 0x3c, !PT", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE},                                                                                          /* xorshift */
    {{"IADD3 R9, R9, 0x1, RZ", "LOP3.LUT R10, R9, R8, RZ, 0x3c, !PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* no state */
    {{"IMAD R4, R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"IADD3 R5, R4, -0x1, RZ", "LOP3.LUT R4, R4, R5, RZ, 0xc0, !PT", "@P0 BRA 0x0", "EXIT"}, 1}, /* the lowest bit */
    {{"MOV R5, R4", "SHF.L.W.U32.HI R6, R4, 0x1, R4", "LOP3.LUT R4, R8, R5, R6, 0xb4, !PT", "@P0 BRA 0x0", "EXIT"},
     2}, /* a round of Keccak: a ^ (b & ~c), of which b and c are state */
    {{"MOV R5, R4", "SHF.L.W.U32.HI R6, R4, 0x1, R4", "LOP3.LUT R4, R5, R6, R8, 0xb4, !PT", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE}, /* a and b are: linear, whatever c is */
    {{"LDG.E R8, desc[UR4][R2.64]", "LOP3.LUT R4, R4, R9, RZ, 0x3c, !PT", "MOV R9, R10", "IMAD R4, R4, 0x1000193, RZ",
      "@P0 BRA 0x0", "EXIT"},
     1}, /* FNV: an exclusive or with what the loop makes, and a product */
    {{"LOP3.LUT R4, R4, R9, RZ, 0x3c, !PT", "IMAD R4, R4, 0x1000193, RZ", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE}, /* with a number: a swizzled address */
};

/* Sums that are read behind the loop only. */
static const struct {
  const char *lines[8];
  size_t found;
} sums[] = {
    {{"FADD R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FFMA R4, R8, R9, R4", "FFMA R4, R10, R11, R4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FMUL R5, R8, R9", "FADD R4, R4, R5", "@P0 BRA 0x0", "EXIT"}, 1},
    {{"FADD R4, R4, R8", "STG.E desc[UR4][R2.64], R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* each turn stores it */
    {{"FADD R4, R4, R8", "FSETP.GT.AND P0, PT, R4, R9, PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* or asks for it */
    {{"FADD R5, R9, R8", "FMUL R4, R5, R8", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* made anew each turn */
    {{"IADD3 R4, R4, 0x1, RZ", "ISETP.NE.AND P0, PT, R4, R9, PT", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* turns */
    {{"IADD3 R2, R2, 0x4, RZ", "LDG.E R8, desc[UR4][R2.64]", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},      /* an address */
    {{"@P1 VIADD R4, R4, 0x1", "@P0 BRA 0x0", "EXIT"}, 0}, /* how often something was so */
    {{"SHF.R.U32.HI R5, RZ, 0x8, R4", "LOP3.LUT R4, R5, R8, RZ, 0x3c, !PT", "@P0 BRA 0x0", "EXIT"},
     SASS_NONE},                                                 /* a cyclic code */
    {{"FSEL R4, R4, R8, P1", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* taken over, or kept */
    {{"HMMA.16816.F32 R4, R8, R12, R4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FADD R20, R20, R8", "HMMA.16816.F32 R4, R8, R12, R4", "@P0 BRA 0x0", "EXIT"}, 1},
};

static void of_sums(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, sums[i].lines);
    size_t found = sass_sum(&m.sass, 0);
    if (found != sums[i].found)
      fail_msg("case %zu: %zu", i, found);
    assert_true(sass_sum(&m.sass, SASS_NONE) == SASS_NONE);
    sass_release(&m.sass);
  }
}

/* A product that goes along from turn to turn, and what is no such product. */
static const struct {
  const char *lines[8];
  size_t found;
} products[] = {
    {{"FADD R6, R6, R4", "FMUL R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, 1}, /* what it has come to is asked for each turn */
    {{"DMUL R4, R8, R4", "@P0 BRA 0x0", "EXIT"}, 0},
    {{"FMUL R4, R8, R9", "@P0 BRA 0x0", "EXIT"}, SASS_NONE}, /* made anew */
    {{"FMUL R4, R4, R4", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FMUL R5, R4, R8", "FADD R4, R5, R9", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
    {{"FADD R4, R4, R8", "@P0 BRA 0x0", "EXIT"}, SASS_NONE},
};

static void of_products(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, products[i].lines);
    size_t found = sass_product(&m.sass, 0);
    if (found != products[i].found)
      fail_msg("case %zu: %zu", i, found);
    assert_true(sass_product(&m.sass, SASS_NONE) == SASS_NONE);
    sass_release(&m.sass);
  }
}

/* An inner loop that squares, begun anew from R8 or going on with R4, around it one that may hold a barrier. */
#define INNER "FMUL R4, R4, R4", "@P1 BRA 0x20"
static const struct {
  const char *lines[8];
  size_t of_outer, of_nest;
} nests[] = {
    {{"MOV R4, R9", "MOV R4, R8", INNER, "@P0 BRA 0x10", "EXIT"}, SASS_NONE, 2}, /* how often it turns is not known */
    {{"MOV R4, R9", "MOV R5, R8", INNER, "@P0 BRA 0x10", "EXIT"}, 2, 2},
    {{"MOV R4, R9", "MOV R4, R8", INNER, "BAR.SYNC 0x0", "@P0 BRA 0x10", "EXIT"}, SASS_NONE, 2},
    {{"MOV R4, R9", "FFMA R4, R4, R8, R9", "FADD R5, R5, R4", "@P1 BRA 0x20", "@P0 BRA 0x10", "EXIT"}, 1, 1},
};

static void of_nests(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, nests[i].lines);
    assert_int_equal(m.sass.n_loops, 2);                                 /* the inner one is the first */
    assert_true(sass_recurrence(&m.sass, 0) == (i < 3 ? 2 : SASS_NONE)); /* the last one's is a sum */
    assert_true(sass_recurrence(&m.sass, 1) == nests[i].of_outer);
    assert_true(sass_serial_nest(&m.sass, 0) == nests[i].of_nest);
    assert_true(sass_serial_nest(&m.sass, SASS_NONE) == SASS_NONE);
    sass_release(&m.sass);
  }
}

/* A sum beside a loop that squares: the latter is no part of the former's nest. */
static void of_neighbours(void **state) {
  (void)state;
  static const char *const lines[] = {
      "MOV R6, R9", "MOV R7, R8", "FMUL R6, R6, R6", "@P1 BRA 0x20", "FADD R5, R5, R7", "@P2 BRA 0x40", "@P0 BRA 0x10",
      "EXIT",       NULL};
  static struct made_sass m;
  made_kernel(&m, lines);
  assert_int_equal(m.sass.n_loops, 3);
  assert_true(sass_recurrence(&m.sass, 0) == SASS_NONE);
  assert_int_equal(sass_recurrence(&m.sass, 1), 2);
  assert_int_equal(sass_recurrence(&m.sass, 2), 2);
  assert_true(sass_serial_nest(&m.sass, 0) == SASS_NONE);
  assert_int_equal(sass_serial_nest(&m.sass, 1), 2);
  sass_release(&m.sass);
}

/* The inner loop makes 8 turns each time, the outer one 1 of each warp, or 4. */
static void turns_of_nests(void **state) {
  (void)state;
  static const struct {
    size_t nest;
    double executed[8];
    size_t found;
  } counted[] = {{0, {10, 10, 80, 80, 10, 10}, 2}, {0, {10, 40, 320, 320, 40, 10}, SASS_NONE}};
  for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, nests[counted[i].nest].lines);
    made_counts(&m, counted[i].executed);
    assert_true(sass_serial_nest(&m.sass, 0) == counted[i].found);
    sass_release(&m.sass);
  }
}

static void of_integers(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, integers[i].lines);
    size_t found = sass_recurrence(&m.sass, 0);
    if (found != integers[i].found)
      fail_msg("case %zu: %zu", i, found);
    sass_release(&m.sass);
  }
}

static void recurrences(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, cases[i].lines);
    size_t found = sass_recurrence(&m.sass, 0);
    if (found != cases[i].found)
      fail_msg("case %zu: %zu", i, found);
    assert_true(sass_recurrence(&m.sass, 1) == SASS_NONE); /* no such loop */
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(recurrences),   cmocka_unit_test(of_integers),
                                     cmocka_unit_test(of_sums),       cmocka_unit_test(of_products),
                                     cmocka_unit_test(of_nests),      cmocka_unit_test(of_neighbours),
                                     cmocka_unit_test(turns_of_nests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
