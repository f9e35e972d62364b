#include "reports/page/page.h"

#include "base/html.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 1, SHOWN_MAX = 60, DECISIVE_MAX = 12, WIDTH_MAX = 120 };

/* --- HTML --- */

static bool is_near(const struct line_diff *d, size_t line) {
  size_t from = line > CONTEXT ? line - CONTEXT : 0;
  for (size_t i = from; i <= line + CONTEXT && i < d->n; i++)
    if (d->lines[i].kind != LINE_SAME)
      return true;
  return false;
}

static void lines_word(struct text *out, const char *before, size_t n, const char *behind) {
  text_printf(out, "<span class=\"gap\">%s%zu line%s%s</span>", before, n, n == 1 ? "" : "s", behind);
}

/* A line of the front matter may have many hundred columns, which nobody reads to the end. */
static void line_add(struct text *out, const struct line_diff_line *l) {
  size_t n = l->n;
  if (n > WIDTH_MAX)
    for (n = WIDTH_MAX; utf8_continues(l->text[n]);)
      n--; /* not within a character */
  html_text_n(out, l->text, n);
  text_add(out, n < l->n ? " …" : "");
}

void code_lines_html(const struct line_diff *d, struct text *out) {
  static const char *const tags[] = {[LINE_SAME] = "span", [LINE_REMOVED] = "del", [LINE_ADDED] = "ins"};
  static const char *const signs[] = {[LINE_SAME] = "  ", [LINE_REMOVED] = "- ", [LINE_ADDED] = "+ "};
  const char *open = NULL;
  size_t alike = 0, shown = 0, left = 0;
  for (size_t i = 0; i < d->n; i++) {
    const struct line_diff_line *l = &d->lines[i];
    bool near = is_near(d, i);
    alike += !near;
    left += near && shown >= SHOWN_MAX && l->kind != LINE_SAME;
    if (!near || shown >= SHOWN_MAX)
      continue;
    if (open && (alike || open != tags[l->kind])) {
      text_printf(out, "</%s>", open);
      open = NULL;
    }
    if (alike)
      lines_word(out, "@@ ", alike, " alike @@");
    alike = 0;
    if (open)
      text_add(out, "\n");
    else
      text_printf(out, "<%s>", tags[l->kind]);
    open = tags[l->kind];
    text_add(out, signs[l->kind]);
    line_add(out, l);
    shown++;
  }
  if (open)
    text_printf(out, "</%s>", open);
  if (left)
    lines_word(out, "… ", left, " more changed");
}

/* --- the decisive lines --- */

/* What names an instruction, a layout or a limit, and so often is the change. */
static const char *const telling[] = {"asm",    "__",     "cvt.",   "mma",   "cp.async", "ld.",   "prmt",
                                      "fma",    "shfl",   "atomic", "float", "half",     "uint4", "unroll",
                                      "launch", "thread", "block",  "load",  "dot",      "scale", "stage"};

/* What a line is worth: new before old, code before the launch's parameters, and first what calls or reads what no other line does. */
enum { OLD = 1, NEW = 3, TELLING_MAX = 2, NEW_CALL = 6, NEW_INDEX = 3 };

static bool word_letter(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The call or the index that stands at `at`: "copy_bulk(" or "row[tile + byte]"; 0: none does. */
static size_t access_at(const struct line_diff_line *l, size_t at) {
  size_t n = at;
  if (!(isalpha((unsigned char)l->text[at]) || l->text[at] == '_') || (at && word_letter(l->text[at - 1])))
    return 0;
  while (n < l->n && word_letter(l->text[n]))
    n++;
  if (n == l->n || (l->text[n] != '(' && l->text[n] != '['))
    return 0;
  const char *end = l->text[n] == '[' ? memchr(l->text + n, ']', l->n - n) : l->text + n;
  return end ? (size_t)(end - l->text) + 1 - at : 0;
}

/* On the other side, or in an earlier line of its own. */
static bool known_before(const struct line_diff *d, const struct line_diff_line *l, const char *what, size_t n) {
  for (size_t i = 0; i < d->n; i++)
    if ((d->lines[i].kind != l->kind || &d->lines[i] < l) && memmem(d->lines[i].text, d->lines[i].n, what, n))
      return true;
  return false;
}

/* What it calls, or else where it reads or writes, for the first time. */
static int first_access(const struct line_diff *d, const struct line_diff_line *l, size_t from) {
  int most = 0;
  for (size_t at = from; at < l->n && most < NEW_CALL; at++) {
    size_t n = access_at(l, at);
    if (n && !known_before(d, l, l->text + at, n))
      most = l->text[at + n - 1] == '(' ? NEW_CALL : NEW_INDEX;
  }
  return most;
}

static int worth(const struct line_diff *d, const struct line_diff_line *l) {
  size_t from = 0, letters = 0;
  int told = 0;
  while (from < l->n && isspace((unsigned char)l->text[from]))
    from++;
  for (size_t i = from; i < l->n; i++)
    letters += isalnum((unsigned char)l->text[i]) != 0;
  if (l->kind == LINE_SAME || letters < 4 || memmem(l->text, l->n, "```", 3) /* it would end Markdown's code */ ||
      strncmp(l->text + from, "#include", 8) == 0 ||
      (strncmp(l->text + from, "//", 2) == 0 && strncmp(l->text + from, "//!", 3) != 0) ||
      strncmp(l->text + from, "/*", 2) == 0 || l->text[from] == '*')
    return 0;
  if (strncmp(l->text + from, "//!", 3) == 0)
    return 1;
  for (size_t i = 0; i < sizeof telling / sizeof *telling && told < TELLING_MAX; i++)
    told += memmem(l->text, l->n, telling[i], strlen(telling[i])) != NULL;
  return (l->kind == LINE_ADDED ? NEW : OLD) + told + first_access(d, l, from);
}

/* The least worth of the DECISIVE_MAX best lines; those of that worth count until it is full. */
static int least_worth(const int *worths, size_t n) {
  int least = 1;
  for (;; least++) {
    size_t better = 0;
    for (size_t i = 0; i < n; i++)
      better += worths[i] > least;
    if (better < DECISIVE_MAX)
      return least;
  }
}

void code_lines_decisive(const struct line_diff *d, struct text *out) {
  int *worths = calloc(d->n + 1, sizeof *worths);
  size_t taken = 0, last = 0, room = DECISIVE_MAX;
  for (size_t i = 0; i < d->n; i++)
    worths[i] = worth(d, &d->lines[i]);
  int least = least_worth(worths, d->n);
  for (size_t i = 0; i < d->n; i++)
    room -= worths[i] > least;
  for (size_t i = 0; i < d->n; i++) {
    const struct line_diff_line *l = &d->lines[i];
    if (worths[i] < least || (worths[i] == least && room == 0))
      continue;
    room -= worths[i] == least;
    if (taken++ && i > last + 1)
      text_add(out, "  ...\n");
    last = i;
    text_add(out, l->kind == LINE_ADDED ? "+ " : "- ");
    text_add_n(out, l->text, l->n);
    text_add(out, "\n");
  }
  free(worths);
}
