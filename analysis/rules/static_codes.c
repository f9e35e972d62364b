#include "analysis/rules/static_codes.h"

#include <stdlib.h>
#include <string.h>

static int add_result(struct static_codes *c, const struct run *r, const struct run_result *x, const struct device *d,
                      struct err *e) {
  size_t n = x->n_launches ? x->n_launches : 1;
  c->items = realloc(c->items, (c->n + n) * sizeof *c->items);
  for (size_t i = 0; i < n; i++) {
    int rc = static_code_make(&c->items[c->n++], r, x, x->n_launches ? &x->launches[i] : NULL, d, e);
    if (rc)
      return err_context(e, "%s", r->variants[x->variant].id);
  }
  return 0;
}

static bool wanted(const struct run *r, size_t i, const char *source, bool first) {
  const struct run_result *x = &r->results[i];
  const char *file = r->variants[x->variant].file;
  if (source && (!file || strcmp(file, source) != 0))
    return false;
  return !first || i == 0 || r->results[i - 1].variant != x->variant;
}

int static_codes_make(struct static_codes *out, const struct run *r, const char *source, bool first,
                      const struct device *d, struct err *e) {
  int rc = 0;
  *out = (struct static_codes){0};
  for (size_t i = 0; i < r->n_results && !rc; i++)
    if (r->results[i].module >= 0 && wanted(r, i, source, first))
      rc = add_result(out, r, &r->results[i], d, e);
  return rc;
}

void static_codes_release(struct static_codes *c) {
  for (size_t i = 0; i < c->n; i++)
    static_code_release(&c->items[i]);
  free(c->items);
  *c = (struct static_codes){0};
}
