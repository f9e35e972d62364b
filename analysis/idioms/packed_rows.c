#include "analysis/idioms/packed_rows.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, FACTORS = 2, ADDEND = 2 };

static bool multiplies_adds(const struct sass_inst *x) {
  return strcmp(x->opcode, "HFMA2") == 0 && x->n_reads > ADDEND;
}

/* The one instruction that made this source; SASS_NONE: several may have, or none. */
static size_t made_by(const struct sass_producer *from, size_t n, const struct sass_range *r) {
  size_t by = SASS_NONE;
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++) {
    if (from[k].range.file != r->file || from[k].range.first != r->first)
      continue;
    if (by != SASS_NONE)
      return SASS_NONE;
    by = from[k].inst;
  }
  return by;
}

/* A product is added to another: its addend is no constant. */
static bool adds_up(struct sass *s, const struct sass_inst *x, const struct sass_producer *from, size_t n) {
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (from[k].range.first == x->reads[ADDEND].first && from[k].range.file == x->reads[ADDEND].file &&
        strcmp(s->insts[from[k].inst].opcode, "HFMA2") == 0)
      return true;
  return false;
}

/* [FACTORS * i + f] made factor f of instruction i; SASS_NONE: it was loaded, or is of no such
 * product. */
static void factors_of(size_t *made, size_t *uses, struct sass *s) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    struct sass_producer from[SASS_READS_MAX];
    made[FACTORS * i] = made[FACTORS * i + 1] = SASS_NONE;
    if (!multiplies_adds(x) || x->never || s->executed[i] <= 0)
      continue;
    size_t n = sass_producers(s, i, from, SASS_READS_MAX);
    if (!adds_up(s, x, from, n))
      continue;
    for (size_t f = 0; f < FACTORS; f++) {
      size_t by = made_by(from, n, &x->reads[f]);
      if (by == SASS_NONE || s->insts[by].access != ACCESS_NONE)
        continue;
      made[FACTORS * i + f] = by;
      uses[by]++;
    }
  }
}

double sass_packed_rows(struct sass *s) {
  size_t *made = calloc(FACTORS * (s->n + 1), sizeof *made), *uses = calloc(s->n + 1, sizeof *uses);
  double sum = 0;
  factors_of(made, uses, s);
  for (size_t i = 0; i < s->n; i++)
    for (size_t f = 0; f < FACTORS; f++)
      if (made[FACTORS * i + f] != SASS_NONE && uses[made[FACTORS * i + f]] >= ROWS) {
        sum += s->executed[i];
        break;
      }
  free(made);
  free(uses);
  return sum;
}
