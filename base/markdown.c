#include "base/markdown.h"

#include "base/plain.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool in_word(const char *s, size_t n, size_t i) {
  return i > 0 && i + 1 < n && isalnum((unsigned char)s[i - 1]) && isalnum((unsigned char)s[i + 1]);
}

/* Marks of a heading, a list or a quote, which count at the beginning of a block only. */
static bool begins_block(const char *s, size_t n) {
  return s[0] == '>' || (strchr("#-+", s[0]) && (n == 1 || s[1] == ' ' || s[1] == s[0]));
}

/* "<int>" and "</td>" are tags, "a < b" is none; "&lt;" is a character, "A & B" is not. */
static bool begins_tag(const char *s, size_t n) {
  return s[0] == '<' && n > 1 && (isalpha((unsigned char)s[1]) || strchr("/!?", s[1]));
}
static bool begins_entity(const char *s, size_t n) {
  return s[0] == '&' && n > 1 && (isalnum((unsigned char)s[1]) || s[1] == '#');
}

void markdown_text_n(struct text *out, const char *s, size_t n) {
  size_t step;
  for (size_t i = 0; s && i < n; i += step) {
    bool control;
    step = plain_step(s + i, n - i, &control);
    if (s[i] == '\n' || s[i] == '\r')
      text_add(out, " ");
    else if (control)
      text_add(out, "?");
    else if (begins_tag(s + i, n - i))
      text_add(out, "&lt;");
    else if (begins_entity(s + i, n - i))
      text_add(out, "&amp;");
    else {
      /* snake_case is no emphasis, and reads better as it is. */
      if ((strchr("\\`*[]|~$", s[i])) || (s[i] == '_' && !in_word(s, n, i)) || (i == 0 && begins_block(s, n)))
        text_add(out, "\\");
      text_add_n(out, s + i, step);
    }
  }
}

void markdown_text(struct text *out, const char *s) {
  markdown_text_n(out, s, s ? strlen(s) : 0);
}
