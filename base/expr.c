#include "base/expr.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An expression is compiled: a program is postfix code with jumps.  Only parsing nests, and is bounded, while evaluation is a loop over a small stack. */

enum {
  EXPR_DEPTH_MAX = 64, /* parentheses, calls, unary signs and arms of '?:' inside one another */
  /* A level holds back one left operand for each of == < + *, and one argument of a call; && || ?: hold back none. */
  EXPR_STACK_MAX = EXPR_DEPTH_MAX * 5,
};

enum op {
  OP_NUMBER,
  OP_NAME,
  OP_NEGATE,
  OP_NOT,
  OP_TRUTH, /* 1 where the top is not 0 */
  OP_CEIL,
  OP_FLOOR,
  OP_ROUND,
  OP_ABS,
  OP_SQRT,
  OP_LOG2,
  OP_ADD, /* from here on: two operands */
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_REMAINDER,
  OP_EQUAL,
  OP_UNEQUAL,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_CEILDIV,
  OP_POW,
  OP_MIN,
  OP_MAX,
  OP_AND,    /* from here on: jumps.  Top is 0: make it 0 and jump; else drop it */
  OP_OR,     /* top is not 0: make it 1 and jump; else drop it */
  OP_BRANCH, /* drop the top; jump where it was 0 */
  OP_JUMP,
};

struct node {
  enum op op;
  size_t at;     /* OP_NAME: offset into names; a jump: index of the node that comes next */
  double number; /* OP_NUMBER */
};

struct expr {
  char *text;
  char *names; /* distinct names in order of appearance, each NUL-terminated, closed by an empty one */
  struct node *nodes;
  size_t n;
};

/* --- parsing --- */

enum { TEXT_MAX = 4096 };

struct parser {
  struct expr *x;
  const char *s; /* what is still to be read of x->text */
  int depth;
  struct err *e;
};

static int ternary_parse(struct parser *p);

static int parser_fail(const struct parser *p, const char *message) {
  size_t column = 1 + utf8_columns(p->x->text, (size_t)(p->s - p->x->text));
  return err_set(p->e, ERR_DATA, "column %zu: %s", column, message);
}

/* Every node takes a character or more of the text (&& and ?: two for two): nodes[] has room. */
static size_t node_add(struct parser *p, enum op op) {
  p->x->nodes[p->x->n] = (struct node){.op = op};
  return p->x->n++;
}

static void skip_blanks(struct parser *p) {
  while (*p->s == ' ' || *p->s == '\t' || *p->s == '\n' || *p->s == '\r')
    p->s++;
}

static bool skip_sign(struct parser *p, char sign) {
  skip_blanks(p);
  if (*p->s != sign)
    return false;
  p->s++;
  return true;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c) || c == '.';
}

static int hex_digit(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads a suffix, which touches its number, and scales the number.  '%' before a name, a number or
 * '(' is the remainder: nothing else could follow there. */
static double suffix_parse(struct parser *p, double value) {
  static const struct {
    char sign;
    double multiplier, divisor; /* two, since a product with 0.01 is not always the nearest double to value / 100 */
  } suffixes[] = {{'K', 0x1p10, 1}, {'M', 0x1p20, 1}, {'G', 0x1p30, 1}, {'%', 1, 100}};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    if (*p->s != suffixes[i].sign || is_name_part(p->s[1]) || (*p->s == '%' && p->s[1] == '('))
      continue;
    p->s++;
    return value * suffixes[i].multiplier / suffixes[i].divisor;
  }
  return value;
}

static int number_parse(struct parser *p) {
  double value = 0;
  if (p->s[0] == '0' && (p->s[1] == 'x' || p->s[1] == 'X')) {
    if (hex_digit(p->s[2]) < 0) {
      p->s += 2;
      return parser_fail(p, "expected a hexadecimal digit");
    }
    for (p->s += 2; hex_digit(*p->s) >= 0; p->s++)
      value = value * 16 + hex_digit(*p->s);
  } else {
    char *end = NULL;
    value = strtod(p->s, &end);
    p->s = end;
  }
  value = suffix_parse(p, value);
  if (!isfinite(value))
    return parser_fail(p, "the number that ends here is too large");
  if (is_name_part(*p->s))
    return parser_fail(p, "expected an operator: a number ends here");
  p->x->nodes[node_add(p, OP_NUMBER)].number = value;
  return 0;
}

static size_t name_intern(struct expr *x, const char *name, size_t n) {
  char *known = x->names;
  for (; *known; known += strlen(known) + 1)
    if (strlen(known) == n && memcmp(known, name, n) == 0)
      return (size_t)(known - x->names);
  memcpy(known, name, n);
  return (size_t)(known - x->names);
}

static const struct function {
  const char *name;
  enum op op;
  int arguments; /* 0: one or more */
} functions[] = {
    {"ceil", OP_CEIL, 1}, {"floor", OP_FLOOR, 1},     {"round", OP_ROUND, 1}, {"abs", OP_ABS, 1}, {"sqrt", OP_SQRT, 1},
    {"log2", OP_LOG2, 1}, {"ceildiv", OP_CEILDIV, 2}, {"pow", OP_POW, 2},     {"min", OP_MIN},    {"max", OP_MAX},
};

static const struct function *function_find(const char *name, size_t n) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i].name) == n && memcmp(functions[i].name, name, n) == 0)
      return &functions[i];
  return NULL;
}

/* Reads what follows "f(".  Of as many arguments as there are, each but the first is followed by
 * the function: max(a, b, c) is a b max c max. */
static int arguments_parse(struct parser *p, const struct function *f) {
  char message[96];
  int count = 0;
  do {
    int rc = ternary_parse(p);
    if (rc)
      return rc;
    count++;
    if (f->arguments ? count == f->arguments : count > 1)
      node_add(p, f->op);
  } while (skip_sign(p, ','));
  skip_blanks(p);
  if (*p->s != ')')
    return parser_fail(p, "expected ',' or ')'");
  if (f->arguments && count != f->arguments) {
    snprintf(message, sizeof message, "%s takes %d argument%s, not %d", f->name, f->arguments,
             f->arguments == 1 ? "" : "s", count);
    return parser_fail(p, message);
  }
  p->s++;
  return 0;
}

static int name_parse(struct parser *p) {
  const char *name = p->s, *end = p->s;
  while (is_name_part(*end))
    end++;
  size_t n = (size_t)(end - name);
  const char *next = end;
  while (*next == ' ' || *next == '\t')
    next++;
  if (*next != '(') {
    p->s = end;
    p->x->nodes[node_add(p, OP_NAME)].at = name_intern(p->x, name, n);
    return 0;
  }
  const struct function *f = function_find(name, n);
  if (!f)
    return parser_fail(p, "unknown function: there are ceil floor round abs sqrt log2 ceildiv pow min max");
  p->s = next + 1;
  return arguments_parse(p, f);
}

static int primary_parse(struct parser *p) {
  if (is_digit(*p->s) || (*p->s == '.' && is_digit(p->s[1])))
    return number_parse(p);
  if (is_name_start(*p->s))
    return name_parse(p);
  if (!skip_sign(p, '('))
    return parser_fail(p, "expected a number, a name or '('");
  int rc = ternary_parse(p);
  if (rc == 0 && !skip_sign(p, ')'))
    rc = parser_fail(p, "expected ')' or an operator");
  return rc;
}

static int depth_enter(struct parser *p) {
  if (p->depth == EXPR_DEPTH_MAX)
    return parser_fail(p, "nested too deeply: at most 64 levels");
  p->depth++;
  return 0;
}

static int unary_parse(struct parser *p) {
  skip_blanks(p);
  enum op op = *p->s == '-' ? OP_NEGATE : OP_NOT;
  if (*p->s != '-' && *p->s != '!')
    return primary_parse(p);
  int rc = depth_enter(p);
  if (rc)
    return rc;
  p->s++;
  rc = unary_parse(p);
  if (rc == 0)
    node_add(p, op);
  p->depth--;
  return rc;
}

enum { LEVEL_LOOSEST = 1 };

static const struct binary {
  const char *sign; /* a sign that starts with another stands before it */
  enum op op;
  int level; /* binds tighter than lower levels */
} binaries[] = {
    {"||", OP_OR, LEVEL_LOOSEST},
    {"&&", OP_AND, 2},
    {"==", OP_EQUAL, 3},
    {"!=", OP_UNEQUAL, 3},
    {"<=", OP_LESS_EQUAL, 4},
    {">=", OP_GREATER_EQUAL, 4},
    {"<", OP_LESS, 4},
    {">", OP_GREATER, 4},
    {"+", OP_ADD, 5},
    {"-", OP_SUBTRACT, 5},
    {"*", OP_MULTIPLY, 6},
    {"/", OP_DIVIDE, 6},
    {"%", OP_REMAINDER, 6},
};

static const struct binary *binary_peek(struct parser *p) {
  skip_blanks(p);
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
    if (strncmp(p->s, binaries[i].sign, strlen(binaries[i].sign)) == 0)
      return &binaries[i];
  return NULL;
}

static int binary_parse(struct parser *p, int level) {
  int rc = unary_parse(p);
  const struct binary *b = NULL;
  while (rc == 0 && (b = binary_peek(p)) && b->level >= level) {
    bool jumps = b->op == OP_AND || b->op == OP_OR;
    size_t jump = jumps ? node_add(p, b->op) : 0;
    p->s += strlen(b->sign);
    rc = binary_parse(p, b->level + 1);
    if (rc)
      break;
    node_add(p, jumps ? OP_TRUTH : b->op);
    if (jumps)
      p->x->nodes[jump].at = p->x->n;
  }
  return rc;
}

static int arms_parse(struct parser *p) {
  size_t branch = node_add(p, OP_BRANCH);
  int rc = ternary_parse(p);
  if (rc)
    return rc;
  if (!skip_sign(p, ':'))
    return parser_fail(p, "expected ':' or an operator");
  size_t jump = node_add(p, OP_JUMP);
  p->x->nodes[branch].at = p->x->n;
  rc = ternary_parse(p);
  p->x->nodes[jump].at = p->x->n;
  return rc;
}

static int ternary_parse(struct parser *p) {
  int rc = depth_enter(p);
  if (rc)
    return rc;
  rc = binary_parse(p, LEVEL_LOOSEST);
  if (rc == 0 && skip_sign(p, '?'))
    rc = arms_parse(p);
  p->depth--;
  return rc;
}

int expr_parse(struct expr **out, const char *text, struct err *e) {
  size_t length = strnlen(text, TEXT_MAX + 1);
  if (length > TEXT_MAX)
    return err_set(e, ERR_DATA, "the expression '%.40s...' is longer than %d characters", text, TEXT_MAX);
  int rc = 0;
  struct expr *x = calloc(1, sizeof *x);
  struct parser p = {.x = x, .e = e};
  if (x) {
    x->text = strdup(text);
    x->nodes = calloc(length + 1, sizeof *x->nodes);
    x->names = calloc(length + 2, 1); /* two names never touch, so each NUL has the place of a character */
  }
  if (!x || !x->text || !x->nodes || !x->names) {
    rc = err_nomem(e, "an expression");
    goto done;
  }
  p.s = x->text;
  rc = ternary_parse(&p);
  skip_blanks(&p);
  if (rc == 0 && *p.s)
    rc = parser_fail(&p, "expected an operator or the end");
  if (rc == 0) {
    *out = x;
    x = NULL;
  }
done:
  expr_free(x);
  return rc;
}

void expr_free(struct expr *x) {
  if (!x)
    return;
  free(x->text);
  free(x->names);
  free(x->nodes);
  free(x);
}

const char *expr_text(const struct expr *x) {
  return x->text;
}

void expr_names(const struct expr *x, void (*visit)(void *context, const char *name), void *context) {
  for (const char *name = x->names; *name; name += strlen(name) + 1)
    visit(context, name);
}

/* --- evaluation --- */

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
