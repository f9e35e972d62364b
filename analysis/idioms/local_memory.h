/* What a kernel keeps in local memory. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_local {
  double fixed,
      computed; /* accesses at fixed places, as of spilled registers, and at computed ones, of arrays: executed, else in the text */
  /* Of the fixed: only a computed access reads what they store, or stores what they load, so that
   * they are an array's. */
  double array;
  double bytes; /* a thread's frame; 0: none is made */
  bool table;   /* an array is stored at fixed places alone, and read at computed ones */
};
void sass_local_of(struct sass_local *out, const struct sass *s);
bool sass_is_indexed(const struct sass_inst *x); /* an access of local memory at a computed place */
