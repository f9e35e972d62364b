/* Rules on instruction sequences that the SASS shows, with the counts of each. */
#include "analysis/advice/about.h"
#include "analysis/advice/division.h"
#include "analysis/advice/rule_tools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-6;

static double divisions(const struct rule_input *in) {
  return fmin(executed_of(in, "I2F", "RP"), executed_of(in, "MUFU", "RCP"));
}

/* Of 64-bit numbers that fit 32: the longer way stands in the code beside the one that is taken. */
static bool are_wide(const struct rule_input *in) {
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (strcmp(x->opcode, "I2F") == 0 && sass_modifier(x, "RP") && (sass_modifier(x, "U64") || sass_modifier(x, "S64")))
      return true;
  }
  return false;
}

/* Warp instructions. */
struct dividing {
  double n;                   /* divisions and remainders */
  double more;                /* beyond these, by divisors whose reciprocals they share */
  double xu, fma, alu, insts; /* all that they take */
};

/* A division has an IMAD.HI for its reciprocal and one for its quotient. */
static void dividing_of(struct dividing *out, const struct rule_input *in) {
  double n = divisions(in), more = executed_of(in, "IMAD", "HI") - 2 * n, wide = are_wide(in) ? n : 0;
  more = more > ROUNDING * n ? more : 0; /* counts that are estimated are fractions */
  double with_sign = n > 0 ? fmax(1 - executed_of(in, "I2F", "U32") / n, 0) : 0; /* part of them */
  *out = (struct dividing){.n = n, .more = more, .xu = n * DIVISION_XU};
  out->fma = n * (DIVISION_FMA + with_sign * SIGNED_FMA) + more * (QUOTIENT_FMA + with_sign * SIGNED_QUOTIENT_FMA) +
             wide * WIDE_FMA;
  out->alu = n * (DIVISION_ALU + with_sign * SIGNED_ALU) + more * (QUOTIENT_ALU + with_sign * SIGNED_QUOTIENT_ALU) +
             wide * WIDE_ALU;
  out->insts = out->xu + out->fma + out->alu + wide * WIDE_BRANCHES;
}

RULE_ROW(100, integer_division, "integer-division", "integer division", false);
bool rule_integer_division(const struct rule_input *in, struct advice *out) {
  double insts = rule_value(in, "inst_executed", 0);
  struct dividing x;
  dividing_of(&x, in);
  if (x.n <= 0 || insts <= 0)
    return false;
  evidence_add(out, "integer divisions (I2F.RP with MUFU.RCP)", "inst", value_of(x.n));
  if (x.more > 0)
    evidence_add(out, "further quotients by the same divisors (IMAD.HI)", "inst", value_of(x.more));
  evidence_metric(out, in, "xu_share");
  evidence_needs(out, in, "XU pipe's share of the time", BOUND_XU);
  out->sentence =
      pool_printf(in->pool, "%s warp-level integer divisions or remainders take %.0f %% of the instructions",
                  count_words(in, x.n + x.more), 100 * fmin(x.insts / insts, 1));
  out->remedy = DIVISION_REMEDY;
  return true;
}

/* A multiplication, on the FMA pipe, and a shift are left of each. */
void change_integer_division(const struct rule_input *in, struct workload *w) {
  struct dividing x;
  dividing_of(&x, in);
  double left = x.n + x.more;
  value_scale(&w->xu, part_kept(x.xu, rule_value(in, "pipe_xu", 0)));
  value_scale(&w->fma, part_kept(x.fma - left, rule_value(in, "pipe_fma", 0)));
  value_scale(&w->fma_heavy, part_kept(x.fma - left, rule_value(in, "pipe_fmaheavy", 0)));
  value_scale(&w->alu, part_kept(x.alu - left, rule_value(in, "pipe_alu", 0)));
  value_lessen(&w->dependencies_s, xu_waits(in, x.xu));
  work_fewer_insts(in, w, x.insts - left * MULTIPLY_SHIFT);
}

/* On the XU, without those of divisions, which have two each, and those to and from fp64, which are fp64's to say. */
static double conversions(const struct rule_input *in) {
  double fp64 = 0;
  static const char *const opcodes[] = {"F2F", "F2I", "I2F"};
  for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++)
    fp64 += executed_of(in, opcodes[i], "F64");
  return fmax(executed_in(in, SASS_CONVERT, PIPE_XU) - fp64 - 2 * divisions(in), 0);
}

RULE_ROW(110, conversions, "conversions", "conversions on the XU pipe", false);
bool rule_conversions(const struct rule_input *in, struct advice *out) {
  double n = conversions(in), xu = rule_value(in, "pipe_xu", 0);
  if (n <= 0)
    return false;
  evidence_add(out, "conversions on the XU pipe", "inst", value_of(n));
  evidence_metric(out, in, "pipe_xu");
  evidence_needs(out, in, "XU pipe's share of the time", BOUND_XU);
  out->sentence = pool_printf(
      in->pool,
      "%s conversions (I2F, F2I, F2F) are %.0f %% of the work of the XU pipe, which takes 16 lanes per cycle and SM",
      count_words(in, n), 100 * fmin(n / xu, 1));
  out->remedy =
      "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist";
  out->at = about_place(in, about_converts);
  return true;
}

static bool is_bits(const struct sass_inst *x) {
  return x->class == SASS_INTEGER || x->class == SASS_LOGIC;
}

static bool is_conversion(const struct sass_inst *x) {
  return x->class == SASS_CONVERT && x->pipe == PIPE_XU && !sass_modifier(x, "F64") && !sass_modifier(x, "RP");
}

/* Integer and logic instructions that cut values out of words for conversions, and that put converted ones together. */
struct around_conversions {
  double cut, packed;
};

/* Marks what instruction i reads of integer and logic instructions, and what these read. */
static void cutters_mark(struct sass *s, size_t i, bool *is_cutter, int deep) {
  enum { CUT_MOST = 3 }; /* shift, mask, offset */
  struct sass_producer from[SASS_READS_MAX];
  size_t n = deep < CUT_MOST ? sass_producers(s, i, from, SASS_READS_MAX) : 0;
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (is_bits(&s->insts[from[k].inst]) && !is_cutter[from[k].inst]) {
      is_cutter[from[k].inst] = true;
      cutters_mark(s, from[k].inst, is_cutter, deep + 1);
    }
}

static bool packs_converted(struct sass *s, size_t i) {
  struct sass_producer from[SASS_READS_MAX];
  size_t n = is_bits(&s->insts[i]) ? sass_producers(s, i, from, SASS_READS_MAX) : 0;
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (is_conversion(&s->insts[from[k].inst]))
      return true;
  return false;
}

static void around_conversions_of(struct around_conversions *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  bool *is_cutter = s && s->counted ? calloc(s->n + 1, sizeof *is_cutter) : NULL;
  *out = (struct around_conversions){0};
  for (size_t i = 0; is_cutter && i < s->n; i++)
    if (is_conversion(&s->insts[i]) && s->executed[i] > 0)
      cutters_mark(s, i, is_cutter, 0);
  for (size_t i = 0; is_cutter && i < s->n; i++) {
    double n = s->executed[i] > 0 ? s->executed[i] : 0;
    if (is_cutter[i])
      out->cut += n;
    else if (packs_converted(s, i))
      out->packed += n;
  }
  free(is_cutter);
}

/* With a magic number a pair of values takes a mask that sets the exponents, where it is cut out of words a shift, and a packed addition. */
void change_conversions(const struct rule_input *in, struct workload *w) {
  double n = conversions(in), pairs = n / 2;
  struct around_conversions x;
  around_conversions_of(&x, in);
  double alu = x.cut + x.packed - pairs - fmin(x.cut / 2, pairs);
  value_scale(&w->xu, part_kept(n, rule_value(in, "pipe_xu", 0)));
  if (w->alu.present)
    w->alu.v = fmax(w->alu.v - alu, 0);
  if (w->fma.present)
    w->fma.v += pairs;
  value_lessen(&w->dependencies_s, xu_waits(in, n));
  work_fewer_insts(in, w, n + alu - pairs);
}

/* Adds of a product that a multiply brings: no more than there are multiplies, since an FFMA takes the place of one of each. */
static double fusable_of(const struct rule_input *in, const char *add, const char *multiply) {
  struct sass_producer from[SASS_READS_MAX];
  double adds = 0;
  for (size_t i = 0; in->sass && in->sass->counted && i < in->sass->n; i++) {
    bool product = false;
    if (strcmp(in->sass->insts[i].opcode, add) != 0 || in->sass->executed[i] <= 0)
      continue;
    size_t n = sass_producers(in->sass, i, from, SASS_READS_MAX);
    for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
      product = product || (!from[k].may && strcmp(in->sass->insts[from[k].inst].opcode, multiply) == 0);
    adds += product ? in->sass->executed[i] : 0;
  }
  return fmin(adds, executed_of(in, multiply, NULL));
}

static double fusable(const struct rule_input *in) {
  return fusable_of(in, "FADD", "FMUL") + fusable_of(in, "DADD", "DMUL");
}

RULE_ROW(300, non_fused, "non-fused-fp", "multiplies and adds are not fused", false);
bool rule_non_fused(const struct rule_input *in, struct advice *out) {
  double pairs = fusable(in), fused = executed_of(in, "FFMA", NULL) + executed_of(in, "DFMA", NULL);
  if (pairs <= 0)
    return false;
  evidence_add(out, "FADD and FMUL that could pair", "inst", value_of(2 * pairs));
  evidence_add(out, "FFMA", "inst", value_of(fused));
  evidence_metric(out, in, "fma_share");
  out->sentence = pool_printf(in->pool, "%.0f %% of the floating-point arithmetic is separate multiplies and adds",
                              200 * pairs / (2 * pairs + fused));
  out->remedy =
      "let the compiler fuse a * b + c into FFMA: drop -fmad=false, __fmul_rn and __fadd_rn, and add next to the product";
  return true;
}

void change_non_fused(const struct rule_input *in, struct workload *w) {
  double single = fusable_of(in, "FADD", "FMUL"), pairs = fusable(in);
  value_scale(&w->fma, part_kept(single, rule_value(in, "pipe_fma", 0)));
  value_scale(&w->fma_heavy, part_kept(single / 2, rule_value(in, "pipe_fmaheavy", 0)));
  value_scale(&w->fp64, part_kept(pairs - single, rule_value(in, "pipe_fp64", 0)));
  work_fewer_insts(in, w, pairs);
}
