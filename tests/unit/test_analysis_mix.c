/* What a kernel's instructions are for, and how many of each kind a remedy can spare; what is kept in local memory. */
#include "analysis/idioms/local_memory.h"
#include "analysis/signs/local.h"
#include "analysis/signs/mix.h"
#include "unit/judged.h"

struct kind {
  enum mix_kind kind;
  double takes, goes;
};

enum { KINDS_MAX = 6 };

/* Kinds that are not named are none. */
static const struct {
  struct judged_case kernel;
  struct kind kinds[KINDS_MAX];
} ROWS[] = {
    /* half of the conversions are between words that could be packed; an access has an address */
    {{.lines = {"LDG.E R4, desc[UR4][R2.64]", "FADD R5, R4, R4", "I2F.S8 R6, R7", "SHF.R.U32.HI R8, RZ, 0x1, R9",
                "STG.E desc[UR4][R2.64], R5", "EXIT"},
      .executed = {9, 8, 6, 5, 4, 9}},
     {{MIX_ACCESSES, 13, 0}, {MIX_FLOAT, 8, 0}, {MIX_CONVERSIONS, 6, 3}, {MIX_INTEGER, 5, 0}, {MIX_SETUP, 9, 4.5}}},
    {{.lines = {"@!PT FADD R5, R4, R4", "F2F.F64.F32 R4, R2", "MUFU.RCP R4, R4", "EXIT"}, .executed = {9, 9, 9, 9}},
     {{MIX_SETUP, 9, 4.5}}},
    /* a division is 10 instructions, of which 2 are left; 6 of them are of fp32, and no more than there are */
    {{.lines = {"FCHK P0, R4, R5", "FADD R5, R4, R4", "EXIT"}, .executed = {5, 50, 5}},
     {{MIX_DIVISIONS, 50, 40}, {MIX_FLOAT, 20, 0}, {MIX_SETUP, 5, 2.5}}},
    {{.lines = {"FCHK P0, R4, R5", "FADD R5, R4, R4", "EXIT"}, .executed = {5, 29, 5}},
     {{MIX_DIVISIONS, 50, 40}, {MIX_SETUP, 5, 2.5}}},
    /* an exponential of 8: 5 are left, and 6 more are of fp32, one of integers */
    {{.lines = {"FFMA.RM R4, R5, R6, R7", "FADD R5, R4, R4", "SHF.L.U32 R8, R9, 0x17, RZ", "EXIT"},
      .executed = {5, 50, 20, 5}},
     {{MIX_EXPONENTIALS, 40, 15}, {MIX_FLOAT, 20, 0}, {MIX_INTEGER, 15, 0}, {MIX_SETUP, 5, 2.5}}},
    /* 16 bits at a time could be twice as many; one that is widened is a conversion */
    {{.lines = {"HADD2 R4, R4.H0_H0, R5.H0_H0", "HADD2 R6, R6, R7", "HADD2.F32 R8, -RZ, R9.H0_H0", "EXIT"},
      .executed = {8, 4, 3, 8}},
     {{MIX_HALVES, 8, 4}, {MIX_FLOAT, 4, 0}, {MIX_CONVERSIONS, 3, 1.5}, {MIX_SETUP, 8, 4}}},
    /* an integer division: 18 instructions, of which 2 are left; its two conversions are no others */
    {{.lines = {"I2F.U32.RP R4, R2", "MUFU.RCP R4, R4", "F2I.FTZ.U32.TRUNC.NTZ R5, R4", "IADD3 R6, R6, R7, RZ", "EXIT"},
      .executed = {5, 5, 5, 100, 5}},
     {{MIX_INTEGER_DIVISIONS, 90, 80}, {MIX_INTEGER, 25, 0}, {MIX_SETUP, 5, 2.5}}},
    /* a loop of 10 turns: its counter, comparison and branch; half of them go where it is unrolled once */
    {{.lines = {"MOV R6, RZ", "FADD R5, R5, R4", "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, 0xa, PT",
                "@P0 BRA 0x10", "EXIT"},
      .executed = {5, 50, 50, 50, 50, 5}},
     {{MIX_TURNS, 150, 75}, {MIX_FLOAT, 50, 0}, {MIX_INTEGER, 5, 0}, {MIX_SETUP, 5, 2.5}}},
    {{.lines = {"MOV R6, RZ", "FADD R5, R5, R4", "IADD3 R6, R6, 0x1, RZ", "ISETP.NE.AND P0, PT, R6, 0xa, PT",
                "@P0 BRA 0x10", "EXIT"},
      .executed = {5, 5, 5, 5, 5, 5}},
     {{MIX_FLOAT, 5, 0}, {MIX_INTEGER, 15, 0}, {MIX_SETUP, 10, 5}}}, /* it turns once */
    /* both halves of a double literal, which no fp64 instruction holds; a move of a register is none */
    {{.lines = {"MOV R4, 0x0", "IMAD.MOV.U32 R5, RZ, RZ, 0x40080000", "MOV R6, R8", "MOV R7, R9", "DMUL R10, R4, R6",
                "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10}},
     {{MIX_INTEGER, 20, 0}, {MIX_LITERALS, 20, 10}, {MIX_SETUP, 10, 5}}},
    /* addresses: an access takes one, and of what is more half goes */
    {{.lines = {"S2R R0, SR_TID.X", "IMAD R1, R0, R7, RZ", "IADD3 R1, R1, R8, RZ", "IMAD.WIDE R2, R1, 0x4, R10",
                "LDG.E R4, desc[UR4][R2.64]", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10}},
     {{MIX_INDEX, 30, 10}, {MIX_ACCESSES, 10, 0}, {MIX_SETUP, 10, 5}}},
    {{.rule = NULL}, {{0}}},
};

static void what_instructions_are_for(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct mix m;
    double takes[MIX_KINDS] = {0}, goes[MIX_KINDS] = {0};
    judged_make(&j, &ROWS[i].kernel, NULL);
    for (size_t k = 0; k < KINDS_MAX && ROWS[i].kinds[k].takes > 0; k++) {
      takes[ROWS[i].kinds[k].kind] = ROWS[i].kinds[k].takes;
      goes[ROWS[i].kinds[k].kind] = ROWS[i].kinds[k].goes;
    }
    mix_of(&m, &j.in);
    assert_int_equal(m.known, ROWS[i].kernel.lines[0] != NULL);
    for (size_t k = 0; k < MIX_KINDS; k++)
      if (!(fabs(m.takes[k] - takes[k]) < 1e-9) || !(fabs(m.goes[k] - goes[k]) < 1e-9))
        fail_msg("row %zu, kind %zu: takes %g, %g go", i, k, m.takes[k], m.goes[k]);
    mix_release(&m);
    assert_null(m.of);
    judged_release(&j);
  }
}

/* --- local memory --- */

/* A register is spilled, and an array has a place that is computed. */
#define SPILL "STL [R1+0x40], R4", "LDL R4, [R1+0x40]"
#define ARRAY "LDL R6, [R5]"

static void what_local_memory_holds(void **state) {
  (void)state;
  static const struct {
    const char *lines[6];
    double executed[6];
    long told;
    bool array, spills;
    double part;
  } rows[] = {
      {{SPILL, "EXIT"}, {10, 10, 10}, -1, false, true, 0},
      {{SPILL, "EXIT"}, {10, 10, 10}, 16, false, true, 0},
      {{SPILL, "EXIT"}, {10, 10, 10}, 0, true, false, 0}, /* the compiler says that it spills nothing */
      {{ARRAY, "EXIT"}, {10, 10}, -1, true, false, 1},
      {{ARRAY, "EXIT"}, {10, 10}, 0, true, false, 1},
      {{ARRAY, "EXIT"}, {10, 10}, 16, true, true, 1}, /* and here that it does */
      /* less than a tenth is left out */
      {{SPILL, ARRAY, "EXIT"}, {9, 9, 2, 10}, -1, true, true, 0.1},
      {{SPILL, ARRAY, "EXIT"}, {10, 10, 2, 10}, -1, false, true, 1 / 11.0},
      {{SPILL, ARRAY, "EXIT"}, {1, 1, 16, 10}, -1, true, true, 16 / 18.0},
      {{SPILL, ARRAY, "EXIT"}, {1, 1, 30, 10}, -1, true, false, 30 / 32.0},
      {{"EXIT"}, {10}, -1, false, false, 0},
      {{"EXIT"}, {10}, 0, false, false, 0},
      {{"EXIT"}, {10}, 16, false, false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct local_kinds x;
    struct judged_case c = {.rule = NULL};
    memcpy(c.lines, rows[i].lines, sizeof rows[i].lines);
    memcpy(c.executed, rows[i].executed, sizeof rows[i].executed);
    judged_make(&j, &c, NULL);
    local_kinds_of(&x, j.in.sass, rows[i].told);
    if (x.array != rows[i].array || x.spills != rows[i].spills || !(fabs(x.part - rows[i].part) < 1e-12))
      fail_msg("row %zu: array %d, spills %d, %g", i, x.array, x.spills, x.part);
    assert_ptr_equal(local_access(&x), x.array ? sass_is_indexed : about_local);
    judged_release(&j);
  }
  /* What fills a table costs, too. */
  assert_ptr_equal(local_access(&(struct local_kinds){.array = true, .table = true}), about_local);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_instructions_are_for),
                                     cmocka_unit_test(what_local_memory_holds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
