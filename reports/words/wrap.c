#include "reports/words/wrap.h"

#include "base/utf8.h"

#include <string.h>

size_t wrap_widest(const char *s) {
  size_t widest = 0;
  while (*s) {
    size_t n = strcspn(s, "\n");
    size_t columns = utf8_columns(s, n);
    if (columns > widest)
      widest = columns;
    s += n + (s[n] == '\n');
  }
  return widest;
}

void wrap_add(struct text *out, const char *sentence, int width, int indent) {
  size_t column = 0;
  while (*sentence) {
    size_t n = strcspn(sentence, " \n");
    size_t columns = utf8_columns(sentence, n);
    if (column > 0 && width > 0 && column + 1 + columns > (size_t)width) {
      text_printf(out, "\n%*s", indent, "");
      column = (size_t)indent;
    } else if (column > 0) {
      text_add(out, " ");
      column++;
    }
    text_add_n(out, sentence, n);
    column += columns;
    sentence += n + (sentence[n] != '\0');
  }
  text_add(out, "\n");
}

void wrap_item(void *list, const char *sentence) {
  struct wrap_list *l = list;
  struct text line = {0};
  if (l->n++ >= l->most && l->most)
    return;
  text_printf(&line, "- %s", sentence);
  wrap_add(l->out, text_str(&line), l->width, l->indent);
  text_end(&line, l->out);
}
