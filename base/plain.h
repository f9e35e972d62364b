/* What a terminal, a Markdown file or a spreadsheet must not get from a text of others: control
 * characters, which move the cursor, rename the window or paste, or show text in another order than
 * it is read.  They are C0 but for newline and tab, DEL, C1 (U+0080 to U+009F), the orders of
 * writing (U+202A to U+202E, U+2066 to U+2069), and bytes that are no UTF-8. */
#pragma once

#include "base/text.h"

/* Bytes of the next character of s, which has n > 0; *control: it is one that does not go out. */
size_t plain_step(const char *s, size_t n, bool *control);
/* Adds s with a ? for each control character. */
void plain_text_n(struct text *out, const char *s, size_t n);
void plain_text(struct text *out, const char *s); /* NULL adds nothing */
/* For a terminal with colour: keeps ESC [ digits ; m too, which can do no more than colour.  The
 * ends of CSV's lines stay. */
void plain_terminal(struct text *out, const char *s, size_t n, bool colour);
/* s as a string of JSON, in quotes; what plain_text takes out is escaped.  A byte that is no UTF-8
 * (a source file in Latin-1, a compiler's message cut short) becomes U+FFFD: a run is not lost for
 * it. */
void json_text(struct text *out, const char *s);
