/* What to do about local memory, by what is kept there.  Private to the room. */
#pragma once

#include "analysis/advice/about.h"
#include "analysis/advice/rules.h"
#include "analysis/sass/sass.h"

enum {
  REGISTERS_MOST = 255,
  REGISTER_BYTES = 4
}; /* of a thread: CUDA C++ Programming Guide, technical specifications */

/* What of both matters; the lesser is left out below a tenth. */
struct local_kinds {
  bool array, spills; /* neither: there are no accesses */
  bool table;         /* an array that is filled at fixed places, and only read at computed ones */
  bool same;          /* its values are those of every other thread */
  double part;        /* of the accesses, those of an array for certain */
  double bytes;       /* of the frame; 0: unknown */
};
/* told: bytes that the compiler says it spills, -1: it says nothing. */
void local_kinds_of(struct local_kinds *out, struct sass *s, long told);
/* Behind "... local memory: ". */
const char *local_words(struct pool *p, const struct local_kinds *x);
/* The access that the advice stands at. */
about_kind *local_access(const struct local_kinds *x);
const char *local_remedy(struct pool *p, const struct local_kinds *x, int registers);
