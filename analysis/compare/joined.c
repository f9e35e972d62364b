#include "analysis/compare/joined.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void joined_make(struct joined *j, const struct run *before, const struct run *after) {
  *j = (struct joined){.run = *after, .n_after = after->n_variants};
  struct run *r = &j->run;
  r->variants = calloc(before->n_variants + after->n_variants + 1, sizeof *r->variants);
  r->modules = calloc(before->n_modules + after->n_modules + 1, sizeof *r->modules);
  r->results = calloc(before->n_results + after->n_results + 1, sizeof *r->results);
  r->n_variants = 0;
  for (size_t i = 0; i < after->n_variants; i++)
    r->variants[r->n_variants++] = after->variants[i];
  for (size_t i = 0; i < before->n_variants; i++) {
    struct run_variant *v = &r->variants[r->n_variants++];
    *v = before->variants[i];
    v->id = str_printf("%s before", v->id);
  }
  memcpy(r->modules, after->modules, after->n_modules * sizeof *r->modules);
  memcpy(r->modules + after->n_modules, before->modules, before->n_modules * sizeof *r->modules);
  r->n_modules = after->n_modules + before->n_modules;
  memcpy(r->results, after->results, after->n_results * sizeof *r->results);
  for (size_t i = 0; i < before->n_results; i++) {
    struct run_result *x = &r->results[after->n_results + i];
    *x = before->results[i];
    x->variant += (int)after->n_variants;
    x->module += x->module < 0 ? 0 : (int)after->n_modules;
    x->n_samples = x->n_counts =
        0; /* they name instructions of modules by numbers that hold no longer; no step asks for them */
  }
  r->n_results = after->n_results + before->n_results;
}

void joined_release(struct joined *j) {
  for (size_t i = j->n_after; j->run.variants && i < j->run.n_variants; i++)
    free(j->run.variants[i].id);
  free(j->run.variants);
  free(j->run.modules);
  free(j->run.results);
}
