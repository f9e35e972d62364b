/* The keys that describe what is launched, and on what: step, setup, reset, scratch, tensormap. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { BYTE_MAX = 255 };

/* Room for the names of every buffer: the GEMV's or the problem's own, and scratch. */
enum { BUFFER_NAMES_MAX = PROBLEM_BUFFERS + 2 * FM_LIST_MAX };

/* Every buffer that the rung may name; returns their number.  The first *n_inputs must stay as they are. */
static size_t buffer_names(const struct rung *r, const char *names[BUFFER_NAMES_MAX], size_t *n_inputs) {
  size_t n = 0;
  for (size_t i = 0; i < PROBLEM_BUFFERS && !r->generic; i++)
    names[n++] = problem_buffers[i].name;
  for (size_t i = 0; i < r->n_buffers; i++)
    names[n++] = r->buffers[i].name;
  /* What a problem's own buffers are for is known only where all keys are read: a reset may fill each. */
  *n_inputs = r->generic ? 0 : PROBLEM_INPUTS;
  for (size_t i = 0; i < r->n_scratch; i++)
    names[n++] = r->scratch[i].name;
  return n;
}

/* A list of 1 to max expressions; *n is their number. */
static int expr_list(const struct fm *f, const char *what, char *list, struct expr **out, int max, int *n,
                     struct err *e) {
  char *item;
  *n = 0;
  while ((item = fm_next(&list, ','))) {
    if (*n == max)
      return fm_error(e, f, "%s has more than %d values; take some out", what, max);
    int rc = fm_expr(f, what, item, &out[*n], e);
    if (rc)
      return rc;
    ++*n;
  }
  return 0;
}

/* --- step --- */

static int arg_parse(const struct fm *f, char *item, struct rung_arg *a, struct err *e) {
  const struct rung *r = f->rung;
  static const struct {
    const char *open;
    enum rung_arg_kind kind;
  } casts[] = {{"i64(", ARG_INT64}, {"f32(", ARG_FLOAT}, {"f64(", ARG_DOUBLE}};
  const char *names[BUFFER_NAMES_MAX + FM_LIST_MAX];
  size_t inputs, n = buffer_names(r, names, &inputs), length = strlen(item);
  if (fm_holds(names, n, item)) {
    a->kind = ARG_BUFFER;
    a->name = str_copy(item);
    return 0;
  }
  for (size_t i = 0; i < r->n_tensormaps; i++)
    names[n++] = r->tensormaps[i].name;
  if (fm_holds(names, n, item)) {
    a->kind = ARG_TENSORMAP;
    a->name = str_copy(item);
    return 0;
  }
  if (fm_is_identifier(item) && !fm_is_value(r, item))
    return fm_error_unknown(e, f, "buffer or parameter", item, names, n);
  a->kind = ARG_INT;
  for (size_t i = 0; i < sizeof casts / sizeof *casts; i++) {
    if (strncmp(item, casts[i].open, 4) != 0 || item[length - 1] != ')')
      continue;
    a->kind = casts[i].kind;
    item[length - 1] = '\0';
    item = str_trim(item + 4);
    break;
  }
  return fm_expr(f, "argument", item, &a->expr, e);
}

static int args_parse(const struct fm *f, char *list, struct rung_launch *l, struct err *e) {
  char *item;
  while ((item = fm_next(&list, ','))) {
    struct rung_arg *a = fm_append(f, &l->args, &l->n_args, sizeof *a, e);
    int rc = a ? arg_parse(f, item, a, e) : ERR_DATA;
    if (rc)
      return rc;
  }
  return 0;
}

/* The calls of libraries that may stand in a step, and the arguments that each takes. */
static const struct call {
  const char *name, *host;
  const char *args; /* what they are */
  size_t n_buffers, n_integers;
} calls[CALLS] = {
    [CALL_GEMM] = {"gemm", "cublas", "MATRIX, VECTOR, OUTPUT", 3, 0},
    [CALL_GEMV] = {"gemv", "cublas", "MATRIX, VECTOR, OUTPUT", 3, 0},
    [CALL_GEMV_BATCHED] = {"gemv-batched", "cublas", "MATRIX, VECTOR, OUTPUT", 3, 0},
    [CALL_GEMM_INT8] = {"gemm-int8", "cublas", "MATRIX, VECTORS, OUTPUT, columns", 3, 1},
    [CALL_FP4] = {"fp4", "cublaslt", "A, B, SFA, SFB, OUTPUT, columns", 5, 1},
};

const char *rung_call_host(enum rung_call c) {
  return calls[c].host;
}

static int call_find(const struct fm *f, const char *name, struct rung_launch *l, struct err *e) {
  const char *names[CALLS - 1];
  for (enum rung_call c = CALL_NONE + 1; c < CALLS; c++) {
    names[c - 1] = calls[c].name;
    if (strcmp(calls[c].name, name) == 0) {
      l->call = c;
      free(l->kernel); /* a call with a kernel is refused once all its fields are known */
      l->kernel = str_copy(name);
      return 0;
    }
  }
  return fm_error_unknown(e, f, "call", name, names, CALLS - 1);
}

static int call_args_check(const struct fm *f, const struct rung_launch *l, struct err *e) {
  const struct call *c = &calls[l->call];
  bool right = l->n_args == c->n_buffers + c->n_integers;
  for (size_t i = 0; i < l->n_args && right; i++)
    right = l->args[i].kind == (i < c->n_buffers ? ARG_BUFFER : ARG_INT);
  return right ? 0
               : fm_error(e, f, "the arguments of %s are %s: %zu buffers and %zu integers; write them as args = LIST",
                          c->name, c->args, c->n_buffers, c->n_integers);
}

enum launch_field {
  LAUNCH_KERNEL, /* up to LAUNCH_BLOCK: what every kernel needs; up to LAUNCH_CLUSTER: what no call has */
  LAUNCH_GRID,
  LAUNCH_BLOCK,
  LAUNCH_SMEM,
  LAUNCH_CLUSTER,
  LAUNCH_ARGS,
  LAUNCH_WHEN,
  LAUNCH_CALL,
  LAUNCH_FIELDS
};
static const char *const launch_fields[] = {"kernel", "grid", "block", "smem", "cluster", "args", "when", "call"};

static int launch_field(const struct fm *f, enum launch_field field, char *value, struct rung_launch *l,
                        struct err *e) {
  int n = 0;
  switch (field) {
  case LAUNCH_KERNEL:
    free(l->kernel);
    l->kernel = str_copy(value);
    return fm_is_identifier(value) ? 0 : fm_error(e, f, "kernel '%.80s' is not a name; declare it extern \"C\"", value);
  case LAUNCH_GRID:
    return expr_list(f, "grid", value, l->grid, RUNG_DIMS, &n, e);
  case LAUNCH_BLOCK:
    return expr_list(f, "block", value, l->block, RUNG_DIMS, &n, e);
  case LAUNCH_CLUSTER:
    return expr_list(f, "cluster", value, l->cluster, RUNG_DIMS, &n, e);
  case LAUNCH_SMEM:
    return fm_expr(f, "smem", value, &l->smem, e);
  case LAUNCH_ARGS:
    return args_parse(f, value, l, e);
  case LAUNCH_WHEN:
    return fm_expr(f, "when", value, &l->condition, e);
  case LAUNCH_CALL:
    return call_find(f, value, l, e);
  case LAUNCH_FIELDS:
    break;
  }
  return 0;
}

/* Cuts "NAME = VALUE; NAME = VALUE ..." one field at a time: *index among `fields`, *value its text; 0 at the end (*value NULL). */
static int field_next(const struct fm *f, char **rest, const char *const *fields, size_t n, bool *given, size_t *index,
                      char **value, struct err *e) {
  char *item = NULL, *name;
  *value = NULL;
  do
    item = fm_next(rest, ';');
  while (item && !*item);
  if (!item)
    return 0;
  if (!fm_cut_assignment(item, &name, value))
    return fm_error(e, f, "'%.80s' is not of the form NAME = VALUE", item);
  *index = str_index(fields, n, name);
  if (*index == n)
    return fm_error_unknown(e, f, "field", name, fields, n);
  if (given[*index])
    return fm_error(e, f, "%s is given twice; keep one", name);
  given[*index] = true;
  return 0;
}

static int launch_parse(const struct fm *f, char *rest, struct rung_launch *l, struct err *e) {
  bool given[LAUNCH_FIELDS] = {false};
  char *value;
  for (;;) {
    size_t field = 0;
    int rc = field_next(f, &rest, launch_fields, LAUNCH_FIELDS, given, &field, &value, e);
    if (rc == 0 && value)
      rc = launch_field(f, (enum launch_field)field, value, l, e);
    if (rc)
      return rc;
    if (!value)
      break;
  }
  for (size_t i = LAUNCH_KERNEL; l->call && i <= LAUNCH_CLUSTER; i++)
    if (given[i])
      return fm_error(e, f, "a call has no %s; write call = NAME; args = LIST", launch_fields[i]);
  for (size_t i = LAUNCH_KERNEL; !l->call && i <= LAUNCH_BLOCK; i++)
    if (!given[i])
      return fm_error(e, f, "no %s; write kernel = NAME; grid = X, Y, Z; block = X, Y, Z", launch_fields[i]);
  return l->call ? call_args_check(f, l, e) : 0;
}

int fm_launch(const struct fm *f, char *rest, struct rung_launch *l, struct err *e) {
  int rc = launch_parse(f, rest, l, e);
  return rc == 0 && l->call ? fm_error(e, f, "only a step may call a library; launch a kernel here") : rc;
}

int fm_setup(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  struct rung_launch *l = fm_append(f, &r->setups, &r->n_setups, sizeof *l, e);
  return l ? fm_launch(f, value, l, e) : ERR_DATA;
}

int fm_step(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  struct rung_launch *l = fm_append(f, &r->steps, &r->n_steps, sizeof *l, e);
  return l ? launch_parse(f, value, l, e) : ERR_DATA;
}

/* --- buffers --- */

int fm_reset(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *name, *number;
  const char *names[BUFFER_NAMES_MAX];
  size_t inputs, n = buffer_names(r, names, &inputs);
  long byte = 0;
  struct rung_reset *reset = fm_append(f, &r->resets, &r->n_resets, sizeof *reset, e);
  if (!reset)
    return ERR_DATA;
  if (r->generic && strncmp(value, "init ", 5) == 0) {
    name = str_trim(value + 5);
    reset->init_buffer = str_copy(name);
    return fm_holds(names, r->n_buffers, name) ? 0 : fm_error_unknown(e, f, "buffer", name, names, r->n_buffers);
  }
  if (strncmp(value, "fill ", 5) != 0)
    return fm_launch(f, value, &reset->launch, e);
  if (!fm_cut_assignment(value + 5, &name, &number))
    return fm_error(e, f, "expected fill NAME = BYTE, or a launch as in step");
  if (fm_holds(names, inputs, name))
    return fm_error(e, f, "%s is an input and must not be overwritten; fill c or a scratch buffer", name);
  if (!fm_holds(names, n, name))
    return fm_error_unknown(e, f, "buffer", name, names + inputs, n - inputs);
  reset->fill_buffer = str_copy(name);
  int rc = fm_integer(f, "byte", number, 0, BYTE_MAX, &byte, e);
  reset->fill_byte = (int)byte;
  return rc;
}

int fm_scratch(const struct fm *f, char *value, struct err *e) {
  static const char *const fields[] = {"fill"};
  struct rung *r = f->rung;
  bool given[1] = {false};
  char *first = fm_next(&value, ';'), *name, *bytes, *number = NULL;
  size_t field = 0;
  long fill = -1;
  if (!fm_cut_assignment(first, &name, &bytes))
    return fm_error(e, f, "expected NAME = BYTES [; fill = BYTE]");
  struct rung_scratch *s = fm_append_named(f, "scratch buffer", name, &r->scratch, &r->n_scratch, sizeof *s, e);
  if (!s)
    return ERR_DATA;
  int rc = fm_expr(f, "bytes", bytes, &s->bytes, e);
  do {
    if (rc == 0)
      rc = field_next(f, &value, fields, 1, given, &field, &number, e);
    if (rc == 0 && number)
      rc = fm_integer(f, "fill", number, 0, BYTE_MAX, &fill, e);
  } while (rc == 0 && number);
  s->fill = (int)fill;
  return rc;
}

/* --- tensormap --- */

enum map_field { MAP_TYPE, MAP_DIMS, MAP_STRIDES, MAP_BOX, MAP_SWIZZLE, MAP_L2, MAP_FIELDS };
static const char *const map_fields[] = {"type", "dims", "strides", "box", "swizzle", "l2"};

/* One of 0, 32, 64, 128, 256 that does not exceed max. */
static int map_bytes(const struct fm *f, const char *what, const char *value, long min, long max, int *out,
                     struct err *e) {
  long bytes = 0;
  int rc = fm_integer(f, what, value, 0, max, &bytes, e);
  if (rc == 0 && bytes && (bytes < min || (bytes & (bytes - 1))))
    rc = fm_error(e, f, "%s %ld must be 0 or a power of two from %ld to %ld", what, bytes, min, max);
  *out = (int)bytes;
  return rc;
}

static int map_field(const struct fm *f, enum map_field field, char *value, struct rung_tensormap *t, int counts[],
                     struct err *e) {
  static const char *const types[] = {"u8", "u16", "u32", "i32", "u64", "i64", "f16", "bf16", "f32", "f64"};
  switch (field) {
  case MAP_TYPE:
    t->type = str_copy(value);
    return fm_holds(types, sizeof types / sizeof *types, value)
               ? 0
               : fm_error_unknown(e, f, "type", value, types, sizeof types / sizeof *types);
  case MAP_DIMS:
    return expr_list(f, "dims", value, t->dims, RUNG_TENSOR_RANK, &counts[field], e);
  case MAP_STRIDES:
    return expr_list(f, "strides", value, t->strides, RUNG_TENSOR_RANK - 1, &counts[field], e);
  case MAP_BOX:
    return expr_list(f, "box", value, t->box, RUNG_TENSOR_RANK, &counts[field], e);
  case MAP_SWIZZLE:
    return map_bytes(f, "swizzle", value, 32, 128, &t->swizzle, e);
  case MAP_L2:
    return map_bytes(f, "l2", value, 64, 256, &t->l2_promotion, e);
  case MAP_FIELDS:
    break;
  }
  return 0;
}

int fm_tensormap(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  const char *names[BUFFER_NAMES_MAX];
  bool given[MAP_FIELDS] = {false};
  int counts[MAP_FIELDS] = {0};
  char *first = fm_next(&value, ';'), *name, *buffer, *text = NULL;
  if (!fm_cut_assignment(first, &name, &buffer))
    return fm_error(e, f, "expected NAME = BUFFER; type = ...; dims = ...; strides = ...; box = ...");
  size_t inputs, n = buffer_names(r, names, &inputs);
  struct rung_tensormap *t = fm_append_named(f, "tensormap", name, &r->tensormaps, &r->n_tensormaps, sizeof *t, e);
  if (!t)
    return ERR_DATA;
  t->buffer = str_copy(buffer);
  int rc = fm_holds(names, n, buffer) ? 0 : fm_error_unknown(e, f, "buffer", buffer, names, n);
  do {
    size_t field = 0;
    if (rc == 0)
      rc = field_next(f, &value, map_fields, MAP_FIELDS, given, &field, &text, e);
    if (rc == 0 && text)
      rc = map_field(f, (enum map_field)field, text, t, counts, e);
  } while (rc == 0 && text);
  if (rc)
    return rc;
  t->rank = counts[MAP_DIMS];
  if (!given[MAP_TYPE] || !given[MAP_DIMS] || !given[MAP_BOX])
    return fm_error(e, f, "type, dims and box must be given");
  if (counts[MAP_BOX] != t->rank || counts[MAP_STRIDES] != t->rank - 1)
    return fm_error(e, f, "dims has %d values, so box must have %d and strides %d (from dim 1 on); they have %d and %d",
                    t->rank, t->rank, t->rank - 1, counts[MAP_BOX], counts[MAP_STRIDES]);
  return 0;
}
