#include "run/metric_each.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

size_t metric_each_things(const struct metric_each *x) {
  return x->n_keys ? x->n_cells / x->n_keys - 1 : 0;
}

static int cells_add(struct metric_each *x, const char *line, size_t *n, struct err *e) {
  *n = 0;
  for (const char *cell = line; cell; (*n)++) {
    const char *tab = strchr(cell, '\t');
    char **added = array_add(&x->cells, &x->n_cells, sizeof *added);
    if (!added || !(*added = str_printf("%.*s", tab ? (int)(tab - cell) : (int)strlen(cell), cell)))
      return err_nomem(e, "a cell");
    cell = tab ? tab + 1 : NULL;
  }
  return 0;
}

int metric_each_keys(struct metric_each *x, const char *line, struct err *e) {
  metric_each_release(x);
  return cells_add(x, line, &x->n_keys, e);
}

int metric_each_add(struct metric_each *x, const char *line, struct err *e) {
  size_t n;
  int rc = cells_add(x, line, &n, e);
  if (!rc && n != x->n_keys)
    rc = err_set(e, ERR_DATA, "%zu cells, and EACH names %zu", n, x->n_keys);
  return rc;
}

static long key_find(const struct metric_each *x, const char *name, size_t n) {
  for (size_t i = 0; i < x->n_keys; i++)
    if (strlen(x->cells[i]) == n && memcmp(x->cells[i], name, n) == 0)
      return (long)i;
  return -1;
}

int metric_each_fill(const struct metric_each *x, size_t thing, const char *pattern, char **out, struct err *e) {
  struct text filled = {0};
  int rc = 0;
  *out = NULL;
  for (const char *at = pattern; *at && !rc;) {
    size_t plain = strcspn(at, "{"), n = at[plain] ? strcspn(at + plain + 1, "}") : 0;
    const char *name = at + plain + 1;
    text_add_n(&filled, at, plain);
    at += plain;
    if (!*at)
      break;
    long key = name[n] ? key_find(x, name, n) : -1;
    if (key < 0) {
      rc = err_set(e, ERR_DATA, "{%.*s} is not a key of EACH above", (int)n, name);
    } else {
      text_add(&filled, x->cells[(thing + 1) * x->n_keys + (size_t)key]);
      at = name + n + 1;
    }
  }
  if (!rc && !text_ok(&filled))
    rc = err_nomem(e, "a row");
  if (!rc)
    *out = text_take(&filled);
  text_release(&filled);
  return rc;
}

void metric_each_release(struct metric_each *x) {
  array_free(x->cells, x->n_cells);
  *x = (struct metric_each){0};
}
