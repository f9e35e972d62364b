#include "profiler/import/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS_MAX = 64, WORD_MAX_LENGTH = 32 };

static bool absent(const char *s) {
  static const char *const words[] = {"",     "nan", "-nan", "nan(ind)", "-nan(ind)", "inf",
                                      "-inf", "-",   "n/a",  "na",       "no data",   "(!) n/a"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcasecmp(s, words[i]) == 0)
      return true;
  return false;
}

/* "{132}" behind blanks, up to the end. */
static bool instances_suffix(const char *s) {
  s += strspn(s, " ");
  if (*s == '\0')
    return true;
  if (*s != '{')
    return false;
  s += 1 + strspn(s + 1, "0123456789, ");
  return *s == '}' && s[1 + strspn(s + 1, " ")] == '\0';
}

/* Copies the number without its commas, and says where it ends; NULL where a comma does not stand before three digits. */
static const char *number_copy(const char *s, char digits[DIGITS_MAX]) {
  size_t n = 0;
  bool point = false;
  for (; *s && (isdigit((unsigned char)*s) || strchr("+-.eE,", *s)); s++) {
    if (*s == ',') {
      bool three = isdigit((unsigned char)s[1]) && isdigit((unsigned char)s[2]) && isdigit((unsigned char)s[3]) &&
                   !isdigit((unsigned char)s[4]);
      if (point || n == 0 || !three)
        return NULL;
      continue;
    }
    point |= *s == '.';
    if (n + 1 >= DIGITS_MAX)
      return NULL;
    digits[n++] = *s;
  }
  digits[n] = '\0';
  return n ? s : NULL;
}

enum quantity quantity_parse(const char *text, double *out) {
  char digits[DIGITS_MAX];
  text += strspn(text, " ");
  if (absent(text))
    return QUANTITY_ABSENT;
  const char *end = number_copy(text, digits);
  if (!end || !instances_suffix(end))
    return QUANTITY_TEXT;
  char *stop;
  double v = strtod(digits, &stop);
  if (*stop || !isfinite(v))
    return QUANTITY_TEXT;
  *out = v;
  return QUANTITY_NUMBER;
}

enum word_kind { WORD_COUNT, WORD_TIME };
static const struct word {
  const char *name;
  double scale; /* of a time: seconds */
  enum word_kind kind;
} WORDS[] = {
    {"%", 1, WORD_COUNT},           {"byte", 1, WORD_COUNT},      {"hz", 1, WORD_COUNT},
    {"ns", 1e-9, WORD_TIME},        {"us", 1e-6, WORD_TIME},      {"µs", 1e-6, WORD_TIME},
    {"ms", 1e-3, WORD_TIME},        {"s", 1, WORD_TIME},          {"nsecond", 1e-9, WORD_TIME},
    {"usecond", 1e-6, WORD_TIME},   {"msecond", 1e-3, WORD_TIME}, {"second", 1, WORD_TIME},
    {"sec", 1, WORD_TIME},          {"cycle", 1, WORD_COUNT},     {"inst", 1, WORD_COUNT},
    {"instruction", 1, WORD_COUNT}, {"sector", 1, WORD_COUNT},    {"request", 1, WORD_COUNT},
    {"wavefront", 1, WORD_COUNT},   {"block", 1, WORD_COUNT},     {"thread", 1, WORD_COUNT},
    {"warp", 1, WORD_COUNT},        {"sm", 1, WORD_COUNT},        {"cluster", 1, WORD_COUNT},
    {"register", 1, WORD_COUNT},    {"sample", 1, WORD_COUNT},    {"pass", 1, WORD_COUNT},
    {"branche", 1, WORD_COUNT}, /* "branches", without its plural s */
    {"branch", 1, WORD_COUNT},      {"flop", 1, WORD_COUNT},      {"op", 1, WORD_COUNT},
    {"way", 1, WORD_COUNT},
};

/* By its name or, of a count, its plural. */
static const struct word *word_find(const char *name) {
  char one[WORD_MAX_LENGTH];
  size_t n = strlen(name);
  snprintf(one, sizeof one, "%s", name);
  if (n > 1 && n < sizeof one && one[n - 1] == 's')
    one[n - 1] = '\0';
  for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
    if (strcasecmp(WORDS[i].name, name) == 0 || (WORDS[i].kind == WORD_COUNT && strcasecmp(WORDS[i].name, one) == 0))
      return &WORDS[i];
  return NULL;
}

/* One side of a "/": a word with or without a prefix, or a prefix alone. */
static bool part_scale(const char *part, double *scale, enum word_kind *kind) {
  static const struct {
    char letter;
    double scale;
  } prefixes[] = {{'K', 1e3}, {'k', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
  const struct word *w = word_find(part);
  double times = 1;
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && !w; i++) {
    if (*part != prefixes[i].letter)
      continue;
    times = prefixes[i].scale;
    if (part[1] == '\0') {
      *kind = WORD_COUNT;
      *scale = times;
      return true;
    }
    w = word_find(part + 1);
    if (w && w->kind == WORD_TIME)
      w = NULL;
  }
  if (!w)
    return false;
  *kind = w->kind;
  *scale = times * w->scale;
  return true;
}

bool unit_scale(const char *unit, double *out) {
  static const double ns_per_s = 1e9;
  char part[WORD_MAX_LENGTH];
  double total = 1;
  if (*unit == '\0') {
    *out = 1;
    return true;
  }
  for (bool first = true;; first = false) {
    size_t n = strcspn(unit, "/");
    double scale;
    enum word_kind kind;
    if (n >= sizeof part)
      return false;
    memcpy(part, unit, n);
    part[n] = '\0';
    if (!part_scale(part, &scale, &kind))
      return false;
    /* A time is in nanoseconds; a rate is one of a second. */
    total = first ? (kind == WORD_TIME ? scale * ns_per_s : scale) : total / scale;
    if (unit[n] == '\0')
      break;
    unit += n + 1;
  }
  *out = total;
  return true;
}
