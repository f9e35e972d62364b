/* Which configurations there are. */
#include "base/array.h"
#include "profiler/measure/tune_search.h"

#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int value_add(struct tune_axis *a, const char *param, char *item, struct err *e) {
  char *end;
  item = str_trim(item);
  errno = 0;
  long value = strtol(item, &end, 10);
  if (end == item || *end || errno || value < INT_MIN || value > INT_MAX)
    return err_set(e, ERR_USAGE, "--params: %s: '%.40s' is not an integer", param, item);
  for (size_t i = 0; i < a->n; i++)
    if (a->values[i] == value)
      return 0;
  long *added = array_add(&a->values, &a->n, sizeof *added);
  *added = value;
  return 0;
}

/* "A in {1, 2}" or "A = 3": replaces the axis's values. */
static int axis_replace(struct tune_space *s, char *item, struct err *e) {
  const struct rung *r = s->rung;
  size_t n = strspn(item, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"), p = 0;
  char *rest = item + n + strspn(item + n, " \t");
  const char *names[64];
  while (p < r->n_params && (strlen(r->params[p].name) != n || memcmp(r->params[p].name, item, n) != 0))
    p++;
  if (p == r->n_params) {
    for (size_t i = 0; i < r->n_params && i < 64; i++)
      names[i] = r->params[i].name;
    char *name = str_printf("%.*s", (int)n, item);
    const char *nearest = str_nearest(name, names, r->n_params < 64 ? r->n_params : 64);
    free(name);
    return err_set(e, ERR_USAGE, "--params: %s has no param '%.*s'%s%s%s", r->id, (int)n, item,
                   nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
  }
  struct tune_axis *a = &s->axes[p];
  a->n = 0;
  if (*rest == '=')
    return value_add(a, r->params[p].name, rest + 1, e);
  char *open = strchr(rest, '{'), *close = strrchr(rest, '}');
  if (strncmp(rest, "in", 2) != 0 || !open || !close || close[1 + strspn(close + 1, " \t")] ||
      open[-1 - (open[-1] == ' ')] != 'n')
    return err_set(e, ERR_USAGE, "--params: '%.80s': write NAME in {A, B, C} or NAME = A, separated by ';'", item);
  *close = '\0';
  int rc = 0;
  for (char *list = open + 1, *one; !rc && (one = strsep(&list, ","));)
    rc = value_add(a, r->params[p].name, one, e);
  return rc;
}

int tune_space_make(struct tune_space *out, const struct rung *r, const char *text, struct err *e) {
  *out = (struct tune_space){.rung = r, .n_axes = r->n_params, .n = 1};
  out->axes = calloc(r->n_params + 1, sizeof *out->axes);
  char *copy = str_copy(text ? text : ""), *rest = copy;
  int rc = 0;
  for (size_t p = 0; p < r->n_params; p++) {
    struct tune_axis *a = &out->axes[p];
    const struct rung_param *from = &r->params[p];
    a->param = p;
    a->n = from->n_choices ? from->n_choices : 1;
    a->values = calloc(a->n, sizeof *a->values);
    memcpy(a->values, from->n_choices ? from->choices : &from->value, a->n * sizeof *a->values);
  }
  for (char *item; !rc && (item = strsep(&rest, ";"));)
    if (*(item = str_trim(item)))
      rc = axis_replace(out, item, e);
  free(copy);
  for (size_t p = 0; p < r->n_params && !rc; p++)
    if ((out->n *= out->axes[p].n) > TUNE_SPACE_MAX)
      rc =
          err_set(e, ERR_USAGE, "%s has more than %d configurations; narrow them with --params", r->id, TUNE_SPACE_MAX);
  if (!rc && out->n < 2)
    rc = err_set(e, ERR_USAGE,
                 "%s has nothing to search: no param has a set of values; write `//! param: NAME = A in {A, B}` "
                 "or --params \"NAME in {A, B}\"",
                 r->id);
  return rc;
}

void tune_space_release(struct tune_space *s) {
  for (size_t p = 0; s->axes && p < s->n_axes; p++)
    free(s->axes[p].values);
  free(s->axes);
  *s = (struct tune_space){0};
}

long tune_space_value(const struct tune_space *s, size_t configuration, size_t axis) {
  for (size_t i = 0; i < axis; i++)
    configuration /= s->axes[i].n ? s->axes[i].n : 1; /* an axis has a value at least; clang's analyser cannot see it */
  return s->axes[axis].values[configuration % s->axes[axis].n];
}
