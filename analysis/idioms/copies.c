#include "analysis/idioms/copies.h"
#include "analysis/sass/sass_parts.h"

#include <ctype.h>
#include <stdlib.h>

enum { COPIES_PRODUCERS = 16, COPIES_PAIRS = 256, COPIES_FOLLOWED = 8 };

/* Two walks back at once, from an address and from another: pairs of instructions that were met are taken for alike, which closes loops. */
struct alike {
  struct sass *s;
  const bool *given; /* sass_given_make */
  struct {
    size_t a, b;
  } met[COPIES_PAIRS];
  size_t n;
};

static bool runs(const struct sass *s, size_t i) {
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  return b->reachable && !b->rare && !s->insts[i].never && (!s->counted || s->executed[i] > 0);
}

/* Who may have written a range that instruction i reads. */
static size_t writers_of(struct sass *s, size_t i, const struct sass_range *range, size_t out[COPIES_PRODUCERS]) {
  struct sass_producer from[COPIES_PRODUCERS];
  size_t n = sass_producers(s, i, from, COPIES_PRODUCERS), found = 0;
  if (n > COPIES_PRODUCERS)
    return 0;
  for (size_t k = 0; k < n; k++)
    if (ranges_same(&from[k].range, range))
      out[found++] = from[k].inst;
  return found;
}

static bool are_given(const struct alike *w, const size_t *writers, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (!w->given[writers[k]])
      return false;
  return n > 0;
}

static bool is_sum(const struct sass_inst *x) {
  return opcode_is(x, "IADD3") || opcode_is(x, "IADD") || opcode_is(x, "VIADD") || opcode_is(x, "UIADD3") ||
         opcode_is(x, "LEA") || opcode_is(x, "ULEA");
}

/* The read is a summand: of a product and a sum the last operand. */
static bool is_added(const struct sass_inst *x, size_t read) {
  return is_sum(x) || (opcode_is(x, "IMAD") && read + 1 == x->n_reads && strrchr(x->text, ' ')[1] == 'R');
}

static bool is_register(const char *at) {
  at += *at == '-' || *at == '~' || *at == '!' || *at == '|';
  at += *at == 'U';
  return (*at == 'R' || *at == 'P') && isdigit((unsigned char)at[1]);
}

static size_t operand_length(const char *at) {
  return strcspn(at, ",");
}

static bool same_operand(const char *a, const char *b, bool base) {
  size_t n = operand_length(a), m = operand_length(b);
  if (is_register(a) && is_register(b)) /* what is read is compared; here only how */
    return *a == *b;
  bool arguments = base && strncmp(a, "c[0x0]", 6) == 0 && strncmp(b, "c[0x0]", 6) == 0;
  return arguments || (n == m && memcmp(a, b, n) == 0);
}

/* The same operation on operands that are written alike.  base: arguments that are added may be others. */
static bool same_form(const struct sass_inst *x, const struct sass_inst *y, bool base) {
  const char *a = strchr(x->text + (x->guarded ? 3 : 0), ' '), *b = strchr(y->text + (y->guarded ? 3 : 0), ' ');
  if (!opcode_is(x, y->opcode) || x->n_modifiers != y->n_modifiers ||
      (x->n_modifiers && memcmp(x->modifiers, y->modifiers, x->n_modifiers) != 0) || x->n_reads != y->n_reads ||
      x->guarded || y->guarded || !a || !b)
    return false;
  for (size_t k = 0;; k++) {
    a += strspn(a, ", "), b += strspn(b, ", ");
    size_t n = operand_length(a), m = operand_length(b);
    bool last = a[n] == '\0', added = base && (is_sum(x) || (opcode_is(x, "IMAD") && last));
    if (k > 0 && !same_operand(a, b, added)) /* the first is the result */
      return false;
    if (a[n] != b[m] || last)
      return a[n] == b[m];
    a += n, b += m;
  }
}

static bool same_made(struct alike *w, size_t a, size_t b, bool base);

static bool same_read(struct alike *w, size_t a, const struct sass_range *x, size_t b, const struct sass_range *y,
                      bool base) {
  size_t of_a[COPIES_PRODUCERS], of_b[COPIES_PRODUCERS];
  size_t n = writers_of(w->s, a, x, of_a), m = writers_of(w->s, b, y, of_b);
  if (x->count != y->count || n == 0 || m == 0)
    return false;
  if (base && are_given(w, of_a, n) && are_given(w, of_b, m))
    return true;
  bool same = n == m;
  for (size_t k = 0; k < n && same; k++)
    same = same_made(w, of_a[k], of_b[k], base);
  return same;
}

static bool same_made(struct alike *w, size_t a, size_t b, bool base) {
  const struct sass_inst *x = &w->s->insts[a], *y = &w->s->insts[b];
  if (a == b)
    return true;
  for (size_t k = 0; k < w->n; k++)
    if (w->met[k].a == a && w->met[k].b == b)
      return true;
  if (w->n == COPIES_PAIRS || !same_form(x, y, base))
    return false;
  w->met[w->n].a = a, w->met[w->n++].b = b;
  for (size_t r = 0; r < x->n_reads; r++)
    if (!same_read(w, a, &x->reads[r], b, &y->reads[r], base && is_added(x, r)))
      return false;
  return true;
}

/* The registers of an access's address: "[R2.64+0x8]".  NULL: it is made of others, too. */
static const struct sass_range *address_of(const struct sass_inst *x) {
  const char *open;
  size_t n = sass_address(x, &open);
  long reg = sass_address_register(x);
  if (n > 0 && strcspn(open, "U") < n)
    return NULL;
  for (size_t r = 0; r < x->n_reads; r++)
    if (x->reads[r].file == FILE_R && x->reads[r].first == reg)
      return &x->reads[r];
  return NULL;
}

static bool same_address(struct alike *w, size_t load, size_t store) {
  const struct sass_inst *x = &w->s->insts[load], *y = &w->s->insts[store];
  const struct sass_range *a = address_of(x), *b = address_of(y);
  long apart = sass_place_offset(x) - sass_place_offset(y);
  w->n = 0;
  return a && b && apart >= 0 && apart + x->bytes <= y->bytes && same_read(w, load, a, store, b, true);
}

/* All that the store stores, as it is, was loaded from the same place of another array. */
static bool is_alike(struct alike *w, size_t store, size_t i, const struct sass_range *range, int followed) {
  size_t from[COPIES_PRODUCERS], n = writers_of(w->s, i, range, from);
  bool alike = n > 0 && followed < COPIES_FOLLOWED;
  for (size_t k = 0; k < n && alike; k++) {
    const struct sass_inst *x = &w->s->insts[from[k]];
    if (x->class == SASS_LOAD_GLOBAL)
      alike = same_address(w, from[k], store);
    else
      alike = x->space == SPACE_NONE && x->n_reads == 1 && is_alike(w, store, from[k], &x->reads[0], followed + 1);
  }
  return alike;
}

enum sass_moved sass_moved_of(struct sass *s) {
  bool *given = sass_given_make(s), alike = true, indexed = false;
  struct alike w = {.s = s, .given = given};
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (!runs(s, i))
      continue;
    bool stores = x->class == SASS_STORE_GLOBAL;
    indexed = indexed || ((stores || x->class == SASS_LOAD_GLOBAL) && sass_place_is_loaded(s, i));
    alike = alike && (!stores || (x->n_reads > 0 && is_alike(&w, i, i, &x->reads[x->n_reads - 1], 0)));
  }
  free(given);
  return indexed ? MOVED_BY_INDEX : alike ? MOVED_ALIKE : MOVED_ELSEWHERE;
}
