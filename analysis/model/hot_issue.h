/* Source lines by the instructions that they issue: where a pipe or the issue slots bind, a warp that has come to a kernel's first instructions waits there for others
 * that fill them further on, and no sample tells whose the time is. */
#pragma once

#include "analysis/model/bound_kind.h"
#include "analysis/model/hot.h"

/* Puts h->lines in the order of what they issue on what binds, and says so in h->issued_on, where each instruction was counted by itself and `binding` is a pipe or the
 * issue slots. */
void hot_by_issue(struct hot *h, enum bound_kind binding);
