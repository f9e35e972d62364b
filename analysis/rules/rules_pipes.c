/* Rules on the pipes that execute instructions: decoding, one that binds, tensor cores, double precision. */
#include "analysis/idioms/choices.h"
#include "analysis/idioms/widened.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/texture_words.h"
#include "analysis/signs/about.h"
#include "analysis/signs/decoding.h"
#include "analysis/signs/double_use.h"
#include "analysis/signs/half_product.h"
#include "analysis/signs/issued_line.h"
#include "analysis/signs/lookups.h"
#include "analysis/signs/pipe_work.h"
#include "analysis/signs/pipes.h"

#include <math.h>
#include <string.h>

/* Of a pipe's work, where nothing more is known of it. */
static const double PIPE_KEPT = 0.5,
                    MMA_OF_WGMMA = 0.66; /* 649 of 990 TFLOP/s: mma_f16_flops, tensor_fp16_flops of h100.json */

static struct value *field_of(struct workload *w, const struct pipe *p) {
  return (struct value *)((char *)w + p->field);
}

enum {
  WGMMA_SM = 90,
  CONSUMER_SM = 120 /* has neither wgmma nor tcgen05 */
};                  /* from which on a chip has matrix instructions of its own (PTX ISA, tcgen05.mma) */

/* --- decoding --- */

/* What is more than the rows that share B would spare; "" where nothing is. */
static const char *surplus_words(struct told *out, const struct rule_input *in, const struct decoding *d,
                                 const struct decode_surplus *x) {
  double most = fmax(fmax(x->others, x->longer), x->idle);
  if (most <= x->sharing)
    return "";
  if (most == x->idle)
    return pool_printf(
        in->pool,
        "give all lanes values: %.0f %% of those that decode have none, as a row or its part ends within a warp's step",
        100 * d->idle / (d->idle + d->decode));
  if (most == x->longer)
    return pool_printf(in->pool,
                       "shift and mask whole words of 8 codes: decoding takes %.1f instructions then, not %.1f",
                       d->decode - x->longer, d->decode);
  out->at = d->at;
  return pool_printf(in->pool, "fewer address and loop instructions, %.1f of these: unroll, advance pointers",
                     x->others);
}

/* The conversions are in the code, which says what they are not. */
static bool tell_decoding(struct told *out, const struct rule_input *in, const struct decoding *d) {
  const struct decode *reached = decode_reached(in);
  double spent = decode_spent(in), needed = decode_insts(in, reached), own = decode_insts(in, decode_own());
  struct decode_surplus x;
  decode_surplus_of(&x, in, d, spent, reached->rows);
  const char *words = surplus_words(out, in, d, &x);
  if (x.sharing <= 0 && !*words)
    return false;
  const char *decodes =
      pool_printf(in->pool, "%.1f ALU instructions per 8 elements, of which %.1f decode", spent, d->decode);
  out->sentence =
      x.sharing <= 0
          ? pool_printf(in->pool, "%s, B once for %.0f rows; the leanest known kernel that does so takes %.1f in all",
                        decodes, reached->rows, needed)
      : spent > own ? pool_printf(in->pool, "%s; the leanest known kernel takes %.1f, with B shared by %.0f rows %.1f",
                                  decodes, own, reached->rows, needed)
                    : pool_printf(in->pool, "%s; the leanest known kernel that decodes B once for %.0f rows takes %.1f",
                                  decodes, reached->rows, needed);
  const char *rows = d->rows < 1.5 ? "" : pool_printf(in->pool, ", not %.0f", d->rows);
  out->remedy = x.sharing <= 0 ? words
                               : pool_printf(in->pool, "%s%sdecode B once for %.0f rows%s", words, *words ? "; " : "",
                                             reached->rows, rows);
  return true;
}

RULE_ROW(190, decode_cost, "decode-cost", "decoding costs too many instructions", RULE_NO_PAIR, static_decode_cost);
bool rule_decode_cost(const struct rule_input *in, struct told *out) {
  const struct decode *reached = decode_reached(in);
  double spent = decode_spent(in), needed = decode_insts(in, reached), own = decode_insts(in, decode_own());
  struct decoding d;
  if (spent <= needed)
    return false;
  evidence_add(out, "ALU and XU instructions per 8 elements", "inst", value_of(spent));
  if (spent > own)
    evidence_add(out, "the same in the leanest known kernel", "inst", value_of(own));
  evidence_add(out, "the same where rows share B", "inst", value_of(needed));
  evidence_metric(out, in, "alu_share");
  evidence_metric(out, in, "issue_slot_utilisation");
  if (decoding_of(&d, in))
    return tell_decoding(out, in, &d);
  bool shares = spent - own < own - needed; /* most of it is B, decoded for each row */
  out->sentence =
      spent > own && !shares
          ? pool_printf(
                in->pool,
                "%.1f ALU instructions per 8 elements; the leanest known kernel takes %.1f, with B shared by %.0f rows %.1f",
                spent, own, reached->rows, needed)
          : pool_printf(
                in->pool,
                "%.1f ALU instructions per 8 elements; the leanest known kernel that decodes B once for %.0f rows takes %.1f",
                spent, reached->rows, needed);
  if (shares)
    out->remedy = pool_printf(in->pool, "decode B once for %.0f rows", reached->rows);
  else
    out->remedy =
        in->all->device->sm >= FP4_SM
            ? "decode with mov.b32 and cvt.rn.f16x2.e2m1x2; decode B once for several rows"
            : "decode by shift and mask into fp16, or repack nibbles as e4m3 for cvt.rn.f16x2.e4m3x2; decode B once for several rows";
  return true;
}

void change_decode_cost(const struct rule_input *in, struct workload *w) {
  double spent = decode_spent(in), needed = decode_insts(in, decode_reached(in));
  double kept = spent > 0 ? fmin(needed / spent, 1) : 1;
  double all = rule_value(in, "pipe_alu", 0) + rule_value(in, "pipe_xu", 0);
  value_scale(&w->alu, kept);
  value_scale(&w->xu, kept);
  work_fewer_insts(in, w, all * (1 - kept));
}

/* --- pipes --- */

/* Where DRAM needs longer than the FMA pipe a faster pipe is of no use: so it is with norms, which multiply what they load a few times.  Beside matrix
 * instructions the FMA pipe scales what these have multiplied. */
static bool multiplies_matrices(const struct rule_input *in, const struct pipe *pipe, struct half_product *out) {
  return pipe->bound == BOUND_FMA && !runs_tensor_cores(in) &&
         bound_needs(in, BOUND_FMA) > bound_needs(in, BOUND_DRAM) && half_product_of(out, in);
}

/* Multiplies and adds of fp32 fill the FMA pipe, and what else is issued takes less than the
 * model can tell: no other instruction is worth sparing. */
static bool multiplies_only(const struct rule_input *in, const struct pipe *pipe) {
  static const double BUSY = 0.7; /* as of tensor cores, below */
  double products = executed_of(in, "FFMA", NULL) + executed_of(in, "FMUL", NULL) + executed_of(in, "FADD", NULL);
  double needs = bound_needs(in, BOUND_FMA), own = needs * (1 - part_kept(products, rule_value(in, "pipe_fma", 0)));
  return pipe->bound == BOUND_FMA && needs >= BUSY && bound_needs(in, BOUND_ISSUE) - own <= MODEL_ERROR;
}

/* The pipe's row stays: like a full DRAM it stands before what saves less than the model can
 * tell. */
static void tell_what_is_left(struct told *out, const struct rule_input *in) {
  static const double ROUNDED = 0.005;
  double left = 1 - bound_needs(in, BOUND_FMA);
  out->unpriced = true;
  out->general = false;
  out->rank_s = MODEL_ERROR * in->time_s;
  out->sentence = pool_printf(
      in->pool, "the FMA pipe is busy %.0f %% of the time, and nearly all instructions are its multiplies and adds: %s",
      100 * bound_needs(in, BOUND_FMA),
      left < ROUNDED ? "nothing is left" : pool_printf(in->pool, "%.0f %% at most is left", 100 * left));
  out->remedy = "the pipe is nearly full: only fewer multiplies and adds help";
}

/* Of pipes that are busy the busiest is told, whatever waits for fetches. */
static bool fetches_bind(const struct rule_input *in, const struct pipe *pipe) {
  return waits_for_texture(in) && bound_needs(in, pipe->bound) < PIPE_BUSY;
}

/* The ALU combines and rotates whole words: part of its work that multiplications can do, those for rotations. */
static double rotations_of(const struct rule_input *in, const struct pipe *pipe) {
  struct pipe_work x;
  bool words = pipe->bound == BOUND_ALU && pipe_work_of(&x, in) && x.first == PIPE_BITS && x.words && !x.bytes;
  return words ? x.rotations : 0;
}

static double kept_of(const struct rule_input *in, const struct pipe *pipe) {
  double rotations = rotations_of(in, pipe);
  return pipe->bound == BOUND_TENSOR ? MMA_OF_WGMMA : rotations > 0 ? 1 - rotations / 2 : PIPE_KEPT;
}

/* Kinds of the ALU's instructions as a sentence has them, and what there is to do about each. */
static const struct alu_kind {
  const char *name, *remedy;
} ALU_KINDS[PIPE_KINDS] = {
    [PIPE_WIDE_COMPARES] = {"64-bit comparisons",
                            "compare 32-bit values where they fit, or fewer pairs (sort, then search)"},
    [PIPE_COMPARES] = {"comparisons",
                       "check bounds once for several elements, or compare fewer pairs (sort, then search)"},
    [PIPE_PREDICATES] = {"logic of conditions",
                         "check bounds once for several elements, or in the last iteration alone"},
    [PIPE_CHOICES] = {"minima, maxima and selections", NULL},
    [PIPE_BITS] = {"shifts and masks", "whole words at once (__brev, __byte_perm), or go on from the element before"},
    [PIPE_ADDS] = {"integer additions", "advance pointers and counters in place of new indices"},
    [PIPE_CONVERTS] = {"conversions", "convert each value once, and not again in each warp or iteration"},
};

/* Of minima, maxima and selections; NULL: nothing is known that takes fewer. */
static const char *const CHOICE_REMEDIES[] = {
    [CHOICE_EXTREMES] = "one reduction for value and index, or packed 16-bit values",
    [CHOICE_TABLE] =
        "look constants up in place of selecting them: a table in memory, indexed by the code or by several codes at once",
};

/* A kind of the ALU's work that has not a quarter of it says nothing. */
static const double KIND_LEAST = 0.25;

/* With a remedy by which fewer are issued: shifts and masks may be other ones then. */
static bool alu_kind_is_told(const struct rule_input *in) {
  struct pipe_work x;
  return pipe_work_of(&x, in) && x.part[x.first] >= KIND_LEAST &&
         (x.first == PIPE_CHOICES ? sass_choices(in->sass) != CHOICE_OTHER : x.first != PIPE_BITS || x.bytes);
}

/* What fills the ALU, with its line. */
static const char *alu_words(struct told *out, const struct rule_input *in) {
  struct pipe_work x;
  if (!pipe_work_of(&x, in) || x.part[x.first] < KIND_LEAST)
    return NULL;
  const char *also = x.part[x.second] < KIND_LEAST
                         ? ""
                         : pool_printf(in->pool, ", %.0f %% %s", 100 * x.part[x.second], ALU_KINDS[x.second].name);
  bool words = x.first == PIPE_BITS && x.words && !x.bytes;
  out->sentence = pool_printf(in->pool, "%s: %.0f %% %s%s", out->sentence, 100 * x.part[x.first],
                              words ? "logic and rotations of whole words" : ALU_KINDS[x.first].name, also);
  out->at = x.at;
  if (words)
    return pool_printf(
        in->pool,
        "logic runs on this pipe alone; rotations can be multiplications by powers of two, on the FMA pipe (mul.wide.u32; estimate: half of them, which are %.0f %%)",
        100 * x.rotations);
  const char *remedy = x.first == PIPE_CHOICES ? CHOICE_REMEDIES[sass_choices(in->sass)]
                       : x.first != PIPE_BITS  ? ALU_KINDS[x.first].remedy
                       : x.carried ? "fewer steps of the sequence (this word makes the next), or a cheaper one"
                       : x.bytes ? "four bytes at once, from one load of 4 (__vadd4, __vabsdiffu4, __dp4a, __byte_perm)"
                                 : ALU_KINDS[PIPE_BITS].remedy;
  return remedy ? pool_printf(in->pool, "%s (estimate: half)", remedy) : NULL;
}

RULE_ROW(310, pipe, "pipe", "one pipe binds", RULE_GENERAL, static_pipe);
bool rule_pipe(const struct rule_input *in, struct told *out) {
  const struct pipe *pipe = busiest_pipe(in);
  static const double seen = 0.005; /* less is not counted, or nothing */
  struct half_product product;
  bool matrices = multiplies_matrices(in, pipe, &product);
  if (!matrices && fetches_bind(in, pipe)) {
    tell_texture(out, in);
    return true;
  }
  if (!matrices && multiplies_only(in, pipe)) {
    evidence_metric(out, in, pipe->counter);
    evidence_needs(out, in, "share of the time that the pipe needs", pipe->bound);
    evidence_metric(out, in, "issue_slot_utilisation");
    tell_what_is_left(out, in);
    return true;
  }
  bool issues_longer = bound_needs(in, pipe->bound) < bound_needs(in, BOUND_ISSUE);
  if (pipe->bound == BOUND_ADU || pipe->bound == BOUND_FP64 || (!matrices && issues_longer))
    return false;
  if (pipe->bound == BOUND_TENSOR &&
      (in->all->device->sm < WGMMA_SM || in->all->device->sm >= CONSUMER_SM || !synchronous_products(in)))
    return false;
  out->general = !matrices;
  out->most = matrices ? 0 : 1 - kept_of(in, pipe);
  out->most_high = rotations_of(in, pipe);
  evidence_metric(out, in, pipe->counter);
  evidence_needs(out, in, "share of the time that the pipe needs", pipe->bound);
  evidence_metric(out, in, "stall_math_pipe_throttle_share");
  const char *slots = bound_needs(in, BOUND_ISSUE) >= seen
                          ? pool_printf(in->pool, ", the issue slots %.0f %%", 100 * bound_needs(in, BOUND_ISSUE))
                          : "";
  out->sentence =
      pool_printf(in->pool, "%s is busy %.0f %% of the time%s%s", bound_rows[pipe->bound].noun,
                  100 * bound_needs(in, pipe->bound), slots, matrices ? ", in a product of 16-bit matrices" : "");
  if (matrices)
    out->remedy = "use the tensor cores: mma.sync m16n8k16 with ldmatrix (or wgmma, or cuBLAS) instead of FFMA";
  else if (pipe->bound == BOUND_TENSOR) {
    out->general = false;
    out->remedy =
        in->all->device->sm >= FP4_SM
            ? "tcgen05.mma in place of mma.sync, which reaches a part of the tensor cores' rate alone: CUTLASS's sm100 kernels, cuBLAS"
            : "wgmma in place of mma.sync, which reaches two thirds of the tensor cores' rate here: CUTLASS's sm90 kernels, cuBLAS";
  } else {
    static const double MOST = 0.5;
    struct issued_line line;
    out->at = issued_line_of(&line, in) && line.share >= MOST ? line.at : NULL;
    const char *words = pipe->bound == BOUND_ALU ? alu_words(out, in) : NULL;
    out->remedy =
        pipe->bound == BOUND_LSU
            ? "fewer, wider loads and stores; keep values in registers instead of shared memory (the estimate assumes half)"
        : words ? words
                : "move work to another pipe, or do it once for several elements (the estimate assumes half)";
  }
  return true;
}

/* mma.sync m16n8k16 multiplies and adds 16 x 8 x 16 times, which are 64 FFMA of a warp; what converts its operands goes, too.  A warp with a
 * tile of 32 x 32 reads its operands by 4 ldmatrix.x4, each of four wavefronts, for 8 of them. */
static void change_product(const struct rule_input *in, const struct half_product *p, struct workload *w) {
  static const double FFMA_OF_MMA = 16 * 8 * 16 / (double)RULE_LANES, LOADS_OF_MMA = 4 / 8.0, WAVEFRONTS_OF_LOAD = 4;
  double fma = rule_value(in, "pipe_fma", 0), mmas = p->arithmetic / FFMA_OF_MMA, loads_of_mmas = mmas * LOADS_OF_MMA;
  double loads = fmax(executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) - loads_of_mmas, 0);
  double wavefronts = fmax(shared_load_wavefronts(in) - loads_of_mmas * WAVEFRONTS_OF_LOAD, 0);
  value_scale(&w->fma, part_kept(p->arithmetic, fma));
  value_scale(&w->fma_heavy, part_kept(p->arithmetic, fma));
  if (w->tensor.present)
    w->tensor.v += mmas;
  value_scale(&w->lsu, part_kept(loads, rule_value(in, "pipe_lsu", 0)));
  value_scale(&w->l1_wavefronts, part_kept(wavefronts, or_zero(in->work.l1_wavefronts)));
  work_fewer_insts(in, w, p->arithmetic + p->converts + loads);
}

void change_pipe(const struct rule_input *in, struct workload *w) {
  const struct pipe *pipe = busiest_pipe(in);
  struct half_product product;
  if (multiplies_matrices(in, pipe, &product)) {
    change_product(in, &product, w);
    return;
  }
  if (fetches_bind(in, pipe) || multiplies_only(in, pipe)) /* what fewer fetches save is not the model's answer */
    return;
  value_scale(field_of(w, pipe), kept_of(in, pipe));
  if (pipe->bound == BOUND_ALU && alu_kind_is_told(in)) /* they are issued no more, either */
    work_fewer_insts(in, w, (1 - PIPE_KEPT) * rule_value(in, "pipe_alu", 0));
  if (pipe->bound == BOUND_FMA)
    value_scale(&w->fma_heavy, PIPE_KEPT);
}

/* --- tensor cores --- */

/* Of the tensor cores' peak; cuBLAS's products of GPT-2's vocabulary, which nobody here makes faster, reach 0.73 to 0.86 of it on an H200. */
static const double TENSOR_BUSY = 0.7,
                    MOST_SMS = 0.5; /* on fewer of the SMs the chip's tensor cores are idle, and not full */

RULE_ROW(20, tensor_saturated, "tensor-saturated", "tensor-core bound", RULE_NO_PAIR, NULL);
/* A program's kernel, of which no bytes are declared: its nearest roof is asked, and the pipe, since the clock falls where tensor cores work.  Beyond the
 * roof of mma.sync there is another. */
bool rule_tensor_saturated(const struct rule_input *in, struct told *out) {
  const char *roof = in->f->sol_roof;
  double active = rule_value(in, "tensor_active", 0), of_roof = or_zero(in->f->of_sol);
  if (!roof || !strstr(roof, "tensor") || fmax(of_roof, active) < TENSOR_BUSY ||
      rule_value(in, "sm_balance", 1) < MOST_SMS)
    return false;
  out->stop = true;
  out->helps = "fewer operations";
  evidence_add(out, roof, "ratio", in->f->of_sol);
  evidence_metric(out, in, "tensor_active");
  evidence_metric(out, in, "issue_slot_utilisation");
  out->sentence =
      active > of_roof
          ? pool_printf(in->pool, "the tensor pipe works in %.0f %% of the cycles (%s: %.0f %% of the peak)",
                        100 * active, roof, 100 * of_roof)
          : pool_printf(in->pool, "the tensor cores run at %.0f %% of their peak (%s)", 100 * of_roof, roof);
  out->remedy = in->all->device->sm >= FP4_SM
                    ? "only fewer operations, a narrower type (fp8, fp4) or fusion with a neighbouring kernel help"
                    : "only fewer operations, a narrower type (fp8) or fusion with a neighbouring kernel help";
  return true;
}

void change_tensor_saturated(const struct rule_input *in, struct workload *w) {
  (void)in, (void)w;
}

/* --- double precision --- */

/* A float becomes a double, as by a literal without f; where there is no code, it is taken that one does. */
static bool makes_doubles(const struct rule_input *in) {
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (strcmp(x->opcode, "F2F") == 0 && sass_modifier(x, "F64") && sass_summed(in->sass, i, SASS_NONE))
      return true;
  }
  return !in->sass;
}

/* Literals and functions of double make doubles of floats; most of the arithmetic rests on these then. */
static const char *remedy_of_fp64(const struct rule_input *in) {
  static const double MOST = 0.5;
  double widened = in->sass ? sass_widened_share(in->sass) : 1;
  if (!makes_doubles(in))
    return "compute in fp32 what does not need double: the code converts no float to double, so its variables are declared as such";
  static const char *const words[] = {
      [DOUBLE_UNKNOWN] = NULL,
      [DOUBLE_POW] = "compute in fp32: pow of a float and an integer is a double function: write powf, or multiply",
      [DOUBLE_NUMBER] = "compute in fp32: literals without the suffix f make doubles of floats: write 2.0f, not 2.0",
      [DOUBLE_VARIABLE] =
          "compute in fp32: no literals make doubles of floats here, but variables or casts: declare them as float",
  };
  if (widened > MOST && words[double_use_of(in)])
    return words[double_use_of(in)];
  if (widened > MOST)
    return "compute in fp32: literals without the suffix f, or double functions, make doubles of floats: write 2.0f and sinf, not 2.0 and sin";
  return pool_printf(
      in->pool,
      "compute in fp32 what does not need double: variables are declared as such; %.0f %% of the arithmetic is on converted values",
      100 * widened);
}

RULE_ROW(90, fp64, "fp64", "double-precision arithmetic", RULE_CAUSE, static_fp64);
bool rule_fp64(const struct rule_input *in, struct told *out) {
  double mix = rule_value(in, "fp64_share", 0);
  if (rule_value(in, "pipe_fp64", 0) <= 0)
    return false;
  evidence_metric(out, in, "pipe_fp64");
  evidence_metric(out, in, "fp64_share");
  evidence_metric(out, in, "stall_math_pipe_throttle_share");
  evidence_needs(out, in, "share of the time that the pipe needs", BOUND_FP64);
  out->sentence =
      pool_printf(in->pool, "%.0f %% of instructions are double precision; the fp64 pipe is busy %.0f %% of the time",
                  100 * mix, 100 * bound_needs(in, BOUND_FP64));
  out->remedy = remedy_of_fp64(in);
  out->at = about_place(in, about_fp64);
  return true;
}

/* What is left of n fp64 instructions in fp32: of functions, which begin with an approximation of the XU (MUFU.RCP64H), terms and steps go with the
 * bits of the mantissa. */
static double kept_of_fp64(const struct rule_input *in) {
  static const double BITS_FP32 = 24, BITS_FP64 = 53;
  bool functions = executed_of(in, "MUFU", "RCP64H") + executed_of(in, "MUFU", "RSQ64H") > 0;
  return functions ? BITS_FP32 / BITS_FP64 : 1;
}

/* An fp64 instruction takes no constant: both halves are moved to registers first, where an fp32 one holds it.  The moves by pipe; returns their sum. */
enum { MOVE_UNIFORM, MOVE_ALU, MOVE_FMA, MOVES };
static double moves_of_fp64(const struct rule_input *in, double n, double moves[MOVES]) {
  moves[MOVE_UNIFORM] = executed_of(in, "UMOV", NULL);
  moves[MOVE_ALU] = executed_of(in, "MOV", NULL);
  moves[MOVE_FMA] = executed_of(in, "IMAD", "MOV");
  double all = moves[MOVE_UNIFORM] + moves[MOVE_ALU] + moves[MOVE_FMA], most = 2 * n;
  for (int k = 0; k < MOVES && all > most; k++)
    moves[k] *= most / all;
  return fmin(all, most);
}

/* In fp32 the instructions run on the FMA pipe, at half the latency (8 and 4 cycles: Jia et al., Dissecting Volta, 2018); their conversions and the
 * wait for a busy pipe go. */
void change_fp64(const struct rule_input *in, struct workload *w) {
  double n = or_zero(w->fp64), converts = executed_of(in, "F2F", "F64"), insts = rule_value(in, "inst_executed", 0);
  double kept = kept_of_fp64(in), moves[MOVES], moved = moves_of_fp64(in, n, moves);
  value_lessen(&w->dependencies_s, insts > 0 ? warp_seconds(in, "stall_wait") * n / (insts + n) : 0);
  value_scale(&w->fp64, 0);
  value_scale(&w->alu, part_kept(moves[MOVE_ALU], rule_value(in, "pipe_alu", 0)));
  value_scale(&w->fma, part_kept(moves[MOVE_FMA], rule_value(in, "pipe_fma", 0)));
  value_scale(&w->fma_heavy, part_kept(moves[MOVE_FMA], rule_value(in, "pipe_fmaheavy", 0)));
  if (w->fma.present)
    w->fma.v += n * kept;
  value_scale(&w->xu, part_kept(converts, rule_value(in, "pipe_xu", 0)));
  value_lessen(&w->dependencies_s, xu_waits(in, converts));
  /* Coefficients, which functions of fp32 have in their instructions. */
  double tables = function_loads(in), l1 = rule_value(in, "l1_wavefronts", 0);
  double of_loads = fmax(l1 - rule_value(in, "shared_wavefronts", 0), 0) *
                    (1 - part_kept(tables, rule_value(in, "l1_load_requests", 0)));
  value_scale(&w->l1_wavefronts, part_kept(of_loads, l1));
  value_scale(&w->lsu, part_kept(tables, rule_value(in, "pipe_lsu", 0)));
  work_fewer_insts(in, w, converts + moved + tables + n * (1 - kept));
}
