/* Loads and stores that the rows of several rules have, and the bytes that they need. */
#ifndef TESTS_UNIT_JUDGED_ACCESSES_H
#define TESTS_UNIT_JUDGED_ACCESSES_H

#include "unit/judged_lines.h"

static inline void thousand_cycles(struct made_diagnosis *d) {
  latencies(d, 1000);
}

#define WIDE                                                                                                           \
  .lines = {"LDG.E.128 R8, desc[UR4][R2.64]", "FADD R4, R8, R9", "@P0 BRA 0x0", "EXIT"},                               \
  .executed = {32e3, 32e3, 32e3, 1}

static inline void least_40(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 40e6;
}

static inline void undeclared(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 0;
}

/* An element a thread, to the place that `to` makes. */
#define COPY(to)                                                                                                       \
  .lines = {"S2R R5, SR_TID.X",           "LDC.64 R8, c[0x0][0x210]",                                                  \
            "LDC.64 R10, c[0x0][0x218]",  "IMAD.WIDE R2, R5, 0x4, R10",                                                \
            "LDG.E R4, desc[UR4][R2.64]", to,                                                                          \
            "STG.E desc[UR4][R6.64], R4", "EXIT"},                                                                     \
  .executed = {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}

static inline void least_20(struct made_diagnosis *d) {
  d->m.results[0].bytes_minimal = 20e6;
}

#define STAGED                                                                                                         \
  .lines = {"LDG.E R4, desc[UR4][R2.64]", "STS [R7], R4", "LDS R5, [R8]", "EXIT"}, .executed = {400, 400, 400, 1}

static inline void is_the_gemv(struct made_diagnosis *d) {
  static struct run_key step = {(char *)"step", (char *)"kernel = gemv; grid = 1; block = 32"};
  least_20(d);
  d->m.variants[0].keys = &step;
  d->m.variants[0].n_keys = 1;
}

static inline void sectors_of(struct made_diagnosis *d, int i, double sectors, double ideal) {
  d->counts[i].global_sectors = sectors;
  d->counts[i].global_sectors_ideal = ideal;
}

/* Atomics are not judged, nor is what was not counted. */
static inline void scattered(struct made_diagnosis *d) {
  sectors_of(d, 0, 600, 200);
  sectors_of(d, 1, 300, 100);
  sectors_of(d, 2, 500, 10);
  sectors_of(d, 3, 70, -1);
  sectors_of(d, 4, -1, 70);
}

#define ACCESSES                                                                                                       \
  .lines = {"LDG.E R8, desc[UR4][R2.64]",                                                                              \
            "STG.E desc[UR4][R4.64], R8",                                                                              \
            "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R6.64], R8",                                                   \
            "LDG.E R9, desc[UR4][R2.64]",                                                                              \
            "LDG.E R10, desc[UR4][R2.64]",                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {50, 50, 50, 50, 50, 1}

/* 100 times a thread stores two values. */
#define PIECES(moves, a, b)                                                                                            \
  .also = pieces, .lines = {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", moves, a, b, "EXIT"},                      \
  .executed = {100, 100, 100, 100, 100, 1},                                                                            \
  .set = {{"store_data_bytes", 25600},                                                                                 \
          {"l1_store_requests", 200},                                                                                  \
          {"l1_store_sectors", 1600},                                                                                  \
          {"l2_write_bytes", 51200},                                                                                   \
          {"dram_write_bytes", 30000}}
#define BY_8        "IMAD.WIDE R2, R0, 0x8, R6"
#define STG(offset) "STG.E desc[UR4][R2.64" offset "], R8"

/* Of the stores of 4 bytes each touches twice as many sectors as it needs. */
static inline void pieces(struct made_diagnosis *d) {
  a_line_each(d);
  d->counts[3].global_sectors = d->counts[4].global_sectors = 800;
  d->counts[3].global_sectors_ideal = d->counts[4].global_sectors_ideal = 400;
}

#endif
