/* A reduction in a loop is a chain of shuffles and of stores and loads of shared memory, with additions between them.  What it makes may be added to a sum
 * that the loop carries, and be read by nothing else: then each lane could keep a sum of its own.
 *   FADD R5, R4, R8 / SHFL.BFLY PT, R6, R5, 0x1, 0x1f / FADD R7, R5, R6 / FADD R20, R20, R7
 */
#include "analysis/idioms/sums.h"
#include "analysis/idioms/serial.h"

#include <math.h>
#include <stdlib.h>

enum { PRODUCERS_MAX = 64 };

struct feed {
  size_t from, to; /* `to` reads what `from` makes */
  bool steers;     /* as a guard, or as the place of an access */
};

/* Of one loop: what each of its instructions feeds within it. */
struct feeds {
  struct sass *s;
  size_t loop;
  struct feed *all; /* by `from` */
  size_t n, cap;
  size_t *first; /* by instruction: where its feeds begin, and one more */
  bool *seen;    /* by instruction */
};

static bool hands_on(const struct sass_inst *x) {
  return !x->never && (opcode_is(x, "SHFL") || x->class == SASS_STORE_SHARED);
}

/* The last operand of a store is what is stored, all before it the place. */
static bool steers(const struct sass_inst *x, const struct sass_range *r) {
  bool guard = x->guarded && r->file == x->guard.file && r->first == x->guard.first;
  bool data = x->n_reads > 0 && ranges_overlap(&x->reads[x->n_reads - 1], r);
  return guard || (x->access == ACCESS_LOAD) || (x->access == ACCESS_STORE && !data);
}

/* PRMT R4, R5, 0x7632, R4: a half of R5 to the lower one, the upper (0x7632) or the lower (0x7610). */
static bool takes_half(const struct sass_inst *x) {
  return opcode_is(x, "PRMT") && (strstr(x->text, ", 0x7632, ") || strstr(x->text, ", 0x7610, "));
}

/* What R4 had is left in the half that is not used. */
static bool is_left_over(const struct sass_inst *x, const struct sass_range *r) {
  return takes_half(x) && x->n_writes > 0 && x->n_reads > 1 && x->reads[0].first != r->first &&
         ranges_overlap(&x->writes[0], r);
}

static void feeds_add(struct feeds *f, size_t from, size_t to, bool steered) {
  if (f->n == f->cap) {
    f->cap = 2 * f->cap + 64;
    f->all = realloc(f->all, f->cap * sizeof *f->all);
  }
  f->all[f->n++] = (struct feed){from, to, steered};
}

static int by_from(const void *a, const void *b) {
  const struct feed *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* A load of shared memory reads what the stores before it wrote, back to the loads before those. */
static void feeds_through_memory(struct feeds *f) {
  size_t first = SASS_NONE;
  bool loaded = true;
  for (size_t i = 0; i < f->s->n; i++) {
    const struct sass_inst *x = &f->s->insts[i];
    if (!sass_in_loop(f->s, i, f->loop) || x->never)
      continue;
    if (x->class == SASS_STORE_SHARED) {
      first = loaded ? i : first;
      loaded = false;
    }
    for (size_t k = first; x->class == SASS_LOAD_SHARED && k != SASS_NONE && k < i; k++)
      if (f->s->insts[k].class == SASS_STORE_SHARED && sass_in_loop(f->s, k, f->loop))
        feeds_add(f, k, i, false);
    loaded |= x->class == SASS_LOAD_SHARED;
  }
}

static void feeds_of(struct feeds *f, struct sass *s, size_t loop) {
  *f = (struct feeds){
      .s = s, .loop = loop, .first = calloc(s->n + 2, sizeof *f->first), .seen = calloc(s->n + 1, sizeof *f->seen)};
  for (size_t i = 0; i < s->n; i++) {
    struct sass_producer from[PRODUCERS_MAX];
    if (!sass_in_loop(s, i, loop) || s->insts[i].never)
      continue;
    size_t n = sass_producers(s, i, from, PRODUCERS_MAX);
    for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++)
      if (sass_in_loop(s, from[k].inst, loop) && !is_left_over(&s->insts[i], &from[k].range))
        feeds_add(f, from[k].inst, i, steers(&s->insts[i], &from[k].range));
  }
  feeds_through_memory(f);
  if (f->n > 0)
    qsort(f->all, f->n, sizeof *f->all, by_from);
  for (size_t i = 0, k = 0; i <= s->n; i++) {
    while (k < f->n && f->all[k].from < i)
      k++;
    f->first[i] = k;
  }
}

static void feeds_release(struct feeds *f) {
  free(f->all);
  free(f->first);
  free(f->seen);
}

/* Values that are added up in another order, or handed on as they are. */
static bool adds_or_moves(const struct sass_inst *x) {
  static const char *const names[] = {"FADD",  "DADD",   "HADD2", "IADD3",  "VIADD", "IADD", "FMNMX",
                                      "IMNMX", "VIMNMX", "MOV",   "HMNMX2", "SEL",   "FSEL"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (opcode_is(x, names[k]))
      return true;
  bool masks_half = opcode_is(x, "LOP3") && strstr(x->text, ", 0xffff, RZ, 0xc0"); /* a shuffle is of 32 bits */
  if (masks_half || takes_half(x))
    return true;
  return opcode_is(x, "IMAD") && (sass_modifier(x, "MOV") || sass_modifier(x, "IADD"));
}

/* It adds to what it made a turn before, which nothing else in the loop reads. */
static bool is_carried(const struct feeds *f, size_t i) {
  bool itself = false;
  for (size_t k = f->first[i]; k < f->first[i + 1]; k++) {
    if (f->all[k].to != i)
      return false;
    itself = true;
  }
  return itself;
}

/* Whether all that becomes of what instruction i hands on is a sum that the loop carries. */
static bool only_summed(struct feeds *f, size_t i) {
  size_t *list = calloc(f->s->n + 1, sizeof *list), n = 0;
  bool summed = false, other = false;
  memset(f->seen, 0, f->s->n * sizeof *f->seen);
  list[n++] = i;
  f->seen[i] = true;
  while (n > 0 && !other) {
    size_t at = list[--n];
    for (size_t k = f->first[at]; k < f->first[at + 1] && !other; k++) {
      size_t to = f->all[k].to;
      const struct sass_inst *x = &f->s->insts[to];
      other = f->all[k].steers || !(hands_on(x) || x->class == SASS_LOAD_SHARED || adds_or_moves(x));
      if (other || f->seen[to])
        continue;
      f->seen[to] = true;
      if (is_carried(f, to))
        summed = true;
      else
        list[n++] = to;
    }
  }
  free(list);
  return summed && !other;
}

void sass_sums_of(struct sass_sums *out, struct sass *s) {
  *out = (struct sass_sums){0};
  for (size_t loop = 0; loop < s->n_loops; loop++) {
    struct feeds f;
    if (!s->loops[loop].innermost || s->loops[loop].n_insts > SASS_SERIAL_MAX)
      continue;
    feeds_of(&f, s, loop);
    for (size_t i = 0; i < s->n; i++) {
      double n = s->counted ? fmax(s->executed[i], 0) : 1;
      if (!hands_on(&s->insts[i]) || !sass_in_loop(s, i, loop) || n <= 0)
        continue;
      out->all += n;
      out->behind += only_summed(&f, i) ? n : 0;
    }
    feeds_release(&f);
  }
}
