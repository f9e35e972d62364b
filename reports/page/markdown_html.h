/* A subset of Markdown as HTML: paragraphs, lists of one level, code (spans and fences),
 * emphasis, links to http(s) and within the page. All else is text; HTML in it is escaped. */
#pragma once

#include "base/text.h"

void markdown_html(struct text *out, const char *markdown);
