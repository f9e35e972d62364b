/* The part of a plan that a problem of one's own has and the GEMV has not. */
#include "kernels/frontmatter.h"
#include "kernels/generic.h"
#include "kernels/plan.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const long exact_max = 1L << 53; /* whole numbers that a double holds exactly */

static bool size_lookup(void *context, const char *name, double *value) {
  long size = 0;
  bool there = shape_size(context, name, &size);
  *value = (double)size;
  return there;
}

/* A name that the rung does not have is a slip of whoever typed --shape. */
static int names_check(const struct rung *r, const struct shape *given, struct err *e) {
  for (const char *at = given->sizes; *at; at += strspn(at, " ")) {
    size_t n = strcspn(at, "="), i = 0;
    while (i < r->n_sizes && (strlen(r->sizes[i].name) != n || memcmp(r->sizes[i].name, at, n) != 0))
      i++;
    if (i == r->n_sizes) {
      struct text known = {0};
      for (i = 0; i < r->n_sizes; i++)
        text_printf(&known, "%s%s", i ? ", " : "", r->sizes[i].name);
      int rc = err_set(e, ERR_USAGE, "--shape: %s has no size %.*s; it has %s", r->id, (int)n, at, text_str(&known));
      text_release(&known);
      return rc;
    }
    at += strcspn(at, " ");
  }
  return 0;
}

int rung_sizes(struct shape *out, const struct rung *r, const struct shape *given, struct err *e) {
  *out = (struct shape){0};
  int rc = names_check(r, given, e);
  for (size_t i = 0; i < r->n_sizes && rc == 0; i++) {
    const struct rung_size *s = &r->sizes[i];
    long value = 0;
    if (!shape_size(given, s->name, &value) &&
        expr_eval_long(s->value, size_lookup, out, s->name, 1, exact_max, &value, e))
      return err_context(e, "%s:%d: size", r->file, fm_line(r, "size", i));
    rc = shape_add_size(out, s->name, value, e);
  }
  return rc;
}

static int plan_arrays(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  p->arrays = calloc(r->n_buffers + 1, sizeof *p->arrays);
  for (size_t i = 0; i < r->n_buffers; i++) {
    const struct rung_buffer *b = &r->buffers[i];
    const struct plan_at a = {scope, "buffer", i};
    size_t size = element_bytes(b->type);
    long count = 0;
    int rc = plan_eval_long(&a, b->count, b->name, 1, (1L << 40) / (long)size, 0, &count, e);
    if (rc)
      return rc;
    p->arrays[p->n_arrays++] = (struct plan_array){b, (size_t)count, (size_t)count * size};
  }
  return 0;
}

static bool names(const struct plan_launch *launches, size_t n, const char *buffer) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < launches[i].n_args; k++)
      if (launches[i].args[k].name && strcmp(launches[i].args[k].name, buffer) == 0)
        return true;
  return false;
}

void plan_traffic(struct rung_plan *p) {
  if (!p->rung->generic || p->rung->bytes)
    return;
  p->bytes = 0;
  for (size_t i = 0; i < p->n_arrays; i++) {
    const struct rung_buffer *b = p->arrays[i].buffer;
    if (b->output || names(p->steps, p->n_steps, b->name))
      p->bytes += (double)p->arrays[i].bytes * (b->output && b->init ? 2 : 1);
  }
  for (size_t i = 0; i < p->n_scratch; i++) {
    const char *name = p->scratch[i].name;
    if (names(p->setups, p->n_setups, name) && names(p->steps, p->n_steps, name))
      p->bytes += (double)p->scratch[i].bytes;
  }
}

int plan_generic(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  if (!r->generic)
    return 0;
  int rc = plan_arrays(p, scope, e);
  if (rc || !r->reference)
    return rc;
  p->reference = calloc(1, sizeof *p->reference);
  const struct plan_at a = {scope, "reference", 0};
  return plan_one_launch(p, p->reference, r->reference, &a, e);
}
