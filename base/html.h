/* Text in HTML. */
#pragma once

#include "base/text.h"

/* s as text, also inside a quoted attribute: & < > " ' are escaped, and control characters,
 * which HTML does not allow, are blanks (line breaks and tabs stay). NULL adds nothing. */
void html_text(struct text *out, const char *s);
void html_text_n(struct text *out, const char *s, size_t n);
/* s as part of an id or a link to one: two different strings never become the same. */
void html_id(struct text *out, const char *s);
