/* A kernel's SASS from text to a program, and its end. */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>

static int read_insts(struct sass *s, struct err *e) {
  const struct run_kernel *k = s->kernel;
  s->n = k->n_sass;
  s->insts = calloc(s->n, sizeof *s->insts);
  s->executed = calloc(s->n, sizeof *s->executed);
  s->threads = calloc(s->n, sizeof *s->threads);
  s->count = calloc(s->n, sizeof *s->count);
  s->block_of = calloc(s->n, sizeof *s->block_of);
  s->scratch = calloc(1, sizeof *s->scratch);
  for (size_t i = 0; i < s->n; i++) {
    if (i && k->sass[i].offset <= k->sass[i - 1].offset)
      return err_set(e, ERR_DATA, "kernel %s: sass[%zu]: its offset 0x%x is not above the one before it", k->name, i,
                     k->sass[i].offset);
    sass_inst_parse(&s->insts[i], k->sass[i].text, k->sass[i].offset);
    s->executed[i] = s->threads[i] = -1;
  }
  return 0;
}

int sass_make(struct sass *out, const struct run_kernel *k, struct err *e) {
  *out = (struct sass){.kernel = k};
  if (!k->n_sass)
    return err_set(e, ERR_DATA, "kernel %s has no SASS: %s", k->name,
                   k->sass_reason ? k->sass_reason : "the run does not say why");
  if (k->n_sass > SASS_INSTS_MAX)
    return err_set(e, ERR_DATA, "kernel %s has %zu instructions; at most %d can be analysed", k->name, k->n_sass,
                   SASS_INSTS_MAX);
  int rc = read_insts(out, e);
  if (!rc) {
    sass_flow_make(out);
    rc = sass_loops_make(out, e);
  }
  if (!rc) {
    sass_rare_mark(out);
    out->scratch->made_by = calloc(out->n, sizeof *out->scratch->made_by);
  }
  if (rc)
    sass_release(out);
  return rc;
}

void sass_release(struct sass *s) {
  struct sass_scratch *x = s->scratch;
  if (x) {
    for (size_t bit = 0; bit < SASS_BITS; bit++)
      free(x->reaching[bit]);
    for (size_t i = 0; x->made_by && i < s->n; i++)
      free(x->made_by[i].items);
    free(x->made_by);
    free(x->written);
    free(x->surely);
    free(x->perhaps);
    free(x->writers);
    free(x->writers_at);
    free(x->preds);
    free(x->pred_at);
    free(x->feed_mark);
    free(x->block_mark);
    free(x->stack);
    free(x->queue);
    for (size_t rows = 0; rows < 2; rows++)
      free(x->steps[rows].steps);
    free(x);
  }
  free(s->insts);
  free(s->executed);
  free(s->threads);
  free(s->count);
  free(s->block_of);
  free(s->blocks);
  free(s->loops);
  free(s->functions);
  *s = (struct sass){0};
}
