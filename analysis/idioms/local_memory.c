/* What a kernel keeps in local memory: spilled registers and arrays.  A spilled register has a place of its own beside the stack pointer, R1; an address that is computed
 * is of an array, which has no registers since they cannot be indexed.  A fixed place of an array looks like a spill, but for this: what is spilled
 * is stored at its place and loaded from there, while an array that is filled at fixed places may be read at computed ones alone. */
#include "analysis/idioms/local_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "[R1+0x10]", and not "[R1+UR4]" nor "[R12]". */
static bool is_fixed(const char *text) {
  const char *at = strchr(text, '[');
  if (!at || strncmp(at, "[R1", 3) != 0 || !strchr("]+-", at[3]))
    return false;
  return memchr(at + 3, 'R', strcspn(at + 3, "]")) == NULL;
}

/* "IADD3 R1, R1, -0x3840, RZ", "VIADD R1, R1, 0xfffffff0". */
static double frame_made(const struct sass_inst *x) {
  static const char head[] = " R1, R1, ";
  const char *at = x->class == SASS_INTEGER ? strstr(x->text, head) : NULL;
  long by = at ? strtol(at + sizeof head - 1, NULL, 16) : 0;
  return (double)(by > INT32_MAX ? UINT32_MAX - by + 1 : -by);
}

/* Local memory of a thread: CUDA C++ Programming Guide, technical specifications. */
enum { WORD_BYTES = 4, FRAME_WORDS = 512 * 1024 / WORD_BYTES };

/* Words of the frame that instructions in the text load and store at fixed places. */
struct words {
  bool loaded[FRAME_WORDS], stored[FRAME_WORDS];
};

static bool is_local(const struct sass_inst *x) {
  return (x->class == SASS_LOAD_LOCAL || x->class == SASS_STORE_LOCAL) && !x->never;
}

/* Of a fixed access: "[R1+0x10]" of 8 bytes are words 4 and 5.  Further ones than a frame has are none. */
static size_t words_of(const struct sass_inst *x, size_t *first) {
  long at = strtol(strstr(x->text, "[R1") + 3, NULL, 16), end = at + (x->bytes > 0 ? x->bytes : WORD_BYTES);
  if (at < 0 || end > (long)FRAME_WORDS * WORD_BYTES)
    return 0;
  *first = (size_t)at / WORD_BYTES;
  return (size_t)(end - 1) / WORD_BYTES - *first + 1;
}

static void words_find(struct words *out, const struct sass *s) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    size_t first = 0, n = is_local(x) && is_fixed(x->text) ? words_of(x, &first) : 0;
    for (size_t k = 0; k < n; k++)
      (x->class == SASS_LOAD_LOCAL ? out->loaded : out->stored)[first + k] = true;
  }
}

/* No fixed access does the other half: loads what this one stores, or stores what it loads. */
static bool is_one_sided(const struct words *w, const struct sass_inst *x) {
  const bool *other = x->class == SASS_LOAD_LOCAL ? w->stored : w->loaded;
  size_t first = 0, n = words_of(x, &first);
  for (size_t k = 0; k < n; k++)
    if (other[first + k])
      return false;
  return n > 0;
}

void sass_local_of(struct sass_local *out, const struct sass *s) {
  struct words *words = calloc(1, sizeof *words);
  double loads = 0, stores = 0, loads_alone = 0, stores_alone = 0; /* at computed places, and at fixed ones */
  *out = (struct sass_local){0};
  words_find(words, s);
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = s->counted ? fmax(s->executed[i], 0) : sass_summed(s, i, SASS_NONE);
    out->bytes = fmax(out->bytes, frame_made(x));
    if (!is_local(x))
      continue;
    bool fixed = is_fixed(x->text), load = x->class == SASS_LOAD_LOCAL;
    *(fixed ? &out->fixed : &out->computed) += n;
    if (!fixed)
      *(load ? &loads : &stores) += n;
    else if (is_one_sided(words, x))
      *(load ? &loads_alone : &stores_alone) += n;
  }
  out->array = (loads > 0 ? stores_alone : 0) + (stores > 0 ? loads_alone : 0);
  out->table = loads > 0 && stores <= 0 && stores_alone > 0;
  free(words);
}

bool sass_is_indexed(const struct sass_inst *x) {
  return (x->class == SASS_LOAD_LOCAL || x->class == SASS_STORE_LOCAL) && !is_fixed(x->text);
}
