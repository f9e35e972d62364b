/* The one sentence that explains a step; private to the room. */
#pragma once

#include "analysis/ladder/explain.h"
#include "base/text.h"

/* From a step_at whose other fields are filled. */
void sentence_write(struct text *out, const struct step *s, const struct step_at *at);
