/* Global loads of places that no turn of their loop changes. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_fixed_loads {
  int all,
      fixed; /* global loads in the loop's text that run, and those of them whose place is what it was before the loop */
};
void sass_fixed_loads(struct sass_fixed_loads *out, struct sass *s, size_t loop);
