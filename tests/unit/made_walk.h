/* A made kernel walked with latencies that are easy to add up: what its arguments hold, and which addresses stream. */
#pragma once

#include "unit/made_sass.h"

#include "analysis/sass/sass_walk.h"

/* M, K and L of the usual arguments, where chips of sm_90 have them; a pointer whose upper word is 5. */
static inline bool word_at(const void *context, uint32_t offset, uint32_t *value) {
  const uint32_t *extents = context;
  static const uint32_t pointer[] = {0x100, 5};
  if (offset == 0)
    *value = 96;
  else if (offset >= 0x400 && offset < 0x410)
    *value = (offset - 0x400) / 4 + 1;
  else if (offset >= 0x238 && offset < 0x244)
    *value = extents[(offset - 0x238) / 4];
  else if (offset == 0x210 || offset == 0x214)
    *value = pointer[(offset - 0x210) / 4];
  else
    return false;
  return true;
}

static const uint32_t EXTENTS[] = {40, 3, 2};

static inline bool at_5(const void *context, uint64_t address) {
  (void)context;
  return address >> 32 == 5;
}

/* Of a grid of one block: its threads stand in x. */
static inline void walk_of(struct sass_walk *w, struct made_sass *m, const char *const *lines, unsigned threads) {
  made_kernel(m, lines);
  *w = (struct sass_walk){
      .grid = {1, 1, 1},
      .block = {threads, 1, 1},
      .constants = {EXTENTS, word_at},
      .streams = at_5,
      .latencies = {
          .fixed = 4, .half = 8, .special = 16, .shared = 20, .l1 = 32, .l2 = 300, .dram = 600, .alu_turn = 2}};
}

static inline bool walk(struct sass_walk *w, struct made_sass *m, const char *const *lines, unsigned threads) {
  walk_of(w, m, lines, threads);
  return sass_walk(w, &m->sass);
}

static inline void leave(struct sass_walk *w, struct made_sass *m) {
  sass_walk_release(w);
  assert_null(w->executed);
  sass_release(&m->sass);
}
