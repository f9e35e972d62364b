#include "run/run_part.h"

#include <stdlib.h>
#include <string.h>

void run_part_make(struct run *out, const struct run *r, const bool *keep, const char *note) {
  int *number = calloc(r->n_variants + 1, sizeof *number);
  *out = *r;
  out->variants = calloc(r->n_variants + 1, sizeof *out->variants);
  out->results = calloc(r->n_results + 1, sizeof *out->results);
  out->notes = calloc(r->n_notes + 1, sizeof *out->notes);
  out->n_variants = out->n_results = out->n_notes = 0;
  for (size_t i = 0; i < r->n_variants; i++) {
    number[i] = (int)out->n_variants;
    if (keep[i])
      out->variants[out->n_variants++] = r->variants[i];
  }
  for (size_t i = 0; i < r->n_results; i++)
    if (keep[r->results[i].variant]) {
      out->results[out->n_results] = r->results[i];
      out->results[out->n_results++].variant = number[r->results[i].variant];
    }
  memcpy(out->notes, r->notes, r->n_notes * sizeof *out->notes);
  out->notes[r->n_notes] = (char *)note;
  out->n_notes = r->n_notes + 1;
  free(number);
}

void run_part_release(struct run *part) {
  free(part->variants);
  free(part->results);
  free(part->notes);
  *part = (struct run){0};
}
