/* The keys of a problem of one's own: problem, size, buffer, reference, tolerance, and what output and constants mean there. */
#include "kernels/frontmatter.h"
#include "kernels/generic.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int generic_only(const struct fm *f, struct err *e) {
  return f->rung->generic ? 0 : fm_error(e, f, "is a key of generic problems; write `//! problem: generic`");
}

int fm_problem(const struct fm *f, char *value, struct err *e) {
  static const char *const words[] = {"gemv", "generic"};
  if (!fm_holds(words, 2, value))
    return fm_error_unknown(e, f, "problem", value, words, 2);
  f->rung->generic = strcmp(value, "generic") == 0;
  return 0;
}

/* --- size --- */

struct earlier { /* which names a size's value may have */
  const struct fm *f;
  size_t n;
  struct err *e;
  int rc;
};

static void earlier_visit(void *context, const char *name) {
  struct earlier *c = context;
  const char *names[RUNG_SIZES_MAX];
  for (size_t i = 0; i < c->n; i++)
    names[i] = c->f->rung->sizes[i].name;
  if (c->rc == 0 && !fm_holds(names, c->n, name))
    c->rc = c->n ? fm_error_unknown(c->e, c->f, "size", name, names, c->n)
                 : fm_error(c->e, c->f, "unknown size '%.80s'; the first size is a number", name);
}

int fm_size(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *name, *text;
  int rc = generic_only(f, e);
  if (rc)
    return rc;
  if (!fm_cut_assignment(value, &name, &text))
    return fm_error(e, f, "expected NAME = VALUE, as in N = 16M");
  if (r->n_sizes == RUNG_SIZES_MAX)
    return fm_error(e, f, "more than %d sizes; take some out", RUNG_SIZES_MAX);
  struct rung_size *s = fm_append_named(f, "size", name, &r->sizes, &r->n_sizes, sizeof *s, e);
  rc = s ? fm_expr(f, "value", text, &s->value, e) : ERR_DATA;
  struct earlier names = {f, r->n_sizes - 1, e, 0};
  if (rc == 0)
    expr_names(s->value, earlier_visit, &names);
  return rc ? rc : names.rc;
}

int fm_generic_constants(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  const char *names[RUNG_SIZES_MAX];
  char *item;
  for (size_t i = 0; i < r->n_sizes; i++)
    names[i] = r->sizes[i].name;
  while ((item = fm_next(&value, ','))) {
    bool is_let = false;
    int rc = fm_constant_let(f, item, &is_let, e);
    if (rc)
      return rc;
    size_t i = str_index(names, r->n_sizes, item);
    if (i == r->n_sizes && !is_let)
      return fm_error_unknown(e, f, "size", item, names, r->n_sizes);
    if (!is_let)
      r->constant_sizes[i] = true;
  }
  return 0;
}

/* --- buffer --- */

/* "fp32[N * 4]" */
static int buffer_type(const struct fm *f, struct rung_buffer *b, char *text, struct err *e) {
  size_t n = strlen(text);
  char *open = strchr(text, '[');
  if (!open || text[n - 1] != ']')
    return fm_error(e, f, "'%.80s' is not TYPE[COUNT], such as fp32[N]", text);
  *open = text[n - 1] = '\0';
  struct err cause = {0};
  if (element_parse(&b->type, str_trim(text), &cause))
    return fm_error(e, f, "%s", cause.text);
  return fm_expr(f, "count", str_trim(open + 1), &b->count, e);
}

static int buffer_init(const struct fm *f, struct rung_buffer *b, const char *text, struct err *e) {
  static const char *const words[] = {"random", "iota", "zero", "file:PATH"};
  static const enum rung_init kinds[] = {INIT_RANDOM, INIT_IOTA, INIT_ZERO};
  if (strncmp(text, "file:", 5) == 0) {
    b->init = INIT_FILE;
    b->path = str_copy(text + 5);
    return text[5] ? 0 : fm_error(e, f, "file: names no file; write init = file:PATH");
  }
  enum { KINDS = sizeof kinds / sizeof *kinds };
  size_t i = str_index(words, KINDS, text);
  if (i < KINDS)
    b->init = kinds[i];
  return i < KINDS ? 0 : fm_error_unknown(e, f, "init", text, words, sizeof words / sizeof *words);
}

int fm_buffer(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *first = fm_next(&value, ';'), *name, *type, *field, *text;
  int rc = generic_only(f, e);
  if (rc)
    return rc;
  if (!first || !fm_cut_assignment(first, &name, &type))
    return fm_error(e, f, "expected NAME = TYPE[COUNT] [; init = random|iota|zero|file:PATH]");
  struct rung_buffer *b = fm_append_named(f, "buffer", name, &r->buffers, &r->n_buffers, sizeof *b, e);
  rc = b ? buffer_type(f, b, type, e) : ERR_DATA;
  while (rc == 0 && (first = fm_next(&value, ';'))) {
    if (!*first)
      continue;
    if (!fm_cut_assignment(first, &field, &text) || strcmp(field, "init") != 0)
      rc = fm_error(e, f, "unknown field '%.80s'; a buffer has init = random, iota, zero or file:PATH", first);
    else if (b->init)
      rc = fm_error(e, f, "init is given twice; keep one");
    else
      rc = buffer_init(f, b, text, e);
  }
  return rc;
}

int fm_generic_output(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  const char *names[FM_LIST_MAX];
  char *item;
  for (size_t i = 0; i < r->n_buffers; i++)
    names[i] = r->buffers[i].name;
  while ((item = fm_next(&value, ','))) {
    size_t i = str_index(names, r->n_buffers, item);
    if (i == r->n_buffers)
      return fm_error_unknown(e, f, "buffer", item, names, r->n_buffers);
    r->buffers[i].output = true;
  }
  return 0;
}

/* --- the check --- */

int fm_reference(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *name, *path;
  int rc = generic_only(f, e);
  if (rc)
    return rc;
  if (strncmp(value, "file", 4) == 0 && strchr(" \t=", value[4])) {
    if (!fm_cut_assignment(value, &name, &path))
      return fm_error(e, f, "expected file = PATH, or a launch as in step");
    r->reference_path = str_copy(path);
    return 0;
  }
  r->reference = calloc(1, sizeof *r->reference);
  return fm_launch(f, value, r->reference, e);
}

int fm_tolerance(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *end = NULL;
  int rc = generic_only(f, e);
  if (rc)
    return rc;
  r->tolerance_abs = strtod(value, &end);
  bool ok = end != value;
  value = end;
  r->tolerance_rel = strtod(value, &end);
  ok = ok && end != value && !*end && isfinite(r->tolerance_abs) && isfinite(r->tolerance_rel);
  r->has_tolerance = true;
  return ok && r->tolerance_abs >= 0 && r->tolerance_rel >= 0
             ? 0
             : fm_error(e, f, "expected ABS REL, two numbers of 0 or more, as in 1e-6 1e-5");
}

/* --- the whole --- */

int fm_generic_complete(const struct rung *r, struct err *e) {
  static const char *const gemv_only[] = {"sf_layout", "accumulate", "limits", "wrong", "host"};
  if (!r->generic)
    return 0;
  for (size_t i = 0; i < sizeof gemv_only / sizeof *gemv_only; i++)
    if (fm_line(r, gemv_only[i], 0))
      return err_set(e, ERR_DATA, "%s:%d: %s: is a key of the NVFP4 GEMV; take it out of a generic problem", r->file,
                     fm_line(r, gemv_only[i], 0), gemv_only[i]);
  if (!r->n_sizes || !r->n_buffers)
    return err_set(e, ERR_DATA, "%s:%d: problem: a generic problem needs a %s; add a line `//! %s`", r->file,
                   fm_line(r, "problem", 0), r->n_sizes ? "buffer" : "size",
                   r->n_sizes ? "buffer: x = fp32[N]; init = random" : "size: N = 16M");
  bool any = false;
  for (size_t i = 0; i < r->n_buffers; i++) {
    const struct rung_buffer *b = &r->buffers[i];
    any |= b->output;
    if (!b->output && b->init == INIT_NONE)
      return err_set(e, ERR_DATA,
                     "%s:%d: buffer: %s has no init and is not an output; write init = random, or name it in "
                     "`//! output:`",
                     r->file, fm_line(r, "buffer", i), b->name);
  }
  const char *judge = r->reference || r->reference_path ? "reference" : r->has_tolerance ? "tolerance" : NULL;
  if (judge && (!any || strcmp(judge, "tolerance") == 0))
    return err_set(e, ERR_DATA, "%s:%d: %s: there is %s to judge by it; %s", r->file, fm_line(r, judge, 0), judge,
                   any ? "no reference" : "no output",
                   any ? "add `//! reference: ...`" : "name one in `//! output: NAME`");
  return 0;
}
