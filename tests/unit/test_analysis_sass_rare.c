/* Code that hardly ever runs: what a sine does for large arguments, and the compiler's own functions. */
#include "unit/made_sass.h"

/* A loop over sines: for a large argument six turns of a loop within, with an array in local memory (nvcc 13.0, sm_90, cut down). */
#define SINES(branch, asks, calls)                                                                                     \
  {                                                                                                                    \
    "LDC.64 R2, c[0x0][0x210]", "LDG.E R4, desc[UR4][R2.64]", asks, calls, branch, "IMAD.MOV.U32 R12, RZ, RZ, RZ",     \
        "LDG.E.64.CONSTANT R6, desc[UR4][R8.64]", /* 0x60 */                                                           \
        "VIADD R12, R12, 0x1", "STL [R14], R6", "ISETP.NE.AND P1, PT, R12, 0x6, PT", "@P1 BRA 0x60", "LDL R5, [R14]",  \
        "FFMA R16, R5, R4, R16", /* 0xc0 */                                                                            \
        "IADD3 R2, R2, 0x4, RZ", "@P2 BRA 0x10", "EXIT", "STL [R14], R4", "RET.ABS.NODEC R20 0x0", NULL                \
  }
#define LARGE "FSETP.GE.AND P0, PT, |R4|, 105615, PT"
#define OTHER "FSETP.GE.AND P0, PT, |R4|, 105616, PT"
enum { SINE_LINES = 20 };

static const struct {
  const char *lines[SINE_LINES];
  bool large, functions; /* that these blocks are rare */
} cases[] = {
    {SINES("@!P0 BRA 0xc0", LARGE, "NOP"), true, true},
    {SINES("@!P0 BRA 0xc0", LARGE, "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_sqrt_rn_f32_slowpath)"), true, true},
    {SINES("@!P0 BRA 0xc0", LARGE, "CALL.REL.NOINC `($_Z3owni)"), false, false}, /* it may write P0 */
    {SINES("@!P0 BRA 0xc0", OTHER, "NOP"), false, true},
    {SINES("@!P1 BRA 0xc0", LARGE, "NOP"), false, true},
    {SINES("@P0 BRA 0xc0", LARGE, "NOP"), false, true}, /* for small ones, then; and what follows has two ways to it */
    {SINES("NOP", LARGE, "NOP"), false, true},
};

static void large_arguments(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    struct sass_summary u;
    made_kernel(&m, cases[i].lines);
    const struct sass *s = &m.sass;
    sass_summarise(&m.sass, &u);
    for (size_t at = 0; at < s->n; at++) {
      bool large = at >= 5 && at < 12, function = at >= 16, rare = s->blocks[s->block_of[at]].rare;
      if (rare != ((large && cases[i].large) || (function && cases[i].functions)))
        fail_msg("case %zu: %s", i, s->insts[at].text);
    }
    assert_int_equal(s->blocks[s->loops[u.hot].header].first, cases[i].large ? 1 : 6);
    assert_int_equal(u.widest_load, cases[i].large ? 4 : 8);
    assert_int_equal(u.spill_stores, !cases[i].large + !cases[i].functions);
    assert_int_equal(u.spill_loads, !cases[i].large);
    assert_int_equal(sass_summed(s, 5, SASS_NONE), !cases[i].large);
    assert_int_equal(sass_summed(s, 12, u.hot), cases[i].large);
    assert_false(sass_summed(s, 16, SASS_NONE)); /* nothing leads there */
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(large_arguments)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
