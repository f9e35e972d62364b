/* The problem: NVFP4 batched GEMV, its inputs, its reference, and the check of a result.
 *
 *   C[m, l] = sum over k of  A[m, k, l] * SFA[m, k/16, l] * B[k, l] * SFB[k/16, l]
 *
 * Storage (every array batch-major, K fastest; "packed": two e2m1 codes a byte, the low nibble first):
 *   A    L x M   x K/2   bytes, packed e2m1
 *   B    L x 128 x K/2   bytes, packed e2m1; row 0 of each batch is the vector, rows 1..127 padding (contest storage)
 *   SFA  L x M   x K/16  bytes, e4m3fn
 *   SFB  L x 128 x K/16  bytes, e4m3fn; row 0 used
 *   C    L x M           fp16
 */
#pragma once

#include "base/err.h"
#include "base/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROBLEM_BLOCK = 16, PROBLEM_PAD_ROWS = 128 };

/* Bytes of each array as stored. */
size_t problem_a_bytes(struct shape s);
size_t problem_b_bytes(struct shape s);
size_t problem_sfa_bytes(struct shape s);
size_t problem_sfb_bytes(struct shape s);
size_t problem_c_bytes(struct shape s);

/* The arrays by the names that front matter and launches give them, inputs first: the one list of them. */
enum { PROBLEM_INPUTS = 4, PROBLEM_BUFFERS };
extern const struct problem_buffer {
  const char *name;
  size_t (*bytes)(struct shape s);
  size_t at;   /* of an input: where struct problem holds its host copy */
  bool scales; /* e4m3fn; else e2m1 codes, or the output */
} problem_buffers[PROBLEM_BUFFERS];
/* NULL: none of that name. */
const struct problem_buffer *problem_buffer_find(const char *name);

/* The 128x4 layout of block scales, which tensor cores read: tiles of 128 rows x 4 scales (64 values of K), 512 bytes each, along K first; within
 * one, row r lies at (r % 32) * 16 + (r / 32) * 4.  Rows and scales beyond the array are padding.
 * Source: NVIDIA cuBLAS documentation, "1D block scaling factors layout". */
enum { PROBLEM_SCALE_TILE = 512 };
size_t problem_blocked_bytes(size_t rows, size_t scales, size_t batches);
/* Where the scale of a row lies in it, bytes. */
size_t problem_blocked_at(size_t rows, size_t scales, size_t batch, size_t row, size_t scale);

/* Bytes that any kernel must move through DRAM once: A + SFA + B + SFB + C, one row of B and of SFB a batch. */
double problem_minimal_bytes(struct shape s);
/* The contest's count: the same with SFB at its 128 stored rows, which reproduces its published speed-of-light table
 * (66,213,888 / 132,673,536 / 33,157,120 bytes at the three benchmark shapes; over 7.68e12 B/s: 8.622 / 17.275 / 4.317 µs). */
double problem_contest_bytes(struct shape s);
/* 2*M*K*L */
double problem_flops(struct shape s);

/* The named shape sets. */
enum { PROBLEM_SHAPE_SETS = 3 };
extern const struct problem_shape_set {
  const char *name;
  const struct shape *shapes;
  size_t n;
} problem_shape_sets[PROBLEM_SHAPE_SETS];
/* NULL: none of that name. */
const struct problem_shape_set *problem_shape_set_find(const char *name);
/* Names of shape sets, MxKxL, comma between.  The list is the caller's to free. */
int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e);

enum problem_inputs {
  INPUTS_DEFAULT, /* all 16 codes, scales log-uniform in [2^-3, 2^3] rounded to e4m3 */
  INPUTS_CONTEST, /* packed bytes 0..3 (every high nibble 0, no negatives), scales {0, 1, 2} */
  INPUTS_EXTREME, /* all 16 codes, every finite e4m3 code (negative scales, zeros and subnormals too) */
};
/* "default", "contest", "extreme"; ERR_USAGE lists them. */
int problem_inputs_parse(enum problem_inputs *out, const char *name, struct err *e);
const char *problem_inputs_name(enum problem_inputs i);

/* Host copies of the inputs, the reference and what the check needs. */
struct problem {
  struct shape shape;
  enum problem_inputs inputs;
  uint64_t seed;
  uint8_t *a, *b, *sfa, *sfb; /* as stored, see above */
  double *ref;                /* L x M: the exact sum, accumulated in double */
  double *mag;                /* L x M: sum of |a*b*sfa*sfb|, the scale of rounding errors */
  /* Largest values over all rows, for a rung's `limits:` */
  double sum_abs_max;       /* max of mag */
  double block_abs_max;     /* largest sum of |a*b*sfa*sfb| over one block of 16 */
  double block_raw_max;     /* the same without the scales */
  double scale_max;         /* largest |sfa| or |sfb| */
  double scale_product_max; /* largest |sfa*sfb| that meets in a block */
};

/* Generates inputs from (inputs, seed), the same bytes on every machine and for every thread count, and computes the reference on
 * `threads` threads (0: one a core).  The caller releases *out with problem_release, also after failure. */
int problem_make(struct problem *out, struct shape s, enum problem_inputs inputs, uint64_t seed, int threads,
                 struct err *e);
void problem_release(struct problem *p);
/* Computes ref, mag and the maxima anew from the arrays as they are (problem_make has called it); allocates ref and mag where they are NULL. */
int problem_reference(struct problem *p, int threads, struct err *e);

/* Exact values of the codes. */
double e2m1_value(unsigned code);   /* 0..15 */
double e4m3fn_value(unsigned code); /* 0..255; 0x7f and 0xff are NaN */
double e4m3fnuz_value(
    unsigned code); /* bias 8, no infinities, 0x80 is NaN: what a kernel that mistakes the format reads */
double fp16_value(uint16_t bits);
uint16_t fp16_from_double(double x); /* round to nearest even */

/* --- the check --- */

/* How a rung accumulates decides how far it may be off (check.c). */
enum accumulate { ACCUMULATE_FP32, ACCUMULATE_FP16_BLOCK, ACCUMULATE_FP16 };
int accumulate_parse(enum accumulate *out, const char *name, struct err *e);
const char *accumulate_name(enum accumulate a);

/* The faults that the check can tell apart: each is a different reading of the same inputs, tried on rows that fail. */
enum fault {
  FAULT_NONE,
  FAULT_UNWRITTEN,    /* the poison is still there */
  FAULT_NAN,          /* NaN where the reference is finite */
  FAULT_NIBBLES,      /* high nibble taken first in one operand */
  FAULT_SCALE_FNUZ,   /* scales read as e4m3fnuz */
  FAULT_SIGN,         /* sign bits of the e2m1 codes dropped */
  FAULT_LAST_BLOCK,   /* the last block of 16 of each row left out */
  FAULT_BATCH_STRIDE, /* batch l > 0 computed with batch 0's operands (A, B or both) */
  FAULT_NO_SCALES,    /* block scales ignored */
  FAULT_UNKNOWN,      /* wrong in no way known here */
};
/* A short name ("nibbles", as in a rung's `wrong:` key) and a sentence for people. */
const char *fault_name(enum fault f);
const char *fault_text(enum fault f);
/* "nibbles" etc. -> fault; ERR_DATA lists them. */
int fault_parse(enum fault *out, const char *name, struct err *e);

/* Every half of C is set to this before a check: a NaN that no arithmetic produces. */
enum { PROBLEM_POISON = 0x7ff1 };

struct check {
  bool pass;
  uint64_t total, failed; /* elements of C */
  double max_error;       /* largest |got - ref| over finite got; absolute */
  double max_ratio;       /* largest |got - ref| / tolerance over finite got: <= 1 passes */
  long row, batch;        /* of the worst element (of the first failing one that is not finite, if any) */
  double got, want;       /* there; got may be NaN */
  bool got_finite;
  enum fault cause; /* FAULT_NONE where it passes */
};

/* Compares c (L x M fp16, as the kernel left it) with the reference.  Contest inputs: |diff| <= 1e-3 + 1e-3*|ref|.  Other inputs:
 * |diff| <= 2^-10*|ref| + eps*mag with eps by accumulate (for fp16-block by K too; check.c derives them), plus half a subnormal of fp16;
 * where |ref| + tolerance rounds to infinity in fp16, the same infinity passes.  Written so that NaN fails.  On failure the cause is sought on
 * up to 64 failing elements. */
void problem_check(struct check *out, const struct problem *p, const uint16_t *c, enum accumulate a);
/* The tolerance at one element, in C's unit. */
double problem_tolerance(const struct problem *p, enum accumulate a, double ref, double mag);
/* The part of it that scales with mag. */
double problem_eps(struct shape s, enum accumulate a);
