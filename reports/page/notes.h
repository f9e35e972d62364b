/* The author's own words: ID.md of a folder, one a variant.  Private to the room. */
#pragma once

#include "reports/text/report.h"

struct notes {
  struct report_note *items; /* text owned; variant borrowed from the run */
  size_t n;
};

/* Those of the run's variants that have a file; a folder that is not there holds none.  ERR_IO
 * names a file that cannot be read.  ERR_USAGE where the folder is `report`, which reports are
 * written to.  Nothing is ever written.  The caller releases *out, also after failure. */
int notes_load(struct notes *out, const char *folder, const char *report, const struct findings *f, struct err *e);
void notes_release(struct notes *n); /* leaves *n all zero */
