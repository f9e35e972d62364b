/* What this machine has of what the profiler needs. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum machine_state { MACHINE_FOUND, MACHINE_LIMITED, MACHINE_MISSING };
enum machine_use { MACHINE_MEASURES = 1, MACHINE_COMPILES = 2, MACHINE_REPORTS = 4 };

enum { MACHINE_ROWS_MAX = 24 };
struct machine_row {
  const char *need;
  enum machine_state state;
  unsigned uses; /* enum machine_use, or-ed */
  char *version, *where, *text;
};
struct machine {
  struct machine_row rows[MACHINE_ROWS_MAX];
  size_t n;
};

/* gpu: as --gpu; recorded: the shipped run, NULL with the reason why there is none.  The caller releases *out. */
void machine_examine(struct machine *out, const char *gpu, const char *recorded, const char *why_not);
/* What draws charts: NVFP4_GNUPLOT, else the gnuplot of the wheel of that name beside ours, else "gnuplot", which PATH finds.  It stays valid. */
const char *gnuplot_program(void);
bool machine_lacks(const struct machine *m, unsigned use); /* something that this use needs is missing */
void machine_release(struct machine *m);
