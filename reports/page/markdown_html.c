#include "reports/page/page.h"

#include "base/html.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* --- in a line --- */

/* The run of `mark` that closes what opened before s, within n bytes; n where there is none. */
static size_t find_close(const char *s, size_t n, const char *mark) {
  size_t length = strlen(mark);
  for (size_t i = 0; i + length <= n; i++)
    if (s[i] == '\\')
      i++;
    else if (strncmp(s + i, mark, length) == 0 && i > 0 && !isspace((unsigned char)s[i - 1]))
      return i;
  return n;
}

/* What lies ahead in the text, looked for once and not at each mark. */
struct ahead {
  const char *bracket, *paren;              /* the next; the text's end where there is none */
  bool strong_open, star_open, stroke_open; /* a mark that nothing closes: nothing closes a later one */
};

static const char *next_of(const char **known, const char *s, const char *end, char c) {
  if (!*known || *known < s) {
    const char *at = memchr(s, c, (size_t)(end - s));
    *known = at ? at : end;
  }
  return *known;
}

static void inline_add(struct text *out, const char *s, size_t n);

/* MARK words MARK as <tag>; returns the bytes used, 0 where it is none. */
static size_t emphasis_add(struct text *out, const char *s, size_t n, const char *mark, const char *tag, bool *open) {
  size_t length = strlen(mark), close;
  if (*open || n < 2 * length + 1 || strncmp(s, mark, length) != 0 || isspace((unsigned char)s[length]))
    return 0;
  close = find_close(s + length, n - length, mark);
  if (close == n - length) {
    *open = true;
    return 0;
  }
  text_printf(out, "<%s>", tag);
  inline_add(out, s + length, close);
  text_printf(out, "</%s>", tag);
  return close + 2 * length;
}

static size_t code_add(struct text *out, const char *s, size_t n) {
  const char *close = memchr(s + 1, '`', n - 1);
  if (!close)
    return 0;
  text_add(out, "<code>");
  html_text_n(out, s + 1, (size_t)(close - s - 1));
  text_add(out, "</code>");
  return (size_t)(close - s) + 1;
}

static size_t link_add(struct text *out, const char *s, size_t n, struct ahead *a) {
  const char *end = s + n, *middle = next_of(&a->bracket, s, end, ']');
  if (end - middle < 4 || middle[1] != '(' || (end = next_of(&a->paren, middle, end, ')')) == s + n)
    return 0;
  middle += 2;
  /* No other scheme: javascript: is one too. */
  if (strncmp(middle, "https://", 8) != 0 && strncmp(middle, "http://", 7) != 0 && *middle != '#')
    return 0;
  text_add(out, "<a href=\"");
  html_text_n(out, middle, (size_t)(end - middle));
  text_add(out, "\">");
  inline_add(out, s + 1, (size_t)(middle - 2 - s - 1));
  text_add(out, "</a>");
  return (size_t)(end - s) + 1;
}

static void inline_add(struct text *out, const char *s, size_t n) {
  struct ahead a = {0};
  for (size_t i = 0; i < n;) {
    const char *at = s + i;
    size_t left = n - i, used = 0;
    bool in_word = i > 0 && isalnum((unsigned char)s[i - 1]);
    if (*at == '\\' && left > 1 && ispunct((unsigned char)at[1])) {
      html_text_n(out, at + 1, 1);
      i += 2;
      continue;
    }
    if (*at == '`')
      used = code_add(out, at, left);
    else if (*at == '[')
      used = link_add(out, at, left, &a);
    else if (*at == '*')
      used = emphasis_add(out, at, left, "**", "strong", &a.strong_open);
    if (!used && (*at == '*' || (*at == '_' && !in_word))) {
      const char mark[2] = {*at, '\0'};
      used = emphasis_add(out, at, left, mark, "em", *at == '*' ? &a.star_open : &a.stroke_open);
    }
    if (!used) {
      for (used = 1; used < left && utf8_continues(at[used]);) /* a character whole */
        used++;
      html_text_n(out, at, used);
    }
    i += used;
  }
}

/* --- lines --- */

enum block { NONE, PARAGRAPH, BULLETS, NUMBERS };

static void block_switch(struct text *out, enum block *now, enum block next) {
  static const char *const closes[] = {"", "</p>\n", "</li></ul>\n", "</li></ol>\n"};
  static const char *const opens[] = {"", "<p>", "<ul>", "<ol>"};
  if (*now == next)
    return;
  text_add(out, closes[*now]);
  text_add(out, opens[next]);
  *now = next;
}

/* What an item begins with: the bytes of "- " or "12. "; 0: no item. */
static size_t item_mark(const char *line, size_t n, enum block *kind) {
  size_t digits = 0;
  if (n > 1 && strchr("-*+", line[0]) && line[1] == ' ') {
    *kind = BULLETS;
    return 2;
  }
  while (digits < n && digits < 4 && isdigit((unsigned char)line[digits]))
    digits++;
  if (digits == 0 || digits + 1 >= n || line[digits] != '.' || line[digits + 1] != ' ')
    return 0;
  *kind = NUMBERS;
  return digits + 2;
}

static const char *fence_add(struct text *out, const char *s) {
  s += strcspn(s, "\n");
  s += *s == '\n';
  text_add(out, "<pre><code>");
  while (*s && strncmp(s, "```", 3) != 0) {
    size_t n = strcspn(s, "\n");
    n += s[n] == '\n';
    html_text_n(out, s, n);
    s += n;
  }
  text_add(out, "</code></pre>\n");
  s += strcspn(s, "\n");
  return s + (*s == '\n');
}

static void line_add(struct text *out, enum block *now, const char *line, size_t n) {
  enum block kind = NONE;
  size_t mark = item_mark(line, n, &kind);
  bool first = *now != (mark ? kind : *now) || *now == NONE;
  if (mark) {
    block_switch(out, now, kind);
    text_add(out, first ? "<li>" : "</li>\n<li>");
    inline_add(out, line + mark, n - mark);
    return;
  }
  /* A line that goes on: of an item too. */
  if (*now == NONE)
    block_switch(out, now, PARAGRAPH);
  else
    text_add(out, "\n");
  inline_add(out, line, n);
}

void markdown_html(struct text *out, const char *markdown) {
  const char *s = markdown;
  enum block now = NONE;
  while (*s) {
    size_t n = strcspn(s, "\n"), blank = strspn(s, " \t\r");
    if (strncmp(s, "```", 3) == 0) {
      block_switch(out, &now, NONE);
      s = fence_add(out, s);
      continue;
    }
    if (blank >= n)
      block_switch(out, &now, NONE);
    else
      line_add(out, &now, s + blank, n - blank - (s[n - 1] == '\r'));
    s += n + (s[n] == '\n');
  }
  block_switch(out, &now, NONE);
}
