#include "analysis/sass/sass_lanes.h"

#include "analysis/sass/sass_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ZERO_REGISTER = LANES_REGISTERS - 1, ZERO_UNIFORM = LANES_UNIFORM - 1, TRUE_PREDICATE = LANES_PREDICATES - 1 };

/* --- operands --- */

static int number_of(const char *s, char zero, int nothing) {
  return *s == zero ? nothing : (int)strtol(s, NULL, 10);
}

/* [R2.64+UR4+0x8] and the like, after its descriptor. */
static void address_parse(struct sass_operand *o, const char *s) {
  const char *open = s;
  for (const char *end = s + strcspn(s, ","); s < end; s++)
    open = *s == '[' ? s : open;
  o->kind = OPERAND_ADDRESS;
  o->base = o->uniform_base = -1;
  for (const char *at = open + 1; *at && *at != ']'; at++) {
    bool begins = strchr("[+", at[-1]);
    if (begins && *at == 'R') {
      o->base = number_of(at + 1, 'Z', ZERO_REGISTER);
      o->pair = strncmp(at + strcspn(at, ".+]"), ".64", 3) == 0;
    } else if (begins && *at == 'U')
      o->uniform_base = number_of(at + 2, 'Z', ZERO_UNIFORM);
    else if (begins)
      o->value = (uint32_t)strtol(at, NULL, 0);
  }
}

static void operand_parse(struct sass_operand *o, const char *s) {
  *o = (struct sass_operand){.text = s};
  o->inverted = *s == '~' || *s == '!';
  o->negated = *s == '-' && !(s[1] >= '0' && s[1] <= '9');
  s += o->inverted || o->negated;
  o->uniform = *s == 'U' && (s[1] == 'R' || s[1] == 'P');
  s += o->uniform;
  if (*s == 'R' && (s[1] == 'Z' || (s[1] >= '0' && s[1] <= '9'))) {
    o->kind = OPERAND_REGISTER;
    o->number = number_of(s + 1, 'Z', o->uniform ? ZERO_UNIFORM : ZERO_REGISTER);
  } else if (*s == 'P' && (s[1] == 'T' || (s[1] >= '0' && s[1] <= '9'))) {
    o->kind = OPERAND_PREDICATE;
    o->number = number_of(s + 1, 'T', TRUE_PREDICATE);
  } else if (strncmp(s, "c[0x0][0x", 9) == 0 || strncmp(s, "c[0x0][RZ]", 10) == 0 ||
             strncmp(s, "c[0x0][URZ]", 11) == 0) { /* [RZ]: the bank's first word */
    o->kind = OPERAND_CONSTANT;
    o->value = (uint32_t)strtoul(s + 7, NULL, 16);
  } else if (strchr(s, '[') && strcspn(s, "[") < strcspn(s, ",")) {
    address_parse(o, s);
  } else if (*s == '-' || (*s >= '0' && *s <= '9')) {
    o->kind = OPERAND_NUMBER;
    o->value = (uint32_t)strtoll(s, NULL, 0);
  }
}

size_t sass_operands(struct sass_operand out[OPERANDS_MAX], const struct sass_inst *x) {
  size_t n = 0;
  const char *s = x->modifiers ? x->modifiers + x->n_modifiers : "";
  while (*s && n < OPERANDS_MAX) {
    s += strspn(s, " ");
    if (*s)
      operand_parse(&out[n++], s);
    s += strcspn(s, ",");
    s += *s == ',';
  }
  return n;
}

/* --- values --- */

uint32_t sass_lanes_where(const struct sass_lanes *l, bool uniform, int number, bool negated, uint32_t *known) {
  if (number == TRUE_PREDICATE) {
    *known = UINT32_MAX;
    return negated ? 0 : UINT32_MAX;
  }
  *known = uniform ? (l->up_known[number] ? UINT32_MAX : 0) : l->p_known[number];
  uint32_t holds = uniform ? (l->up[number] ? UINT32_MAX : 0) : l->p[number];
  return negated ? ~holds : holds;
}

uint32_t sass_lanes_guard(const struct sass_lanes *l, const struct sass_inst *x, uint32_t *known) {
  *known = UINT32_MAX;
  return x->guarded ? sass_lanes_where(l, x->guard.file == FILE_UP, x->guard.first, x->guard_negated, known)
                    : UINT32_MAX;
}

static bool word_of(const struct sass_lanes *l, const struct sass_operand *o, int lane, int upper, uint32_t *out) {
  uint32_t v = o->value;
  switch (o->kind) {
  case OPERAND_NUMBER:
    v = upper ? (*o->text == '-' ? UINT32_MAX : 0) : v;
    break;
  case OPERAND_CONSTANT:
    if (!l->constants.word || !l->constants.word(l->constants.context, o->value + 4 * (uint32_t)upper, &v))
      return false;
    break;
  case OPERAND_REGISTER: {
    int last = o->uniform ? ZERO_UNIFORM : ZERO_REGISTER, at = o->number == last ? last : o->number + upper;
    if (at > last || !(at == last || (o->uniform ? l->ur_known[at] : l->r_known[at] >> lane & 1)))
      return false;
    v = at == last ? 0 : (o->uniform ? l->ur[at] : l->r[at][lane]);
    break;
  }
  default:
    return false;
  }
  *out = o->inverted ? ~v : v;
  return true;
}

bool sass_lanes_address(const struct sass_lanes *l, const struct sass_operand *a, int lane, uint64_t *at) {
  struct sass_operand base = {.kind = OPERAND_REGISTER, .number = a->base};
  struct sass_operand uniform = {.kind = OPERAND_REGISTER, .uniform = true, .number = a->uniform_base};
  uint32_t low = 0, high = 0, more = 0, more_high = 0;
  if (a->kind != OPERAND_ADDRESS || (a->base >= 0 && !word_of(l, &base, lane, 0, &low)) ||
      (a->pair && !word_of(l, &base, lane, 1, &high)) ||
      (a->uniform_base >= 0 && !word_of(l, &uniform, lane, 0, &more)))
    return false;
  if (a->uniform_base >= 0 && a->pair && !word_of(l, &uniform, lane, 1, &more_high))
    return false;
  *at = ((uint64_t)high << 32 | low) + ((uint64_t)more_high << 32 | more) + (uint64_t)(int64_t)(int32_t)a->value;
  return true;
}

/* --- one instruction in one lane --- */

enum modifier {
  MOD_LT,
  MOD_LE,
  MOD_GT,
  MOD_GE,
  MOD_EQ,
  MOD_NE,
  MOD_X,
  MOD_WIDE,
  MOD_HI,
  MOD_U32,
  MOD_SX32,
  MOD_S32,
  MOD_S64,
  MOD_U64,
  MOD_L,
  MOD_EX,
  MOD_OR,
  MOD_XOR,
  MOD_RCP,
  MOD_64,
  MOD_128
};
static const char *const MODIFIERS[] = {"LT",  "LE",  "GT",  "GE", "EQ", "NE", "X",   "WIDE", "HI", "U32", "SX32",
                                        "S32", "S64", "U64", "L",  "EX", "OR", "XOR", "RCP",  "64", "128"};

struct sass_one {
  const struct sass_lanes *l;
  const struct sass_does *d;
  const struct sass_operand *reads; /* operands that are no result, predicates among them */
  size_t n_reads;
  int lane;
  bool known;
  uint64_t value[2]; /* of the register or pair, and of the two behind it */
  bool carry[2];     /* of the predicates, in their order */
};

static bool with(const struct sass_one *o, enum modifier m) {
  return o->d->modifiers >> m & 1;
}

/* The n-th read operand that is no predicate; upper: its second word. */
static uint32_t in_word(struct sass_one *o, size_t nth, int upper) {
  uint32_t v = 0;
  for (size_t i = 0; i < o->n_reads; i++)
    if (o->reads[i].kind != OPERAND_PREDICATE && nth-- == 0) {
      o->known = o->known && word_of(o->l, &o->reads[i], o->lane, upper, &v);
      return v;
    }
  o->known = false;
  return 0;
}

static bool in_negated(const struct sass_one *o, size_t nth) {
  for (size_t i = 0; i < o->n_reads; i++)
    if (o->reads[i].kind != OPERAND_PREDICATE && nth-- == 0)
      return o->reads[i].negated;
  return false;
}

static bool in_predicate(struct sass_one *o, size_t nth) {
  for (size_t i = 0; i < o->n_reads; i++)
    if (o->reads[i].kind == OPERAND_PREDICATE && nth-- == 0) {
      uint32_t known,
          holds = sass_lanes_where(o->l, o->reads[i].uniform, o->reads[i].number, o->reads[i].inverted, &known);
      o->known = o->known && (known >> o->lane & 1);
      return holds >> o->lane & 1;
    }
  o->known = false;
  return false;
}

static uint64_t in_pair(struct sass_one *o, size_t nth) {
  return in_word(o, nth, 0) | (uint64_t)in_word(o, nth, 1) << 32;
}

/* A term of a sum with carries: -a is ~a + 1. */
static uint64_t term(struct sass_one *o, size_t nth) {
  uint32_t v = in_word(o, nth, 0);
  return in_negated(o, nth) ? (uint64_t)(uint32_t)~v + 1 : v;
}

static uint32_t signed_word(struct sass_one *o, size_t nth) {
  uint32_t v = in_word(o, nth, 0);
  return in_negated(o, nth) ? 0 - v : v;
}

/* IADD.64 has two terms and no carry, as chips from sm_120 on have it; that of UIADD3.64 is not followed. */
static void add_pairs(struct sass_one *o) {
  uint64_t a = in_pair(o, 0), b = in_pair(o, 1);
  o->known = o->known && opcode_is(o->d->x, "IADD");
  o->value[0] = (in_negated(o, 0) ? 0 - a : a) + (in_negated(o, 1) ? 0 - b : b);
}

static void do_add(struct sass_one *o) {
  if (with(o, MOD_64)) {
    add_pairs(o);
    return;
  }
  bool with_carry = with(o, MOD_X);
  uint64_t sum = term(o, 0) + term(o, 1);
  sum += opcode_is(o->d->x, "VIADD") || opcode_is(o->d->x, "IADD") ? 0 : term(o, 2);
  if (with_carry) {
    sum += in_predicate(o, 0);
    sum += o->n_reads > 4 ? in_predicate(o, 1) : 0;
  }
  o->value[0] = (uint32_t)sum;
  o->carry[0] = sum >> 32 >= 1;
  o->carry[1] = sum >> 32 >= 2;
}

static void do_product(struct sass_one *o) {
  bool wide = with(o, MOD_WIDE), high = with(o, MOD_HI), plain = with(o, MOD_U32);
  uint32_t a = signed_word(o, 0), b = signed_word(o, 1), c = signed_word(o, 2);
  uint64_t product = plain ? (uint64_t)a * b : (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
  uint64_t sum = product + c;
  if (wide || high) {
    sum = product + ((uint64_t)in_word(o, 2, 1) << 32 | c);
    o->carry[0] = sum < product;
  }
  if (with(o, MOD_X))
    sum += in_predicate(o, 0);
  o->value[0] = high ? sum >> 32 : (wide ? sum : (uint32_t)sum);
}

static void do_lea(struct sass_one *o) {
  bool high = with(o, MOD_HI), extends = with(o, MOD_SX32);
  bool third = high && !extends; /* the address' upper word stands among the operands */
  uint32_t a = signed_word(o, 0), by = in_word(o, third ? 3 : 2, 0) & 31;
  uint64_t upper = third ? in_word(o, 2, 0) : (extends && (int32_t)a < 0 ? UINT32_MAX : 0);
  uint64_t moved = (upper << 32 | a) << by;
  uint64_t sum = (high ? moved >> 32 : (uint32_t)moved) + term(o, 1);
  sum += with(o, MOD_X) ? in_predicate(o, 0) : 0;
  o->value[0] = (uint32_t)sum;
  o->carry[0] = sum >> 32 != 0;
}

static void do_shift(struct sass_one *o) {
  uint32_t low = in_word(o, 0, 0), by = in_word(o, 1, 0), high = in_word(o, 2, 0);
  bool is_signed = with(o, MOD_S32) || with(o, MOD_S64);
  bool wide = with(o, MOD_U64) || with(o, MOD_S64), upper = with(o, MOD_HI);
  uint64_t both = (uint64_t)high << 32 | low;
  uint32_t most = wide ? 63 : 32;
  by = by > most ? most : by;
  if (with(o, MOD_L))
    o->value[0] = (uint32_t)(upper ? both << by >> 32 : (by > 31 ? 0 : low << by));
  else if (!upper)
    o->value[0] = (uint32_t)(both >> by);
  else if (is_signed)
    o->value[0] = (uint32_t)((int64_t)(int32_t)high >> by);
  else
    o->value[0] = by > 31 ? 0 : high >> by;
}

static uint32_t by_table(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t v = 0;
  for (uint32_t row = 0; row < 8; row++)
    if (table >> row & 1)
      v |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return v;
}

static void do_logic(struct sass_one *o) {
  o->value[0] = by_table(in_word(o, 0, 0), in_word(o, 1, 0), in_word(o, 2, 0), in_word(o, 3, 0));
  o->carry[0] = o->value[0] != 0;
}

static void do_predicates(struct sass_one *o) {
  uint32_t tables[] = {in_word(o, 0, 0), in_word(o, 1, 0)};
  uint32_t row = in_predicate(o, 0) * 4U + in_predicate(o, 1) * 2U + in_predicate(o, 2);
  for (int i = 0; i < 2; i++)
    o->carry[i] = tables[i] >> row & 1;
}

static void do_compare(struct sass_one *o) {
  uint32_t a = in_word(o, 0, 0), b = signed_word(o, 1);
  int order = with(o, MOD_U32) ? (a > b) - (a < b) : ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b);
  bool extends = with(o, MOD_EX), as_signed = with(o, MOD_S64);
  if (as_signed || with(o, MOD_U64)) {
    uint64_t flip = as_signed ? UINT64_C(1) << 63 : 0, from = in_pair(o, 0) ^ flip, to = in_pair(o, 1) ^ flip;
    o->known = o->known && !in_negated(o, 1);
    order = (from > to) - (from < to);
  }
  const bool is[] = {order<0, order <= 0, order> 0, order >= 0, order == 0, order != 0};
  bool holds = false, other = in_predicate(o, 0);
  for (size_t i = 0; i < sizeof is / sizeof *is; i++)
    holds = holds || (with(o, (enum modifier)(MOD_LT + i)) && is[i]);
  if (extends && order == 0)
    holds = in_predicate(o, 1); /* the lower words decide */
  else if (extends && with(o, MOD_NE))
    holds = true;
  bool either = with(o, MOD_OR), odd = with(o, MOD_XOR);
  o->carry[0] = either ? holds || other : (odd ? holds != other : holds && other);
  o->carry[1] = either ? !holds || other : (odd ? !holds != other : !holds && other);
}

static void do_permute(struct sass_one *o) {
  uint32_t a = in_word(o, 0, 0), by = in_word(o, 1, 0), c = in_word(o, 2, 0);
  uint64_t both = (uint64_t)c << 32 | a;
  for (int i = 0; i < 4; i++) {
    uint32_t pick = by >> 4 * i & 15, byte = both >> 8 * (pick & 7) & 255;
    o->value[0] |= (uint64_t)(pick & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
  }
}

static void do_least(struct sass_one *o, bool adds) {
  uint32_t a = signed_word(o, 0), b = signed_word(o, 1);
  a = adds ? a + b : a;
  b = adds ? signed_word(o, 2) : b;
  bool less = with(o, MOD_U32) ? a < b : (int32_t)a < (int32_t)b;
  o->value[0] = less == in_predicate(o, 0) ? a : b;
}

/* Two halves that are written as numbers, by which the compiler sets a register. */
static uint32_t half_of(const char *text) {
  double v = strtod(text, NULL), size = fabs(v);
  int power = 0;
  uint32_t sign = signbit(v) ? 0x8000 : 0;
  if (size < 6.103515625e-05)
    return sign | (uint32_t)lrint(size * 16777216);
  double part = frexp(size, &power);
  return sign | (uint32_t)lrint((part - 0.5) * 2048) | (uint32_t)(power + 14) << 10;
}

static void do_halves(struct sass_one *o) {
  bool sets = o->n_reads == 4;
  for (size_t i = 0; i < o->n_reads; i++)
    sets = sets && o->reads[i].kind == (i < 2 ? OPERAND_REGISTER : OPERAND_NUMBER) &&
           (i >= 2 || o->reads[i].number == ZERO_REGISTER);
  o->known = sets;
  o->value[0] = sets ? half_of(o->reads[2].text) << 16 | half_of(o->reads[3].text) : 0;
}

/* What integer division takes of floats. */
static void do_float(struct sass_one *o) {
  uint32_t bits = in_word(o, 0, 0);
  float f = 0;
  memcpy(&f, &bits, sizeof f);
  if (opcode_is(o->d->x, "I2F") || opcode_is(o->d->x, "I2FP"))
    f = with(o, MOD_S32) ? (float)(int32_t)bits : (float)bits;
  else if (opcode_is(o->d->x, "MUFU") && with(o, MOD_RCP) && f != 0)
    f = 1 / f;
  else if (opcode_is(o->d->x, "F2I") && f >= 0 && f < 4294967040.0F) {
    o->value[0] = (uint32_t)f;
    return;
  } else
    o->known = false;
  memcpy(&bits, &f, sizeof bits);
  o->value[0] = bits;
}

static void do_special(struct sass_one *o) {
  static const char *const names[] = {"SR_TID.X", "SR_TID.Y", "SR_TID.Z", "SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"};
  const char *text = o->n_reads ? o->reads[0].text : "";
  o->known = strncmp(text, "SRZ", 3) == 0;
  if (strncmp(text, "SR_LANEID", 9) == 0) {
    o->known = true;
    o->value[0] = (uint32_t)o->lane;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(text, names[i], strlen(names[i])) == 0) {
      o->known = true;
      o->value[0] = i < 3 ? o->l->place[i][o->lane] : o->l->block[i - 3];
    }
}

static void do_move(struct sass_one *o) {
  o->value[0] = in_word(o, 0, 0);
  if (with(o, MOD_64) || with(o, MOD_128))
    o->value[0] = in_pair(o, 0);
  if (with(o, MOD_128))
    o->value[1] = in_word(o, 0, 2) | (uint64_t)in_word(o, 0, 3) << 32;
}

static void do_select(struct sass_one *o) {
  bool first = in_predicate(o, 0);
  o->value[0] = with(o, MOD_64) ? in_pair(o, first ? 0 : 1) : in_word(o, first ? 0 : 1, 0);
}

static void do_absolute(struct sass_one *o) {
  int32_t v = (int32_t)in_word(o, 0, 0);
  o->value[0] = (uint32_t)(v < 0 ? -v : v);
}

static void do_least_of_two(struct sass_one *o) {
  do_least(o, false);
}

static void do_least_of_sum(struct sass_one *o) {
  do_least(o, true);
}

static const struct {
  const char *name; /* the uniform datapath's have a U before it */
  void (*does)(struct sass_one *o);
} DOES[] = {{"MOV", do_move},
            {"LDC", do_move},
            {"LDCU", do_move},
            {"R2UR", do_move},
            {"IADD", do_add},
            {"IADD3", do_add},
            {"VIADD", do_add},
            {"IMAD", do_product},
            {"LEA", do_lea},
            {"SHF", do_shift},
            {"LOP3", do_logic},
            {"PLOP3", do_predicates},
            {"ISETP", do_compare},
            {"PRMT", do_permute},
            {"SEL", do_select},
            {"IABS", do_absolute},
            {"VIMNMX", do_least_of_two},
            {"VIADDMNMX", do_least_of_sum},
            {"HFMA2", do_halves},
            {"I2F", do_float},
            {"I2FP", do_float},
            {"MUFU", do_float},
            {"F2I", do_float},
            {"S2R", do_special},
            {"S2UR", do_special},
            {"CS2R", do_special}};

static void (*does_of(const char *opcode))(struct sass_one *) {
  for (size_t i = 0; i < sizeof DOES / sizeof *DOES; i++)
    if (strcmp(DOES[i].name, opcode) == 0 || (*opcode == 'U' && strcmp(DOES[i].name, opcode + 1) == 0))
      return DOES[i].does;
  return NULL;
}

/* --- the instruction in all lanes --- */

static void write_word(struct sass_lanes *l, uint8_t file, int number, int lane, bool known, uint32_t v) {
  uint32_t bit = 1U << lane;
  switch (file) {
  case FILE_R:
    l->r[number][lane] = v;
    l->r_known[number] = known ? l->r_known[number] | bit : l->r_known[number] & ~bit;
    break;
  case FILE_UR:
    l->ur[number] = v;
    l->ur_known[number] = known;
    break;
  case FILE_P:
    l->p[number] = v ? l->p[number] | bit : l->p[number] & ~bit;
    l->p_known[number] = known ? l->p_known[number] | bit : l->p_known[number] & ~bit;
    break;
  case FILE_UP:
    l->up[number] = v;
    l->up_known[number] = known;
    break;
  default:
    break;
  }
}

void sass_lanes_forget(struct sass_lanes *l, uint8_t file, int number, uint32_t lanes) {
  if (file == FILE_R)
    l->r_known[number] &= ~lanes;
  else if (file == FILE_P)
    l->p_known[number] &= ~lanes;
  else if (file == FILE_UR && lanes)
    l->ur_known[number] = false;
  else if (file == FILE_UP && lanes)
    l->up_known[number] = false;
}

/* Results stand before what is read: predicates and a register,
 * of which RZ and PT are in no list of what is written. */
static size_t results_of(const struct sass_operand *operands, size_t n) {
  if (n && operands[0].kind == OPERAND_PREDICATE) /* LOP3.LUT P0, RZ, ...; ISETP.GE.AND P0, PT, ... */
    return n < 2 ? n : 2;
  size_t k = n ? 1 : 0;
  while (k + 1 < n && operands[k].kind == OPERAND_PREDICATE)
    k++;
  return k;
}

void sass_does(struct sass_does *out, const struct sass_inst *x) {
  *out = (struct sass_does){.x = x, .does = does_of(x->opcode)};
  bool pairs = sass_modifier(x, "64") || sass_modifier(x, "S64") || sass_modifier(x, "U64") || sass_modifier(x, "F64");
  if (pairs && out->does != do_move && out->does != do_add && out->does != do_compare && out->does != do_shift &&
      out->does != do_select)
    out->does = NULL;
  out->n = x->malformed ? 0 : sass_operands(out->operands, x);
  out->results = results_of(out->operands, out->n);
  for (size_t i = 0; i < sizeof MODIFIERS / sizeof *MODIFIERS && out->does; i++)
    out->modifiers |= (uint32_t)sass_modifier(x, MODIFIERS[i]) << i;
}

/* Lanes that know all registers which it reads. */
static uint32_t known_lanes(const struct sass_lanes *l, const struct sass_inst *x) {
  uint32_t known = UINT32_MAX;
  for (size_t k = 0; k < x->n_reads; k++)
    for (int i = 0; i < x->reads[k].count; i++) {
      int at = x->reads[k].first + i;
      known &= x->reads[k].file == FILE_R ? l->r_known[at]
                                          : (x->reads[k].file == FILE_UR && !l->ur_known[at] ? 0 : UINT32_MAX);
    }
  return known;
}

static void write_results(struct sass_lanes *l, const struct sass_one *o) {
  const struct sass_inst *x = o->d->x;
  for (size_t k = 0, predicate = 0; k < o->d->results; k++) {
    const struct sass_operand *r = &o->d->operands[k];
    if (r->kind == OPERAND_PREDICATE && r->number != TRUE_PREDICATE)
      write_word(l, r->uniform ? FILE_UP : FILE_P, r->number, o->lane, o->known, o->carry[predicate]);
    predicate += r->kind == OPERAND_PREDICATE;
  }
  for (size_t k = 0; k < x->n_writes; k++)
    for (int i = 0; i < x->writes[k].count; i++)
      if (x->writes[k].file == FILE_R || x->writes[k].file == FILE_UR)
        write_word(l, x->writes[k].file, x->writes[k].first + i, o->lane, o->known && i < (with(o, MOD_128) ? 4 : 2),
                   (uint32_t)(o->value[i / 2 & 1] >> 32 * (i & 1)));
}

void sass_lanes_do(struct sass_lanes *l, const struct sass_does *d, uint32_t lanes) {
  const struct sass_inst *x = d->x;
  bool once = x->n_writes && (x->writes[0].file == FILE_UR || x->writes[0].file == FILE_UP); /* once a warp */
  lanes = once ? lanes & (0 - lanes) : lanes;
  uint32_t known = d->does ? known_lanes(l, x) & lanes : 0; /* what is made of data needs no look */
  for (size_t k = 0; k < x->n_writes && known != lanes; k++)
    for (int i = 0; i < x->writes[k].count; i++)
      sass_lanes_forget(l, x->writes[k].file, x->writes[k].first + i, lanes & ~known);
  for (; known; known &= known - 1) {
    struct sass_one o = {.l = l,
                         .d = d,
                         .reads = d->operands + d->results,
                         .n_reads = d->n - d->results,
                         .lane = __builtin_ctz(known),
                         .known = true};
    d->does(&o);
    write_results(l, &o);
  }
}
