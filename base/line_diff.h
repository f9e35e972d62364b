/* Two texts, line by line: what is kept, what went, what came. */
#pragma once

#include <stddef.h>

enum line_kind { LINE_SAME, LINE_REMOVED, LINE_ADDED };

struct line_diff_line {
  enum line_kind kind;
  const char *text; /* in the text it came from; ends at its newline, which n does not count */
  size_t n;
};

struct line_diff {
  struct line_diff_line *lines; /* removed before added where both stand at one place */
  size_t n;
  size_t removed, added; /* lines of that kind */
};

/* A longest common subsequence of lines.  Where what differs has more than LINE_DIFF_MAX lines on a
 * side, all of it counts as removed and added.  The texts must outlive *out, which the caller
 * releases. */
enum { LINE_DIFF_MAX = 2000 };
void line_diff_make(struct line_diff *out, const char *before, const char *after);
void line_diff_release(struct line_diff *d); /* leaves *d all zero */
