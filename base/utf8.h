/* UTF-8.  A character takes one column of a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A byte within a character, behind its first. */
static inline bool utf8_continues(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}
/* Bytes of the sequence at text, 0 where there is no valid one (RFC 3629: no overlong forms, no
 * surrogates, up to U+10FFFF). */
size_t utf8_length(const char *text);
/* Writes a character; returns what is behind its 1 to 4 bytes. */
char *utf8_put(char *to, uint32_t character);
/* Bytes of the first `chars` characters of s, or of all where it has fewer; valid or not. */
size_t utf8_bytes(const char *s, size_t chars);
/* Characters, and so columns, of n bytes. */
size_t utf8_columns(const char *s, size_t n);
