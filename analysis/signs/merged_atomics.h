/* Additions of a thread to neighbouring words of global memory, which one wider atomic makes. */
#pragma once

#include "analysis/signs/rule_input.h"

struct merged_atomics {
  double gone; /* part of the executed atomics of global memory that wider ones leave out: 0..1 */
  int words;   /* that most of the wider ones add: 2 or 4; 0: there are none */
  bool floats; /* most of them add floats, which takes sm_90 */
};
void merged_atomics_of(struct merged_atomics *out, const struct rule_input *in);

/* Bytes at least that scattered atomics work on: what DRAM reads beyond all that loads ask of the L2.  0: they may be as few as any. */
double atomics_reach(const struct rule_input *in);
