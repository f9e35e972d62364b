#include "analysis/signs/elected_atomics.h"

#include <math.h>
#include <string.h>

const char *const unsummed_names[N_UNSUMMED] = {"atomicExch", "atomicCAS", "atomicInc", "atomicDec"};
static const char *const MODIFIERS[N_UNSUMMED] = {"EXCH", "CAS", "INC", "DEC"};

static size_t unsummed_of(const struct sass_inst *x) {
  size_t k = 0;
  while (k < N_UNSUMMED && !sass_modifier(x, MODIFIERS[k]))
    k++;
  return k;
}

bool elected_of(struct elected_atomics *out, const struct rule_input *in) {
  bool votes = false;
  *out = (struct elected_atomics){0};
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double n = in->sass->counted ? fmax(in->sass->executed[i], 0) : 1;
    size_t k = unsummed_of(x);
    votes =
        votes || strcmp(x->opcode, "REDUX") == 0 || strcmp(x->opcode, "VOTEU") == 0 || strcmp(x->opcode, "VOTE") == 0;
    if (x->class != SASS_ATOMIC || x->space == SPACE_SHARED || x->never)
      continue;
    *(x->guarded ? &out->elected : &out->others) += n;
    if (!x->guarded)
      *(k < N_UNSUMMED ? &out->of[k] : &out->summed) += n;
  }
  return votes && out->elected > 0 && out->others > 0;
}
