#include "analysis/signs/uniform_work.h"

#include "analysis/signs/lane_alike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_costly(const struct sass_inst *x) {
  return x->class == SASS_SPECIAL || x->class == SASS_FP64 || x->class == SASS_CONVERT ||
         strcmp(x->opcode, "FCHK") == 0;
}

static bool is_made_of(struct sass *s, size_t i, const bool *of) {
  struct sass_producer from[SASS_READS_MAX];
  size_t n = sass_producers(s, i, from, SASS_READS_MAX);
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (of[from[k].inst])
      return true;
  return false;
}

/* Narrows what is the same in all threads to what costs something.  Reciprocals of integers (I2F.RP), and what is made of them, are integer-division's to tell. */
static void costly_mark(struct sass *s, bool *given, bool *costly) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++)
      if (costly[i] || (given[i] && strcmp(s->insts[i].opcode, "I2F") == 0 && sass_modifier(&s->insts[i], "RP")) ||
          (given[i] && is_made_of(s, i, costly))) {
        more = more || !costly[i];
        costly[i] = true;
      }
  }
  for (size_t i = 0; i < s->n; i++) {
    given[i] = given[i] && !costly[i];
    costly[i] = false;
  }
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++)
      if (given[i] && !costly[i] && (is_costly(&s->insts[i]) || is_made_of(s, i, costly)))
        more = costly[i] = true;
  }
}

/* Which of it is made of what was loaded. */
static bool *loaded_make(struct sass *s, const bool *costly) {
  bool *loaded = calloc(s->n + 1, sizeof *loaded);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < s->n; i++)
      if (costly[i] && !loaded[i] && (sass_reads_loaded(s, i) || is_made_of(s, i, loaded)))
        more = loaded[i] = true;
  }
  return loaded;
}

static double samples_share(const struct rule_input *in, const struct hot_kernel *k, size_t i) {
  const struct hot_inst *x = k && k->insts[i] != SASS_NONE ? &in->hot->insts[k->insts[i]] : NULL;
  bool for_argument = x && x->n_feeds > 0 && (x->feeds[0].wait == WAIT_CONSTANT || x->feeds[0].wait == WAIT_LOAD);
  return x && !for_argument ? (double)x->samples / (double)in->hot->samples : 0;
}

static void uniform_sum(struct uniform_work *out, const struct rule_input *in, const bool *costly) {
  const struct hot_kernel *k = rule_kernel(in);
  double most = -1, loads = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double n = costly[i] ? fmax(in->sass->executed[i], 0) : 0, share = costly[i] ? samples_share(in, k, i) : 0;
    size_t function = costly[i] && k ? sass_called(in->sass, i) : SASS_NONE;
    if (function != SASS_NONE)
      share += hot_function_share(in->hot, k, function);
    bool load = x->class == SASS_LOAD_GLOBAL;
    loads += load ? fmax(in->sass->executed[i], 0) : 0;
    out->loads += load ? n : 0;
    out->insts += n;
    out->lsu += x->pipe == PIPE_LSU ? n : 0;
    out->xu += x->pipe == PIPE_XU ? n : 0;
    out->fma += x->pipe == PIPE_FMA ? n : 0;
    out->alu += x->pipe == PIPE_ALU ? n : 0;
    out->fp64 += x->pipe == PIPE_FP64 ? n : 0;
    out->share += share;
    if (costly[i] && share > most) {
      most = share;
      out->first = i;
    }
  }
  out->loads = loads > 0 ? out->loads / loads : 0;
}

void uniform_work_of(struct uniform_work *out, const struct rule_input *in) {
  *out = (struct uniform_work){.first = SASS_NONE};
  if (!in->sass || !in->sass->counted)
    return;
  bool *given = sass_given_make(in->sass), *costly = calloc(in->sass->n + 1, sizeof *costly);
  costly_mark(in->sass, given, costly);
  uniform_sum(out, in, costly);
  bool *loaded = loaded_make(in->sass, costly);
  for (size_t i = 0; i < in->sass->n; i++)
    out->loaded = out->loaded || (loaded[i] && in->sass->executed[i] > 0);
  free(loaded);
  free(given);
  free(costly);
  struct uniform_work lanes = {.first = SASS_NONE, .lanes = true};
  bool *alike = lane_alike_make(in);
  uniform_sum(&lanes, in, alike);
  free(alike);
  if (lanes.insts > out->insts)
    *out = lanes;
}
