#include "profiler/import/utf16.h"

#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_BYTES = 2, UTF8_MOST = 3 }; /* 2 bytes become 3 at most, and 4 become 4 */

bool utf16_is(const char *bytes, size_t n) {
  return n >= MARK_BYTES && (memcmp(bytes, "\xFF\xFE", MARK_BYTES) == 0 || memcmp(bytes, "\xFE\xFF", MARK_BYTES) == 0);
}

static uint32_t unit_at(const unsigned char *b, bool little) {
  return little ? (uint32_t)(b[0] | b[1] << 8) : (uint32_t)(b[0] << 8 | b[1]);
}

int utf16_read(char **text, size_t *n, const char *name, struct err *e) {
  static const uint32_t half = 0xFFFD;
  const unsigned char *b = (const unsigned char *)*text;
  bool little = b[0] == 0xFF;
  if (*n % 2)
    return err_set(e, ERR_DATA, "%s: is UTF-16 of an odd number of bytes: the file is cut off", name);
  char *out = malloc(*n / 2 * UTF8_MOST + 1), *to = out;
  for (size_t i = MARK_BYTES; i < *n; i += 2) {
    uint32_t c = unit_at(b + i, little);
    uint32_t next = i + 2 < *n ? unit_at(b + i + 2, little) : 0;
    if (c >= 0xD800 && c < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00);
      i += 2;
    } else if (c >= 0xD800 && c < 0xE000) {
      c = half;
    }
    to = utf8_put(to, c);
  }
  *to = '\0';
  free(*text);
  *text = out;
  *n = (size_t)(to - out);
  return 0;
}
