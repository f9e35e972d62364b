/* Names in a rung's expressions and their values at a shape on a chip. */
#include "kernels/frontmatter.h"
#include "kernels/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool plan_lookup(void *context, const char *name, double *value) {
  const struct plan_scope *c = context;
  const struct rung_chip *chip = c->chip;
  /* In the order of fm_scalars. */
  const double values[FM_SCALARS] = {(double)c->shape.m,
                                     (double)c->shape.k,
                                     (double)c->shape.l,
                                     chip->sm,
                                     chip->sms,
                                     (double)chip->smem_optin,
                                     (double)chip->regs_per_sm,
                                     (double)chip->warps_per_sm,
                                     (double)chip->l2_bytes};
  long size = 0;
  if (shape_named(&c->shape) && shape_size(&c->shape, name, &size)) {
    *value = (double)size;
    return true;
  }
  for (size_t i = c->rung->generic ? FM_EXTENTS : 0; i < FM_SCALARS; i++) {
    if (strcmp(fm_scalars[i], name) == 0) {
      *value = values[i];
      return true;
    }
  }
  for (size_t i = 0; i < c->rung->n_params; i++) {
    if (strcmp(c->rung->params[i].name, name) == 0) {
      *value = (double)(c->params ? c->params[i].value : c->rung->params[i].value);
      return true;
    }
  }
  for (size_t i = 0; i < c->n_constants; i++) {
    const struct rung_assign *constant = &c->params[c->rung->n_params + i];
    if (strcmp(constant->name, name) == 0) {
      *value = (double)constant->value;
      return true;
    }
  }
  return false;
}

int plan_at_context(const struct plan_at *a, struct err *e) {
  const struct rung *r = a->scope->rung;
  return err_context(e, "%s:%d: %s", r->file, fm_line(r, a->key, a->nth), a->key);
}

int plan_eval(const struct plan_at *a, const struct expr *x, double *out, struct err *e) {
  return expr_eval(x, plan_lookup, (void *)a->scope, out, e) ? plan_at_context(a, e) : 0;
}

int plan_eval_bool(const struct plan_at *a, const struct expr *x, bool *out, struct err *e) {
  double value = 1;
  int rc = x ? plan_eval(a, x, &value, e) : 0;
  *out = value != 0;
  return rc;
}

int plan_eval_long(const struct plan_at *a, const struct expr *x, const char *what, long min, long max, long otherwise,
                   long *out, struct err *e) {
  *out = otherwise;
  if (x && expr_eval_long(x, plan_lookup, (void *)a->scope, what, min, max, out, e))
    return plan_at_context(a, e);
  return 0;
}

int plan_refuse(struct rung_plan *p, const char *format, ...) {
  if (!p->runnable)
    return 0;
  va_list args;
  va_start(args, format);
  p->runnable = vasprintf(&p->reason, format, args) < 0;
  va_end(args);
  return 0;
}
