/* What only the whole set can tell: rungs by their names, parents, and the order of the ladders. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* --- rungs by what a user types --- */

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

/* --- checks --- */

static int ids_check(const struct rung_set *set, struct err *e) {
  for (size_t i = 0; i < set->n; i++) {
    for (size_t j = 0; j < i; j++) {
      const struct rung *r = &set->rungs[i], *other = &set->rungs[j];
      if (strcmp(r->id, other->id) == 0)
        return err_set(e, ERR_DATA, "%s:%d: id: %s is taken by %s:%d; choose another", r->file, fm_line(r, "id", 0),
                       r->id, other->file, fm_line(other, "id", 0));
    }
  }
  return 0;
}

static int parent_unknown(const struct rung_set *set, const struct rung *r, struct err *e) {
  const char **ids = calloc(set->n, sizeof *ids);
  for (size_t i = 0; i < set->n; i++)
    ids[i] = set->rungs[i].id;
  const char *nearest = str_nearest(r->parent, ids, set->n);
  int line = fm_line(r, "parent", 0);
  int rc = nearest ? err_set(e, ERR_DATA, "%s:%d: parent: unknown rung '%s'; did you mean '%s'?", r->file, line,
                             r->parent, nearest)
                   : err_set(e, ERR_DATA, "%s:%d: parent: unknown rung '%s'; name the id of a rung of the ladder %s",
                             r->file, line, r->parent, r->ladder);
  free(ids);
  return rc;
}

/* parents[i]: index of the parent, -1 at a foot. */
static int parents_find(const struct rung_set *set, long *parents, struct err *e) {
  for (size_t i = 0; i < set->n; i++) {
    const struct rung *r = &set->rungs[i], *parent = NULL;
    parents[i] = -1;
    if (!r->parent)
      continue;
    parent = rung_find(set, r->parent);
    if (!parent)
      return parent_unknown(set, r, e);
    if (strcmp(parent->ladder, r->ladder) != 0)
      return err_set(e, ERR_DATA,
                     "%s:%d: parent: %s stands on the ladder %s, this rung on %s; name one of its own ladder", r->file,
                     fm_line(r, "parent", 0), r->parent, parent->ladder, r->ladder);
    parents[i] = parent - set->rungs;
  }
  return 0;
}

static int circle_error(const struct rung_set *set, const long *parents, size_t i, struct err *e) {
  /* As many steps up as there are rungs end on the circle, wherever below it they began. */
  for (size_t step = 0; step < set->n; step++)
    i = (size_t)parents[i];
  struct text circle = {0};
  size_t first = i;
  do {
    text_printf(&circle, "%s -> ", set->rungs[i].id);
    i = (size_t)parents[i];
  } while (i != first);
  const struct rung *r = &set->rungs[first];
  int rc = err_set(e, ERR_DATA, "%s:%d: parent: the parents run in a circle: %s%s; take one away", r->file,
                   fm_line(r, "parent", 0), text_str(&circle), r->id);
  text_release(&circle);
  return rc;
}

/* --- order --- */

struct place {
  const struct rung *rung;
  size_t index; /* in the set as it was */
};

static int ladder_rank(const char *ladder) {
  static const char *const first[] = {"cuda", "cute", "attempts", "top", "ours"};
  enum { FIRST = sizeof first / sizeof *first };
  if (strcmp(ladder, "control") == 0)
    return FIRST + 1;
  return strcmp(ladder, "wrong") == 0 ? FIRST + 2 : (int)str_index(first, FIRST, ladder);
}

/* By ladder, then by file; strverscmp puts 2-intrinsics before 10-tma. */
static int by_place(const void *x, const void *y) {
  const struct place *a = x, *b = y;
  int order = ladder_rank(a->rung->ladder) - ladder_rank(b->rung->ladder);
  if (order == 0)
    order = strcmp(a->rung->ladder, b->rung->ladder);
  if (order == 0)
    order = strverscmp(a->rung->file, b->rung->file);
  if (order == 0)
    order = a->index < b->index ? -1 : 1;
  return order;
}

/* Writes each rung after its parent: depth first, sides before the main line goes on.  stack and order hold n indices; returns how many
 * rungs a foot leads to. */
static size_t ladders_walk(const struct place *places, size_t n, const long *parents, size_t *stack, size_t *order) {
  size_t depth = 0, done = 0;
  for (size_t i = n; i-- > 0;)
    if (parents[places[i].index] < 0)
      stack[depth++] = places[i].index;
  while (depth) {
    size_t at = stack[--depth];
    order[done++] = at;
    for (int side = 0; side < 2; side++)
      for (size_t i = n; i-- > 0;)
        if (parents[places[i].index] == (long)at && places[i].rung->side == (side == 1))
          stack[depth++] = places[i].index;
  }
  return done;
}

/* A rung that no foot leads to. */
static size_t unreached(const size_t *order, size_t done, size_t n) {
  for (size_t i = 0; i < n; i++) {
    bool found = false;
    for (size_t j = 0; j < done; j++)
      found |= order[j] == i;
    if (!found)
      return i;
  }
  return n;
}

int rung_set_finish(struct rung_set *set, struct err *e) {
  size_t n = set->n;
  long *parents = calloc(n + 1, sizeof *parents);
  size_t *stack = calloc(n + 1, sizeof *stack), *order = calloc(n + 1, sizeof *order);
  struct place *places = calloc(n + 1, sizeof *places);
  struct rung *rungs = calloc(n + 1, sizeof *rungs);
  int rc = ids_check(set, e);
  for (size_t i = 0; rc == 0 && i < n; i++)
    rc = fm_check_names(&set->rungs[i], e);
  if (rc == 0)
    rc = parents_find(set, parents, e);
  if (rc)
    goto out;
  for (size_t i = 0; i < n; i++)
    places[i] = (struct place){&set->rungs[i], i};
  qsort(places, n, sizeof *places, by_place);
  size_t done = ladders_walk(places, n, parents, stack, order);
  if (done < n) {
    rc = circle_error(set, parents, unreached(order, done, n), e);
    goto out;
  }
  for (size_t i = 0; i < n; i++)
    rungs[i] = set->rungs[order[i]];
  free(set->rungs);
  set->rungs = rungs;
  rungs = NULL;
out:
  free(parents);
  free(stack);
  free(order);
  free(places);
  free(rungs);
  return rc;
}
