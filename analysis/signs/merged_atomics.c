#include "analysis/signs/merged_atomics.h"

#include "analysis/sass/sass.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, NEAR_MOST = 16, PAIR = 2, QUAD = 4, SM_OF_VECTORS = 90 };

static bool adds_floats(const struct sass_inst *x) {
  return sass_modifier(x, "F32");
}

/* It adds one word; floats have wider ones from sm_90 on. */
static bool adds_word(const struct rule_input *in, const struct sass_inst *x) {
  bool other = sass_modifier(x, "F16x2") || sass_modifier(x, "BF16_V2") || sass_modifier(x, "BF16x2");
  return about_atomics(x) && !x->never && x->bytes == WORD && sass_modifier(x, "ADD") && !other &&
         (!adds_floats(x) || in->all->device->sm >= SM_OF_VECTORS);
}

/* Under one condition, and from one base. */
static bool alike(struct sass *s, size_t i, size_t k) {
  const struct sass_inst *x = &s->insts[i], *y = &s->insts[k];
  return sass_same_base(s, i, k) && strcmp(x->opcode, y->opcode) == 0 && adds_floats(x) == adds_floats(y) &&
         x->guarded == y->guarded &&
         (!x->guarded || (ranges_same(&x->guard, &y->guard) && x->guard_negated == y->guard_negated));
}

static int by_offset(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

/* Wider ones that add a row of so many words.  An odd row begins in the midst of a wider word in every second place: it stays as it is. */
static size_t wider_ones(size_t row, bool floats) {
  return row % PAIR != 0 ? row : floats ? row / QUAD + row % QUAD / PAIR : row / PAIR;
}

struct weights {
  double all, gone, by[QUAD + 1], floats;
};

static void row_ends(struct weights *w, size_t row, bool floats, double n) {
  size_t wider = wider_ones(row, floats);
  if (wider == row)
    return;
  w->gone += n * (double)(row - wider);
  w->by[floats && row % QUAD == 0 ? QUAD : PAIR] += n;
  w->floats += floats ? n : 0;
}

/* Those from i on in its block that have its base, each marked as seen. */
static void group(struct weights *w, const struct rule_input *in, size_t i, bool *seen) {
  struct sass *s = in->sass;
  const struct sass_inst *x = &s->insts[i];
  long offsets[NEAR_MOST];
  const char *at;
  size_t n = 0, row = 1;
  double times = s->counted ? fmax(s->executed[i], 0) : 1;
  for (size_t k = i; k < s->n && s->block_of[k] == s->block_of[i] && n < NEAR_MOST; k++) {
    const struct sass_inst *y = &s->insts[k];
    if (adds_word(in, y) && !seen[k] && alike(s, i, k)) {
      sass_address_base(y, &at, &offsets[n++]);
      seen[k] = true;
    }
  }
  qsort(offsets, n, sizeof *offsets, by_offset);
  for (size_t k = 1; k <= n; k++) {
    if (k < n && offsets[k] == offsets[k - 1] + WORD) {
      row++;
      continue;
    }
    row_ends(w, row, adds_floats(x), times);
    row = 1;
  }
}

void merged_atomics_of(struct merged_atomics *out, const struct rule_input *in) {
  struct weights w = {0};
  size_t n = in->sass ? in->sass->n : 0;
  bool *seen = calloc(n + 1, sizeof *seen);
  for (size_t i = 0; i < n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (!about_atomics(x) || x->never)
      continue;
    w.all += in->sass->counted ? fmax(in->sass->executed[i], 0) : 1;
    if (!seen[i] && adds_word(in, x))
      group(&w, in, i, seen);
  }
  free(seen);
  double merged = w.by[PAIR] + w.by[QUAD];
  *out = (struct merged_atomics){.gone = w.all > 0 ? w.gone / w.all : 0,
                                 .words = w.gone <= 0               ? 0
                                          : 2 * w.by[QUAD] > merged ? QUAD
                                                                    : PAIR,
                                 .floats = 2 * w.floats > merged};
}

double atomics_reach(const struct rule_input *in) {
  double asked = rule_value(in, "l2_read_bytes", -1);
  return asked < 0 ? 0 : fmax(rule_value(in, "dram_read_bytes", 0) - asked, 0);
}
