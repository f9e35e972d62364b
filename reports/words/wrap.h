/* Sentences and widths on a terminal.  Private to the reports. */
#pragma once

#include "base/text.h"

#include <stddef.h>

/* A sentence broken between words at the terminal's width (0: nowhere), later lines indented. */
void wrap_add(struct text *out, const char *sentence, int width, int indent);
void wrap_bullet(struct text *out, const char *sentence, int width); /* an item of a list */
/* Display columns of the widest line. */
size_t wrap_widest(const char *s);
