#include "reports/text/put_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *text_json(const char *s) {
  return s ? json_string(s) : json_null();
}

json_t *real_json(bool present, double x) {
  return present && isfinite(x) ? json_real(x) : json_null();
}

json_t *number_json(struct value x) {
  return real_json(x.present, x.v);
}

void value_set(json_t *o, const char *key, struct value x) {
  char name[64];

  json_object_set_new(o, key, number_json(x));
  if (!x.present && x.reason) {
    snprintf(name, sizeof name, "%s_reason", key);
    json_object_set_new(o, name, json_string(x.reason));
  }
}

void put_json(json_t *root, struct text *out) {
  char *dump = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));

  if (dump) {
    text_add(out, dump);
    text_add(out, "\n");
  } else {
    out->failed = true;
  }
  free(dump);
  json_decref(root);
}
