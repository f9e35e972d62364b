#include "analysis/signs/mix.h"

#include "analysis/idioms/halves.h"
#include "analysis/idioms/shuffle_loops.h"
#include "analysis/signs/about.h"
#include "analysis/signs/block_tree.h"
#include "analysis/signs/division.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of index arithmetic and of loops' own instructions, what pointers that advance and loops that are unrolled once spare. */
static const double HALF = 0.5;
enum { TURN_INSTS = 3, PAIR = 2 };

/* What nvcc 12.9 and 13.0 write out for an operation for sm_90, found by an instruction that
 * each has once, and what is left of it: of a division and a root the approximation and a
 * product, of the functions what __expf, __logf, __powf, __sinf and tanh.approx take, with their
 * scaling of denormals.  A power is told by its logarithm, in more digits than logf has, and
 * counted as by a constant exponent; its exponential ends in ln 2, which logf multiplies by.
 * Sines are counted with the cosine of the same angle, and again where the angle is too large
 * for the short way.  Of 16 bits (hexp, and / of half) __expf and __fdividef are left, with the
 * conversions to fp32 and back; hexp selects what it corrects by predicates, or by HSET2.  Of
 * erff the shorter formula 7.1.26 of Abramowitz and Stegun, which errs by 1.5e-7: a reciprocal,
 * an exponential, five terms, a product before each and the sign. */
static const struct operation {
  enum mix_kind kind;
  const char *opcode, *modifier, *text; /* NULL: any */
  double insts, left, floats, integers, converts,
      halves; /* of insts: of fp32, of integers and logic, conversions, and one 16-bit value each */
} OPERATIONS[] = {{MIX_DIVISIONS, "FCHK", NULL, NULL, 10, 2, 6, 0, 0, 0},
                  {MIX_DIVISIONS, "ISETP", "GT", "0x1ffffff, ", 10, 2, 3, 2, 0, 0}, /* of 1: a reciprocal */
                  {MIX_HALF_DIVISIONS, "HSETP2", "GEU", "8.523464202880859375e-06", 11, 5, 5, 1, 2, 1},
                  {MIX_EXPONENTIALS, "FFMA", "RM", NULL, 8, 5, 6, 1, 0, 0},
                  {MIX_HALF_EXPONENTIALS, "HSETP2", "EQ", "0.0226898193359375, 0.007297", 14, 7, 2, 4, 1, 5},
                  {MIX_HALF_EXPONENTIALS, "HSET2", "EQ", "0.0226898193359375, 0.007297", 10, 7, 2, 0, 1, 5},
                  {MIX_TANGENTS, "FSETP", "GE", "0.60000002384185791016", 17, 1, 11, 2, 0, 0},
                  {MIX_ERRORS, "FSETP", "GE", "1.0029599666595458984", 28, 12, 18, 6, 0, 0},
                  {MIX_LOGARITHMS, "FFMA", NULL, "0.69314718246459960938, ", 24, 5, 18, 4, 0, 0},
                  {MIX_POWERS, "FFMA", NULL, "0.0032181653", 69, 9, 50, 7, 3, 0},
                  {MIX_SINES, "FMUL", NULL, "0.6366197", 37, 3, 22, 8, 2, 0},
                  {MIX_SINES, "I2F", "S64", NULL, 110, 0, 0, 80, 2, 0},
                  {MIX_ROOTS, "ISETP", NULL, "0x727fffff", 11, 4, 5, 2, 0, 0}};
enum { N_OPERATIONS = sizeof OPERATIONS / sizeof OPERATIONS[0] };

static bool begins_operation(const struct sass_inst *x, const struct operation *o) {
  return strcmp(x->opcode, o->opcode) == 0 && (!o->modifier || sass_modifier(x, o->modifier)) &&
         (!o->text || strstr(x->text, o->text));
}

/* One value at a time.  What widens a half is a conversion. */
static bool is_half(const struct sass_inst *x) {
  return x->class == SASS_FP16 && !sass_modifier(x, "F32") && sass_is_one_half(x);
}

static bool is_constant_move(const struct sass_inst *x) {
  return x->class == SASS_FP16 && strstr(x->text, "-RZ, RZ");
}

/* A function of the compiler's: the slow path of a division or a root, or a division of 64 bits. */
static enum mix_kind of_function(const struct sass *s, size_t f) {
  const char *name = f == SASS_NONE ? "" : s->functions[f].name;
  bool slow = isdigit((unsigned char)name[0]) && (strstr(name, "path") || strstr(name, "_rn_f64"));
  return slow ? MIX_SLOW_PATHS : function_divides(s, f) ? MIX_INTEGER_DIVISIONS : MIX_KINDS;
}

static bool has_no_pipe(const struct sass_inst *x) {
  return x->pipe == PIPE_UNKNOWN || x->pipe == PIPE_UNIFORM || x->pipe == PIPE_ADU || x->pipe == PIPE_CBU;
}

static enum mix_kind kind_of(const struct sass *s, size_t i, const bool *index) {
  const struct sass_inst *x = &s->insts[i];
  enum mix_kind of = of_function(s, s->blocks[s->block_of[i]].function);
  if (of != MIX_KINDS)
    return of;
  for (size_t o = 0; o < N_OPERATIONS; o++)
    if (begins_operation(x, &OPERATIONS[o]))
      return OPERATIONS[o].kind;
  if (divides_integers(x))
    return MIX_INTEGER_DIVISIONS;
  if (index[i])
    return MIX_INDEX;
  switch (x->class) {
  case SASS_LOAD_GLOBAL:
  case SASS_STORE_GLOBAL:
    return MIX_ACCESSES;
  case SASS_CONVERT:
    return sass_modifier(x, "F64") ? MIX_KINDS : MIX_CONVERSIONS;
  case SASS_FP16:
    return is_constant_move(x) ? MIX_KINDS : is_half(x) ? MIX_HALVES : MIX_FLOAT;
  case SASS_FP32:
    return MIX_FLOAT;
  case SASS_INTEGER:
  case SASS_LOGIC:
    return MIX_INTEGER;
  case SASS_BARRIER:
  case SASS_TENSOR:
    return MIX_KINDS;
  default:
    return has_no_pipe(x) ? MIX_SETUP : MIX_KINDS;
  }
}

/* Their other instructions are among those of fp32, of integers and of conversions. */
static void operations_add(struct mix *out, const struct sass_inst *x, double n) {
  for (size_t o = 0; o < N_OPERATIONS; o++)
    if (begins_operation(x, &OPERATIONS[o])) {
      out->takes[OPERATIONS[o].kind] += n * (OPERATIONS[o].insts - 1);
      out->goes[OPERATIONS[o].kind] += n * (OPERATIONS[o].insts - OPERATIONS[o].left);
      out->takes[MIX_FLOAT] -= n * OPERATIONS[o].floats;
      out->takes[MIX_INTEGER] -= n * OPERATIONS[o].integers;
      out->takes[MIX_CONVERSIONS] -= n * OPERATIONS[o].converts;
      out->takes[MIX_HALVES] -= n * OPERATIONS[o].halves;
      return;
    }
  if (divides_integers(x)) {
    out->takes[MIX_INTEGER_DIVISIONS] += n * (DIVISION_INSTS - 1);
    out->goes[MIX_INTEGER_DIVISIONS] += n * (DIVISION_INSTS - MULTIPLY_SHIFT);
    out->takes[MIX_CONVERSIONS] -= n; /* the quotient's way back */
    double others = n * (DIVISION_FMA + DIVISION_ALU), of_index = fmin(others, fmax(out->takes[MIX_INDEX], 0));
    out->takes[MIX_INDEX] -= of_index; /* quotients are mostly indices */
    out->takes[MIX_INTEGER] -= others - of_index;
  }
}

/* As integer-division counts them: with signs, with further quotients by the same divisors, and of 64 bits the compiler's functions as they stand. */
static void quotients_add(struct mix *out, const struct rule_input *in) {
  struct dividing x;
  dividing_of(&x, in);
  double more = x.insts - out->takes[MIX_INTEGER_DIVISIONS];
  if (x.n <= 0 || more <= 0)
    return;
  double of_index = fmin(more, fmax(out->takes[MIX_INDEX], 0));
  out->takes[MIX_INTEGER_DIVISIONS] = x.insts;
  out->goes[MIX_INTEGER_DIVISIONS] = x.insts - MULTIPLY_SHIFT * (x.n + x.more);
  out->takes[MIX_INDEX] -= of_index;
  out->takes[MIX_INTEGER] -= more - of_index;
}

/* A loop that turns twice or more could be unrolled. */
static void turns_add(struct mix *out, const struct sass *s) {
  for (size_t l = 0; l < s->n_loops; l++) {
    const struct sass_loop *x = &s->loops[l];
    double turns = s->blocks[x->header].executed;
    if (x->spins || !x->trips.present || x->trips.v < 2 || turns <= 0 ||
        out->of[s->blocks[x->header].first] == MIX_SHUFFLES)
      continue;
    out->takes[MIX_TURNS] += TURN_INSTS * turns;
    out->takes[MIX_INTEGER] -= (TURN_INSTS - 1) * turns;
    for (size_t i = 0; i < s->n; i++)
      if (s->insts[i].branches && s->insts[i].has_target && s->insts[i].target <= s->insts[i].offset &&
          sass_in_loop(s, i, l) && out->of[i] == MIX_SETUP) {
        out->of[i] = MIX_TURNS;
        out->takes[MIX_SETUP] -= fmax(s->executed[i], 0);
      }
  }
}

/* Unrolled, a step is the shuffle and what combines, with its distance in the code. */
static void shuffles_mark(struct mix *out, struct sass *s) {
  enum { STEP_INSTS = 2 };
  for (size_t i = 0; i < s->n; i++) {
    size_t loop = s->insts[i].never || s->executed[i] <= 0 ? SASS_NONE : sass_shuffle_loop(s, i);
    if (loop == SASS_NONE)
      continue;
    out->goes[MIX_SHUFFLES] -= STEP_INSTS * s->executed[i];
    for (size_t k = 0; k < s->n; k++)
      if (s->blocks[s->block_of[k]].loop == loop && !s->insts[k].never && out->of[k] != MIX_SHUFFLES) {
        out->of[k] = MIX_SHUFFLES;
        out->goes[MIX_SHUFFLES] += fmax(s->executed[k], 0);
      }
  }
  out->goes[MIX_SHUFFLES] = fmax(out->goes[MIX_SHUFFLES], 0);
}

/* Numbers that are moved to registers for fp64 instructions, and nothing else. */
static void literals_mark(struct mix *out, struct sass *s) {
  for (size_t i = 0; i < s->n; i++) {
    struct sass_producer from[SASS_READS_MAX];
    size_t n = s->insts[i].class == SASS_FP64 ? sass_producers(s, i, from, SASS_READS_MAX) : 0;
    for (size_t k = 0; k < n && k < SASS_READS_MAX; k++) {
      const struct sass_inst *x = &s->insts[from[k].inst];
      if (x->n_reads == 0 && !x->never && (strstr(x->opcode, "MOV") || sass_modifier(x, "MOV")))
        out->of[from[k].inst] = MIX_LITERALS;
    }
  }
}

/* Its kind is told by an instruction by itself, and that one alone is counted. */
static bool is_of_operation(enum mix_kind k) {
  return k != MIX_KINDS && k != MIX_SLOW_PATHS && k != MIX_TREE && k != MIX_SHUFFLES;
}

/* --- the passes of mix_of(), in their order --- */

/* Every instruction has a kind, and is counted as that. */
static void kinds_mark(struct mix *out, const struct sass *s, const bool *index, const unsigned char *levels) {
  for (size_t i = 0; i < s->n; i++) {
    double n = fmax(s->executed[i], 0);
    bool marked = out->of[i] == MIX_SHUFFLES || out->of[i] == MIX_LITERALS;
    out->of[i] = (unsigned char)(s->insts[i].never          ? MIX_KINDS
                                 : marked                   ? out->of[i]
                                 : levels && levels[i] != 0 ? MIX_TREE
                                                            : kind_of(s, i, index));
    if (out->of[i] == MIX_KINDS)
      continue;
    out->takes[out->of[i]] += n;
    out->goes[out->of[i]] += out->of[i] == MIX_SLOW_PATHS ? n : 0;
  }
}

/* An operation is marked by one instruction: the others that it takes move to it from the kinds that they were counted as. */
static void operations_expand(struct mix *out, const struct sass *s) {
  for (size_t i = 0; i < s->n; i++)
    if (is_of_operation(out->of[i]) && !function_divides(s, s->blocks[s->block_of[i]].function))
      operations_add(out, &s->insts[i], fmax(s->executed[i], 0));
}

/* Where more was moved from a kind than it has, it has none; of what is left, the parts that remedies spare. */
static void goes_fill(struct mix *out, const struct rule_input *in, double of_tree) {
  for (size_t k = 0; k < MIX_KINDS; k++)
    out->takes[k] = fmax(out->takes[k], 0);
  double accesses = out->takes[MIX_ACCESSES] + executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) +
                    executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_ATOMIC, PIPE_UNKNOWN);
  out->goes[MIX_INDEX] = HALF * fmax(out->takes[MIX_INDEX] - accesses, 0); /* an access takes an address */
  out->goes[MIX_TREE] = of_tree;
  out->goes[MIX_TURNS] = HALF * out->takes[MIX_TURNS];
  out->goes[MIX_LITERALS] = HALF * out->takes[MIX_LITERALS];
  out->goes[MIX_SETUP] = HALF * out->takes[MIX_SETUP];
  out->goes[MIX_CONVERSIONS] = HALF * out->takes[MIX_CONVERSIONS];
  out->goes[MIX_HALVES] = out->takes[MIX_HALVES] * (1 - 1.0 / PAIR);
}

void mix_of(struct mix *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  *out = (struct mix){0};
  if (!s || !s->counted)
    return;
  bool *index = sass_index_make(s);
  struct block_tree tree;
  unsigned char *levels = NULL;
  bool has_tree = block_tree_of(&tree, in, &levels);
  out->of = calloc(s->n + 1, 1);
  out->known = true;
  literals_mark(out, s);
  shuffles_mark(out, s); /* before the kinds: a loop's instructions are all its */
  kinds_mark(out, s, index, has_tree ? levels : NULL);
  operations_expand(out, s);
  turns_add(out, s);
  quotients_add(out, in);
  goes_fill(out, in, tree.goes.insts);
  free(index);
  free(levels);
}

void mix_release(struct mix *m) {
  free(m->of);
  *m = (struct mix){0};
}

const struct run_instruction *mix_place(const struct rule_input *in, const struct mix *m, enum mix_kind k) {
  if (!m->of)
    return NULL;
  bool *marked = calloc(in->sass->n + 1, sizeof *marked);
  for (size_t i = 0; i < in->sass->n; i++)
    marked[i] = m->of[i] == k;
  const struct run_instruction *at = about_marked(in, marked, k >= MIX_DIVISIONS && k <= MIX_INTEGER_DIVISIONS);
  free(marked);
  return at;
}
