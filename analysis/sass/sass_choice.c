/* Writes under a guard: which of them stand before an instruction, and which leave nothing older between them. */
#include "analysis/sass/sass_parts.h"

size_t sass_writers_before(const size_t *writers, size_t n, size_t end) {
  size_t low = 0;
  while (low < n) {
    size_t middle = low + (n - low) / 2;
    if (writers[middle] < end)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

bool sass_guard_stays(const struct sass *s, size_t inst, size_t end) {
  const struct sass_range *guard = &s->insts[inst].guard;
  const size_t *at = s->scratch->writers_at + SASS_FILE_BIT[guard->file] + guard->first;
  const size_t *guards = s->scratch->writers + at[0];
  size_t before = sass_writers_before(guards, at[1] - at[0], end);
  return before == 0 || guards[before - 1] <= inst;
}

/* The other half of a choice: "@P0 LDG R2" and "@!P0 MOV R2". */
static bool completes_choice(const struct sass *s, size_t inst, size_t other) {
  const struct sass_inst *a = &s->insts[inst], *b = &s->insts[other];
  return b->guarded && !b->calls && a->guard_negated != b->guard_negated && a->guard.file == b->guard.file &&
         a->guard.first == b->guard.first && sass_guard_stays(s, inst, other);
}

bool sass_choice_writes(const struct sass *s, size_t inst, unsigned bit, size_t end) {
  const size_t *at = s->scratch->writers_at + bit, *writers = s->scratch->writers + at[0];
  if (!s->insts[inst].guarded || s->insts[inst].calls)
    return false;
  for (size_t k = sass_writers_before(writers, at[1] - at[0], end); k-- > 0 && writers[k] > inst;)
    if (completes_choice(s, inst, writers[k]))
      return true;
  return false;
}
