#include "reports/words/put_json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

json_t *text_json(const char *s) {
  return s ? json_string(s) : json_null();
}

json_t *declared_shape_json(struct shape s) {
  char text[SHAPE_TEXT_MAX];
  return shape_none(s) ? json_null() : json_string(shape_text(s, text));
}

json_t *real_json(bool present, double x) {
  return present && isfinite(x) ? json_real(x) : json_null();
}

json_t *number_json(struct value x) {
  return real_json(x.present, x.v);
}

json_t *value_json(struct value x) {
  json_t *o = json_of("value:v", x);
  if (!x.present)
    json_object_set_new(o, "reason", json_string(x.reason ? x.reason : "not known"));
  return o;
}

void value_set(json_t *o, const char *key, struct value x) {
  char name[64];
  json_object_set_new(o, key, number_json(x));
  if (!x.present && x.reason) {
    snprintf(name, sizeof name, "%s_reason", key);
    json_object_set_new(o, name, json_string(x.reason));
  }
}

static void member_set(json_t *o, const char *name, char kind, va_list *values) {
  switch (kind) {
  case 's':
    json_object_set_new(o, name, text_json(va_arg(*values, const char *)));
    break;
  case 'b':
    json_object_set_new(o, name, json_boolean(va_arg(*values, int)));
    break;
  case 'I':
    json_object_set_new(o, name, json_integer(va_arg(*values, json_int_t)));
    break;
  case 'f':
    json_object_set_new(o, name, real_json(true, va_arg(*values, double)));
    break;
  case 'v':
    json_object_set_new(o, name, number_json(va_arg(*values, struct value)));
    break;
  case 'V':
    value_set(o, name, va_arg(*values, struct value));
    break;
  default:
    json_object_set_new(o, name, va_arg(*values, json_t *));
  }
}

static void members_add(json_t *o, const char *members, va_list *values) {
  char name[64], kind;
  int n;
  for (; sscanf(members, " %63[^:]:%c%n", name, &kind, &n) == 2; members += n)
    member_set(o, name, kind, values);
}

void members_set(json_t *o, const char *members, ...) {
  va_list values;
  va_start(values, members);
  members_add(o, members, &values);
  va_end(values);
}

json_t *json_of(const char *members, ...) {
  json_t *o = json_object();
  va_list values;
  va_start(values, members);
  members_add(o, members, &values);
  va_end(values);
  return o;
}

json_t *evidence_json(const struct evidence *x, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    json_t *o = json_of("title:s unit:s", x[i].title, x[i].unit);
    value_set(o, "value", x[i].value);
    json_array_append_new(list, o);
  }
  return list;
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

void text_set(json_t *o, const char *key, struct text *t) {
  json_object_set_new(o, key, t->n ? json_string(text_str(t)) : json_null());
  text_release(t);
}
