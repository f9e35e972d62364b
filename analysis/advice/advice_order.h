/* Which advice comes first, and which yields to other advice on the same seconds.  Private to the room. */
#pragma once

#include "analysis/advice/diagnosis.h"

#include "analysis/signs/rule_input.h"

/* The order in one sentence: by what each saves, but general advice stands behind a cause that saves half as much of the same, where that shortens
 * the row that binds if it does itself, and what moves as many bytes behind what moves fewer where DRAM is full.
 *
 * Of advice whose savings are known; drops what others say by name, and says why advice does not stand where its saving would have it. */
void advice_order(struct diagnosis *d, const struct rule_input *in);
