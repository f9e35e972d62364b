/* Two runs of the program: the first, whose launches nothing disturbs, is timed and ranks the kernels; the second counts those that it chose. */
#include "profiler/attach/outside/composing.h"

#include "base/file.h"
#include "base/text.h"
#include "profiler/attach/records/collective.h"

#include <stdlib.h>
#include <string.h>

void chosen_add(struct text *out, const struct part *p, long top) {
  const struct part_kernel **kernels = part_by_time(p);
  long n = 0;
  for (size_t i = 0; i < p->n_kernels && n < top && kernels; i++) {
    const struct part_kernel *k = kernels[i];
    if (k->launches <= k->in_graphs || kernel_is_collective(k->name))
      continue;
    n++;
    const unsigned *g = k->launch.grid, *b = k->launch.block;
    text_printf(out, "%s\t%d\t%u\t%u\t%u\t%u\t%u\t%u\t%ld\t%llu\n", k->name, k->device, g[0], g[1], g[2], b[0], b[1],
                b[2], k->launch.smem_dynamic, (unsigned long long)(k->launches - k->in_graphs));
  }
  free(kernels);
}

static bool same(const struct part_kernel *a, const struct part_kernel *b) {
  return a->device == b->device && a->launch.smem_dynamic == b->launch.smem_dynamic &&
         memcmp(a->launch.grid, b->launch.grid, sizeof a->launch.grid) == 0 &&
         memcmp(a->launch.block, b->launch.block, sizeof a->launch.block) == 0 && strcmp(a->name, b->name) == 0;
}

void times_take(struct part *counts, struct part *times) {
  for (size_t i = 0; i < counts->n_kernels; i++) {
    struct part_kernel *k = &counts->kernels[i];
    size_t at = 0;
    while (at < times->n_kernels && !same(k, &times->kernels[at]))
      at++;
    if (at == times->n_kernels)
      continue;
    struct part_kernel *t = &times->kernels[at];
    double *samples = k->samples_ns;
    k->samples_ns = t->samples_ns;
    k->n_samples = t->n_samples;
    t->samples_ns = samples; /* freed with it */
    k->launches = t->launches;
    k->in_graphs = t->in_graphs;
    k->disturbed = t->disturbed;
    k->total_ns = t->total_ns;
  }
  struct part_range *ranges = counts->ranges;
  size_t n_ranges = counts->n_ranges;
  counts->ranges = times->ranges;
  counts->n_ranges = times->n_ranges;
  times->ranges = ranges; /* freed with it */
  times->n_ranges = n_ranges;
  counts->timed_before = true;
  counts->launches = times->launches;
  counts->total_ns = times->total_ns;
  counts->beyond = times->beyond;
  counts->beyond_ns = times->beyond_ns;
}
