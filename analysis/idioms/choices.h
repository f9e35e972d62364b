/* What a kernel selects its values by. */
#pragma once

#include "analysis/sass/sass.h"

enum choice_kind {
  CHOICE_OTHER,
  CHOICE_EXTREMES, /* a quarter are minima and maxima */
  CHOICE_TABLE,    /* most are selections of which one value stands in the code, four or more different ones: a table */
};

/* Of minima, maxima, comparisons and selections of floats, as executed. */
enum choice_kind sass_choices(struct sass *s);
