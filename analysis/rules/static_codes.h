/* The static diagnoses of a compiled run. */
#pragma once

#include "analysis/rules/static.h"

struct static_codes {
  struct static_code *items;
  size_t n;
};

/* One a launch, of the variants of a source file (NULL: all), each at its first shape only where `first` says so.  Run and device must outlive *out;
 * the caller releases it, also after failure. */
int static_codes_make(struct static_codes *out, const struct run *r, const char *source, bool first,
                      const struct device *d, struct err *e);
void static_codes_release(struct static_codes *c);
