/* Arithmetic over names: one evaluator for launch expressions, metric formulas, limits and predictions.
 *
 * Grammar, loosest first:  c ? a : b   ||   &&   == !=   < <= > >=   + -   * / %   unary - !   ( )
 * Numbers: 12, 1.5, 1e-3, 0x40, with an optional suffix K, M, G (1024-based, as in 48K) or % (/100).
 * Names: a letter or '_', then letters, digits, '_' and '.', so that CUPTI metric names are names
 * (dram__bytes_read.sum).  Functions: ceil floor round abs sqrt log2 (1 argument), ceildiv pow (2), min max (1 or more).
 * Comparison and logic give 1 or 0; '&&', '||' and '?:' do not evaluate the side they do not need.
 */
#pragma once

#include "base/err.h"

#include <stdbool.h>

struct expr; /* a parsed expression; immutable */

/* Looks a name up: true and *value, or false where there is no such name. */
typedef bool expr_lookup_fn(void *context, const char *name, double *value);

/* Parses text whole.  ERR_DATA names the column and what was expected.  The caller frees *out with expr_free. */
int expr_parse(struct expr **out, const char *text, struct err *e);
void expr_free(struct expr *x);              /* NULL is fine */
const char *expr_text(const struct expr *x); /* the text it was parsed from; owned by x */

/* ERR_DATA: an unknown name (named), a division by zero, a result that is not finite. */
int expr_eval(const struct expr *x, expr_lookup_fn *lookup, void *context, double *out, struct err *e);
/* As expr_eval, for a count: the result must be an integer in [min, max]; the error names `what`. */
int expr_eval_long(const struct expr *x, expr_lookup_fn *lookup, void *context, const char *what, long min, long max,
                   long *out, struct err *e);

/* Calls visit once per distinct name, in order of appearance. */
void expr_names(const struct expr *x, void (*visit)(void *context, const char *name), void *context);
