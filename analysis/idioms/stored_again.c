/* Addresses are followed back through what is added, copied and not scaled, to the arguments in the constant bank. */
#include "analysis/idioms/stored_again.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

enum { AGAIN_PRODUCERS = 32, AGAIN_FOLLOWED_MOST = 256, POINTER_BYTES = 8, BANK_BYTES = 1 << 16 };

struct pointers {
  struct sass *s;
  uint8_t *of; /* by pointer of the bank: LOADED, STORED */
  size_t *list;
  bool *seen, found; /* found: an argument, of the access that is followed */
};
enum { LOADED = 1, STORED = 2, BOTH = LOADED | STORED };

static void met(struct pointers *p, unsigned long offset, uint8_t as) {
  if (offset >= BANK_BYTES)
    return;
  p->of[offset / POINTER_BYTES] |= as;
  p->found = true;
}

static bool adds_all(const struct sass_inst *x) {
  return opcode_is(x, "IADD3") || opcode_is(x, "UIADD3") || opcode_is(x, "IADD") || opcode_is(x, "VIADD") ||
         opcode_is(x, "MOV") || opcode_is(x, "UMOV") || opcode_is(x, "R2UR");
}

/* Operand n of so many, the results included, is added as it is. */
static bool is_summand(const struct sass_inst *x, size_t n, size_t all) {
  bool product = opcode_is(x, "IMAD") || opcode_is(x, "UIMAD"), lea = opcode_is(x, "LEA") || opcode_is(x, "ULEA");
  return n > 0 && (adds_all(x) || (product && n + 1 == all) || (lea && !sass_modifier(x, "HI") && n + 2 == all));
}

static bool is_named(const char *at, const struct sass_range *r) {
  bool uniform = *at == 'U';
  at += uniform;
  return *at == 'R' && isdigit((unsigned char)at[1]) && r->file == (uniform ? FILE_UR : FILE_R) &&
         r->first == strtol(at + 1, NULL, 10);
}

/* The instruction's summand that this range is; constants among the summands are met on the way. */
static bool adds(struct pointers *p, size_t i, const struct sass_range *r, uint8_t as) {
  static const char bank[] = "c[0x0][";
  const struct sass_inst *x = &p->s->insts[i];
  const char *first = strchr(x->text + (x->guarded ? strcspn(x->text, " ") + 1 : 0), ' ');
  size_t all = 1;
  bool found = false;
  for (const char *at = first; at && *at; at++)
    all += *at == ',';
  for (size_t n = 0; first && n < all; n++) {
    first += strspn(first, ", ");
    if (is_summand(x, n, all)) {
      found = found || (r && is_named(first, r));
      if (strncmp(first, bank, sizeof bank - 1) == 0)
        met(p, strtoul(first + sizeof bank - 1, NULL, 16), as);
    }
    first += strcspn(first, ",");
  }
  return found;
}

/* What a load of constants brings into this range. */
static void meet_loaded(struct pointers *p, size_t i, const struct sass_range *r, uint8_t as) {
  const struct sass_inst *x = &p->s->insts[i];
  const char *at = strstr(x->text, "c[0x0][0x");
  if (at && x->n_writes && x->writes[0].file == r->file && r->first >= x->writes[0].first)
    met(p, strtoul(at + strlen("c[0x0]["), NULL, 16) + 4 * (unsigned long)(r->first - x->writes[0].first), as);
}

/* Whether it rests on an argument. */
static bool follow(struct pointers *p, size_t access, uint8_t as) {
  size_t n = 0;
  p->found = false;
  memset(p->seen, 0, p->s->n * sizeof *p->seen);
  p->list[n++] = access;
  for (size_t followed = 0; n > 0 && followed < AGAIN_FOLLOWED_MOST; followed++) {
    struct sass_producer from[AGAIN_PRODUCERS];
    size_t i = p->list[--n], all = sass_first_producers(p->s, i, from, AGAIN_PRODUCERS);
    bool is_access = i == access;
    if (!is_access)
      adds(p, i, NULL, as);
    for (size_t k = 0; k < all; k++) {
      const struct sass_range *r = &from[k].range;
      size_t by = from[k].inst;
      bool place = r->file == FILE_R && r->first == sass_address_register(&p->s->insts[access]);
      if (is_access ? !place : !adds(p, i, r, as))
        continue;
      if (p->s->insts[by].class == SASS_LOAD_CONSTANT || opcode_is(&p->s->insts[by], "ULDC"))
        meet_loaded(p, by, r, as);
      else if (!p->seen[by])
        p->list[n++] = by;
      p->seen[by] = true;
    }
  }
  return p->found;
}

static struct pointers pointers_make(struct sass *s) {
  return (struct pointers){.s = s,
                           .of = calloc(BANK_BYTES / POINTER_BYTES, 1),
                           .list = calloc(s->n + 1, sizeof(size_t)),
                           .seen = calloc(s->n + 1, sizeof(bool))};
}

/* Frees them; whether a pointer was met as both. */
static bool pointers_end(struct pointers *p) {
  bool both = false;
  for (size_t k = 0; k < BANK_BYTES / POINTER_BYTES; k++)
    both = both || p->of[k] == BOTH;
  free(p->of);
  free(p->list);
  free(p->seen);
  return both;
}

bool sass_may_load_its_stores(struct sass *s, size_t loop) {
  struct pointers p = pointers_make(s);
  uint8_t unknown = 0, is = 0; /* LOADED, STORED */
  for (size_t i = 0; i < s->n; i++) {
    enum sass_class class = s->insts[i].class;
    uint8_t as = class == SASS_LOAD_GLOBAL ? LOADED : class == SASS_STORE_GLOBAL ? STORED : 0;
    if (!as || !sass_summed(s, i, loop))
      continue;
    is |= as;
    unknown |= follow(&p, i, as) ? 0 : as;
  }
  bool met_both = pointers_end(&p);
  return met_both || (unknown && is == BOTH);
}

bool sass_same_array(struct sass *s, size_t a, size_t b) {
  struct pointers p = pointers_make(s);
  follow(&p, a, LOADED);
  follow(&p, b, STORED); /* by the other */
  return pointers_end(&p);
}

bool sass_loops_load_alike(struct sass *s, size_t a, size_t b) {
  size_t of_a = s->blocks[s->loops[a].header].first, of_b = s->blocks[s->loops[b].header].first;
  if (sass_in_loop(s, of_a, b) || sass_in_loop(s, of_b, a))
    return false;
  struct pointers p = pointers_make(s);
  for (size_t i = 0; i < s->n; i++) {
    if (s->insts[i].class != SASS_LOAD_GLOBAL)
      continue;
    if (sass_summed(s, i, a))
      follow(&p, i, LOADED);
    if (sass_summed(s, i, b))
      follow(&p, i, STORED); /* by the other */
  }
  return pointers_end(&p);
}
