#include "base/plain.h"

#include "base/utf8.h"

#include <string.h>

/* U+202A to U+202E, U+2066 to U+2069: "\xE2\x80\xAA" to AE, "\xE2\x81\xA6" to A9. */
static bool turns(const unsigned char *s) {
  return s[0] == 0xE2 &&
         ((s[1] == 0x80 && s[2] >= 0xAA && s[2] <= 0xAE) || (s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9));
}

size_t plain_step(const char *s, size_t n, bool *control) {
  const unsigned char *c = (const unsigned char *)s;
  size_t length = utf8_length(s);
  bool whole = length > 0 && length <= n;
  *control = !whole || (*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7F || (*c == 0xC2 && c[1] < 0xA0) || turns(c);
  return whole ? length : 1;
}

/* Bytes of what may pass though it begins with a control character; 0: none. */
static size_t passes(const char *s, size_t n, bool colour) {
  size_t digits = colour && n > 2 && s[0] == '\033' && s[1] == '[' ? strspn(s + 2, "0123456789;") + 2 : 0;
  if (n > 1 && s[0] == '\r' && s[1] == '\n')
    return 2;
  return digits && digits < n && s[digits] == 'm' ? digits + 1 : 0;
}

static void add(struct text *out, const char *s, size_t n, bool terminal, bool colour) {
  size_t begin = 0; /* of what is added at once */
  for (size_t i = 0; s && i < n;) {
    bool control;
    size_t step = plain_step(s + i, n - i, &control), passing = control && terminal ? passes(s + i, n - i, colour) : 0;
    if (control && !passing) {
      text_add_n(out, s + begin, i - begin);
      text_add(out, "?");
      begin = i + step;
    }
    i += passing ? passing : step;
  }
  if (s)
    text_add_n(out, s + begin, n - begin);
}

void plain_text_n(struct text *out, const char *s, size_t n) {
  add(out, s, n, false, false);
}

void plain_text(struct text *out, const char *s) {
  plain_text_n(out, s, s ? strlen(s) : 0);
}

void plain_terminal(struct text *out, const char *s, size_t n, bool colour) {
  add(out, s, n, true, colour);
}

/* A character that stands in a JSON string as it is: it harms no terminal.  *n: its bytes. */
static bool json_passes(const char *s, size_t *n) {
  enum { LONGEST = 4 };
  bool control;
  *n = plain_step(s, LONGEST, &control);
  return !control && *s != '"' && *s != '\\' && *s != '\n' && *s != '\t';
}

void json_text(struct text *out, const char *s) {
  text_add(out, "\"");
  while (*s) {
    size_t plain = 0, n = 1;
    while (s[plain] && json_passes(s + plain, &n))
      plain += n;
    text_add_n(out, s, plain);
    s += plain;
    if (!*s)
      break;
    const unsigned char *c = (const unsigned char *)s;
    if (*s == '"' || *s == '\\')
      text_printf(out, "\\%c", *s);
    else if (*s == '\n')
      text_add(out, "\\n");
    else if (*s == '\t')
      text_add(out, "\\t");
    else if (utf8_length(s) == 0)
      text_add(out, "\xEF\xBF\xBD");
    else /* of one to three bytes */
      text_printf(out, "\\u%04x",
                  n == 1   ? c[0]
                  : n == 2 ? (c[0] & 0x1F) << 6 | (c[1] & 0x3F)
                           : (c[0] & 0xF) << 12 | (c[1] & 0x3F) << 6 | (c[2] & 0x3F));
    s += n;
  }
  text_add(out, "\"");
}
