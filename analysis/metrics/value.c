#include "analysis/metrics/value.h"

#include "base/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *pool_printf(struct pool *p, const char *format, ...) {
  char *s = NULL;
  va_list args;
  va_start(args, format);
  s = vasprintf(&s, format, args) < 0 ? NULL : s;
  va_end(args);
  *(char **)array_add(&p->items, &p->n, sizeof s) = s;
  return s;
}

void pool_release(struct pool *p) {
  array_free(p->items, p->n);
  *p = (struct pool){0};
}

struct value value_of(double v) {
  if (!isfinite(v))
    return value_absent("not a finite number");
  return (struct value){.present = true, .v = v};
}

struct value value_absent(const char *reason) {
  return (struct value){.reason = reason};
}

struct value value_product(struct value a, struct value b) {
  if (!a.present)
    return a;
  return b.present ? value_of(a.v * b.v) : b;
}

struct value value_ratio(struct value a, struct value b, const char *zero_reason) {
  if (!a.present)
    return a;
  if (!b.present)
    return b;
  if (b.v == 0)
    return value_absent(zero_reason);
  return value_of(a.v / b.v);
}

struct value value_counter(const struct run_result *r, const char *name, struct pool *p) {
  const struct run_metric *m = run_metric_find(r, name);
  if (!m)
    return value_absent(pool_printf(p, "%s was not collected", name));
  if (!m->present)
    return value_absent(m->reason ? pool_printf(p, "%s: %s", name, m->reason)
                                  : pool_printf(p, "%s was not collected", name));
  return value_of(m->value);
}
