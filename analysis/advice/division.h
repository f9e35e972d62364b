/* What a 32-bit division or remainder by a variable costs.  Private to the room. */
#pragma once

/* As compilers for sm_70 to sm_120 write it: I2F.RP, MUFU.RCP and F2I on the XU, five IMADs and about ten comparisons, selects and additions.  By an
 * invariant divisor it is one multiplication and a shift. */
enum { DIVISION_XU = 3, DIVISION_FMA = 5, DIVISION_ALU = 10, MULTIPLY_SHIFT = 2 };
enum { DIVISION_INSTS = DIVISION_XU + DIVISION_FMA + DIVISION_ALU };
/* One more by a divisor whose reciprocal is there: IMAD.HI and the same IMADs, comparisons and selects without those of the reciprocal. */
enum { QUOTIENT_FMA = 4, QUOTIENT_ALU = 8 };
enum { QUOTIENT_INSTS = QUOTIENT_FMA + QUOTIENT_ALU };

#define DIVISION_REMEDY                                                                                                \
  "avoid / and % by variables: a 2D grid, a precomputed multiply and shift, or a power-of-two divisor"
