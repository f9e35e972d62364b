#include "analysis/signs/division.h"

#include "analysis/sass/divides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-6;

double integer_divisions(const struct rule_input *in) {
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

/* It reads no register: its result is a number, or an argument of the kernel. */
static bool is_given(const struct sass_inst *x) {
  return x->n_reads == 0 && x->space != SPACE_GLOBAL && x->wait != WAIT_SPECIAL && !x->calls;
}

/* The multiplication is by a number of the code or an argument of the kernel, as the compiler divides by a constant: it is what the remedy asks for. */
static bool multiplies_given(struct sass *s, size_t i) {
  enum { FACTORS = 2 }; /* and an addend, of two registers */
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

static double multiplies_high(const struct rule_input *in) {
  double n = 0;
  for (size_t i = 0; in->sass && in->sass->counted && i < in->sass->n; i++)
    n += divides_high(in->sass, i) ? in->sass->executed[i] : 0;
  return n;
}

/* A division by a variable has an IMAD.HI for its reciprocal and one for its quotient. */
void dividing_of(struct dividing *out, const struct rule_input *in) {
  double n = integer_divisions(in), more = multiplies_high(in) - 2 * n, wide = are_wide(in) ? n : 0;
  more = more > ROUNDING * n ? more : 0; /* counts that are estimated are fractions */
  double with_sign = n > 0 ? fmax(1 - executed_of(in, "I2F", "U32") / n, 0) : 0; /* part of them */
  *out = (struct dividing){.n = n, .more = more, .xu = n * DIVISION_XU};
  out->fma = n * (DIVISION_FMA + with_sign * SIGNED_FMA) + more * (QUOTIENT_FMA + with_sign * SIGNED_QUOTIENT_FMA) +
             wide * WIDE_FMA;
  out->alu = n * (DIVISION_ALU + with_sign * SIGNED_ALU) + more * (QUOTIENT_ALU + with_sign * SIGNED_QUOTIENT_ALU) +
             wide * WIDE_ALU;
  out->insts = out->xu + out->fma + out->alu + wide * WIDE_BRANCHES;
}

/* It makes the reciprocal of the divisor. */
bool divides_integers(const struct sass_inst *x) {
  return strcmp(x->opcode, "I2F") == 0 && sass_modifier(x, "RP");
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

/* A quotient or remainder has one IMAD.HI beside its reciprocal's. */
enum divided divided_of(const struct rule_input *in) {
  struct sass *s = in->sass;
  double all = 0, doubled = 0, same = 0, block = 0;
  if (!s || !s->counted)
    return DIVIDED_OTHER;
  bool *given = sass_given_make(s);
  for (size_t i = 0; i < s->n; i++) {
    double n = fmax(s->executed[i], 0);
    block += n > 0 && divides_high(s, i) && sass_rests_on_block(s, i) ? n : 0;
    if (n <= 0 || !divides_integers(&s->insts[i]))
      continue;
    all += n;
    doubled += sass_divisor_doubles(s, i) ? n : 0;
    same += is_same(s, i, given) ? n : 0;
  }
  free(given);
  return 2 * doubled > all ? DIVIDED_BY_DOUBLED : 2 * same > all && 2 * block > all ? DIVIDED_OF_BLOCK : DIVIDED_OTHER;
}
