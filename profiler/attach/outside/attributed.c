/* The PC samples of a part, put to the instructions of a run. */
#include "profiler/attach/outside/composing.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const struct attached_function *attach_sampled(const struct attached_process *p, const char *kernel) {
  const struct attached_function *most = NULL;
  for (size_t i = 0; i < p->n_functions; i++) {
    const struct attached_function *f = &p->functions[i];
    if (strcmp(f->seen.name, kernel) == 0 && (!most || f->seen.samples > most->seen.samples))
      most = f;
  }
  return most && most->seen.samples ? most : NULL;
}

/* CUPTI tells sampled kernels apart by name, not by geometry: the result of that name before this one; NULL: there is none. */
static const char *id_before(const struct run *run, size_t at, const char *kernel) {
  for (size_t i = 0; i < at; i++)
    if (strcmp(run->results[i].launches->kernel, kernel) == 0)
      return run->variants[run->results[i].variant].id;
  return NULL;
}

static char *reason_make(const struct attached_process *p, const struct attached_function *f, const struct run *run,
                         size_t at, const char *kernel) {
  const char *before = id_before(run, at, kernel);
  if (p->sampling.error)
    return str_printf("PC sampling failed: %s", p->sampling.error);
  if (p->sampling.period_cycles <= 0)
    return str_copy(
        "attach took no PC samples: --samples is off, or the program ended before kernels were chosen (--window)");
  if (!f)
    return str_copy("it has no PC samples: it did not run while samples were taken");
  if (before)
    return str_printf("its PC samples are counted with %s: CUPTI separates kernels by name, not by geometry", before);
  return run->results[at].module < 0 ? str_copy("there is no SASS to assign its PC samples to") : NULL;
}

void attach_samples(const struct attached_process *p, const char *kernel, struct run *run, size_t at) {
  struct run_result *r = &run->results[at];
  const struct attached_function *f = attach_sampled(p, kernel);
  bool usable = f && r->module >= 0 && !id_before(run, at, kernel);
  if (!usable) {
    r->sampling.reason = reason_make(p, f, run, at, kernel);
    return;
  }
  r->sampling.period_cycles = p->sampling.period_cycles;
  r->sampling.user = f->seen.samples;
  r->sampling.other = p->sampling.samples > f->seen.samples ? p->sampling.samples - f->seen.samples : 0;
  r->sampling.dropped = p->sampling.dropped;
  r->sampling.launches = f->seen.launches;
  r->sampling.reason = p->sampling.error ? str_printf("PC sampling stopped early: %s", p->sampling.error) : NULL;
  r->samples = calloc(f->n_pcs + 1, sizeof *r->samples);
  for (size_t i = 0; i < f->n_pcs; i++) {
    const struct pc_record *pc = &f->pcs[i];
    r->samples[r->n_samples++] = (struct run_sample){.module = r->module,
                                                     .offset = pc->offset,
                                                     .reason = str_copy(pc->reason),
                                                     .samples = pc->samples,
                                                     .not_issued = pc->not_issued};
  }
}
