#include "analysis/signs/reloads.h"

#include "analysis/signs/wider.h"

#include <math.h>

static bool writes_address(const struct sass_inst *writer, const struct sass_inst *x) {
  for (size_t w = 0; w < writer->n_writes; w++)
    for (size_t k = 0; k < x->n_reads; k++) {
      const struct sass_range *a = &writer->writes[w], *b = &x->reads[k];
      if (a->file == b->file && a->first < b->first + b->count && b->first < a->first + a->count)
        return true;
    }
  return false;
}

/* What the loads of one address are parted by; READ: by nothing that makes them two. */
enum parted { PARTED_NOT, PARTED_READ, PARTED_BARRIER, PARTED_STORE, PARTED_KINDS };

static enum parted parts(const struct sass_inst *x) {
  if (x->class == SASS_STORE_GLOBAL || x->class == SASS_ATOMIC || x->calls)
    return PARTED_STORE;
  return x->wait == WAIT_BLOCK ? PARTED_BARRIER : PARTED_READ;
}

/* By what a load before it in its block stands apart that has read the same address, of registers that nothing has written since; NOT: there is none. */
static enum parted reload_of(const struct sass *s, size_t i) {
  long between;
  const struct sass_inst *x = &s->insts[i];
  enum parted by = PARTED_READ;
  for (size_t k = i; k > s->blocks[s->block_of[i]].first; k--) {
    const struct sass_inst *y = &s->insts[k - 1];
    if (y->class == SASS_LOAD_GLOBAL && sass_bytes_between(x, y, &between) && between == 0 && x->bytes == y->bytes)
      return writes_address(y, x) ? PARTED_NOT : by;
    if (writes_address(y, x))
      return PARTED_NOT;
    by = parts(y) > by ? parts(y) : by;
  }
  return PARTED_NOT;
}

double loads_again(const struct rule_input *in, enum reload *why) {
  static const enum reload OF[PARTED_KINDS] = {RELOAD_READ, RELOAD_READ, RELOAD_BARRIER, RELOAD_STORE};
  const struct sass *s = in->sass;
  double by[PARTED_KINDS] = {0}, all = 0;
  enum parted most = PARTED_READ;
  for (size_t i = 0; s && s->counted && i < s->n; i++)
    if (s->insts[i].class == SASS_LOAD_GLOBAL) {
      double bytes = fmax(s->executed[i], 0) * s->insts[i].bytes;
      all += bytes;
      by[reload_of(s, i)] += bytes;
    }
  for (enum parted k = PARTED_READ; k < PARTED_KINDS; k++)
    most = by[k] > by[most] ? k : most;
  *why = OF[most];
  return all > 0 ? (by[PARTED_READ] + by[PARTED_BARRIER] + by[PARTED_STORE]) / all : 0;
}
