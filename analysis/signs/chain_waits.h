/* Which waits for memory are those of loads whose addresses other loads bring. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Parts of the samples that wait for what comes from memory (long_scoreboard), 0..1. */
struct chain_waits {
  /* For loads of the hot loop that bring the address of another one there, or decide whether it
   * runs; 1 where no sample tells. */
  double links;
  /* For loads whose addresses these bring, and that bring none; what hardly a turn loads is none of
   * them. */
  double ends;
};
void chain_waits_of(struct chain_waits *out, const struct rule_input *in);
