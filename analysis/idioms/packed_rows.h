/* Products of several rows by packed multiplies and adds. */
#pragma once

#include "analysis/sass/sass.h"

/* Executed HFMA2 that add to a sum a product with a value that the code made, and did not just
 * load, and that four such or more use: a decoded weight, for as many rows. */
double sass_packed_rows(struct sass *s);
