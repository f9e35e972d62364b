/* Apart from the table of measures, which calls the measures that call this. */
#include "profiler/ceilings/measures.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void row_fill(struct ceilings *out, const char *name, double value, double clock_hz, const char *detail, ...) {
  for (size_t i = 0; i < out->n; i++) {
    struct ceilings_row *r = &out->rows[i];
    if (strcmp(r->name, name) != 0)
      continue;
    va_list list;
    va_start(list, detail);
    vsnprintf(r->detail, sizeof r->detail, detail, list);
    va_end(list);
    r->value = value;
    r->clock_hz = clock_hz;
    r->present = true;
  }
}
