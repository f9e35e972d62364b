/* Two runs of the program: the first, whose launches nothing disturbs, is timed, ranks the kernels
 * and takes PC samples, which leave a kernel's time as it is and of which CUPTI gives none once it
 * has counted; the second counts those that were chosen, from the first launch. */
#include "profiler/attach/outside/composing.h"

#include "base/array.h"
#include "base/text.h"
#include "profiler/attach/choice/focus.h"
#include "profiler/attach/records/collective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chosen as in the program itself, of all its time at once; and those whose code is kept, since a
 * second run counts from its first launch and has the time for them. */
static void choose(const struct attached_kernel *const *kernels, struct focus_kernel *focus, size_t n, double coverage,
                   long top) {
  struct focus h;
  focus_start(&h, &(struct focus_settings){.coverage = coverage, .top = top}, focus);
  for (size_t i = 0; i < n; i++) {
    const struct kernel_record *k = &kernels[i]->seen;
    focus_add(&h);
    focus[i].total_s = 1e-9 * attached_time_ns(kernels[i]);
    focus[i].barred = k->launches <= k->in_graphs || kernel_is_collective(k->name);
  }
  focus_look(&h, 0, true, 0);
  for (size_t i = 0, passed = 0; i < n && passed < ATTACH_SASS_MAX && (long)passed < top; i++) {
    passed += !focus[i].barred;
    focus[i].chosen = focus[i].chosen || !focus[i].barred;
  }
}

void chosen_add(struct text *out, const struct attached_process *p, double coverage, long top) {
  const struct attached_kernel **kernels = attached_by_time(p);
  struct focus_kernel *focus = calloc(p->n_kernels + 1, sizeof *focus);
  if (kernels && focus)
    choose(kernels, focus, p->n_kernels, coverage, top);
  for (size_t i = 0; i < p->n_kernels && kernels && focus; i++) {
    const struct attached_kernel *k = kernels[i];
    uint64_t launches = k->seen.launches - k->seen.in_graphs;
    bool skips = !k->seen.in_graphs, alone = skips && k->seen.alone;
    if (focus[i].chosen)
      attach_record_print(
          out, RECORD_CHOSEN,
          &(struct chosen_record){.name = k->seen.name,
                                  .device = k->seen.device,
                                  .launch = k->seen.launch,
                                  .launches = alone ? k->seen.skip + 1 : launches, /* the last of them is replayed */
                                  .total_ns = attached_time_ns(k),
                                  .skip = skips ? k->seen.skip : 0});
  }
  free(focus);
  free(kernels);
}

static bool same(const struct kernel_record *a, const struct kernel_record *b) {
  return a->device == b->device && a->launch.smem_dynamic == b->launch.smem_dynamic &&
         memcmp(a->launch.grid, b->launch.grid, sizeof a->launch.grid) == 0 &&
         memcmp(a->launch.block, b->launch.block, sizeof a->launch.block) == 0 && strcmp(a->name, b->name) == 0;
}

void times_take(struct attached_process *counts, struct attached_process *times) {
  for (size_t i = 0; i < counts->n_kernels; i++) {
    struct attached_kernel *k = &counts->kernels[i];
    size_t at = 0;
    while (at < times->n_kernels && !same(&k->seen, &times->kernels[at].seen))
      at++;
    if (at == times->n_kernels)
      continue;
    struct attached_kernel *t = &times->kernels[at];
    struct times_record samples = k->samples;
    k->samples = t->samples;
    t->samples = samples; /* freed with it */
    k->seen.launches = t->seen.launches;
    k->seen.in_graphs = t->seen.in_graphs;
    k->seen.disturbed = t->seen.disturbed;
    k->seen.total_ns = t->seen.total_ns;
  }
  struct range_record *ranges = counts->ranges;
  size_t n_ranges = counts->n_ranges;
  counts->ranges = times->ranges;
  counts->n_ranges = times->n_ranges;
  times->ranges = ranges; /* freed with it */
  times->n_ranges = n_ranges;
  counts->timed_before = true;
  counts->totals = times->totals;
}

bool samples_cover(const struct attached_process *p, double coverage) {
  double all_ns = 0, sampled_ns = 0;
  for (size_t i = 0; i < p->n_kernels; i++) {
    double ns = attached_time_ns(&p->kernels[i]);
    all_ns += ns;
    sampled_ns += attach_sampled(p, p->kernels[i].seen.name) ? ns : 0;
  }
  return all_ns > 0 && sampled_ns >= coverage * all_ns;
}

/* What the first run said of its samples is true of the two. */
static void notes_take(struct attached_process *counts, struct attached_process *samples) {
  for (size_t i = 0; i < samples->n_notes; i++) {
    struct note_record *from = &samples->notes[i];
    if (!from->sentence || !strstr(from->sentence, "PC sampl"))
      continue;
    struct note_record *to = array_add(&counts->notes, &counts->n_notes, sizeof *to);
    *to = *from;
    from->sentence = NULL;
  }
}

void samples_take(struct attached_process *counts, struct attached_process *samples) {
  struct attached_function *functions = counts->functions;
  size_t n = counts->n_functions;
  counts->functions = samples->functions;
  counts->n_functions = samples->n_functions;
  samples->functions = functions; /* freed with it */
  samples->n_functions = n;
  struct sampling_record sampling = counts->sampling;
  counts->sampling = samples->sampling;
  samples->sampling = sampling;
  counts->sampled_before = true;
  notes_take(counts, samples);
}
