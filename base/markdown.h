/* Text of others in Markdown, as GitHub reads it. */
#pragma once

#include "base/text.h"

/* s as plain text in a line or a table's cell: what Markdown or HTML would take for its own is
 * escaped ("kernel<int>" keeps its <int>), and newlines are blanks.  NULL adds nothing. */
void markdown_text(struct text *out, const char *s);
void markdown_text_n(struct text *out, const char *s, size_t n);
