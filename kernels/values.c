/* Values of the front matter: cut up, converted, and refused with file and line. */
#include "base/array.h"
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fm_scalars[FM_SCALARS] = {
    "M", "K", "L", "sm", "sms", "smem_optin", "regs_per_sm", "warps_per_sm", "l2_bytes"};

const char *const *fm_rung_scalars(const struct rung *r, size_t *n) {
  *n = r->generic ? FM_SCALARS - FM_EXTENTS : FM_SCALARS;
  return r->generic ? fm_scalars + FM_EXTENTS : fm_scalars;
}

bool fm_holds(const char *const *names, size_t n, const char *name) {
  return str_index(names, n, name) < n;
}

int fm_error(struct err *e, const struct fm *f, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return err_set(e, ERR_DATA, "%s:%d: %s: %s", f->rung->file, f->key->line, f->key->key, text);
}

int fm_error_unknown(struct err *e, const struct fm *f, const char *what, const char *text,
                     const char *const *candidates, size_t n) {
  const char *nearest = str_nearest(text, candidates, n);
  if (nearest)
    return fm_error(e, f, "unknown %s '%.80s'; did you mean '%s'?", what, text, nearest);
  struct text list = {0};
  for (size_t i = 0; i < n; i++)
    text_printf(&list, "%s%s", i ? ", " : "", candidates[i]);
  int rc = fm_error(e, f, "unknown %s '%.80s'; known are %s", what, text, text_str(&list));
  text_release(&list);
  return rc;
}

void *fm_append(const struct fm *f, void *items, size_t *n, size_t size, struct err *e) {
  if (*n < FM_LIST_MAX)
    return array_add(items, n, size);
  fm_error(e, f, "more than %d of them; take some out", FM_LIST_MAX);
  return NULL;
}

bool fm_is_identifier(const char *text) {
  static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return *text && strchr(first, *text) && text[strspn(text, rest)] == '\0';
}

bool fm_named(const void *items, size_t n, size_t size, const char *name) {
  for (size_t i = 0; i < n; i++) {
    const char *own = *(char *const *)((const char *)items + i * size);
    if (own && strcmp(own, name) == 0)
      return true;
  }
  return false;
}

bool fm_is_value(const struct rung *r, const char *name) {
  size_t n = 0;
  const char *const *scalars = fm_rung_scalars(r, &n);
  return fm_holds(scalars, n, name) || fm_named(r->params, r->n_params, sizeof *r->params, name) ||
         fm_named(r->lets, r->n_lets, sizeof *r->lets, name) || fm_named(r->sizes, r->n_sizes, sizeof *r->sizes, name);
}

/* A C identifier that no expression and no buffer has as its own name. */
static int new_name(const struct fm *f, const char *what, const char *text, struct err *e) {
  const struct rung *r = f->rung;
  bool used = !r->generic && problem_buffer_find(text);
  if (!fm_is_identifier(text))
    return fm_error(e, f, "%s '%.80s' is not a name; use letters, digits and '_'", what, text);
  used = used || fm_is_value(r, text) || fm_named(r->scratch, r->n_scratch, sizeof *r->scratch, text) ||
         fm_named(r->buffers, r->n_buffers, sizeof *r->buffers, text) ||
         fm_named(r->tensormaps, r->n_tensormaps, sizeof *r->tensormaps, text);
  return used ? fm_error(e, f, "%s '%s' is taken; choose another name", what, text) : 0;
}

void *fm_append_named(const struct fm *f, const char *what, const char *name, void *items, size_t *n, size_t size,
                      struct err *e) {
  char **added = new_name(f, what, name, e) ? NULL : fm_append(f, items, n, size, e);
  if (added)
    *added = str_copy(name);
  return added;
}

int fm_expr_raw(const struct fm *f, const char *what, const char *text, struct expr **out, struct err *e) {
  struct err cause = {0};
  int rc = expr_parse(out, text, &cause);
  if (rc == ERR_DATA)
    return fm_error(e, f, "%s '%.200s': %s", what, text, cause.text);
  return rc ? err_set(e, rc, "%s", cause.text) : 0;
}

int fm_integer(const struct fm *f, const char *what, const char *text, long min, long max, long *out, struct err *e) {
  const char *digits = text + (*text == '-' || *text == '+');
  int base = strncmp(digits, "0x", 2) == 0 ? 16 : 10;
  char *end = NULL;
  errno = 0;
  long value = strtol(text, &end, base);
  if (strchr("0123456789", *digits) == NULL || !*digits || *end)
    return fm_error(e, f, "%s '%.80s' is not an integer; write it as 64 or 0x40", what, text);
  if (errno == ERANGE || value < min || value > max)
    return fm_error(e, f, "%s %.80s is out of range; it must lie within %ld to %ld", what, text, min, max);
  *out = value;
  return 0;
}

char *fm_next(char **rest, char separator) {
  char *begin = *rest, *s = begin;
  int depth = 0;
  if (!begin)
    return NULL;
  for (; *s && !(*s == separator && depth <= 0); s++)
    depth += strchr("([{", *s) ? 1 : strchr(")]}", *s) ? -1 : 0;
  *rest = *s ? s + 1 : NULL;
  *s = '\0';
  return str_trim(begin);
}

bool fm_cut_condition(char *value, char **condition, char **rest) {
  int depth = 0, choices = 0;
  for (char *s = value; *s; s++) {
    if (*s == '(') {
      depth++;
    } else if (*s == ')') {
      depth--;
    } else if (*s == '?' && depth <= 0) {
      choices++;
    } else if (*s == ':' && depth <= 0 && choices-- == 0) {
      *s = '\0';
      *condition = str_trim(value);
      *rest = str_trim(s + 1);
      return **condition && **rest;
    }
  }
  return false;
}

bool fm_cut_assignment(char *item, char **name, char **value) {
  char *equals = strchr(item, '=');
  if (!equals)
    return false;
  *equals = '\0';
  *name = str_trim(item);
  *value = str_trim(equals + 1);
  return **name && **value;
}

int fm_line(const struct rung *r, const char *key, size_t nth) {
  for (size_t i = 0; i < r->n_keys; i++)
    if (strcmp(r->keys[i].key, key) == 0 && nth-- == 0)
      return r->keys[i].line;
  return 0;
}
