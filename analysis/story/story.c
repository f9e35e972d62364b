#include "analysis/story/story.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* --- a step --- */

int story_step_make(struct story_step *out, const struct findings *f, const struct diagnoses *diagnoses,
                    const struct run_variant *from, const struct run_variant *to, const struct shape *shapes, size_t n,
                    struct err *e) {
  int rc;

  *out = (struct story_step){0};
  rc = step_make(&out->step, f, from, to, shapes, n, e);
  if (rc != 0 || !diagnoses)
    return rc;
  out->advised = calloc(n + 1, sizeof *out->advised);
  for (size_t i = 0; i < out->step.n; i++)
    advised_of(&out->advised[i], diagnoses, &out->step, &out->step.at[i]);
  return 0;
}

void story_step_release(struct story_step *s) {
  step_release(&s->step);
  free(s->advised);
  *s = (struct story_step){0};
}

/* --- the run --- */

static void rung_make(struct story_rung *out, const struct story *s, const struct run_variant *v) {
  const struct findings *f = s->findings;
  struct err malformed = {0};

  *out = (struct story_rung){.variant = v, .parent = v->parent ? run_variant_find(f->run, v->parent) : NULL};
  climb_of(&out->climb, f, v);
  if (!out->parent) {
    out->untold = str_copy(v->parent ? "its parent is not in this run" : "it has no parent");
    return;
  }
  if (story_step_make(&out->told, f, &s->diagnoses, out->parent, v, f->shapes, f->n_shapes, &malformed))
    out->untold = str_copy(malformed.text);
  code_diff_make(&out->code, f->run, out->parent, v);
}

static void cures_make(struct score *out, const struct diagnoses *d, const char *ladder) {
  struct label *labels;
  size_t n;
  labels_of_cures(&labels, &n, d->findings->run, ladder);
  score_of(out, d, labels, n);
  free(labels);
}

void story_make(struct story *out, const struct findings *f, const bool *asked) {
  *out = (struct story){.findings = f,
                        .rungs = calloc(f->run->n_variants + 1, sizeof *out->rungs),
                        .cures = calloc(f->n_ladders + 1, sizeof *out->cures)};
  diagnoses_make(&out->diagnoses, f);
  gains_make(&out->gains, &out->diagnoses);
  headline_of(&out->headline, f);
  answer_make(&out->answer, f, asked);
  for (size_t i = 0; i < f->run->n_variants; i++)
    rung_make(&out->rungs[out->n_rungs++], out, &f->run->variants[i]);
  for (size_t i = 0; i < f->n_ladders; i++)
    cures_make(&out->cures[out->n_cures++], &out->diagnoses, f->ladders[i].name);
  ranks_make(&out->ranks, f->run);
  ranks_map_make(&out->ranks_map, &out->ranks);
}

void story_release(struct story *s) {
  for (size_t i = 0; i < s->n_rungs; i++) {
    free(s->rungs[i].untold);
    story_step_release(&s->rungs[i].told);
    code_diff_release(&s->rungs[i].code);
  }
  for (size_t i = 0; i < s->n_cures; i++)
    score_release(&s->cures[i]);
  answer_release(&s->answer);
  gains_release(&s->gains);
  diagnoses_release(&s->diagnoses);
  ranks_map_release(&s->ranks_map);
  ranks_release(&s->ranks);
  free(s->rungs);
  free(s->cures);
  *s = (struct story){0};
}

/* --- what is there of one --- */

const struct story_rung *story_rung_of(const struct story *s, const struct run_variant *v) {
  return &s->rungs[v - s->findings->run->variants];
}

const struct score *story_cures_of(const struct story *s, const char *ladder) {
  for (size_t i = 0; i < s->findings->n_ladders; i++) {
    if (strcmp(s->findings->ladders[i].name, ladder) == 0)
      return &s->cures[i];
  }
  return NULL;
}
