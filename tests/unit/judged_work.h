/* Work of kernels that the rows of several rules have: counts of instructions, a tree in shared memory. */
#ifndef TESTS_UNIT_JUDGED_WORK_H
#define TESTS_UNIT_JUDGED_WORK_H

#include "unit/judged.h"

/* 8 warps through the 8 levels of 256 threads: 576 instructions, of which 80 shuffles with as many sums and 16 accesses take 176. */
#define TREE                                                                                                           \
  .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "SHF.R.U32.HI R6, RZ, 0x1, R6",                                                                            \
            "ISETP.GE.AND P1, PT, R9, R6, PT",                                                                         \
            "@!P1 LDS R3, [R4]",                                                                                       \
            "@!P1 LDS R2, [R4+0x40]",                                                                                  \
            "@!P1 FADD R3, R3, R2",                                                                                    \
            "@!P1 STS [R4], R3",                                                                                       \
            "ISETP.NE.AND P2, PT, R6, RZ, PT",                                                                         \
            "@P2 BRA 0x0",                                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {64, 64, 64, 64, 64, 64, 64, 64, 64, 8}
#define SHUFFLES                                                                                                       \
  "replace the tree: several elements per thread in registers, then warp shuffles (__shfl_down_sync), then one "       \
  "barrier and one value per warp\n"

static inline void is_gemv(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 1000;
  d->m.results[0].flops = 1920;
}

static inline void no_problem(struct made_diagnosis *d) {
  d->m.results[0].shape = (struct shape){0};
}

#define ISSUED(a, b, c, d) .lines = {a, b, c, d, "EXIT"}, .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}

#endif
