/* What a GEMV's code shows of its decoding where conversions do it: F2FP...UNPACK_B, two values of a lane each. */
#pragma once

#include "analysis/signs/rule_input.h"

/* ALU instructions of a lane for 8 elements of A. */
struct decoding {
  double rows;   /* that share a decoded value of B, 1 and more; INFINITY: B's conversions are none */
  double decode; /* conversions, and what shifts and masks the values that they read */
  double idle;   /* what lanes without a value take of the same warp instructions */
  const struct run_instruction *at; /* the line with most of the other ones: addresses, loops; NULL: none is known */
};
/* Two values of e4m3 or e2m1 become fp16. */
bool converts_pair(const struct sass_inst *x);
/* False where other instructions decode, or nothing was counted. */
bool decoding_of(struct decoding *out, const struct rule_input *in);

/* Of those that a lane's 8 elements take, what is more than in the leanest kernels that are known (advice, decode-cost). */
struct decode_surplus {
  double others;  /* addresses, loops: what does not decode */
  double longer;  /* of decoding */
  double idle;    /* of lanes without a value */
  double sharing; /* what B's decoding takes that `rows` would share; 0: they do */
};
void decode_surplus_of(struct decode_surplus *out, const struct rule_input *in, const struct decoding *d, double spent,
                       double rows);
