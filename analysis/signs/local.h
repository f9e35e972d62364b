/* What is kept in local memory, by the code. */
#pragma once

#include "analysis/sass/sass.h"
#include "analysis/signs/about.h"

enum {
  REGISTERS_MOST = 255,
  REGISTER_BYTES = 4
}; /* of a thread: CUDA C++ Programming Guide, technical specifications */

/* What of both matters; the lesser is left out below a tenth. */
struct local_kinds {
  bool array, spills; /* neither: there are no accesses */
  bool table;         /* an array that is filled at fixed places, and only read at computed ones */
  double part;        /* of the accesses, those of an array for certain */
  double bytes;       /* of the frame; 0: unknown */
};
/* told: bytes that the compiler says it spills, -1: it says nothing. */
void local_kinds_of(struct local_kinds *out, struct sass *s, long told);
/* The accesses that such memory costs. */
about_kind *local_access(const struct local_kinds *x);
