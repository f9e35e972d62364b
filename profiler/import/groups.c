/* Launches of one kernel in one geometry are a group. */
#include "base/array.h"
#include "base/text.h"
#include "profiler/import/importing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool group_value(const struct group *g, const char *name, double *out, struct ncu_reading *r) {
  for (size_t i = 0; i < g->n; i++)
    if (ncu_value(g->launches[i], name, out, r))
      return true;
  return false;
}

/* Of a value that both have. */
static bool value_same(const struct ncu_launch *a, const struct ncu_launch *b, const char *name, double part,
                       struct ncu_reading *r) {
  double x, y;
  return !ncu_value(a, name, &x, r) || !ncu_value(b, name, &y, r) || fabs(x - y) <= part * fmax(fabs(x), fabs(y));
}

static const double rounded_part = 0.005; /* of a size in Kbyte with two decimals */

/* Kernels of one name and geometry may be different code, as those that are compiled at run time often
 * are: their registers tell most of them apart. */
static bool launch_same(const struct ncu_launch *a, const struct ncu_launch *b, struct ncu_reading *r) {
  return value_same(a, b, "launch__registers_per_thread", 0, r) &&
         value_same(a, b, "launch__shared_mem_per_block_static", rounded_part, r);
}

/* Behind `last`, the last group of the same key; NAME_NEW: there is none.  The key is the group's from here on. */
static void group_add(struct imported *im, char *key, long last) {
  long at = (long)im->n_groups;
  struct group *added = array_add(&im->groups, &im->n_groups, sizeof *added);
  *added = (struct group){.key = key, .next = NAME_NEW};
  *(last == NAME_NEW ? name_index_at(&im->by_key, key) : &im->groups[last].next) = at;
}

static void launch_add(struct group *g, struct ncu_launch *l) {
  struct ncu_launch **added = array_add(&g->launches, &g->n, sizeof *added);
  *added = l;
}

/* Counts a kernel's groups. */
static void name_count(struct imported *im, const char *kernel) {
  long *n = name_index_at(&im->by_name, kernel);
  *n = *n == NAME_NEW ? 1 : *n + 1;
}

int group_join(struct imported *im, struct ncu_launch *l, struct err *e) {
  const unsigned *g = l->grid, *b = l->block;
  char *key = str_printf("%ux%ux%u, %ux%ux%u, %s", g[0], g[1], g[2], b[0], b[1], b[2], l->kernel);
  struct ncu_reading r = {.e = e};
  bool found = false;
  long at = NAME_NEW;
  for (long i = name_index_find(&im->by_key, key); i != NAME_NEW && !found; i = im->groups[i].next) {
    found = launch_same(im->groups[i].launches[0], l, &r);
    at = i;
  }
  if (r.rc || found) {
    free(key);
  } else {
    group_add(im, key, at);
    at = (long)im->n_groups - 1;
    name_count(im, l->kernel);
  }
  if (!r.rc)
    launch_add(&im->groups[at], l);
  l->group = (size_t)at;
  l->joined = !r.rc;
  return r.rc;
}
