/* "ptxas took it" is not "the chip has it": what stands in the SASS says which. */
#include "profiler/mma/tuning.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 16, NAME_MAX_CHARS = 48 };

struct seen {
  char name[NAME_MAX_CHARS];
  size_t n;
};

/* The instruction's name without its guard. */
static size_t name_of(const char *text, const char **start) {
  if (*text == '@') {
    text += strcspn(text, " ");
    text += strspn(text, " ");
  }
  *start = text;
  return strcspn(text, " ;");
}

static bool is_matrix(const char *name, size_t length) {
  size_t base = strcspn(name, ". ;");
  return base <= length && base >= 4 && base <= 6 && strncmp(name + base - 3, "MMA", 3) == 0;
}

/* 8-bit and 4-bit operands widened for a unit that takes larger ones. */
static bool is_convert(const char *name, size_t length) {
  return (strncmp(name, "F2FP", 4) == 0 && memmem(name, length, "UNPACK", 6)) || strncmp(name, "I2IP", 4) == 0;
}

static size_t count(const struct run_kernel *k, struct seen *seen, size_t *n_convert) {
  size_t n = 0;
  *n_convert = 0;
  for (size_t i = 0; i < k->n_sass; i++) {
    const char *name;
    size_t length = name_of(k->sass[i].text, &name), at = 0;
    *n_convert += is_convert(name, length);
    if (!is_matrix(name, length) || length >= NAME_MAX_CHARS)
      continue;
    while (at < n && (strncmp(seen[at].name, name, length) != 0 || seen[at].name[length]))
      at++;
    if (at == n && n < NAMES_MAX)
      snprintf(seen[n++].name, NAME_MAX_CHARS, "%.*s", (int)length, name);
    if (at < n)
      seen[at].n++;
  }
  return n;
}

void mma_classify(struct mma_row *row, const struct run_kernel *k) {
  struct seen seen[NAMES_MAX] = {{{0}, 0}}, *most = &seen[0];
  size_t n = count(k, seen, &row->n_convert);
  row->native = MMA_UNKNOWN;
  row->opcode[0] = '\0';
  if (!n)
    return;
  for (size_t i = 1; i < n; i++)
    if (seen[i].n > most->n)
      most = &seen[i];
  snprintf(row->opcode, sizeof row->opcode, "%s", most->name);
  row->n_opcode = most->n;
  /* Native is the unit made for the operands, at the instruction's own depth: m16n8k64 is 16864. */
  char depth[16];
  int bits = mma_format_bits(row->type->a);
  snprintf(depth, sizeof depth, ".168%d", 256 / bits);
  bool unit = strncmp(most->name, row->type->unit, strlen(row->type->unit)) == 0;
  row->native = unit && strstr(most->name, depth) ? MMA_NATIVE : MMA_EMULATED;
}
