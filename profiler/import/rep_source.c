#include "base/wire.h"
#include "profiler/import/ncu_rep.h"

#include <stdlib.h>

enum { ELEMENT_AT = 1, ELEMENT_VALUE = 2 };

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

void rep_source_release(struct rep_source *s) {
  if (s->opened)
    run_module_release(&s->module);
  for (size_t i = 0; i < s->n_texts; i++) {
    free(s->texts[i].name);
    free(s->texts[i].text);
  }
  free(s->texts);
}
