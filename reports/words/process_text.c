#include "reports/words/process_text.h"

#include "analysis/story/program.h"
#include "reports/words/view.h"

#include <stdlib.h>
#include <string.h>

static const double told = 0.25;

/* A run file of before idle time was a field has it as a note. */
static bool noted_idle(const struct run *r, struct text *out) {
  static const char begins[] = "the GPU is idle ";
  for (size_t i = 0; i < r->n_notes; i++)
    if (strncmp(r->notes[i], begins, strlen(begins)) == 0 && atoi(r->notes[i] + strlen(begins)) >= 100 * told) {
      text_add(out, r->notes[i]);
      return true;
    }
  return false;
}

bool process_idle(const struct run *r, struct text *out) {
  static const double mostly = 0.5, nearly_all = 0.9;
  const struct run_idle *p = &r->process.idle;

  if (p->share <= 0)
    return noted_idle(r, out);
  if (p->share < told)
    return false;
  text_printf(
      out, "the GPU runs no kernel for %.0f %% of the time (%.0f %% in gaps of 50 µs or less, as launching leaves): ",
      100 * p->share, 100 * p->short_share);
  text_add(
      out,
      p->short_share >= mostly * p->share
          ? "CUDA graphs, fewer and larger kernels, or fewer blocking copies and synchronisations between them"
          : "look first at what the program does there (allocations, blocking copies, synchronisation, work on the CPU)");
  if (p->share >= nearly_all)
    text_printf(out, "; all kernels together take %s %%", VIEW_NUMBER(100 * (1 - p->share), 1));
  return true;
}

bool process_replayed(const struct run_variant *v, struct text *out) {
  const char *counted = run_variant_key(v, "counted");
  bool is = counted && strstr(counted, "replayed");
  if (is)
    text_add(out,
             "counters are of one launch, replayed with warm caches: it may take more from DRAM than is said here");
  return is;
}

void process_cautions(const struct run *r, struct text *out) {
  size_t at;
  if (!program_is(r))
    return;
  if (r->partial)
    text_printf(out, "the run is partial: %s\n", view_partial(r, &at));
  if (process_idle(r, out))
    text_add(out, "\n");
}
