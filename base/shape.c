#include "base/shape.h"

#include <stdio.h>
#include <string.h>

enum { EXTENT_MAX = 1 << 24 };
static const long elements_max = 1L << 34;

/* Reads decimal digits; stops counting above EXTENT_MAX, so that no number of digits overflows.  False: no digit is there. */
static bool extent_scan(const char **cursor, long *out) {
  const char *s = *cursor;
  long value = 0;
  while (*s >= '0' && *s <= '9') {
    if (value <= EXTENT_MAX)
      value = value * 10 + (*s - '0');
    s++;
  }
  bool found = s != *cursor;
  *cursor = s;
  *out = value;
  return found;
}

static bool separator_skip(const char **cursor) {
  static const char *const signs[] = {"x", "X", "×"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    size_t n = strlen(signs[i]);
    if (strncmp(*cursor, signs[i], n) == 0) {
      *cursor += n;
      return true;
    }
  }
  return false;
}

int shape_parse(struct shape *out, const char *text, struct err *e) {
  static const char names[] = "MKL";
  long extents[3] = {0};
  const char *cursor = text;
  for (int i = 0; i < 3; i++) {
    if (i > 0 && !separator_skip(&cursor))
      return err_set(e, ERR_USAGE, "shape '%.80s': expected 'x' and %c at '%.20s': write MxKxL, as in 7168x16384x1",
                     text, names[i], cursor);
    if (!extent_scan(&cursor, &extents[i]))
      return err_set(e, ERR_USAGE,
                     "shape '%.80s': %c must be a whole number, not '%.20s': write MxKxL, as in 7168x16384x1", text,
                     names[i], cursor);
    int least = names[i] == 'K' ? 64 : 1;
    if (extents[i] < least || extents[i] > EXTENT_MAX)
      return err_set(e, ERR_USAGE, "shape '%.80s': %c must be between %d and %d", text, names[i], least, EXTENT_MAX);
  }
  if (*cursor)
    return err_set(e, ERR_USAGE, "shape '%.80s': '%.20s' follows L: write MxKxL, as in 7168x16384x1", text, cursor);

  struct shape s = {.m = extents[0], .k = extents[1], .l = extents[2]};
  if (s.k % 64 != 0)
    return err_set(e, ERR_USAGE, "shape '%.80s': K must be a multiple of 64; the nearest are %ld and %ld", text,
                   s.k / 64 * 64, (s.k / 64 + 1) * 64);
  /* Two extents multiply to 2^48 at most, three could overflow. */
  if (s.m * s.k > elements_max / s.l)
    return err_set(e, ERR_USAGE, "shape '%.80s': M*K*L must be at most %ld elements (2^34)", text, elements_max);
  *out = s;
  return 0;
}

const char *shape_text(struct shape s, char buffer[SHAPE_TEXT_MAX]) {
  snprintf(buffer, SHAPE_TEXT_MAX, "%ldx%ldx%ld", s.m, s.k, s.l);
  return buffer;
}

bool shape_equal(struct shape a, struct shape b) {
  return a.m == b.m && a.k == b.k && a.l == b.l;
}

bool shape_none(struct shape s) {
  return s.m == 0 && s.k == 0 && s.l == 0;
}
