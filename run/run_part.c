#include "run/run_part.h"

#include <stdlib.h>
#include <string.h>

int run_part_make(struct run *out, const struct run *r, const bool *keep, const char *note, struct err *e) {
  int *number = calloc(r->n_variants + 1, sizeof *number);
  *out = *r;
  out->variants = calloc(r->n_variants + 1, sizeof *out->variants);
  out->results = calloc(r->n_results + 1, sizeof *out->results);
  out->notes = calloc(r->n_notes + 1, sizeof *out->notes);
  out->n_variants = out->n_results = out->n_notes = 0;
  int rc = number && out->variants && out->results && out->notes ? 0 : err_nomem(e, "a part of the run");
  for (size_t i = 0; i < r->n_variants && !rc; i++) {
    number[i] = (int)out->n_variants;
    if (keep[i])
      out->variants[out->n_variants++] = r->variants[i];
  }
  for (size_t i = 0; i < r->n_results && !rc; i++)
    if (keep[r->results[i].variant]) {
      out->results[out->n_results] = r->results[i];
      out->results[out->n_results++].variant = number[r->results[i].variant];
    }
  if (!rc) {
    memcpy(out->notes, r->notes, r->n_notes * sizeof *out->notes);
    out->notes[r->n_notes] = (char *)note;
    out->n_notes = r->n_notes + 1;
  }
  free(number);
  return rc;
}

void run_part_release(struct run *part) {
  free(part->variants);
  free(part->results);
  free(part->notes);
  *part = (struct run){0};
}
