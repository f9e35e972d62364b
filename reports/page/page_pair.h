/* Two runs side by side, as Markdown, HTML and CSV.  Private to the room. */
#pragma once

#include "analysis/compare/pair.h"
#include "base/text.h"

void pair_worklog(const struct pair *p, struct text *out);
void pair_html(const struct pair *p, struct text *out);
void pair_csv(const struct pair *p, struct text *out);
