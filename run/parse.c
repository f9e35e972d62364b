/* Text to JSON values.  What comes from a file is hostile until it has passed: depth and syntax here, the rest in record_read.c.
 *
 * What is as run/save.c writes it, record_scan.c reads from the text.  Else jansson makes a value of at least 24 bytes of each number, and 80 of each array
 * that holds three: a run's file of 34 MB became 260 MB.  So the arrays of records in an object are read an element at a time, and what is around them as
 * it stands.  What these ways do not know is read as a whole, which says what is wrong. */
#include "base/text.h"
#include "run/record.h"

#include <jansson.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, PARTS_MAX = 8, VALUES_MAX = 2 << 20 };
enum { NOT_IN_PARTS = 1 }; /* no error: the text must be read whole, if only to say where it is damaged */

/* What a text holds, by its brackets, commas and quotes. */
struct extent {
  size_t values; /* at most so many */
  bool open;     /* it ends within a string, an array or an object */
};

static const bool is_mark[256] = {['"'] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true, [','] = true};

static size_t line_at(const char *json, size_t i) {
  size_t line = 1;
  for (const char *s = json; (s = memchr(s, '\n', (size_t)(json + i - s))); s++)
    line++;
  return line;
}

/* jansson descends by recursion and stops at 2,048, which it does not let its caller choose; and it makes 136 bytes of an empty array. */
static int extent_of(const char *json, size_t n, struct extent *out, struct err *e) {
  size_t depth = 0, longest = 0;
  *out = (struct extent){.values = 1};
  for (size_t i = 0; i < n; i++) {
    char c = json[i];
    if (!is_mark[(unsigned char)c])
      continue;
    if (c == '"') {
      size_t begin = ++i;
      while (i < n && json[i] != '"')
        i += json[i] == '\\' ? 2 : 1;
      out->open = i >= n;
      i = i < n ? i : n;
      longest = i - begin > longest ? i - begin : longest;
    } else if (c == '[' || c == '{') {
      out->values++;
      if (++depth > DEPTH_MAX)
        return err_set(e, ERR_DATA, "line %zu: nested deeper than %d", line_at(json, i), DEPTH_MAX);
    } else if (c == ',') {
      out->values++;
    } else if (depth > 0) {
      depth--;
    }
  }
  out->open |= depth > 0;
  return longest > STRING_MAX
             ? err_set(e, ERR_DATA, "a string of %zu bytes, and %d are the most that a string may have", longest,
                       STRING_MAX)
             : 0;
}

static int schema_check(const struct record *r, const json_t *root, struct err *e) {
  const struct place at = {NULL, "schema", 0};
  const json_t *v = json_object_get(root, "schema");
  if (!v)
    return place_err(e, &at, "missing, so this is not a %s%d file", r->schema, r->version);
  if (!json_is_string(v))
    return record_type_err(e, &at, "a string", v);
  const char *s = json_string_value(v);
  size_t prefix = strlen(r->schema);
  char *end = NULL;
  long version =
      strncmp(s, r->schema, prefix) == 0 && s[prefix] >= '0' && s[prefix] <= '9' ? strtol(s + prefix, &end, 10) : 0;
  if (version < 1 || *end)
    return place_err(e, &at, "\"%.60s\" is not %s%d: this is another kind of file", s, r->schema, r->version);
  if (version > r->version)
    return err_set(e, ERR_DATA, "schema %.60s; this tool reads up to %d: update nvfp4-prof", s, r->version);
  return 0;
}

static int root_read(const struct record *r, void *object, const json_t *root, struct err *e) {
  if (!json_is_object(root))
    return record_type_err(e, NULL, "an object", root);
  int rc = r->schema ? schema_check(r, root, e) : 0;
  return rc ? rc : record_read(r, object, root, NULL, e);
}

/* --- in parts --- */

/* The inside of an array of records, between its brackets. */
struct part {
  const struct field *field;
  const char *begin, *end;
};

static const char *skip_blanks(const char *s, const char *end) {
  while (s < end && (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r'))
    s++;
  return s;
}

/* Behind the string that begins at s. */
static const char *skip_string(const char *s, const char *end) {
  for (s++; s < end && *s != '"'; s++)
    s += *s == '\\' && s + 1 < end;
  return s < end ? s + 1 : end;
}

/* Behind the value that begins at s, if it is one. */
static const char *skip_value(const char *s, const char *end) {
  size_t depth = 0;
  for (; s < end; s++) {
    if (!is_mark[(unsigned char)*s])
      continue;
    if (*s == '"') {
      s = skip_string(s, end) - 1;
    } else if (depth == 0 && (*s == ',' || *s == ']' || *s == '}')) {
      return s;
    } else {
      depth += *s == '[' || *s == '{';
      depth -= *s == ']' || *s == '}';
    }
    if (depth == 0)
      return s + 1;
  }
  return end;
}

static bool is_array(const struct field *f) {
  return f->kind == FIELD_RECORDS;
}

static bool has_arrays(const struct record *r) {
  for (size_t i = 0; i < r->n; i++)
    if (is_array(&r->fields[i]))
      return true;
  return false;
}

/* All of the outermost object; within its elements, where it is worth it. */
static const struct field *field_of(const struct record *r, const char *key, size_t n) {
  for (size_t i = 0; i < r->n; i++) {
    const struct field *f = &r->fields[i];
    if (is_array(f) && (r->schema || f->record->layout == LAYOUT_BARE || has_arrays(f->record)) &&
        strlen(f->key) == n && memcmp(f->key, key, n) == 0)
      return f;
  }
  return NULL;
}

/* Finds the arrays of records in an object; 0 where there is none, or the text is no object as far as brackets and quotes tell. */
static size_t parts_find(const struct record *r, const char *json, size_t n, struct part parts[PARTS_MAX]) {
  const char *end = json + n, *s = skip_blanks(json, end);
  size_t found = 0;
  if (s == end || *s != '{')
    return 0;
  for (;;) {
    const char *key = s = skip_blanks(s + 1, end);
    if (s == end || *s != '"')
      return 0;
    s = skip_string(s, end);
    const struct field *f = field_of(r, key + 1, (size_t)(s - key) - 2);
    s = skip_blanks(s, end);
    if (s == end || *s != ':')
      return 0;
    const char *value = skip_blanks(s + 1, end), *behind = skip_value(value, end);
    if (f && value < end && *value == '[' && behind[-1] == ']' && found < PARTS_MAX)
      parts[found++] = (struct part){f, value + 1, behind - 1};
    s = skip_blanks(behind, end);
    if (s == end || (*s != ',' && *s != '}'))
      return 0;
    if (*s == '}')
      return found;
  }
}

/* jansson says nothing where memory ends. */
static int not_loaded(const json_error_t *why, struct err *e) {
  return why->line < 0 ? err_nomem(e, "the run") : NOT_IN_PARTS;
}

static bool few_values(const char *json, size_t n) {
  struct extent x;
  return extent_of(json, n, &x, NULL) == 0 && x.values <= VALUES_MAX;
}

/* What is around the parts, each of which is an empty array there. */
static int around_load(json_t **root, const char *json, size_t n, const struct part *parts, size_t n_parts,
                       struct err *e) {
  struct text around = {0};
  const char *s = json;
  json_error_t why;
  int rc = 0;
  for (size_t i = 0; i < n_parts; i++) {
    text_add_n(&around, s, (size_t)(parts[i].begin - s));
    s = parts[i].end;
  }
  text_add_n(&around, s, (size_t)(json + n - s));
  if (!text_ok(&around))
    rc = err_nomem(e, "the run");
  else if (!few_values(around.s, around.n))
    rc = NOT_IN_PARTS;
  else if (!(*root = json_loadb(around.s, around.n, JSON_REJECT_DUPLICATES, &why)))
    rc = not_loaded(&why, e);
  text_release(&around);
  return rc;
}

/* --- an element --- */

static int parts_read(const struct record *r, void *object, const char *json, size_t n, const struct place *at,
                      bool many, struct err *e);

static int element_read(const struct record *r, char *object, const char *s, size_t n, const struct place *at,
                        struct err *e) {
  json_error_t why;
  int rc = r->layout != LAYOUT_BARE && has_arrays(r) ? parts_read(r, object, s, n, at, false, e) : NOT_IN_PARTS;
  if (rc != NOT_IN_PARTS)
    return rc;
  record_release(r, object);
  json_t *v = json_loadb(s, n, JSON_REJECT_DUPLICATES, &why);
  rc = v ? record_read(r, object, v, at, e) : not_loaded(&why, e);
  json_decref(v);
  return rc;
}

/* many: the text has more values than are read at once, so that each element is looked at first. */
static int part_read(const struct part *p, char *object, const struct place *at, bool many, struct err *e) {
  const struct place array = {at, p->field->key, 0};
  const struct record *r = p->field->record;
  const char *s = skip_blanks(p->begin, p->end);
  size_t room = 0;
  for (size_t n = 0; s < p->end; n++) {
    const struct place here = {&array, NULL, n};
    if (n == ELEMENTS_MAX)
      return place_err(e, &array, "more than the %d elements that a file may hold", ELEMENTS_MAX);
    char *element = record_element_add(p->field, object, n, &room);
    if (!element)
      return err_nomem(e, p->field->key);
    const char *behind = record_scan(r, element, s, p->end);
    if (!behind) {
      record_release(r, element);
      behind = skip_value(s, p->end);
      bool few = !many || few_values(s, (size_t)(behind - s));
      int rc = few ? element_read(r, element, s, (size_t)(behind - s), &here, e) : NOT_IN_PARTS;
      if (rc)
        return rc;
    }
    s = skip_blanks(behind, p->end);
    if (s < p->end && (*s != ',' || (s = skip_blanks(s + 1, p->end)) == p->end))
      return NOT_IN_PARTS;
  }
  return 0;
}

static int parts_read(const struct record *r, void *object, const char *json, size_t n, const struct place *at,
                      bool many, struct err *e) {
  struct part parts[PARTS_MAX];
  size_t n_parts = parts_find(r, json, n, parts);
  json_t *root = NULL;
  int rc = n_parts ? around_load(&root, json, n, parts, n_parts, e) : NOT_IN_PARTS;
  if (rc == 0)
    rc = at ? record_read(r, object, root, at, e) : root_read(r, object, root, e);
  for (size_t i = 0; i < n_parts && rc == 0; i++)
    rc = part_read(&parts[i], object, at, many, e);
  json_decref(root);
  return rc;
}

static int whole_parse(const struct record *r, void *object, const char *name, const char *json, size_t n,
                       const char *remedy, struct err *e) {
  json_error_t why;
  json_t *root = json_loadb(json, n, JSON_REJECT_DUPLICATES, &why);
  if (!root && not_loaded(&why, e) < 0)
    return err_context(e, "%s", name);
  if (!root)
    return err_set(e, ERR_DATA, "%s:%d:%d: %s; %s", name, why.line, why.column, why.text, remedy);
  int rc = root_read(r, object, root, e);
  json_decref(root);
  if (rc)
    err_context(e, "%s", name);
  return rc;
}

int record_parse(const struct record *r, void *object, const char *name, const char *json, size_t n, const char *remedy,
                 struct err *e) {
  struct extent x = {0};
  memset(object, 0, r->size);
  if (record_scan(r, object, json, json + n) == json + n)
    return 0;
  record_release(r, object);
  int rc = extent_of(json, n, &x, e);
  bool many = x.values > VALUES_MAX;
  if (rc == 0)
    rc = r->schema ? parts_read(r, object, json, n, NULL, many, e) : NOT_IN_PARTS;
  if (rc == NOT_IN_PARTS) {
    record_release(r, object);
    rc = !many ? whole_parse(r, object, name, json, n, remedy, e)
         : x.open
             ? err_set(e, ERR_DATA, "%s: its JSON ends too early; %s", name, remedy)
             : err_set(e, ERR_DATA, "%s: its JSON is damaged, or has more than the %d values that are read at once; %s",
                       name, VALUES_MAX, remedy);
  } else if (rc) {
    err_context(e, "%s", name);
  }
  if (rc)
    record_release(r, object);
  return rc;
}
