/* Values that may be absent, and the pool that owns their reasons. */
#pragma once

#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

struct value {
  bool present;
  double v;
  const char *reason; /* absent: why; static, or owned by the run or the findings */
};

/* A member of a struct as a row of a table has it. */
struct value_field {
  size_t offset;
  bool is_value; /* a struct value; else a double */
};
#define VALUE_FIELD(type, member)                                                                                      \
  { offsetof(struct type, member), _Generic(((struct type *)0)->member, struct value : true, double : false) }

/* Strings that live as long as the findings.  Initialise with {0}. */
struct pool {
  char **items;
  size_t n;
};
/* The pool's to free. */
const char *pool_printf(struct pool *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pool_release(struct pool *p); /* leaves *p all zero */

/* Present where v is finite. */
struct value value_of(double v);
struct value value_absent(const char *reason);
/* Absent where a or b is, with its reason. */
struct value value_product(struct value a, struct value b);
/* Absent where a or b is (with its reason), and where b is 0 (with the reason given). */
struct value value_ratio(struct value a, struct value b, const char *zero_reason);

/* A counter of the result; absent with a reason that names it. */
struct value value_counter(const struct run_result *r, const char *name, struct pool *p);
