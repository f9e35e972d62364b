#include "run/run_filter.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool names(const char *item, const struct run_variant *v) {
  if (strcmp(item, "all") == 0)
    return !v->wrong;
  return str_glob(item, v->id) || (v->ladder && strcmp(item, v->ladder) == 0);
}

bool run_filter_names(const char *list, const struct run_variant *v) {
  char *copy = str_copy(list), *rest = copy;
  bool found = false;
  for (char *item; (item = strsep(&rest, ",")) && !found;)
    found = names(str_trim(item), v);
  free(copy);
  return found;
}

int run_select(const struct run *r, const char *variants, bool *keep, struct err *e) {
  char *copy = str_copy(variants), *rest = copy;
  int result = copy ? 0 : err_nomem(e, "the selection");
  for (char *item; !result && (item = strsep(&rest, ","));) {
    bool any = false;
    item = str_trim(item);
    for (size_t i = 0; i < r->n_variants; i++)
      if (names(item, &r->variants[i]))
        keep[i] = any = true;
    if (!any)
      result = err_set(e, ERR_MACHINE, "variant %s is not in the run: it was not measured", item);
  }
  free(copy);
  return result;
}

static void keep_controls(const struct run *r, const char *variants, bool *keep) {
  bool all = strcmp(variants, "all") == 0;
  for (size_t i = 0; i < r->n_variants; i++)
    keep[i] = keep[i] || (r->variants[i].ladder && strcmp(r->variants[i].ladder, "control") == 0) ||
              (all && r->variants[i].wrong);
}

static bool wanted_shape(struct shape s, const struct shape *shapes, size_t n) {
  for (size_t i = 0; shapes && i < n; i++)
    if (shape_equal(shapes[i], s))
      return true;
  return !shapes;
}

static int check_shapes(const struct run *r, const struct shape *shapes, size_t n, struct err *e) {
  for (size_t s = 0; shapes && s < n; s++) {
    bool there = false;
    char text[SHAPE_TEXT_MAX];
    for (size_t i = 0; i < r->n_results && !there; i++)
      there = shape_equal(r->results[i].shape, shapes[s]);
    if (!there)
      return err_set(e, ERR_MACHINE, "--shape %s is not in the run: it was not measured", shape_text(shapes[s], text));
  }
  return 0;
}

static void drop_results(struct run *r, const bool *keep, const struct shape *shapes, size_t n_shapes) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_results; i++) {
    struct run_result *x = &r->results[i];
    if (keep[x->variant] && wanted_shape(x->shape, shapes, n_shapes))
      r->results[n++] = *x; /* moved */
    else
      run_result_release(x);
  }
  r->n_results = n;
}

/* Every result is of a variant that is kept.  number: room for the variants' new numbers. */
static void drop_variants(struct run *r, const bool *keep, int *number) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_variants; i++) {
    number[i] = (int)n;
    if (keep[i])
      r->variants[n++] = r->variants[i]; /* moved */
    else
      run_variant_release(&r->variants[i]);
  }
  r->n_variants = n;
  for (size_t i = 0; i < r->n_results; i++)
    r->results[i].variant = number[r->results[i].variant];
}

int run_filter(struct run *r, const char *variants, const struct shape *shapes, size_t n_shapes, struct err *e) {
  bool *keep = calloc(r->n_variants + 1, sizeof *keep);
  int *number = calloc(r->n_variants + 1, sizeof *number);
  int result = keep && number ? run_select(r, variants, keep, e) : err_nomem(e, "the selection");
  if (!result)
    result = check_shapes(r, shapes, n_shapes, e);
  if (!result) {
    keep_controls(r, variants, keep);
    drop_results(r, keep, shapes, n_shapes);
    drop_variants(r, keep, number);
  }
  free(keep);
  free(number);
  return result;
}
