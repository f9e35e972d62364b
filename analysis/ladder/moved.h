/* What moved in a group of a step's work: the one count that says most of it.  Private to the room. */
#pragma once

#include "analysis/ladder/explain.h"
#include "base/text.h"

/* Whether a count of the group went the way of its share: a share without one is the model's alone, and no cause is named by it. */
bool moved_any(const struct step_at *at, enum step_group g);
/* " (16 → 32 B in flight per thread)": the count whose change goes furthest with the group's share; nothing where none does. */
void moved_add(struct text *out, const struct step_at *at, enum step_group g);
/* "instructions (0.0898 → 0.0751 per element)": of all counts of work the one that by itself takes the time furthest the way it went, where that is a tenth of
 * the change or more; nothing where none is. */
void moved_furthest_add(struct text *out, const struct step_at *at);
/* "; registers 32 → 40, 128 → 256 threads per block": what changed in the code and the launch. */
void moved_code_add(struct text *out, const struct step_at *at);
