#include "run/outline.h"

#include <stdbool.h>
#include <string.h>

static const char *const keys[] = {"samples_ns", "samples", "counts", "sass"};

static bool is_cut(const char *key, size_t n) {
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (strlen(keys[i]) == n && memcmp(keys[i], key, n) == 0)
      return true;
  return false;
}

static const char *skip_blanks(const char *s) {
  return s + strspn(s, " \n\t\r");
}

/* Behind the string that begins at s; NULL: it has no end, or holds a byte that no string may. */
static const char *string_end(const char *s) {
  static const bool stops[256] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* what is less than a blank */
                                  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ['"'] = 1, ['\\'] = 1};
  for (s++; *s != '"'; s++) {
    while (!stops[(unsigned char)*s])
      s++;
    if (*s == '"')
      break;
    if (*s != '\\' || (unsigned char)*++s < ' ')
      return NULL;
  }
  return s + 1;
}

/* Behind the array that begins at s and holds nothing but numbers, strings and such arrays; NULL: it holds something else, or has no end. */
static const char *array_end(const char *s) {
  size_t depth = 0;
  do {
    depth += *s == '[';
    depth -= *s == ']';
    if (*s == '"') {
      if (!(s = string_end(s)))
        return NULL;
    } else {
      s++;
      s += depth ? strspn(s, "0123456789, .") : 0;
      if (depth && (!*s || !strchr("+-eE\n\t\r[]\"", *s)))
        return NULL;
    }
  } while (depth);
  return s;
}

size_t outline_cut(char *json, size_t n) {
  char *to = json;
  const char *from = json;
  if (strlen(json) != n) /* a NUL in its midst */
    return n;
  for (const char *quote; (quote = strchr(from, '"'));) {
    const char *behind = string_end(quote), *value = behind ? skip_blanks(behind) : NULL, *end = NULL;
    if (!behind)
      break;
    if (*value == ':' && is_cut(quote + 1, (size_t)(behind - quote) - 2) && *(value = skip_blanks(value + 1)) == '[')
      end = array_end(value);
    size_t kept = (size_t)((end ? value + 1 : behind) - from);
    memmove(to, from, kept);
    to += kept;
    from = end ? end - 1 : behind; /* its closing bracket */
  }
  size_t rest = n - (size_t)(from - json);
  memmove(to, from, rest + 1);
  return (size_t)(to - json) + rest;
}
