/* gnuplot's SVG, made fit for a page: what it shows is left as it is. */
#pragma once

#include "base/text.h"

/* Hover texts become <title> elements (gnuplot writes calls of a script of its own), title and
 * description are given, ids begin with `name` so that several pictures can stand in one page,
 * and empty groups are left out.  The XML declaration goes too. */
void svg_clean(struct text *out, const char *svg, const char *name, const char *title, const char *description);
