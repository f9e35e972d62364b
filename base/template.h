/* Templates: text with slots, a subset of Mustache.  The template's name says what its slots are
 * escaped for: NAME.html for HTML, NAME.md for Markdown, NAME.gp for gnuplot's 'single quotes', NAME.txt for
 * nothing.
 *
 *   {{name}}                 the slot's text, escaped
 *   {{{name}}}               as it is: what was rendered already
 *   {{#name}}...{{/name}}    once for each item of a list, which sees its own slots and those
 *                            around it; once where a text is not empty
 *   {{^name}}...{{/name}}    once where the list or the text is empty
 *   {{#name?}}...{{/name?}}  once where the list has items
 *   {{>other.gp}}            that template, in its place
 *   {{! words}}              nothing
 *
 * An item of a list has the slot `first`, which is empty for all but the first.  A line that
 * holds nothing but one section's beginning or end, a template or words leaves no line behind.
 */
#pragma once

#include "base/embed.h"
#include "base/err.h"
#include "base/slots.h"
#include "base/text.h"

/* Adds the template of that name.  ERR_DATA names template and line: a slot that was not given,
 * a section that is not closed. */
int template_fill(struct text *out, const struct embedded *files, const char *name, const struct slots *s,
                  struct err *e);
