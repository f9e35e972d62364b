/* The extents of a batched GEMV: C[m, l] = sum over k of A[m, k, l] * B[k, l].  Text form "MxKxL". */
#ifndef BASE_SHAPE_H
#define BASE_SHAPE_H

#include "base/err.h"

#include <stdbool.h>

struct shape {
  long m; /* rows, >= 1 */
  long k; /* elements of a row, >= 64 and a multiple of 64 */
  long l; /* batches, >= 1 */
};

enum { SHAPE_TEXT_MAX = 64 };

/* Parses "7168x16384x1" (an upper-case X or the sign × will do).  ERR_USAGE names the extent that is wrong and the rule it breaks;
 * an extent above 2^24, or M*K*L above 2^34, is refused too (the whole of A would not fit a GPU). */
int shape_parse(struct shape *out, const char *text, struct err *e);
/* Writes "MxKxL" and returns buffer. */
const char *shape_text(struct shape s, char buffer[SHAPE_TEXT_MAX]);
bool shape_equal(struct shape a, struct shape b);
/* 0x0x0: no problem is declared, as of a kernel that another tool measured.  shape_parse does not take it. */
bool shape_none(struct shape s);

#endif
