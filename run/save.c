/* Structs to JSON.  The writer is ours, and not jansson's, for the shape of the file: a line a result's metric or an instruction, so that it
 * diffs well, and numbers in the shortest form that reads back as the same number. */
#include "base/file.h"
#include "base/plain.h"
#include "base/text.h"
#include "run/gunzip.h"
#include "run/record.h"
#include "run/run.h"
#include "run/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INLINE = -1 }; /* an indent: all in one line */

/* Where readers that hold numbers as doubles stop being exact (RFC 8259, section 6). */
static const uint64_t number_max = (uint64_t)1 << 53;

static int object_write(struct text *out, const struct record *r, const char *object, const struct place *at,
                        int indent, struct err *e);

static void line_start(struct text *out, int indent) {
  if (indent == INLINE)
    return;
  text_add(out, "\n");
  for (int i = 0; i < indent; i++)
    text_add(out, " ");
}

/* As printf would, but in a tenth of the time: a run of many kernels has millions. */
static void whole_write(struct text *out, unsigned long long v, bool negative) {
  char s[24], *c = s + sizeof s;
  do
    *--c = (char)('0' + v % 10);
  while (v /= 10);
  if (negative)
    *--c = '-';
  text_add_n(out, c, (size_t)(s + sizeof s - c));
}

static int real_write(struct text *out, double v, double least, const struct place *at, struct err *e) {
  if (!isfinite(v))
    return place_err(e, at, "the number is not finite, and only finite numbers are saved");
  if (v < least)
    return place_err(e, at, "%g is less than %g", v, least);
  /* A kernel may well return -0, which JSON's readers do not agree on. */
  if (fabs(v) < 1e15 && v == floor(v)) {
    whole_write(out, (unsigned long long)fabs(v), v < 0);
    return 0;
  }
  char s[40];
  int digits = 15;
  do
    snprintf(s, sizeof s, "%.*g", digits, v);
  while (strtod(s, NULL) != v && ++digits <= 17);
  char *comma = strchr(s, ','); /* some locales' decimal point */
  if (comma)
    *comma = '.';
  text_add(out, s);
  return 0;
}

static int integer_write(struct text *out, long v, double least, const struct place *at, struct err *e) {
  if ((double)v < least)
    return place_err(e, at, "%ld is less than %g", v, least);
  whole_write(out, v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v, v < 0);
  return 0;
}

static int maybe_write(struct text *out, const struct field *f, const char *object, const struct place *at,
                       struct err *e) {
  if (*(const bool *)(object + f->beside))
    return real_write(out, *(const double *)(object + f->offset), f->least, at, e);
  text_add(out, "null");
  return 0;
}

static int choice_write(struct text *out, const struct field *f, const char *object, const struct place *at,
                        struct err *e) {
  unsigned chosen = *(const unsigned *)(object + f->offset), n = 0;
  while (f->names[n])
    n++;
  if (chosen >= n)
    return place_err(e, at, "%u is not one of the %u possible values", chosen, n);
  json_text(out, f->names[chosen]);
  return 0;
}

static int array_write(struct text *out, const struct field *f, const char *object, const struct place *at, int indent,
                       struct err *e) {
  size_t n = *(const size_t *)(object + f->beside);
  const char *elements = *(const char *const *)(object + f->offset);
  int rc = 0, inner = indent == INLINE || f->kind == FIELD_REALS ? INLINE : indent + 1;
  text_add(out, "[");
  for (size_t i = 0; i < n && rc == 0; i++) {
    struct place here = {.up = at, .index = i};
    if (i > 0)
      text_add(out, inner == INLINE ? ", " : ",");
    line_start(out, inner);
    if (f->kind == FIELD_REALS)
      rc = real_write(out, ((const double *)elements)[i], f->least, &here, e);
    else if (f->kind == FIELD_RECORDS)
      rc = object_write(out, f->record, elements + i * f->record->size, &here, inner, e);
    else if (((const char *const *)elements)[i])
      json_text(out, ((const char *const *)elements)[i]);
    else
      rc = place_err(e, &here, "missing");
  }
  if (n > 0 && inner != INLINE)
    line_start(out, indent);
  text_add(out, "]");
  return rc;
}

static int field_write(struct text *out, const struct field *f, const char *object, const struct place *at, int indent,
                       struct err *e) {
  const void *member = object + f->offset;
  switch (f->kind) {
  case FIELD_STRING:
    if (*(const char *const *)member)
      json_text(out, *(const char *const *)member);
    else
      text_add(out, "null");
    return 0;
  case FIELD_BOOL:
    text_add(out, *(const bool *)member ? "true" : "false");
    return 0;
  case FIELD_INT:
    return integer_write(out, *(const int *)member, f->least, at, e);
  case FIELD_LONG:
    return integer_write(out, *(const long *)member, f->least, at, e);
  case FIELD_U32:
    whole_write(out, *(const uint32_t *)member, false);
    return 0;
  case FIELD_U64: {
    const char *quote = *(const uint64_t *)member > number_max ? "\"" : "";
    text_add(out, quote);
    whole_write(out, *(const uint64_t *)member, false);
    text_add(out, quote);
    return 0;
  }
  case FIELD_REAL:
    return real_write(out, *(const double *)member, f->least, at, e);
  case FIELD_MAYBE:
    return maybe_write(out, f, object, at, e);
  case FIELD_CHOICE:
    return choice_write(out, f, object, at, e);
  case FIELD_TEXT:
    json_text(out, member);
    return 0;
  case FIELD_DIMS: {
    const unsigned *d = member;
    text_printf(out, "[%u, %u, %u]", d[0], d[1], d[2]);
    return 0;
  }
  case FIELD_STRINGS:
  case FIELD_REALS:
  case FIELD_RECORDS:
    return array_write(out, f, object, at, indent, e);
  case FIELD_RECORD:
    return object_write(out, f->record, member, at, indent, e);
  }
  return place_err(e, at, "a kind of field that has no form in JSON");
}

/* Whether a field is left out of an object that names its fields. */
static bool all_zero(const char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (bytes[i])
      return false;
  return true;
}

static bool field_empty(const struct field *f, const char *object) {
  if (f->kind == FIELD_RECORD && !f->required)
    return all_zero(object + f->offset, f->record->size);
  if (f->kind == FIELD_TEXT)
    return object[f->offset] == '\0';
  if (f->kind == FIELD_STRING)
    return *(const char *const *)(object + f->offset) == NULL;
  if (f->kind == FIELD_STRINGS || f->kind == FIELD_REALS || f->kind == FIELD_RECORDS)
    return *(const size_t *)(object + f->beside) == 0;
  return false;
}

static int object_write(struct text *out, const struct record *r, const char *object, const struct place *at,
                        int indent, struct err *e) {
  int inner = indent == INLINE || r->layout != LAYOUT_TALL ? INLINE : indent + 1;
  bool bare = r->layout == LAYOUT_BARE, first = true;
  text_add(out, bare ? "[" : "{");
  if (r->schema) {
    line_start(out, inner);
    text_printf(out, "\"schema\": \"%s%d\"", r->schema, r->version);
    first = false;
  }
  for (const struct field *f = r->fields; f < r->fields + r->n; f++) {
    struct place here = {.up = at, .key = f->key};
    if (f->required && field_empty(f, object))
      return place_err(e, &here, "missing");
    if (!bare && field_empty(f, object))
      continue;
    if (!first)
      text_add(out, inner == INLINE ? ", " : ",");
    first = false;
    line_start(out, inner);
    if (!bare) {
      text_add(out, "\"");
      text_add(out, f->key);
      text_add(out, "\": ");
    }
    int rc = field_write(out, f, object, &here, inner, e);
    if (rc)
      return rc;
  }
  if (!first && inner != INLINE)
    line_start(out, indent);
  text_add(out, bare ? "]" : "}");
  return 0;
}

static int write_packed(const char *path, const struct text *json, struct err *e) {
  char *packed = NULL;
  size_t n = 0;
  int rc = gzip_pack(text_str(json), json->n, &packed, &n, e);
  if (rc == 0)
    rc = file_write(path, packed, n, e);
  free(packed);
  return rc;
}

int record_save(const struct record *r, const void *object, const char *path, struct err *e) {
  struct text out = {0};
  int rc = object_write(&out, r, object, NULL, 0, e);
  text_add(&out, "\n");
  if (rc == 0 && !text_ok(&out))
    rc = err_nomem(e, path);
  if (rc)
    err_context(e, "%s", path);
  else
    rc = gzip_wanted(path) ? write_packed(path, &out, e) : file_write(path, text_str(&out), out.n, e);
  text_release(&out);
  return rc;
}

int run_save(const struct run *r, const char *path, struct err *e) {
  int rc = run_verify(r, e);
  if (rc)
    return err_context(e, "%s", path), rc;
  return record_save(&record_run, r, path, e);
}

char *run_result_to_line(const struct run_result *r, struct err *e) {
  struct text out = {0};
  if (object_write(&out, &record_result, (const char *)r, NULL, INLINE, e) == 0) {
    char *line = text_take(&out);
    if (!line)
      err_nomem(e, "a result");
    return line;
  }
  text_release(&out);
  return NULL;
}
