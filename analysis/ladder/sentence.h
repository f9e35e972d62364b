/* The one sentence that explains a step; private to the room. */
#ifndef ANALYSIS_LADDER_SENTENCE_H
#define ANALYSIS_LADDER_SENTENCE_H

#include "analysis/ladder/explain.h"
#include "base/text.h"

/* From a step_at whose other fields are filled. */
void sentence_write(struct text *out, const struct step *s, const struct step_at *at);

#endif
