/* The words of a page, without its markup: a line a heading, paragraph, item, caption or row of a table, whose cells are "|a|b|". */
#ifndef TESTS_UNIT_PAGE_WORDS_H
#define TESTS_UNIT_PAGE_WORDS_H

#include "base/text.h"

#include <stdbool.h>
#include <string.h>

static inline bool tag_is(const char *tag, const char *names) {
  char name[16] = " ";
  size_t n = strcspn(tag + 1, " \n>");
  if (n > 10)
    return false;
  memcpy(name + 1, tag + 1, n);
  strcpy(name + 1 + n, " ");
  return strstr(names, name) != NULL;
}

static inline void page_words(struct text *out, const char *html) {
  static const char *const escaped[] = {"&lt;", "<", "&gt;", ">", "&quot;", "\"", "&#39;", "'", "&amp;", "&"};
  for (const char *s = html; *s;) {
    const char *end = *s == '<' ? strchr(s, '>') : NULL;
    size_t pair = 0;
    if (*s == '<' && tag_is(s, " style svg ")) {
      end = strstr(s, tag_is(s, " svg ") ? "</svg>" : "</style>");
      s = end ? end : s + strlen(s);
      continue;
    }
    if (end) {
      if (tag_is(s, " /td /th "))
        text_add(out, "|");
      else if (tag_is(s, " h1 h2 h3 h4 p li caption tr dt dd summary div pre br "))
        text_add(out, tag_is(s, " tr ") ? "\n|" : "\n");
      s = end + 1;
      continue;
    }
    while (pair < 10 && strncmp(s, escaped[pair], strlen(escaped[pair])) != 0)
      pair += 2;
    if (pair < 10)
      text_add(out, escaped[pair + 1]);
    else
      text_add_n(out, *s == '\n' ? " " : s, 1);
    s += pair < 10 ? strlen(escaped[pair]) : 1;
  }
}

#endif
