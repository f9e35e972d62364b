/* What a 32-bit division or remainder by a variable costs. */
#pragma once

#include "analysis/signs/rule_input.h"

/* As NVRTC 13.0 writes it for sm_90a and sm_100a: I2F.RP, MUFU.RCP and F2I on the XU, five IMADs and ten comparisons, selects and additions.  By an
 * invariant divisor it is one multiplication and a shift. */
enum { DIVISION_XU = 3, DIVISION_FMA = 5, DIVISION_ALU = 10, MULTIPLY_SHIFT = 2 };
enum { DIVISION_INSTS = DIVISION_XU + DIVISION_FMA + DIVISION_ALU };
/* One more by a divisor whose reciprocal is there: IMAD.HI and the same IMADs, comparisons and selects without those of the reciprocal. */
enum { QUOTIENT_FMA = 4, QUOTIENT_ALU = 8 };
/* Beyond these: magnitudes and the sign of signed numbers; of 64 bits, the test that both numbers fit 32, whose branches no pipe executes. */
enum { SIGNED_FMA = 2, SIGNED_ALU = 4, SIGNED_QUOTIENT_FMA = 1, SIGNED_QUOTIENT_ALU = 3 };
enum { WIDE_FMA = 2, WIDE_ALU = 3, WIDE_BRANCHES = 3 };

/* The one instruction that each such division has once. */
bool divides_integers(const struct sass_inst *x);
/* The compiler's function f divides 64-bit integers; SASS_NONE: it does not. */
bool function_divides(const struct sass *s, size_t f);
/* Warp instructions. */
struct dividing {
  double n;                   /* divisions and remainders */
  double more;                /* beyond these, by divisors whose reciprocals they share */
  double xu, fma, alu, insts; /* all that they take */
};
void dividing_of(struct dividing *out, const struct rule_input *in);
double integer_divisions(const struct rule_input *in); /* n of them */
/* It is the upper half of a product that a division takes: not one by a number of the code or an argument of the kernel. */
bool divides_high(struct sass *s, size_t i);
/* Most of them divide what rests on the block's number, by what is the same in every thread. */
bool divides_block_numbers(const struct rule_input *in);
