#include "base/shell.h"

#include <string.h>

void shell_word(struct text *out, const char *word) {
  static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:+@%";
  if (*word && strspn(word, bare) == strlen(word)) {
    text_add(out, word);
    return;
  }
  text_add(out, "'");
  for (const char *p = word; *p; p++) /* nothing is special in single quotes but their end */
    text_add_n(out, *p == '\'' ? "'\\''" : p, *p == '\'' ? 4 : 1);
  text_add(out, "'");
}

char *shell_line(int n, char *const *words) {
  struct text line = {0};
  for (int i = 0; i < n; i++) {
    text_add(&line, i ? " " : "");
    shell_word(&line, words[i]);
  }
  return text_take(&line);
}
