/* A rung: one .cu file whose front matter (lines "//! key: value" before any code) is its registry row.
 *
 *   problem      gemv (default): the NVFP4 batched GEMV of kernels/problem.h; or generic: sizes and buffers of the file's own (keys below)
 *   id           name, unique over all files ([a-z0-9.-]).  A second id: in a file starts another variant, which inherits every key of the
 *                first that it does not give itself (a param: or let: of the same name replaces that one); an own key without a value only
 *                drops the inherited one, as in "published:".
 *   ladder       the ladder it stands on; "control" and "wrong" are ladders too
 *   parent       id of the rung it steps from; none at the foot of a ladder
 *   side         yes: a step tried and left, drawn beside the trajectory
 *   change       the one change against parent, a phrase
 *   predicts     falsifiable claims, ';' between: "inst < 0.2x; dram_bytes within 5%; bound: issue -> latency"   (judged by analysis)
 *   claim        an author's explanation that counters can judge, as `text [test: EXPR]`   (repeatable)
 *   cures        name of the rule whose remedy this rung applies   (repeatable)
 *   published    DEVICE TIME [geomean|MxKxL] "SOURCE", as: B200 39 us geomean "Yue Zhang, hackathon worklog"; a ~ before TIME marks an
 *                author's own approximation   (repeatable)
 *   param        NAME = DEFAULT [in {A, B, C}], an integer given to the compiler as -DNAME=VALUE   (repeatable)
 *   when         EXPR: NAME = VALUE, ...   other parameter values where EXPR holds; the first that holds wins   (repeatable)
 *   let          NAME = EXPR: a name for a sub-expression, which is written out wherever an expression of the rung uses it.
 *                The order is free; a let may use others, not itself   (repeatable)
 *   constants    names of M, K, L that are compile-time constants, as -DSHAPE_K=16384, and of lets, as -DNAME=VALUE: whole numbers,
 *                worked out once in this order from the parameters, and from then on names like these; compiles once a shape
 *   options      register cap and flags: maxrregcount = N, fast-math, ftz, or a literal option such as --extra-device-vectorization
 *   step         a launch: kernel = NAME; grid = X, Y, Z; block = X, Y, Z; smem = BYTES; cluster = X, Y, Z; args = LIST; when = EXPR.
 *                Several run in order, and their time is the time from the first's start to the last's end   (repeatable)
 *                Or a call of the library that `host` names: call = NAME; args = LIST; when = EXPR   (calls and their arguments: below)
 *   scratch      NAME = BYTES [; fill = BYTE]: a device buffer   (repeatable)
 *   setup        a launch as in step: once, before everything else, outside the measured range   (repeatable)
 *   reset        fill NAME = BYTE, or a launch as in step: before each repetition, outside the measured range   (repeatable)
 *   tensormap    NAME = BUFFER; type = u8|u16|f16|...; dims = ...; strides = ...; box = ...; swizzle = 0|32|64|128; l2 = 0|64|128|256   (repeatable)
 *   sf_layout    plain (default) or 128x4 (the blocked layout of the tensor cores)
 *   accumulate   fp32 (default), fp16-block, fp16: how far it may be off
 *   limits       EXPR over sum_abs_max block_abs_max block_raw_max scale_max scale_product_max contest (1: contest inputs, held to
 *                its flat 1e-3), M, K, L: the inputs it survives; where EXPR is
 *                false the result is OUT OF RANGE, not wrong
 *   output       c (default) or none: a control that computes no C is not checked
 *   wrong        the fault that the checker must name: this rung must be refused (kernels/problem.h)
 *   bytes        EXPR: bytes it must move, where not the problem's minimum;   flops: likewise
 *   needs        EXPR over sm, smem_optin, ...: where it is false the rung is skipped, with the reason
 *   path         EXPR: TEXT   the way it takes on this chip ("cvt.rn.f16x2.e2m1x2" or a fallback); the first that holds   (repeatable)
 *   host         the library that a control's steps call: cublas, cublaslt (opened at run time; where it is absent the rung is skipped)
 *   note         free text   (repeatable)
 *
 * Keys of a generic problem alone (and what they change; accumulate, limits, sf_layout, wrong and host are of the GEMV alone):
 *   size         NAME = VALUE: a size, a number or an expression over the sizes above it; --shape "NAME=VALUE NAME=VALUE" gives others   (repeatable)
 *   buffer       NAME = TYPE[COUNT] [; init = random|iota|zero|file:PATH]: TYPE is fp64 fp32 fp16 bf16, or i or u with 8, 16, 32, 64
 *                (int32 is i32 too); COUNT is elements; random: floats uniform in [-1, 1), integers in [-100, 100], unsigned ones in [0, 100];
 *                iota: 0, 1, 2 ... begun anew where the type stops counting exactly (kernels/generic.h); PATH is raw and little-endian, from
 *                the file's folder.  Without init it must be an output, and is poisoned; an output with one is put back before each check   (repeatable)
 *   output       names of buffers, comma between: what the kernel writes
 *   reference    a launch as in step, whose outputs, made from the same inputs, must be met; or file = PATH: the outputs one after the other,
 *                raw and little-endian.  Without this key nothing is checked, and the table says so
 *   tolerance    ABS REL: |got - want| <= ABS + REL * |want| must hold; default by the output's type (kernels/generic.h)
 *   bytes        default: every buffer once, an output with an init twice;   flops: default 0
 *   constants    names of sizes, as -DSHAPE_NAME=VALUE, and of lets, as -DNAME=VALUE
 *   reset        init NAME puts a buffer back as it was made
 *
 * Names in expressions: M K L (generic: the sizes), each param and let, sms, sm (80, 90, 100, ...), smem_optin, regs_per_sm, warps_per_sm, l2_bytes.
 * args: a b sfa sfb c (generic: the buffers), scratch and tensormap names, and integer expressions (passed as int; "i64(EXPR)" as long long,
 * "f32(EXPR)" as float, "f64(EXPR)" as double); default "a, b, sfa, sfb, c, M, K, L", for  kernel(const uint8_t *a, const uint8_t *b,
 * const uint8_t *sfa, const uint8_t *sfb, __half *c, int M, int K, int L);  generic: the buffers, then the sizes, in their order.
 *
 * Calls, their library and their arguments; rows and columns come from the shape:
 *   gemm          cublas    MATRIX, VECTOR, OUTPUT: L products of an MxK matrix (fp16, K fastest) and a vector (fp16), as a matrix product of
 *                           one column; fp32 arithmetic, fp16 output
 *   gemv          cublas    the same as matrix-vector products at equal strides
 *   gemv-batched  cublas    the same as matrix-vector products at an array of addresses
 *   gemm-int8     cublas    MATRIX, VECTORS, OUTPUT, COLUMNS: L products of an MxK matrix (int8, K fastest) and COLUMNS vectors (int8, one after the
 *                           other), int32 output, a column of M after the other; M is a multiple of 4
 *   fp4           cublaslt  A, B, SFA, SFB, OUTPUT, COLUMNS: L products of A and COLUMNS rows of B, scales in the 128x4 layout; OUTPUT is
 *                           L x COLUMNS x M fp16, of which the first M of each batch are the result
 */
#pragma once

#include "base/err.h"
#include "base/expr.h"
#include "base/shape.h"
#include "kernels/problem.h"

#include <stdbool.h>
#include <stddef.h>

enum { RUNG_DIMS = 3, RUNG_TENSOR_RANK = 5, RUNG_SIZES_MAX = 8 };

/* What an array of a generic problem holds. */
enum element {
  ELEMENT_FP64,
  ELEMENT_FP32,
  ELEMENT_FP16,
  ELEMENT_BF16,
  ELEMENT_I64,
  ELEMENT_I32,
  ELEMENT_I16,
  ELEMENT_I8,
  ELEMENT_U64,
  ELEMENT_U32,
  ELEMENT_U16,
  ELEMENT_U8,
  ELEMENTS
};
enum rung_init { INIT_NONE, INIT_RANDOM, INIT_IOTA, INIT_ZERO, INIT_FILE }; /* NONE: an output, poisoned */

struct rung_key {
  char *key, *value;
  int line; /* in its file, from 1 */
};

struct rung_param {
  char *name;
  long value;
  long *choices; /* the set to tune over; n_choices = 0: not tunable */
  size_t n_choices;
};

struct rung_let {
  char *name;
  struct expr *value; /* as it was written: lets in it by their names */
};

struct rung_assign {
  char *name;
  long value;
};

struct rung_when {
  struct expr *condition;
  struct rung_assign *assigns;
  size_t n_assigns;
};

struct rung_path {
  struct expr *condition;
  char *text;
};

enum rung_call { CALL_NONE, CALL_GEMM, CALL_GEMV, CALL_GEMV_BATCHED, CALL_GEMM_INT8, CALL_FP4, CALLS };
/* The library whose call it is: "cublas"; NULL for CALL_NONE. */
const char *rung_call_host(enum rung_call c);

enum rung_arg_kind { ARG_BUFFER, ARG_TENSORMAP, ARG_INT, ARG_INT64, ARG_FLOAT, ARG_DOUBLE };

struct rung_arg {
  enum rung_arg_kind kind;
  char *name;        /* buffer or tensormap */
  struct expr *expr; /* the numbers */
};

struct rung_launch {
  char *kernel;                                                         /* or the name of the call */
  enum rung_call call;                                                  /* CALL_NONE: a kernel */
  struct expr *grid[RUNG_DIMS], *block[RUNG_DIMS], *cluster[RUNG_DIMS]; /* NULL: 1 (cluster: none) */
  struct expr *smem;                                                    /* dynamic shared memory, bytes; NULL: 0 */
  struct expr *condition;                                               /* when = ...; NULL: always */
  struct rung_arg *args;                                                /* n_args = 0: the default list */
  size_t n_args;
};

struct rung_size { /* of a generic problem */
  char *name;
  struct expr *value;
};

struct rung_buffer {
  char *name;
  enum element type;
  struct expr *count; /* elements */
  enum rung_init init;
  char *path; /* INIT_FILE: from the source file's folder */
  bool output;
};

struct rung_reset {
  char *init_buffer; /* generic: put back as it was made; NULL: not this */
  char *fill_buffer; /* NULL: a launch */
  int fill_byte;
  struct rung_launch launch;
};

struct rung_scratch {
  char *name;
  struct expr *bytes;
  int fill; /* byte it is filled with when made; -1: the poison 0xff */
};

struct rung_tensormap {
  char *name, *buffer, *type;
  struct expr *dims[RUNG_TENSOR_RANK], *strides[RUNG_TENSOR_RANK],
      *box[RUNG_TENSOR_RANK];      /* elements; strides in bytes, from dim 1 */
  int rank, swizzle, l2_promotion; /* bytes; 0: none */
};

struct rung_published {
  char *device, *what, *source; /* what: "geomean" or a shape */
  double time_ns;
  bool approximate; /* ≈ in the original */
};

struct rung {
  char *id, *ladder, *parent, *change; /* parent, change: NULL where there is none */
  char *predicts;                      /* NULL where there is none; judged by analysis */
  bool side;
  struct rung_published *published;
  size_t n_published;
  struct rung_param *params;
  size_t n_params;
  struct rung_let *lets;
  size_t n_lets;
  struct rung_when *whens;
  size_t n_whens;
  struct rung_path *paths;
  size_t n_paths;
  bool constant_m, constant_k, constant_l;
  /* The lets that constants names: the compiler gets their values, earlier lets written out */
  struct rung_let *constant_lets;
  size_t n_constant_lets;
  int max_registers; /* 0: no cap */
  bool fast_math, ftz;
  char **options; /* literal compiler options */
  size_t n_options;
  struct rung_launch *steps;
  size_t n_steps;
  struct rung_launch *setups;
  size_t n_setups;
  struct rung_reset *resets;
  size_t n_resets;
  struct rung_scratch *scratch;
  size_t n_scratch;
  struct rung_tensormap *tensormaps;
  size_t n_tensormaps;
  bool sf_blocked; /* sf_layout: 128x4 */
  enum accumulate accumulate;
  struct expr *limits, *needs, *bytes, *flops; /* NULL: none */
  bool writes_c;                               /* output: c */
  bool generic;                                /* problem: generic; what follows is its own */
  struct rung_size *sizes;
  size_t n_sizes;
  struct rung_buffer *buffers;
  size_t n_buffers;
  bool constant_sizes[RUNG_SIZES_MAX]; /* by index into sizes */
  struct rung_launch *reference;       /* NULL: none */
  char *reference_path;                /* NULL: none; from the source file's folder */
  bool has_tolerance;
  double tolerance_abs, tolerance_rel;
  enum fault wrong;      /* FAULT_NONE: must pass */
  char *host;            /* the library that steps call; NULL: none */
  struct rung_key *keys; /* all keys in force, in order, inherited ones too: for run.json */
  size_t n_keys;
  const char *file;   /* its name, for messages; owned by the set */
  const char *source; /* its text; owned by the set */
};

struct rung_set {
  /* In ladder order: a parent before its children, sides after the rung they leave; files by name otherwise */
  struct rung *rungs;
  size_t n;
  struct rung_file {
    char *name, *text; /* headers (.cuh) too: the compiler is given every file of the set */
    bool header;
  } * files;
  size_t n_files;
};

/* Adds one file to the set.  A header is kept for the compiler; a .cu without front matter is ERR_DATA.  Errors read
 * "FILE:LINE: key: what is wrong; the remedy", for an unknown key with the nearest known one. */
int rung_set_add(struct rung_set *set, const char *name, const char *text, struct err *e);
/* Whether a source has front matter (a known key); one without says nothing of its launch. */
bool rung_described(const char *text);
/* All embedded kernels (folder NULL), or every .cu and .cuh below a folder. */
int rung_set_load(struct rung_set *set, const char *folder, struct err *e);
/* Checks what only the whole set can tell: ids unique, parents known and on the same ladder, no circle; then orders it.  rung_set_load has
 * called it. */
int rung_set_finish(struct rung_set *set, struct err *e);
void rung_set_release(struct rung_set *set);
const struct rung *rung_find(const struct rung_set *set, const char *id); /* NULL: none */
/* Marks in chosen[set->n] what a list of ids and globs names ("all" is every rung but the wrong ones; a ladder's name is its rungs).
 * ERR_USAGE names the item that matches nothing and the nearest id. */
int rung_select(const struct rung_set *set, const char *list, bool *chosen, struct err *e);

/* --- a rung at a shape on a chip: every expression evaluated --- */

struct rung_chip {
  int sm;  /* 80, 90, 100, 120 ... */
  int sms; /* streaming multiprocessors */
  long smem_optin, regs_per_sm, warps_per_sm, l2_bytes;
};

struct plan_arg {
  enum rung_arg_kind kind;
  const char *name; /* buffer or tensormap */
  long long value;  /* ARG_INT, ARG_INT64 */
  double real;      /* ARG_FLOAT, ARG_DOUBLE */
};

struct plan_launch {
  const char *kernel;                                             /* or the name of the call */
  enum rung_call call;                                            /* CALL_NONE: a kernel; else only args are set */
  unsigned grid[RUNG_DIMS], block[RUNG_DIMS], cluster[RUNG_DIMS]; /* cluster[0] = 0: none */
  unsigned smem;                                                  /* dynamic, bytes */
  struct plan_arg *args;
  size_t n_args;
};

struct plan_reset {
  const char *init_buffer; /* NULL: not this */
  const char *fill_buffer; /* NULL: a launch */
  int fill_byte;
  struct plan_launch launch;
};

struct plan_buffer {
  const char *name;
  size_t bytes;
  int fill; /* byte */
};

struct plan_array { /* a buffer of a generic problem */
  const struct rung_buffer *buffer;
  size_t count, bytes;
};

struct plan_tensormap {
  const struct rung_tensormap *map;
  unsigned long long dims[RUNG_TENSOR_RANK], strides[RUNG_TENSOR_RANK];
  unsigned box[RUNG_TENSOR_RANK];
};

struct rung_plan {
  const struct rung *rung;
  struct shape shape;
  bool runnable;              /* false: skipped, and reason says why */
  char *reason;               /* needs: not met, a launch beyond the chip's limits */
  const char *path;           /* which way it takes; NULL: there is one */
  struct rung_assign *params; /* names owned by the rung; what the compiler is given */
  size_t n_params;
  char **defines; /* "-DNAME=VALUE" */
  size_t n_defines;
  struct plan_launch *steps;
  size_t n_steps;
  struct plan_launch *setups;
  size_t n_setups;
  struct plan_reset *resets;
  size_t n_resets;
  struct plan_buffer *scratch;
  size_t n_scratch;
  struct plan_tensormap *tensormaps;
  size_t n_tensormaps;
  struct plan_array *arrays; /* of a generic problem, in the order of rung->buffers */
  size_t n_arrays;
  struct plan_launch *reference; /* NULL: none */
  double bytes, flops;           /* declared: what must move, what is computed */
};

/* Evaluates a rung.  A rung that cannot run here is no error (runnable = false); an expression that fails is ERR_DATA with file and line.
 * The caller releases *out, also after failure; the rung must outlive it. */
int rung_plan(struct rung_plan *out, const struct rung *r, struct shape s, const struct rung_chip *chip, struct err *e);
void rung_plan_release(struct rung_plan *p);
/* The shape that a generic rung is planned at: the sizes that `given` names, the front matter's for the rest, in the rung's order.  ERR_USAGE names a
 * size that the rung does not have. */
int rung_sizes(struct shape *out, const struct rung *r, const struct shape *given, struct err *e);
/* Whether a step calls a library, which launches as many kernels as it likes. */
bool rung_plan_calls(const struct rung_plan *p);
/* Whether the inputs lie within the rung's limits (true where it gives none). */
int rung_in_limits(const struct rung *r, const struct problem *p, bool *inside, struct err *e);
