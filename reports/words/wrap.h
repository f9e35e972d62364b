/* Sentences and widths on a terminal.  Private to the reports. */
#pragma once

#include "base/text.h"

#include <stddef.h>

/* A sentence broken between words at the terminal's width (0: nowhere), later lines indented. */
void wrap_add(struct text *out, const char *sentence, int width, int indent);
struct wrap_list {
  struct text *out;
  int width, indent;
  size_t most; /* that are shown; 0: all */
  size_t n;    /* so far, those not shown too */
};
/* Adds an item to a wrap_list. */
void wrap_item(void *list, const char *sentence);
/* Display columns of the widest line. */
size_t wrap_widest(const char *s);
