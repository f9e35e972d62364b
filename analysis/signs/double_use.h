/* What makes doubles of floats. */
#pragma once

#include "analysis/signs/rule_input.h"

enum double_use {
  DOUBLE_UNKNOWN,  /* functions of double precision among others, or there is no code */
  DOUBLE_POW,      /* most of it is the compiler's function for pow, which takes a float and an int as doubles, too */
  DOUBLE_NUMBER,   /* literals */
  DOUBLE_VARIABLE, /* hardly an instruction has a number: what floats meet was declared as a double */
};
enum double_use double_use_of(const struct rule_input *in);
