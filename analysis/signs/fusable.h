/* Multiplies and adds that one instruction could do. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Executed adds (FADD, DADD) of a product that a multiply (FMUL, DMUL) brings, no more than there are such multiplies: an FFMA takes the place of one of
 * each.  A product that something else reads as well is made all the same, and its add is none of them. */
double adds_of_products(const struct rule_input *in, const char *add, const char *multiply);
/* The same, of FADD and of DADD. */
double fusable_pairs(const struct rule_input *in);
