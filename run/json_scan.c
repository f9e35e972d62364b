#include "run/json_scan.h"

#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_OF_CHARACTER = 4, ASCII = 0x80 };

static bool fail(struct json_scan *s, const char *at, const char *why) {
  s->at = at;
  s->why = at < s->end ? why : "it ends too early";
  return false;
}

bool scan_word(struct json_scan *s, const char *word) {
  size_t n = strlen(word);
  bool there = scan_next(s) == *word && (size_t)(s->end - s->at) >= n && memcmp(s->at, word, n) == 0;
  s->at += there ? n : 0;
  return there;
}

/* --- strings --- */

/* The four digits of "\u0041". */
static bool unit_scan(const char *escape, const char *end, uint32_t *out) {
  *out = 0;
  if (end - escape < 6 || escape[0] != '\\' || escape[1] != 'u')
    return false;
  for (int i = 2; i < 6; i++) {
    char c = escape[i];
    bool decimal = c >= '0' && c <= '9', lower = c >= 'a' && c <= 'f', upper = c >= 'A' && c <= 'F';
    if (!decimal && !lower && !upper)
      return false;
    *out = 16 * *out + (uint32_t)(decimal ? c - '0' : lower ? c - 'a' + 10 : c - 'A' + 10);
  }
  return true;
}

/* An escape's character, and the escape's bytes; 0: no escape, a NUL or half a character. */
static size_t escape_scan(const char *escape, const char *end, uint32_t *character) {
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  const char *letter = end - escape >= 2 && escape[1] ? strchr(letters, escape[1]) : NULL;
  uint32_t low;
  if (letter) {
    *character = (uint32_t)meant[letter - letters];
    return 2;
  }
  if (!unit_scan(escape, end, character) || *character == 0)
    return 0;
  if (*character < 0xD800 || *character > 0xDFFF)
    return 6;
  if (*character > 0xDBFF || !unit_scan(escape + 6, end, &low) || low < 0xDC00 || low > 0xDFFF)
    return 0;
  *character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
  return 12;
}

bool scan_span(struct json_scan *s, struct span *out) {
  uint32_t character;
  if (!scan_take(s, '"'))
    return fail(s, s->at, "expected a string");
  *out = (struct span){.begin = s->at};
  for (const char *c = s->at; c < s->end;) {
    unsigned char byte = (unsigned char)*c;
    if (byte == '"') {
      out->n = (size_t)(c - out->begin);
      s->at = c + 1;
      return true;
    }
    if (byte < ' ')
      return fail(s, c, "a control character in a string");
    /* Behind the last character of a string there is a quote, and more. */
    if (s->end - c < BYTES_OF_CHARACTER && byte >= ASCII)
      break;
    size_t length = byte == '\\' ? escape_scan(c, s->end, &character) : byte < ASCII ? 1 : utf8_length(c);
    if (length == 0)
      return fail(s, c, byte == '\\' ? "an escape that no string may have" : "a string that is not UTF-8");
    out->escaped |= byte == '\\';
    c += length;
  }
  return fail(s, s->end, NULL);
}

bool span_is(const struct span *s, const char *word) {
  return !s->escaped && strlen(word) == s->n && memcmp(s->begin, word, s->n) == 0;
}

void span_decode(const struct span *s, char *out) {
  const char *end = s->begin + s->n;
  for (const char *from = s->begin; s->escaped && from < end;) {
    uint32_t character;
    if (*from != '\\') {
      *out++ = *from++;
      continue;
    }
    from += escape_scan(from, end, &character);
    out = utf8_put(out, character);
  }
  if (!s->escaped)
    out = mempcpy(out, s->begin, s->n);
  *out = '\0';
}

/* --- numbers --- */

static const char *digits_skip(const char *c, const char *end) {
  while (c < end && *c >= '0' && *c <= '9')
    c++;
  return c;
}

/* Behind point and exponent, which may both be absent; NULL: one has no digits. */
static const char *fraction_skip(const char *c, const char *end) {
  const char *digits;
  if (c < end && *c == '.') {
    digits = c + 1;
    if ((c = digits_skip(digits, end)) == digits)
      return NULL;
  }
  if (c < end && (*c == 'e' || *c == 'E')) {
    c++;
    digits = c + (c < end && (*c == '+' || *c == '-'));
    if ((c = digits_skip(digits, end)) == digits)
      return NULL;
  }
  return c;
}

/* Up to 2^53 and 10^22 are doubles, so that one division rounds as strtod does. */
static bool decimal_exact(const char *c, const char *end, double *out) {
  static const double tens[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  static const uint64_t most = (uint64_t)1 << 53;
  uint64_t digits = 0;
  size_t places = 0;
  bool point = false;
  for (; c < end; c++) {
    if (*c == 'e' || *c == 'E')
      return false;
    point |= *c == '.';
    if (*c == '.')
      continue;
    digits = 10 * digits + (uint64_t)(*c - '0');
    places += point;
    if (digits > most || places >= sizeof tens / sizeof tens[0])
      return false;
  }
  *out = (double)digits / tens[places];
  return true;
}

/* A number, from its sign or first digit to `behind`; its fraction begins at `point`. */
struct digits {
  const char *begin, *first, *point, *behind;
};

static bool digits_scan(struct json_scan *s, struct digits *out) {
  bool negative = scan_next(s) == '-';
  const char *begin = s->at, *first = begin + negative;
  const char *point = digits_skip(first, s->end), *behind = fraction_skip(point, s->end);
  if (behind == s->end) /* something must follow, at which strtod stops */
    return fail(s, s->end, NULL);
  if (!behind || point == first || (*first == '0' && point > first + 1))
    return fail(s, begin, "no value of JSON");
  *out = (struct digits){begin, first, point, behind};
  s->at = behind;
  return true;
}

bool scan_number(struct json_scan *s, struct number *out) {
  enum { EASY_DIGITS = 18 };
  struct digits d;
  if (!digits_scan(s, &d))
    return false;
  bool negative = d.first > d.begin;
  *out = (struct number){.whole = d.behind == d.point};
  if (out->whole && d.behind - d.first <= EASY_DIGITS) {
    for (const char *c = d.first; c < d.behind; c++)
      out->integer = 10 * out->integer + (*c - '0');
    out->integer = negative ? -out->integer : out->integer;
    out->real = (double)out->integer;
  } else if (out->whole) {
    errno = 0;
    out->integer = strtoll(d.begin, NULL, 10);
    out->large = errno == ERANGE;
    out->real = strtod(d.begin, NULL);
  } else {
    bool exact = decimal_exact(d.first, d.behind, &out->real);
    out->real = !exact ? strtod(d.begin, NULL) : negative ? -out->real : out->real;
    out->large = !isfinite(out->real);
  }
  return true;
}

/* --- any value --- */

static bool list_skip(struct json_scan *s, char open, char close) {
  struct span key;
  bool object = open == '{';
  if (!scan_open(s, open))
    return fail(s, s->at, "nested deeper than 64");
  if (scan_close(s, close))
    return true;
  do {
    if (object && !scan_span(s, &key))
      return false;
    if (object && !scan_take(s, ':'))
      return fail(s, s->at, "expected ':'");
    if (!scan_skip(s))
      return false;
  } while (scan_take(s, ','));
  return scan_close(s, close) || fail(s, s->at, object ? "expected ',' or '}'" : "expected ',' or ']'");
}

bool scan_skip(struct json_scan *s) {
  struct span text;
  struct digits number;
  switch (scan_next(s)) {
  case '"':
    return scan_span(s, &text);
  case '{':
    return list_skip(s, '{', '}');
  case '[':
    return list_skip(s, '[', ']');
  case 't':
  case 'f':
  case 'n':
    return scan_word(s, "true") || scan_word(s, "false") || scan_word(s, "null") || fail(s, s->at, "no value of JSON");
  default:
    return digits_scan(s, &number);
  }
}

const char *json_fault(const char *json, size_t n, size_t *at) {
  struct json_scan s = {.at = json, .end = json + n};
  bool whole = scan_skip(&s);
  if (whole)
    scan_next(&s);
  *at = (size_t)(s.at - json);
  return !whole ? s.why : s.at < s.end ? "something follows its end" : NULL;
}
