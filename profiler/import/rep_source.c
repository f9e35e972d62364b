/* The sources that a report carries: cubins and the files that they were made from. */
#include "base/array.h"
#include "base/text.h"
#include "base/wire.h"
#include "profiler/compile/compile.h"
#include "profiler/import/ncu_rep.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENT_AT = 1, ELEMENT_VALUE = 2 };
enum { FILES_ITEM = 1, FILE_NAME = 1, FILE_TEXT = 2 };

bool rep_value(const uint8_t *bytes, size_t n, struct wire_field *out) {
  struct wire w = wire_open(bytes, n);
  return wire_next(&w, out);
}

bool rep_element(const uint8_t *bytes, size_t n, uint64_t *address, double *value) {
  struct wire w = wire_open(bytes, n);
  struct wire_field f, inner;
  bool has_address = false, has_value = false;
  while (wire_next(&w, &f)) {
    if (f.type != WIRE_BYTES || !rep_value(f.bytes, f.n, &inner) || inner.type == WIRE_BYTES)
      continue;
    if (f.number == ELEMENT_AT && inner.type == WIRE_VARINT) {
      *address = inner.value;
      has_address = true;
    } else if (f.number == ELEMENT_VALUE) {
      *value = wire_float(&inner);
      has_value = true;
    }
  }
  return has_address && has_value && !w.broken;
}

static void text_add_file(struct rep_source *s, const struct wire_field *message) {
  struct wire w = wire_open(message->bytes, message->n);
  struct wire_field f;
  struct run_source *file = array_add(&s->texts, &s->n_texts, sizeof *file);
  while (wire_next(&w, &f)) {
    char **to = f.type != WIRE_BYTES    ? NULL
                : f.number == FILE_NAME ? &file->name
                : f.number == FILE_TEXT ? &file->text
                                        : NULL;
    if (!to || *to)
      continue;
    *to = strndup((const char *)f.bytes, f.n);
  }
  file->name = file->name ? file->name : str_copy("");
  file->text = file->text ? file->text : str_copy("");
}

static void texts_read(struct rep_source *s) {
  struct wire w = wire_open(s->files, s->files_bytes);
  struct wire_field f;
  while (wire_next(&w, &f))
    if (f.number == FILES_ITEM && f.type == WIRE_BYTES)
      text_add_file(s, &f);
}

static void kernels_index(struct rep_source *s) {
  for (size_t i = 0; i < s->module.n_kernels; i++) {
    long *at = name_index_at(&s->kernels, s->module.kernels[i].name);
    *at = *at == NAME_NEW ? (long)i : *at;
  }
}

static void cubin_keep(struct rep_source *s, struct cubin_file *cubin) {
  s->module = cubin->module;
  if (cubin->why.code)
    s->why = str_copy(cubin->why.text);
  kernels_index(s);
}

void rep_sources_open(struct ncu_source *code) {
  size_t n = code->n_carried, wanted = 0, at = 0;
  struct cubin_file *cubins = calloc(n + 1, sizeof *cubins);
  for (size_t i = 0; i < n; i++) {
    struct rep_source *s = &code->carried[i];
    if (!s->wanted)
      continue;
    texts_read(s);
    cubins[wanted++] = (struct cubin_file){
        .name = code->name, .data = s->cubin, .n = s->cubin_bytes, .sources = &s->texts, .n_sources = &s->n_texts};
  }
  cubin_modules(cubins, wanted);
  for (size_t i = 0; i < n; i++)
    if (code->carried[i].wanted)
      cubin_keep(&code->carried[i], &cubins[at++]);
  free(cubins);
}

/* Those with a cubin first. */
static int by_reference(const void *a, const void *b) {
  const struct rep_source *x = a, *y = b;
  if (x->reference != y->reference)
    return x->reference < y->reference ? -1 : 1;
  return !x->cubin - !y->cubin;
}

void rep_sources_sort(struct ncu_source *code) {
  if (code->n_carried)
    qsort(code->carried, code->n_carried, sizeof *code->carried, by_reference);
}

struct rep_source *rep_source_find(const struct ncu_source *code, uint64_t reference) {
  const struct rep_source wanted = {.reference = reference, .cubin = (const uint8_t *)""};
  return code->n_carried ? bsearch(&wanted, code->carried, code->n_carried, sizeof wanted, by_reference) : NULL;
}

void rep_source_release(struct rep_source *s) {
  run_module_release(&s->module);
  name_index_release(&s->kernels);
  for (size_t i = 0; i < s->n_texts; i++) {
    free(s->texts[i].name);
    free(s->texts[i].text);
  }
  free(s->texts);
  free(s->why);
}
