/* Local memory, addresses and doubles: what a kernel's text says of them. */
#include "analysis/idioms/local_memory.h"
#include "analysis/idioms/widened.h"
#include "unit/made_sass.h"

#include <stdlib.h>

static void what_lies_in_local_memory(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double fixed, computed, bytes;
  } rows[] = {
      {"STL [R1+0x10], R4", 1, 0, 0},
      {"STL [R1], R4", 1, 0, 0},
      {"LDL.64 R4, [R1-0x8]", 1, 0, 0},
      {"LDL R4, [R1+UR4]", 0, 1, 0},
      {"LDL R4, [R1+R5]", 0, 1, 0},
      {"LDL R4, [R12]", 0, 1, 0},
      {"LDL R4, [R2+0x10]", 0, 1, 0},
      {"STL [R3], R1", 0, 1, 0},
      {"LDG.E R4, desc[UR4][R2.64]", 0, 0, 0},
      {"LDS R4, [R1]", 0, 0, 0},
      {"@!PT STL [R1], R4", 0, 0, 0}, /* never runs */
      /* the frame: taken off the stack pointer, as one number or its complement */
      {"IADD3 R1, R1, -0x3840, RZ", 0, 0, 0x3840},
      {"VIADD R1, R1, 0xfffffff0", 0, 0, 16},
      {"IADD3 R1, R1, 0x3840, RZ", 0, 0, 0}, /* given back */
      {"IADD3 R2, R1, -0x3840, RZ", 0, 0, 0},
      {"IADD3 R11, R1, -0x3840, RZ", 0, 0, 0},
      {"FADD R1, R1, -0x1", 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    struct sass_local local;
    made_kernel(&m, (const char *const[]){rows[i].text, "EXIT", NULL});
    sass_local_of(&local, &m.sass);
    if (local.fixed != rows[i].fixed || local.computed != rows[i].computed || local.bytes != rows[i].bytes ||
        (!m.sass.insts[0].never && sass_is_indexed(&m.sass.insts[0]) != (rows[i].computed > 0)))
      fail_msg("%s: %g, %g, %g", rows[i].text, local.fixed, local.computed, local.bytes);
    sass_release(&m.sass);
  }
}

static void as_often_as_it_was_executed(void **state) {
  (void)state;
  static const char *const lines[] = {
      "IADD3 R1, R1, -0x20, RZ", "STL [R1+0x10], R4", "LDL R4, [R5]", "LDL R6, [R1+0x4]",
      "IADD3 R1, R1, -0x8, RZ",  "LDL R4, [R5+0x4]",  "EXIT",         NULL};
  static const double executed[] = {8, 8, 70, 3, 8, 0, 8};
  static struct made_sass m;
  struct sass_local local;
  made_kernel(&m, lines);
  sass_local_of(&local, &m.sass);
  assert_float_equal(local.fixed, 2, 0);
  assert_float_equal(local.computed, 2, 0);
  made_counts(&m, executed);
  sass_local_of(&local, &m.sass);
  assert_float_equal(local.fixed, 11, 0);
  assert_float_equal(local.computed, 70, 0);
  assert_float_equal(local.bytes, 0x20, 0); /* the larger of two */
  sass_release(&m.sass);
}

/* The instructions that make addresses, as letters: '+' or '-' for each line. */
static const struct {
  const char *index;
  const char *lines[10];
} INDICES[] = {
    {"-++--",
     {"S2R R5, SR_TID.X", "IADD3 R6, R5, 0x1, RZ", "IMAD.WIDE R2, R6, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
    {"---", {"IADD3 R4, R5, 0x1, RZ", "STG.E desc[UR4][R2.64], R4", "EXIT"}}, /* what is stored */
    {"-+--", {"IADD3 R2, R5, 0x1, RZ", "IADD3 R21, R5, 0x1, RZ", "STG.E desc[UR4][R21.64], R2", "EXIT"}},
    {"+---", {"IADD3 R2, R5, 0x1, RZ", "IADD3 R21, R5, 0x1, RZ", "STG.E desc[UR4][R2.64], R21", "EXIT"}},
    {"-+--", {"IADD3 R2, R5, 0x1, RZ", "IADD3 R20, R5, 0x1, RZ", "STG.E desc[UR4][R20.64], R2", "EXIT"}},
    {"-+--", {"IADD3 R2, R5, 0x1, RZ", "IADD3 R29, R5, 0x1, RZ", "STG.E desc[UR4][R29.64], R2", "EXIT"}},
    {"+--", {"LOP3.LUT R2, R5, 0x7, RZ, 0xc0, !PT", "LDS R4, [R2+0x10]", "EXIT"}},
    {"++--", {"UIADD3 UR6, UR7, 0x1, URZ", "IADD3 R4, R5, 0x1, RZ", "LDS R4, [R4+UR6]", "EXIT"}},
    {"+--", {"UIADD3 UR6, UR7, 0x1, URZ", "LDG.E R4, [R2.64+UR6]", "EXIT"}},
    {"---", {"UIADD3 UR4, UR7, 0x1, URZ", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}}, /* a descriptor, no address */
    {"-+--", {"IADD3 R6, R5, 0x1, RZ", "UIADD3 UR6, UR7, 0x1, URZ", "STS [UR6], R6", "EXIT"}},
    {"---", {"IADD3 R2, R5, 0x1, RZ", "LDC R4, c[0x0][R2+0x210]", "EXIT"}}, /* of the kernel's constants */
    {"---", {"FADD R2, R5, R6", "LDS R4, [R2]", "EXIT"}},
    {"-+--", {"LDG.E R5, desc[UR4][R6.64]", "IADD3 R2, R5, 0x1, RZ", "LDS R4, [R2]", "EXIT"}}, /* looked up */
    {"+--+--",
     {"IADD3 R6, R6, 0x8, RZ", "LDG.E R5, desc[UR4][R6.64]", "FADD R8, R5, R5", "IADD3 R2, R5, 0x1, RZ", "LDS R4, [R2]",
      "EXIT"}},
};

static void what_makes_addresses(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof INDICES / sizeof *INDICES; i++) {
    static struct made_sass m;
    bool *index = NULL;
    char text[16] = "";
    made_kernel(&m, INDICES[i].lines);
    index = sass_index_make(&m.sass);
    for (size_t k = 0; k < m.sass.n; k++)
      text[k] = index[k] ? '+' : '-';
    if (strcmp(text, INDICES[i].index) != 0)
      fail_msg("row %zu: %s", i, text);
    free(index);
    sass_release(&m.sass);
  }
}

/* Of the work on doubles the part that needs none: by the text, and by counts where there are some. */
static const struct {
  double share, counted;
  const char *lines[10];
  double executed[10];
} DOUBLES[] = {
    {1, 1, {"FADD R4, R4, R5", "EXIT"}, {9, 1}}, /* none at all */
    {0, 0, {"LDG.E.64 R4, desc[UR4][R2.64]", "DADD R6, R4, R8", "EXIT"}, {9, 9, 1}},
    {0, 0, {"LDS.64 R4, [R2]", "DADD R6, R8, R4", "EXIT"}, {9, 9, 1}},
    {0, 0, {"LDL.64 R4, [R2]", "DADD R6, R8, R4", "EXIT"}, {9, 9, 1}},
    {0, 0, {"LDG.E.128 R4, desc[UR4][R2.64]", "DADD R8, R6, R6", "EXIT"}, {9, 9, 1}},
    {0, 0, {"ATOMG.E.ADD.F64.RN.STRONG.GPU PT, R4, desc[UR4][R2.64], R6", "DADD R8, R4, R4", "EXIT"}, {9, 9, 1}},
    {1, 1, {"LDC.64 R4, c[0x0][0x210]", "DADD R6, R4, R8", "EXIT"}, {9, 9, 1}}, /* an argument */
    {1, 1, {"LDG.E R4, desc[UR4][R2.64]", "F2F.F64.F32 R6, R4", "DADD R6, R6, R8", "EXIT"}, {9, 9, 9, 1}},
    {1, 1, {"LDG.E.64 R4, desc[UR4][R2.64]", "F2F.F64.F32 R6, R4", "DADD R6, R6, R8", "EXIT"}, {9, 9, 9, 1}},
    {1, 1, {"LDG.E.64 R4, desc[UR4][R2.64]", "FADD R6, R4, R5", "DADD R8, R6, R10", "EXIT"}, {9, 9, 9, 1}},
    {1, 1, {"LDG.E.64 R4, desc[UR4][R2.64]", "HADD2 R6, R4, R5", "DADD R8, R6, R10", "EXIT"}, {9, 9, 9, 1}},
    {1, 1, {"LDG.E.64 R4, desc[UR4][R2.64]", "DADD R6, R8, R8", "EXIT"}, {9, 9, 1}}, /* beside it */
    {0, 0, {"LDG.E.64 R4, desc[UR4][R2.64]", "MOV R6, R4", "MOV R7, R5", "DMUL R8, R6, R6", "EXIT"}, {9, 9, 9, 9, 1}},
    /* one of two, which runs for 3 of 4 times */
    {0.5,
     0.75,
     {"LDG.E.64 R4, desc[UR4][R2.64]", "DADD R6, R4, R8", "I2F.F64 R10, R12", "DMUL R10, R10, R10", "EXIT"},
     {1, 1, 3, 3, 1}},
    /* what is not executed, or never runs */
    {0.5, 0, {"LDG.E.64 R4, desc[UR4][R2.64]", "DADD R6, R4, R8", "DMUL R10, R10, R10", "EXIT"}, {1, 1, 0, 1}},
    {0.5, 1, {"LDG.E.64 R4, desc[UR4][R2.64]", "DADD R6, R4, R8", "DMUL R10, R10, R10", "EXIT"}, {1, 0, 1, 1}},
    {1, 1, {"@!PT LDG.E.64 R4, desc[UR4][R2.64]", "DADD R6, R4, R8", "EXIT"}, {9, 9, 1}},
    {1, 1, {"LDG.E.64 R4, desc[UR4][R2.64]", "@!PT DADD R6, R4, R8", "EXIT"}, {9, 9, 1}},
    /* a guard chooses, and is no operand */
    {0.5,
     0.5,
     {"LDG.E.64 R4, desc[UR4][R2.64]", "DSETP.GT.AND P0, PT, R4, R6, PT", "@P0 DADD R8, R10, R10", "EXIT"},
     {9, 9, 9, 1}},
    /* a sum that is read before the turn's load */
    {0,
     0,
     {"DADD R6, R6, R4", "DMUL R8, R6, R6", "LDG.E.64 R4, desc[UR4][R2.64]", "@P0 BRA 0x0", "EXIT"},
     {9, 9, 9, 9, 1}},
};

static void doubles_that_need_not_be(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof DOUBLES / sizeof *DOUBLES; i++) {
    static struct made_sass m;
    made_kernel(&m, DOUBLES[i].lines);
    double share = sass_widened_share(&m.sass);
    made_counts(&m, DOUBLES[i].executed);
    double counted = sass_widened_share(&m.sass);
    if (share != DOUBLES[i].share || counted != DOUBLES[i].counted)
      fail_msg("row %zu: %g, %g", i, share, counted);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_lies_in_local_memory), cmocka_unit_test(as_often_as_it_was_executed),
      cmocka_unit_test(what_makes_addresses), cmocka_unit_test(doubles_that_need_not_be)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
