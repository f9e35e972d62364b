/* What threads with several elements each would spare. */
#include "analysis/signs/elements.h"
#include "unit/made_input.h"

#include <math.h>

#define LANE  "LDC.64 R8, c[0x0][0x210]", "S2R R5, SR_TID.X", "IMAD.WIDE R2, R5, 0x4, R8"
#define LOAD  "LDG.E R4, desc[UR4][R2.64]"
#define STORE "STG.E desc[UR4][R2.64], R6"

/* 80 blocks where 20 are resident, so that a thread can have four elements. */
static struct rule_input *launched(struct made_input *x, const char *const *lines, const double *executed) {
  struct rule_input *in = input(x, lines, executed);
  x->launch.grid[0] = 80;
  in->work.blocks_per_sm = value_of(2);
  return in;
}

static void what_stays(void **state) {
  (void)state;
  static const struct {
    const char *lines[12];
    double executed[12];
    double insts, fma, lsu;
    bool wide, shares_once;
  } cases[] = {
      /* The sum is each element's; one load and one store have four; the rest is a thread's. */
      {{LANE, LOAD, "FADD R6, R4, R4", STORE, "EXIT"},
       {1, 1, 1, 1, 1, 1, 1},
       (0.25 * 3 + 0.25 + 1 + 0.25 + 0.25) / 7,
       (0.25 + 1) / 2,
       0.25,
       true,
       true},
      /* Wide accesses have an element already. */
      {{"LDG.E.128 R4, desc[UR4][R2.64]", "FADD R6, R4, R4", "STG.E.128 desc[UR4][R2.64], R6", "EXIT"},
       {1, 1, 1, 1},
       3.25 / 4,
       1,
       1,
       false,
       true},
      /* Lanes put it together: the shuffle, what is made of it and the store of one lane's are once a thread. */
      {{LANE, LOAD, "FMUL R7, R4, R4", "SHFL.BFLY PT, R6, R7, 0x10, 0x1f", "FADD R6, R6, R7",
        "STG.E desc[UR4][R8.64], R6", "EXIT"},
       {8, 8, 8, 8, 8, 8, 8, 1, 8},
       (8 * 0.25 * 3 + 8 * 0.25 + 8 + 8 * 0.25 * 2 + 0.25 + 8 * 0.25) / 65,
       (2 + 8 + 2) / 24.0,
       0.25,
       true,
       true},
      /* A vote's word has a bit of each lane's element: of another element it is another word. */
      {{LANE, LOAD, "ISETP.GE.AND P0, PT, R4, RZ, PT", "VOTE.ANY R6, PT, P0", STORE, "EXIT"},
       {1, 1, 1, 1, 1, 1, 1, 1},
       (0.25 * 3 + 0.25 + 1 + 1 + 0.25 + 0.25) / 8,
       0.25,
       0.25,
       true,
       true},
      /* A tile: what is read from shared memory is stored. */
      {{LANE, LOAD, "STS [R5], R4", "BAR.SYNC.DEFER_BLOCKING 0x0", "LDS R6, [R7]", STORE, "EXIT"},
       {1, 1, 1, 1, 1, 1, 1, 1, 1},
       9 * 0.25 / 9,
       0.25,
       0.25,
       true,
       false},
      /* A stencil by way of shared memory, and a mean that all lanes read alike: the one is each element's. */
      {{LANE, LOAD, "LDS R7, [R10]", "FADD R6, R4, R7", STORE, "EXIT"},
       {1, 1, 1, 1, 1, 1, 1, 1},
       (0.25 * 7 + 1) / 8,
       (0.25 + 1) / 2,
       0.25,
       true,
       false},
      {{LANE, LOAD, "LDS R7, [UR4]", "FADD R6, R4, R7", STORE, "EXIT"},
       {1, 1, 1, 1, 1, 1, 1, 1},
       (0.25 * 7 + 1) / 8,
       (0.25 + 1) / 2,
       0.25,
       true,
       true},
      /* A table that the element is looked up in. */
      {{LANE, LOAD, "LDC R6, c[0x3][R4]", STORE, "EXIT"},
       {1, 1, 1, 1, 1, 1, 1},
       (0.25 * 6 + 1) / 7,
       0.25,
       0.25,
       true,
       true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static struct made_input x;
    struct elements got;
    assert_true(elements_of(&got, launched(&x, cases[i].lines, cases[i].executed)));
    assert_true(got.times == 4);
    if (fabs(got.insts - cases[i].insts) > 1e-9 || fabs(got.pipes[PIPE_FMA] - cases[i].fma) > 1e-9 ||
        fabs(got.pipes[PIPE_LSU] - cases[i].lsu) > 1e-9)
      fail_msg("case %zu: %g of all, %g of FMA, %g of LSU", i, got.insts, got.pipes[PIPE_FMA], got.pipes[PIPE_LSU]);
    assert_int_equal(got.wide, cases[i].wide);
    assert_int_equal(got.shares_once, cases[i].shares_once);
    sass_release(&x.m.sass);
  }
}

static void no_such_kernel(void **state) {
  (void)state;
  static const char *const once[] = {LANE, LOAD, "FADD R6, R4, R4", STORE, "EXIT", NULL},
                           *const loops[] = {LANE, LOAD, "FADD R6, R4, R6", "@P0 BRA 0x30", STORE, "EXIT", NULL},
                           *const window[] =
                               {LANE,   LOAD, "TEX.LL R6, R22, R4, R44, UR4, 0x0, 2D, 0x7", "@P0 BRA 0x40", STORE,
                                "EXIT", NULL}, /* of texels, of which its sums are */
                               *const none[] = {LANE, "FADD R6, R4, R4", "EXIT", NULL};
  static struct made_input x;
  struct elements got;
  struct rule_input *in = launched(&x, once, NULL);
  assert_true(elements_of(&got, in));
  in->work.blocks_per_sm = value_of(4); /* two waves: two elements */
  assert_true(elements_of(&got, in));
  assert_true(got.times == 2);
  in->work.blocks_per_sm = value_of(8); /* all blocks are resident */
  assert_false(elements_of(&got, in));
  in->work.blocks_per_sm = value_of(2);
  x.m.sass.counted = false;
  assert_false(elements_of(&got, in));
  in->sass = NULL;
  assert_false(elements_of(&got, in));
  sass_release(&x.m.sass);
  assert_false(elements_of(&got, launched(&x, loops, NULL)));
  sass_release(&x.m.sass);
  assert_false(elements_of(&got, launched(&x, window, NULL)));
  sass_release(&x.m.sass);
  assert_false(elements_of(&got, launched(&x, none, NULL)));
  sass_release(&x.m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_stays), cmocka_unit_test(no_such_kernel)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
