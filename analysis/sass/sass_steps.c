/* How far apart neighbouring lanes of an access lie, where the
 * code says it: addresses followed back to the lane's number. */
#include "analysis/sass/sass_lanes.h"
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>
#include <string.h>

enum { WARP_BITS = 5, PRODUCERS_MAX = 64, DEPTH_MAX = 200, BITS_MAX = 62 };

/* A register's value by lane: base + step x lane, where the base is the same in all lanes of a warp and a multiple of 2^bits.
 *
 * Values only rise, from NOTHING by LINE or TIMES to UNKNOWN; where two ways meet the register has what both can be (either()), and so a loop's values come to rest
 * (until_loops_agree()).  What instructions make of them, in a block of 256 threads:
 *   S2R R0, SR_TID.X               LINE, step 1, 5 bits: a warp's first thread is a multiple of 32
 *   S2R R3, SR_CTAID.X             LINE, step 0, 0 bits: the same in all lanes ("even")
 *   IMAD R0, R3, 0x100, R0         LINE, step 1, 5 bits: of 8 and 5 the fewer
 *   LOP3.LUT R5, R0, 0x1f, ...     LINE, step 1: the lane; its 31 fit below the base's 2^5
 *   SHF.R.U32.HI R6, RZ, 0x5, R0   even: the warp
 *   IMAD R7, R0, c[0x0][0x20], RZ  TIMES: a step that the code does not say
 *   IMAD.WIDE R8, R0, 0x4, R10     LINE, step 4: what LDG [R8.64] loads lies 4 bytes apart
 *   LOP3.LUT R9, R5, 0x7, ...      WRAPS, step 1, but for multiples of 2^3
 *   IMAD R9, R0, R0, RZ            UNKNOWN */
struct by_lane {
  enum {
    LANE_NOTHING, /* a loop's own turn before, not made yet */
    LANE_LINE,
    LANE_TIMES,  /* in line, by a step that is not known */
    LANE_WRAPS,  /* a LINE but for multiples of 2^wraps, which differ from lane to lane: a row's index & 63 */
    LANE_UNKNOWN /* anything */
  } kind;
  bool known; /* of a LINE of step 0: the base is `value` */
  long value;
  long step; /* of LINE and WRAPS */
  int bits;  /* of all but UNKNOWN */
  int wraps; /* of WRAPS, not 0 */
};

static const struct by_lane UNKNOWN = {.kind = LANE_UNKNOWN}, EVEN = {.kind = LANE_LINE};

static int less(int a, int b) {
  return a < b ? a : b;
}

static int low_zeros(long v) {
  int n = 0;
  for (unsigned long x = (unsigned long)v; x && !(x & 1); x >>= 1)
    n++;
  return v ? n : BITS_MAX;
}

/* A register has 32 bits: what overflows them is lost, as on the chip. */
static long in_register(unsigned long v) {
  return (int32_t)(uint32_t)v;
}

static struct by_lane number(long v) {
  v = in_register((unsigned long)v);
  return (struct by_lane){.kind = LANE_LINE, .known = true, .value = v, .bits = low_zeros(v)};
}

static bool is_even(const struct by_lane *x) {
  return x->kind == LANE_LINE && x->step == 0;
}

static struct by_lane wrapped(struct by_lane a, int wraps) {
  wraps = a.kind == LANE_WRAPS ? less(a.wraps, wraps) : wraps;
  return wraps <= 0
             ? UNKNOWN
             : (struct by_lane){
                   .kind = LANE_WRAPS, .step = a.step, .bits = less(a.bits, wraps), .wraps = less(wraps, BITS_MAX)};
}

static struct by_lane plus(struct by_lane a, struct by_lane b) {
  bool wraps = a.kind == LANE_WRAPS || b.kind == LANE_WRAPS;
  if (a.kind == LANE_UNKNOWN || b.kind == LANE_UNKNOWN)
    return UNKNOWN;
  if (a.kind == LANE_NOTHING || b.kind == LANE_NOTHING)
    return (struct by_lane){0};
  if (wraps && (a.kind == LANE_TIMES || b.kind == LANE_TIMES))
    return UNKNOWN;
  bool known = a.known && b.known;
  return (struct by_lane){.kind = wraps                                          ? LANE_WRAPS
                                  : a.kind == LANE_TIMES || b.kind == LANE_TIMES ? LANE_TIMES
                                                                                 : LANE_LINE,
                          .wraps = !wraps                ? 0
                                   : a.kind == LANE_LINE ? b.wraps
                                   : b.kind == LANE_LINE ? a.wraps
                                                         : less(a.wraps, b.wraps),
                          .known = known,
                          .value = known ? in_register((unsigned long)a.value + (unsigned long)b.value) : 0,
                          .step = in_register((unsigned long)a.step + (unsigned long)b.step),
                          .bits = less(a.bits, b.bits)};
}

static struct by_lane times(struct by_lane a, struct by_lane b) {
  if (b.kind == LANE_LINE && b.known) {
    struct by_lane t = a;
    a = b;
    b = t;
  }
  if (a.kind == LANE_LINE && a.known && a.value == 0)
    return number(0);
  if (a.kind == LANE_UNKNOWN || b.kind == LANE_UNKNOWN)
    return UNKNOWN;
  if (a.kind == LANE_NOTHING || b.kind == LANE_NOTHING)
    return (struct by_lane){0};
  if (a.kind == LANE_LINE && a.known) {
    b.value = in_register((unsigned long)b.value * (unsigned long)a.value);
    b.step = in_register((unsigned long)b.step * (unsigned long)a.value);
    b.bits = less(b.bits + low_zeros(a.value), BITS_MAX);
    return b.kind == LANE_WRAPS
               ? wrapped((struct by_lane){.step = b.step, .bits = b.bits}, b.wraps + low_zeros(a.value))
               : b;
  }
  if (a.kind == LANE_WRAPS || b.kind == LANE_WRAPS)
    return UNKNOWN;
  if (!is_even(&a) && !is_even(&b))
    return UNKNOWN; /* lane x lane */
  if (is_even(&a) && is_even(&b))
    return (struct by_lane){.kind = LANE_LINE, .bits = less(a.bits + b.bits, BITS_MAX)};
  return (struct by_lane){.kind = LANE_TIMES, .bits = less(a.bits + b.bits, BITS_MAX)};
}

static struct by_lane negative(struct by_lane a) {
  return times(a, number(-1));
}

/* All lanes agree on the bits from 2^k on: the base has none where the lanes have theirs. */
static bool fits_below(const struct by_lane *a, long k) {
  long own = k < a->bits ? k : a->bits;
  return a->kind == LANE_LINE && a->step > 0 && own >= 0 && (own >= BITS_MAX || (WARP_LANES - 1) * a->step < 1L << own);
}

static struct by_lane shifted_right(struct by_lane a, struct by_lane by) {
  if (is_even(&a) && is_even(&by))
    return EVEN;
  if (by.known && fits_below(&a, by.value))
    return EVEN;
  return UNKNOWN;
}

static struct by_lane masked(struct by_lane a, struct by_lane mask) {
  if (a.known && !mask.known)
    return masked(mask, a);
  if (is_even(&a) && is_even(&mask))
    return EVEN;
  if (!mask.known)
    return UNKNOWN;
  int below = low_zeros(mask.value + 1); /* 2^k - 1: the lane's part is left */
  if (mask.value >= 0 && (mask.value & (mask.value + 1)) == 0 && fits_below(&a, below))
    return (struct by_lane){.kind = LANE_LINE, .step = a.step, .bits = a.bits < below ? a.bits : BITS_MAX};
  if (below > 0 && below < BITS_MAX && (a.kind == LANE_LINE || a.kind == LANE_WRAPS)) /* the low bits are the sum's */
    return wrapped(a, below);
  int k = low_zeros(mask.value); /* ~(2^k - 1) of anything is a multiple of 2^k */
  return fits_below(&a, k) ? (struct by_lane){.kind = LANE_LINE, .bits = k} : wrapped((struct by_lane){.bits = k}, k);
}

static struct by_lane either(struct by_lane a, struct by_lane b) {
  if (a.kind == LANE_NOTHING)
    return b;
  if (b.kind == LANE_NOTHING)
    return a;
  if (a.kind == LANE_WRAPS && b.kind == LANE_LINE)
    return either(b, a);
  if (a.kind == LANE_LINE && b.kind == LANE_WRAPS && a.step == b.step)
    return wrapped(a, b.wraps);
  if (a.kind != b.kind || a.step != b.step || a.kind == LANE_UNKNOWN)
    return UNKNOWN;
  a.wraps = less(a.wraps, b.wraps);
  a.known = a.known && b.known && a.value == b.value;
  a.bits = less(a.bits, b.bits);
  return a;
}

/* By a predicate, which may differ from lane to lane: of two
 * places that all lanes share, each lane takes its own. */
static struct by_lane chosen(struct by_lane x, bool by_predicate) {
  return by_predicate && is_even(&x) && !x.known ? UNKNOWN : x;
}

/* --- operands --- */

struct operands {
  const char *at[OPERANDS_MAX];
  size_t n;
};

/* Predicates left out. */
static void operands_of(struct operands *out, const struct sass_inst *x) {
  struct sass_operand all[OPERANDS_MAX];
  size_t n = sass_operands(all, x);
  out->n = 0;
  for (size_t k = 0; k < n; k++)
    if (all[k].kind != OPERAND_PREDICATE)
      out->at[out->n++] = all[k].text;
}

struct steps {
  struct sass *sass;
  unsigned block_x;
  bool rows;            /* what stands for a lane is a row of the block: the thread's number in y */
  struct by_lane *made; /* by instruction, of the first register that it writes */
  char *state;          /* 0: not asked for, 1: under way, 2: made */
  size_t *order;        /* made ones, what they rest on first but for loops */
  size_t n;
  int depth;
};

static struct by_lane lanes_of(struct steps *t, size_t i);

/* The first register that it writes is this one; predicates stand before it. */
static bool writes(const struct sass_inst *x, unsigned reg) {
  size_t k = 0;
  while (k < x->n_writes && x->writes[k].file != FILE_R)
    k++;
  return k < x->n_writes && x->writes[k].first == reg;
}

/* Both run under one guard, which nothing between them makes anew: where i runs, its producer p has run. */
static bool under_one_guard(const struct sass *s, size_t p, size_t i) {
  const struct sass_inst *a = &s->insts[p], *b = &s->insts[i];
  if (!a->guarded || !b->guarded || a->guard_negated != b->guard_negated || a->guard.file != b->guard.file ||
      a->guard.first != b->guard.first || p > i || s->block_of[p] != s->block_of[i])
    return false;
  for (size_t k = p; k < i; k++)
    for (size_t w = 0; w < s->insts[k].n_writes; w++) {
      const struct sass_range *r = &s->insts[k].writes[w];
      if (r->file == a->guard.file && r->first <= a->guard.first && a->guard.first < r->first + r->count)
        return false;
    }
  return true;
}

/* One of a group that is not the first. */
static struct by_lane later_register(struct steps *t, size_t i) {
  const struct sass_inst *x = &t->sass->insts[i];
  if (x->class == SASS_LOAD_CONSTANT)
    return EVEN;
  if (strcmp(x->opcode, "IMAD") != 0 || !sass_modifier(x, "WIDE") || !strstr(x->text, ", RZ"))
    return UNKNOWN;
  struct by_lane first = lanes_of(t, i); /* the upper half of a product: the same in all lanes where the lower one is */
  return first.kind == LANE_NOTHING ? first : is_even(&first) ? EVEN : UNKNOWN;
}

/* Of a register that instruction i reads.  Of a pair the first register
 * is asked for, and what wrote the second alone is passed over. */
static struct by_lane register_of(struct steps *t, size_t i, unsigned reg) {
  struct sass_producer found[PRODUCERS_MAX];
  size_t n = sass_producers(t->sass, i, found, PRODUCERS_MAX);
  struct by_lane all = {0};
  bool any = false, guarded = false;
  if (n > PRODUCERS_MAX)
    return UNKNOWN;
  for (size_t k = 0; k < n; k++) {
    const struct sass_range *r = &found[k].range;
    const struct sass_inst *p = &t->sass->insts[found[k].inst];
    if (r->file != FILE_R || reg < r->first || reg >= r->first + (unsigned)r->count)
      continue;
    if (p->calls) /* it may write any register; the slow paths of divisions and roots spare what lives on */
      continue;
    if (writes(p, reg)) {
      if (!any && under_one_guard(t->sass, found[k].inst, i)) /* whatever stood there before is gone */
        return lanes_of(t, found[k].inst);
      all = either(all, lanes_of(t, found[k].inst));
      any = true;
      guarded = guarded || p->guarded;
    } else {
      for (size_t w = 0; w < p->n_writes; w++)
        if (p->writes[w].file == FILE_R && reg >= p->writes[w].first &&
            reg < p->writes[w].first + (unsigned)p->writes[w].count)
          return later_register(t, found[k].inst);
    }
  }
  return any ? chosen(all, guarded) : UNKNOWN;
}

/* "-R5.reuse", "RZ", "UR4", "0x4", "c[0x0][0x28]", "R2.64", "R5.X4". */
static struct by_lane operand_of(struct steps *t, size_t i, const char *s) {
  bool minus = *s == '-', bits = *s == '~' || *s == '|';
  s += minus || bits;
  struct by_lane x = EVEN;
  if (*s == 'R' && s[1] == 'Z')
    x = number(0);
  else if (*s == 'R' && s[1] >= '0' && s[1] <= '9')
    x = register_of(t, i, (unsigned)strtoul(s + 1, NULL, 10));
  else if (*s >= '0' && *s <= '9')
    x = number((int)strtoul(s, NULL, 0));
  else if (strncmp(s, "URZ", 3) == 0)
    x = number(0);
  if (bits && !is_even(&x))
    return UNKNOWN;
  const char *scale = strstr(s, ".X");
  if (scale && scale < s + strcspn(s, " ,+]") && scale[2] >= '1' && scale[2] <= '9')
    x = times(x, number(strtol(scale + 2, NULL, 10)));
  return minus ? negative(x) : x;
}

/* The sum in the last brackets: "desc[UR4][R2.64+0x8]", "[R5.X4+UR4+0x10]";
 * of a copy past the registers those of global memory. */
static struct by_lane address_of(struct steps *t, size_t i) {
  const char *s = strrchr(t->sass->insts[i].text, '[');
  struct by_lane sum = number(0);
  if (!s)
    return UNKNOWN;
  for (s++; *s && *s != ']'; s += strcspn(s, "+]"), s += *s == '+')
    sum = plus(sum, operand_of(t, i, s));
  return sum;
}

/* --- instructions --- */

static struct by_lane special_register(struct steps *t, size_t i, const struct operands *o) {
  static const struct by_lane lane = {.kind = LANE_LINE, .step = 1, .bits = BITS_MAX},
                              thread = {.kind = LANE_LINE, .step = 1, .bits = WARP_BITS},
                              row = {.kind = LANE_LINE, .step = 1};
  const char *name = o->n > 1 ? o->at[1] : NULL;
  (void)i;
  if (!name)
    return UNKNOWN;
  if (strncmp(name, "SR_LANEID", 9) == 0)
    return t->rows ? UNKNOWN : lane;
  if (strncmp(name, "SR_TID", 6) != 0)
    return strstr(name, "MASK") ? UNKNOWN : EVEN; /* SR_LTMASK: the lanes below this one */
  if (t->rows)
    return strncmp(name, "SR_TID.Y", 8) == 0 ? row : EVEN;
  if (t->block_x % WARP_LANES) /* a warp is more than a row of threads */
    return UNKNOWN;
  return strncmp(name, "SR_TID.X", 8) == 0 ? thread : EVEN;
}

/* Of what is not known to keep lanes in line: the same in all lanes where all that it reads is. */
static struct by_lane any_function(struct steps *t, size_t i, const struct operands *o) {
  for (size_t k = 1; k < o->n; k++) {
    struct by_lane x = operand_of(t, i, o->at[k]);
    if (!is_even(&x))
      return x.kind == LANE_NOTHING ? x : UNKNOWN;
  }
  return EVEN;
}

static struct by_lane sum_of(struct steps *t, size_t i, const struct operands *o) {
  struct by_lane sum = number(0);
  if (sass_modifier(&t->sass->insts[i], "X"))
    return any_function(t, i, o);
  for (size_t k = 1; k < o->n; k++)
    sum = plus(sum, operand_of(t, i, o->at[k]));
  return sum;
}

static struct by_lane copy_of(struct steps *t, size_t i, const struct operands *o) {
  return o->n > 1 ? operand_of(t, i, o->at[1]) : UNKNOWN;
}

static struct by_lane multiply_add(struct steps *t, size_t i, const struct operands *o) {
  const struct sass_inst *x = &t->sass->insts[i];
  if (o->n < 4 || sass_modifier(x, "HI") || sass_modifier(x, "X"))
    return any_function(t, i, o);
  return plus(times(operand_of(t, i, o->at[1]), operand_of(t, i, o->at[2])), operand_of(t, i, o->at[3]));
}

static struct by_lane two_power(struct steps *t, size_t i, const char *shift) {
  struct by_lane by = operand_of(t, i, shift);
  return by.known && by.value >= 0 && by.value < 32 ? number(1L << by.value) : EVEN;
}

static struct by_lane shift_add(struct steps *t, size_t i, const struct operands *o) {
  if (o->n < 4 || sass_modifier(&t->sass->insts[i], "HI"))
    return any_function(t, i, o);
  return plus(times(operand_of(t, i, o->at[1]), two_power(t, i, o->at[3])), operand_of(t, i, o->at[2]));
}

static struct by_lane shift_of(struct steps *t, size_t i, const struct operands *o) {
  const struct sass_inst *x = &t->sass->insts[i];
  bool high = sass_modifier(x, "HI");
  if (o->n < 4)
    return any_function(t, i, o);
  if (sass_modifier(x, "L") && !high)
    return times(operand_of(t, i, o->at[1]), two_power(t, i, o->at[2]));
  if (sass_modifier(x, "R") && high && strncmp(o->at[1], "RZ", 2) == 0)
    return shifted_right(operand_of(t, i, o->at[3]), operand_of(t, i, o->at[2]));
  return any_function(t, i, o);
}

/* LOP3.LUT D, A, B, C, TABLE: 0xc0 is A and B; nothing else keeps lanes in line. */
enum { LOP3_AND = 0xc0 };
static struct by_lane logic_of(struct steps *t, size_t i, const struct operands *o) {
  if (o->n >= 5 && strtol(o->at[4], NULL, 0) == LOP3_AND)
    return masked(operand_of(t, i, o->at[1]), operand_of(t, i, o->at[2]));
  return any_function(t, i, o);
}

/* A bound that a few lanes meet. */
static struct by_lane clamped(struct steps *t, size_t i, const struct operands *o) {
  if (o->n < 3)
    return UNKNOWN;
  struct by_lane a = operand_of(t, i, o->at[1]), b = operand_of(t, i, o->at[2]);
  return is_even(&b) ? a : is_even(&a) ? b : either(a, b);
}

static struct by_lane selected(struct steps *t, size_t i, const struct operands *o) {
  return o->n < 3 ? any_function(t, i, o)
                  : chosen(either(operand_of(t, i, o->at[1]), operand_of(t, i, o->at[2])), true);
}

/* What wrote the register, where that is one instruction whatever the way; NULL. */
static const struct sass_inst *sole_writer(struct steps *t, size_t i, const char *reg, size_t *at) {
  struct sass_producer found[PRODUCERS_MAX];
  size_t n = sass_producers(t->sass, i, found, PRODUCERS_MAX), writers = 0;
  unsigned first = (unsigned)strtoul(reg + 1, NULL, 10);
  for (size_t k = 0; *reg == 'R' && k < n && k < PRODUCERS_MAX; k++)
    if (found[k].range.file == FILE_R && found[k].range.first == first) {
      *at = found[k].inst;
      writers += found[k].may ? 2 : 1;
    }
  return writers == 1 ? &t->sass->insts[*at] : NULL;
}

/* The lanes below this one of those that a vote has found: nvcc's
 * place of a lane in what the warp adds to a counter at once. */
static bool counts_lanes_below(struct steps *t, size_t i, const struct operands *o) {
  struct operands of;
  size_t both, mask;
  const struct sass_inst *x = o->n > 1 ? sole_writer(t, i, o->at[1], &both) : NULL;
  if (!x || t->rows || strcmp(x->opcode, "LOP3") != 0)
    return false;
  operands_of(&of, x);
  if (of.n < 5 || strtol(of.at[4], NULL, 0) != LOP3_AND)
    return false;
  for (size_t k = 1; k <= 2; k++) {
    const struct sass_inst *y = sole_writer(t, both, of.at[k], &mask);
    struct by_lane other = operand_of(t, both, of.at[3 - k]);
    if (y && strcmp(y->opcode, "S2R") == 0 && strstr(y->text, "SR_LTMASK") && is_even(&other))
      return true;
  }
  return false;
}

/* From one lane of the whole warp, the same for all. */
static bool from_one_lane(struct steps *t, size_t i, const struct operands *o) {
  if (!sass_modifier(&t->sass->insts[i], "IDX") || o->n < 4 || strtol(o->at[3], NULL, 0) != WARP_LANES - 1)
    return false;
  struct by_lane lane = operand_of(t, i, o->at[2]);
  return is_even(&lane);
}

static struct by_lane set_bits(struct steps *t, size_t i, const struct operands *o) {
  static const struct by_lane neighbours = {.kind = LANE_LINE, .step = 1};
  return counts_lanes_below(t, i, o) ? neighbours : any_function(t, i, o);
}

static struct by_lane by_bits_of_lanes(struct steps *t, size_t i, const struct operands *o) {
  (void)t, (void)i, (void)o;
  return UNKNOWN;
}

/* What keeps lanes in line; what has no row is any function of what it reads. */
static const struct {
  const char *opcode;
  struct by_lane (*of)(struct steps *t, size_t i, const struct operands *o);
} MAKERS[] = {
    {"S2R", special_register}, {"MOV", copy_of},   {"IADD3", sum_of},  {"VIADD", sum_of},  {"IADD", sum_of},
    {"IMAD", multiply_add},    {"LEA", shift_add}, {"SHF", shift_of},  {"LOP3", logic_of}, {"VIMNMX", clamped},
    {"IMNMX", clamped},        {"SEL", selected},  {"FSEL", selected}, {"POPC", set_bits}, {"P2R", by_bits_of_lanes},
};

static struct by_lane made_by(struct steps *t, size_t i) {
  const struct sass_inst *x = &t->sass->insts[i];
  struct operands o;
  operands_of(&o, x);
  if (x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED || x->class == SASS_LOAD_CONSTANT) {
    struct by_lane at = address_of(t, i);
    return is_even(&at) ? EVEN : UNKNOWN;
  }
  if (x->class == SASS_SHUFFLE)
    return strcmp(x->opcode, "SHFL") == 0 && from_one_lane(t, i, &o) ? EVEN : UNKNOWN;
  if (x->class == SASS_ATOMIC || x->class == SASS_LOAD_LOCAL || !x->known || o.n == 0)
    return UNKNOWN;
  for (size_t k = 0; k < sizeof MAKERS / sizeof MAKERS[0]; k++)
    if (strcmp(x->opcode, MAKERS[k].opcode) == 0)
      return MAKERS[k].of(t, i, &o);
  return any_function(t, i, &o);
}

static struct by_lane lanes_of(struct steps *t, size_t i) {
  if (t->state[i] == 2)
    return t->made[i];
  if (t->state[i] == 1)
    return (struct by_lane){0};
  if (t->depth == DEPTH_MAX)
    return UNKNOWN;
  t->state[i] = 1;
  t->depth++;
  t->made[i] = made_by(t, i);
  t->depth--;
  t->state[i] = 2;
  t->order[t->n++] = i;
  return t->made[i];
}

/* What a loop changes from turn to turn was taken for its first turn's. */
static void until_loops_agree(struct steps *t) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t k = 0; k < t->n; k++) {
      struct by_lane *x = &t->made[t->order[k]], now = either(*x, made_by(t, t->order[k]));
      changed |= now.kind != x->kind || now.step != x->step || now.known != x->known || now.bits != x->bits ||
                 now.wraps != x->wraps;
      *x = now;
    }
  }
}

/* --- accesses --- */

static bool is_shared_by_lanes(const struct sass_inst *x) {
  static const enum sass_class classes[] = {SASS_LOAD_GLOBAL,   SASS_STORE_GLOBAL, SASS_LOAD_SHARED, SASS_STORE_SHARED,
                                            SASS_LOAD_CONSTANT, SASS_ASYNC_COPY,   SASS_ATOMIC};
  bool any = false;
  for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++)
    any = any || x->class == classes[k];
  return any && !x->never && x->bytes > 0;
}

static struct sass_step step_at(struct steps *t, size_t i) {
  struct by_lane at = address_of(t, i);
  return at.kind == LANE_LINE    ? (struct sass_step){STEP_BYTES, at.step}
         : at.kind == LANE_TIMES ? (struct sass_step){.kind = STEP_TIMES}
         : at.kind == LANE_WRAPS ? (struct sass_step){.bytes = at.step, .wraps = at.wraps}
                                 : (struct sass_step){0};
}

static struct sass_step *steps_make(struct sass *s, unsigned block_x, bool rows) {
  struct steps t = {.sass = s,
                    .block_x = block_x,
                    .rows = rows,
                    .made = calloc(s->n + 1, sizeof *t.made),
                    .state = calloc(s->n + 1, sizeof *t.state),
                    .order = calloc(s->n + 1, sizeof *t.order)};
  struct sass_step *out = calloc(s->n + 1, sizeof *out);
  for (int pass = 0; pass < 2; pass++) { /* the first asks for all that addresses rest on */
    for (size_t i = 0; i < s->n; i++)
      if (is_shared_by_lanes(&s->insts[i]))
        out[i] = step_at(&t, i);
    if (pass == 0)
      until_loops_agree(&t);
  }
  free(t.made);
  free(t.state);
  free(t.order);
  return out;
}

/* Rules ask again and again, of the same code and the same blocks: what was made is kept, and copied. */
static struct sass_step *steps_copy(struct sass *s, unsigned block_x, bool rows) {
  struct sass_kept_steps *kept = &s->scratch->steps[rows];
  if (!kept->steps || kept->block_x != block_x) {
    free(kept->steps);
    *kept = (struct sass_kept_steps){.steps = steps_make(s, block_x, rows), .block_x = block_x};
  }
  struct sass_step *out = malloc((s->n + 1) * sizeof *out);
  memcpy(out, kept->steps, (s->n + 1) * sizeof *out);
  return out;
}

struct sass_step *sass_steps_make(struct sass *s, unsigned block_x) {
  return steps_copy(s, block_x, false);
}

struct sass_step *sass_row_steps_make(struct sass *s) {
  return steps_copy(s, 0, true);
}

/* Lanes of 8 and 16 bytes are served by halves and quarters of the warp. */
int sass_step_turns(long step, int bytes) {
  enum { BANKS = 32, BANK_BYTES = 4 };
  int lanes = bytes > BANK_BYTES ? WARP_LANES * BANK_BYTES / bytes : WARP_LANES, most = 1;
  long seen[BANKS][WARP_LANES];
  int n[BANKS] = {0};
  for (int lane = 0; lane < lanes; lane++)
    for (int w = 0; w < (bytes > BANK_BYTES ? bytes / BANK_BYTES : 1); w++) {
      long word = labs(step) * lane / BANK_BYTES + w;
      int bank = (int)(word % BANKS), k = 0;
      while (k < n[bank] && seen[bank][k] != word)
        k++;
      if (k == n[bank])
        seen[bank][n[bank]++] = word;
      most = n[bank] > most ? n[bank] : most;
    }
  return most;
}
