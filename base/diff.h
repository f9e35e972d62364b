/* Two texts, line by line: what is kept, what went, what came. */
#ifndef BASE_DIFF_H
#define BASE_DIFF_H

#include "base/err.h"

#include <stddef.h>

enum diff_kind { DIFF_SAME, DIFF_REMOVED, DIFF_ADDED };

struct diff_line {
  enum diff_kind kind;
  const char *text; /* in the text it came from; ends at its newline, which n does not count */
  size_t n;
  size_t before, after; /* its line number in each text, from 1; 0 where it is not in that one */
};

struct diff {
  struct diff_line *lines; /* removed before added where both stand at one place */
  size_t n;
  size_t removed, added; /* lines of that kind */
};

/* A longest common subsequence of lines.  Where what differs has more than DIFF_LINES_MAX lines on a side, all of it counts as removed and
 * added.  ERR_NOMEM.  The texts must outlive *out, which the caller releases, also after failure. */
enum { DIFF_LINES_MAX = 2000 };
int diff_make(struct diff *out, const char *before, const char *after, struct err *e);
void diff_release(struct diff *d); /* leaves *d all zero */

#endif
