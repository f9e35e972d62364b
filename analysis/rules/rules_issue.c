/* The rule on instructions as such: which of them could go, and what that brings. */
#include "analysis/idioms/advance.h"
#include "analysis/idioms/repeats.h"
#include "analysis/rules/better_code.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/saving.h"
#include "analysis/signs/about.h"
#include "analysis/signs/issued_line.h"
#include "analysis/signs/leaner.h"
#include "analysis/signs/pipes.h"
#include "analysis/signs/product_roof.h"
#include "analysis/signs/slow_paths.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- issue slots --- */

RULE_ROW(320, issue_slots, "issue-slots", "too many instructions", RULE_GENERAL, static_issue_slots);

/* The line whose accesses spare the most where they are wider. */
static const struct run_instruction *narrow_place(const struct rule_input *in) {
  double *weight = calloc(in->sass->n + 1, sizeof *weight);
  const struct run_instruction *at = accesses_widened(in, weight) > 0 ? about_heaviest(in, weight) : NULL;
  free(weight);
  return at;
}

/* Of the modelled time: what instructions take of the SMs, beside a warp's own chain. */
static double sm_share(const struct rule_input *in) {
  double share = bound_share(in, BOUND_ISSUE);
  for (size_t i = 0; i < N_PIPES; i++)
    share += bound_share(in, PIPES[i].bound);
  return share;
}

static double executed_all(const struct rule_input *in) {
  double all = 0;
  for (size_t i = 0; in->sass && i < in->sass->n; i++)
    all += fmax(in->sass->executed[i], 0);
  return all;
}

static double share_of(const struct rule_input *in, const struct mix *m, enum mix_kind k) {
  double all = executed_all(in);
  return all > 0 ? fmin(fmax(m->takes[k], m->goes[k]) / all, 1) : 0;
}

/* Work on indices, and what else is done once for a thread or a turn: its branches and parameters. */
static bool is_overhead(const struct sass_inst *x) {
  return sass_is_integer(x) || x->class == SASS_CONTROL || x->class == SASS_UNIFORM || x->class == SASS_LOAD_CONSTANT;
}

/* Half of a kind of instructions or more, as executed, or of all overhead (MIX_KINDS), stand in
 * loops that turn: turns repeat them, and not only threads. */
static bool stands_in_loops(const struct rule_input *in, const struct mix *m, enum mix_kind k) {
  const struct sass *s = in->sass;
  double all = 0, looped = 0;
  for (size_t i = 0; i < s->n; i++) {
    bool is = k == MIX_KINDS ? is_overhead(&s->insts[i]) : m->of[i] == k;
    double n = is && !s->insts[i].never ? fmax(s->executed[i], 0) : 0;
    all += n;
    looped += sass_repeats(s, i) ? n : 0;
  }
  return looped > 0 && 2 * looped >= all;
}

static bool multiplies_in_fp32(const struct rule_input *in) {
  struct product_roof roof;
  product_roof_of(&roof, in);
  return roof.seconds > 0 && roof.pipe == BOUND_FMA;
}

/* Kinds in the order in which they are told. */
struct leaner_kinds {
  enum mix_kind of[LEANER_KINDS + 1];
  size_t n;
};

/* The work itself comes first where it is most of the instructions and beside it nothing has a remedy of its own or goes by a tenth, or where nothing is worth
 * naming. */
static void leaner_kinds_of(struct leaner_kinds *out, const struct rule_input *in, const struct leaner *x) {
  static const double NAMED = 0.1;
  const struct mix *m = &x->mix;
  double insts = rule_value(in, "inst_executed", 0), most = x->n > 0 ? m->goes[x->kinds[0]] : 0;
  bool general = x->n > 0 && leaner_is_general(x->kinds[0]);
  bool mostly = m->takes[MIX_FLOAT] > LEANER_MOST * insts && (general || most < NAMED * insts);
  enum mix_kind work = m->takes[MIX_FLOAT] >= m->takes[MIX_INTEGER] ? MIX_FLOAT : MIX_INTEGER;
  *out = (struct leaner_kinds){0};
  if (mostly)
    out->of[out->n++] = MIX_FLOAT;
  else if (x->n == 0 && m->takes[work] > 0)
    out->of[out->n++] = work;
  for (size_t k = 0; k < x->n; k++)
    out->of[out->n++] = x->kinds[k];
}

/* What a kind is called, and what is done about it. */
static const char *const *words_of(const struct rule_input *in, const struct mix *m, enum mix_kind k) {
  static const char *const words[MIX_KINDS][2] = {
      [MIX_INDEX] = {"index arithmetic", "hoist, advance pointers"},
      [MIX_TREE] = {"tree in shared memory", "registers, then warp shuffles"},
      [MIX_SHUFFLES] = {"shuffles in a loop", "replace warpSize by 32, or #pragma unroll"},
      [MIX_TURNS] = {"loop overhead", "unroll"},
      [MIX_DIVISIONS] = {"divisions", "share reciprocals, else __fdividef"},
      [MIX_HALF_DIVISIONS] = {"16-bit divisions", "__fdividef in fp32"},
      [MIX_EXPONENTIALS] = {"expf", "__expf where the accuracy allows"},
      [MIX_HALF_EXPONENTIALS] = {"16-bit exponentials", "__expf in fp32, or h2exp for two at once"},
      [MIX_TANGENTS] = {"tanhf", "tanh.approx.f32 where the accuracy allows"},
      [MIX_ERRORS] = {"erff", "a shorter formula where the accuracy allows"},
      [MIX_LOGARITHMS] = {"logf", "__logf where the accuracy allows"},
      [MIX_POWERS] = {"powf", "multiply where the exponent is a small whole number, else __powf"},
      [MIX_SINES] = {"sines and cosines", "__sincosf where the accuracy allows"},
      [MIX_SLOW_PATHS] = {"slow paths", "scale denormal operands"},
      [MIX_INTEGER_DIVISIONS] = {"integer divisions", "multiply and shift"},
      [MIX_CONVERSIONS] = {"conversions", "keep one type, convert once"},
      [MIX_HALVES] = {"16-bit arithmetic", "two values at once (half2, bfloat162)"},
      [MIX_FLOAT] = {"floating-point work", "compute common terms once"},
      [MIX_INTEGER] = {"integer and logic work", "compute what elements share once"},
      [MIX_LITERALS] = {"moves of double literals", "fp32, or more elements per thread"},
      [MIX_SETUP] = {"set-up and branches", "unroll"}};
  static const char *const straight[] = {"index arithmetic", "more elements per thread share it"};
  static const char *const once[] = {"set-up and branches", "more elements per thread share them"};
  static const char *const product[] = {"multiply-adds",
                                        "tensor cores (3xTF32; not estimated), else larger register tiles"};
  static const char *const operands[] = {"conversions", "convert each value once, not again in each warp"};
  static const char *const large[] = {"sines and cosines", "smaller arguments, as [slow-path] says"};
  const char *const *told = special_words(in, k);
  if (told)
    return told;
  if (k == MIX_SINES && arguments_are_large(in))
    return large;
  if (k == MIX_CONVERSIONS &&
      runs_tensor_cores(in)) /* of what the matrix instructions multiply: another type is not theirs to choose */
    return operands;
  if (k == MIX_FLOAT && multiplies_in_fp32(in))
    return product;
  if ((k == MIX_INDEX || k == MIX_SETUP) && !stands_in_loops(in, m, k))
    return k == MIX_INDEX ? straight : once;
  return words[k];
}

/* What an iteration moves that of such accesses on by that spares the most, where that is no multiple of 16 bytes: no wider one is aligned then.  0: it is one, or not known. */
static long unaligned_step(const struct rule_input *in) {
  double *weight = calloc(in->sass->n + 1, sizeof *weight);
  size_t most = 0;
  bool some = accesses_widened(in, weight) > 0;
  for (size_t i = 1; i < in->sass->n; i++)
    most = weight[i] > weight[most] ? i : most;
  free(weight);
  long moved = some ? labs(sass_moved_bytes(in->sass, most)) : 0;
  return moved > LANE_BYTES_MOST && moved % LANE_BYTES_MOST != 0 ? moved : 0;
}

/* "divisions (28 % of all): multiply by ..."; of: " of all", or "" where that was said before. */
static const char *kind_words(const struct rule_input *in, const struct mix *m, enum mix_kind k, double wider,
                              const char *of) {
  double percent = 100 * share_of(in, m, k);
  long step = k == MIX_ACCESSES ? unaligned_step(in) : 0;
  if (step)
    return pool_printf(in->pool,
                       "narrow accesses (%.0f %%%s): steps of %ld bytes: pad to %ld, then 16 per lane (now %.2g)",
                       percent, of, step, step + LANE_BYTES_MOST - step % LANE_BYTES_MOST, LANE_BYTES_MOST / wider);
  if (k == MIX_ACCESSES)
    return pool_printf(in->pool, "narrow accesses (%.0f %%%s): 16 bytes per lane where aligned (now %.2g)", percent, of,
                       LANE_BYTES_MOST / wider);
  const char *const *told = words_of(in, m, k);
  return pool_printf(in->pool, "%s (%.0f %%%s): %s", told[0], percent, of, told[1]);
}

/* Without executed counts all of it may help. */
static const char *uncounted_remedy(const struct rule_input *in) {
  return is_gemv(in) ? "fewer instructions: access 16 bytes per lane, use packed arithmetic, cut loop overhead"
                     : "fewer instructions: access 16 bytes per lane, cut index arithmetic and loop overhead";
}

/* Of a GEMV, narrow accesses, each with its address, are what halves the overhead once they are wider; above, only longer loops do. */
static const char *gemv_remedy(const struct rule_input *in, const struct leaner *x) {
  const char *width =
      x->narrow ? pool_printf(in->pool, "access 16 bytes per lane (now %.2g on average), ", LANE_BYTES_MOST / x->wider)
                : "";
  return pool_printf(in->pool, "fewer instructions: %s%scut loop overhead", width,
                     x->packed ? "use packed arithmetic, " : "");
}

/* Of the time what issuing takes, or the busiest pipe. */
static double issue_row(const struct rule_input *in) {
  return fmax(bound_needs(in, BOUND_ISSUE), bound_needs(in, busiest_pipe(in)->bound));
}

/* Of the time what a warp's instructions take in turn, with what each waits for the one before: where that binds they go with them. */
static double chain_row(const struct rule_input *in) {
  double chain_s = or_zero(in->work.own_issue_s) + fmax(or_zero(in->work.dependencies_s) - in->waits.local_s, 0);
  return in->f->bounds.binding == BOUND_LATENCY ? fmin(chain_s / in->time_s, 1) : 0;
}

/* Of the time what instructions take that are this part of all; where no row is known, as much of the time. */
static double slots_most(const struct rule_input *in, double part) {
  double row = fmax(issue_row(in), chain_row(in));
  return row > 0 ? part * fmin(row, 1) : part;
}

/* --- what is promised, and of what --- */

/* Part of all instructions that goes. */
static double part_gone(const struct rule_input *in, const struct leaner *x) {
  return 1 - part_kept(x->goes, rule_value(in, "inst_executed", 0));
}

/* What the kinds take of issuing, or of the busiest pipe.  Where threads take several elements, or a warp's chain binds, other waits go with them: -1. */
static double named_seconds(const struct rule_input *in, const struct leaner *x, const struct leaner_kinds *kinds) {
  double share = 0, row = issue_row(in);
  for (size_t k = 0; k < kinds->n; k++)
    share += share_of(in, &x->mix, kinds->of[k]);
  return kinds->n > 0 && row > 0 && x->times <= 1 ? fmin(share, 1) * row * in->time_s : -1;
}

/* As the advice will be filled. */
static double promised_s(const struct rule_input *in, const struct told *out) {
  const struct rule rule = {.change = change_issue_slots};
  struct advice a = {.rule = &rule, .told = *out};
  saving_fill(&a, in);
  return a.price.saves_s;
}

static const char *time_words(const struct rule_input *in, double s) {
  static const double MILLI = 1e-3, MICRO = 1e-6, ROUNDED = 0.9995;
  return s < ROUNDED * MILLI ? pool_printf(in->pool, "%.3g µs", s / MICRO)
         : s < ROUNDED       ? pool_printf(in->pool, "%.3g ms", s / MILLI)
                             : pool_printf(in->pool, "%.3g s", s);
}

/* What goes with the instructions, where more is promised than the busiest unit takes for them. */
static const char *beside_words(const struct rule_input *in, const struct leaner *x, double promised_s) {
  static const double ROUNDED = 1.005;
  if (promised_s <= ROUNDED * part_gone(in, x) * issue_row(in) * in->time_s)
    return "";
  return x->times <= 1                           ? "; latency binds, and each warp's chain is shorter"
         : in->f->bounds.binding == BOUND_LAUNCH ? " and fewer blocks"
                                                 : " and fewer batches of loads";
}

/* Where what the named kinds take is less than what is promised, it is said, too. */
static const char *promise_words(const struct rule_input *in, const struct leaner *x, double promised_s, double named_s,
                                 bool beside) {
  static const double HALF_ROUNDED = 0.495;
  double gone = part_gone(in, x);
  if (promised_s <= 0)
    return "";
  const char *part = gone >= HALF_ROUNDED ? "half of all" : pool_printf(in->pool, "%.0f %% fewer in all", 100 * gone);
  const char *named =
      named_s >= 0 && named_s < promised_s ? pool_printf(in->pool, "; these take %s", time_words(in, named_s)) : "";
  return pool_printf(in->pool, " (estimate: %s with %s%s%s)", time_words(in, in->time_s - promised_s), part,
                     beside ? beside_words(in, x, promised_s) : "", named);
}

/* "; also index arithmetic (38 %), integer work (14 %)": what else goes; shares: with how much each takes. */
static const char *also_words(const struct rule_input *in, const struct leaner *x, const struct leaner_kinds *kinds,
                              bool shares) {
  const char *also = "";
  for (size_t k = 1; k < kinds->n; k++) {
    enum mix_kind of = kinds->of[k];
    const char *name = of == MIX_ACCESSES  ? "narrow accesses"
                       : of == MIX_INTEGER ? "integer work"
                                           : words_of(in, &x->mix, of)[0];
    also = pool_printf(in->pool, "%s%s%s", also, k == 1 ? "; also " : ", ", name);
    if (shares)
      also = pool_printf(in->pool, "%s (%.0f %%)", also, 100 * share_of(in, &x->mix, of));
  }
  return also;
}

enum { READ_AT_ONCE = 160 };

/* All kinds that the promise is the sum of, with what else is known of them as far as it can be read at once. */
static const char *all_words(const struct rule_input *in, const struct leaner *x, const struct leaner_kinds *kinds,
                             const char *first, double promised_s, double named_s) {
  const char *promise = promise_words(in, x, promised_s, named_s, true);
  const char *brief = promise_words(in, x, promised_s, -1, false);
  const char *also = also_words(in, x, kinds, true), *names = also_words(in, x, kinds, false);
  const char *const tails[][2] = {
      {also, promise}, {names, promise}, {names, brief}, {kinds->n > 1 ? "; also others" : "", brief}, {"", brief}};
  const char *words = "";
  for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
    words = pool_printf(in->pool, "%s%s%s", first, tails[i][0], tails[i][1]);
    if (strlen(words) <= READ_AT_ONCE)
      break;
  }
  return words;
}

/* No kind is most of what goes: it is what threads, or turns, do each for itself.  The line that issues the most is told, where that is a tenth, as of the
 * hottest line. */
static void scattered_remedy(struct told *out, const struct rule_input *in, const struct leaner *x,
                             const struct leaner_kinds *kinds, double promised_s) {
  static const double LEAST = 0.1;
  const char *share = stands_in_loops(in, &x->mix, MIX_KINDS)
                          ? "fewer instructions: unroll, so that iterations share indices and tests"
                          : "fewer instructions: several elements per thread share indices and tests";
  struct issued_line line;
  if (!issued_line_of(&line, in) || line.share < LEAST) {
    out->remedy = all_words(in, x, kinds, share, promised_s, -1);
    return;
  }
  out->at = line.at;
  const char *place = pool_printf(in->pool, "%s; the most at %s (%.0f %%)", share,
                                  line_words(in, line.source, line.line), 100 * line.share);
  out->remedy = all_words(in, x, kinds, place, promised_s, -1);
}

static void kinds_remedy(struct told *out, const struct rule_input *in, const struct leaner *x,
                         const struct leaner_kinds *kinds, double promised_s) {
  double named_s = named_seconds(in, x, kinds);
  const char *first =
      pool_printf(in->pool, "fewer instructions: %s", kind_words(in, &x->mix, kinds->of[0], x->wider, " of all"));
  out->named_s = fmax(named_s, 0);
  if (kinds->n == 2) { /* of the second what is done about it, too */
    const char *second = kind_words(in, &x->mix, kinds->of[1], x->wider, "");
    out->remedy = pool_printf(in->pool, "%s; %s%s", first, second, promise_words(in, x, promised_s, named_s, true));
    if (strlen(out->remedy) <= READ_AT_ONCE)
      return;
  }
  out->remedy = all_words(in, x, kinds, first, promised_s, named_s);
}

/* The kernel's own work: nothing is named that could go, and that half of it does is an assumption. */
static bool names_no_kind(const struct rule_input *in, const struct leaner_kinds *kinds) {
  enum mix_kind k = kinds->of[0];
  return k == MIX_INTEGER || (k == MIX_FLOAT && !multiplies_in_fp32(in));
}

/* An uneven load is measured, and what no kind is named for is not. */
static void yield_to_imbalance(struct told *out, const struct rule_input *in) {
  static const double UNEVEN = 0.8;
  if (rule_value(in, "sm_balance", 1) >= UNEVEN)
    return;
  out->yields_to = "imbalance";
  out->yields_why = "the uneven load is measured; which of these instructions could go is not known";
}

static void counted_remedy(struct told *out, const struct rule_input *in, const struct leaner *x, double promised_s) {
  struct leaner_kinds kinds;
  leaner_kinds_of(&kinds, in, x);
  if (kinds.n == 0 || kinds.of[0] == MIX_SETUP) {
    scattered_remedy(out, in, x, &kinds, promised_s);
    return;
  }
  kinds_remedy(out, in, x, &kinds, promised_s);
  out->at = kinds.of[0] == MIX_ACCESSES ? narrow_place(in) : mix_place(in, &x->mix, kinds.of[0]);
  if (names_no_kind(in, &kinds))
    yield_to_imbalance(out, in);
}

static void leaner_remedy(struct told *out, const struct rule_input *in, const struct leaner *x) {
  double promised = promised_s(in, out);
  if (x->mix.known && !is_gemv(in))
    counted_remedy(out, in, x, promised);
  else
    out->remedy = pool_printf(in->pool, "%s%s", x->mix.known ? gemv_remedy(in, x) : uncounted_remedy(in),
                              promise_words(in, x, promised, -1, true));
}

/* Kinds as a sentence has them. */
static const struct work_kind {
  const char *name;
  enum sass_class classes[8];
  size_t n;
} WORK_KINDS[] = {{"integer and logic", {SASS_INTEGER, SASS_LOGIC}, 2},
                  {"floating point", {SASS_FP16, SASS_FP32, SASS_FP64}, 3},
                  {"special functions", {SASS_SPECIAL}, 1},
                  {"conversions", {SASS_CONVERT}, 1},
                  {"accesses of memory",
                   {SASS_LOAD_GLOBAL, SASS_STORE_GLOBAL, SASS_LOAD_SHARED, SASS_STORE_SHARED, SASS_LOAD_LOCAL,
                    SASS_STORE_LOCAL, SASS_LOAD_CONSTANT, SASS_ATOMIC},
                   8},
                  {"branches", {SASS_CONTROL}, 1}};
enum { N_WORK_KINDS = sizeof WORK_KINDS / sizeof WORK_KINDS[0] };

/* "; instructions: 41 % integer and logic, 22 % floating point": the two kinds of most; "" where nothing was counted. */
static const char *mix_words(const struct rule_input *in) {
  double of[N_WORK_KINDS] = {0}, all = executed_all(in);
  size_t first = 0, second = 1;
  for (size_t k = 0; k < N_WORK_KINDS; k++)
    for (size_t c = 0; c < WORK_KINDS[k].n; c++)
      of[k] += executed_in(in, WORK_KINDS[k].classes[c], PIPE_UNKNOWN);
  for (size_t k = 1; k < N_WORK_KINDS; k++)
    if (of[k] > of[first]) {
      second = first;
      first = k;
    } else if (k != first && (of[k] > of[second] || second == first)) {
      second = k;
    }
  if (all <= 0 || of[first] <= 0)
    return "";
  const char *words =
      pool_printf(in->pool, "; instructions: %.0f %% %s", 100 * of[first] / all, WORK_KINDS[first].name);
  return of[second] > 0
             ? pool_printf(in->pool, "%s, %.0f %% %s", words, 100 * of[second] / all, WORK_KINDS[second].name)
             : words;
}

/* Warps wait for loads most of the time, and the schedulers are idle in most cycles: fewer instructions bring no value sooner. */
static bool idles_for_loads(const struct rule_input *in) {
  static const double SLOTS = 0.5, WAITS = 0.6;
  return rule_value(in, "issue_slot_utilisation", 1) < SLOTS &&
         rule_value(in, "stall_long_scoreboard_share", 0) > WAITS;
}

static void fewer_issued(const struct rule_input *in, const struct leaner *x, struct workload *w) {
  value_scale(&w->lsu, part_kept(x->lsu, rule_value(in, "pipe_lsu", 0)));
  value_scale(&w->alu, part_kept(x->alu, rule_value(in, "pipe_alu", 0)));
  value_scale(&w->adu, part_kept(x->adu, rule_value(in, "pipe_adu", 0)));
  value_scale(&w->fma, part_kept(x->fma, rule_value(in, "pipe_fma", 0)));
  value_scale(&w->fma_heavy, part_kept(x->fma, rule_value(in, "pipe_fma", 0)));
  work_fewer_insts(in, w, x->goes);
}

/* Threads of several elements are fewer, and wait for fewer batches of loads. */
static void wider_threads(const struct rule_input *in, const struct leaner *x, struct workload *w) {
  if (x->several)
    work_fewer_blocks(in, w, x->times);
  value_scale(&w->loads_s, 1 / x->times);
}

/* Of the time what wider accesses spare beside instructions. */
static double wider_part(const struct rule_input *in, const struct leaner *x) {
  struct workload fewer = in->work, all;
  fewer_issued(in, x, &fewer);
  all = fewer;
  wider_threads(in, x, &all);
  return fmax(saving_of(in, &all) - saving_of(in, &fewer), 0) / in->time_s;
}

bool rule_issue_slots(const struct rule_input *in, struct told *out) {
  const struct pipe *pipe = busiest_pipe(in);
  double slots = rule_value(in, "issue_slot_utilisation", 0),
         each = 8 * RULE_LANES * rule_value(in, "inst_per_element", 0);
  if (idles_for_loads(in) || sm_share(in) < ADVICE_LEAST_SHARE ||
      (pipe->bound != BOUND_ADU && bound_needs(in, pipe->bound) >= PIPE_BUSY &&
       bound_needs(in, pipe->bound) > bound_needs(in, BOUND_ISSUE)))
    return false;
  evidence_metric(out, in, "issue_slot_utilisation");
  if (each > 0)
    evidence_add(out, "instructions per 8 elements", "inst", value_of(each)); /* of a lane, as decode-cost has it */
  evidence_metric(out, in, "alu_share");
  evidence_metric(out, in, "fma_share");
  evidence_metric(out, in, "lsu_share");
  const char *of_element =
      each > 0 ? pool_printf(in->pool, ", %.1f instructions per 8 elements", each) : ""; /* 0: no problem is declared */
  const char *bound = in->f->bounds.binding == BOUND_ISSUE ? "issue-bound: " : "";
  const char *mix = mix_words(in);
  out->sentence = slots > 0 ? pool_printf(in->pool, "%s%s%s%s", bound, slots_words(in), of_element, mix)
                            : pool_printf(in->pool, "%sissuing the instructions takes %.0f %% of the time%s%s", bound,
                                          100 * bound_needs(in, BOUND_ISSUE), of_element, mix);
  struct leaner x;
  leaner_of(&x, in);
  double named = 1 - part_kept(x.named, rule_value(in, "inst_executed", 0)), beside = wider_part(in, &x);
  out->most = slots_most(in, part_gone(in, &x)) + beside;
  out->most_high = slots_most(in, fmax(named, LEANER_MOST)) + beside;
  leaner_remedy(out, in, &x);
  leaner_release(&x);
  return true;
}

void change_issue_slots(const struct rule_input *in, struct workload *w) {
  struct leaner x;
  leaner_of(&x, in);
  fewer_issued(in, &x, w);
  wider_threads(in, &x, w);
  leaner_release(&x);
}
