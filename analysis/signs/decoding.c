#include "analysis/signs/decoding.h"

#include "analysis/signs/about.h"
#include "analysis/signs/pipes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECODING_PRODUCERS_MAX = 16, VALUES = 8 };
/* Of 8 elements, and of the half of a block's scale that is theirs: each converts two. */
static const double CONVERTS = 4, CONVERTS_WITH_SCALE = 4.25;

/* On chips that have e2m1 the scales alone are e4m3. */
static bool unpacks(const struct sass_inst *x, bool native) {
  return strcmp(x->opcode, "F2FP") == 0 && sass_modifier(x, "UNPACK_B") && sass_modifier(x, native ? "E2M1" : "E4M3");
}

bool converts_pair(const struct sass_inst *x) {
  return unpacks(x, false) || unpacks(x, true);
}

static double warps_of(const struct sass *s, size_t i) {
  return s->insts[i].never ? 0 : fmax(s->executed[i], 0);
}

static double lanes_of(const struct sass *s, size_t i) {
  return s->insts[i].never ? 0 : s->threads[i] >= 0 ? s->threads[i] : RULE_LANES * warps_of(s, i);
}

/* The conversions, and the work on integers and bits that makes what they read of what was loaded. */
static bool *decoding_make(struct sass *s) {
  bool *decodes = calloc(s->n + 1, sizeof *decodes);
  size_t *stack = calloc(s->n + 1, sizeof *stack), n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (converts_pair(&s->insts[i])) {
      decodes[i] = true;
      stack[n++] = i;
    }
  while (n > 0) {
    struct sass_producer from[DECODING_PRODUCERS_MAX];
    size_t found = sass_producers(s, stack[--n], from, DECODING_PRODUCERS_MAX);
    for (size_t k = 0; k < found && k < DECODING_PRODUCERS_MAX; k++) {
      size_t by = from[k].inst;
      if (decodes[by] || !sass_is_integer(&s->insts[by]) || s->insts[by].access != ACCESS_NONE)
        continue;
      decodes[by] = true;
      stack[n++] = by;
    }
  }
  free(stack);
  return decodes;
}

static const struct run_instruction *others_place(const struct rule_input *in, const bool *decodes) {
  struct sass *s = in->sass;
  double *weight = calloc(s->n + 1, sizeof *weight);
  for (size_t i = 0; i < s->n; i++)
    weight[i] = s->insts[i].pipe == PIPE_ALU && !decodes[i] ? warps_of(s, i) : 0;
  const struct run_instruction *at = about_heaviest(in, weight);
  free(weight);
  return at;
}

bool decoding_of(struct decoding *out, const struct rule_input *in) {
  struct sass *s = in->sass;
  double eights = in->f->result->flops / 2 / VALUES, converts = 0, of_values = 0;
  bool native = in->all->device->sm >= FP4_SM;
  *out = (struct decoding){0};
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    of_values += unpacks(&s->insts[i], native) ? lanes_of(s, i) : 0;
    converts += converts_pair(&s->insts[i]) ? lanes_of(s, i) : 0;
  }
  if (!(eights > 0) || of_values < CONVERTS * eights)
    return false;
  bool *decodes = decoding_make(s);
  double of_b = fmax(converts / eights - CONVERTS_WITH_SCALE, 0), warps = 0;
  for (size_t i = 0; i < s->n; i++) {
    if (s->insts[i].pipe != PIPE_ALU || !decodes[i])
      continue;
    out->decode += lanes_of(s, i) / eights;
    warps += warps_of(s, i);
  }
  out->rows = of_b > 0 ? fmax(CONVERTS_WITH_SCALE / of_b, 1) : INFINITY;
  out->idle = fmax(RULE_LANES * warps / eights - out->decode, 0);
  out->at = others_place(in, decodes);
  free(decodes);
  return true;
}

/* Of 8 elements of one operand: 4.25 conversions, 4 masks and a shift.  Other shifts are multiplications, on the FMA pipe. */
static double leanest(const struct rule_input *in) {
  return in->all->device->sm >= FP4_SM ? CONVERTS_WITH_SCALE : CONVERTS_WITH_SCALE + 5;
}

void decode_surplus_of(struct decode_surplus *out, const struct rule_input *in, const struct decoding *d, double spent,
                       double rows) {
  static const double AS_MANY = 0.9; /* rows that lie beyond the last take part */
  bool shared = d->rows >= AS_MANY * rows;
  *out = (struct decode_surplus){.others = fmax(spent - d->decode - d->idle, 0),
                                 .longer = fmax(d->decode - leanest(in) * (1 + 1 / d->rows), 0),
                                 .idle = d->idle,
                                 .sharing = shared ? 0 : leanest(in) * (1 / d->rows - 1 / rows)};
}

static const struct decode DECODES[] = {{1, 19.9, 8}, {4, 15.6, 4 + 4 / 4.0}, {8, 12.8, 4 + 4 / 8.0}};

double decode_insts(const struct rule_input *in, const struct decode *x) {
  return in->all->device->sm >= FP4_SM ? x->native : x->insts;
}

double decode_spent(const struct rule_input *in) {
  double elements = in->f->result->flops / 2;
  double alu = rule_value(in, "pipe_alu", 0) + rule_value(in, "pipe_xu", 0);
  return is_gemv(in) ? alu * RULE_LANES * VALUES / elements : 0;
}

const struct decode *decode_reached(const struct rule_input *in) {
  double own = decode_insts(in, &DECODES[0]), shared = decode_insts(in, &DECODES[1]);
  return &DECODES[decode_spent(in) > (own + shared) / 2 ? 1 : 2];
}

const struct decode *decode_own(void) {
  return &DECODES[0];
}
