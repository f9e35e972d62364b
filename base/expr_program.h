/* The compiled form of an expression, shared by expr.c (which makes it) and expr_eval.c (which runs it); private to them.
 *
 * A program is postfix code with jumps: only parsing nests, and is bounded, while evaluation is a loop over a small stack. */
#pragma once

#include <stddef.h>

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
