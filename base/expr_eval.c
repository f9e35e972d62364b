#include "base/expr.h"
#include "base/expr_program.h"

#include <math.h>

struct machine {
  const struct expr *x;
  expr_lookup_fn *lookup;
  void *context;
  struct err *e;
  size_t top; /* operands on the stack */
  double stack[EXPR_STACK_MAX];
};

static double unary_apply(enum op op, double a) {
  switch (op) {
  case OP_NEGATE:
    return -a;
  case OP_NOT:
    return a == 0;
  case OP_TRUTH:
    return a != 0;
  case OP_CEIL:
    return ceil(a);
  case OP_FLOOR:
    return floor(a);
  case OP_ROUND:
    return round(a);
  case OP_ABS:
    return fabs(a);
  case OP_SQRT:
    return sqrt(a);
  case OP_LOG2:
    return log2(a);
  default:
    return NAN;
  }
}

static double binary_apply(enum op op, double a, double b) {
  switch (op) {
  case OP_ADD:
    return a + b;
  case OP_SUBTRACT:
    return a - b;
  case OP_MULTIPLY:
    return a * b;
  case OP_DIVIDE:
    return a / b;
  case OP_REMAINDER:
    return fmod(a, b);
  case OP_EQUAL:
    return a == b;
  case OP_UNEQUAL:
    return a != b;
  case OP_LESS:
    return a < b;
  case OP_LESS_EQUAL:
    return a <= b;
  case OP_GREATER:
    return a > b;
  case OP_GREATER_EQUAL:
    return a >= b;
  case OP_CEILDIV:
    return ceil(a / b);
  case OP_POW:
    return pow(a, b);
  case OP_MIN:
    return fmin(a, b);
  case OP_MAX:
    return fmax(a, b);
  default:
    return NAN;
  }
}

static int name_push(struct machine *v, const char *name) {
  double value = 0;
  if (!v->lookup || !v->lookup(v->context, name, &value))
    return err_set(v->e, ERR_DATA, "unknown name '%.200s' in '%.400s'", name, v->x->text);
  if (!isfinite(value))
    return err_set(v->e, ERR_DATA, "the value of '%.200s' is not a finite number in '%.400s'", name, v->x->text);
  v->stack[v->top++] = value;
  return 0;
}

static int operator_run(struct machine *v, enum op op) {
  double *a = &v->stack[v->top - 1];
  if (op >= OP_ADD) {
    double b = *a--;
    v->top--;
    if (b == 0 && (op == OP_DIVIDE || op == OP_REMAINDER || op == OP_CEILDIV))
      return err_set(v->e, ERR_DATA, "division by zero in '%.400s'", v->x->text);
    *a = binary_apply(op, *a, b);
  } else {
    *a = unary_apply(op, *a);
  }
  /* At once, since what is not finite can vanish again: 1 / inf is 0. */
  if (!isfinite(*a))
    return err_set(v->e, ERR_DATA, "a result is not a finite number in '%.400s'", v->x->text);
  return 0;
}

/* Returns the index of the node that comes next. */
static size_t jump_run(struct machine *v, size_t i) {
  const struct node *node = &v->x->nodes[i];
  double *top = &v->stack[v->top - 1];
  switch (node->op) {
  case OP_AND:
  case OP_OR:
    if ((*top != 0) == (node->op == OP_OR)) {
      *top = node->op == OP_OR;
      return node->at;
    }
    v->top--;
    return i + 1;
  case OP_BRANCH:
    v->top--;
    return *top == 0 ? node->at : i + 1;
  default:
    return node->at;
  }
}

int expr_eval(const struct expr *x, expr_lookup_fn *lookup, void *context, double *out, struct err *e) {
  struct machine v = {.x = x, .lookup = lookup, .context = context, .e = e};
  size_t i = 0;
  while (i < x->n) {
    const struct node *node = &x->nodes[i];
    int rc = 0;
    if (node->op >= OP_AND) {
      i = jump_run(&v, i);
      continue;
    }
    if (node->op == OP_NUMBER)
      v.stack[v.top++] = node->number;
    else if (node->op == OP_NAME)
      rc = name_push(&v, x->names + node->at);
    else
      rc = operator_run(&v, node->op);
    if (rc)
      return rc;
    i++;
  }
  *out = v.stack[0];
  return 0;
}

int expr_eval_long(const struct expr *x, expr_lookup_fn *lookup, void *context, const char *what, long min, long max,
                   long *out, struct err *e) {
  double value = 0;
  int rc = expr_eval(x, lookup, context, &value, e);
  if (rc) {
    err_context(e, "%s", what);
    return rc;
  }
  if (value != floor(value))
    return err_set(e, ERR_DATA, "%s: '%.400s' is %g, which is not a whole number", what, x->text, value);
  /* (double)LONG_MAX is 2^63, which is no long: the conversion is checked before the range is. */
  if (value < -0x1p63 || value >= 0x1p63 || (long)value < min || (long)value > max)
    return err_set(e, ERR_DATA, "%s: '%.400s' is %.0f, which is not between %ld and %ld", what, x->text, value, min,
                   max);
  *out = (long)value;
  return 0;
}
