/* Rungs of a set by what a user types. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const struct rung *rung_find(const struct rung_set *set, const char *id) {
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->rungs[i].id, id) == 0)
      return &set->rungs[i];
  return NULL;
}

static bool rung_is_wrong(const struct rung *r) {
  return r->wrong != FAULT_NONE || strcmp(r->ladder, "wrong") == 0;
}

static const char *name_nearest(const struct rung_set *set, const char *text) {
  const char **ids = calloc(2 * set->n + 1, sizeof *ids), **ladders = ids + set->n;
  for (size_t i = 0; i < set->n; i++) {
    ids[i] = set->rungs[i].id;
    ladders[i] = set->rungs[i].ladder;
  }
  const char *nearest = str_nearest_variant(text, ids, ladders, set->n);
  free(ids);
  return nearest;
}

static int item_select(const struct rung_set *set, const char *item, bool *chosen, struct err *e) {
  bool all = strcmp(item, "all") == 0, found = false;
  for (size_t i = 0; i < set->n; i++) {
    const struct rung *r = &set->rungs[i];
    if (all ? !rung_is_wrong(r) : strcmp(r->ladder, item) == 0 || str_glob(item, r->id)) {
      chosen[i] = true;
      found = true;
    }
  }
  if (found)
    return 0;
  const char *nearest = name_nearest(set, item);
  return nearest
             ? err_set(e, ERR_USAGE, "unknown variant '%.80s'; nearest is %s; nvfp4-prof list shows all", item, nearest)
             : err_set(e, ERR_USAGE, "unknown variant '%.80s'; nvfp4-prof list shows all", item);
}

int rung_select(const struct rung_set *set, const char *list, bool *chosen, struct err *e) {
  char *copy = str_copy(list), *rest = copy, *item;
  int rc = 0;
  memset(chosen, 0, set->n * sizeof *chosen);
  while (rc == 0 && (item = fm_next(&rest, ',')))
    rc = *item
             ? item_select(set, item, chosen, e)
             : err_set(e, ERR_USAGE, "an empty name in the list of variants '%.200s'; nvfp4-prof list shows all", list);
  free(copy);
  return rc;
}
