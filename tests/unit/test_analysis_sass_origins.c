/* What operands are made of: places that data choose, and compare-and-swap loops that stand for an atomic. */
#include "analysis/idioms/origins.h"
#include "unit/made_sass.h"

static const struct {
  size_t cas; /* the instruction */
  bool swaps;
  const char *lines[12];
} CASES[] = {
    /* atomicAdd(half *), as nvcc 12 has it */
    {4,
     true,
     {"LD.E R3, desc[UR4][R4.64]", "HADD2 R6, R3, R14.H0_H0", "PRMT R7, R3, R8, R6", "MOV R9, R7",
      "ATOM.E.CAS.STRONG.GPU PT, R6, [R4], R3, R9", "ISETP.NE.U32.AND P0, PT, R6, R3, PT", "MOV R3, R6", "@P0 BRA 0x10",
      "EXIT"}},
    {2,
     true,
     {"LDG.E R3, desc[UR4][R4.64]", "FMUL R7, R3, R8", "ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7",
      "ISETP.NE.U32.AND P0, PT, R6, R3, PT", "MOV R3, R6", "@P0 BRA 0x10", "EXIT"}},
    {1,
     true,
     {"FADD R7, R3, R8", "ATOMS.CAS R6, [R4], R3, R7", "ISETP.NE.U32.AND P0, PT, R6, R3, PT", "MOV R3, R6",
      "@P0 BRA 0x0", "EXIT"}},
    /* what is stored is read again in every turn, and not brought by the swap */
    {2,
     false,
     {"LDG.E R3, desc[UR4][R4.64]", "FMUL R7, R3, R8", "ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7",
      "ISETP.NE.U32.AND P0, PT, R6, R3, PT", "@P0 BRA 0x0", "EXIT"}},
    /* a lock; a key's place in a table, whose address is the turn's; a swap that is compared with what it brought; no loop; no swap; padding */
    {1,
     false,
     {"MOV R7, 0x1", "ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], RZ, R7", "ISETP.NE.U32.AND P0, PT, R6, RZ, PT",
      "@P0 BRA 0x10", "EXIT"}},
    {0,
     false,
     {"ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], R9, R7", "IADD3 R4, R4, R6, RZ", "ISETP.NE.U32.AND P0, PT, R6, R9, PT",
      "@P0 BRA 0x0", "EXIT"}},
    {0,
     false,
     {"ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7", "ISETP.NE.U32.AND P0, PT, R6, R3, PT", "MOV R3, R6", "@P0 BRA 0x0",
      "EXIT"}},
    {1, false, {"FADD R7, R3, R8", "ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7", "MOV R3, R6", "EXIT"}},
    {1,
     false,
     {"FADD R7, R6, R8", "ATOMG.E.EXCH.STRONG.GPU PT, R6, [R4], R7", "ISETP.NE.U32.AND P0, PT, R6, R3, PT",
      "@P0 BRA 0x0", "EXIT"}},
    {1,
     false,
     {"FADD R7, R6, R8", "@!PT ATOMG.E.CAS.STRONG.GPU PT, R6, [R4], R3, R7", "ISETP.NE.U32.AND P0, PT, R6, R3, PT",
      "@P0 BRA 0x0", "EXIT"}},
};

static void what_swaps(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (sass_swaps_in_loop(&m.sass, CASES[i].cas) != CASES[i].swaps)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

/* Of the access, which is the second last. */
static const struct {
  bool chosen;
  const char *lines[8];
} PLACES[] = {
    {true,
     {"LDG.E R3, desc[UR4][R2.64]", "IMAD.WIDE R4, R3, 0x4, R8", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"}},
    {true,
     {"LDG.E R3, desc[UR4][R2.64]", "FMUL R3, R3, R9", "F2I.TRUNC.NTZ R3, R3", "IMAD.WIDE R4, R3, 0x4, R8",
      "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64+0x8], R7", "EXIT"}},
    {true, {"LDS R3, [R2]", "LEA R4, R3, R9, 0x2", "ATOMS.POPC.INC.32 RZ, [R4]", "EXIT"}},
    /* a pointer */
    {false, {"LDG.E.64 R4, desc[UR4][R2.64]", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"}},
    /* what is added was loaded, and whether it is; the place is the thread's, by a division, or the kernel's */
    {false,
     {"LDG.E R7, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R7, RZ, PT", "S2R R3, SR_TID.X", "IMAD.WIDE R4, R3, 0x4, R8",
      "@P0 REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"}},
    {false,
     {"S2R R3, SR_TID.X", "I2F.RP R3, R3", "MUFU.RCP R3, R3", "IMAD.WIDE R4, R3, 0x4, R8",
      "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"}},
    {false, {"LDC.64 R4, c[0x0][0x210]", "REDG.E.ADD.STRONG.GPU desc[UR4][R4.64], R7", "EXIT"}},
    {false, {"ULDC.64 UR6, c[0x0][0x210]", "REDG.E.ADD.STRONG.GPU desc[UR4][UR6.64], R7", "EXIT"}},
};

static void what_chooses_places(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
    static struct made_sass m;
    made_kernel(&m, PLACES[i].lines);
    if (sass_place_is_chosen(&m.sass, m.sass.n - 2) != PLACES[i].chosen)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

/* A place that the thread loads and stores; beside it; through a register that has moved on meanwhile. */
static void what_updates_its_place(void **state) {
  static const struct {
    bool updates;
    const char *lines[6];
  } rows[] = {
      {true, {"LDG.E R0, desc[UR4][R2.64+0x4]", "FFMA R9, R0, R5, R6", "STG.E desc[UR4][R2.64+0x4], R9", "EXIT"}},
      {false, {"LDG.E R0, desc[UR4][R2.64]", "FFMA R9, R0, R5, R6", "STG.E desc[UR4][R2.64+0x4], R9", "EXIT"}},
      {false,
       {"LDG.E R0, desc[UR4][R2.64]", "IADD3 R2, R2, 0x4, RZ", "FFMA R9, R0, R5, R6", "STG.E desc[UR4][R2.64], R9",
        "EXIT"}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    assert_int_equal(sass_updates_place(&m.sass, 0), rows[i].updates);
    sass_release(&m.sass);
  }
}

/* One lane adds for all that a vote has counted, and the count as it was gives each its place. */
static void what_counts_places(void **state) {
  static const struct {
    bool counts;
    const char *lines[4];
  } rows[] = {
      {true, {"VOTEU.ANY UR4, UPT, PT", "@P0 ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR6][R2.64], R9", "EXIT"}},
      {false, {"POPC R5, R4", "@P0 ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR6][R2.64], R9", "EXIT"}},
      {false, {"VOTEU.ANY UR4, UPT, PT", "ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR6][R2.64], R9", "EXIT"}},
      {false, {"VOTEU.ANY UR4, UPT, PT", "@P0 ATOMG.E.ADD.STRONG.GPU PT, RZ, desc[UR6][R2.64], R9", "EXIT"}},
      {false, {"VOTEU.ANY UR4, UPT, PT", "@P0 ATOMG.E.MAX.STRONG.GPU PT, R8, desc[UR6][R2.64], R9", "EXIT"}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    if (sass_counts_places(&m.sass, 1) != rows[i].counts)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_swaps), cmocka_unit_test(what_chooses_places),
                                     cmocka_unit_test(what_counts_places), cmocka_unit_test(what_updates_its_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
