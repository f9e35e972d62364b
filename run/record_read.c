/* JSON to structs, straight from the text.  What comes from a file is hostile until it has passed: syntax, types, ranges, counts. */
#include "base/text.h"
#include "run/json_scan.h"
#include "run/record.h"

#include <limits.h>
#include <math.h>
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

struct reader {
  struct json_scan scan;
  bool outline;
};

static const char *type_text(struct reader *r) {
  switch (scan_next(&r->scan)) {
  case '{':
    return "an object";
  case '[':
    return "an array";
  case '"':
    return "a string";
  case 't':
  case 'f':
    return "true or false";
  case 'n':
    return "null";
  }
  return "a number";
}

static int type_err(struct reader *r, const char *expected, const struct place *at, struct err *e) {
  return place_err(e, at, "expected %s, found %s", expected, type_text(r));
}

static int string_read(char **out, struct reader *r, const struct place *at, struct err *e) {
  struct span text;
  if (!scan_span(&r->scan, &text))
    return type_err(r, "a string", at, e);
  *out = malloc(text.n + 1);
  span_decode(&text, *out);
  return 0;
}

static int text_read(char *out, size_t max, struct reader *r, const struct place *at, struct err *e) {
  struct span text;
  if (!scan_span(&r->scan, &text))
    return type_err(r, "a string", at, e);
  if (text.n >= max)
    return place_err(e, at, "%zu bytes, more than the %zu that it may have", text.n, max - 1);
  span_decode(&text, out);
  return 0;
}

static int integer_read(long long *out, struct reader *r, double least, long long most, const struct place *at,
                        struct err *e) {
  struct number x;
  if (!scan_number(&r->scan, &x))
    return type_err(r, "a number", at, e);
  if (!x.whole)
    return place_err(e, at, "expected a whole number, found a number with a fraction");
  *out = x.integer;
  if (x.real < least)
    return place_err(e, at, "%lld is less than %g", *out, least);
  if (*out > most || x.large)
    return place_err(e, at, "%.17g is more than %lld", x.real, most);
  return 0;
}

/* Above 2^53 the writer makes it a string of digits. */
static int u64_read(uint64_t *out, struct reader *r, const struct place *at, struct err *e) {
  struct span text;
  if (scan_next(&r->scan) != '"') {
    long long n = 0;
    int rc = integer_read(&n, r, 0, LLONG_MAX, at, e);
    *out = (uint64_t)n;
    return rc;
  }
  bool digits = scan_span(&r->scan, &text) && text.n > 0;
  *out = 0;
  for (size_t i = 0; digits && i < text.n; i++) {
    unsigned digit = (unsigned char)text.begin[i] - (unsigned)'0';
    digits = digit <= 9 && *out <= (UINT64_MAX - digit) / 10;
    *out = 10 * *out + digit;
  }
  return digits
             ? 0
             : place_err(e, at,
                         "expected a number or its digits in a string, up to 2^64 - 1; found a string of other text");
}

static int real_read(double *out, struct reader *r, double least, const struct place *at, struct err *e) {
  struct number x;
  if (!scan_number(&r->scan, &x))
    return type_err(r, "a number", at, e);
  *out = x.real;
  if (!isfinite(x.real))
    return place_err(e, at, "the number is too large");
  return x.real < least ? place_err(e, at, "%g is less than %g", x.real, least) : 0;
}

static int choice_read(unsigned *out, const struct field *f, struct reader *r, const struct place *at, struct err *e) {
  struct span text;
  struct text known = {0};
  if (!scan_span(&r->scan, &text))
    return type_err(r, "a string", at, e);
  for (*out = 0; f->names[*out]; (*out)++)
    if (span_is(&text, f->names[*out]))
      return 0;
  for (unsigned i = 0; i < *out; i++)
    text_printf(&known, "%s%s", i > 0 ? ", " : "", f->names[i]);
  *out = 0;
  place_err(e, at, "\"%.*s\" is unknown; expected one of: %s", text.n < 60 ? (int)text.n : 60, text.begin,
            text_str(&known));
  text_release(&known);
  return ERR_DATA;
}

static int dims_read(unsigned *out, struct reader *r, const struct place *at, struct err *e) {
  if (!scan_open(&r->scan, '['))
    return type_err(r, "an array of 3 numbers", at, e);
  for (size_t i = 0; i < FIELD_N_DIMS; i++) {
    struct place here = {at, NULL, i};
    long long n = 0;
    if (i > 0 && !scan_take(&r->scan, ','))
      return place_err(e, at, "expected 3 numbers, found %zu", i);
    int rc = integer_read(&n, r, 0, UINT_MAX, &here, e);
    if (rc)
      return rc;
    out[i] = (unsigned)n;
  }
  return scan_close(&r->scan, ']') ? 0 : place_err(e, at, "expected 3 numbers, found more");
}

/* --- arrays and records --- */

static int record_read(const struct record *record, char *object, struct reader *r, const struct place *at,
                       struct err *e);

static size_t element_size(const struct field *f) {
  return f->kind == FIELD_RECORDS ? f->record->size : f->kind == FIELD_REALS ? sizeof(double) : sizeof(char *);
}

/* Room for one more element, all zero, in the array of n that belongs to the object, which keeps track of it for its release. */
static void *element_add(const struct field *f, char *object, size_t n, size_t *room) {
  void **array = (void **)(void *)(object + f->offset);
  size_t size = element_size(f);
  if (n == *room) {
    *room = *room ? *room * 2 : 4;
    *array = realloc(*array, *room * size);
  }
  char *element = (char *)*array + n * size;
  memset(element, 0, size);
  *(size_t *)(void *)(object + f->beside) = n + 1;
  return element;
}

static int array_read(const struct field *f, char *object, struct reader *r, const struct place *at, struct err *e) {
  size_t n = 0, room = 0;
  void **array = (void **)(void *)(object + f->offset);
  if (scan_next(&r->scan) != '[')
    return type_err(r, "an array", at, e);
  if (r->outline && f->bulk)
    return scan_skip(&r->scan) ? 0 : place_err(e, at, "expected an array");
  scan_open(&r->scan, '[');
  if (scan_close(&r->scan, ']'))
    return 0;
  do {
    struct place here = {at, NULL, n};
    if (n == ELEMENTS_MAX)
      return place_err(e, at, "more than the %d elements that a file may hold", ELEMENTS_MAX);
    void *element = element_add(f, object, n++, &room);
    int rc = f->kind == FIELD_RECORDS ? record_read(f->record, element, r, &here, e)
             : f->kind == FIELD_REALS ? real_read(element, r, f->least, &here, e)
                                      : string_read(element, r, &here, e);
    if (rc)
      return rc;
  } while (scan_take(&r->scan, ','));
  *array = realloc(*array, n * element_size(f));
  return scan_close(&r->scan, ']') ? 0 : place_err(e, at, "expected ',' or ']'");
}

static int value_read(const struct field *f, char *object, struct reader *r, const struct place *at, struct err *e) {
  void *member = object + f->offset;
  long long n = 0;
  int rc = 0;
  switch (f->kind) {
  case FIELD_STRING:
    return string_read(member, r, at, e);
  case FIELD_BOOL:
    *(bool *)member = scan_word(&r->scan, "true");
    return *(bool *)member || scan_word(&r->scan, "false") ? 0 : type_err(r, "true or false", at, e);
  case FIELD_INT:
    rc = integer_read(&n, r, f->least, INT_MAX, at, e);
    *(int *)member = rc == 0 ? (int)n : 0;
    return rc;
  case FIELD_LONG:
    rc = integer_read(&n, r, f->least, LONG_MAX, at, e);
    *(long *)member = rc == 0 ? (long)n : 0;
    return rc;
  case FIELD_U32:
    rc = integer_read(&n, r, 0, UINT32_MAX, at, e);
    *(uint32_t *)member = (uint32_t)n;
    return rc;
  case FIELD_U64:
    return u64_read(member, r, at, e);
  case FIELD_REAL:
    return real_read(member, r, f->least, at, e);
  case FIELD_MAYBE:
    *(bool *)(object + f->beside) = !scan_word(&r->scan, "null");
    return *(bool *)(object + f->beside) ? real_read(member, r, f->least, at, e) : 0;
  case FIELD_CHOICE:
    return choice_read(member, f, r, at, e);
  case FIELD_TEXT:
    return text_read(member, f->beside, r, at, e);
  case FIELD_DIMS:
    return dims_read(member, r, at, e);
  case FIELD_STRINGS:
  case FIELD_REALS:
  case FIELD_RECORDS:
    return array_read(f, object, r, at, e);
  case FIELD_RECORD:
    return record_read(f->record, member, r, at, e);
  }
  return place_err(e, at, "a kind of field that has no form in JSON");
}

bool field_optional(const struct field *f) {
  bool may = f->kind == FIELD_STRING || f->kind == FIELD_TEXT || f->kind == FIELD_RECORD;
  return (may && !f->required) || f->kind == FIELD_STRINGS || f->kind == FIELD_REALS || f->kind == FIELD_RECORDS;
}

static int field_read(const struct field *f, char *object, struct reader *r, const struct place *at, struct err *e) {
  struct place here = {.up = at, .key = f->key};
  return field_optional(f) && scan_word(&r->scan, "null") ? 0 : value_read(f, object, r, &here, e);
}

static int bare_read(const struct record *record, char *object, struct reader *r, const struct place *at,
                     struct err *e) {
  if (!scan_open(&r->scan, '['))
    return type_err(r, "an array", at, e);
  for (size_t i = 0; i < record->n; i++) {
    if (i > 0 ? !scan_take(&r->scan, ',') : scan_next(&r->scan) == ']')
      return place_err(e, at, "expected %zu values, found %zu", record->n, i);
    int rc = field_read(&record->fields[i], object, r, at, e);
    if (rc)
      return rc;
  }
  while (scan_take(&r->scan, ',')) /* of a newer version */
    if (!scan_skip(&r->scan))
      return place_err(e, at, "expected a value");
  return scan_close(&r->scan, ']') ? 0 : place_err(e, at, "expected ',' or ']'");
}

/* Fields stand as a rule in the order of the table: the search begins behind the last one.  NULL: there is none of that key. */
static const struct field *field_find(const struct record *record, const struct span *key, size_t from) {
  for (size_t i = 0; i < record->n; i++) {
    size_t at = from + i < record->n ? from + i : from + i - record->n;
    if (span_is(key, record->fields[at].key))
      return &record->fields[at];
  }
  return NULL;
}

/* The key before a value, its escapes decoded where one of ours could be meant. */
static bool key_scan(struct json_scan *s, struct span *key, char plain[KEY_MAX]) {
  if (!scan_span(s, key) || !scan_take(s, ':'))
    return false;
  if (key->escaped && key->n < KEY_MAX) {
    span_decode(key, plain);
    *key = (struct span){plain, strlen(plain), false};
  }
  return true;
}

static int record_read(const struct record *record, char *object, struct reader *r, const struct place *at,
                       struct err *e) {
  uint64_t seen = 0;
  size_t from = 0;
  if (record->layout == LAYOUT_BARE)
    return bare_read(record, object, r, at, e);
  if (!scan_open(&r->scan, '{'))
    return type_err(r, "an object", at, e);
  for (bool more = scan_next(&r->scan) != '}'; more; more = scan_take(&r->scan, ',')) {
    char plain[KEY_MAX];
    struct span key;
    if (!key_scan(&r->scan, &key, plain))
      return place_err(e, at, "expected a key");
    const struct field *f = field_find(record, &key, from);
    if (!f && !scan_skip(&r->scan))
      return place_err(e, at, "expected a value");
    if (!f)
      continue;
    from = (size_t)(f - record->fields);
    if (seen & (uint64_t)1 << from)
      return place_err(e, &(struct place){.up = at, .key = f->key}, "duplicate object key");
    seen |= (uint64_t)1 << from++;
    int rc = field_read(f, object, r, at, e);
    if (rc)
      return rc;
  }
  if (!scan_close(&r->scan, '}'))
    return place_err(e, at, "expected ',' or '}'");
  for (size_t i = 0; i < record->n; i++)
    if (!(seen & (uint64_t)1 << i) && !field_optional(&record->fields[i]))
      return place_err(e, &(struct place){.up = at, .key = record->fields[i].key}, "missing");
  return 0;
}

/* --- files --- */

/* Moves to the value of a key of the outermost object, as a rule the first one; false: there is none. */
static bool key_find(struct json_scan *s, const char *word) {
  char plain[KEY_MAX];
  struct span key;
  if (!scan_open(s, '{'))
    return false;
  do {
    if (!key_scan(s, &key, plain))
      return false;
    if (span_is(&key, word))
      return true;
  } while (scan_skip(s) && scan_take(s, ','));
  return false;
}

static int schema_check(const struct record *record, struct reader r, struct err *e) {
  const struct place at = {NULL, "schema", 0};
  struct span text;
  char said[KEY_MAX] = "";
  if (scan_next(&r.scan) != '{')
    return type_err(&r, "an object", NULL, e);
  if (!key_find(&r.scan, "schema"))
    return place_err(e, &at, "missing, so this is not a %s%d file", record->schema, record->version);
  if (!scan_span(&r.scan, &text))
    return type_err(&r, "a string", &at, e);
  if (text.n < KEY_MAX)
    span_decode(&text, said);
  size_t prefix = strlen(record->schema);
  char *end = NULL;
  bool versioned = strncmp(said, record->schema, prefix) == 0 && said[prefix] >= '0' && said[prefix] <= '9';
  long version = versioned ? strtol(said + prefix, &end, 10) : 0;
  if (version < 1 || *end)
    return place_err(e, &at, "\"%.60s\" is not %s%d: this is another kind of file", said, record->schema,
                     record->version);
  if (version > record->version)
    return err_set(e, ERR_DATA, "schema %.60s; this tool reads up to %d: update nvfp4-prof", said, record->version);
  return 0;
}

/* What is wrong with a text that cannot be read: that it is no JSON, before what *e says of a value. */
static void refuse(const struct record_text *t, struct err *e) {
  size_t at, line = 1;
  const char *why = json_fault(t->json, t->n, &at), *line_begin = t->json;
  if (!why) {
    err_context(e, "%s", t->name);
    return;
  }
  for (const char *s = t->json; (s = memchr(s, '\n', (size_t)(t->json + at - s))); line_begin = ++s)
    line++;
  err_set(e, ERR_DATA, "%s:%zu:%zu: %s; %s", t->name, line, (size_t)(t->json + at - line_begin) + 1, why, t->remedy);
}

int record_parse(const struct record *record, void *object, const struct record_text *t, struct err *e) {
  struct reader r = {.scan = {.at = t->json, .end = t->json + t->n}, .outline = t->outline};
  memset(object, 0, record->size);
  int rc = record->schema ? schema_check(record, r, e) : 0;
  if (rc == 0)
    rc = record_read(record, object, &r, NULL, e);
  if (rc == 0 && (scan_next(&r.scan) || r.scan.at < r.scan.end))
    rc = place_err(e, NULL, "something follows its end");
  if (rc) {
    refuse(t, e);
    record_release(record, object);
  }
  return rc;
}
