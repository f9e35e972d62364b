/* What the place of an access follows from. */
#include "analysis/idioms/follows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FOLLOWS_PRODUCERS_MAX = 64 };

/* Of what was stored where it reads, nothing is known here. */
static bool is_from_memory(const struct sass_inst *x) {
  return x->class == SASS_LOAD_SHARED || x->class == SASS_LOAD_LOCAL || x->class == SASS_ATOMIC;
}

static bool is_guard(const struct sass_range *r) {
  return r->file == FILE_P || r->file == FILE_UP;
}

/* Marks what the place of access i is made of, until it meets what cannot be followed, or an instruction that names `special` (NULL: none): then true.  Each
 * instruction once, in a list and not by recursion: kernels have chains of thousands. */
static bool place_meets(struct sass *s, size_t i, const char *special, bool *seen) {
  size_t *list = calloc(s->n + 1, sizeof *list), n = 0;
  bool found = false;
  list[n++] = i;
  seen[i] = true;
  while (n > 0 && !found) {
    struct sass_producer from[FOLLOWS_PRODUCERS_MAX];
    size_t all = sass_producers(s, list[--n], from, FOLLOWS_PRODUCERS_MAX);
    found = all > FOLLOWS_PRODUCERS_MAX;
    for (size_t k = 0; k < all && !found; k++) {
      size_t at = from[k].inst;
      if (is_guard(&from[k].range) || seen[at])
        continue;
      found = s->insts[at].calls || is_from_memory(&s->insts[at]) || (special && strstr(s->insts[at].text, special));
      seen[at] = true;
      list[n++] = at;
    }
  }
  free(list);
  return found;
}

bool sass_place_follows(struct sass *s, size_t i, const char *special) {
  bool *seen = calloc(s->n + 1, sizeof *seen), found = place_meets(s, i, special, seen);
  free(seen);
  return found;
}

/* --- two places of the same --- */

static const char *const SPECIALS[] = {"SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z", "SR_TID.X",
                                       "SR_TID.Y",   "SR_TID.Z",   "SR_LANEID"};
enum { N_SPECIALS = sizeof SPECIALS / sizeof SPECIALS[0], WORD_BYTES = 4, BANK_WORDS = (1 << 16) / WORD_BYTES };

/* Upper halves of 64 bits (IADD3.X) add nothing that the lower ones have not. */
static void inputs_note(uint8_t *of, const struct sass_inst *x, uint8_t as) {
  static const char bank[] = "c[0x0][";
  for (const char *at = strstr(x->text, bank); at && !sass_modifier(x, "X"); at = strstr(at + 1, bank)) {
    unsigned long word = strtoul(at + sizeof bank - 1, NULL, 16) / WORD_BYTES;
    of[word < BANK_WORDS ? word : 0] |= as;
  }
  for (size_t k = 0; k < N_SPECIALS; k++)
    of[BANK_WORDS + k] |= strstr(x->text, SPECIALS[k]) ? as : 0;
}

bool sass_places_alike(struct sass *s, size_t a, size_t b) {
  const size_t accesses[] = {a, b};
  uint8_t *of = calloc(BANK_WORDS + N_SPECIALS, 1);
  bool alike = true;
  for (unsigned k = 0; k < 2; k++) {
    bool *seen = calloc(s->n + 1, sizeof *seen);
    alike = alike && !place_meets(s, accesses[k], NULL, seen);
    for (size_t i = 0; i < s->n; i++)
      if (seen[i])
        inputs_note(of, &s->insts[i], (uint8_t)(1u << k));
    free(seen);
  }
  for (size_t k = 0; k < BANK_WORDS + N_SPECIALS; k++)
    alike = alike && of[k] != 1 && of[k] != 2;
  free(of);
  return alike;
}
