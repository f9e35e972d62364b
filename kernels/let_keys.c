/* The key let: names for sub-expressions, put in wherever an expression uses them. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <string.h>

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
  *found = false;
  for (size_t i = 0; i < r->n_lets; i++)
    *found |= strcmp(r->lets[i].name, name) == 0;
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
