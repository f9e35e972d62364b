/* Arrays that a thread reads at one loaded index: x[j], y[j] and z[j]. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_index_arrays {
  int n;     /* arrays, that of the load among them; under 2: it is the only one, or that is not known */
  int bytes; /* of an element of each, together */
};
void sass_index_arrays(struct sass_index_arrays *out, struct sass *s, size_t load);
