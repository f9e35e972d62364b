#include "base/expr.h"

#include "base/expr_program.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
