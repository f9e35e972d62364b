/* The rule narrow-rows: what it says and takes away; figures worked out beside each row. */
#include "analysis/rules/remedies.h"
#include "unit/judged_accesses.h"

static void is_named(struct made_diagnosis *d, const char *kernel) {
  d->kernel.name = d->m.results[0].launches->kernel = (char *)kernel;
}

static void aligned_to_1(struct made_diagnosis *d) {
  is_named(d, "Kernel2_s1688gemm_bf16_128x128_tn_align1");
  sectors_of(d, 0, 600, 200);
}

static void aligned_to_4(struct made_diagnosis *d) {
  is_named(d, "Kernel2_s1688gemm_f16_128x128_tn_align4");
  sectors_of(d, 0, 800, 800);
}

static void aligned_to_8(struct made_diagnosis *d) {
  is_named(d, "Kernel2_gemm_f16_tn_align8");
}

static const struct judged_case CASES[] = {
    /* Loads of one element where eight fill 16 bytes: an eighth of them, of what prepares them and of the L1's 900 cycles that no
     * load from shared memory takes, where half of its 200 are stores'.  400 of 600 sectors go, 12,800 B; lanes ask for 6,400 of 20,000 B.  Half as deep an HMMA
     * is half as many. */
    {.rule = "narrow-rows",
     .lines = {"LDG.E.U16 R4, desc[UR4][R2.64]", "LDS R5, [R3]", "HMMA.1688.F32 R8, R4, R5, R8", "STS [R3], R4",
               "EXIT"},
     .executed = {100, 100, 100, 100, 1},
     .also = aligned_to_1,
     .set = {{"l1_wavefronts", 1000}, {"shared_wavefronts", 200}, {"l2_read_bytes", 25600}, {"dram_read_bytes", 20000}},
     .says = "rows aligned to 2 byte\n"
             "the library took a kernel that loads 2 bytes at a time, because rows begin at multiples of 1 element\n"
             "CALLER " NARROW_ROWS_REMEDY "\n",
     .takes = "alu 125, lsu 125, tensor 500, l1_wavefronts 212.5, dram_read 360, l2_read 500, sectors_spread 1, "
              "loads_s 12.5"},
    {.rule = "narrow-rows", /* half as wide as can be, in whole sectors, and no HMMA; what is read stays */
     .lines = {"LDG.E.64 R4, desc[UR4][R2.64]", "EXIT"},
     .executed = {100, 1},
     .also = aligned_to_4,
     .set = {{"l1_wavefronts", 1000},
             {"l2_read_bytes", 25600},
             {"dram_read_bytes", 20000},
             {"l1_load_sectors", 800},
             {"l1_load_requests", 100}},
     .says = "rows aligned to 8 byte\n"
             "sectors per load 8 sector\n"
             "l1_load_requests 100 -\n"
             "the library took a kernel that loads 8 bytes at a time, because rows begin at multiples of 4 elements\n"
             "CALLER " NARROW_ROWS_REMEDY "\n",
     .takes = "alu 500, lsu 500, l1_wavefronts 500, sectors_spread 1, loads_s 50"},
    {.rule = "narrow-rows",
     .lines = {"LDG.E.128 R4, desc[UR4][R2.64]", "EXIT"},
     .executed = {100, 1},
     .also = aligned_to_8,
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
