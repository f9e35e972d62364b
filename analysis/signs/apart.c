#include "analysis/signs/apart.h"

#include "analysis/signs/about.h"
#include "analysis/signs/asked.h"
#include "analysis/signs/wider.h"

#include "analysis/idioms/staged.h"

#include <math.h>
#include <stdlib.h>

int bytes_side_by_side(const struct rule_input *in) {
  struct sass *s = in->sass;
  double beside = 0, all = 0;
  int least = 0;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->class != SASS_LOAD_GLOBAL || s->executed[i] <= 0)
      continue;
    bool found = access_beside(s, i);
    all += s->executed[i];
    beside += found ? s->executed[i] : 0;
    least = found && (least == 0 || x->bytes < least) ? x->bytes : least;
  }
  return beside > all / 2 ? least : 0;
}

/* Sectors that a warp's load touches where its lanes lie side by side: bytes of a lane, mean.  0: the instructions' counts are unknown. */
static double sectors_in_order(const struct rule_input *in) {
  double bytes = 0, n = 0;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double executed = counts_as(x, SASS_LOAD_GLOBAL) ? fmax(in->sass->executed[i], 0) : 0;
    bytes += executed * x->bytes;
    n += executed;
  }
  return n > 0 ? bytes * RULE_LANES / SECTOR_BYTES / n : 0;
}

/* A global access that runs stands on one way of a branch on data. */
static bool data_decides(const struct rule_input *in) {
  struct sass *s = in->sass;
  for (size_t b = 0; s && b < s->n_blocks; b++) {
    bool accesses = false;
    for (size_t i = s->blocks[b].first; i < s->blocks[b].first + s->blocks[b].n; i++)
      accesses = accesses || (about_accesses(&s->insts[i]) && s->executed[i] > 0);
    for (size_t d = s->blocks[b].idom; accesses && d != SASS_NONE; d = s->blocks[d].idom)
      if (s->blocks[d].n_succ == SASS_SUCCESSORS_MAX && sass_reads_loaded(s, s->blocks[d].first + s->blocks[d].n - 1))
        return true;
  }
  return false;
}

static const double AWAY = 1.05; /* accesses have not quite the mean instruction's lanes */

/* Where the code says that lanes lie side by side, only where their rows begin, and how many rows a warp has, is left. */
static bool by_rows(enum apart *out, const struct rule_input *in, const struct sectors_gone *x) {
  struct lane_rows rows;
  double requests = rule_value(in, x->by_stores ? "l1_store_requests" : "l1_load_requests", 0);
  double sectors = rule_value(in, x->by_stores ? "l1_store_sectors" : "l1_load_sectors", 0);
  double each = requests > 0 ? sectors / requests : 0;
  lane_rows_of(&rows, in, x->by_stores ? SASS_STORE_GLOBAL : SASS_LOAD_GLOBAL);
  if (!rows.known || each <= 0)
    return false;
  *out = rows_are_spanned(&rows) ? APART_IN_ROWS : APART_MISALIGNED;
  return rows_are_spanned(&rows) ||
         (each > ACCESS_SLACK * rows.least && each <= ACCESS_SLACK * (rows.least + rows.begins));
}

enum apart apart_of(const struct rule_input *in, const struct sectors_gone *x) {
  static const double BEGINS = 2; /* rows of a warp that begin inside a sector, at most */
  static const double WASTE = 2;  /* sectors over the least: more is not told by where lanes begin */
  double ordered = sectors_in_order(in), each = rule_value(in, "sectors_per_request", 0);
  enum apart why;
  if (by_rows(&why, in, x))
    return why;
  if (x->by_stores)
    return APART_OF_STORES;
  if (ordered <= 0 || each <= 0 || x->over >= WASTE)
    return APART_FAR;
  bool away = rule_value(in, "lanes_active", 1) * x->over <= AWAY; /* so many lanes that those sectors are theirs */
  if (each <= ACCESS_SLACK * ordered)
    return !away ? APART_FAR : data_decides(in) ? APART_BY_BRANCH : APART_AT_EDGES;
  return each <= ordered + BEGINS && ordered >= BEGINS ? APART_MISALIGNED : APART_FAR;
}

size_t staged_access(const struct rule_input *in, const struct run_instruction *at) {
  struct sass *s = in->sass;
  size_t found = SASS_NONE;
  if (!s)
    return SASS_NONE;
  bool *staged = sass_staged_make(s);
  for (size_t i = 0; i < s->n && found == SASS_NONE; i++)
    if (counts_as(&s->insts[i], SASS_LOAD_GLOBAL) && s->executed[i] != 0 && (!at || at == &s->kernel->sass[i]))
      found = staged[i] ? i : SASS_NONE;
  free(staged);
  return found;
}

bool is_one_sector_each(const struct rule_input *in, const struct sectors_gone *x) {
  double each = rule_value(in, "sectors_per_request", 0);
  return !x->by_stores && each > 0 && each <= ACCESS_SLACK;
}
