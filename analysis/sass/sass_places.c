/* Whether two accesses go to the same place: by the register of
 * the address, who wrote it, and the number that is added. */
#include "analysis/sass/sass_parts.h"

#include <string.h>

enum { PRODUCERS_MAX = 32 };

/* The writers of the address's register: as many, and the same ones. */
static bool same_writers(struct sass *s, size_t i, size_t k) {
  long reg = sass_address_register(&s->insts[i]);
  struct sass_producer a[PRODUCERS_MAX], b[PRODUCERS_MAX];
  size_t n = sass_producers(s, i, a, PRODUCERS_MAX), m = sass_producers(s, k, b, PRODUCERS_MAX);
  size_t of_a = 0, both = 0, of_b = 0;
  if (n > PRODUCERS_MAX || m > PRODUCERS_MAX)
    return false;
  for (size_t y = 0; y < m; y++)
    of_b += b[y].range.file == FILE_R && b[y].range.first == reg;
  for (size_t x = 0; x < n; x++) {
    if (a[x].range.file != FILE_R || a[x].range.first != reg)
      continue;
    of_a++;
    for (size_t y = 0; y < m; y++)
      both += b[y].range.file == FILE_R && b[y].range.first == reg && b[y].inst == a[x].inst;
  }
  return of_a == both && of_b == both;
}

bool sass_same_place(struct sass *s, size_t i, size_t k) {
  const char *a, *b;
  size_t n = sass_address(&s->insts[i], &a), m = sass_address(&s->insts[k], &b);
  return n > 0 && n == m && memcmp(a, b, n) == 0 && same_writers(s, i, k);
}

bool sass_same_base(struct sass *s, size_t i, size_t k) {
  long between;
  return sass_bytes_between(&s->insts[i], &s->insts[k], &between) && same_writers(s, i, k);
}
