#include "reports/page/code_lines.h"

#include "base/html.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
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
static const char *const telling[] = {
    "asm",    "__",       "cvt.",  "mma",        "cp.async", "ld.",     "prmt",      "fma",      "shfl",
    "atomic", "float",    "half",  "uint4",      "unroll",   "launch_", "threadIdx", "blockIdx", "load",
    "param:", "options:", "step:", "constants:", "dot",      "scale",   "stage"};

static int worth(const struct line_diff_line *l) {
  size_t from = 0, letters = 0;
  int score;
  while (from < l->n && isspace((unsigned char)l->text[from]))
    from++;
  for (size_t i = from; i < l->n; i++)
    letters += isalnum((unsigned char)l->text[i]) != 0;
  if (l->kind == LINE_SAME || letters < 4 || memmem(l->text, l->n, "```", 3) /* it would end Markdown's code */ ||
      strncmp(l->text + from, "#include", 8) == 0 ||
      (strncmp(l->text + from, "//", 2) == 0 && strncmp(l->text + from, "//!", 3) != 0) ||
      strncmp(l->text + from, "/*", 2) == 0 || l->text[from] == '*')
    return 0;
  score = l->kind == LINE_ADDED ? 3 : 1;
  for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
    const char *at = memmem(l->text, l->n, telling[i], strlen(telling[i]));
    score += at != NULL;
  }
  return score;
}

/* The least worth of the DECISIVE_MAX best lines; those of that worth count until it is full. */
static int least_worth(const struct line_diff *d) {
  int least = 1;
  for (;; least++) {
    size_t better = 0;
    for (size_t i = 0; i < d->n; i++)
      better += worth(&d->lines[i]) > least;
    if (better < DECISIVE_MAX)
      return least;
  }
}

void code_lines_decisive(const struct line_diff *d, struct text *out) {
  int least = least_worth(d);
  size_t taken = 0, last = 0, room = DECISIVE_MAX;
  for (size_t i = 0; i < d->n; i++)
    room -= worth(&d->lines[i]) > least;
  for (size_t i = 0; i < d->n; i++) {
    const struct line_diff_line *l = &d->lines[i];
    int w = worth(l);
    if (w < least || (w == least && room == 0))
      continue;
    room -= w == least;
    if (taken++ && i > last + 1)
      text_add(out, "  ...\n");
    last = i;
    text_add(out, l->kind == LINE_ADDED ? "+ " : "- ");
    text_add_n(out, l->text, l->n);
    text_add(out, "\n");
  }
}
