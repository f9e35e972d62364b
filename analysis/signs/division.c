#include "analysis/signs/division.h"

#include "analysis/idioms/origins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-6;

double integer_divisions(const struct rule_input *in) {
  return fmin(executed_of(in, "I2F", "RP"), executed_of(in, "MUFU", "RCP"));
}

/* It makes the reciprocal of the divisor. */
bool divides_integers(const struct sass_inst *x) {
  return strcmp(x->opcode, "I2F") == 0 && sass_modifier(x, "RP");
}

bool function_divides(const struct sass *s, size_t f) {
  return f != SASS_NONE && (strstr(s->functions[f].name, "_u64") || strstr(s->functions[f].name, "_s64"));
}

static bool stands_in_function(const struct sass *s, size_t i) {
  return function_divides(s, s->blocks[s->block_of[i]].function);
}

/* Of 64-bit numbers that fit 32: the longer way, a call, stands in the code right before the one that is taken. */
static bool is_wide(const struct sass *s, size_t i) {
  enum { NEAR = 16 };
  for (size_t k = i > NEAR ? i - NEAR : 0; k < i; k++)
    if (s->insts[k].calls && function_divides(s, sass_called(s, k)))
      return true;
  return false;
}

/* It reads no register: its result is a number, or an argument of the kernel. */
static bool is_given(const struct sass_inst *x) {
  return x->n_reads == 0 && x->space != SPACE_GLOBAL && x->wait != WAIT_SPECIAL && !x->calls;
}

/* The multiplication is by a number of the code or an argument of the kernel, as the compiler divides by a constant: it is what the remedy asks for. */
static bool multiplies_given(struct sass *s, size_t i) {
  struct sass_producer from[SASS_READS_MAX];
  const struct sass_inst *x = &s->insts[i];
  const char *text = x->text;
  size_t n = sass_producers(s, i, from, SASS_READS_MAX);
  if (strstr(text, ", 0x") || strstr(text, ", -0x") || strstr(text, "c[") || strstr(text, "UR"))
    return true;
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    for (size_t r = 0; r < FACTORS && r < x->n_reads; r++)
      if (from[k].range.first == x->reads[r].first && !from[k].may && is_given(&s->insts[from[k].inst]))
        return true;
  return false;
}

bool divides_high(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  return strcmp(x->opcode, "IMAD") == 0 && sass_modifier(x, "HI") && s->executed[i] > 0 && !multiplies_given(s, i);
}

/* As the code has them: a division of 64 bits is a function of the compiler's, whose instructions are all its. */
struct written {
  double high, wide;     /* IMAD.HI elsewhere; divisions of 64-bit numbers that fit 32 */
  double by_function;    /* divisions */
  double of[SASS_PIPES]; /* instructions of functions */
  double insts;
};

static void written_of(struct written *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  *out = (struct written){0};
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    double n = s->insts[i].never ? 0 : fmax(s->executed[i], 0);
    bool divides = divides_integers(&s->insts[i]);
    if (!stands_in_function(s, i)) {
      out->high += divides_high(s, i) ? n : 0;
      out->wide += divides && is_wide(s, i) ? n : 0;
      continue;
    }
    out->by_function += divides ? n : 0;
    out->of[s->insts[i].pipe] += n;
    out->insts += n;
  }
}

/* A division by a variable has an IMAD.HI for its reciprocal and one for its quotient. */
void dividing_of(struct dividing *out, const struct rule_input *in) {
  struct written w;
  *out = (struct dividing){0};
  if (in->sass && in->sass->spread && in->sass->n_loops > 0) /* how often loops turn is guessed there */
    return;
  written_of(&w, in);
  double all = integer_divisions(in), n = fmax(all - w.by_function, 0), more = w.high - 2 * n;
  more = more > ROUNDING * n ? more : 0; /* counts that are estimated are fractions */
  double with_sign = n > 0 ? fmax(1 - executed_of(in, "I2F", "U32") / n, 0) : 0; /* part of them */
  *out = (struct dividing){.n = all, .more = more, .xu = n * DIVISION_XU + w.of[PIPE_XU]};
  out->fma = n * (DIVISION_FMA + with_sign * SIGNED_FMA) + more * (QUOTIENT_FMA + with_sign * SIGNED_QUOTIENT_FMA) +
             w.wide * WIDE_FMA;
  out->alu = n * (DIVISION_ALU + with_sign * SIGNED_ALU) + more * (QUOTIENT_ALU + with_sign * SIGNED_QUOTIENT_ALU) +
             w.wide * WIDE_ALU;
  out->insts = n * DIVISION_XU + out->fma + out->alu + w.wide * WIDE_BRANCHES + w.insts;
  out->fma += w.of[PIPE_FMA];
  out->alu += w.of[PIPE_ALU];
}

/* What the reciprocal is taken of is the same in every thread, but for this instruction itself. */
static bool is_same(struct sass *s, size_t i, const bool *given) {
  struct sass_producer from[SASS_READS_MAX];
  size_t n = sass_producers(s, i, from, SASS_READS_MAX);
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (!given[from[k].inst])
      return false;
  return true;
}

static bool is_block_number(const struct sass *s, size_t at, size_t of) {
  (void)of;
  return strstr(s->insts[at].text, "SR_CTAID") != NULL;
}

static bool rests_on_block(struct sass *s, size_t i) {
  for (size_t k = 0; k < s->insts[i].n_reads; k++)
    if (sass_comes_from(s, i, &s->insts[i].reads[k], is_block_number, 0))
      return true;
  return false;
}

/* A quotient or remainder has one IMAD.HI beside its reciprocal's. */
bool divides_block_numbers(const struct rule_input *in) {
  struct sass *s = in->sass;
  double all = 0, same = 0, block = 0;
  if (!s || !s->counted)
    return false;
  bool *given = sass_given_make(s);
  for (size_t i = 0; i < s->n; i++) {
    double n = fmax(s->executed[i], 0);
    block += n > 0 && divides_high(s, i) && rests_on_block(s, i) ? n : 0;
    if (n <= 0 || !divides_integers(&s->insts[i]))
      continue;
    all += n;
    same += is_same(s, i, given) ? n : 0;
  }
  free(given);
  return 2 * same > all && 2 * block > all;
}
