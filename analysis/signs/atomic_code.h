/* What a kernel's code says of its atomics in global memory. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of most of its atomics, by executed counts, else by instructions; all false where there is no code. */
struct atomic_code {
  bool chosen;   /* the address is computed of what was loaded, as a histogram's; else of numbers and arguments alone */
  bool swaps;    /* they are compare-and-swap loops, since there is no atomic of the type */
  bool extremes; /* of these, most keep a maximum or a minimum */
  bool tries;    /* they are the program's own compare-and-swaps, as of a lock or a link: no sum stands for them */
  bool counted;  /* one lane counts for its warp, and is told where the warp's places begin */
  bool gathered; /* they add what the block has added up in shared memory by atomics */
  bool halves;   /* of these, most of 16-bit floats */
  bool floats;   /* they add floats */
  bool beside;   /* a thread's go to places that several numbers of one load choose, as of neighbours in an array */
  /* A thread makes several, at places made of a rounded float: the corners of a cell, or what is
   * hashed of them. */
  bool placed;
  bool anew; /* a load of its own chooses the place of each that a thread makes: it has no sum of several to add */
};
void atomic_code_of(struct atomic_code *out, const struct rule_input *in);

/* The place of an access is made of a float that became an integer: a cell of a grid, or what is hashed of it. */
bool place_is_rounded(struct sass *s, size_t i);
