/* What is done for denormals around an approximation of the XU, and goes where they are taken for zero. */
#pragma once

#include "analysis/sass/sass.h"

/* Of every instruction, whether it is such work; *approximations: so many times, by executed counts, was it done.  The caller frees *out. */
bool *sass_denormals_make(struct sass *s, double *approximations);
