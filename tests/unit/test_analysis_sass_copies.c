/* Where kernels that only move data put what they load: small enough to follow by hand. */
#include "analysis/idioms/copies.h"
#include "unit/made_sass.h"

#define PLACE  "S2R R5, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", "LDC.64 R8, c[0x0][0x218]"
#define COPIES "LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R10.64], R4", "EXIT"
#define FROM4  "IMAD.WIDE R2, R5, 0x4, R6"
#define FROM8  "IMAD.WIDE R2, R5, 0x8, R6"
#define TO4    "IMAD.WIDE R10, R5, 0x4, R8"
#define TO8    "IMAD.WIDE R10, R5, 0x8, R8"

static const struct {
  enum sass_moved is;
  const char *lines[14];
} CASES[] = {
    {MOVED_ALIKE, {PLACE, FROM4, TO4, COPIES}},
    {MOVED_ALIKE,
     {"S2R R5, SR_TID.X", "IMAD.WIDE R2, R5, 0x4, c[0x0][0x160]", "IMAD.WIDE R10, R5, 0x4, c[0x0][0x168]", COPIES}},
    /* every second element, or from the end on */
    {MOVED_ELSEWHERE, {PLACE, FROM8, TO4, COPIES}},
    {MOVED_ELSEWHERE, {PLACE, "IADD3 R12, -R5, 0x40, RZ", FROM4, "IMAD.WIDE R10, R12, 0x4, R8", COPIES}},
    /* of the same index worked out twice; by another argument, it is another */
    {MOVED_ALIKE,
     {PLACE, "IMAD R12, R5, 0x3, RZ", "IMAD R13, R5, 0x3, RZ", "IMAD.WIDE R2, R12, 0x4, R6",
      "IMAD.WIDE R10, R13, 0x4, R8", COPIES}},
    {MOVED_ELSEWHERE,
     {PLACE, "IMAD R12, R5, c[0x0][0x220], RZ", "IMAD R13, R5, c[0x0][0x224], RZ", "IMAD.WIDE R2, R12, 0x4, R6",
      "IMAD.WIDE R10, R13, 0x4, R8", COPIES}},
    {MOVED_ELSEWHERE,
     {PLACE, "IMAD R12, R5, 0x3, RZ", "IMAD R13, R5, 0x3, R5", "IMAD.WIDE R2, R12, 0x4, R6",
      "IMAD.WIDE R10, R13, 0x4, R8", COPIES}},
    /* the base is a sum of two arguments, as of a part of an array; or of an argument and where the thread is */
    {MOVED_ALIKE, {PLACE, "LDC R0, c[0x0][0x220]", "IMAD.WIDE R8, R0, 0x4, R8", FROM4, TO4, COPIES}},
    {MOVED_ELSEWHERE, {PLACE, "S2R R0, SR_CTAID.X", "IMAD.WIDE R8, R0, 0x4, R8", FROM4, TO4, COPIES}},
    /* numbers in the access */
    {MOVED_ALIKE, {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64+0x80]", "STG.E desc[UR4][R10.64+0x80], R4", "EXIT"}},
    {MOVED_ELSEWHERE,
     {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64+0x80]", "STG.E desc[UR4][R10.64+0x40], R4", "EXIT"}},
    {MOVED_ALIKE,
     {PLACE, FROM8, TO8, "LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x4]",
      "STG.E.64 desc[UR4][R10.64], R4", "EXIT"}},
    /* by the lane's sum of bytes, low and high half; and by lea */
    {MOVED_ALIKE,
     {PLACE, "LEA R2, P0, R5, c[0x0][0x160], 0x2", "LEA.HI.X R3, R5, c[0x0][0x164], RZ, 0x2, P0",
      "LEA R10, P1, R5, c[0x0][0x168], 0x2", "LEA.HI.X R11, R5, c[0x0][0x16c], RZ, 0x2, P1", COPIES}},
    {MOVED_ELSEWHERE,
     {PLACE, "LEA R2, P0, R5, c[0x0][0x160], 0x2", "LEA.HI.X R3, R5, c[0x0][0x164], RZ, 0x2, P0",
      "LEA R10, P1, R5, c[0x0][0x168], 0x3", "LEA.HI.X R11, R5, c[0x0][0x16c], RZ, 0x3, P1", COPIES}},
    /* pointers that a loop moves on, by as much and by more */
    {MOVED_ALIKE,
     {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R10.64], R4", "IMAD.WIDE R2, R5, 0x80, R2",
      "IMAD.WIDE R10, R5, 0x80, R10", "@P0 BRA 0x50", "EXIT"}},
    {MOVED_ELSEWHERE,
     {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R10.64], R4", "IMAD.WIDE R2, R5, 0x80, R2",
      "IMAD.WIDE R10, R5, 0x100, R10", "@P0 BRA 0x50", "EXIT"}},
    {MOVED_ELSEWHERE,
     {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64+0x40]", "STG.E desc[UR4][R10.64+0x80], R4", "EXIT"}},
    /* by other numbers of bytes that arguments give, of the other sign, and on one way only */
    {MOVED_ELSEWHERE,
     {PLACE, "LDC R0, c[0x0][0x220]", "LDC R1, c[0x0][0x224]", "IMAD.WIDE R2, R5, R0, R6", "IMAD.WIDE R10, R5, R1, R8",
      COPIES}},
    {MOVED_ELSEWHERE,
     {PLACE, "IADD3 R12, R5, 0x40, RZ", "IADD3 R13, -R5, 0x40, RZ", "IMAD.WIDE R2, R12, 0x4, R6",
      "IMAD.WIDE R10, R13, 0x4, R8", COPIES}},
    {MOVED_ELSEWHERE, {PLACE, "@P0 IMAD.WIDE R2, R5, 0x4, R6", "@P1 IMAD.WIDE R10, R5, 0x4, R8", COPIES}},
    /* through shared memory, and passed on */
    {MOVED_ELSEWHERE,
     {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "BAR.SYNC 0x0", "LDS R4, [R8]",
      "STG.E desc[UR4][R10.64], R4", "EXIT"}},
    {MOVED_ELSEWHERE,
     {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "LDS R12, [R4]", "STG.E desc[UR4][R10.64], R12",
      "EXIT"}},
    {MOVED_ALIKE,
     {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64]", "MOV R12, R4", "STG.E desc[UR4][R10.64], R12", "EXIT"}},
    /* a gather, a scatter */
    {MOVED_BY_INDEX,
     {PLACE, FROM4, "LDG.E R12, desc[UR4][R2.64]", "IMAD.WIDE R14, R12, 0x4, R6", TO4, "LDG.E R4, desc[UR4][R14.64]",
      "STG.E desc[UR4][R10.64], R4", "EXIT"}},
    {MOVED_BY_INDEX,
     {PLACE, FROM4, "LDG.E R12, desc[UR4][R2.64]", "IMAD.WIDE R14, R12, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]",
      "STG.E desc[UR4][R14.64], R4", "EXIT"}},
    /* an address that is not a lane's registers alone, or that nothing is known to have written */
    {MOVED_ELSEWHERE, {PLACE, FROM4, TO4, "LDG.E R4, desc[UR4][R2.64+UR6]", "STG.E desc[UR4][R10.64+UR6], R4", "EXIT"}},
    {MOVED_ELSEWHERE, {COPIES}},
};

static void where_it_goes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    enum sass_moved is = sass_moved_of(&m.sass);
    if (is != CASES[i].is)
      fail_msg("case %zu: %d", i, (int)is);
    sass_release(&m.sass);
  }
}

/* A second store, of the first one's value, goes elsewhere: that tells as far as it may run. */
static void only_what_may_run(void **state) {
  (void)state;
  static const double all[] = {9, 9, 9, 9, 9, 9, 9, 9, 9}, first[] = {9, 9, 9, 9, 9, 9, 9, 0, 9};
  static const struct {
    enum sass_moved is;
    const char *last[2];
    const double *executed;
  } rows[] = {{MOVED_ELSEWHERE, {"STG.E desc[UR4][R10.64+0x40], R4", "EXIT"}, NULL},
              {MOVED_ELSEWHERE, {"STG.E desc[UR4][R10.64+0x40], R4", "EXIT"}, all},
              {MOVED_ALIKE, {"STG.E desc[UR4][R10.64+0x40], R4", "EXIT"}, first},
              {MOVED_ALIKE, {"@!PT STG.E desc[UR4][R10.64+0x40], R4", "EXIT"}, all},
              {MOVED_ALIKE, {"EXIT", "STG.E desc[UR4][R10.64+0x40], R4"}, NULL}, /* nothing leads there */
              /* a place that is made of what was loaded */
              {MOVED_BY_INDEX, {"STG.E desc[UR4][R4.64], R5", "EXIT"}, all},
              {MOVED_ALIKE, {"STG.E desc[UR4][R4.64], R5", "EXIT"}, first}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct made_sass m;
    const char *const lines[] = {
        PLACE,           FROM4,           TO4, "LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R10.64], R4",
        rows[i].last[0], rows[i].last[1], NULL};
    made_kernel(&m, lines);
    if (rows[i].executed)
      made_counts(&m, rows[i].executed);
    if (sass_moved_of(&m.sass) != rows[i].is)
      fail_msg("row %zu: %d", i, (int)sass_moved_of(&m.sass));
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(where_it_goes), cmocka_unit_test(only_what_may_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
