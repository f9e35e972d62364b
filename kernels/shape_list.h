/* Shapes as a user names them. */
#ifndef KERNELS_SHAPE_LIST_H
#define KERNELS_SHAPE_LIST_H

#include "base/err.h"
#include "base/shape.h"

#include <stddef.h>

/* Names of shape sets (kernels/problem.h), MxKxL, comma between.  The list is the caller's to free. */
int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e);

#endif
