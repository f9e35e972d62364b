/* What approximations of the XU cost beside them. */
#include "analysis/idioms/denormals.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>

struct denormals {
  double insts, pipe[SASS_PIPES], approximations; /* warp instructions executed */
  const struct run_instruction *at;
};

static void denormals_of(struct denormals *out, const struct rule_input *in) {
  *out = (struct denormals){0};
  if (!in->sass || !in->sass->counted)
    return;
  bool *marked = sass_denormals_make(in->sass, &out->approximations);
  for (size_t i = 0; i < in->sass->n; i++) {
    double n = marked[i] ? fmax(in->sass->executed[i], 0) : 0;
    out->insts += n;
    out->pipe[in->sass->insts[i].pipe] += n;
  }
  out->at = out->insts > 0 ? about_marked(in, marked, false) : NULL;
  free(marked);
}

RULE_ROW(106, denormals, "denormals", "denormals handled around functions", RULE_NO_PAIR, NULL);
bool rule_denormals(const struct rule_input *in, struct told *out) {
  struct denormals x;
  denormals_of(&x, in);
  double insts = rule_value(in, "inst_executed", 0);
  if (!(x.approximations > 0) || !(insts > 0))
    return false;
  const struct run_line *line = x.at && x.at->n_lines ? &x.at->lines[0] : NULL;
  evidence_add(out, "instructions for denormals", "inst", value_of(x.insts));
  out->sentence = pool_printf(
      in->pool, "%.0f %% of the instructions scale denormals around reciprocals, roots, logarithms or exponentials%s%s",
      100 * fmin(x.insts / insts, 1), line ? ", most at " : "", line ? line_words(in, line->source, line->line) : "");
  out->remedy = pool_printf(
      in->pool,
      "compile with -ftz=true (or -use_fast_math): denormals count as zero, which saves %.1f instructions per function",
      x.insts / x.approximations);
  out->at = x.at;
  return true;
}

void change_denormals(const struct rule_input *in, struct workload *w) {
  struct denormals x;
  denormals_of(&x, in);
  double fma = part_kept(x.pipe[PIPE_FMA], or_zero(w->fma));
  value_scale(&w->alu, part_kept(x.pipe[PIPE_ALU], or_zero(w->alu)));
  value_scale(&w->fma, fma);
  value_scale(&w->fma_heavy, fma);
  work_fewer_insts(in, w, x.insts);
}
