#include "base/err.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A cut text must not end in half a character, which JSON writers and terminals reject. */
static void trim_partial_character(char *s, size_t n) {
  size_t start = n;
  while (start > 0 && n - start < 3 && utf8_continues(s[start - 1]))
    start--;
  if (start == 0)
    return;
  unsigned char lead = (unsigned char)s[start - 1];
  size_t need = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  if (n - start < need)
    s[start - 1] = '\0';
}

/* The message is built beside e->text, because its arguments may point into e->text. */
static void text_store(struct err *e, const char *built, int length) {
  if (length < 0) {
    snprintf(e->text, sizeof e->text, "(the error message could not be formatted)");
    return;
  }
  memcpy(e->text, built, sizeof e->text);
  if ((size_t)length >= sizeof e->text)
    trim_partial_character(e->text, sizeof e->text - 1);
}

int err_set(struct err *e, enum err_code code, const char *format, ...) {
  if (!e)
    return code;
  char built[sizeof e->text] = "";
  va_list args;
  va_start(args, format);
  int length = vsnprintf(built, sizeof built, format, args);
  va_end(args);
  text_store(e, built, length);
  e->code = code;
  return code;
}

int err_context(struct err *e, const char *format, ...) {
  /* Without a struct the code is lost; a failure must still not read as success. */
  if (!e)
    return ERR_DATA;
  char built[sizeof e->text] = "";
  va_list args;
  va_start(args, format);
  int length = vsnprintf(built, sizeof built, format, args);
  va_end(args);
  if (length >= 0) {
    size_t used = (size_t)length < sizeof built ? (size_t)length : sizeof built - 1;
    int rest = snprintf(built + used, sizeof built - used, ": %s", e->text);
    length = rest < 0 ? rest : length + rest;
  }
  text_store(e, built, length);
  return e->code;
}

int err_nomem(struct err *e, const char *what) {
  return err_set(e, ERR_NOMEM, "out of memory for %s", what);
}
