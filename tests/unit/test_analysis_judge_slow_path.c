/* The rule slow-path: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

/* Ten of forty samples are in the function: a quarter.  Five of warps that have ended stand where it begins. */
static void samples_in_function(struct made_diagnosis *d) {
  static struct run_sample samples[3];
  samples[0] = (struct run_sample){.offset = 0x0, .reason = (char *)"wait", .samples = 25};
  samples[1] = (struct run_sample){.offset = 0x30, .reason = (char *)"wait", .samples = 10};
  samples[2] = (struct run_sample){.offset = 0x20, .reason = (char *)"drain", .samples = 5};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 3;
}

static void ended_in_function(struct made_diagnosis *d) {
  samples_in_function(d);
  d->m.results[0].n_samples = 1;
}

static void line_of_call(struct made_diagnosis *d) {
  static struct run_line lines[2] = {{.source = -1, .line = 339}, {.source = -1, .line = 341}};
  samples_in_function(d);
  for (size_t i = 0; i < d->kernel.n_sass; i++) {
    d->sass[i].lines = &lines[i ? 1 : 0];
    d->sass[i].n_lines = 1;
  }
}

#define CALLS(call)                                                                                                    \
  .lines = {call, "EXIT", "MUFU.RCP R4, R5", "FFMA R4, R5, R6, R7", "RET.REL.NODEC R2 `(gemv)"},                       \
  .executed = {100, 100, 100, 200, 100}

/* Ten of forty samples are at the store of a sine's reduction. */
static void samples_in_reduction(struct made_diagnosis *d) {
  static struct run_sample samples[2];
  samples[0] = (struct run_sample){.offset = 0x0, .reason = (char *)"wait", .samples = 30};
  samples[1] = (struct run_sample){.offset = 0x40, .reason = (char *)"wait", .samples = 10};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

/* Half of a hundred warps have a lane with a large argument. */
#define SINE(large)                                                                                                    \
  .lines = {"FMUL R9, R8, 0.63661974668502807617",                                                                     \
            "FSETP.GE.AND P0, PT, |R8|, 105615, PT",                                                                   \
            "@!P0 BRA 0x70",                                                                                           \
            "IMAD.WIDE.U32 R10, R8, R8, RZ",                                                                           \
            "STL [R1], R10",                                                                                           \
            "LDL R5, [R1]",                                                                                            \
            "SHF.L.U32 R9, R5, 0x1, RZ",                                                                               \
            "MUFU.SIN R6, R9",                                                                                         \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, large, large, large, large, 100, 100}, .also = samples_in_reduction,                     \
  .set = {{"inst_executed", 1000},       {"l1_load_sectors", 1000}, {"local_load_sectors", 2000},                      \
          {"local_store_sectors", 1000}, {"l1_wavefronts", 1000},   {"shared_wavefronts", 200}}

static const struct judged_case CASES[] = {
    /* 200 of 1000 instructions: 50 of FMA's heavy pipe, 50 of the ALU, 100 of the LSU; a quarter of 100 us; the 3,000 of 4,000 sectors, and so 600 of 1,000 cycles */
    {.rule = "slow-path",
     SINE(50),
     .says =
         "instructions in slow paths 200 inst\n"
         "50 % of sines, cosines or tangents have |x| >= 105615 and reduce it in local memory: 25 % of samples\n"
         "take whole turns off before, in double precision or integers, or keep angles in turns (sincospif); __sincosf is "
         "inexact there\n",
     .takes = "inst 800, alu 950, fma 950, fma_heavy 950, lsu 900, l1_wavefronts 400, l2_read 250, l2_write 250, "
              "own_issue_s 80, dependencies_s 75"},
    {.rule = "spills", SINE(50)}, /* the array is the sine's */
    {.rule = "slow-path", SINE(0), .takes = ""},
    /* 400 of 1000 instructions, 100 of the XU's and 200 of FMA's, and a quarter of 100 us */
    {.rule = "slow-path",
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)"),
     .also = line_of_call,
     .set = {{"inst_executed", 1000}},
     .says =
         "samples in slow paths 0.25 ratio\n"
         "instructions in slow paths 400 inst\n"
         "25 % of samples are in slow paths, most of divisions at line 339 of an unnamed file: zeros, denormals and extreme "
         "values take them\n"
         "multiply by a reciprocal where the divisor is a constant or shared; else __fdividef or -use_fast_math, which have "
         "no such path\n",
     .takes = "inst 600, fma 800, fma_heavy 800, xu 900, own_issue_s 60, dependencies_s 75"},
    {.rule = "slow-path", /* no line is known */
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm20_dsqrt_rn_f64_mediumpath_v1)"),
     .also = samples_in_function,
     .says =
         "samples in slow paths 0.25 ratio\n"
         "instructions in slow paths 400 inst\n"
         "25 % of samples are in slow paths, most of double-precision square roots: zeros, denormals and extreme values take "
         "them\n"
         "multiply by a reciprocal where the divisor is a constant or shared; skip zeros, scale what is denormal\n"},
    {.rule = "slow-path",
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath)"),
     .also = ended_in_function,
     .takes = ""},
    {.rule = "slow-path",
     .lines = {"CALL.REL.NOINC `($gemv$__internal_trig_reduction_slowpathd)", "EXIT", "MUFU.RCP R4, R5",
               "FFMA R4, R5, R6, R7", "RET.REL.NODEC R2 `(gemv)"},
     .executed = {100, 100, 100, 200, 100},
     .also = samples_in_function,
     .takes = ""},
    {.rule = "slow-path",
     CALLS("CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_u64)"),
     .also = samples_in_function,
     .takes = ""}, /* has no other path */
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
