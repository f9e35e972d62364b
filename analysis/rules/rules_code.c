/* Rules on instruction sequences that the SASS shows, with the counts of each. */
#include "analysis/model/code_place.h"
#include "analysis/rules/remedies.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"
#include "analysis/signs/block_tree.h"
#include "analysis/signs/division.h"
#include "analysis/signs/division_line.h"
#include "analysis/signs/fusable.h"
#include "analysis/signs/pipes.h"
#include "analysis/signs/slow_paths.h"
#include "analysis/signs/uniform_work.h"
#include "analysis/signs/xu_work.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A power of two that most reciprocals are taken of, as an operand of the instruction: warpSize, or a variable that is one number.  0: none. */
static unsigned long number_divided_by(const struct rule_input *in) {
  double all = 0, most = 0;
  unsigned long number = 0;
  for (size_t i = 0; in->sass && in->sass->counted && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (strcmp(x->opcode, "I2F") != 0 || !sass_modifier(x, "RP"))
      continue;
    const char *operand = strrchr(x->text, ',');
    unsigned long n = operand && strncmp(operand, ", 0x", 4) == 0 ? strtoul(operand + 2, NULL, 16) : 0;
    bool power = n > 1 && (n & (n - 1)) == 0;
    all += fmax(in->sass->executed[i], 0);
    most += power && (number == 0 || n == number) ? fmax(in->sass->executed[i], 0) : 0;
    number = power && number == 0 ? n : number;
  }
  return 2 * most > all ? number : 0;
}

static const char *division_remedy(const struct rule_input *in) {
  unsigned long number = number_divided_by(in);
  if (number > 0)
    return pool_printf(
        in->pool, "the divisor is %lu%s: write %lu in its place, and / and %% become a shift and a mask", number,
        number == RULE_LANES ? " (warpSize is a variable to the compiler)" : ", held in a variable", number);
  return divides_block_numbers(in)
             ? DIVISION_REMEDY
             : "avoid / and % by variables: a precomputed multiply and shift, or a power-of-two divisor";
}

RULE_ROW(100, integer_division, "integer-division", "integer division", RULE_CAUSE, static_integer_division);
bool rule_integer_division(const struct rule_input *in, struct told *out) {
  double insts = rule_value(in, "inst_executed", 0);
  struct dividing x;
  dividing_of(&x, in);
  if (x.n <= 0 || insts <= 0 || x.insts < NAMED_LEAST * insts)
    return false;
  evidence_add(out, "integer divisions (I2F.RP with MUFU.RCP)", "inst", value_of(x.n));
  if (x.more > 0)
    evidence_add(out, "further quotients by the same divisors (IMAD.HI)", "inst", value_of(x.more));
  evidence_metric(out, in, "xu_share");
  evidence_needs(out, in, "XU pipe's share of the time", BOUND_XU);
  struct division_line place;
  division_line_of(&place, in);
  double all = x.n + x.more, told = two_digits(all);
  out->sentence = pool_printf(
      in->pool, "%s%s warp-level integer divisions or remainders take %.0f %% of the instructions%s%s",
      told == all ? "" : "about ", count_words(in, told), 100 * fmin(x.insts / insts, 1),
      place.source >= 0 ? ", most at " : "", place.source >= 0 ? line_words(in, place.source, place.line) : "");
  out->remedy = division_remedy(in);
  out->at = place.at;
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

/* Of divisions half of the work goes, with FCHK and a shared reciprocal. */
static const double SPECIAL_KEPT = 0.5;

/* What of the XU's work has another way, by kinds, the largest first. */
struct xu_named {
  enum xu_kind kinds[XU_KINDS];
  size_t n;
  double of[XU_KINDS]; /* warp instructions of the XU */
  double converted;    /* of these, conversions and roundings: all of them go */
  double special;      /* of these, divisions' and indices' */
  bool by_nearest;
};

/* What is a tenth of the XU's work; divisions and indices where it is the busiest pipe. */
static void xu_named_of(struct xu_named *out, const struct rule_input *in) {
  static const double NAMED = 0.1;
  double least = NAMED * rule_value(in, "pipe_xu", 0);
  struct xu_work x;
  xu_work_of(&x, in);
  *out = (struct xu_named){.by_nearest = x.by_nearest};
  for (enum xu_kind k = 0; k < XU_KINDS; k++) {
    bool special = k == XU_DIVISIONS || k == XU_INDICES;
    if (x.of[k] <= 0 || x.of[k] < least || (special && busiest_pipe(in)->bound != BOUND_XU))
      continue;
    out->of[k] = x.of[k];
    *(special ? &out->special : &out->converted) += x.of[k];
    size_t at = out->n++;
    for (; at > 0 && out->of[out->kinds[at - 1]] < x.of[k]; at--)
      out->kinds[at] = out->kinds[at - 1];
    out->kinds[at] = k;
  }
}

/* Conversions and roundings alone, in the words of whichever are more. */
static void tell_converted(struct told *out, const struct rule_input *in, const struct xu_named *x) {
  bool rounds = x->kinds[0] == XU_ROUNDS;
  out->sentence =
      pool_printf(in->pool, "%s %s are %.0f %% of the work of the XU pipe, which takes 16 lanes per cycle and SM",
                  count_words(in, x->converted),
                  rounds ? executed_of(in, "FRND", NULL) > 0 ? "roundings to whole numbers (FRND)"
                                                             : "roundings to whole numbers (F2I and back)"
                         : "conversions (I2F, F2I, F2F)",
                  100 * fmin(x->converted / rule_value(in, "pipe_xu", 0), 1));
  out->remedy =
      !rounds
          ? "convert two values at a time on the ALU (F2FP, PRMT with a magic number), compute in integers (dp4a), or hoist"
      : x->by_nearest
          ? "where values are below 2^22, round on the FMA pipe: add 1.5 * 2^23 and subtract it again"
          : "replace floorf, ceilf, truncf where values are below 2^22: add and subtract 1.5 * 2^23, then correct by 1";
}

static void tell_special(struct told *out, const struct rule_input *in, const struct xu_named *x) {
  enum { READ_AT_ONCE = 160 };
  static const char *const words[XU_KINDS][2] = {
      [XU_CONVERTS] = {"conversions", "convert two values at a time on the ALU (F2FP, PRMT)"},
      [XU_ROUNDS] = {"roundings (FRND)", "round by adding and subtracting 1.5 * 2^23"},
      [XU_INDICES] = {"indices made of floats (F2I)",
                      "find an index once for several elements, else by adding 1.5 * 2^23"},
      [XU_DIVISIONS] = {"divisions (MUFU.RCP, FCHK)", "share reciprocals, else __fdividef"}};
  double xu = rule_value(in, "pipe_xu", 0);
  const char *said = "the XU pipe's work:", *remedy = words[x->kinds[0]][1];
  for (size_t i = 0; i < x->n; i++) {
    enum xu_kind k = x->kinds[i];
    said = pool_printf(in->pool, "%s%s %.0f %% %s", said, i > 0 ? "," : "", 100 * fmin(x->of[k] / xu, 1), words[k][0]);
    const char *longer = pool_printf(in->pool, "%s; %s", remedy, words[k][1]);
    remedy = i > 0 && strlen(longer) <= READ_AT_ONCE ? longer : remedy;
  }
  out->sentence = pool_printf(in->pool, "%s; it takes 16 lanes per cycle and SM", said);
  out->remedy = remedy;
}

RULE_ROW(110, conversions, "conversions", "conversions and functions on the XU pipe", RULE_CAUSE, NULL);
bool rule_conversions(const struct rule_input *in, struct told *out) {
  struct xu_named x;
  xu_named_of(&x, in);
  if (x.n == 0)
    return false;
  if (x.converted > 0)
    evidence_add(out, "conversions on the XU pipe", "inst", value_of(x.converted));
  if (x.special > 0)
    evidence_add(out, x.of[XU_INDICES] > 0 ? "divisions and indices on the XU pipe" : "divisions on the XU pipe",
                 "inst", value_of(x.special));
  evidence_metric(out, in, "pipe_xu");
  evidence_needs(out, in, "XU pipe's share of the time", BOUND_XU);
  (x.special > 0 ? tell_special : tell_converted)(out, in, &x);
  out->at = x.kinds[0] == XU_CONVERTS ? about_place(in, about_converts) : xu_place(in, x.kinds[0]);
  return true;
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
    if (sass_is_integer(&s->insts[from[k].inst]) && !is_cutter[from[k].inst]) {
      is_cutter[from[k].inst] = true;
      cutters_mark(s, from[k].inst, is_cutter, deep + 1);
    }
}

static bool packs_converted(struct sass *s, size_t i, const bool *converts) {
  struct sass_producer from[SASS_READS_MAX];
  size_t n = sass_is_integer(&s->insts[i]) ? sass_producers(s, i, from, SASS_READS_MAX) : 0;
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (converts[from[k].inst])
      return true;
  return false;
}

static void around_conversions_of(struct around_conversions *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  bool *is_cutter = s && s->counted ? calloc(s->n + 1, sizeof *is_cutter) : NULL;
  bool *converts = is_cutter ? xu_marked_make(in, XU_CONVERTS) : NULL;
  *out = (struct around_conversions){0};
  for (size_t i = 0; converts && i < s->n; i++)
    if (converts[i])
      cutters_mark(s, i, is_cutter, 0);
  for (size_t i = 0; converts && i < s->n; i++) {
    double n = s->executed[i] > 0 ? s->executed[i] : 0;
    if (is_cutter[i])
      out->cut += n;
    else if (packs_converted(s, i, converts))
      out->packed += n;
  }
  free(converts);
  free(is_cutter);
}

/* With a magic number a pair of values takes a mask that sets the exponents, where it is cut out of words a shift, and a packed addition. */
void change_conversions(const struct rule_input *in, struct workload *w) {
  struct xu_named named;
  xu_named_of(&named, in);
  double n = named.converted, pairs = n / 2, special = named.special * (1 - SPECIAL_KEPT);
  struct around_conversions x;
  around_conversions_of(&x, in);
  double alu = x.cut + x.packed - pairs - fmin(x.cut / 2, pairs);
  value_scale(&w->xu, part_kept(n + special, rule_value(in, "pipe_xu", 0)));
  if (w->alu.present)
    w->alu.v = fmax(w->alu.v - alu, 0);
  if (w->fma.present)
    w->fma.v += pairs;
  value_lessen(&w->dependencies_s, xu_waits(in, n + special));
  work_fewer_insts(in, w, n + special + alu - pairs);
}

/* Of all products and sums, where the compiler fuses others: what keeps the rest apart is no flag. */
static const double HARDLY = 0.1;

RULE_ROW(300, non_fused, "non-fused-fp", "multiplies and adds are not fused", RULE_CAUSE, NULL);
bool rule_non_fused(const struct rule_input *in, struct told *out) {
  double pairs = fusable_pairs(in), fused = executed_of(in, "FFMA", NULL) + executed_of(in, "DFMA", NULL);
  if (pairs <= 0)
    return false;
  bool doubles = 2 * adds_of_products(in, "DADD", "DMUL") > pairs; /* most of them */
  evidence_add(out, doubles ? "DADD and DMUL that could pair" : "FADD and FMUL that could pair", "inst",
               value_of(2 * pairs));
  evidence_add(out, doubles ? "DFMA" : "FFMA", "inst", value_of(fused));
  evidence_metric(out, in, "fma_share");
  out->sentence = pool_printf(in->pool, "%.0f %% of the floating-point arithmetic is separate multiplies and adds",
                              200 * pairs / (2 * pairs + fused));
  out->remedy =
      fused < HARDLY * (fused + pairs)
          ? doubles
                ? "let the compiler fuse a * b + c into DFMA: drop -fmad=false, __dmul_rn and __dadd_rn, and add next to the product"
                : "let the compiler fuse a * b + c into FFMA: drop -fmad=false, __fmul_rn and __fadd_rn, and add next to the product"
          : pool_printf(
                in->pool,
                "the compiler fuses the rest, but no product that is used twice: write %s by hand, or compute it once more",
                doubles ? "fma" : "fmaf");
  return true;
}

void change_non_fused(const struct rule_input *in, struct workload *w) {
  double single = adds_of_products(in, "FADD", "FMUL"), pairs = fusable_pairs(in);
  value_scale(&w->fma, part_kept(single, rule_value(in, "pipe_fma", 0)));
  value_scale(&w->fma_heavy, part_kept(single / 2, rule_value(in, "pipe_fmaheavy", 0)));
  value_scale(&w->fp64, part_kept(pairs - single, rule_value(in, "pipe_fp64", 0)));
  work_fewer_insts(in, w, pairs);
}

/* --- slow paths --- */

static const char *slow_words(const char *name) {
  static const struct {
    const char *in_name, *words;
  } kinds[] = {{"sqrt", "square roots"}, {"rsq", "reciprocal roots"}, {"rcp", "reciprocals"}};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strstr(name, kinds[i].in_name))
      return kinds[i].words;
  return "divisions";
}

static void large_told(const struct rule_input *in, const struct large_arguments *x, struct told *out) {
  struct code_place place;
  code_place_of(&place, in->all->run, &in->sass->kernel->sass[x->first]);
  evidence_add(out, "instructions in slow paths", "inst", value_of(x->insts));
  out->sentence = pool_printf(
      in->pool,
      "%.0f %% of sines, cosines or tangents%s%s have |x| >= 105615 and reduce it in local memory: %.0f %% of samples",
      100 * fmin(x->taken / x->calls, 1), place.line ? " at line " : "",
      place.line ? line_words(in, place.line->source, place.line->line) : "", 100 * x->share);
  out->remedy =
      "take whole turns off before, in double precision or integers, or keep angles in turns (sincospif); __sincosf is inexact there";
  out->at = about_inst(in, x->first);
}

RULE_ROW(105, slow_path, "slow-path", "slow paths of divisions, roots or sines", 0, NULL);
bool rule_slow_path(const struct rule_input *in, struct told *out) {
  struct slow_paths x;
  struct large_arguments large;
  struct code_place place;
  slow_paths_of(&x, in);
  large_arguments_of(&large, in);
  if (large.share > x.share)
    large_told(in, &large, out);
  if (fmax(large.share, x.share) <= 0 || large.share > x.share)
    return large.share > 0;
  const struct hot_kernel *k = rule_kernel(in);
  code_place_of(&place, in->all->run, &k->kernel->sass[k->callers[x.most]]);
  evidence_add(out, "samples in slow paths", "ratio", value_of(x.share));
  evidence_add(out, "instructions in slow paths", "inst", value_of(x.insts));
  out->sentence = pool_printf(
      in->pool, "%.0f %% of samples are in slow paths, most of %s%s%s%s: zeros, denormals and extreme values take them",
      100 * x.share, x.doubles ? "double-precision " : "", slow_words(in->sass->functions[x.most].name),
      place.line ? " at line " : "", place.line ? line_words(in, place.line->source, place.line->line) : "");
  out->remedy =
      x.doubles
          ? "multiply by a reciprocal where the divisor is a constant or shared; skip zeros, scale what is denormal"
          : "multiply by a reciprocal where the divisor is a constant or shared; else __fdividef or -use_fast_math, which have no such path";
  return true;
}

/* Its instructions go, and with them their warps' share of the time; where large arguments alone need local memory, that goes, too. */
void change_slow_path(const struct rule_input *in, struct workload *w) {
  static const struct {
    enum sass_pipe pipe;
    size_t field;
  } pipes[] = {{PIPE_ALU, offsetof(struct workload, alu)},
               {PIPE_FMA, offsetof(struct workload, fma)},
               {PIPE_XU, offsetof(struct workload, xu)},
               {PIPE_FP64, offsetof(struct workload, fp64)},
               {PIPE_LSU, offsetof(struct workload, lsu)}};
  struct slow_paths x;
  struct large_arguments large;
  slow_paths_of(&x, in);
  large_arguments_of(&large, in);
  for (size_t p = 0; p < sizeof pipes / sizeof pipes[0]; p++) {
    struct value *field = (struct value *)((char *)w + pipes[p].field);
    double part = part_kept(slow_paths_gone(in, pipes[p].pipe), or_zero(*field));
    value_scale(field, part);
    value_scale(&w->fma_heavy, pipes[p].pipe == PIPE_FMA ? part : 1);
  }
  value_lessen(&w->dependencies_s, in->time_s * (x.share + large.share));
  double kept = part_kept(slow_paths_gone(in, PIPE_UNKNOWN), or_zero(w->inst));
  value_scale(&w->inst, kept);
  value_scale(&w->own_issue_s, kept);
  if (large.share > 0 && large.local)
    work_without_local(in, w);
}

/* --- the same in all threads --- */

RULE_ROW(108, uniform_work, "uniform-work", "every thread computes the same", 0, NULL);
bool rule_uniform_work(const struct rule_input *in, struct told *out) {
  struct uniform_work x;
  struct code_place place = {0};
  double insts = rule_value(in, "inst_executed", 0);
  uniform_work_of(&x, in);
  if (x.first == SASS_NONE || x.insts <= 0 || insts <= 0)
    return false;
  if (rule_kernel(in))
    code_place_of(&place, in->all->run, &in->sass->kernel->sass[x.first]);
  evidence_add(out,
               x.lanes    ? "instructions alike in all lanes"
               : x.loaded ? "instructions alike in all threads"
                          : "instructions on arguments alone",
               "inst", value_of(x.insts));
  evidence_add(out, "samples there", "ratio", value_of(x.share));
  if (x.lanes) {
    evidence_metric(out, in, "sectors_per_request");
    out->sentence = pool_printf(
        in->pool, "the lanes of a warp load and compute the same in whole loops: %.0f %% of the instructions",
        100 * fmin(x.insts / insts, 1));
    out->remedy =
        "share the loop out among the lanes and combine their parts by shuffles, once for all threads that need the result";
    out->at = about_inst(in, x.first);
    return true;
  }
  out->sentence = pool_printf(
      in->pool,
      x.loaded
          ? "every thread computes the same from arguments and from values that all load alike (%s%s%s): %.0f %% of the instructions"
          : "every thread computes what depends on the kernel's arguments alone (%s%s%s): %.0f %% of the instructions",
      in->sass->insts[x.first].opcode, place.line ? " at line " : "",
      place.line ? line_words(in, place.line->source, place.line->line) : "", 100 * fmin(x.insts / insts, 1));
  out->remedy =
      x.loaded
          ? "compute it once, on the host or by one thread in a launch before, and load the results"
          : "compute it once on the host and pass it: reciprocals (also of a constant divisor), roots, converted values";
  return true;
}

/* Its instructions go, and with them their warps' share of the time. */
void change_uniform_work(const struct rule_input *in, struct workload *w) {
  struct uniform_work x;
  uniform_work_of(&x, in);
  double gone = x.lanes ? 1 - 1.0 / RULE_LANES : 1, kept = part_kept(gone * x.insts, or_zero(w->inst));
  value_scale(&w->xu, part_kept(gone * x.xu, or_zero(w->xu)));
  value_scale(&w->fma, part_kept(gone * x.fma, or_zero(w->fma)));
  value_scale(&w->alu, part_kept(gone * x.alu, or_zero(w->alu)));
  value_scale(&w->fp64, part_kept(gone * x.fp64, or_zero(w->fp64)));
  value_lessen(&w->dependencies_s, in->time_s * gone * x.share);
  if (x.lanes) { /* its loads go with it: each touches a sector, whoever asks for it */
    double l1 = rule_value(in, "l1_wavefronts", 0);
    value_scale(&w->lsu, part_kept(gone * x.lsu, rule_value(in, "pipe_lsu", 0)));
    value_scale(&w->l1_wavefronts,
                part_kept(gone * x.loads * fmax(l1 - rule_value(in, "shared_wavefronts", 0), 0), l1));
    value_scale(&w->loads_s, 1 - gone * x.loads);
  }
  value_scale(&w->inst, kept);
  value_scale(&w->own_issue_s, kept);
}
