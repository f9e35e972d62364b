/* Shapes as a user names them. */
#pragma once

#include "base/err.h"
#include "base/shape.h"

#include <stddef.h>

/* Names of shape sets (kernels/problem.h), MxKxL, comma between.  The list is the caller's to free. */
int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e);
