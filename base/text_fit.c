#include "base/text.h"

#include "base/utf8.h"

#include <string.h>

/* Bytes of a change of colour at s; 0: there is none. */
static size_t colour_length(const char *s) {
  size_t n = s[0] == '\033' && s[1] == '[' ? strspn(s + 2, "0123456789;") + 2 : 0;
  return n && s[n] == 'm' ? n + 1 : 0;
}

/* Bytes of s, up to `end`, in `width` columns; *blank: the last between words there, or 0. */
static size_t bytes_within(const char *s, size_t end, size_t width, size_t *blank) {
  size_t at = 0, columns = 0;
  bool word = false;
  *blank = 0;
  while (at < end) {
    size_t colour = colour_length(s + at);
    if (colour) {
      at += colour;
      continue;
    }
    if (s[at] == ' ' && word)
      *blank = at;
    if (columns == width)
      return at;
    word = word || s[at] != ' ';
    columns++;
    at += utf8_bytes(s + at, 1);
  }
  return end;
}

static void line_add(struct text *t, const char *s, size_t end, size_t width) {
  size_t indent = strspn(s, " ") + 2;
  if (2 * indent > width) /* of what is deep, little would be left */
    indent = 2;
  for (size_t begin = 0, room = width;; room = width - indent) {
    size_t blank, n = bytes_within(s + begin, end - begin, room, &blank);
    if (begin + n >= end) {
      text_add_n(t, s + begin, end - begin);
      return;
    }
    n = blank ? blank : n;
    text_add_n(t, s + begin, n);
    text_printf(t, "\n%*s", (int)indent, "");
    begin += n + strspn(s + begin + n, " ");
  }
}

void text_fit(struct text *t, const char *s, int width) {
  enum { LEAST = 8 };
  while (*s) {
    size_t end = strcspn(s, "\n");
    if (width <= 0)
      text_add_n(t, s, end);
    else
      line_add(t, s, end, (size_t)(width < LEAST ? LEAST : width));
    text_add_n(t, "\n", s[end] == '\n');
    s += end + (s[end] == '\n');
  }
}
