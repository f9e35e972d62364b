#include "base/html.h"

#include "base/plain.h"

#include <ctype.h>
#include <string.h>

static const char *escape_of(char c) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

void html_text_n(struct text *out, const char *s, size_t n) {
  size_t step;
  for (size_t i = 0; s && i < n; i += step) {
    bool control;
    step = plain_step(s + i, n - i, &control);
    const char *escaped = control ? " " : escape_of(s[i]);

    if (escaped)
      text_add(out, escaped);
    else
      text_add_n(out, s + i, step);
  }
}

void html_text(struct text *out, const char *s) {
  html_text_n(out, s, s ? strlen(s) : 0);
}

void html_id(struct text *out, const char *s) {
  for (; s && *s; s++) {
    unsigned char c = (unsigned char)*s;
    if ((c < 0x80 && isalnum(c)) || c == '-')
      text_add_n(out, s, 1);
    else
      text_printf(out, "_%02x", c);
  }
}
