/* Launches of one kernel in one geometry are a group. */
#include "profiler/import/importing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int group_value(const struct group *g, const char *name, double *out, bool *present, struct err *e) {
  int rc = 0;
  *present = false;
  for (size_t i = 0; i < g->n && !*present && !rc; i++)
    rc = ncu_value(g->launches[i], name, out, present, e);
  return rc;
}

static int value_same(const struct ncu_launch *a, const struct ncu_launch *b, const char *name, double part, bool *same,
                      struct err *e) {
  double x, y;
  bool has_x, has_y;
  int rc = ncu_value(a, name, &x, &has_x, e);
  if (!rc)
    rc = ncu_value(b, name, &y, &has_y, e);
  if (!rc && has_x && has_y && fabs(x - y) > part * fmax(fabs(x), fabs(y)))
    *same = false;
  return rc;
}

static const double rounded_part = 0.005; /* of a size in Kbyte with two decimals */

/* Kernels of one name may be different code, as those that are compiled at run time often are:
 * their registers tell most of them apart. */
int launch_same(const struct ncu_launch *a, const struct ncu_launch *b, bool *same, struct err *e) {
  *same = strcmp(a->kernel, b->kernel) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
          memcmp(a->block, b->block, sizeof a->block) == 0;
  int rc = *same ? value_same(a, b, "launch__registers_per_thread", 0, same, e) : 0;
  return rc || !*same ? rc : value_same(a, b, "launch__shared_mem_per_block_static", rounded_part, same, e);
}

int group_join(struct imported *im, const struct ncu_launch *l, struct err *e) {
  struct group *g = NULL;
  int rc = 0;
  for (size_t i = 0; i < im->n_groups && !g && !rc; i++) {
    bool same;
    rc = launch_same(im->groups[i].launches[0], l, &same, e);
    g = !rc && same ? &im->groups[i] : NULL;
  }
  if (rc)
    return rc;
  if (!g) {
    struct group *grown = realloc(im->groups, (im->n_groups + 1) * sizeof *grown);
    if (!grown)
      return err_nomem(e, "kernels");
    im->groups = grown;
    g = &grown[im->n_groups++];
    *g = (struct group){0};
  }
  const struct ncu_launch **grown = realloc(g->launches, (g->n + 1) * sizeof *grown);
  if (!grown)
    return err_nomem(e, "launches");
  g->launches = grown;
  grown[g->n++] = l;
  return 0;
}
