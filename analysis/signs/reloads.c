#include "analysis/signs/reloads.h"

#include "analysis/signs/wider.h"

#include <math.h>
#include <string.h>

static bool writes_address(const struct sass_inst *writer, const struct sass_inst *x) {
  for (size_t w = 0; w < writer->n_writes; w++)
    for (size_t k = 0; k < x->n_reads; k++) {
      const struct sass_range *a = &writer->writes[w], *b = &x->reads[k];
      if (a->file == b->file && a->first < b->first + b->count && b->first < a->first + a->count)
        return true;
    }
  return false;
}

/* A load before it in its block has read the same address, of registers that nothing has written since. */
static bool is_reload(const struct sass *s, size_t i) {
  const char *of_x, *of_y;
  long x_offset, y_offset;
  const struct sass_inst *x = &s->insts[i];
  size_t n = access_base(x, &of_x, &x_offset);
  for (size_t k = i; n > 0 && k > s->blocks[s->block_of[i]].first; k--) {
    const struct sass_inst *y = &s->insts[k - 1];
    if (y->class == SASS_LOAD_GLOBAL && access_base(y, &of_y, &y_offset) == n && memcmp(of_x, of_y, n) == 0 &&
        x_offset == y_offset && x->bytes == y->bytes)
      return !writes_address(y, x);
    if (writes_address(y, x))
      return false;
  }
  return false;
}

double loads_again(const struct rule_input *in) {
  const struct sass *s = in->sass;
  double again = 0, all = 0;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    if (s->insts[i].class != SASS_LOAD_GLOBAL)
      continue;
    double bytes = fmax(s->executed[i], 0) * s->insts[i].bytes;
    all += bytes;
    again += is_reload(s, i) ? bytes : 0;
  }
  return all > 0 ? again / all : 0;
}
