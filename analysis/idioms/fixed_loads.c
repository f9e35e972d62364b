/* The compiler copies an address anew where its registers are used for something else meanwhile:
 *   MOV R8, UR6 / MOV R9, UR7 / LDG.E R17, desc[UR14][R8.64] */
#include "analysis/idioms/fixed_loads.h"
#include "analysis/idioms/origins.h"
#include "analysis/sass/sass_parts.h"

#include <string.h>

enum { MAKERS_MOST = 16, COPIES_MOST = 4 };

static bool is_copy(const struct sass_inst *x) {
  bool times = opcode_is(x, "IMAD") && (sass_modifier(x, "MOV") || strstr(x->text, ", RZ, RZ, "));
  return !x->guarded && (times || opcode_is(x, "MOV") || opcode_is(x, "UMOV") || opcode_is(x, "R2UR"));
}

/* All that instruction i reads there (NULL: at all) was made before the loop, or is copied in it from what was. */
static bool comes_from_before(struct sass *s, size_t i, const struct sass_range *there, size_t loop, int copies) {
  struct sass_producer from[MAKERS_MOST];
  size_t n = sass_producers(s, i, from, MAKERS_MOST);
  if (n > MAKERS_MOST)
    return false;
  for (size_t k = 0; k < n; k++) {
    if ((there && !ranges_overlap(&from[k].range, there)) || !sass_in_loop(s, from[k].inst, loop))
      continue;
    if (copies == 0 || !is_copy(&s->insts[from[k].inst]) || !comes_from_before(s, from[k].inst, NULL, loop, copies - 1))
      return false;
  }
  return true;
}

void sass_fixed_loads(struct sass_fixed_loads *out, struct sass *s, size_t loop) {
  *out = (struct sass_fixed_loads){0};
  for (size_t i = 0; loop != SASS_NONE && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    const struct sass_range *place = sass_place(x);
    if (x->class != SASS_LOAD_GLOBAL || x->never || !sass_in_loop(s, i, loop) || (s->counted && !(s->executed[i] > 0)))
      continue;
    out->all++;
    out->fixed += place && comes_from_before(s, i, place, loop, COPIES_MOST);
  }
}
