/* The front matter's parser, for its own files: frontmatter.c (lines to keys), keys.c (the table of
 * keys), param_keys.c and launch_keys.c (the larger keys), generic_keys.c (problems of one's own),
 * values.c (values cut up and checked), rung.c and set.c.
 * Everyone else includes kernels/rung.h. */
#pragma once

#include "base/err.h"
#include "base/expr.h"
#include "kernels/rung.h"

#include <stdbool.h>
#include <stddef.h>

enum {
  FM_LIST_MAX = 64,      /* parameters, steps, arguments ... of one rung; variants of one file */
  FM_KEYS_MAX = 256,     /* keys in force for one variant */
  FM_VALUE_MAX = 8192,   /* bytes of one value, continuation lines included */
  FM_FILE_MAX = 4 << 20, /* bytes of one source file */
};

/* The key being parsed and the rung that it fills. */
struct fm {
  struct rung *rung;
  const struct rung_key *key;
  const struct fm_key *row; /* of the key */
};

/* When a key is parsed: a later pass may name what an earlier one declares. */
enum fm_pass { FM_PROBLEM, FM_LETS, FM_NAMES, FM_MAPS, FM_REST, FM_PASSES };

struct fm_key {
  const char *name;
  enum fm_pass pass;
  bool repeatable;
  /* value is a copy that the function may cut up.  NULL: the key is for run.json alone. */
  int (*parse)(const struct fm *f, char *value, struct err *e);
  size_t member;        /* of struct rung, where `parse` fills one of several */
  const char *noun;     /* what an expression is, for messages */
  const char *words[2]; /* that the value may be, of a bool: false, true */
};

/* What every expression may name beside the rung's parameters. */
enum { FM_EXTENTS = 3, FM_SCALARS = 9 };
extern const char *const fm_scalars[FM_SCALARS]; /* the extents of the GEMV first */
/* The scalars and buffers of this rung's problem, without its sizes; *n: how many. */
const char *const *fm_rung_scalars(const struct rung *r, size_t *n);
bool fm_holds(const char *const *names, size_t n, const char *name);
/* Of n structs of `size` bytes that begin with their name; the one that is being filled may have none yet. */
bool fm_named(const void *items, size_t n, size_t size, const char *name);
/* Whether it is a scalar, a parameter, a let or a size. */
bool fm_is_value(const struct rung *r, const char *name);

/* NULL: no such key. */
const struct fm_key *fm_key_find(const char *name);
const char *fm_key_nearest(const char *name);

/* The keys of generic problems (generic_keys.c). */
int fm_problem(const struct fm *f, char *value, struct err *e);
int fm_size(const struct fm *f, char *value, struct err *e);
int fm_buffer(const struct fm *f, char *value, struct err *e);
int fm_generic_output(const struct fm *f, char *value, struct err *e);
int fm_generic_constants(const struct fm *f, char *value, struct err *e);
int fm_reference(const struct fm *f, char *value, struct err *e);
int fm_tolerance(const struct fm *f, char *value, struct err *e);
/* ERR_DATA where keys of both kinds of problem are mixed, or a generic one lacks a key. */
int fm_generic_complete(const struct rung *r, struct err *e);

/* The keys of parameters (param_keys.c) and of launches (launch_keys.c). */
int fm_param(const struct fm *f, char *value, struct err *e);
int fm_when(const struct fm *f, char *value, struct err *e);
int fm_let(const struct fm *f, char *value, struct err *e);
/* A let of that name is one of the rung's constants; *found: there is one. */
int fm_constant_let(const struct fm *f, const char *name, bool *found, struct err *e);
/* A launch of a kernel, never a call. */
int fm_launch(const struct fm *f, char *rest, struct rung_launch *l, struct err *e);
int fm_step(const struct fm *f, char *value, struct err *e);
int fm_setup(const struct fm *f, char *value, struct err *e);
int fm_reset(const struct fm *f, char *value, struct err *e);
int fm_scratch(const struct fm *f, char *value, struct err *e);
int fm_tensormap(const struct fm *f, char *value, struct err *e);

/* Parses one file into its variants, appended to *rungs; file and text must outlive them.  On
 * failure *rungs and *n are unchanged. */
int fm_parse(struct rung **rungs, size_t *n, const char *file, const char *text, struct err *e);
void fm_keys_release(struct rung_key *keys, size_t n);
void rung_release(struct rung *r);
/* ERR_DATA for a name in an expression that nothing defines; needs every key of the rung, so a set
 * asks when it is finished. */
int fm_check_names(const struct rung *r, struct err *e);
/* Line of the nth key of that name, 0 where there is none: steps, resets, scratch, tensormaps,
 * whens and paths keep the order of theirs. */
int fm_line(const struct rung *r, const char *key, size_t nth);

/* ERR_DATA "FILE:LINE: key: ..." */
int fm_error(struct err *e, const struct fm *f, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "unknown WHAT 'text'", with the nearest candidate or the whole list. */
int fm_error_unknown(struct err *e, const struct fm *f, const char *what, const char *text,
                     const char *const *candidates, size_t n);
/* Puts one zeroed item of `size` bytes behind the n at *items (items: the address of the list's
 * pointer), and returns it.  NULL, ERR_DATA: the list is full. */
void *fm_append(const struct fm *f, void *items, size_t *n, size_t size, struct err *e);
/* The same of a struct that begins with its name, which nothing else of the rung may have.  NULL,
 * ERR_DATA: something has it. */
void *fm_append_named(const struct fm *f, const char *what, const char *name, void *items, size_t *n, size_t size,
                      struct err *e);
/* An expression in which the rung's lets are written out; raw: as it stands. */
int fm_expr(const struct fm *f, const char *what, const char *text, struct expr **out, struct err *e);
int fm_expr_raw(const struct fm *f, const char *what, const char *text, struct expr **out, struct err *e);
/* A decimal or 0x integer within [min, max]. */
int fm_integer(const struct fm *f, const char *what, const char *text, long min, long max, long *out, struct err *e);
bool fm_is_identifier(const char *text); /* C's */
/* Cuts the next part off *rest at a separator outside brackets, trimmed; NULL at the end. */
char *fm_next(char **rest, char separator);
/* Cuts "EXPR: rest" at its colon (not one that belongs to "?:"); false where there is none. */
bool fm_cut_condition(char *value, char **condition, char **rest);
/* Cuts "NAME = VALUE" and trims both; false where there is no '='. */
bool fm_cut_assignment(char *item, char **name, char **value);
