/* Lines of source for a kernel made by hand, and samples at them. */
#ifndef TESTS_UNIT_JUDGED_LINES_H
#define TESTS_UNIT_JUDGED_LINES_H

#include "unit/judged.h"

/* A line for each instruction; without the first of two branches half of the lanes go through the fourth and fifth. */
static inline void a_line_each(struct made_diagnosis *d) {
  static struct run_line lines[LINES_MAX];
  for (size_t i = 0; i < d->kernel.n_sass; i++) {
    lines[i] = (struct run_line){.source = -1, .line = (int)i + 10};
    d->sass[i].lines = &lines[i];
    d->sass[i].n_lines = 1;
  }
  d->counts[3].threads = d->counts[4].threads = 16 * d->counts[3].executed;
}

/* The first load is of this block's row, and the second every block makes; a store. */
#define ROW_BY(row, every)                                                                                             \
  .also = a_line_each, .lines = {"S2R R0, SR_CTAID.X",          "S2R R1, SR_TID.X",                                    \
                                 "IMAD.WIDE R2, R0, 0x100, R8", "IMAD.WIDE R4, R1, 0x4, R10",                          \
                                 "LDG.E R6, desc[UR4][R2.64]",  "LDG.E R7, desc[UR4][R4.64]",                          \
                                 "STG.E desc[UR4][R12.64], R6", "EXIT"},                                               \
  .executed = {40, 40, 40, 40, row, every, 90, 40}

#endif
