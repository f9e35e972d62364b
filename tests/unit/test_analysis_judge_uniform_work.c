/* The rule uniform-work: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

static void samples_at_reciprocal(struct made_diagnosis *d) {
  static struct run_sample samples[3];
  samples[0] = (struct run_sample){.offset = 0x10, .reason = (char *)"short_scoreboard", .samples = 5};
  samples[1] = (struct run_sample){.offset = 0x20, .reason = (char *)"short_scoreboard", .samples = 10};
  samples[2] = (struct run_sample){.offset = 0x30, .reason = (char *)"wait", .samples = 35};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 3;
}

/* Each lane follows a pointer of its own to what the loop sums. */
#define SUMS_ALIKE(sum)                                                                                                \
  .lines = {"S2R R0, SR_TID.X",                                                                                        \
            "LDG.E.64 R2, desc[UR4][R0.64]",                                                                           \
            "MOV R5, RZ",                                                                                              \
            "LDG.E R4, desc[UR4][R2.64]",                                                                              \
            sum,                                                                                                       \
            "IADD3 R2, P1, R2, 0x4, RZ",                                                                               \
            "IADD3 R6, R6, -0x1, RZ",                                                                                  \
            "ISETP.NE.AND P0, PT, R6, RZ, PT",                                                                         \
            "@P0 BRA 0x30",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {10, 10, 10, 90, 90, 90, 90, 90, 90, 10}

static const struct judged_case CASES[] = {
    /* A reciprocal of an argument and one of a product, of 200 instructions each; LDC and the others stay.  No line, no samples. */
    {.rule = "uniform-work",
     .lines = {"LDC R4, c[0x0][0x210]", "MUFU.RCP R5, R4", "FMUL R6, R5, R5", "S2R R7, SR_TID.X", "MUFU.RCP R8, R7",
               "FADD R9, R4, R4", "EXIT"},
     .executed = {200, 200, 200, 200, 200, 200, 200},
     .set = {{"inst_executed", 1400}},
     .says =
         "instructions on arguments alone 400 inst\n"
         "samples there 0 ratio\n"
         "every thread computes what depends on the kernel's arguments alone (MUFU): 29 % of the instructions\n"
         "compute it once on the host and pass it: reciprocals (also of a constant divisor), roots, converted values\n",
     .takes = "inst 600, fma 800, xu 800, own_issue_s 60",
     .silent = {{"inst_executed", 0}}},
    {.rule =
         "uniform-work", /* 10 of 50 samples wait for the reciprocal; 5 for the argument, which is still to be read; 20 us go */
     .lines = {"LDC R4, c[0x0][0x210]", "MUFU.RCP R5, R4", "FMUL R6, R5, R5", "EXIT"},
     .executed = {200, 200, 200, 200},
     .also = samples_at_reciprocal,
     .set = {{"inst_executed", 800}},
     .says =
         "instructions on arguments alone 400 inst\n"
         "samples there 0.2 ratio\n"
         "every thread computes what depends on the kernel's arguments alone (FMUL): 50 % of the instructions\n"
         "compute it once on the host and pass it: reciprocals (also of a constant divisor), roots, converted values\n",
     .takes = "inst 600, fma 800, xu 800, own_issue_s 60, dependencies_s 80"},
    {.rule = "uniform-work", /* an integer's reciprocal: integer-division tells it */
     .lines = {"LDC R4, c[0x0][0x210]", "I2F.U32.RP R5, R4", "MUFU.RCP R5, R5", "EXIT"},
     .executed = {200, 200, 200, 200},
     .set = {{"inst_executed", 800}},
     .takes = ""},
    {.rule = "uniform-work", /* addresses cost little */
     .lines = {"LDC R4, c[0x0][0x210]", "IADD3 R5, R4, 0x4, RZ", "EXIT"},
     .executed = {200, 200, 200},
     .set = {{"inst_executed", 600}},
     .takes = ""},
    /* A sine of what all threads load, and its square; the way of large arguments is never taken. */
    {.rule = "uniform-work",
     .lines = {"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]", "LDG.E.CONSTANT R4, desc[UR4][R2.64]",
               "MUFU.SIN R5, R4", "FSETP.GE.AND P0, PT, |R4|, 105615, PT", "@!P0 BRA 0x70", "LDL R5, [R1]",
               "FMUL R6, R5, R5", "EXIT"},
     .executed = {200, 200, 200, 200, 200, 200, 0, 200, 200},
     .set = {{"inst_executed", 1600}},
     .says =
         "instructions alike in all threads 400 inst\n"
         "samples there 0 ratio\n"
         "every thread computes the same from arguments and from values that all load alike (MUFU): 25 % of the instructions\n"
         "compute it once, on the host or by one thread in a launch before, and load the results\n",
     .takes = "inst 600, fma 800, xu 800, own_issue_s 60"},
    /* Large arguments there are: what the way of these leaves in R5 is not followed, and the sine alone goes. */
    {.rule = "uniform-work",
     .lines = {"ULDC.64 UR4, c[0x0][0x208]", "LDC.64 R2, c[0x0][0x210]", "LDG.E.CONSTANT R4, desc[UR4][R2.64]",
               "MUFU.SIN R5, R4", "FSETP.GE.AND P0, PT, |R4|, 105615, PT", "@!P0 BRA 0x70", "LDL R5, [R1]",
               "FMUL R6, R5, R5", "EXIT"},
     .executed = {200, 200, 200, 200, 200, 200, 100, 200, 200},
     .set = {{"inst_executed", 1600}},
     .says =
         "instructions alike in all threads 200 inst\n"
         "samples there 0 ratio\n"
         "every thread computes the same from arguments and from values that all load alike (MUFU): 12 % of the instructions\n"
         "compute it once, on the host or by one thread in a launch before, and load the results\n",
     .takes = "inst 800, xu 800, own_issue_s 80"},
    /* 90 turns of 10 warps, whose loads touch a sector each, sum what they bring: 540 of 580 instructions.  31 of 32 of these go: 523; of 90 sums 87, of 270 of the
     * counter and the address 262. */
    {.rule = "uniform-work",
     SUMS_ALIKE("FADD R5, R5, R4"),
     .set =
         {{"inst_executed", 580}, {"thread_inst_executed", 18560}, {"l1_load_requests", 100}, {"l1_load_sectors", 105}},
     .says =
         "instructions alike in all lanes 540 inst\n"
         "samples there 0 ratio\n"
         "sectors per load 1.05 sector\n"
         "the lanes of a warp load and compute the same in whole loops: 93 % of the instructions\n"
         "share the loop out among the lanes and combine their parts by shuffles, once for all threads that need the result\n",
     .takes = "inst 476.88, alu 738.44, fma 912.81, loads_s 12.812, own_issue_s 47.688",
     .silent = {{"l1_load_sectors", 200}, {"thread_inst_executed", 9000}}},
    {.rule = "uniform-work", /* a lane's own value is in each sum */
     SUMS_ALIKE("FFMA R5, R0, R4, R5"),
     .set =
         {{"inst_executed", 580}, {"thread_inst_executed", 18560}, {"l1_load_requests", 100}, {"l1_load_sectors", 105}},
     .takes = ""},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
