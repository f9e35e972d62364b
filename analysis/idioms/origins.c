/* What an operand was made of, through whatever instructions. */
#include "analysis/idioms/origins.h"

#include <stdlib.h>
#include <string.h>

/* No address is made of more instructions than that, and a kernel of many atomics would take long. */
enum { ORIGIN_PRODUCERS_MAX = 64, ORIGIN_FOLLOWED_MOST = 1024 };

/* Each instruction once, in a list and not by recursion: kernels have chains of thousands. */
bool sass_comes_from(struct sass *s, size_t i, const struct sass_range *operand, sass_origin *wanted, size_t of) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool *seen = calloc(s->n + 1, sizeof *seen), found = false;
  list[n++] = i;
  for (size_t followed = 0; n > 0 && !found && followed < ORIGIN_FOLLOWED_MOST; followed++) {
    struct sass_producer from[ORIGIN_PRODUCERS_MAX];
    size_t all = sass_producers(s, list[--n], from, ORIGIN_PRODUCERS_MAX);
    for (size_t k = 0; k < all && k < ORIGIN_PRODUCERS_MAX; k++) {
      size_t at = from[k].inst;
      if (followed == 0 && !ranges_same(&from[k].range, operand))
        continue;
      found = found || wanted(s, at, of);
      if (!seen[at])
        list[n++] = at;
      seen[at] = true;
    }
  }
  free(list);
  free(seen);
  return found;
}

bool sass_is_at(const struct sass *s, size_t at, size_t of) {
  (void)s;
  return at == of;
}

/* --- the place of an access --- */

static bool is_load(const struct sass *s, size_t at, size_t of) {
  (void)of;
  const struct sass_inst *x = &s->insts[at];
  return x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED;
}

/* It computes, and what it computes with was loaded.  Guards are not asked: that one of two places is taken chooses none. */
static bool computes_of_loads(struct sass *s, size_t at) {
  const struct sass_inst *x = &s->insts[at];
  for (size_t k = 0; k < x->n_reads && !is_load(s, at, 0); k++)
    if (sass_comes_from(s, at, &x->reads[k], is_load, 0))
      return true;
  return false;
}

const struct sass_range *sass_place(const struct sass_inst *x) {
  long reg = sass_address_register(x);
  for (size_t k = 0; k < x->n_reads; k++)
    if (x->reads[k].file == FILE_R && x->reads[k].first == reg)
      return &x->reads[k];
  return NULL;
}

bool sass_place_is_chosen(struct sass *s, size_t i) {
  const struct sass_range *place = sass_place(&s->insts[i]);
  struct sass_producer from[ORIGIN_PRODUCERS_MAX];
  size_t all = place ? sass_producers(s, i, from, ORIGIN_PRODUCERS_MAX) : 0;
  for (size_t k = 0; k < all && k < ORIGIN_PRODUCERS_MAX; k++)
    if (ranges_same(&from[k].range, place) && computes_of_loads(s, from[k].inst))
      return true;
  return false;
}

bool sass_place_moves(const struct sass *s, size_t access, size_t loop) {
  const struct sass_range *place = sass_place(&s->insts[access]);
  for (size_t i = 0; i < s->n && place; i++)
    for (size_t k = 0; sass_in_loop(s, i, loop) && k < s->insts[i].n_writes; k++) {
      const struct sass_range *w = &s->insts[i].writes[k];
      if (w->file == place->file && w->first < place->first + place->count && place->first < w->first + w->count)
        return true;
    }
  return false;
}

/* --- atomics that the hardware has not --- */

bool sass_swaps_in_loop(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  return x->class == SASS_ATOMIC && sass_modifier(x, "CAS") && !x->never && x->n_reads > 0 &&
         s->blocks[s->block_of[i]].loop != SASS_NONE && !sass_place_moves(s, i, s->blocks[s->block_of[i]].loop) &&
         sass_comes_from(s, i, &x->reads[x->n_reads - 1], sass_is_at, i); /* the last operand is what is stored */
}

bool sass_swaps_halves(const struct sass *s, size_t i) {
  size_t loop = s->blocks[s->block_of[i]].loop;
  for (size_t k = 0; k < s->n; k++)
    if (s->insts[k].class == SASS_FP16 && sass_in_loop(s, k, loop))
      return true;
  return false;
}

static bool is_extreme(const struct sass *s, size_t at, size_t loop) {
  const struct sass_inst *x = &s->insts[at];
  return (strstr(x->opcode, "MNMX") ||
          (opcode_is(x, "DSETP") && (sass_modifier(x, "MAX") || sass_modifier(x, "MIN")))) &&
         sass_in_loop(s, at, loop);
}

static bool is_arithmetic(const struct sass *s, size_t at, size_t loop) {
  static const char *const computing[] = {"FADD",  "FMUL",  "FFMA",  "DADD", "DMUL",  "DFMA", "HADD2",
                                          "HMUL2", "HFMA2", "IADD3", "IADD", "VIADD", "IMAD", "LOP3"};
  bool computes = false;
  for (size_t k = 0; k < sizeof computing / sizeof *computing; k++)
    computes = computes || opcode_is(&s->insts[at], computing[k]);
  return computes && !sass_modifier(&s->insts[at], "MOV") && sass_in_loop(s, at, loop);
}

bool sass_swaps_extremes(struct sass *s, size_t i) {
  size_t loop = s->blocks[s->block_of[i]].loop;
  if (!sass_swaps_in_loop(s, i))
    return false;
  const struct sass_range *stored = &s->insts[i].reads[s->insts[i].n_reads - 1];
  return sass_comes_from(s, i, stored, is_extreme, loop) && !sass_comes_from(s, i, stored, is_arithmetic, loop);
}

static bool is_shared(const struct sass *s, size_t at, size_t of) {
  (void)of;
  return s->insts[at].class == SASS_LOAD_SHARED;
}

bool sass_adds_gathered(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  bool atomics = false;
  for (size_t k = 0; k < s->n && !atomics; k++)
    atomics = s->insts[k].class == SASS_ATOMIC && s->insts[k].space == SPACE_SHARED && !s->insts[k].never;
  return atomics && x->n_reads > 0 && sass_comes_from(s, i, &x->reads[x->n_reads - 1], is_shared, 0);
}

bool sass_counts_places(const struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  bool votes = false, told = false;
  for (size_t k = 0; k < s->n && !votes; k++)
    votes = strncmp(s->insts[k].opcode, "VOTE", 4) == 0;
  for (size_t k = 0; k < x->n_writes; k++)
    told = told || x->writes[k].file == FILE_R;
  return votes && told && x->guarded && sass_modifier(x, "ADD");
}

/* "[R2.64+0x4], R5" */
static bool same_brackets(const struct sass_inst *a, const struct sass_inst *b) {
  const char *of_a = strrchr(a->text, '['), *of_b = strrchr(b->text, '[');
  size_t n = of_a ? strcspn(of_a, "]") : 0;
  return of_a && of_b && strncmp(of_a, of_b, n + 1) == 0;
}

bool sass_updates_place(const struct sass *s, size_t load) {
  const struct sass_block *b = &s->blocks[s->block_of[load]];
  const struct sass_range *place = sass_place(&s->insts[load]);
  bool same = place != NULL;
  for (size_t i = load + 1; same && i < b->first + b->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->class == SASS_STORE_GLOBAL && same_brackets(&s->insts[load], x))
      return true;
    for (size_t k = 0; k < x->n_writes; k++)
      same = same && !(x->writes[k].file == place->file && x->writes[k].first <= place->first + 1 &&
                       place->first < x->writes[k].first + x->writes[k].count);
  }
  return false;
}
