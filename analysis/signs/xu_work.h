/* What the XU pipe works on. */
#pragma once

#include "analysis/signs/rule_input.h"

enum xu_kind {
  XU_CONVERTS,  /* I2F, F2I, F2F; without those of fp64 and of integer divisions */
  XU_ROUNDS,    /* FRND: rintf, floorf, ceilf, truncf; F2I of what becomes a float again */
  XU_INDICES,   /* F2I of what the place of an access is made of */
  XU_DIVISIONS, /* of fp32, in full accuracy: MUFU.RCP with FCHK, which runs there, too */
  XU_KINDS
};

struct xu_work {
  double of[XU_KINDS]; /* warp instructions of the XU */
  bool by_nearest;     /* most roundings are to the nearest number */
};
void xu_work_of(struct xu_work *out, const struct rule_input *in);
/* Of every instruction of in->sass, whether it is such work and ran, without what integer divisions convert.  The caller frees it; NULL: there is no code. */
bool *xu_marked_make(const struct rule_input *in, enum xu_kind k);
/* The instruction whose line has the most of that kind; NULL: none, or it has no line. */
const struct run_instruction *xu_place(const struct rule_input *in, enum xu_kind k);
