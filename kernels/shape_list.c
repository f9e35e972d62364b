#include "kernels/shape_list.h"

#include "base/text.h"
#include "kernels/problem.h"

#include <stdlib.h>
#include <string.h>

static int add_shape(struct shape **list, size_t *n, struct shape s, struct err *e) {
  if (shape_in(*list, *n, s))
    return 0;
  struct shape *grown = realloc(*list, (*n + 1) * sizeof *grown);
  if (!grown)
    return err_nomem(e, "shapes");
  grown[(*n)++] = s;
  *list = grown;
  return 0;
}

int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e) {
  char *copy = str_copy(list), *rest = copy;
  int rc = copy ? 0 : err_nomem(e, "shapes");
  *out = NULL;
  *n = 0;
  for (char *item; !rc && (item = strsep(&rest, ","));) {
    item = str_trim(item);
    const struct problem_shape_set *set = problem_shape_set_find(item);
    for (size_t i = 0; set && i < set->n && !rc; i++)
      rc = add_shape(out, n, set->shapes[i], e);
    struct shape s;
    if (!set && (rc = shape_parse(&s, item, e)))
      err_context(e, "--shape");
    else if (!set)
      rc = add_shape(out, n, s, e);
  }
  free(copy);
  if (rc) {
    free(*out);
    *out = NULL;
  }
  return rc;
}
