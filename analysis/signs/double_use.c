#include "analysis/signs/double_use.h"

#include "analysis/signs/lookups.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* "DMUL R6, R6, 127"; an infinity is a function's test. */
static bool has_number(const char *text) {
  for (const char *at = strstr(text, ", "); at; at = strstr(at, ", ")) {
    at += 2;
    if (isdigit((unsigned char)at[*at == '-']))
      return true;
  }
  return false;
}

/* An operand that is a number on every way, held in registers. */
static bool holds_number(struct sass *s, size_t i) {
  struct sass_producer from[SASS_READS_MAX];
  size_t n = sass_producers(s, i, from, SASS_READS_MAX);
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++) {
    const struct sass_inst *x = &s->insts[from[k].inst];
    bool data = from[k].range.file == FILE_R || from[k].range.file == FILE_UR;
    if (data && !from[k].may && x->n_reads == 0 && (strstr(x->opcode, "MOV") || strstr(x->modifiers, ".MOV")))
      return true;
  }
  return false;
}

enum double_use double_use_of(const struct rule_input *in) {
  static const double HARDLY = 0.1;
  struct sass *s = in->sass;
  double all = 0, numbers = 0, powers = 0;
  bool functions = executed_of(in, "MUFU", "RCP64H") + executed_of(in, "MUFU", "RSQ64H") + function_loads(in) > 0;
  for (size_t i = 0; s && i < s->n; i++) {
    size_t f = s->blocks[s->block_of[i]].function;
    double n = s->counted ? fmax(s->executed[i], 0) : 1;
    if (s->insts[i].class != SASS_FP64 || n <= 0)
      continue;
    all += n;
    powers += f != SASS_NONE && strstr(s->functions[f].name, "accurate_pow") ? n : 0;
    numbers += has_number(s->insts[i].text) || holds_number(s, i) ? n : 0;
  }
  if (2 * powers > all)
    return DOUBLE_POW;
  if (all <= 0 || functions)
    return DOUBLE_UNKNOWN;
  return numbers < HARDLY * all ? DOUBLE_VARIABLE : DOUBLE_NUMBER;
}
