/* The structure of the run file as a JSON Schema, from the rows of run/fields.c: what tests/schema/check.py compares docs/run.schema.json with. */
#include "run/record.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *object_schema(const struct record *r);

/* NULL too where the field may be absent. */
static json_t *of_type(const char *type, bool absent) {
  return absent ? json_pack("{s:[s, s]}", "type", type, "null") : json_pack("{s:s}", "type", type);
}

static json_t *number_schema(const struct field *f, const char *type, bool absent) {
  json_t *out = of_type(type, absent);
  if (f->least > -DBL_MAX)
    json_object_set_new(out, "minimum", json_integer((json_int_t)f->least));
  return out;
}

static json_t *array_schema(json_t *items) {
  json_t *out = of_type("array", true);
  json_object_set_new(out, "items", items);
  json_object_set_new(out, "maxItems", json_integer(ELEMENTS_MAX));
  return out;
}

static json_t *choice_schema(const struct field *f) {
  json_t *names = json_array();
  for (size_t i = 0; f->names[i]; i++)
    json_array_append_new(names, json_string(f->names[i]));
  return json_pack("{s:o}", "enum", names);
}

static json_t *record_schema(const struct record *r, bool absent) {
  json_t *out = object_schema(r);
  if (absent)
    json_object_set_new(out, "type", json_pack("[s, s]", "object", "null"));
  return out;
}

static json_t *field_schema(const struct field *f) {
  switch (f->kind) {
  case FIELD_STRING:
  case FIELD_TEXT:
    return of_type("string", !f->required);
  case FIELD_BOOL:
    return of_type("boolean", false);
  case FIELD_INT:
  case FIELD_LONG:
  case FIELD_U32:
    return number_schema(f, "integer", false);
  case FIELD_U64:
    return json_pack("{s:[{s:s, s:i}, {s:s, s:s}]}", "anyOf", "type", "integer", "minimum", 0, "type", "string",
                     "pattern", "^[0-9]+$");
  case FIELD_REAL:
    return number_schema(f, "number", false);
  case FIELD_MAYBE:
    return number_schema(f, "number", true);
  case FIELD_CHOICE:
    return choice_schema(f);
  case FIELD_DIMS:
    return json_pack("{s:s, s:{s:s, s:i}, s:i, s:i}", "type", "array", "items", "type", "integer", "minimum", 0,
                     "minItems", FIELD_N_DIMS, "maxItems", FIELD_N_DIMS);
  case FIELD_STRINGS:
    return array_schema(of_type("string", false));
  case FIELD_REALS:
    return array_schema(number_schema(f, "number", false));
  case FIELD_RECORD:
    return record_schema(f->record, !f->required);
  case FIELD_RECORDS:
    return array_schema(object_schema(f->record));
  }
  return NULL;
}

static json_t *bare_schema(const struct record *r) {
  json_t *values = json_array();
  for (size_t i = 0; i < r->n; i++) {
    json_t *value = field_schema(&r->fields[i]);
    json_object_set_new(value, "title", json_string(r->fields[i].key));
    json_array_append_new(values, value);
  }
  return json_pack("{s:s, s:o, s:i}", "type", "array", "prefixItems", values, "minItems", (int)r->n);
}

static json_t *object_schema(const struct record *r) {
  if (r->layout == LAYOUT_BARE)
    return bare_schema(r);
  json_t *properties = json_object(), *required = json_array();
  for (size_t i = 0; i < r->n; i++) {
    json_object_set_new(properties, r->fields[i].key, field_schema(&r->fields[i]));
    if (!field_optional(&r->fields[i]))
      json_array_append_new(required, json_string(r->fields[i].key));
  }
  return json_pack("{s:s, s:o, s:o}", "type", "object", "properties", properties, "required", required);
}

int main(void) {
  char version[64];
  json_t *out = object_schema(&record_run);
  snprintf(version, sizeof version, "%s%d", record_run.schema, record_run.version);
  json_object_set_new(json_object_get(out, "properties"), "schema", json_pack("{s:s}", "const", version));
  json_array_insert_new(json_object_get(out, "required"), 0, json_string("schema"));
  int rc = json_dumpf(out, stdout, JSON_INDENT(1));
  json_decref(out);
  puts("");
  return rc ? EXIT_FAILURE : 0;
}
