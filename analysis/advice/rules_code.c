/* Rules on instruction sequences that the SASS shows, with the counts of each. */
#include "analysis/advice/division.h"
#include "analysis/advice/rule_tools.h"

#include <math.h>
#include <string.h>

static double divisions(const struct rule_input *in) {
  return fmin(executed_of(in, "I2F", "RP"), executed_of(in, "MUFU", "RCP"));
}

/* Beyond these, by divisors whose reciprocals they share: a division has an IMAD.HI for its reciprocal and one for its quotient. */
static double quotients(const struct rule_input *in) {
  return fmax(executed_of(in, "IMAD", "HI") - 2 * divisions(in), 0);
}

static double division_insts(const struct rule_input *in) {
  return divisions(in) * DIVISION_INSTS + quotients(in) * QUOTIENT_INSTS;
}

RULE_ROW(100, integer_division, "integer-division", "integer division", false);
bool rule_integer_division(const struct rule_input *in, struct advice *out) {
  double n = divisions(in), insts = rule_value(in, "inst_executed", 0);
  if (n <= 0 || insts <= 0)
    return false;
  evidence_add(out, "integer divisions (I2F.RP with MUFU.RCP)", "inst", value_of(n));
  if (quotients(in) > 0)
    evidence_add(out, "further quotients by the same divisors (IMAD.HI)", "inst", value_of(quotients(in)));
  evidence_metric(out, in, "xu_share");
  evidence_add(out, "XU pipe's share of the time", "ratio", value_of(bound_needs(in, BOUND_XU)));
  out->sentence =
      pool_printf(in->pool, "%.3g warp-level integer divisions or remainders take %.0f %% of the instructions",
                  n + quotients(in), 100 * fmin(division_insts(in) / insts, 1));
  out->remedy = DIVISION_REMEDY;
  return true;
}

void change_integer_division(const struct rule_input *in, struct workload *w) {
  double n = divisions(in), more = quotients(in);
  double fma = n * (DIVISION_FMA - 1) + more * (QUOTIENT_FMA - 1),
         alu = n * (DIVISION_ALU - 1) + more * (QUOTIENT_ALU - 1);
  value_scale(&w->xu, part_kept(n * DIVISION_XU, rule_value(in, "pipe_xu", 0)));
  value_scale(&w->fma, part_kept(fma, rule_value(in, "pipe_fma", 0)));
  value_scale(&w->fma_heavy, part_kept(fma, rule_value(in, "pipe_fmaheavy", 0)));
  value_scale(&w->alu, part_kept(alu, rule_value(in, "pipe_alu", 0)));
  value_lessen(&w->dependencies_s, xu_waits(in, n * DIVISION_XU));
  work_fewer_insts(in, w, division_insts(in) - (n + more) * MULTIPLY_SHIFT);
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
  evidence_add(out, "XU pipe's share of the time", "ratio", value_of(bound_needs(in, BOUND_XU)));
  out->sentence = pool_printf(
      in->pool,
      "%.3g conversions (I2F, F2I, F2F) are %.0f %% of the work of the XU pipe, which takes 16 lanes per cycle and SM",
      n, 100 * fmin(xu > 0 ? n / xu : 1, 1));
  out->remedy =
      "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist";
  return true;
}

/* Two values an instruction of the ALU. */
void change_conversions(const struct rule_input *in, struct workload *w) {
  double n = conversions(in);
  value_scale(&w->xu, part_kept(n, rule_value(in, "pipe_xu", 0)));
  if (w->alu.present)
    w->alu.v += n / 2;
  value_lessen(&w->dependencies_s, xu_waits(in, n));
  work_fewer_insts(in, w, n / 2);
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
