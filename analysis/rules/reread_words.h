/* What looks like re-reading by other threads and is not, and words on it.  Private to the room. */
#pragma once

#include "analysis/idioms/passes.h"
#include "analysis/signs/rule_input.h"

/* A thread goes through its elements in several loops, and that is most of what is loaded again: no more is loaded for the least, the distinct bytes, than these
 * loops load. */
bool passes_load_again(struct sass_passes *x, const struct rule_input *in, double least);
/* Bytes that a launch has to load: at most those of one such loop, where each goes through the same places and nothing says what must be read.  DRAM reads more where no cache
 * holds them from one loop to the next. */
double needed_bytes(const struct rule_input *in);
const char *lines_of_passes(const struct rule_input *in, const struct sass_passes *x); /* "33, 48 and 61" */
/* Where what one pass loads is kept, by thread and by block; in->f->launch is known. */
const char *passes_remedy(const struct rule_input *in, const struct sass_passes *x);

#define UNASKED_WORDS "the L2 sends more than lanes ask for: sectors of which few bytes are used"
/* What lanes have no use for is a third or more of what the L2 sends; both in bytes. */
bool fetches_unasked(const struct rule_input *in, double asked, double sent);
