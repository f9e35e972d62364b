#include "base/utf8.h"

size_t utf8_length(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  unsigned char low = 0x80, high = 0xBF;
  size_t n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
  if (s[0] == 0xE0)
    low = 0xA0;
  else if (s[0] == 0xED)
    high = 0x9F;
  else if (s[0] == 0xF0)
    low = 0x90;
  else if (s[0] == 0xF4)
    high = 0x8F;
  for (size_t i = 1; i < n; i++) {
    if (s[i] < low || s[i] > high)
      return 0;
    low = 0x80;
    high = 0xBF;
  }
  return n;
}

char *utf8_put(char *to, uint32_t character) {
  if (character < 0x80) {
    *to++ = (char)character;
    return to;
  }
  if (character < 0x800) {
    *to++ = (char)(0xC0 | character >> 6);
  } else {
    if (character < 0x10000) {
      *to++ = (char)(0xE0 | character >> 12);
    } else {
      *to++ = (char)(0xF0 | character >> 18);
      *to++ = (char)(0x80 | (character >> 12 & 0x3F));
    }
    *to++ = (char)(0x80 | (character >> 6 & 0x3F));
  }
  *to++ = (char)(0x80 | (character & 0x3F));
  return to;
}

size_t utf8_bytes(const char *s, size_t chars) {
  size_t n = 0;
  while (s[n] && chars-- > 0)
    do
      n++;
    while (utf8_continues(s[n]));
  return n;
}

size_t utf8_columns(const char *s, size_t n) {
  size_t columns = 0;
  for (size_t i = 0; i < n; i++)
    columns += !utf8_continues(s[i]);
  return columns;
}
