#include "base/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENT_MAX = 1 << 24 };
static const long elements_max = 1L << 34, size_max = 1L << 40;

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

/* --- named sizes --- */

bool shape_named(const struct shape *s) {
  return s->sizes[0] != '\0';
}

bool shape_size(const struct shape *s, const char *name, long *value) {
  size_t n = strlen(name);
  for (const char *at = s->sizes; *at; at += strspn(at, " ")) {
    if (strncmp(at, name, n) == 0 && at[n] == '=') {
      *value = strtol(at + n + 1, NULL, 10);
      return true;
    }
    at += strcspn(at, " ");
  }
  return false;
}

int shape_add_size(struct shape *s, const char *name, long value, struct err *e) {
  size_t had = strlen(s->sizes);
  if (value < 1 || value > size_max)
    return err_set(e, ERR_USAGE, "size %.40s = %ld: it must be between 1 and %ld", name, value, size_max);
  int n = snprintf(s->sizes + had, sizeof s->sizes - had, "%s%s=%ld", had ? " " : "", name, value);
  if (n > 0 && (size_t)n < sizeof s->sizes - had)
    return 0;
  s->sizes[had] = '\0';
  return err_set(e, ERR_USAGE, "size %.40s: the sizes have more than %d letters in all; give them shorter names", name,
                 SHAPE_TEXT_MAX - 1);
}

/* "16M" -> 16777216; false: no number. */
static bool size_scan(const char *text, long *out) {
  static const char suffixes[] = "KMG";
  char *end;
  long value = strtol(text, &end, 10);
  const char *suffix = *end ? strchr(suffixes, *end) : NULL;
  if (end == text || *text < '0' || *text > '9' || (*end && (!suffix || end[1])))
    return false;
  for (long i = suffix ? suffix - suffixes : -1; i >= 0 && value <= size_max; i--)
    value *= 1024;
  *out = value;
  return true;
}

static int sizes_parse(struct shape *out, const char *text, struct err *e) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  struct shape s = {0};
  for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
    char name[SHAPE_TEXT_MAX], number[SHAPE_TEXT_MAX];
    size_t n = strspn(at, letters), digits = at[n] == '=' ? strcspn(at + n + 1, " ") : 0;
    long value = 0;
    if (n == 0 || n >= sizeof name || (*at >= '0' && *at <= '9') || digits == 0 || digits >= sizeof number)
      return err_set(e, ERR_USAGE, "sizes '%.80s': expected NAME=NUMBER at '%.20s', as in \"ROWS=4096 COLS=8K\"", text,
                     at);
    memcpy(name, at, n);
    name[n] = '\0';
    memcpy(number, at + n + 1, digits);
    number[digits] = '\0';
    at += n + 1 + digits;
    if (!size_scan(number, &value))
      return err_set(e, ERR_USAGE,
                     "sizes '%.80s': %s must be a whole number, with K, M or G behind it or not, not '%s'", text, name,
                     number);
    long before;
    if (shape_size(&s, name, &before))
      return err_set(e, ERR_USAGE, "sizes '%.80s': %s is given twice; keep one", text, name);
    int rc = shape_add_size(&s, name, value, e);
    if (rc)
      return rc;
  }
  *out = s;
  return 0;
}

/* --- the extents of a GEMV --- */

int shape_parse(struct shape *out, const char *text, struct err *e) {
  static const char names[] = "MKL";
  long extents[3] = {0};
  const char *cursor = text;
  if (strchr(text, '='))
    return sizes_parse(out, text, e);
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
  if (shape_named(&s))
    memcpy(buffer, s.sizes, sizeof s.sizes);
  else
    snprintf(buffer, SHAPE_TEXT_MAX, "%ldx%ldx%ld", s.m, s.k, s.l);
  return buffer;
}

bool shape_equal(struct shape a, struct shape b) {
  return a.m == b.m && a.k == b.k && a.l == b.l && strcmp(a.sizes, b.sizes) == 0;
}

bool shape_in(const struct shape *list, size_t n, struct shape s) {
  size_t i = 0;
  while (i < n && !shape_equal(list[i], s))
    i++;
  return i < n;
}

bool shape_none(struct shape s) {
  return s.m == 0 && s.k == 0 && s.l == 0 && !shape_named(&s);
}
