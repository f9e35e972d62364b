/* Grids and blocks that the rows of several rules have. */
#ifndef TESTS_UNIT_JUDGED_LAUNCH_H
#define TESTS_UNIT_JUDGED_LAUNCH_H

#include "unit/judged.h"

static inline void launch(struct made_diagnosis *d, unsigned blocks, unsigned threads, int blocks_per_sm,
                          int registers) {
  *d->m.results[0].launches = (struct run_launch){.kernel = d->kernel.name,
                                                  .grid = {blocks, 1, 1},
                                                  .block = {threads, 1, 1},
                                                  .blocks_per_sm = blocks_per_sm,
                                                  .registers = registers};
}

static inline void blocks_2(struct made_diagnosis *d) {
  launch(d, 2, 256, 4, 32);
}

static inline void blocks_5(struct made_diagnosis *d) {
  launch(d, 5, 256, 4, 32);
}

static inline void blocks_10(struct made_diagnosis *d) {
  launch(d, 10, 256, 4, 32);
}

static inline void blocks_36(struct made_diagnosis *d) {
  launch(d, 36, 256, 3, 32);
}

static inline void blocks_54(struct made_diagnosis *d) {
  launch(d, 54, 256, 3, 32);
}

static inline void blocks_40(struct made_diagnosis *d) {
  launch(d, 40, 256, 4, 32);
}

static inline void no_launch(struct made_diagnosis *d) {
  d->m.results[0].n_launches = 0;
}

static inline void one_large_block_each(struct made_diagnosis *d) {
  launch(d, 10, 1024, 1, 40);
}

static inline void threads_of(struct made_diagnosis *d, unsigned threads) {
  unsigned *block = d->m.results[0].launches->block;
  block[0] = threads;
  block[1] = block[2] = 1;
}

static inline void threads_12(struct made_diagnosis *d) {
  threads_of(d, 12);
}

#endif
