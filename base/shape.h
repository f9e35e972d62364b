/* What a problem's size is: the extents of a batched GEMV, C[m, l] = sum over k of A[m, k, l] * B[k, l], in text "MxKxL"; or the named sizes of a
 * problem of one's own, in text "N=16777216" or "ROWS=4096 COLS=8192". */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { SHAPE_TEXT_MAX = 64 };

struct shape {
  long m;                     /* rows, >= 1; 0, as k and l, where there are named sizes */
  long k;                     /* elements of a row, >= 64 and a multiple of 64 */
  long l;                     /* batches, >= 1 */
  char sizes[SHAPE_TEXT_MAX]; /* "NAME=NUMBER", a blank between; "": a GEMV */
};

/* Parses "7168x16384x1" (an upper-case X or the sign × will do).  ERR_USAGE names the extent that is wrong and the rule it breaks;
 * an extent above 2^24, or M*K*L above 2^34, is refused too (the whole of A would not fit a GPU).
 * A text with a '=' is named sizes, each from 1 to 2^40, with an optional suffix K, M or G (1024-based); no name twice. */
int shape_parse(struct shape *out, const char *text, struct err *e);
/* Writes "MxKxL", or the named sizes, and returns buffer. */
const char *shape_text(struct shape s, char buffer[SHAPE_TEXT_MAX]);
bool shape_equal(struct shape a, struct shape b);
bool shape_in(const struct shape *list, size_t n, struct shape s);
/* 0x0x0: no problem is declared, as of a kernel that another tool measured.  shape_parse does not take it. */
bool shape_none(struct shape s);
bool shape_named(const struct shape *s); /* whether it is named sizes */
/* The value of a named size; false: there is none of that name. */
bool shape_size(const struct shape *s, const char *name, long *value);
/* Puts NAME=VALUE behind the sizes there are.  ERR_USAGE where the text would be longer than a shape holds, or value is out of range. */
int shape_add_size(struct shape *s, const char *name, long value, struct err *e);
