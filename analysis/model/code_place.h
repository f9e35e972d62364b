/* Which of the lines that an instruction came through, inlined one into the other, its reader is
 * told.  Pure. */
#pragma once

#include "analysis/sass/sass.h"
#include "run/run.h"

#include <stdbool.h>

/* All point into the instruction's chain, or are NULL. */
struct code_place {
  /* The innermost line of a file that is no toolkit's: the one that its reader can
   * change, and where that is a function in one line, as a conversion or a load that
   * is given a name, the one that calls it.  Of files that the run does not name
   * (source -1) the outermost: it is in the file of the kernel itself.  Where there
   * is no other a library's main loop or epilogue, the innermost; a line that wraps
   * an instruction, an address or a number only where nothing else is known. */
  const struct run_line *line;
  const struct run_line *caller; /* the outermost line of the same kind, where that is another */
  /* The innermost line of a toolkit, else of a function in one line, that was inlined at `line`. */
  const struct run_line *inlined;
};

void code_place_of(struct code_place *out, const struct run *r, const struct run_instruction *i);
/* Where the line begins in its source; NULL: that has none, or no text. */
const char *source_line(const struct run *r, int source, int line);
/* Code that nobody mends at its line: headers of CUDA and of the compiler, CUB, Thrust, libcu++,
 * CUTLASS, Triton's own functions. */
bool source_is_toolkits(const struct run *r, int source);
/* Of these, what wraps an instruction, an address or a number: all but CUTLASS's main loops and epilogues. */
bool source_wraps(const struct run *r, int source);
/* The compiler loses where Triton's own functions (tl.sum) were called.  By instruction:
 * the one whose line stands for the call, since it makes what the function works on;
 * itself where its own lines do.  NULL: all have their own.  The caller frees it. */
size_t *lost_callers(struct sass *s, const struct run *r);
