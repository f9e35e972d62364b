/* The rule bank-conflicts: what it says and takes away, which remedy fits, which line it names; figures worked out beside each row. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

static void conflicts_of_lds(struct made_diagnosis *d) {
  d->counts[0].shared_wavefronts = 400;
  d->counts[0].shared_wavefronts_ideal = 100;
}

static void with_shared(struct made_diagnosis *d) {
  d->m.results[0].launches->smem_dynamic = 1024;
}

#define BANKS(a, b, access)                                                                                            \
  .rule = "bank-conflicts", .lines = {a, b, access, "EXIT"}, .executed = {100, 100, 100, 100},                         \
  .set = {{"l1_wavefronts", 5e5}, {"shared_wavefronts", 4e5}, {"shared_bank_conflicts", 3e5}}

#define PAD      "pad or swizzle the shared array so that the lanes of a warp hit different banks\n"
#define PADDED   "pad or swizzle the shared array so that the lanes of a warp hit different banks$"
#define REPEATED "75 % of shared-memory cycles repeat an access: lanes collide in a bank\n"

static const struct judged_case CASES[] = {
    /* 500 of 800 cycles go that atomics do not repeat; short waits: 10 us, 800 parts of 1,000 */
    {.rule = "bank-conflicts",
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_bank_conflicts", 600},
             {"shared_atomic_conflicts", 100},
             {"pipe_xu", 200},
             {"stall_short_scoreboard", 3.2e6},
             {"stall_mio_throttle", 8e6}},
     .says = "shared_bank_conflicts 600 -\n"
             "shared_wavefronts 800 -\n"
             "short scoreboard, share 0.1 ratio\n"
             "MIO throttle, share 0.25 ratio\n" REPEATED PAD,
     .takes = "l1_wavefronts 500, dependencies_s 95",
     .silent = {{"shared_bank_conflicts", 100}}},
    {.rule = "bank-conflicts", /* fewer conflicts than atomics have of them: nothing is taken, and nothing is given */
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_bank_conflicts", 100},
             {"shared_atomic_conflicts", 300}},
     .takes = ""},
    {.rule = "bank-conflicts", /* no other pipe shares the short waits */
     .set = {{"l1_wavefronts", 1000},
             {"shared_wavefronts", 800},
             {"shared_bank_conflicts", 600},
             {"stall_short_scoreboard", 3.2e6}},
     .says = "shared_bank_conflicts 600 -\n"
             "shared_wavefronts 800 -\n"
             "short scoreboard, share 0.1 ratio\n" REPEATED PAD,
     .takes = "l1_wavefronts 400, dependencies_s 92.5"},
    /* by the code: 300 of 400 cycles; of 10 us half are for LDS, SHFL and ATOMS */
    {.rule = "bank-conflicts",
     .lines = {"LDS R4, [R2]", "SHFL.DOWN PT, R4, R5, R6, R7", "ATOMS.ADD RZ, [R2], R4", "EXIT"},
     .executed = {60, 20, 20, 1},
     .also = conflicts_of_lds,
     .set = {{"pipe_xu", 100}, {"stall_short_scoreboard", 3.2e6}},
     .says = "short scoreboard, share 0.1 ratio\n" REPEATED PAD,
     .takes = "dependencies_s 96.25"},
    /* 10 turns each by places that are loaded: 250 of the 900 cycles stay, as of random places; 650 of 2,000 go */
    {.rule = "bank-conflicts",
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "LEA R6, R4, UR5, 0x2", "LDS R8, [R6]", "EXIT"},
     .executed = {100, 100, 100, 100},
     .set = {{"l1_wavefronts", 2000}, {"shared_wavefronts", 1000}, {"shared_bank_conflicts", 900}},
     .says =
         "shared_bank_conflicts 900 -\n"
         "shared_wavefronts 1000 -\n"
         "90 % of shared-memory cycles repeat an access: lanes collide in a bank\n"
         "10.0 turns per access, where random places take 3.5: the places have powers of two in common, so pad the array (word i at i + i / 32)\n",
     .takes = "l1_wavefronts 675"},
    /* no access of shared memory: the cycles that are counted as its are another's; but a generic address may be of it */
    {.rule = "bank-conflicts",
     .lines = {"LDG.E R4, desc[UR4][R2.64]", "SHFL.DOWN PT, R4, R5, R6, R7",
               "CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)", "EXIT"},
     .executed = {60, 20, 20, 1},
     .set = {{"shared_wavefronts", 400}, {"shared_bank_conflicts", 300}}},
    {.rule = "bank-conflicts",
     .also = with_shared,
     .lines = {"LD.E R4, [R2.64]", "EXIT"},
     .executed = {60, 1},
     .set = {{"shared_wavefronts", 400}, {"shared_bank_conflicts", 300}},
     .says = "shared_bank_conflicts 300 -\n"
             "shared_wavefronts 400 -\n" REPEATED PAD},
    {.rule = "bank-conflicts", /* the launch has none that it could be of */
     .lines = {"LD.E R4, [R2.64]", "EXIT"},
     .executed = {60, 1},
     .set = {{"shared_wavefronts", 400}, {"shared_bank_conflicts", 300}}},
};

/* Of 400,000 cycles so many repeat. */
#define BANKS_OF(conflicts, a, b, access)                                                                              \
  .rule = "bank-conflicts", .lines = {a, b, access, "EXIT"}, .executed = {100, 100, 100, 100},                         \
  .set = {{"l1_wavefronts", 5e5}, {"shared_wavefronts", 4e5}, {"shared_bank_conflicts", conflicts}}

static void rows_of_16(struct made_diagnosis *d) {
  d->m.results[0].launches->block[0] = 16;
  d->m.results[0].launches->block[1] = 16;
}

static void with_table(struct made_diagnosis *d) {
  d->m.results[0].launches->smem_dynamic = 4097; /* a warp's lanes hold 4096 bytes in 32 registers each */
}

static const struct line_case LINES[] = {
    {{.rule = "bank-conflicts", /* the second is executed more */
      .also = a_line_each,
      .lines = {"STS [R6], R8", "LDS R8, [R6]", "EXIT"},
      .executed = {10, 100, 1},
      .set = {{"shared_wavefronts", 4e5}, {"shared_bank_conflicts", 3e5}}},
     1},
};

static const struct remedy_case REMEDIES[] = {
    {{BANKS_OF(2e5, "LDG.E R4, desc[UR4][R2.64]", "LEA R6, R4, UR5, 0x6", "LDS.U8 R8, [R6+0x10]")},
     "every access takes 2 turns whatever the data, so the layout is why: give each lane a bank of its own, or swizzle$",
     NULL},
    {{.also = rows_of_16, BANKS_OF(2e5, "MOV R4, R5", "MOV R6, R7", "LDS R8, [R6]")},
     "a warp spans 2 rows of the block, which meet in banks: make the block 32 wide, or find a pitch that keeps them apart$",
     NULL},
    {{.also = rows_of_16, BANKS_OF(3e5, "MOV R4, R5", "MOV R6, R7", "LDS R8, [R6]")}, PADDED, NULL},   /* 4 of 2 rows */
    {{.also = rows_of_16, BANKS_OF(2.1e5, "MOV R4, R5", "MOV R6, R7", "LDS R8, [R6]")}, PADDED, NULL}, /* 2.1 turns */
    {{BANKS_OF(2e5, "MOV R4, R5", "MOV R6, R7", "LDSM.16.M88.4 R8, [R6]")},
     "ldmatrix reads rows of 16 bytes: a pitch that is an odd multiple of 16 bytes (144, not 128 or 160) keeps them apart$",
     NULL},
    {{BANKS("S2R R0, SR_TID.X", "SHF.L.U32 R2, R0, 0x7, RZ", "LDS R8, [R2]")},
     "lanes lie 128 bytes apart, 32 in a bank: pad each row by one element, or swizzle$",
     NULL},
    {{BANKS("S2R R0, SR_TID.X", "SHF.L.U32 R2, R0, 0x3, RZ", "STS [R2], R8")},
     "lanes lie 8 bytes apart, 2 in a bank: pad each row by one element, or swizzle$",
     NULL},
    {{BANKS("S2R R0, SR_TID.X", "IMAD R2, R0, 0x60, RZ", "LDS.128 R8, [R2]")}, /* rows of 6 times 16 bytes */
     "lanes lie 96 bytes apart, 2 in a bank: pad each row by one element, or swizzle$",
     NULL},
    {{.also = rows_of_16, BANKS("S2R R0, SR_TID.Y", "SHF.L.U32 R2, R0, 0x9, RZ", "LDS R8, [R2]")}, /* 128 words a row */
     "rows of the block (threadIdx.y) lie 512 bytes apart, 2 in a bank: pad each row by 4 bytes, or swizzle$",
     NULL},
    {{.also = rows_of_16, BANKS("S2R R0, SR_TID.X", "SHF.L.U32 R2, R0, 0x8, RZ", "LDS R8, [R2]")}, /* no step of rows */
     "lanes lie 256 bytes apart, 16 in a bank: pad each row by one element, or swizzle$",
     NULL},
    {{BANKS_OF(2.8e5, "LDG.E R4, desc[UR4][R2.64]", "F2I.TRUNC.NTZ R6, R4", "LDS R8, [R6]")}, /* through a conversion */
     "places come from data, which padding does not spread: keep it in registers (shuffles), or fewer accesses$",
     NULL},
    {{BANKS_OF(2.8e5, "LDG.E R4, desc[UR4][R2.64]", "LEA R6, R4, UR5, 0x2", "@P0 LDS R8, [R6+0x10]")},
     "places come from data, which padding does not spread: keep it in registers (shuffles), or fewer accesses$",
     NULL},
    {{.also = with_table, BANKS_OF(2.8e5, "LDG.E R4, desc[UR4][R2.64]", "LEA R6, R4, UR5, 0x2", "LDS R8, [R6]")},
     "places come from data, which padding does not spread: fewer accesses, or place what is read together in different banks$",
     NULL},
    /* 4e5 cycles of 3.8e4 accesses: random places take no more than 3.5 */
    {{BANKS_OF(3.62e5, "LDG.E R4, desc[UR4][R2.64]", "LEA R6, R4, UR5, 0x2", "LDS R8, [R6]")},
     "10.5 turns per access, where random places take 3.5: the places have powers of two in common, so pad the array (word i at i + i / 32)$",
     NULL},
    {{BANKS("LDG.E R8, desc[UR4][R2.64]", "SHFL.IDX PT, R6, R3, R5, 0x1f",
            "STS [R6], R8")}, /* the value, and not its place */
     PADDED,
     NULL},
    {{BANKS("LDG.E R4, desc[UR4][R2.64]", "ISETP.NE.AND P0, PT, R4, RZ, PT",
            "@P0 LDS R8, [R6]")}, /* whether, and not where */
     PADDED,
     NULL},
    {{BANKS("S2R R0, SR_TID.X", "SHF.L.U32 R2, R0, 0x2, RZ", "LDS R8, [R2]")}, /* side by side */
     PADDED,
     NULL},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

static void which_line(void **state) {
  (void)state;
  LINES_ARE(LINES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(what_fits), cmocka_unit_test(which_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
