/* A rung's file with more front matter in it. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "kernels/rung.h"

/* Adds the rung's file with these lines below its id.  ERR_DATA where the result would not be read back: a value outside its param's set. */
int tune_file(struct text *out, const struct rung *r, const char *lines, struct err *e);
