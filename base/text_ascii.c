#include "base/text.h"

#include "base/utf8.h"

#include <string.h>

struct ascii_row {
  const char *utf8, *ascii;
};
static const struct ascii_row rows[] = {
    {"µ", "u"}, {"×", "x"}, {"±", "+-"}, {"→", "->"}, {"–", "-"},  {"—", "-"}, {"─", "-"},
    {"…", "~"}, {"↳", ">"}, {"≈", "~"},  {"≤", "<="}, {"≥", ">="}, {"²", "2"}, {"·", "*"},
    {"°", "'"}, {"│", "|"}, {"−", "-"},  {"“", "\""}, {"”", "\""}, {"’", "'"},
};

static const char *ascii_of(const char *s, size_t bytes) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].utf8) == bytes && strncmp(rows[i].utf8, s, bytes) == 0)
      return rows[i].ascii;
  return "?";
}

void text_ascii(struct text *t, const char *s) {
  size_t owed = 0; /* columns that were taken too many */
  while (*s) {
    size_t bytes = utf8_bytes(s, 1);
    if ((unsigned char)*s >= 0x80) {
      const char *ascii = ascii_of(s, bytes);
      text_add(t, ascii);
      owed += strlen(ascii) - 1;
    } else if (owed > 0 && *s == ' ' && s[1] == ' ') {
      owed--; /* one blank of several: a gap stays */
    } else {
      text_add_n(t, s, 1);
      owed = *s == '\n' ? 0 : owed;
    }
    s += bytes;
  }
}
