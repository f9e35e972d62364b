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

/* From which on a chip has FP4 conversions of its own (PTX ISA, cvt). */
enum { FP4_SM = 100 };

/* ALU and XU instructions for 8 elements of A and as many of B: the leanest kernels of the recorded H200 run's ladders cuda, cute, attempts and top
 * that decode B for each row, for four and for eight rows (cuda-5-ilp4, top-1-coarsen4, top-1-coarsen8).  On sm_100 conversions are native: four for 8
 * elements of each operand, of which B's are shared. */
struct decode {
  double rows, insts, native;
};
double decode_insts(const struct rule_input *in, const struct decode *x);
const struct decode *decode_own(void); /* that decodes B for each row */
/* ALU and XU instructions for 8 elements; 0 where it is no GEMV. */
double decode_spent(const struct rule_input *in);
/* What is within reach: B shared by four rows, or by eight where what is spent is nearer to four rows' than to one's. */
const struct decode *decode_reached(const struct rule_input *in);
