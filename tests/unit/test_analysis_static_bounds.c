/* The table of bounds of code that was not run: what stores take, what several steps share, and where no bound is sure. */
#include "unit/assert_value.h"
#include "unit/made_code.h"

/* 16 bytes loaded and 16 stored a turn of four instructions: of 1 MB that must move half is loaded. */
static void stored_bytes_are_not_loaded(void **state) {
  (void)state;
  static const char *const lines[] = {"LDC.64 R2, c[0x0][0x210]",
                                      "LDG.E.128 R8, desc[UR4][R2.64]",
                                      "IADD3 R2, R2, 0x10, RZ",
                                      "STG.E.128 desc[UR4][R2.64], R8",
                                      "@P0 BRA 0x10",
                                      "EXIT",
                                      NULL};
  static struct made_code d;
  made(&d, lines);
  make(&d);
  assert_true(d.code.stored_share == 0.5);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 2e12);
  assert_value(d.code.bounds[BOUND_DRAM].seconds, 1e6 / 4e12); /* all bytes at the whole rate */
  assert_value(d.code.bounds[BOUND_ISSUE].load_bw, 512e10);    /* a cycle a turn of 512 bytes */
  assert_value(d.code.bounds[BOUND_ISSUE].seconds, 0.5e6 / 512e10);
  assert_value(d.code.warp_insts, 4 * 0.5e6 / 512);
  assert_value(d.code.needed_bytes, 2e12 * 900e-9);
  release(&d);
}

/* What is stored on every way through a turn shares DRAM with what is loaded: 16 bytes each leave half of 4 TB/s.  A store under a guard, or
 * in a block that a branch may pass by, is not sure to be one. */
static void stores_take_bandwidth(void **state) {
  (void)state;
  static const char *lines[] = {"LDC.64 R2, c[0x0][0x210]",
                                "LDG.E.128 R8, desc[UR4][R2.64]",
                                "@P1 BRA 0x40",
                                "IADD3 R2, R2, 0x10, RZ",
                                "STG.E.128 desc[UR4][R2.64], R8",
                                "@P0 BRA 0x10",
                                "EXIT",
                                NULL};
  static struct made_code d;
  made(&d, lines);
  make(&d);
  assert_true(d.code.stored_share == 0.5);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 2e12);
  release(&d);
  lines[2] = "@P1 BRA 0x50";
  made(&d, lines);
  make(&d);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 4e12);
  release(&d);
  lines[2] = "NOP";
  lines[4] = "@P1 STG.E.128 desc[UR4][R2.64], R8";
  made(&d, lines);
  make(&d);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 4e12);
  release(&d);
  /* Of a kernel without a loop: what leaves early stores nothing. */
  static const char *const once[] = {"LDC.64 R2, c[0x0][0x210]",      "@P1 EXIT", "LDG.E R8, desc[UR4][R2.64]",
                                     "STG.E.64 desc[UR4][R2.64], R8", "EXIT",     NULL};
  made(&d, once);
  make(&d);
  assert_value(d.code.bounds[BOUND_DRAM].load_bw, 4e12 * (1 - 8 / 12.0));
  release(&d);
}

/* The problem's bytes are no step's, but of the step that reads A. */
static void steps_share_the_bytes(void **state) {
  (void)state;
  static struct run_launch two[2];
  static struct made_code d;
  for (int reads_a = 0; reads_a < 2; reads_a++) {
    struct run_result *r = made(&d, LOOP);
    two[0] = two[1] = r->launches[0];
    r->launches = two;
    r->n_launches = 2;
    if (!reads_a)
      d.step.value = (char *)"kernel = made; grid = 20; block = 64; args = sfb, c";
    make(&d);
    if (reads_a) {
      assert_value(d.code.must_bytes, 1e6);
      assert_value(d.code.bounds[BOUND_DRAM].seconds, 1e6 / 4e12);
      assert_true(d.code.time_s.present && d.code.sol.seconds > 0);
    } else {
      const char *why = "the variant has several steps, and which bytes this one moves is not declared";
      assert_absent(d.code.must_bytes, why);
      assert_absent(d.code.bounds[BOUND_ISSUE].seconds, why);
      assert_absent(d.code.warp_insts, why);
      assert_absent(d.code.time_s, why);
      assert_true(d.code.sol.seconds == 0);
      assert_true(d.code.bounds[BOUND_ISSUE].load_bw.present);
    }
    release(&d);
  }
}

/* A turn loads 16 bytes of each of two arrays in 7/4 cycles, 5.85 TB/s of both together: of one alone it is 2.93, below 4 TB/s of DRAM, and not below 2. */
static void loads_of_several_arrays_may_hit_a_cache(void **state) {
  (void)state;
  static const struct {
    double dram;
    const char *first, *doubt; /* first: address of the first array */
  } cases[] = {
      {4e12, "LDC.64 R2, c[0x0][0x210]", "which loads hit a cache is not known; where most do, issue binds"},
      {2e12, "LDC.64 R2, c[0x0][0x210]", NULL},
      {4e12, "LDC.64 R2, c[0x0][0x218]", NULL}, /* both are one array */
      {8e12, "LDC.64 R2, c[0x0][0x210]", NULL}, /* issue binds, and the more so */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_code d;
    const char *lines[16] = {cases[i].first};
    for (size_t k = 1; LOOP[k]; k++)
      lines[k] = LOOP[k];
    made(&d, lines);
    d.step.value = (char *)"kernel = other; grid = 20; block = 64"; /* nobody says what the arrays are */
    d.m.ceilings[0].value = cases[i].dram;
    d.m.ceilings[1].value = 1; /* no latency */
    make(&d);
    assert_int_equal(d.code.binding, cases[i].dram < 5e12 ? BOUND_DRAM : BOUND_ISSUE);
    if (cases[i].doubt)
      assert_string_equal(d.code.doubt, cases[i].doubt);
    else
      assert_null(d.code.doubt);
    release(&d);
  }
}

/* The load of 32 lanes 256 bytes apart. */
static void sectors_in_vain_may_hit_a_cache(void **state) {
  (void)state;
  static const char *const lines[] = {"S2R R0, SR_TID.X", "IMAD.WIDE R2, R0, 0x100, RZ", "LDG.E R8, desc[UR4][R2.64]",
                                      "EXIT", NULL};
  static struct made_code d;
  made(&d, lines);
  make(&d);
  assert_string_equal(d.code.doubt,
                      "strided accesses touch sectors in vain, and which of these hit a cache is not known");
  release(&d);
}

/* 4 bytes of each lane are loaded; a turn of L1 for these, and 32 for lanes that share a bank: 33 cycles of 128 bytes. */
static void turns_of_banks_are_cycles_of_l1(void **state) {
  (void)state;
  static struct made_code d;
  for (int apart = 0; apart < 2; apart++) {
    const char *lines[] = {"S2R R0, SR_TID.X",
                           apart ? "IMAD.SHL.U32 R4, R0, 0x80, RZ" : "IMAD.SHL.U32 R4, R0, 0x4, RZ",
                           "IMAD.WIDE R2, R0, 0x4, RZ",
                           "LDG.E R8, desc[UR4][R2.64]",
                           "LDS R9, [R4]",
                           "FADD R8, R8, R9",
                           "EXIT",
                           NULL};
    made(&d, lines);
    d.m.ceilings[1].value = 1;
    make(&d);
    if (apart) {
      assert_value(d.code.bounds[BOUND_L1].load_bw, 128e10 / 33);
      assert_int_equal(d.code.binding, BOUND_L1);
      assert_int_equal(d.code.busiest, BOUND_L1);
    } else {
      assert_absent(d.code.bounds[BOUND_L1].load_bw, "bytes that this level moves are known from counters only");
    }
    release(&d);
  }
}

/* A store that a check of bounds guards is one of almost every thread; one of a thread, or of what data choose, is not. */
static void stores_within_bounds(void **state) {
  (void)state;
  static const struct {
    const char *first, *second, *branch, *store;
    bool stored;
  } cases[] = {
      {"ISETP.GE.AND P1, PT, R5, UR8, PT", "NOP", "@P1 BRA 0x80", "STG.E.128 desc[UR4][R2.64], R8", true},
      {"ISETP.GE.AND P1, PT, R5, UR8, PT", "NOP", "NOP", "@!P1 STG.E.128 desc[UR4][R2.64], R8", true},
      {"ISETP.LT.AND P2, PT, R6, R7, PT", "ISETP.GE.OR P1, PT, R5, UR8, P2", "@P1 BRA 0x80",
       "STG.E.128 desc[UR4][R2.64], R8", true},
      {"ISETP.NE.AND P2, PT, R6, RZ, PT", "ISETP.GE.OR P1, PT, R5, UR8, P2", "@P1 BRA 0x80",
       "STG.E.128 desc[UR4][R2.64], R8", false}, /* and of one lane */
      {"ISETP.NE.AND P1, PT, R5, R7, PT", "NOP", "@P1 BRA 0x80", "STG.E.128 desc[UR4][R2.64], R8", false},
      {"ISETP.GT.AND P1, PT, R5, 0x1f, PT", "NOP", "@P1 BRA 0x80", "STG.E.128 desc[UR4][R2.64], R8", false},
      {"ISETP.GT.AND P1, PT, R5, RZ, PT", "NOP", "@P1 BRA 0x80", "STG.E.128 desc[UR4][R2.64], R8", false},
      {"FSETP.GT.AND P1, PT, R5, R6, PT", "NOP", "@P1 BRA 0x80", "STG.E.128 desc[UR4][R2.64], R8", false},
      {"ISETP.GE.AND P1, PT, R8, UR8, PT", "NOP", "@P1 BRA 0x80", "STG.E.128 desc[UR4][R2.64], R8",
       false}, /* R8 was loaded */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_code d;
    const char *lines[] = {"LDC.64 R2, c[0x0][0x210]",
                           "S2R R5, SR_TID.X",
                           "LDG.E.128 R8, desc[UR4][R2.64]", /* 0x20 */
                           cases[i].first,
                           cases[i].second,
                           cases[i].branch,
                           "IADD3 R2, R2, 0x10, RZ",
                           cases[i].store,
                           "@P0 BRA 0x20", /* 0x80 */
                           "EXIT",
                           NULL};
    made(&d, lines);
    make(&d);
    if (d.code.stored_share != (cases[i].stored ? 0.5 : 0))
      fail_msg("case %zu: %g", i, d.code.stored_share);
    release(&d);
  }
}

/* 300,000 bytes of shared memory are more than an SM has: nothing is resident, and nothing of that is a cause. */
static void a_block_that_fits_nowhere(void **state) {
  (void)state;
  static struct made_code d;
  made(&d, LOOP)->launches->smem_dynamic = 300000;
  make(&d);
  assert_value(d.code.occupied, 0);
  assert_absent(d.code.warps, "the block cannot be launched on this chip");
  assert_absent(d.code.bytes, "the block cannot be launched on this chip");
  assert_absent(d.code.time_s, "the launch is not known");
  release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stored_bytes_are_not_loaded),
      cmocka_unit_test(stores_take_bandwidth),
      cmocka_unit_test(steps_share_the_bytes),
      cmocka_unit_test(loads_of_several_arrays_may_hit_a_cache),
      cmocka_unit_test(sectors_in_vain_may_hit_a_cache),
      cmocka_unit_test(turns_of_banks_are_cycles_of_l1),
      cmocka_unit_test(stores_within_bounds),
      cmocka_unit_test(a_block_that_fits_nowhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
