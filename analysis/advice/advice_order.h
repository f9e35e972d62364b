/* Which advice comes first, and which yields to other advice on the same seconds.  Private to the room. */
#pragma once

#include "analysis/advice/rules.h"

#include "analysis/signs/rule_input.h"

/* Of advice whose savings are known; drops what others say by name, and says why advice does not stand where its saving would have it. */
void advice_order(struct diagnosis *d, const struct rule_input *in);
