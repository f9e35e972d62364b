#include "run/run.h"

#include "base/array.h"

#include "run/record.h"

#include <stdlib.h>
#include <string.h>

static const char *name_at(const char *const *names, unsigned i) {
  for (unsigned n = 0; names[n]; n++)
    if (n == i)
      return names[n];
  return "unknown";
}

const char *run_origin_name(enum run_origin o) {
  return name_at(record_origin_names, o);
}

const char *run_verdict_name(enum run_verdict v) {
  return name_at(record_verdict_names, v);
}

static void fields_release(const struct record *r, char *object);

static void array_release(const struct field *f, char *object) {
  size_t n = *(size_t *)(object + f->beside);
  char *elements = *(char **)(object + f->offset);
  for (size_t i = 0; i < n; i++)
    if (f->kind == FIELD_RECORDS)
      fields_release(f->record, elements + i * f->record->size);
    else if (f->kind == FIELD_STRINGS)
      free(((char **)(void *)elements)[i]);
  free(elements);
}

static void fields_release(const struct record *r, char *object) {
  for (const struct field *f = r->fields; f < r->fields + r->n; f++)
    if (f->kind == FIELD_STRING)
      free(*(char **)(object + f->offset));
    else if (f->kind == FIELD_RECORD)
      fields_release(f->record, object + f->offset);
    else if (f->kind == FIELD_STRINGS || f->kind == FIELD_REALS || f->kind == FIELD_RECORDS)
      array_release(f, object);
}

void record_release(const struct record *r, void *object) {
  fields_release(r, object);
  memset(object, 0, r->size);
}

void run_release(struct run *r) {
  record_release(&record_run, r);
}

void run_result_release(struct run_result *r) {
  record_release(&record_result, r);
}

void run_module_release(struct run_module *m) {
  record_release(&record_module, m);
}

void run_variant_release(struct run_variant *v) {
  record_release(&record_variant, v);
}

const struct run_metric *run_metric_find(const struct run_result *r, const char *name) {
  for (size_t i = 0; i < r->n_metrics; i++) {
    /* The first letter first: hundreds of metrics, asked for by hundreds of formulas. */
    if (r->metrics[i].name[0] == name[0] && strcmp(r->metrics[i].name, name) == 0)
      return &r->metrics[i];
  }
  return NULL;
}

bool run_variant_is_control(const struct run_variant *v) {
  return v->ladder && strcmp(v->ladder, "control") == 0;
}

bool run_variant_is_aside(const struct run_variant *v) {
  return v->wrong || run_variant_is_control(v) || (v->ladder && strcmp(v->ladder, "wrong") == 0);
}

const char *run_variant_key(const struct run_variant *v, const char *key) {
  for (size_t i = 0; i < v->n_keys; i++)
    if (strcmp(v->keys[i].key, key) == 0)
      return v->keys[i].value;
  return NULL;
}

const char *run_attached_command(const struct run *r) {
  static const char attach[] = "nvfp4-prof attach ", from[] = " -- ";
  const char *at = r->command && strncmp(r->command, attach, sizeof attach - 1) == 0 ? strstr(r->command, from) : NULL;
  return at ? at + sizeof from - 1 : NULL;
}

size_t run_kernel_instructions(const struct run_kernel *k) {
  size_t n = 0;
  for (size_t i = 0; i < k->n_sass; i++)
    n += strncmp(k->sass[i].text, "NOP", 3) != 0;
  return n;
}

const struct run_variant *run_variant_find(const struct run *r, const char *id) {
  for (size_t i = 0; i < r->n_variants; i++)
    if (strcmp(r->variants[i].id, id) == 0)
      return &r->variants[i];
  return NULL;
}

const struct run_result *run_result_find(const struct run *r, const char *variant_id, struct shape s) {
  const struct run_variant *v = run_variant_find(r, variant_id);
  for (size_t i = 0; v && i < r->n_results; i++)
    if (r->results[i].variant == v - r->variants && shape_equal(r->results[i].shape, s))
      return &r->results[i];
  return NULL;
}

const char *run_source_text(const struct run *r, const char *name) {
  for (size_t i = 0; name && i < r->n_sources; i++)
    if (strcmp(r->sources[i].name, name) == 0)
      return r->sources[i].text;
  return NULL;
}

bool run_params_same(const struct run_result *a, const struct run_result *b) {
  bool same = a->n_params == b->n_params;
  for (size_t i = 0; i < a->n_params && same; i++)
    same = strcmp(a->params[i].key, b->params[i].key) == 0 && strcmp(a->params[i].value, b->params[i].value) == 0;
  return same;
}

size_t run_shapes(const struct run *r, struct shape *out, size_t max) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_results; i++) {
    size_t earlier = 0;
    while (earlier < i && !shape_equal(r->results[earlier].shape, r->results[i].shape))
      earlier++;
    if (earlier < i)
      continue;
    if (n < max)
      out[n] = r->results[i].shape;
    n++;
  }
  return n;
}

void run_note(struct run *r, const char *sentence) {
  for (size_t i = 0; i < r->n_notes; i++)
    if (strcmp(r->notes[i], sentence) == 0)
      return;
  array_copy(&r->notes, &r->n_notes, sentence);
}
