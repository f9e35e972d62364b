/* Recurrences: values that a turn of a loop makes of the turn before's, other than by adding to them.
 *
 * A sum, a product of matrices, a minimum can be shared out among threads and put together again; a state that is multiplied, squared or put through a
 * function each turn cannot.  Instructions that feed one another around the loop are the strongly connected components of its def-use graph (Tarjan, SIAM J.
 * Comput. 1, 146, 1972); one of floating point is a recurrence where a value of the component enters an instruction of it as anything but an addend.  The
 * sums of a softmax that goes along with its maximum are none: they are scaled by powers, and what is scaled so can be put together. */
#include "analysis/sass/sass_parts.h"

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
};

static bool is_float(const struct sass_inst *x) {
  return x->class == SASS_FP32 || x->class == SASS_FP64 || x->class == SASS_FP16 || x->class == SASS_SPECIAL;
}

/* What a value passes through on its way around: arithmetic, conversions and moves. */
static bool is_node(const struct serial *t, size_t i) {
  const struct sass_inst *x = &t->sass->insts[i];
  bool moves = opcode_is(x, "MOV") || opcode_is(x, "SEL") || opcode_is(x, "IMAD");
  return (is_float(x) || moves || x->class == SASS_CONVERT) && sass_summed(t->sass, i, t->loop);
}

static size_t feeds_of(struct serial *t, size_t i, struct sass_producer out[FED_MAX]) {
  size_t n = sass_producers(t->sass, i, out, FED_MAX), kept = 0;
  for (size_t k = 0; k < n && k < FED_MAX; k++)
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

static size_t find(struct serial *t) {
  struct sass_producer feeds[FED_MAX];
  for (size_t i = 0; i < t->sass->n; i++)
    if (t->number[i] == 0 && is_node(t, i))
      walk_from(t, i);
  for (size_t i = 0; i < t->sass->n; i++) {
    size_t n = t->number[i] && is_float(&t->sass->insts[i]) ? feeds_of(t, i, feeds) : 0;
    for (size_t k = 0; k < n; k++)
      if (t->part[feeds[k].inst] == t->part[i] && !adds(&t->sass->insts[i], &feeds[k].range))
        return i;
  }
  return SASS_NONE;
}

size_t sass_recurrence(struct sass *s, size_t loop) {
  struct serial t = {.sass = s, .loop = loop};
  size_t found = SASS_NONE;
  if (loop >= s->n_loops || s->loops[loop].n_insts > SASS_SERIAL_MAX || is_softmax(&t))
    return SASS_NONE;
  t.number = calloc(s->n, sizeof *t.number);
  t.low = calloc(s->n, sizeof *t.low);
  t.part = calloc(s->n, sizeof *t.part);
  t.open = calloc(s->n, sizeof *t.open);
  t.frames = calloc(s->n, sizeof *t.frames);
  if (t.number && t.low && t.part && t.open && t.frames)
    found = find(&t);
  free(t.number);
  free(t.low);
  free(t.part);
  free(t.open);
  free(t.frames);
  return found;
}
