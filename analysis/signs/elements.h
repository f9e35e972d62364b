/* What threads with several elements each would spare, where they have one. */
#pragma once

#include "analysis/signs/rule_input.h"

enum { ELEMENTS = 4 }; /* that a thread is given: of 4 bytes, 16 that lie side by side */

/* Of a kernel whose threads load their element in no loop, and of more blocks than are resident at once: what stays of its work where a thread has `times` as
 * many elements and there are as many fewer threads.  An element's own work is what is made of what was loaded, up to where lanes or warps share it, and the
 * accesses; all else is done once a thread: indices, guards, sums over lanes and blocks. */
struct elements {
  double times;                    /* 1..ELEMENTS: no fewer blocks than a wave */
  double insts, pipes[SASS_PIPES]; /* parts of the instructions, of all and by pipe: 0..1 */
  bool wide;                       /* its neighbours' lie beside an element: one access has several */
  bool shares_once;                /* shared memory and barriers are used once a thread, to put together what it has */
};
/* False: it is no such kernel, or its code has no counts. */
bool elements_of(struct elements *out, const struct rule_input *in);
