/* Which accesses of shared memory meet in a bank, and why, by the code. */
#pragma once

#include "analysis/signs/rule_input.h"

struct bank_places {
  const struct run_instruction *
      at; /* of such accesses the most executed, else that warps wait at the most; NULL: none is known, or none has a line */
  int turns; /* that one of them takes, of the known ones that take the most by all their executions; 1: none is known */
  long step;    /* its bytes from lane to lane */
  bool by_data; /* none is known, and most places of those that may are made of what was loaded */
};
void bank_places_of(struct bank_places *out, const struct rule_input *in);
