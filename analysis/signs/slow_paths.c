#include "analysis/signs/slow_paths.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Divisions of 64-bit integers are called likewise, and have no faster path; functions without a number are no divisions and no roots. */
static bool is_slow_path(const struct sass_function *f) {
  return isdigit((unsigned char)f->name[0]) && (strstr(f->name, "path") || strstr(f->name, "div_rn_f64"));
}

static bool is_double(const struct sass_function *f) {
  return strstr(f->name, "f64") || strstr(f->name, "dblrcp");
}

static double executed_in_function(const struct sass *s, size_t function, enum sass_pipe pipe) {
  double n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->blocks[s->block_of[i]].function == function && (pipe == PIPE_UNKNOWN || s->insts[i].pipe == pipe))
      n += fmax(s->executed[i], 0);
  return n;
}

void slow_paths_of(struct slow_paths *out, const struct rule_input *in) {
  const struct hot_kernel *k = rule_kernel(in);
  double most = 0;
  *out = (struct slow_paths){.most = SASS_NONE};
  for (size_t f = 0; k && in->sass->counted && f < in->sass->n_functions; f++) {
    double insts = executed_in_function(in->sass, f, PIPE_UNKNOWN), share = hot_function_share(in->hot, k, f);
    if (!is_slow_path(&in->sass->functions[f]) || insts <= 0 || share <= 0)
      continue;
    out->share += share;
    out->insts += insts;
    if (share > most) {
      most = share;
      out->most = f;
      out->doubles = is_double(&in->sass->functions[f]);
    }
  }
}

/* ---- large arguments ---- */

/* Code in place: what the compiler's functions hold is rare, too. */
static bool is_for_large(const struct sass *s, size_t block) {
  const struct sass_block *b = &s->blocks[block];
  return b->rare && b->reachable && b->function == SASS_NONE && b->executed > 0;
}

/* The branch that leads into such a block from one that is none; SASS_NONE: it is not entered there. */
static size_t asks_before(const struct sass *s, size_t block) {
  size_t before = s->blocks[block].idom;
  return before == SASS_NONE || s->blocks[before].rare ? SASS_NONE : s->blocks[before].first + s->blocks[before].n - 1;
}

static double samples_of(const struct rule_input *in, const struct hot_kernel *k, size_t i) {
  return k && k->insts[i] != SASS_NONE && in->hot->samples ? (double)in->hot->insts[k->insts[i]].samples : 0;
}

void large_arguments_of(struct large_arguments *out, const struct rule_input *in) {
  const struct hot_kernel *k = rule_kernel(in);
  const struct sass *s = in->sass;
  double most = 0, local = 0, locals = 0;
  *out = (struct large_arguments){.first = SASS_NONE};
  for (size_t b = 0; s && s->counted && b < s->n_blocks; b++) {
    size_t asks = is_for_large(s, b) ? asks_before(s, b) : SASS_NONE;
    if (asks == SASS_NONE)
      continue;
    out->calls += fmax(s->executed[asks], 0);
    out->taken += s->blocks[b].executed;
    if (s->blocks[b].executed > most) {
      most = s->blocks[b].executed;
      out->first = asks;
    }
  }
  for (size_t i = 0; out->taken > 0 && i < s->n; i++) {
    double n = fmax(s->executed[i], 0);
    bool theirs = is_for_large(s, s->block_of[i]);
    locals += s->insts[i].space == SPACE_LOCAL ? n : 0;
    local += s->insts[i].space == SPACE_LOCAL && theirs ? n : 0;
    out->insts += theirs ? n : 0;
    out->share += theirs && in->hot->samples ? samples_of(in, k, i) / (double)in->hot->samples : 0;
  }
  out->local = 2 * local > locals;
}

bool arguments_are_large(const struct rule_input *in) {
  struct large_arguments x;
  large_arguments_of(&x, in);
  return x.taken > 0;
}

/* ---- both ---- */

double slow_paths_gone(const struct rule_input *in, enum sass_pipe pipe) {
  struct slow_paths x;
  struct large_arguments large;
  double gone = 0;
  slow_paths_of(&x, in);
  large_arguments_of(&large, in);
  for (size_t f = 0; x.share > 0 && f < in->sass->n_functions; f++)
    gone += is_slow_path(&in->sass->functions[f]) ? executed_in_function(in->sass, f, pipe) : 0;
  for (size_t i = 0; large.share > 0 && i < in->sass->n; i++)
    if (is_for_large(in->sass, in->sass->block_of[i]) && (pipe == PIPE_UNKNOWN || in->sass->insts[i].pipe == pipe))
      gone += fmax(in->sass->executed[i], 0);
  return gone;
}
