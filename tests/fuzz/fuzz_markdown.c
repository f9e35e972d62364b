/* A note's Markdown as HTML: whatever it holds, the tags are the ones that the page knows, closed in their order, and nothing links but to http and to
 * the page itself.  Text of others that was escaped for Markdown makes none. */
#include "fuzz/fuzz.h"

#include "base/markdown.h"
#include "reports/page/page.h"

#include <stdbool.h>
#include <stdio.h>

enum { DEPTH_MAX = 64, TAG_MAX = 16 };

static bool is_known(const char *tag) {
  static const char *const known[] = {"p", "ul", "ol", "li", "pre", "code", "strong", "em", "a"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(tag, known[i]) == 0)
      return true;
  return false;
}

static void check_link(const char *rest) {
  static const char begin[] = " href=\"";
  fuzz_require(strncmp(rest, begin, sizeof begin - 1) == 0);
  const char *to = rest + sizeof begin - 1, *end = strchr(to, '"');
  fuzz_require(*to == '#' || strncmp(to, "http://", 7) == 0 || strncmp(to, "https://", 8) == 0);
  fuzz_require(end && end[1] == '>');
}

/* Returns how many tags of which kinds there are besides paragraphs and line ends. */
static size_t check_html(const char *html) {
  char open[DEPTH_MAX][TAG_MAX], tag[TAG_MAX];
  size_t depth = 0, others = 0;
  for (const char *at = html; (at = strchr(at, '<')); at++) {
    bool closes = at[1] == '/';
    int used = 0;
    fuzz_require(sscanf(at + 1 + closes, "%15[a-z]%n", tag, &used) == 1 && is_known(tag));
    const char *rest = at + 1 + closes + used;
    others += strcmp(tag, "p") != 0;
    if (closes)
      fuzz_require(*rest == '>' && depth > 0 && strcmp(open[--depth], tag) == 0);
    else if (strcmp(tag, "a") == 0)
      check_link(rest);
    else
      fuzz_require(*rest == '>');
    if (!closes) {
      fuzz_require(depth < DEPTH_MAX);
      snprintf(open[depth++], TAG_MAX, "%s", tag);
    }
  }
  fuzz_require(depth == 0);
  return others;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n);
  struct text html = {0}, escaped = {0};
  markdown_html(&html, text);
  check_html(text_str(&html));
  text_release(&html);

  text_add(&escaped, "text: "); /* as in a sentence or a cell: not at the beginning of a line */
  markdown_text(&escaped, text);
  fuzz_require(!strchr(text_str(&escaped), '\n'));
  markdown_html(&html, text_str(&escaped));
  fuzz_require(check_html(text_str(&html)) == 0);
  text_release(&html);
  text_release(&escaped);
  free(text);
  return 0;
}
