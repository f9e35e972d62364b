#include "kernels/shape_list.h"

#include "base/text.h"
#include "kernels/problem.h"

#include <stdlib.h>
#include <string.h>

static void add_shape(struct shape **list, size_t *n, struct shape s) {
  if (shape_in(*list, *n, s))
    return;
  *list = realloc(*list, (*n + 1) * sizeof **list);
  (*list)[(*n)++] = s;
}

int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e) {
  char *copy = str_copy(list), *rest = copy;
  int rc = 0;
  *out = NULL;
  *n = 0;
  for (char *item; !rc && (item = strsep(&rest, ","));) {
    item = str_trim(item);
    const struct problem_shape_set *set = problem_shape_set_find(item);
    for (size_t i = 0; set && i < set->n; i++)
      add_shape(out, n, set->shapes[i]);
    struct shape s;
    if (!set && (rc = shape_parse(&s, item, e)))
      err_context(e, "--shape");
    else if (!set)
      add_shape(out, n, s);
  }
  free(copy);
  if (rc) {
    free(*out);
    *out = NULL;
  }
  return rc;
}
