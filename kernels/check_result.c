/* The check of a result: how far it may be off, whether it is, and which fault explains it. */
#include "base/text.h"
#include "kernels/problem.h"

#include <math.h>
#include <string.h>

/* --- names --- */

static const char *const accumulate_names[] = {
    [ACCUMULATE_FP32] = "fp32", [ACCUMULATE_FP16_BLOCK] = "fp16-block", [ACCUMULATE_FP16] = "fp16"};

int accumulate_parse(enum accumulate *out, const char *name, struct err *e) {
  enum { N = sizeof accumulate_names / sizeof *accumulate_names };
  size_t i = str_index(accumulate_names, N, name);
  if (i < N)
    *out = (enum accumulate)i;
  return i < N ? 0 : err_set(e, ERR_DATA, "accumulate '%s' is unknown; choose fp32, fp16-block or fp16", name);
}

const char *accumulate_name(enum accumulate a) {
  return accumulate_names[a];
}

static const struct {
  const char *name, *text;
} faults[] = {
    [FAULT_NONE] = {"none", "the result is right"},
    [FAULT_UNWRITTEN] = {"unwritten", "elements of C were never written"},
    [FAULT_NAN] = {"nan", "NaN was written where the exact result is finite"},
    [FAULT_NIBBLES] = {"nibbles", "the high nibble is taken first in one operand"},
    [FAULT_SCALE_FNUZ] = {"scale-fnuz", "scales are read as e4m3fnuz, which halves each, where they are e4m3fn"},
    [FAULT_SIGN] = {"sign", "the sign bits of e2m1 codes are dropped"},
    [FAULT_LAST_BLOCK] = {"last-block", "the last block of 16 of each row is left out"},
    [FAULT_BATCH_STRIDE] = {"batch-stride", "batches after the first read operands at the wrong batch stride"},
    [FAULT_NO_SCALES] = {"no-scales", "block scales are ignored"},
    [FAULT_UNKNOWN] = {"unknown", "the result is wrong, and no known fault explains it"},
};

const char *fault_name(enum fault f) {
  return faults[f].name;
}

const char *fault_text(enum fault f) {
  return faults[f].text;
}

int fault_parse(enum fault *out, const char *name, struct err *e) {
  for (size_t i = FAULT_NONE + 1; i < sizeof faults / sizeof *faults; i++) {
    if (strcmp(name, faults[i].name) == 0) {
      *out = (enum fault)i;
      return 0;
    }
  }
  return err_set(e, ERR_DATA,
                 "fault '%s' is unknown; choose unwritten, nan, nibbles, scale-fnuz, sign, last-block, batch-stride, "
                 "no-scales or unknown",
                 name);
}

/* --- tolerance --- */

/* u = 2^-11 is the unit roundoff of fp16, 2^-24 that of fp32.
 *
 * fp32: products a*b*sfa*sfb have 12 significant bits at most and are exact.  A chain of n additions errs like a random walk, by about
 * sqrt(n) * 2^-24 of mag: 2^-17 for one thread's K = 16384.  2^-16 is twice that.
 *
 * fp16-block: between a product and the fp32 sum lie at most 8 roundings (two scalings, a chain or tree over half a block, two joins), so no
 * block is off by more than 8u of its own magnitude.  K/16 blocks err independently: of mag, the root of the sum of their squares is
 * 8u / sqrt(K/16), and twice that leaves room for blocks of very different scales.  The bound of one block, 8u, holds for any K.
 * Emulated in fp16 on default inputs, three such schemes (scale first, chain, tree; 2048 rows each, K from 64 to 16384) came to 0.27 of this
 * at most.
 *
 * fp16: a running sum of n terms of random sign grows to sqrt(n) terms and is rounded n times, so it errs by about n * u terms: a constant
 * share of mag for any n.  Emulated as above, one thread a row erred by 7.5u at most, 32 threads a row by 1.3u.  16u is twice the worst. */
double problem_eps(struct shape s, enum accumulate a) {
  double blocks = (double)s.k / PROBLEM_BLOCK;
  switch (a) {
  case ACCUMULATE_FP32:
    break;
  case ACCUMULATE_FP16_BLOCK:
    return fmin(0x1p-8, 0x1p-7 / sqrt(blocks));
  case ACCUMULATE_FP16:
    return 0x1p-7;
  }
  return 0x1p-16;
}

double problem_tolerance(const struct problem *p, enum accumulate a, double ref, double mag) {
  /* Writing C rounds by 2^-11 of it, or by half a subnormal; 2^-10 leaves as much again for joining the threads' sums. */
  const double half_subnormal = 0x1p-25;

  if (p->inputs == INPUTS_CONTEST)
    return 1e-3 + 1e-3 * fabs(ref);
  return 0x1p-10 * fabs(ref) + problem_eps(p->shape, a) * mag + half_subnormal;
}

/* --- the check --- */

/* What an element should be: the reference, or what a fault would have made of it. */
struct expected {
  double value, mag;
};

/* From here on, values round to infinity in fp16. */
static const double fp16_overflow = 65520;

/* |got - value| over the tolerance; at most 1 passes.  NaN gives NaN, which is not at most 1. */
static double error_ratio(const struct problem *p, enum accumulate a, double got, struct expected x) {
  double tolerance = problem_tolerance(p, a, x.value, x.mag);
  if (isinf(got) && signbit(got) == signbit(x.value) && fabs(x.value) + tolerance >= fp16_overflow)
    return 0;
  return fabs(got - x.value) / tolerance;
}

static bool element_passes(const struct problem *p, const uint16_t *c, enum accumulate a, size_t i) {
  return error_ratio(p, a, fp16_value(c[i]), (struct expected){p->ref[i], p->mag[i]}) <= 1;
}

enum { SAMPLE_MAX = 64 };

struct sample {
  size_t at[SAMPLE_MAX]; /* elements of C */
  size_t n;
};

/* Spreads the sample evenly over the `count` elements that pass, or that fail. */
static void sample_take(struct sample *s, const struct problem *p, const uint16_t *c, enum accumulate a, bool passing,
                        uint64_t count) {
  uint64_t take = count < SAMPLE_MAX ? count : SAMPLE_MAX, seen = 0;
  s->n = 0;
  for (size_t i = 0; s->n < take; i++) {
    if (element_passes(p, c, a, i) != passing)
      continue;
    if (seen++ == s->n * count / take)
      s->at[s->n++] = i;
  }
}

/* --- faults: other readings of the same inputs --- */

enum operand { OPERAND_A = 1, OPERAND_B = 2, OPERAND_SFA = 4, OPERAND_SFB = 8 };
enum { OPERANDS_SCALE = OPERAND_SFA | OPERAND_SFB, OPERANDS_ALL = 15 };

struct reading {
  enum fault fault;
  unsigned operands; /* those that it befalls */
  /* FAULT_BATCH_STRIDE: batches one row apart, where padding makes them 128; otherwise batch 0 for all */
  bool row_pitch;
};

/* In order of preference where two explain a result equally well. */
static const struct reading readings[] = {
    {FAULT_NIBBLES, OPERAND_A, false},
    {FAULT_NIBBLES, OPERAND_B, false}, /* swapping both changes nothing: the same pairs meet */
    {FAULT_SCALE_FNUZ, OPERANDS_SCALE, false},
    {FAULT_SCALE_FNUZ, OPERAND_SFA, false},
    {FAULT_SCALE_FNUZ, OPERAND_SFB, false},
    {FAULT_SIGN, OPERAND_A | OPERAND_B, false},
    {FAULT_SIGN, OPERAND_A, false},
    {FAULT_SIGN, OPERAND_B, false},
    {FAULT_LAST_BLOCK, OPERANDS_ALL, false},
    {FAULT_BATCH_STRIDE, OPERANDS_ALL, false},
    {FAULT_BATCH_STRIDE, OPERAND_A | OPERAND_SFA, false},
    {FAULT_BATCH_STRIDE, OPERAND_B | OPERAND_SFB, false},
    {FAULT_BATCH_STRIDE, OPERAND_A | OPERAND_B, false},
    {FAULT_BATCH_STRIDE, OPERANDS_SCALE, false},
    {FAULT_BATCH_STRIDE, OPERAND_A, false},
    {FAULT_BATCH_STRIDE, OPERAND_B, false},
    {FAULT_BATCH_STRIDE, OPERAND_SFA, false},
    {FAULT_BATCH_STRIDE, OPERAND_SFB, false},
    {FAULT_BATCH_STRIDE, OPERAND_B | OPERAND_SFB, true},
    {FAULT_BATCH_STRIDE, OPERAND_B, true},
    {FAULT_BATCH_STRIDE, OPERAND_SFB, true},
    {FAULT_NO_SCALES, OPERANDS_SCALE, false},
    {FAULT_NO_SCALES, OPERAND_SFA, false},
    {FAULT_NO_SCALES, OPERAND_SFB, false},
};

/* The row of an operand that element i reads, counted over all batches of its array. */
static size_t reading_row(const struct problem *p, const struct reading *r, size_t i, enum operand operand) {
  size_t m = (size_t)p->shape.m, batch = i / m;
  bool padded = operand == OPERAND_B || operand == OPERAND_SFB;
  bool astray = r->fault == FAULT_BATCH_STRIDE && (r->operands & operand);
  if (padded)
    return !astray ? batch * PROBLEM_PAD_ROWS : r->row_pitch ? batch : 0;
  return astray ? i % m : i;
}

static double reading_code(const struct reading *r, const uint8_t *row, size_t k, enum operand operand) {
  bool befallen = r->operands & operand;
  size_t nibble = befallen && r->fault == FAULT_NIBBLES ? k ^ 1 : k;
  double x = e2m1_value(row[nibble / 2] >> (nibble % 2 * 4) & 15);
  return befallen && r->fault == FAULT_SIGN ? fabs(x) : x;
}

static double reading_scale(const struct reading *r, uint8_t code, enum operand operand) {
  bool befallen = r->operands & operand;
  if (befallen && r->fault == FAULT_NO_SCALES)
    return 1;
  return befallen && r->fault == FAULT_SCALE_FNUZ ? e4m3fnuz_value(code) : e4m3fn_value(code);
}

static struct expected reading_element(const struct problem *p, const struct reading *r, size_t i) {
  size_t blocks = (size_t)(p->shape.k / PROBLEM_BLOCK), row_bytes = (size_t)(p->shape.k / 2);
  const uint8_t *a = p->a + reading_row(p, r, i, OPERAND_A) * row_bytes;
  const uint8_t *b = p->b + reading_row(p, r, i, OPERAND_B) * row_bytes;
  const uint8_t *sfa = p->sfa + reading_row(p, r, i, OPERAND_SFA) * blocks;
  const uint8_t *sfb = p->sfb + reading_row(p, r, i, OPERAND_SFB) * blocks;
  struct expected x = {0, 0};
  if (r->fault == FAULT_LAST_BLOCK)
    blocks--;
  for (size_t block = 0; block < blocks; block++) {
    double scale = reading_scale(r, sfa[block], OPERAND_SFA) * reading_scale(r, sfb[block], OPERAND_SFB);
    for (size_t k = block * PROBLEM_BLOCK; k < (block + 1) * PROBLEM_BLOCK; k++) {
      double product = scale * reading_code(r, a, k, OPERAND_A) * reading_code(r, b, k, OPERAND_B);
      x.value += product;
      x.mag += fabs(product);
    }
  }
  return x;
}

/* The share of a sample that must be explained: the rest may be rounding at the edge of the tolerance. */
static bool mostly(size_t explained, size_t n) {
  return explained * 10 >= n * 9;
}

/* Elements of the sample that a reading explains; 0 as soon as they cannot be most. */
static size_t reading_explains(const struct reading *r, const struct problem *p, const uint16_t *c, enum accumulate a,
                               const struct sample *s) {
  size_t explained = 0;
  for (size_t j = 0; j < s->n; j++) {
    double got = fp16_value(c[s->at[j]]);
    struct expected x = reading_element(p, r, s->at[j]);
    bool fits = isnan(x.value) ? isnan(got) && c[s->at[j]] != PROBLEM_POISON : error_ratio(p, a, got, x) <= 1;
    explained += fits;
    if (!mostly(explained + (s->n - 1 - j), s->n))
      return 0;
  }
  return explained;
}

static enum fault cause_find(const struct problem *p, const uint16_t *c, enum accumulate a, uint64_t failed,
                             uint64_t total) {
  /* A few failing elements may fit a reading by chance: then it must account for those that pass too. */
  enum { FEW = 8 };
  struct sample failing, passing = {.n = 0};
  size_t unwritten = 0, nan = 0, best = 0;
  enum fault cause = FAULT_UNKNOWN;

  sample_take(&failing, p, c, a, false, failed);
  if (failing.n < FEW)
    sample_take(&passing, p, c, a, true, total - failed);
  for (size_t j = 0; j < failing.n; j++) {
    uint16_t bits = c[failing.at[j]];
    unwritten += bits == PROBLEM_POISON;
    nan += bits != PROBLEM_POISON && isnan(fp16_value(bits));
  }
  if (mostly(unwritten, failing.n))
    return FAULT_UNWRITTEN;
  for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
    size_t explained = reading_explains(&readings[i], p, c, a, &failing);
    if (explained <= best || (passing.n > 0 && reading_explains(&readings[i], p, c, a, &passing) == 0))
      continue;
    best = explained;
    cause = readings[i].fault;
  }
  if (cause == FAULT_UNKNOWN && mostly(nan, failing.n))
    return FAULT_NAN;
  return cause;
}

void problem_check(struct check *out, const struct problem *p, const uint16_t *c, enum accumulate a) {
  size_t m = (size_t)p->shape.m, worst = 0;
  bool worst_finite = true;
  *out = (struct check){.total = (uint64_t)p->shape.l * m};
  for (size_t i = 0; i < out->total; i++) {
    double got = fp16_value(c[i]);
    double ratio = error_ratio(p, a, got, (struct expected){p->ref[i], p->mag[i]});
    bool passes = ratio <= 1;
    out->failed += !passes;
    if (!passes && !isfinite(got)) {
      if (worst_finite)
        worst = i;
      worst_finite = false;
    } else if (isfinite(got)) {
      out->max_error = fmax(out->max_error, fabs(got - p->ref[i]));
      if (ratio > out->max_ratio) {
        out->max_ratio = ratio;
        if (worst_finite)
          worst = i;
      }
    }
  }
  out->pass = out->failed == 0;
  out->row = (long)(worst % m);
  out->batch = (long)(worst / m);
  out->got = fp16_value(c[worst]);
  out->got_finite = isfinite(out->got);
  out->want = p->ref[worst];
  out->cause = out->pass ? FAULT_NONE : cause_find(p, c, a, out->failed, out->total);
}
