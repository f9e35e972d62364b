/* The keys that give a rung its parameters: param and when. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <limits.h>
#include <string.h>

static bool param_has_choice(const struct rung_param *p, long value) {
  bool found = p->n_choices == 0;
  for (size_t i = 0; i < p->n_choices; i++)
    found |= p->choices[i] == value;
  return found;
}

static int param_choices(const struct fm *f, struct rung_param *p, char *set, struct err *e) {
  char *close = strchr(set, '}'), *rest = set, *item;
  if (!close || close[1])
    return fm_error(e, f, "the set of values does not end with '}'; write NAME = DEFAULT in {A, B, C}");
  *close = '\0';
  while ((item = fm_next(&rest, ','))) {
    long *choice = fm_append(f, &p->choices, &p->n_choices, sizeof *choice, e);
    int rc = choice ? fm_integer(f, "value", item, INT_MIN, INT_MAX, choice, e) : ERR_DATA;
    if (rc)
      return rc;
  }
  return 0;
}

int fm_param(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *name, *number, *set = strchr(value, '{');
  if (set)
    *set++ = '\0';
  if (!fm_cut_assignment(value, &name, &number))
    return fm_error(e, f, "expected NAME = DEFAULT [in {A, B, C}]");
  if (set) {
    size_t n = strlen(number);
    if (n < 4 || strcmp(number + n - 2, "in") != 0 || !strchr(" \t", number[n - 3]))
      return fm_error(e, f, "expected 'in' before '{': NAME = DEFAULT in {A, B, C}");
    number[n - 2] = '\0';
    number = str_trim(number);
  }
  struct rung_param *p = fm_append_named(f, "parameter", name, &r->params, &r->n_params, sizeof *p, e);
  if (!p)
    return ERR_DATA;
  int rc = fm_integer(f, name, number, INT_MIN, INT_MAX, &p->value, e);
  if (rc == 0 && set)
    rc = param_choices(f, p, set, e);
  if (rc == 0 && !param_has_choice(p, p->value))
    rc = fm_error(e, f, "the default %ld of %s is not in its set of values; add it there", p->value, p->name);
  return rc;
}

static int when_assign(const struct fm *f, struct rung_when *w, char *item, struct err *e) {
  const struct rung *r = f->rung;
  const char *names[FM_LIST_MAX];
  const struct rung_param *p = NULL;
  char *name, *number;
  if (!fm_cut_assignment(item, &name, &number))
    return fm_error(e, f, "expected EXPR: NAME = VALUE, ...");
  for (size_t i = 0; i < r->n_params; i++) {
    names[i] = r->params[i].name;
    if (strcmp(name, names[i]) == 0)
      p = &r->params[i];
  }
  if (!p && !r->n_params)
    return fm_error(e, f, "unknown parameter '%.80s'; declare it with `//! param: NAME = VALUE`", name);
  if (!p)
    return fm_error_unknown(e, f, "parameter", name, names, r->n_params);
  for (size_t i = 0; i < w->n_assigns; i++)
    if (strcmp(w->assigns[i].name, name) == 0)
      return fm_error(e, f, "%s is given two values; keep one", name);
  struct rung_assign *a = fm_append(f, &w->assigns, &w->n_assigns, sizeof *a, e);
  if (!a)
    return ERR_DATA;
  a->name = str_copy(name);
  int rc = fm_integer(f, name, number, INT_MIN, INT_MAX, &a->value, e);
  if (rc == 0 && !param_has_choice(p, a->value))
    rc = fm_error(e, f, "%s = %ld is not in the parameter's set of values; add it there", name, a->value);
  return rc;
}

int fm_when(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *condition, *rest, *item;
  struct rung_when *w = fm_append(f, &r->whens, &r->n_whens, sizeof *w, e);
  if (!w)
    return ERR_DATA;
  if (!fm_cut_condition(value, &condition, &rest))
    return fm_error(e, f, "expected EXPR: NAME = VALUE, ...");
  int rc = fm_expr(f, "condition", condition, &w->condition, e);
  while (rc == 0 && (item = fm_next(&rest, ',')))
    rc = when_assign(f, w, item, e);
  return rc;
}
