#include "run/geometry.h"

#include <math.h>

uint64_t blocks_in_grid(const unsigned grid[3]) {
  return (uint64_t)grid[0] * grid[1] * grid[2];
}

static bool sizes_alike(double a, double b) {
  return a == b || fabs(a - b) < GRIDS_MARGIN * fmax(a, b);
}

bool grids_alike(const unsigned a[3], const unsigned b[3]) {
  for (int i = 0; i < 3; i++)
    if (!sizes_alike(a[i], b[i]))
      return false;
  return sizes_alike((double)blocks_in_grid(a), (double)blocks_in_grid(b));
}
