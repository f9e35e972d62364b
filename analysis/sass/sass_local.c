/* What a kernel keeps in local memory: spilled registers and arrays.  A spilled register has a place of its own beside the stack pointer, R1; an address that is computed
 * is of an array, which has no registers since they cannot be indexed.  Fixed places of an array look like spills. */
#include "analysis/sass/sass.h"

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

void sass_local_of(struct sass_local *out, const struct sass *s) {
  *out = (struct sass_local){0};
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = s->counted ? fmax(s->executed[i], 0) : sass_summed(s, i, SASS_NONE);
    out->bytes = fmax(out->bytes, frame_made(x));
    if (x->class != SASS_LOAD_LOCAL && x->class != SASS_STORE_LOCAL)
      continue;
    *(is_fixed(x->text) ? &out->fixed : &out->computed) += n;
  }
}

bool sass_is_indexed(const struct sass_inst *x) {
  return (x->class == SASS_LOAD_LOCAL || x->class == SASS_STORE_LOCAL) && !is_fixed(x->text);
}
