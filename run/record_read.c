/* JSON values to structs (parse.c has made them of text).  What comes from a file is hostile until
 * it has passed: types, ranges, counts. */
#include "base/text.h"
#include "run/record.h"

#include <jansson.h>

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_TEXT_MAX = 256 };

/* --- places --- */

static size_t place_append(const struct place *p, char *buffer, size_t n) {
  if (!p)
    return 0;
  size_t used = place_append(p->up, buffer, n);
  int more = p->key ? snprintf(buffer + used, n - used, "%s%s", used ? "." : "", p->key)
                    : snprintf(buffer + used, n - used, "[%zu]", p->index);
  used += more > 0 ? (size_t)more : 0;
  return used < n ? used : n - 1;
}

static const char *place_text(const struct place *p, char buffer[PLACE_TEXT_MAX]) {
  buffer[0] = '\0';
  place_append(p, buffer, PLACE_TEXT_MAX);
  return buffer[0] ? buffer : "the whole";
}

int place_err(struct err *e, const struct place *p, const char *format, ...) {
  char where[PLACE_TEXT_MAX], what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return err_set(e, ERR_DATA, "%s: %s", place_text(p, where), what);
}

/* --- values --- */

static const char *type_text(const json_t *v) {
  switch (json_typeof(v)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
    return "a number";
  case JSON_REAL:
    return "a number with a fraction";
  case JSON_TRUE:
  case JSON_FALSE:
    return "true or false";
  case JSON_NULL:
    return "null";
  }
  return "something else";
}

int record_type_err(struct err *e, const struct place *at, const char *expected, const json_t *v) {
  return place_err(e, at, "expected %s, found %s", expected, type_text(v));
}

static int string_read(char **out, const json_t *v, const struct place *at, struct err *e) {
  if (!json_is_string(v))
    return record_type_err(e, at, "a string", v);
  *out = str_copy(json_string_value(v));
  return *out ? 0 : err_nomem(e, "a string");
}

static int text_read(char *out, size_t max, const json_t *v, const struct place *at, struct err *e) {
  if (!json_is_string(v))
    return record_type_err(e, at, "a string", v);
  if (json_string_length(v) >= max)
    return place_err(e, at, "%zu bytes, more than the %zu that it may have", json_string_length(v), max - 1);
  memcpy(out, json_string_value(v), json_string_length(v) + 1);
  return 0;
}

static int integer_read(long long *out, const json_t *v, double least, long long most, const struct place *at,
                        struct err *e) {
  if (!json_is_integer(v))
    return record_type_err(e, at, json_is_real(v) ? "a whole number" : "a number", v);
  *out = json_integer_value(v);
  if ((double)*out < least)
    return place_err(e, at, "%lld is less than %g", *out, least);
  if (*out > most)
    return place_err(e, at, "%lld is more than %lld", *out, most);
  return 0;
}

/* Above 2^53 the writer makes it a string of digits. */
static int u64_read(uint64_t *out, const json_t *v, const struct place *at, struct err *e) {
  long long n = 0;
  if (!json_is_string(v)) {
    int rc = integer_read(&n, v, 0, LLONG_MAX, at, e);
    *out = (uint64_t)n;
    return rc;
  }
  const char *s = json_string_value(v);
  char *end;
  errno = 0;
  unsigned long long digits = strtoull(s, &end, 10);
  if (*s < '0' || *s > '9' || *end || errno)
    return place_err(e, at,
                     "expected a number or its digits in a string, up to 2^64 - 1; found a string of other text");
  *out = digits;
  return 0;
}

/* jansson has refused what overflows a double, so the number is finite. */
static int real_read(double *out, const json_t *v, double least, const struct place *at, struct err *e) {
  if (!json_is_number(v))
    return record_type_err(e, at, "a number", v);
  *out = json_number_value(v);
  return *out < least ? place_err(e, at, "%g is less than %g", *out, least) : 0;
}

static int choice_read(unsigned *out, const struct field *f, const json_t *v, const struct place *at, struct err *e) {
  if (!json_is_string(v))
    return record_type_err(e, at, "a string", v);
  struct text known = {0};
  for (unsigned i = 0; f->names[i]; i++) {
    if (strcmp(f->names[i], json_string_value(v)) == 0) {
      *out = i;
      text_release(&known);
      return 0;
    }
    text_printf(&known, "%s%s", i > 0 ? ", " : "", f->names[i]);
  }
  place_err(e, at, "\"%.60s\" is unknown; expected one of: %s", json_string_value(v), text_str(&known));
  text_release(&known);
  return ERR_DATA;
}

static int dims_read(unsigned *out, const json_t *v, const struct place *at, struct err *e) {
  if (!json_is_array(v) || json_array_size(v) != FIELD_N_DIMS)
    return json_is_array(v) ? place_err(e, at, "expected 3 numbers, found %zu", json_array_size(v))
                            : record_type_err(e, at, "an array of 3 numbers", v);
  for (size_t i = 0; i < FIELD_N_DIMS; i++) {
    struct place here = {at, NULL, i};
    long long n = 0;
    int rc = integer_read(&n, json_array_get(v, i), 0, UINT_MAX, &here, e);
    if (rc)
      return rc;
    out[i] = (unsigned)n;
  }
  return 0;
}

static int array_read(const struct field *f, char *object, const json_t *v, const struct place *at, struct err *e) {
  if (!json_is_array(v))
    return record_type_err(e, at, "an array", v);
  size_t n = json_array_size(v);
  size_t size = f->kind == FIELD_RECORDS ? f->record->size : f->kind == FIELD_REALS ? sizeof(double) : sizeof(char *);
  if (n > ELEMENTS_MAX)
    return place_err(e, at, "%zu elements, more than the %d that a file may hold", n, ELEMENTS_MAX);
  if (n == 0)
    return 0;
  char *elements = calloc(n, size);
  if (!elements)
    return err_nomem(e, f->key);
  /* Attached before they are read: whoever releases the object after a failure releases these too.
   */
  *(void **)(object + f->offset) = elements;
  *(size_t *)(object + f->beside) = n;
  for (size_t i = 0; i < n; i++) {
    struct place here = {at, NULL, i};
    const json_t *one = json_array_get(v, i);
    char *element = elements + i * size;
    int rc = f->kind == FIELD_RECORDS ? record_read(f->record, element, one, &here, e)
             : f->kind == FIELD_REALS ? real_read((double *)(void *)element, one, f->least, &here, e)
                                      : string_read((char **)(void *)element, one, &here, e);
    if (rc)
      return rc;
  }
  return 0;
}

static int field_read(const struct field *f, char *object, const json_t *v, const struct place *at, struct err *e) {
  void *member = object + f->offset;
  long long n = 0;
  int rc = 0;
  switch (f->kind) {
  case FIELD_STRING:
    return string_read(member, v, at, e);
  case FIELD_BOOL:
    *(bool *)member = json_is_true(v);
    return json_is_boolean(v) ? 0 : record_type_err(e, at, "true or false", v);
  case FIELD_INT:
    rc = integer_read(&n, v, f->least, INT_MAX, at, e);
    *(int *)member = rc == 0 ? (int)n : 0;
    return rc;
  case FIELD_LONG:
    rc = integer_read(&n, v, f->least, LONG_MAX, at, e);
    *(long *)member = rc == 0 ? (long)n : 0;
    return rc;
  case FIELD_U32:
    rc = integer_read(&n, v, 0, UINT32_MAX, at, e);
    *(uint32_t *)member = rc == 0 ? (uint32_t)n : 0;
    return rc;
  case FIELD_U64:
    return u64_read(member, v, at, e);
  case FIELD_REAL:
    return real_read(member, v, f->least, at, e);
  case FIELD_MAYBE:
    *(bool *)(object + f->beside) = !json_is_null(v);
    return json_is_null(v) ? 0 : real_read(member, v, f->least, at, e);
  case FIELD_CHOICE:
    return choice_read(member, f, v, at, e);
  case FIELD_TEXT:
    return text_read(member, f->beside, v, at, e);
  case FIELD_DIMS:
    return dims_read(member, v, at, e);
  case FIELD_STRINGS:
  case FIELD_REALS:
  case FIELD_RECORDS:
    return array_read(f, object, v, at, e);
  case FIELD_RECORD:
    return record_read(f->record, member, v, at, e);
  }
  return place_err(e, at, "a kind of field that has no form in JSON");
}

bool field_optional(const struct field *f) {
  bool may = f->kind == FIELD_STRING || f->kind == FIELD_TEXT || f->kind == FIELD_RECORD;
  return (may && !f->required) || f->kind == FIELD_STRINGS || f->kind == FIELD_REALS || f->kind == FIELD_RECORDS;
}

int record_read(const struct record *r, void *into, const json_t *v, const struct place *at, struct err *e) {
  char *object = into;
  bool bare = r->layout == LAYOUT_BARE;
  if (bare ? !json_is_array(v) : !json_is_object(v))
    return record_type_err(e, at, bare ? "an array" : "an object", v);
  if (bare && json_array_size(v) < r->n)
    return place_err(e, at, "expected %zu values, found %zu", r->n, json_array_size(v));
  for (size_t i = 0; i < r->n; i++) {
    const struct field *f = &r->fields[i];
    struct place here = {.up = at, .key = f->key};
    const json_t *value = bare ? json_array_get(v, i) : json_object_get(v, f->key);
    if ((!value || json_is_null(value)) && field_optional(f))
      continue;
    int rc = value ? field_read(f, object, value, &here, e) : place_err(e, &here, "missing");
    if (rc)
      return rc;
  }
  return 0;
}
