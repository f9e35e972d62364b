/* Barriers of the whole grid: which barriers and additions belong to one. */
#include "analysis/idioms/grid_barriers.h"
#include "unit/made_sass.h"

#include <stdlib.h>

#define BAR "BAR.SYNC.DEFER_BLOCKING 0x0"

/* A mark to each line: 'x' is part of a wait for the grid. */
static const struct {
  const char *marks;
  const char *lines[14];
} CASES[] = {
    /* grid.sync() of CUDA 13 for sm_90a: one thread adds and polls the word it has added to */
    {"x...x....x.",
     {BAR, "@P4 BRA 0x90", "@P0 MEMBAR.ALL.GPU", "@P0 ERRBAR",
      "@P0 ATOM.E.ADD.STRONG.GPU PT, R3, desc[UR8][R14.64+0x4], R3", "LD.E.STRONG.GPU R3, desc[UR8][R14.64+0x4]",
      "LOP3.LUT R3, R3, R2, RZ, 0x3c, !PT", "ISETP.GT.AND P0, PT, R3, -0x1, PT", "@P0 BRA 0x50", BAR, "EXIT"}},
    /* by hand, without a fence, on the word itself */
    {"x.x...x.",
     {BAR, "@P4 BRA 0x60", "REDG.E.ADD.STRONG.GPU desc[UR8][R14.64], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]",
      "ISETP.LT.AND P0, PT, R3, R5, PT", "@P0 BRA 0x30", BAR, "EXIT"}},
    /* a flag beside the count, behind a fence */
    {"x..x...x.",
     {BAR, "@P4 BRA 0x70", "MEMBAR.SC.GPU", "ATOMG.E.INC.STRONG.GPU PT, R4, desc[UR8][R14.64], R3",
      "LDG.E.STRONG.SYS R3, desc[UR8][R16.64]", "ISETP.NE.AND P0, PT, R3, R5, PT", "@P0 BRA 0x40", BAR, "EXIT"}},
    /* another word, and no fence or one of the block: a ticket, then a look at what others write */
    {NULL,
     {BAR, "@P4 BRA 0x60", "ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR8][R14.64], R3",
      "LDG.E.STRONG.SYS R3, desc[UR8][R16.64]", "ISETP.NE.AND P0, PT, R3, R5, PT", "@P0 BRA 0x30", BAR, "EXIT"}},
    {NULL,
     {BAR, "@P4 BRA 0x70", "MEMBAR.ALL.CTA", "ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR8][R14.64], R3",
      "LDG.E.STRONG.SYS R3, desc[UR8][R16.64]", "ISETP.NE.AND P0, PT, R3, R5, PT", "@P0 BRA 0x40", BAR, "EXIT"}},
    /* the block has met since */
    {NULL,
     {BAR, "MEMBAR.SC.GPU", "ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR8][R14.64], R3", BAR,
      "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]", "ISETP.NE.AND P0, PT, R3, R5, PT", "@P0 BRA 0x40", BAR, "EXIT"}},
    /* no barrier before, none behind; a swap; a load that a cache may answer; a loop with a barrier, or that adds */
    {NULL,
     {"REDG.E.ADD.STRONG.GPU desc[UR8][R14.64], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]",
      "ISETP.LT.AND P0, PT, R3, R5, PT", "@P0 BRA 0x10", BAR, "EXIT"}},
    {NULL,
     {BAR, "REDG.E.ADD.STRONG.GPU desc[UR8][R14.64], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]",
      "ISETP.LT.AND P0, PT, R3, R5, PT", "@P0 BRA 0x20", "EXIT"}},
    {NULL,
     {BAR, "ATOMG.E.EXCH.STRONG.GPU PT, R4, desc[UR8][R14.64], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]",
      "ISETP.LT.AND P0, PT, R3, R5, PT", "@P0 BRA 0x20", BAR, "EXIT"}},
    {NULL,
     {BAR, "REDG.E.ADD.STRONG.GPU desc[UR8][R14.64], R3", "LDG.E R3, desc[UR8][R14.64]",
      "ISETP.LT.AND P0, PT, R3, R5, PT", "@P0 BRA 0x20", BAR, "EXIT"}},
    {NULL,
     {BAR, "REDG.E.ADD.STRONG.GPU desc[UR8][R14.64], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]",
      "ISETP.LT.AND P0, PT, R3, R5, PT", BAR, "@P0 BRA 0x20", BAR, "EXIT"}},
    {NULL,
     {BAR, "REDG.E.ADD.STRONG.GPU desc[UR8][R14.64], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]",
      "REDG.E.ADD.STRONG.GPU desc[UR8][R16.64], R3", "@P0 BRA 0x20", BAR, "EXIT"}},
    /* in shared memory */
    {NULL,
     {BAR, "MEMBAR.SC.GPU", "ATOMS.ADD R4, [R14], R3", "LDG.E.STRONG.SYS R3, desc[UR8][R14.64]",
      "ISETP.LT.AND P0, PT, R3, R5, PT", "@P0 BRA 0x30", BAR, "EXIT"}},
};

static void what_is_marked(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    bool *marked = sass_grid_barriers(&m.sass);
    if (!marked != !CASES[i].marks)
      fail_msg("row %zu", i);
    for (size_t k = 0; marked && k < m.sass.n; k++)
      if (marked[k] != (CASES[i].marks[k] == 'x'))
        fail_msg("row %zu, line %zu", i, k);
    free(marked);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_marked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
