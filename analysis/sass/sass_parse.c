/* One line of SASS to its parts: guard, opcode, operands. */
#include "analysis/sass/sass_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS_MAX = 16 };

struct piece { /* of the text */
  const char *at;
  size_t n;
};

struct reading {
  struct sass_inst *inst;
  const struct sass_opcode *op;
  struct piece operands[OPERANDS_MAX];
  size_t n;
};

static bool letter(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* A register's name at the start of a piece of n characters.  The zero and true registers are names too, of no register (count 0). */
static bool read_register(const char *s, size_t n, struct sass_range *out) {
  static const struct {
    const char *prefix, *none;
    enum sass_file file;
  } files[] = {
      {"UR", "URZ", FILE_UR}, {"UP", "UPT", FILE_UP}, {"R", "RZ", FILE_R}, {"P", "PT", FILE_P}, {"B", NULL, FILE_B}};
  size_t length = 0;
  while (length < n && letter(s[length]))
    length++;
  for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
    size_t prefix = strlen(files[f].prefix);
    *out = (struct sass_range){.file = (uint8_t)files[f].file};
    if (files[f].none && length == prefix + 1 && memcmp(s, files[f].none, length) == 0)
      return true;
    if (length <= prefix || length > prefix + 3 || memcmp(s, files[f].prefix, prefix) != 0)
      continue;
    unsigned number = 0;
    size_t digit = prefix;
    for (; digit < length && isdigit((unsigned char)s[digit]); digit++)
      number = number * 10 + (unsigned)(s[digit] - '0');
    if (digit < length || number >= SASS_FILE_SIZE[files[f].file])
      continue;
    out->first = (uint8_t)number;
    out->count = 1;
    return true;
  }
  return false;
}

/* ".64" among the suffixes of a register. */
static bool suffix_double(const char *s, size_t n) {
  for (size_t i = 0; i + 2 < n && (letter(s[i]) || s[i] == '.'); i++)
    if (s[i] == '.' && s[i + 1] == '6' && s[i + 2] == '4' && (i + 3 == n || !letter(s[i + 3])))
      return true;
  return false;
}

static void add_range(const struct reading *r, struct sass_range range, const struct sass_place *at) {
  struct sass_inst *i = r->inst;
  if (!range.count)
    return;
  int count = sass_group(i, r->op, range.file, at);
  int room = SASS_FILE_SIZE[range.file] - range.first;
  range.count = (uint16_t)(count < room ? count : room);
  if (at->written && i->n_writes < SASS_WRITES_MAX)
    i->writes[i->n_writes++] = range;
  else if (!at->written && i->n_reads < SASS_READS_MAX)
    i->reads[i->n_reads++] = range;
}

/* All registers that stand in an operand. */
static void read_operand(const struct reading *r, struct piece o, bool written, size_t nth) {
  struct sass_place at = {.written = written, .nth = nth};
  if (o.n && o.at[0] == '`') /* a label */
    return;
  for (size_t x = 0; x < o.n; x++) {
    if (o.at[x] == '[') {
      at.descriptor = x >= 4 && memcmp(o.at + x - 4, "desc", 4) == 0;
      at.matrix = x >= 5 && memcmp(o.at + x - 5, "gdesc", 5) == 0;
      at.address = !at.descriptor && !at.matrix; /* nothing stands behind the last ']' but modifiers */
    }
    if (!letter(o.at[x]) || (x && (letter(o.at[x - 1]) || o.at[x - 1] == '.')))
      continue;
    struct sass_range range;
    if (read_register(o.at + x, o.n - x, &range)) {
      at.double_ = suffix_double(o.at + x, o.n - x);
      add_range(r, range, &at);
    }
  }
}

/* An operand that is nothing but a predicate, true and false among them, negated or not. */
static bool operand_predicate(struct piece o) {
  struct sass_range range;
  size_t bang = o.n && o.at[0] == '!';
  return read_register(o.at + bang, o.n - bang, &range) && (range.file == FILE_P || range.file == FILE_UP);
}

static size_t count_predicates(const struct reading *r, size_t from) {
  size_t n = 0;
  while (from + n < r->n && operand_predicate(r->operands[from + n]) && r->operands[from + n].at[0] != '!')
    n++;
  return n;
}

/* How many of the operands are results; they come first. */
static size_t count_written(const struct reading *r) {
  bool leads = r->n && operand_predicate(r->operands[0]);
  size_t limit = r->n;
  size_t written = 0;
  switch (r->op->form) {
  case FORM_NONE:
    break;
  case FORM_REG:
    written = 1 + count_predicates(r, 1);
    /* The two halves of a 256-bit load. */
    if (r->op->width == WIDTH_DATA && sass_modifier(r->inst, "256"))
      written = 2;
    break;
  case FORM_PRED_REG:
    written = leads ? 2 : 1;
    break;
  case FORM_PRED_TWO:
    written = 2;
    break;
  case FORM_VOTE:
    written = leads ? 1 : 2;
    break;
  }
  if (strcmp(r->inst->opcode, "SYNCS") == 0) /* one result, a register or a predicate; SYNCS.CCTL has none */
    written = r->n > 1 && r->operands[0].at[0] != '[';
  return written < limit ? written : limit;
}

/* P2R and R2P name the predicates as PR, with a mask: P2R R3, PR, RZ, 0x7f. */
static void read_all_predicates(const struct reading *r) {
  unsigned long mask = 0x7f;
  bool into = strcmp(r->inst->opcode, "R2P") == 0;
  for (size_t o = 0; o < r->n; o++)
    if (strncmp(r->operands[o].at, "0x", 2) == 0)
      mask = strtoul(r->operands[o].at, NULL, 16);
  struct sass_inst *i = r->inst;
  for (unsigned p = 0; p < SASS_FILE_SIZE[FILE_P]; p++) {
    struct sass_range range = {.file = FILE_P, .first = (uint8_t)p, .count = 1};
    if (!(mask >> p & 1))
      continue;
    if (into && i->n_writes < SASS_WRITES_MAX)
      i->writes[i->n_writes++] = range;
    else if (!into && i->n_reads < SASS_READS_MAX)
      i->reads[i->n_reads++] = range;
  }
}

static void split_operands(struct reading *r, const char *s) {
  bool address = false;
  while (*s && r->n < OPERANDS_MAX) {
    s += strspn(s, " \t");
    struct piece *o = &r->operands[r->n];
    o->at = s;
    for (; *s && (*s != ',' || address); s++)
      address = *s == '[' || (address && *s != ']');
    o->n = (size_t)(s - o->at);
    while (o->n && isspace((unsigned char)o->at[o->n - 1]))
      o->n--;
    r->n += o->n > 0;
    s += *s == ',';
  }
}

/* Sums of constants: "c[0x0][R4+0x10]" reads R4; the bank itself, c[0x0] or cx[UR4], is read as an address is. */
static void read_operands(struct reading *r) {
  size_t written = count_written(r);
  size_t nth = 0;
  for (size_t o = 0; o < r->n; o++)
    read_operand(r, r->operands[o], o < written, o < written ? o : nth++);
  if (strcmp(r->inst->opcode, "P2R") == 0 || strcmp(r->inst->opcode, "R2P") == 0)
    read_all_predicates(r);
}

/* The barrier register of a convergence region is written where it is set up, read where threads meet. */
static void read_convergence(struct sass_inst *i) {
  if (strcmp(i->opcode, "BSSY") == 0 && i->n_reads) {
    i->writes[i->n_writes++] = i->reads[0];
    i->n_reads = 0;
  }
}

static void read_branch(const struct reading *r) {
  struct sass_inst *i = r->inst;
  static const char *const jumps[] = {"BRA", "JMP", "WARPSYNC", "BSSY", "CALL", "BRX", "BRXU", "JMX", "JMXU"};
  bool jump = false;
  for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++)
    jump = jump || strcmp(i->opcode, jumps[k]) == 0;
  i->calls = strcmp(i->opcode, "CALL") == 0;
  i->ends = strcmp(i->opcode, "EXIT") == 0 || strcmp(i->opcode, "RET") == 0 || strcmp(i->opcode, "KILL") == 0;
  if (!jump)
    return;
  const struct piece *last = r->n ? &r->operands[r->n - 1] : NULL;
  if (last && strncmp(last->at, "0x", 2) == 0) {
    unsigned long target = strtoul(last->at, NULL, 16);
    i->has_target = target <= UINT32_MAX;
    i->target = i->has_target ? (uint32_t)target : 0;
  }
  i->branches = strcmp(i->opcode, "BSSY") != 0 && strcmp(i->opcode, "CALL") != 0 &&
                (strcmp(i->opcode, "WARPSYNC") != 0 || i->has_target);
  i->conditional =
      i->guarded || strcmp(i->opcode, "WARPSYNC") == 0 || sass_modifier(i, "DIV") || sass_modifier(i, "CONV");
  for (size_t k = 0; k < i->n_reads && strcmp(i->opcode, "BRA") == 0; k++)
    i->conditional = i->conditional || i->reads[k].file == FILE_P || i->reads[k].file == FILE_UP;
}

static void read_policy(struct sass_inst *i) {
  static const char *const names[] = {"EF",       "EL",     "LU",  "EU",  "NA",   "LTC64B", "LTC128B", "LTC256B",
                                      "CONSTANT", "STRONG", "GPU", "SYS", "WEAK", "BYPASS", "MMIO"};
  size_t used = 0;
  for (const char *at = i->modifiers, *end = at + i->n_modifiers; at < end;) {
    const char *next = memchr(at + 1, '.', (size_t)(end - at - 1));
    size_t n = (size_t)((next ? next : end) - at);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      if (n == strlen(names[k]) + 1 && memcmp(at + 1, names[k], n - 1) == 0 && used + n < SASS_POLICY_MAX) {
        memcpy(i->policy + used, at, n);
        used += n;
      }
    at += n;
  }
  i->policy[used] = '\0';
}

static void read_memory(struct sass_inst *i, const struct sass_opcode *op) {
  static const struct {
    enum sass_class class;
    enum sass_space space;
    enum sass_access access;
  } kinds[] = {
      {SASS_LOAD_GLOBAL, SPACE_GLOBAL, ACCESS_LOAD},      {SASS_LOAD_LOCAL, SPACE_LOCAL, ACCESS_LOAD},
      {SASS_LOAD_SHARED, SPACE_SHARED, ACCESS_LOAD},      {SASS_LOAD_CONSTANT, SPACE_CONSTANT, ACCESS_LOAD},
      {SASS_LOAD_TENSOR, SPACE_TENSOR, ACCESS_LOAD},      {SASS_STORE_GLOBAL, SPACE_GLOBAL, ACCESS_STORE},
      {SASS_STORE_LOCAL, SPACE_LOCAL, ACCESS_STORE},      {SASS_STORE_SHARED, SPACE_SHARED, ACCESS_STORE},
      {SASS_STORE_TENSOR, SPACE_TENSOR, ACCESS_STORE},    {SASS_ATOMIC, SPACE_GLOBAL, ACCESS_ATOMIC},
      {SASS_ASYNC_COPY, SPACE_GLOBAL, ACCESS_ASYNC_COPY},
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (kinds[k].class == i->class) {
      i->space = kinds[k].space;
      i->access = kinds[k].access;
    }
  if (strcmp(i->opcode, "LD") == 0 || strcmp(i->opcode, "ST") == 0 || strcmp(i->opcode, "ATOM") == 0 ||
      strcmp(i->opcode, "RED") == 0)
    i->space = SPACE_GENERIC;
  if (strcmp(i->opcode, "ATOMS") == 0 || strcmp(i->opcode, "REDAS") == 0)
    i->space = SPACE_SHARED;
  if (i->access == ACCESS_ASYNC_COPY && strcmp(i->opcode, "LDGSTS") != 0)
    i->access = ACCESS_BULK_COPY;
  if (i->access == ACCESS_NONE)
    return;
  i->bytes = sass_bytes(i, op);
  read_policy(i);
}

/* "@!P0 ": returns what follows it. */
static const char *read_guard(struct sass_inst *i, const char *s) {
  s += strspn(s, " \t");
  if (*s != '@')
    return s;
  s++;
  i->guard_negated = *s == '!';
  s += i->guard_negated;
  if (read_register(s, strlen(s), &i->guard) && (i->guard.file == FILE_P || i->guard.file == FILE_UP)) {
    i->guarded = i->guard.count > 0;
    i->never = !i->guard.count && i->guard_negated;
  } else {
    i->malformed = true;
  }
  while (*s && *s != ' ' && *s != '\t')
    s++;
  return s + strspn(s, " \t");
}

static const char *read_opcode(struct sass_inst *i, const char *s) {
  size_t n = 0;
  while (letter(s[n]))
    n++;
  i->malformed = i->malformed || !n || n >= SASS_OPCODE_MAX || !isalpha((unsigned char)s[0]);
  if (i->malformed)
    return s;
  memcpy(i->opcode, s, n);
  i->modifiers = s + n;
  i->n_modifiers = i->modifiers[0] == '.' ? strcspn(i->modifiers, " \t,") : 0;
  return i->modifiers + i->n_modifiers;
}

/* Conversions that arithmetic instructions do: HADD2.F32 R34, -RZ, R21.H0_H0 widens one half to fp32. */
static void read_class(struct sass_inst *i, const struct sass_opcode *op) {
  i->class = op->class;
  i->pipe = op->pipe;
  i->wait = op->wait;
  if (strcmp(i->opcode, "HADD2") == 0 && sass_modifier(i, "F32"))
    i->class = SASS_CONVERT;
  if (strcmp(i->opcode, "HFMA2") == 0 && sass_modifier(i, "MMA"))
    i->pipe = PIPE_TENSOR; /* by the counters: see sass_ops.c */
  if (strcmp(i->opcode, "WARPGROUP") == 0 && !sass_modifier(i, "DEPBAR"))
    i->wait = WAIT_NONE;
  if (strcmp(i->opcode, "SYNCS") == 0 && !sass_modifier(i, "PHASECHK"))
    i->wait = WAIT_SPECIAL;
}

void sass_inst_parse(struct sass_inst *out, const char *text, uint32_t offset) {
  static const struct sass_opcode unknown = {.class = SASS_OTHER, .form = FORM_REG, .width = WIDTH_SUFFIX};
  *out = (struct sass_inst){.text = text, .offset = offset, .class = SASS_OTHER};
  out->modifiers = text;
  struct reading r = {.inst = out};
  const char *rest = read_opcode(out, read_guard(out, text));
  if (out->malformed) {
    out->guarded = out->never = false;
    out->guard.count = 0;
    return;
  }
  r.op = sass_opcode_find(out->opcode);
  out->known = r.op != NULL;
  if (!r.op)
    r.op = &unknown;
  read_class(out, r.op);
  read_memory(out, r.op);
  if (out->never)
    return;
  split_operands(&r, rest);
  read_operands(&r);
  read_convergence(out);
  read_branch(&r);
}
