#include "analysis/signs/code_fetch.h"

#include "analysis/signs/about.h"
#include "analysis/signs/chains.h"

#include <stdlib.h>
#include <string.h>

static bool runs(const struct sass *s, size_t i) {
  return !s->insts[i].never && s->blocks[s->block_of[i]].reachable && (!s->counted || s->executed[i] > 0);
}

static bool waits_longest(const struct rule_input *in) {
  static const char *const others[] = {"stall_long_scoreboard", "stall_short_scoreboard", "stall_wait",
                                       "stall_barrier",         "stall_mio_throttle",     "stall_lg_throttle",
                                       "stall_not_selected",    "stall_imc_miss"};
  double most = rule_value(in, "stall_no_instruction", 0);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (rule_value(in, others[i], 0) >= most)
      return false;
  return most > 0;
}

static double fetch_samples(const struct rule_input *in, size_t i) {
  const struct hot_kernel *k = rule_kernel(in);
  bool sampled = k && k->insts[i] != SASS_NONE;
  return sampled ? hot_samples_of(&in->hot->insts[k->insts[i]], "no_instruction") : 0;
}

/* Part of the samples that wait for instructions outside the hot loop; 0: there are none. */
static double outside_of(const struct rule_input *in) {
  size_t loop = hot_loop(in->sass);
  double outside = 0, all = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    double n = fetch_samples(in, i);
    all += n;
    outside += loop == SASS_NONE || !sass_in_loop(in->sass, i, loop) ? n : 0;
  }
  return all > 0 ? outside / all : 0;
}

struct placed {
  struct run_line line;
  const struct run_instruction *at;
  double samples;
};

static int by_line(const void *a, const void *b) {
  const struct run_line *x = &((const struct placed *)a)->line, *y = &((const struct placed *)b)->line;
  int source = (x->source > y->source) - (x->source < y->source);
  return source ? source : (x->line > y->line) - (x->line < y->line);
}

/* Adds up what each line has: sorted, those of a line follow each other. */
static void most_of(struct code_fetch *out, struct placed *list, size_t n) {
  qsort(list, n, sizeof *list, by_line);
  double most = 0;
  for (size_t i = 0, k; i < n; i = k) {
    double samples = 0;
    for (k = i; k < n && by_line(&list[i], &list[k]) == 0; k++)
      samples += list[k].samples;
    if (samples > most) {
      most = samples;
      out->of_line = INSTRUCTION_BYTES * (double)(k - i);
      out->at = list[i].at;
    }
  }
}

bool code_fetch_of(struct code_fetch *out, const struct rule_input *in) {
  static const double MOST = 0.5;
  *out = (struct code_fetch){0};
  if (!in->sass || !waits_longest(in) || outside_of(in) <= MOST || in->f->bounds.binding == BOUND_LAUNCH)
    return false;
  struct placed *list = calloc(in->sass->n + 1, sizeof *list);
  size_t n = 0;
  for (size_t i = 0; list && i < in->sass->n; i++) {
    const struct run_instruction *at = about_inst(in, i);
    const struct run_line *line = at ? about_line(in, at) : NULL;
    if (!runs(in->sass, i))
      continue;
    out->bytes += INSTRUCTION_BYTES;
    if (line)
      list[n++] = (struct placed){*line, at, fetch_samples(in, i)};
  }
  if (list)
    most_of(out, list, n);
  free(list);
  return out->bytes > L0_CACHE_BYTES;
}

double code_bytes(const struct rule_input *in) {
  struct sass_summary summary;
  if (!in->sass)
    return 0;
  sass_summarise(in->sass, &summary);
  return INSTRUCTION_BYTES * (double)(summary.hot == SASS_NONE ? summary.insts : summary.hot_insts);
}

size_t call_of_function(const struct sass *s) {
  size_t most = SASS_NONE;
  for (size_t i = 0; s && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool others = x->calls && !x->never && sass_called(s, i) == SASS_NONE && !strstr(x->text, "$__internal_");
    if (others && (most == SASS_NONE || s->executed[i] > s->executed[most]))
      most = i;
  }
  return most;
}
