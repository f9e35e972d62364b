#include "profiler/measure/tune_state.h"
#include "run/run.h"

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Takes a variant's results out; the variant itself is written over. */
static void forget_results(struct run *r, int variant) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_results; i++)
    if (r->results[i].variant == variant)
      run_result_release(&r->results[i]);
    else
      r->results[n++] = r->results[i];
  r->n_results = n;
}

static void room(struct run *into, const struct run *from) {
  into->modules = realloc(into->modules, (into->n_modules + from->n_modules + 1) * sizeof *into->modules);
  into->variants = realloc(into->variants, (into->n_variants + from->n_variants + 1) * sizeof *into->variants);
  into->results = realloc(into->results, (into->n_results + from->n_results + 1) * sizeof *into->results);
}

void tune_state_append(struct run *into, struct run *from) {
  if (!into->n_variants) {
    run_release(into);
    *into = *from;
    *from = (struct run){0};
    return;
  }
  room(into, from);
  int *number = calloc(from->n_variants + 1, sizeof *number);
  for (size_t i = 0; i < from->n_variants; i++) {
    const struct run_variant *old = run_variant_find(into, from->variants[i].id);
    number[i] = old ? (int)(old - into->variants) : (int)into->n_variants++;
    if (old) {
      forget_results(into, number[i]);
      run_variant_release(&into->variants[number[i]]);
    }
    into->variants[number[i]] = from->variants[i]; /* moved */
  }
  for (size_t i = 0; i < from->n_results; i++) {
    struct run_result *r = &into->results[into->n_results++];
    *r = from->results[i]; /* moved */
    r->variant = number[r->variant];
    r->module += r->module < 0 ? 0 : (int)into->n_modules;
  }
  if (from->n_modules) /* else both may be NULL */
    memcpy(into->modules + into->n_modules, from->modules, from->n_modules * sizeof *into->modules);
  into->n_modules += from->n_modules;
  free(number);
  from->n_variants = from->n_results = from->n_modules = 0;
  run_release(from);
}

static bool same_search(const struct run *a, const struct run *like, const char *key) {
  bool same = str_same(a->command, key) && str_same(a->l2, like->l2) && str_same(a->inputs, like->inputs) &&
              a->seed == like->seed && str_same(a->device.uuid_hash, like->device.uuid_hash) &&
              str_same(a->device.driver, like->device.driver) && a->n_sources == like->n_sources;
  for (size_t i = 0; same && i < a->n_sources; i++)
    same = str_same(a->sources[i].name, like->sources[i].name) && str_same(a->sources[i].text, like->sources[i].text);
  return same;
}

void tune_state_load(struct run *out, const char *path, const struct run *like, const char *key) {
  *out = (struct run){0};
  if (file_exists(path) && !run_load(out, path, NULL) && !same_search(out, like, key))
    run_release(out);
}

int tune_state_save(struct run *state, const char *path, const char *key, struct err *e) {
  free(state->command);
  state->command = str_copy(key);
  if (!state->tool) /* a run file must name one; the search's own run is signed by the command */
    state->tool = str_copy("tune");
  return run_save(state, path, e);
}
