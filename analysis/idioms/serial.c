/* Recurrences: values that a turn of a loop makes of the turn before's, in a way that cannot be put together of parts.
 *
 * A sum, a product, a minimum can be shared out among threads and put together again; a state that is multiplied and added to, squared or put through a
 * function each turn cannot.  Instructions that feed one another around the loop are the strongly connected components of its def-use graph (Tarjan, SIAM J.
 * Comput. 1, 146, 1972); one of floating point is a recurrence where a value of the component enters an instruction of it as anything but an addend, unless all of it are products by other
 * values.  The sums of a softmax that goes along with its maximum are none, unless each turn stores them: they are scaled by powers, and what is scaled so can be put together.
 *
 * Integers are exact, so that what is linear can start anywhere: sums and products by a number (counters, addresses, congruential generators), and among bits
 * exclusive ors, shifts and masks (xorshift, cyclic codes).  One is a recurrence where two values of the component are multiplied or meet in a logic function
 * that is not linear (a hash's rounds), or where it is added to and, by an exclusive or, mixed with what else changes (ciphers).  So is a sum of what the loop makes that is clamped on its way, as max(sum + x, 0): where it starts
 * anew follows from all before. */
#include "analysis/idioms/serial.h"

#include "analysis/idioms/origins.h"

#include <ctype.h>
#include <stdlib.h>

enum { FED_MAX = 64 };

struct serial {
  struct sass *sass;
  size_t loop;
  size_t *number, *low, *part; /* of an instruction: when it was met, the lowest that it reaches, its component */
  size_t *open, n_open;        /* met, and in no component yet */
  struct serial_frame {
    size_t inst, next;
  } * frames; /* the walk: an instruction, and its producer to try next */
  size_t met, parts;
  uint8_t *mixing; /* of a component: enum mixing, together */
};

enum mixing {
  MIXES_BY_SUM = 1,
  MIXES_BY_XOR = 2,
  MIXES_BY_BOTH = MIXES_BY_SUM | MIXES_BY_XOR,
  COMES_IN = 4,
  TOLD = 8,
  SUMS = 16,
  CLAMPS = 32
};

static bool is_float(const struct sass_inst *x) {
  return x->class == SASS_FP32 || x->class == SASS_FP64 || x->class == SASS_FP16 || x->class == SASS_SPECIAL;
}

/* What a value passes through on its way around: arithmetic, conversions and moves. */
static bool is_node(const struct serial *t, size_t i) {
  const struct sass_inst *x = &t->sass->insts[i];
  return (is_float(x) || sass_is_integer(x) || x->class == SASS_CONVERT) && sass_summed(t->sass, i, t->loop);
}

static size_t feeds_of(struct serial *t, size_t i, struct sass_producer out[FED_MAX]) {
  size_t n = sass_first_producers(t->sass, i, out, FED_MAX), kept = 0;
  for (size_t k = 0; k < n; k++)
    if (out[k].range.file == FILE_R && is_node(t, out[k].inst))
      out[kept++] = out[k];
  return kept;
}

static void enter(struct serial *t, size_t i, size_t *depth) {
  t->number[i] = t->low[i] = ++t->met;
  t->open[t->n_open++] = i;
  t->frames[(*depth)++] = (struct serial_frame){i, 0};
}

static void close_part(struct serial *t, size_t i) {
  size_t at;
  t->parts++;
  do {
    at = t->open[--t->n_open];
    t->part[at] = t->parts;
  } while (at != i);
}

static void walk_from(struct serial *t, size_t root) {
  struct sass_producer feeds[FED_MAX];
  size_t depth = 0;
  enter(t, root, &depth);
  while (depth) {
    struct serial_frame *f = &t->frames[depth - 1];
    size_t i = f->inst, n = feeds_of(t, i, feeds);
    if (f->next < n) {
      size_t to = feeds[f->next++].inst;
      if (t->number[to] == 0)
        enter(t, to, &depth);
      else if (t->part[to] == 0 && t->number[to] < t->low[i])
        t->low[i] = t->number[to];
      continue;
    }
    if (t->low[i] == t->number[i])
      close_part(t, i);
    if (--depth && t->low[i] < t->low[t->frames[depth - 1].inst])
      t->low[t->frames[depth - 1].inst] = t->low[i];
  }
}

/* The register is what the instruction's last operand names, and none of the others. */
static bool is_addend(const struct sass_inst *x, const struct sass_range *r) {
  const char *last = strrchr(x->text, ','), *name = last ? strchr(last, 'R') : NULL;
  int times = 0;
  if (!name || name[-1] == 'U' || !isdigit((unsigned char)name[1]) || strtol(name + 1, NULL, 10) != r->first)
    return false; /* a constant, a uniform register, RZ, another */
  for (size_t k = 0; k < x->n_reads; k++)
    times += x->reads[k].file == r->file && x->reads[k].first == r->first;
  return times == 1;
}

/* A value that enters here is added, compared or moved, and can be put together of parts. */
static bool adds(const struct sass_inst *x, const struct sass_range *r) {
  static const char *const adding[] = {"FADD",   "DADD", "HADD2", "FMNMX", "DMNMX",
                                       "HMNMX2", "MOV",  "SEL",   "FSEL",  "FADD2"};
  static const char *const multiplying[] = {"FFMA", "DFMA", "HFMA2", "IMAD", "FFMA2"};
  for (size_t i = 0; i < sizeof adding / sizeof adding[0]; i++)
    if (opcode_is(x, adding[i]))
      return true;
  for (size_t i = 0; i < sizeof multiplying / sizeof multiplying[0]; i++)
    if (opcode_is(x, multiplying[i]))
      return is_addend(x, r);
  return false;
}

static bool is_maximum(const struct sass *s, size_t at, size_t loop) {
  return opcode_is(&s->insts[at], "FMNMX") && sass_summed(s, at, loop);
}

/* A turn stores what it makes of the maximum so far: every turn's state is wanted, and not what all turns make together. */
static bool tells_each_turn(struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    const struct sass_range *place = x->class == SASS_STORE_GLOBAL && sass_summed(s, i, loop) ? sass_place(x) : NULL;
    for (size_t r = 0; place && r < x->n_reads; r++)
      if (x->reads[r].file == FILE_R && !ranges_same(&x->reads[r], place) &&
          sass_comes_from(s, i, &x->reads[r], is_maximum, loop))
        return true;
  }
  return false;
}

/* The loop keeps a running maximum and takes powers of what lies below it. */
static bool is_softmax(const struct serial *t) {
  bool powers = false, maximum = false;
  for (size_t i = 0; i < t->sass->n; i++) {
    const struct sass_inst *x = &t->sass->insts[i];
    bool inside = sass_summed(t->sass, i, t->loop);
    powers = powers || (inside && opcode_is(x, "MUFU") && sass_modifier(x, "EX2"));
    maximum = maximum || (inside && opcode_is(x, "FMNMX"));
  }
  return powers && maximum;
}

/* ---- integers ---- */

enum { OPERANDS = 3 };
struct operands {
  /* The last three of the instruction's text, but for a function and a predicate behind them. */
  const char *at[OPERANDS];
  bool carried[OPERANDS]; /* a value of the component */
  bool varies[OPERANDS];  /* made in the loop */
  int n_carried;
  unsigned function; /* of LOP3: bit 4a + 2b + c is what comes of these bits */
};

static bool names(const char *operand, const struct sass_range *r) {
  while (*operand && strchr("-~|! ", *operand))
    operand++;
  return *operand == 'R' && isdigit((unsigned char)operand[1]) && strtol(operand + 1, NULL, 10) == r->first;
}

/* The comma before `end`; NULL: there is none. */
static const char *comma_before(const char *text, const char *end) {
  while (end > text && end[-1] != ',')
    end--;
  return end > text ? end - 1 : NULL;
}

static void operands_read(struct operands *out, const struct sass_inst *x) {
  const char *end = x->text + strlen(x->text), *comma = comma_before(x->text, end);
  *out = (struct operands){0};
  if (comma && (opcode_is(x, "LOP3") || opcode_is(x, "VIADDMNMX")))
    comma = comma_before(x->text, comma);
  if (comma && opcode_is(x, "LOP3")) {
    out->function = comma ? (unsigned)strtoul(comma + 1, NULL, 16) : 0;
    comma = comma ? comma_before(x->text, comma) : NULL;
  }
  for (int k = OPERANDS; k-- > 0 && comma; comma = comma_before(x->text, comma))
    out->at[k] = comma + 1;
}

static void operands_of(struct operands *out, struct serial *t, size_t i) {
  struct sass_producer feeds[FED_MAX];
  size_t n = feeds_of(t, i, feeds);
  operands_read(out, &t->sass->insts[i]);
  for (int k = 0; k < OPERANDS; k++)
    for (size_t f = 0; f < n && out->at[k]; f++)
      if (names(out->at[k], &feeds[f].range)) {
        out->varies[k] = true;
        out->carried[k] = out->carried[k] || t->part[feeds[f].inst] == t->part[i];
      }
  for (int k = 0; k < OPERANDS; k++)
    out->n_carried += out->carried[k];
}

static unsigned bit_of(const struct operands *x, unsigned inputs) {
  return x->function >> inputs & 1;
}

/* Whether the function of bits is more than an exclusive or of the values of the component, whatever the others are. */
static bool is_not_linear(const struct operands *x) {
  for (int a = 0; a < OPERANDS; a++)
    for (int b = 0; b < a; b++)
      for (unsigned rest = 0; rest < 8 && x->carried[a] && x->carried[b]; rest++) {
        unsigned of_a = 4U >> a, of_b = 4U >> b, none = rest & ~(of_a | of_b);
        if (bit_of(x, none) ^ bit_of(x, none | of_a) ^ bit_of(x, none | of_b) ^ bit_of(x, none | of_a | of_b))
          return true;
      }
  return false;
}

static bool always_flips(const struct operands *x, int operand) {
  unsigned flip = 4U >> operand;
  for (unsigned rest = 0; rest < 8; rest++)
    if (bit_of(x, rest) == bit_of(x, rest ^ flip))
      return false;
  return true;
}

/* An exclusive or of a value of the component with another one, or with what else the loop makes. */
static bool mixes_by_xor(const struct operands *x) {
  for (int a = 0; a < OPERANDS; a++)
    for (int b = 0; b < OPERANDS; b++)
      if (a != b && x->carried[a] && x->varies[b] && always_flips(x, a) && always_flips(x, b))
        return true;
  return false;
}

static bool is_product(const struct sass_inst *x) {
  return opcode_is(x, "IMAD") || opcode_is(x, "IMUL");
}

/* What an instruction does to the values of its component that it reads.  True: no part of it could be done before the others are there. */
static bool mixes(struct serial *t, size_t i) {
  struct operands o;
  const struct sass_inst *x = &t->sass->insts[i];
  operands_of(&o, t, i);
  bool moves = (is_product(x) && (sass_modifier(x, "MOV") || sass_modifier(x, "SHL"))) || opcode_is(x, "MOV");
  bool sums = is_product(x) || opcode_is(x, "IADD3") || opcode_is(x, "IADD") || opcode_is(x, "VIADD");
  if (o.n_carried && sums && !moves)
    t->mixing[t->part[i]] |= MIXES_BY_SUM;
  if (!opcode_is(x, "LOP3"))
    return is_product(x) && o.carried[0] && o.carried[1];
  if (mixes_by_xor(&o))
    t->mixing[t->part[i]] |= MIXES_BY_XOR;
  return is_not_linear(&o);
}

/* ---- both ---- */

/* It makes a value of its component of another one by a product with something else. */
static bool multiplies(struct serial *t, size_t i) {
  const struct sass_inst *x = &t->sass->insts[i];
  struct sass_producer feeds[FED_MAX];
  size_t n = feeds_of(t, i, feeds);
  int own = 0;
  for (size_t k = 0; k < n; k++)
    for (size_t r = 0; r < x->n_reads && t->part[feeds[k].inst] == t->part[i]; r++)
      own += x->reads[r].file == feeds[k].range.file && x->reads[r].first == feeds[k].range.first;
  return (opcode_is(x, "FMUL") || opcode_is(x, "DMUL")) && own == 1;
}

/* All that a component does is multiply: parts of a product can be put together as those of a sum. */
static bool is_only_product(struct serial *t, size_t part) {
  for (size_t i = 0; i < t->sass->n; i++) {
    const struct sass_inst *x = &t->sass->insts[i];
    bool moves = opcode_is(x, "MOV") || (opcode_is(x, "IMAD") && sass_modifier(x, "MOV"));
    if (t->number[i] && t->part[i] == part && !moves && !multiplies(t, i))
      return false;
  }
  return true;
}

static bool is_serial(struct serial *t, size_t i) {
  struct sass_producer feeds[FED_MAX];
  size_t n = is_float(&t->sass->insts[i]) ? feeds_of(t, i, feeds) : 0;
  for (size_t k = 0; k < n; k++)
    if (t->part[feeds[k].inst] == t->part[i] && !adds(&t->sass->insts[i], &feeds[k].range))
      return !is_only_product(t, t->part[i]);
  return sass_is_integer(&t->sass->insts[i]) && mixes(t, i);
}

static bool same_source(const struct sass_producer *a, const struct sass_producer *b) {
  return a->range.file == b->range.file && a->range.first == b->range.first;
}

/* What an instruction reads is of its component or, in the first turn, of before the loop: what an inner loop begins anew each turn is not. */
static bool comes_in(struct serial *t, size_t i) {
  struct sass_producer from[FED_MAX];
  size_t n = sass_first_producers(t->sass, i, from, FED_MAX);
  for (size_t k = 0; k < n; k++)
    for (size_t o = 0; o < n && t->part[from[k].inst] == t->part[i]; o++)
      if (same_source(&from[k], &from[o]) && !sass_in_loop(t->sass, from[o].inst, t->loop))
        return true;
  return false;
}

static bool holds_loops(const struct sass *s, size_t loop) {
  for (size_t l = 0; l < s->n_loops; l++)
    if (s->loops[l].parent == loop)
      return true;
  return false;
}

static size_t find_product(struct serial *t) {
  for (size_t i = 0; i < t->sass->n; i++)
    if (t->number[i] == 0 && is_node(t, i))
      walk_from(t, i);
  for (size_t i = 0; i < t->sass->n; i++)
    if (t->number[i] && multiplies(t, i) && is_only_product(t, t->part[i]))
      return i;
  return SASS_NONE;
}

/* It reads a value that the loop makes, or loads, beside those of its component. */
static bool reads_other(struct serial *t, size_t i) {
  struct sass_producer from[FED_MAX];
  size_t n = sass_first_producers(t->sass, i, from, FED_MAX);
  for (size_t k = 0; k < n; k++)
    if (from[k].range.file == FILE_R && t->part[from[k].inst] != t->part[i] &&
        sass_in_loop(t->sass, from[k].inst, t->loop))
      return true;
  return false;
}

/* What it does to a sum of its component: adds what differs from turn to turn, keeps the least or greatest. */
static unsigned clamped_sum(struct serial *t, size_t i) {
  static const char *const adding[] = {"FADD", "DADD", "IADD3", "IADD", "VIADD"};
  static const char *const clamping[] = {"FMNMX", "DMNMX", "IMNMX", "VIMNMX"};
  const struct sass_inst *x = &t->sass->insts[i];
  struct operands o;
  if (opcode_is(x, "VIADDMNMX")) {
    operands_of(&o, t, i);
    bool sums = (o.carried[0] || o.carried[1]) && reads_other(t, i);
    return (sums ? SUMS : 0U) | CLAMPS;
  }
  for (size_t k = 0; k < sizeof adding / sizeof adding[0]; k++)
    if (opcode_is(x, adding[k]))
      return reads_other(t, i) ? SUMS : 0;
  for (size_t k = 0; k < sizeof clamping / sizeof clamping[0]; k++)
    if (opcode_is(x, clamping[k]))
      return CLAMPS;
  return 0;
}

static bool is_clamped_sum(unsigned mixing) {
  return (mixing & (SUMS | CLAMPS | COMES_IN)) == (SUMS | CLAMPS | COMES_IN);
}

static size_t find(struct serial *t) {
  const struct sass *s = t->sass;
  bool nest = holds_loops(s, t->loop);
  for (size_t i = 0; i < s->n; i++)
    if (t->number[i] == 0 && is_node(t, i))
      walk_from(t, i);
  for (size_t i = 0; i < s->n; i++)
    if (t->number[i] && (!nest || comes_in(t, i)))
      t->mixing[t->part[i]] |= COMES_IN;
  for (size_t i = 0; i < s->n; i++)
    if (t->number[i])
      t->mixing[t->part[i]] |= (uint8_t)clamped_sum(t, i);
  for (size_t i = 0; i < s->n; i++)
    if (t->number[i] && t->mixing[t->part[i]] & COMES_IN && is_serial(t, i))
      return i;
  for (size_t i = 0; i < s->n; i++)
    if (t->number[i] && ((t->mixing[t->part[i]] & ~(SUMS | CLAMPS)) == (MIXES_BY_BOTH | COMES_IN) ||
                         is_clamped_sum(t->mixing[t->part[i]])))
      return i;
  return SASS_NONE;
}

/* ---- sums ---- */

/* It adds to what it has of its component, or keeps the least or greatest.  A counter of turns or an address does so too, but is read by others; a selection
 * keeps what it has, and adds nothing. */
static bool gathers(struct serial *t, size_t i) {
  static const char *const gathering[] = {"IADD3", "IADD", "VIADD", "IMAD", "IDP", "LOP3", "VIMNMX", "IMNMX"};
  struct sass_producer feeds[FED_MAX];
  const struct sass_inst *x = &t->sass->insts[i];
  bool own = false, known = is_float(x) && !opcode_is(x, "FSEL");
  size_t n = feeds_of(t, i, feeds);
  for (size_t k = 0; k < n; k++)
    own = own || t->part[feeds[k].inst] == t->part[i];
  for (size_t k = 0; k < sizeof gathering / sizeof gathering[0]; k++)
    known = known || opcode_is(x, gathering[k]);
  return known && own;
}

/* A cyclic code's remainder is shifted each turn. */
static bool shifts(const struct sass_inst *x) {
  return opcode_is(x, "SHF") || opcode_is(x, "SHL") || opcode_is(x, "SHR") || opcode_is(x, "PRMT");
}

/* Marks components of which something else in the loop reads a value, as a store or a comparison does, and those that are no sums. */
static void mark_told(struct serial *t) {
  struct sass_producer from[FED_MAX];
  for (size_t i = 0; i < t->sass->n; i++) {
    if (t->number[i] && shifts(&t->sass->insts[i]))
      t->mixing[t->part[i]] |= TOLD;
    size_t n = sass_summed(t->sass, i, t->loop) ? sass_first_producers(t->sass, i, from, FED_MAX) : 0;
    for (size_t k = 0; k < n; k++)
      if (t->number[from[k].inst] && t->part[from[k].inst] != t->part[i])
        t->mixing[t->part[from[k].inst]] |= TOLD;
  }
}

static size_t find_sum(struct serial *t) {
  const struct sass *s = t->sass;
  for (size_t i = 0; i < s->n; i++)
    if (sass_summed(s, i, t->loop) && s->insts[i].class == SASS_TENSOR)
      return i;
  for (size_t i = 0; i < s->n; i++)
    if (t->number[i] == 0 && is_node(t, i))
      walk_from(t, i);
  mark_told(t);
  for (size_t i = 0; i < s->n; i++)
    if (t->number[i] && !(t->mixing[t->part[i]] & TOLD) && gathers(t, i))
      return i;
  return SASS_NONE;
}

/* ---- asking ---- */

static size_t ask(struct sass *s, size_t loop, size_t (*find_in)(struct serial *t)) {
  struct serial t = {.sass = s, .loop = loop};
  t.number = calloc(s->n, sizeof *t.number);
  t.low = calloc(s->n, sizeof *t.low);
  t.part = calloc(s->n, sizeof *t.part);
  t.open = calloc(s->n, sizeof *t.open);
  t.frames = calloc(s->n, sizeof *t.frames);
  t.mixing = calloc(s->n + 1, sizeof *t.mixing);
  size_t found = find_in(&t);
  free(t.number);
  free(t.low);
  free(t.part);
  free(t.open);
  free(t.frames);
  free(t.mixing);
  return found;
}

static bool is_small(const struct sass *s, size_t loop) {
  return loop < s->n_loops && s->loops[loop].n_insts <= SASS_SERIAL_MAX;
}

size_t sass_recurrence(struct sass *s, size_t loop) {
  if (!is_small(s, loop) || (is_softmax(&(struct serial){.sass = s, .loop = loop}) && !tells_each_turn(s, loop)))
    return SASS_NONE;
  return ask(s, loop, find);
}

size_t sass_product(struct sass *s, size_t loop) {
  return is_small(s, loop) ? ask(s, loop, find_product) : SASS_NONE;
}

size_t sass_sum(struct sass *s, size_t loop) {
  return is_small(s, loop) ? ask(s, loop, find_sum) : SASS_NONE;
}

/* The outermost loop that says something decides.  A recurrence of another loop within is none of the nest's: it may begin anew. */
size_t sass_serial_nest(struct sass *s, size_t hot) {
  size_t serial = SASS_NONE;
  for (size_t loop = hot; loop < s->n_loops; loop = s->loops[loop].parent) {
    struct value trips = s->loops[loop].trips;
    size_t found = sass_recurrence(s, loop), of = found == SASS_NONE ? SASS_NONE : s->blocks[s->block_of[found]].loop;
    bool turns = trips.present && trips.v >= 2;
    if (found != SASS_NONE && sass_in_loop(s, s->blocks[s->loops[hot].header].first, of))
      serial = found;
    else if (turns)
      serial = SASS_NONE;
  }
  return serial;
}
