/* Which rungs at which shapes a command is about. */
#pragma once

#include "base/err.h"
#include "kernels/rung.h"

struct selection {
  struct rung_set set;
  bool *chosen; /* set.n */
  struct shape *shapes;
  size_t n_shapes;
};

/* What the command line says of it; NULL: not given. */
struct selection_asked {
  const char *kernels;  /* a folder of rungs instead of the built-in ones */
  const char *kernel;   /* a file of the user's beside them */
  const char *variants; /* default: what is in the file, with the controls of the GEMV; else all */
  const char *shapes;   /* default: bench, or the sizes of a generic problem's front matter */
};

/* ERR_USAGE where generic problems and the GEMV are mixed, or generic rungs have sizes that differ: they cannot stand in one table.  The caller
 * releases *out, also after failure. */
int selection_load(struct selection *out, const struct selection_asked *asked, struct err *e);
void selection_release(struct selection *s);
