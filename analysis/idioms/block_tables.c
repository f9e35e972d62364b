/* Tables that every block copies into its shared memory. */
#include "analysis/idioms/block_tables.h"
#include "analysis/idioms/follows.h"

enum { TABLE_PRODUCERS_MAX = 32 };

/* The place of what the load brings is the same for every block. */
static bool is_of_all(struct sass *s, size_t load) {
  return !sass_place_follows(s, load, "SR_CTAID") && !sass_place_follows(s, load, "SR_CLUSTERID");
}

/* What is stored is what such loads have brought, as it is. */
static bool stores_table(struct sass *s, size_t store) {
  const struct sass_inst *x = &s->insts[store];
  struct sass_producer from[TABLE_PRODUCERS_MAX];
  size_t n = sass_producers(s, store, from, TABLE_PRODUCERS_MAX), of_table = 0;
  if (x->n_reads == 0 || n > TABLE_PRODUCERS_MAX)
    return false;
  for (size_t k = 0; k < n; k++) {
    if (!ranges_same(&from[k].range, &x->reads[x->n_reads - 1]))
      continue;
    if (s->insts[from[k].inst].class != SASS_LOAD_GLOBAL || !is_of_all(s, from[k].inst))
      return false;
    of_table++;
  }
  return of_table > 0;
}

bool sass_blocks_share_table(struct sass *s) {
  size_t stores = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool copy = x->access == ACCESS_ASYNC_COPY;
    if (x->never || (s->counted && !(s->executed[i] > 0)))
      continue;
    if (x->access == ACCESS_BULK_COPY || (x->class == SASS_ATOMIC && x->space == SPACE_SHARED))
      return false;
    if (copy ? !is_of_all(s, i) : x->class == SASS_STORE_SHARED && !stores_table(s, i))
      return false;
    stores += copy || x->class == SASS_STORE_SHARED;
  }
  return stores > 0;
}
