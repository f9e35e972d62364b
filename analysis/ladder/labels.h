/* Steps whose cause is known: of a file, or of what a ladder's rungs say they cure.  cured.h has a third kind.  Pure. */
#pragma once

#include "analysis/model/findings.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { LABEL_CAUSES = 4 };
struct label {
  const char *parent, *child;       /* variants; borrowed */
  const char *causes[LABEL_CAUSES]; /* any of which is right; names of rules */
  size_t n_causes;
  const struct finding *at; /* the child, where the label holds at its shape alone; NULL: at every shape */
  bool every;               /* holds of the step even where another child of its parent is faster */
};

/* Lines "id TAB cause TAB accepted causes, comma-separated TAB half" after a header; parents from the run, variants that it lacks are left out.
 * half: NULL: all.  text is cut up and must outlive *out.  ERR_DATA names the line. */
int labels_parse(struct label **out, size_t *n, char *text, const char *half, const struct run *run, struct err *e);
/* One for each `cures:` of the variants of a ladder (NULL: of every ladder); its cause may be the name of no rule.  The caller frees *out. */
void labels_of_cures(struct label **out, size_t *n, const struct run *run, const char *ladder);
