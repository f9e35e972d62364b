/* The keys that give names to expressions: param with when, and let, which is put in wherever an expression uses it. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <limits.h>
#include <string.h>

/* --- param and when --- */

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

/* --- let --- */

int fm_let(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *name, *text;
  if (!fm_cut_assignment(value, &name, &text))
    return fm_error(e, f, "expected NAME = EXPR, as in GROUPS = ceil(M / ROWS)");
  struct rung_let *l = fm_append_named(f, "let", name, &r->lets, &r->n_lets, sizeof *l, e);
  return l ? fm_expr_raw(f, "value", text, &l->value, e) : ERR_DATA;
}

/* Constants have a value, and their names stay. */
static const struct rung_let *let_find(const struct rung *r, const char *name, size_t n) {
  for (size_t i = 0; i < r->n_constant_lets; i++)
    if (strlen(r->constant_lets[i].name) == n && memcmp(r->constant_lets[i].name, name, n) == 0)
      return NULL;
  for (size_t i = 0; i < r->n_lets; i++)
    if (strlen(r->lets[i].name) == n && memcmp(r->lets[i].name, name, n) == 0)
      return &r->lets[i];
  return NULL;
}

int fm_constant_let(const struct fm *f, const char *name, bool *found, struct err *e) {
  struct rung *r = f->rung;
  *found = fm_named(r->lets, r->n_lets, sizeof *r->lets, name);
  if (!*found)
    return 0;
  struct expr *value = NULL;
  int rc = fm_expr(f, name, name, &value, e);
  struct rung_let *l = rc ? NULL : fm_append(f, &r->constant_lets, &r->n_constant_lets, sizeof *l, e);
  if (!l) {
    expr_free(value);
    return ERR_DATA;
  }
  *l = (struct rung_let){str_copy(name), value};
  return 0;
}

/* Bytes of the name or the number ("48K" holds no name) at s, 0 where another character stands. */
static size_t word_length(const char *s) {
  return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.");
}

static int text_expand(const struct fm *f, const char *text, size_t depth, struct text *out, struct err *e) {
  const struct rung *r = f->rung;
  while (*text) {
    size_t n = word_length(text);
    const struct rung_let *l = n ? let_find(r, text, n) : NULL;
    if (out->n + strlen(text) > FM_VALUE_MAX)
      return fm_error(e, f, "with its lets written out it has more than %d bytes; shorten it", FM_VALUE_MAX);
    if (!l) {
      n = n ? n : 1;
      text_add_n(out, text, n);
    } else {
      /* As many lets within each other as there are end on a circle. */
      if (depth == r->n_lets)
        return fm_error(e, f, "let %s uses itself; take that out", l->name);
      text_add(out, "(");
      int rc = text_expand(f, expr_text(l->value), depth + 1, out, e);
      if (rc)
        return rc;
      text_add(out, ")");
    }
    text += n;
  }
  return 0;
}

struct let_use {
  const struct rung *rung;
  bool any;
};

static void let_visit(void *context, const char *name) {
  struct let_use *c = context;
  c->any |= let_find(c->rung, name, strlen(name)) != NULL;
}

int fm_expr(const struct fm *f, const char *what, const char *text, struct expr **out, struct err *e) {
  struct let_use lets = {f->rung, false};
  int rc = fm_expr_raw(f, what, text, out, e);
  if (rc)
    return rc;
  expr_names(*out, let_visit, &lets);
  if (!lets.any)
    return 0;
  struct text written_out = {0};
  rc = text_expand(f, text, 0, &written_out, e);
  if (rc == 0) {
    expr_free(*out);
    *out = NULL;
    rc = fm_expr_raw(f, what, text_str(&written_out), out, e);
  }
  text_release(&written_out);
  return rc;
}
