/* The planner's own header, for plan*.c.  Everyone else includes kernels/rung.h. */
#pragma once

#include "base/err.h"
#include "kernels/rung.h"

#include <stdbool.h>
#include <stddef.h>

#define EXACT_MAX (1L << 53) /* whole numbers that a double holds exactly */

/* What gives names their values. */
struct plan_scope {
  const struct rung *rung;
  struct shape shape;
  const struct rung_chip *chip;
  const struct rung_assign *params; /* the rung's n_params; NULL: their defaults */
  size_t n_constants;               /* constant lets whose values follow them */
};

/* Where an expression stands, for messages: in the nth key of that name. */
struct plan_at {
  const struct plan_scope *scope;
  const char *key;
  size_t nth;
};

/* A name's value; context: a struct plan_scope.  For expr_eval. */
bool plan_lookup(void *context, const char *name, double *value);
/* Puts "FILE:LINE: key" in front of the error. */
int plan_at_context(const struct plan_at *a, struct err *e);
/* ERR_DATA "FILE:LINE: key: ..." where the expression fails. */
int plan_eval(const struct plan_at *a, const struct expr *x, double *out, struct err *e);
/* x NULL: true. */
int plan_eval_bool(const struct plan_at *a, const struct expr *x, bool *out, struct err *e);
/* x NULL: otherwise. */
int plan_eval_long(const struct plan_at *a, const struct expr *x, const char *what, long min, long max, long otherwise,
                   long *out, struct err *e);
/* Marks the plan as one that cannot run here; the first reason stands.  0: that is no error. */
int plan_refuse(struct rung_plan *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

int plan_one_launch(struct rung_plan *p, struct plan_launch *out, const struct rung_launch *l, const struct plan_at *a,
                    struct err *e);
int plan_scratch(struct rung_plan *p, const struct plan_scope *scope, struct err *e);
int plan_tensormaps(struct rung_plan *p, const struct plan_scope *scope, struct err *e);
int plan_steps(struct rung_plan *p, const struct plan_scope *scope, struct err *e);
int plan_setups(struct rung_plan *p, const struct plan_scope *scope, struct err *e);
int plan_resets(struct rung_plan *p, const struct plan_scope *scope, struct err *e);
