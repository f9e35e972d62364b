/* The lines of code that changed in a step, as HTML and as Markdown's diff.  Private to the room. */
#pragma once

#include "base/line_diff.h"
#include "base/text.h"

/* Changed lines, each with a little context, at most so many; runs of one kind in one <ins>, <del> or <span>.  Lines are cut at
 * 120 bytes. */
void code_lines_html(const struct line_diff *d, struct text *out);
/* The lines that say most of the change, in their order: new code before old, instructions before braces; nothing where none changed. */
void code_lines_decisive(const struct line_diff *d, struct text *out);
