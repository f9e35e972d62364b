/* Loops of one thread of a block, and loops that stride by the grid: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/block_work.h"

#define NUMBER  "S2R R0, SR_TID.X"
#define TURN    "FADD R4, R4, R4", "IADD3 R2, R2, 0x1, RZ"
#define LOOP_30 TURN, "@P0 BRA 0x30"
#define LOOP_40 TURN, "@P0 BRA 0x40"
#define NE      "ISETP.NE.AND P1, PT, R0, RZ, PT"
#define EQ      "ISETP.EQ.AND P1, PT, R0, RZ, PT"

static const struct {
  const char *lines[16];
  bool one, strides;
} CASES[] = {
    /* the others end; jump over it; come round by another way to what follows */
    {{NUMBER, NE, "@P1 EXIT", LOOP_30, "EXIT"}, true, false},
    {{NUMBER, NE, "@P1 BRA 0x60", LOOP_30, "EXIT"}, true, false},
    {{NUMBER, EQ, "@!P1 BRA 0x60", LOOP_30, "EXIT"}, true, false},
    {{NUMBER, EQ, "@P1 BRA 0x40", "EXIT", LOOP_40, "EXIT"}, true, false},
    {{NUMBER, NE, "@!P1 BRA 0x40", "EXIT", LOOP_40, "EXIT"}, true, false},
    /* thread 0 ends, or jumps over it: the others go through */
    {{NUMBER, EQ, "@P1 EXIT", LOOP_30, "EXIT"}, false, false},
    {{NUMBER, NE, "@!P1 EXIT", LOOP_30, "EXIT"}, false, false},
    {{NUMBER, EQ, "@P1 BRA 0x60", LOOP_30, "EXIT"}, false, false},
    {{NUMBER, NE, "@P1 BRA 0x40", "EXIT", LOOP_40, "EXIT"}, true, false} /* it ends alone */,
    /* both ways meet before the loop: what stands between is one thread's, or all others' */
    {{NUMBER, NE, "@P1 BRA 0x40", "FADD R5, R5, R5", LOOP_40, "EXIT"}, true, false},
    {{NUMBER, EQ, "@P1 BRA 0x40", "FADD R5, R5, R5", LOOP_40, "EXIT"}, false, false},
    /* not the thread's number, not against 0, another comparison, a second condition */
    {{"S2R R0, SR_CTAID.X", NE, "@P1 EXIT", LOOP_30, "EXIT"}, false, false},
    {{NUMBER, "ISETP.NE.AND P1, PT, R0, 0x3, PT", "@P1 EXIT", LOOP_30, "EXIT"}, false, false},
    {{NUMBER, "ISETP.GT.AND P1, PT, R0, RZ, PT", "@P1 EXIT", LOOP_30, "EXIT"}, false, false},
    {{NUMBER, "ISETP.NE.AND P1, PT, R0, RZ, P2", "@P1 EXIT", LOOP_30, "EXIT"}, false, false},
    {{NUMBER, "ISETP.NE.OR P1, PT, R0, RZ, PT", "@P1 EXIT", LOOP_30, "EXIT"}, false, false},
    /* the number has another writer */
    {{NUMBER, "@P2 MOV R0, R9", NE, "@P1 EXIT", LOOP_40, "EXIT"}, false, false},
    /* behind the loop */
    {{NUMBER, "FADD R4, R4, R4", "@P0 BRA 0x10", NE, "@P1 EXIT", "EXIT"}, true, false},
    /* the grid's size is what it moves on by */
    {{"LDC R7, c[0x0][0xc]", "FADD R4, R4, R4", "IMAD.IADD R2, R7, 0x1, R2", "@P0 BRA 0x10", "EXIT"}, false, true},
};

static void loops(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (m.sass.n_loops != 1)
      fail_msg("case %zu: %zu loops", i, m.sass.n_loops);
    size_t branch = 0;
    while (branch < m.sass.n && !strstr(m.sass.insts[branch].text, "P1 EXIT") &&
           !strstr(m.sass.insts[branch].text, "P1 BRA"))
      branch++;
    bool one = branch < m.sass.n && sass_branch_for_one(&m.sass, branch), strides = sass_loop_strides_grid(&m.sass, 0);
    if (one != CASES[i].one || strides != CASES[i].strides)
      fail_msg("case %zu: %d, %d", i, one, strides);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
