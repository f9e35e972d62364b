#include "base/text.h"

#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool text_reserve(struct text *t, size_t more) {
  if (t->failed)
    return false;
  if (more > SIZE_MAX / 2 - 1 - t->n) {
    t->failed = true;
    return false;
  }
  size_t need = t->n + more + 1;
  if (need <= t->cap)
    return true;
  size_t cap = t->cap ? t->cap : 64;
  while (cap < need)
    cap *= 2;
  char *s = realloc(t->s, cap);
  if (!s) {
    t->failed = true;
    return false;
  }
  t->s = s;
  t->cap = cap;
  return true;
}

void text_add_n(struct text *t, const char *s, size_t n) {
  if (n == 0 || !text_reserve(t, n))
    return;
  memcpy(t->s + t->n, s, n);
  t->n += n;
  t->s[t->n] = '\0';
}

void text_add(struct text *t, const char *s) {
  if (s)
    text_add_n(t, s, strlen(s));
}

void text_printf(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0) {
    t->failed = true;
    return;
  }
  if (!text_reserve(t, (size_t)n))
    return;
  va_start(args, format);
  vsnprintf(t->s + t->n, (size_t)n + 1, format, args);
  va_end(args);
  t->n += (size_t)n;
}

bool text_ok(const struct text *t) {
  return !t->failed;
}

const char *text_str(const struct text *t) {
  return t->s ? t->s : "";
}

char *text_take(struct text *t) {
  char *s = NULL;
  if (text_reserve(t, 0)) {
    s = t->s;
    s[t->n] = '\0';
    t->s = NULL;
  }
  text_release(t);
  return s;
}

void text_release(struct text *t) {
  free(t->s);
  *t = (struct text){0};
}

void text_end(struct text *t, struct text *of) {
  of->failed |= t->failed;
  text_release(t);
}

char *str_copy(const char *s) {
  return s ? strdup(s) : NULL;
}

bool str_same(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

const char *str_line(const char *s, int line) {
  for (int i = 1; i < line && *s; i++) {
    s += strcspn(s, "\n");
    s += *s == '\n';
  }
  return s;
}

size_t str_index(const char *const *names, size_t n, const char *s) {
  size_t i = 0;
  while (i < n && strcmp(names[i], s) != 0)
    i++;
  return i;
}

bool str_ends(const char *s, const char *ending) {
  size_t n = strlen(s), m = strlen(ending);
  return n > m && strcmp(s + n - m, ending) == 0;
}

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

char *str_trim(char *s) {
  while (is_blank(*s))
    s++;
  size_t n = strlen(s);
  while (n > 0 && is_blank(s[n - 1]))
    n--;
  s[n] = '\0';
  return s;
}

/* Only the last '*' is tried again: the time is bounded by the product of the lengths. */
bool str_glob(const char *pattern, const char *s) {
  const char *star = NULL, *retry = NULL;
  while (*s) {
    if (*pattern == '*') {
      star = ++pattern;
      retry = s;
    } else if (*pattern == '?' || *pattern == *s) {
      pattern++;
      s++;
    } else if (star) {
      pattern = star;
      s = ++retry;
    } else {
      return false;
    }
  }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

size_t str_lines(const char *s) {
  size_t n = 0;
  for (; *s; n++) {
    s += strcspn(s, "\n");
    s += *s == '\n';
  }
  return n;
}

char *str_printf(const char *format, ...) {
  char *s = NULL;
  va_list args;
  va_start(args, format);
  int n = vasprintf(&s, format, args);
  va_end(args);
  return n < 0 ? NULL : s;
}

const char *str_middle_cut(char *buffer, size_t size, const char *s, size_t chars) {
  size_t all = utf8_columns(s, strlen(s));
  if (all <= chars)
    return s;
  size_t end = chars / 3, begin = chars - 1 - end;
  snprintf(buffer, size, "%.*s…%s", (int)utf8_bytes(s, begin), s, s + utf8_bytes(s, all - end));
  return buffer;
}

enum { NEAREST_MAX = 128 }; /* a longer string is no slip of the keyboard */

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Levenshtein's distance, with two neighbours exchanged as one step (a typist's commonest slip);
 * both strings are at most NEAREST_MAX long. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
  size_t rows[3][NEAREST_MAX + 1]; /* row i stands in rows[i % 3] */
  for (size_t j = 0; j <= nb; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= na; i++) {
    size_t *row = rows[i % 3], *above = rows[(i - 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
    }
  }
  return rows[na % 3][nb];
}

const char *str_nearest(const char *s, const char *const *candidates, size_t n) {
  if (!s)
    return NULL;
  size_t length = strlen(s);
  size_t limit = length / 3 > 1 ? length / 3 : 1; /* two letters of four say another word */
  const char *nearest = NULL;
  if (length > NEAREST_MAX)
    return NULL;
  for (size_t i = 0; i < n; i++) {
    size_t other = candidates[i] ? strlen(candidates[i]) : 0;
    if (other == 0 || other > NEAREST_MAX)
      continue;
    size_t distance = edit_distance(s, length, candidates[i], other);
    /* Two strings with no letter in common are not near, however short they are. */
    if (distance >= (length > other ? length : other) && distance > 0)
      continue;
    bool begins = length > 2 && strncmp(candidates[i], s, length) == 0 && distance <= 2;
    if ((distance <= limit || begins) && (!nearest || distance < edit_distance(s, length, nearest, strlen(nearest))))
      nearest = candidates[i];
  }
  return nearest;
}

const char *str_nearest_variant(const char *s, const char *const *ids, const char *const *ladders, size_t n) {
  enum { COMMON_MIN = 3 }; /* letters of a beginning in common that say something */
  const char *nearest = str_nearest(s, ids, n);
  if (!s || nearest)
    return nearest;
  nearest = str_nearest(s, ladders, n);
  size_t longest = COMMON_MIN - 1;
  if (nearest && strlen(nearest) > longest)
    longest = strlen(nearest);
  for (size_t i = 0; i < n; i++) {
    size_t common = 0;
    while (ids[i] && ids[i][common] && ids[i][common] == s[common])
      common++;
    if (common > longest) {
      longest = common;
      nearest = ids[i];
    }
  }
  return nearest;
}
