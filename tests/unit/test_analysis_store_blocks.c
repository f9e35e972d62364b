/* Loads that may not pass a store, by the kernel's arguments: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/store_blocks.h"

enum { NONE, MOVES, STAYS }; /* where the loop's stores go that loads may not pass; none: there are none */

#define POINTERS   "LDC.64 R2, c[0x0][0x210]", "LDC.64 R4, c[0x0][0x218]", "ULDC.64 UR6, c[0x0][0x208]"
#define AHEAD(reg) "IADD3 " reg ", " reg ", 0x4, RZ"
#define TURN       "ISETP.NE.AND P0, PT, R9, RZ, PT", "@P0 BRA 0x30", "EXIT"

#define MEET "BAR.SYNC.DEFER_BLOCKING 0x0"

static const struct {
  int store;
  const char *lines[16];
} CASES[] = {
    /* warps meet before the load and behind it: it waits for them, whatever is stored; once a turn it is held by the store before or behind it */
    {NONE,
     {POINTERS, MEET, "LDG.E R8, desc[UR6][R2.64]", MEET, "STG.E desc[UR6][R4.64], R8", AHEAD("R2"), AHEAD("R4"),
      TURN}},
    {NONE,
     {POINTERS, MEET, "STG.E desc[UR6][R4.64], R8", MEET, "LDG.E R8, desc[UR6][R2.64]", AHEAD("R2"), AHEAD("R4"),
      TURN}},
    {MOVES,
     {POINTERS, "LDG.E R8, desc[UR6][R2.64]", MEET, "STG.E desc[UR6][R4.64], R8", AHEAD("R2"), AHEAD("R4"), TURN}},
    {MOVES,
     {POINTERS, MEET, "STG.E desc[UR6][R4.64], R8", "LDG.E R8, desc[UR6][R2.64]", AHEAD("R2"), AHEAD("R4"), TURN}},
    {NONE,
     {POINTERS, MEET, "LDG.E R8, desc[UR6][R2.64]", "STG.E desc[UR6][R4.64], R8", AHEAD("R2"), AHEAD("R4"), TURN}},
    {STAYS, {POINTERS, MEET, "LDG.E R8, desc[UR6][R2.64]", MEET, "STG.E desc[UR6][R4.64], R8", AHEAD("R2"), TURN}},
    /* a sum in memory */
    {STAYS,
     {POINTERS, "LDG.E R8, desc[UR6][R2.64]", "FADD R7, R7, R8", "STG.E desc[UR6][R4.64], R7", AHEAD("R2"), TURN}},
    /* an element each turn; what is stored is made anew, not where */
    {MOVES,
     {POINTERS, "LDG.E R8, desc[UR6][R2.64]", "FADD R7, R8, R8", "STG.E desc[UR6][R4.64], R7", AHEAD("R2"), AHEAD("R4"),
      TURN}},
    /* a pointer that is const __restrict__; one whose loads the compiler never moves; both to one array */
    {NONE,
     {POINTERS, "LDG.E.CONSTANT R8, desc[UR6][R2.64]", "FADD R7, R7, R8", "STG.E desc[UR6][R4.64], R7", AHEAD("R2"),
      TURN}},
    {NONE,
     {POINTERS, "LDG.E.STRONG.SYS R8, desc[UR6][R2.64]", "FADD R7, R7, R8", "STG.E desc[UR6][R4.64], R7", AHEAD("R2"),
      TURN}},
    {NONE,
     {POINTERS, "LDG.E R8, desc[UR6][R2.64]", "FADD R7, R7, R8", "STG.E desc[UR6][R2.64], R7", AHEAD("R2"), TURN}},
    /* of two loads one: not the most; of three two */
    {NONE,
     {POINTERS, "LDG.E R8, desc[UR6][R2.64]", "LDG.E R7, desc[UR6][R4.64]", "STG.E desc[UR6][R4.64], R7", AHEAD("R2"),
      TURN}},
    {STAYS,
     {POINTERS, "LDG.E R8, desc[UR6][R2.64]", "LDG.E R10, desc[UR6][R2.64+0x4]", "LDG.E R7, desc[UR6][R4.64]",
      "STG.E desc[UR6][R4.64], R7", AHEAD("R2"), TURN}},
    /* the store stands behind the loop; an address that a load brings is nobody's */
    {NONE,
     {POINTERS, "LDG.E R8, desc[UR6][R2.64]", AHEAD("R2"), "ISETP.NE.AND P0, PT, R9, RZ, PT", "@P0 BRA 0x30",
      "STG.E desc[UR6][R4.64], R8", "EXIT"}},
    {NONE,
     {POINTERS, "LDG.E.64 R4, desc[UR6][R2.64]", "LDG.E R8, desc[UR6][R2.64]", "STG.E desc[UR6][R4.64], R8",
      AHEAD("R2"), TURN}},
    /* addresses with sizes among what they are made of, which are no pointers */
    {MOVES,
     {POINTERS, "LDC R11, c[0x0][0x220]", "IMAD.WIDE R12, R11, 0x4, R2", "LDG.E R8, desc[UR6][R12.64]",
      "STG.E desc[UR6][R4.64], R8", AHEAD("R4"), TURN}},
    {NONE,
     {POINTERS, "LDC R11, c[0x0][0x220]", "IMAD.WIDE R12, R11, 0x4, R4", "LDG.E R8, desc[UR6][R12.64]",
      "STG.E desc[UR6][R4.64], R8", AHEAD("R4"), TURN}},
    {MOVES,
     {POINTERS, "IMAD.WIDE R12, R11, 0x4, c[0x0][0x230]", "LDG.E R8, desc[UR6][R12.64]", "STG.E desc[UR6][R4.64], R8",
      AHEAD("R4"), TURN}},
};

static void what_stores_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    struct sass_store_blocks x;
    made_kernel(&m, CASES[i].lines);
    assert_int_equal(m.sass.n_loops, 1);
    bool found = sass_store_blocks(&x, &m.sass, 0);
    int store = !found ? NONE : x.same_place ? STAYS : MOVES;
    if (store != CASES[i].store || found != (x.store != SASS_NONE))
      fail_msg("case %zu: %d", i, store);
    assert_false(sass_store_blocks(&x, &m.sass, SASS_NONE));
    sass_release(&m.sass);
  }
}

/* An element is loaded, and stored where it was. */
static void what_works_in_place(void **state) {
  (void)state;
  static const struct {
    bool in_place;
    const char *lines[14];
  } rows[] = {
      {true,
       {POINTERS, "IMAD.WIDE R12, R11, 0x4, R4", "LDG.E R8, desc[UR6][R12.64]", "STG.E desc[UR6][R12.64], R8",
        "IADD3 R11, R11, R10, RZ", TURN}},
      {true, /* an address of two halves, made anew from the index, which stands in one of them */
       {POINTERS, "MOV R13, R11", "LEA R12, P1, R13, R4, 0x2", "LEA.HI.X R13, R13, R5, RZ, 0x2, P1",
        "LDG.E R8, desc[UR6][R12.64]", "STG.E desc[UR6][R12.64], R8", "IADD3 R11, R11, R10, RZ", TURN}},
      /* the kernel does not write it; it is stored elsewhere; before */
      {false,
       {POINTERS, "IMAD.WIDE R12, R11, 0x4, R4", "LDG.E.CONSTANT R8, desc[UR6][R12.64]", "STG.E desc[UR6][R12.64], R8",
        "IADD3 R11, R11, R10, RZ", TURN}},
      {false,
       {POINTERS, "IMAD.WIDE R12, R11, 0x4, R4", "LDG.E R8, desc[UR6][R12.64]", "STG.E desc[UR6][R2.64], R8",
        "IADD3 R11, R11, R10, RZ", TURN}},
      {false,
       {POINTERS, "IMAD.WIDE R12, R11, 0x4, R4", "STG.E desc[UR6][R12.64], R8", "LDG.E R8, desc[UR6][R12.64]",
        "IADD3 R11, R11, R10, RZ", TURN}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, rows[i].lines);
    if (sass_works_in_place(&m.sass, 0) != rows[i].in_place)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_stores_hold), cmocka_unit_test(what_works_in_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
