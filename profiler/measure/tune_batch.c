#include "profiler/measure/tune_batch.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static char stage_key[] = "tune-stage";

char *tune_configuration_id(const struct tune_space *s, size_t configuration) {
  struct text id = {0};
  text_add(&id, s->rung->id);
  const char *separator = "#";
  for (size_t a = 0; a < s->n_axes; a++) {
    if (s->axes[a].n < 2)
      continue;
    text_printf(&id, "%s%s=%ld", separator, s->rung->params[s->axes[a].param].name,
                tune_space_value(s, configuration, a));
    separator = ",";
  }
  return text_take(&id);
}

static void configuration_rung(struct rung *out, const struct tune_space *s, size_t configuration, int stage) {
  *out = *s->rung;
  out->id = tune_configuration_id(s, configuration);
  out->parent = NULL;
  out->n_whens = out->n_published =
      0; /* a shape's own values and the published figures are of the rung as it was written */
  out->params = calloc(s->rung->n_params + 1, sizeof *out->params);
  out->keys = calloc(s->rung->n_keys + 1, sizeof *out->keys);
  memcpy(out->keys, s->rung->keys, s->rung->n_keys * sizeof *out->keys);
  if (stage != TUNE_FINAL_STAGE) {
    struct rung_key told = {.key = stage_key, .value = str_printf("%d", stage)};
    out->keys[out->n_keys++] = told;
  }
  memcpy(out->params, s->rung->params, s->rung->n_params * sizeof *out->params);
  for (size_t a = 0; a < s->n_axes; a++)
    out->params[s->axes[a].param].value = tune_space_value(s, configuration, a);
}

void tune_batch_release(struct tune_batch *b) {
  for (size_t i = 0; i < b->n_made; i++) {
    free(b->set.rungs[i].id);
    if (b->set.rungs[i].n_keys > b->n_borrowed_keys)
      free(b->set.rungs[i].keys[b->n_borrowed_keys].value);
    free(b->set.rungs[i].keys);
    free(b->set.rungs[i].params);
  }
  free(b->set.rungs);
  free(b->chosen);
  *b = (struct tune_batch){0};
}

void tune_batch_make(struct tune_batch *out, const struct rung_set *from, const struct tune_space *s,
                     const size_t *configurations, size_t n, int stage) {
  *out =
      (struct tune_batch){.set = {.files = from->files, .n_files = from->n_files}, .n_borrowed_keys = s->rung->n_keys};
  out->set.rungs = calloc(n + 1, sizeof *out->set.rungs);
  out->chosen = calloc(n + 1, sizeof *out->chosen);
  for (size_t i = 0; i < n; i++) {
    out->n_made++;
    configuration_rung(&out->set.rungs[i], s, configurations[i], stage);
  }
  out->set.n = n;
  if (stage == TUNE_FINAL_STAGE)
    out->set.rungs[out->set.n++] = *s->rung;
  for (size_t i = 0; i < out->set.n; i++)
    out->chosen[i] = true;
}

int tune_stage_of(const struct run_variant *v) {
  const char *told = run_variant_key(v, stage_key);
  return told ? (int)strtol(told, NULL, 10) : TUNE_FINAL_STAGE;
}
