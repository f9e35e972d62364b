#include "profiler/attach/records/attach_record.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_OF(member)                                                                                                \
  _Generic((member), char *: FIELD_TEXT, int: FIELD_INT, unsigned: FIELD_UNSIGNED, unsigned *: FIELD_UNSIGNED,         \
           long: FIELD_LONG, uint64_t: FIELD_COUNT, double: FIELD_NUMBER, double *: FIELD_TIMES)
#define NUMBER_OF(member) (int)_Generic((member), unsigned * : sizeof(member) / sizeof(unsigned), default : 1)
#define FIELD(T, member, ...)                                                                                          \
  { .type = TYPE_OF(((T *)0)->member), .n = NUMBER_OF(((T *)0)->member), .at = offsetof(T, member), __VA_ARGS__ }
#define FIELDS(upper, type, word, place, name)                                                                         \
  static const struct attach_record_field fields_##upper[] = {upper##_FIELDS(FIELD, type)};
RECORD_ROWS(FIELDS)

#define ELEMENT(upper, type, word, place, name)                                                                        \
  {word, sizeof(type), fields_##upper, sizeof fields_##upper / sizeof fields_##upper[0]},
const struct attach_record_row attach_record_rows[RECORD_KINDS] = {RECORD_ROWS(ELEMENT)};

static const size_t field_bytes[] = {
    [FIELD_TEXT] = sizeof(char *),
    [FIELD_INT] = sizeof(int),
    [FIELD_UNSIGNED] = sizeof(unsigned),
    [FIELD_LONG] = sizeof(long),
    [FIELD_COUNT] = sizeof(uint64_t),
    [FIELD_NUMBER] = sizeof(double),
    [FIELD_TIMES] = sizeof(struct times_record),
};

/* --- writing --- */

/* A process has tens of thousands of numbers to write, and printf took 0.4 us for each. */
static void print_whole(struct text *t, uint64_t value) {
  char digits[24];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  text_add_n(t, digits + at, sizeof digits - at);
}

static void print_text(struct text *t, const char *s) {
  for (; s && *s; s++)
    text_add_n(t, iscntrl((unsigned char)*s) ? " " : s, 1);
}

static void print_number(struct text *t, double value) {
  if (value >= 0 && value < 1e15 && value == floor(value))
    print_whole(t, (uint64_t)value);
  else if (!isnan(value))
    text_printf(t, "%.17g", value);
}

static void print_field(struct text *t, enum field_type type, const void *at) {
  const struct times_record *times = at;
  switch (type) {
  case FIELD_TEXT:
    print_text(t, *(char *const *)at);
    break;
  case FIELD_INT:
    print_number(t, *(const int *)at);
    break;
  case FIELD_UNSIGNED:
    print_whole(t, *(const unsigned *)at);
    break;
  case FIELD_LONG: /* -1: there is none */
    print_number(t, *(const long *)at < 0 ? NAN : (double)*(const long *)at);
    break;
  case FIELD_COUNT:
    print_whole(t, *(const uint64_t *)at);
    break;
  case FIELD_NUMBER:
    print_number(t, *(const double *)at);
    break;
  case FIELD_TIMES:
    for (size_t i = 0; i < times->n; i++) {
      text_add(t, i ? "\t" : "");
      print_number(t, times->ns[i]);
    }
    break;
  }
}

void attach_record_print(struct text *out, enum attach_record_kind kind, const void *record) {
  const struct attach_record_row *row = &attach_record_rows[kind];
  text_add(out, row->word);
  for (const struct attach_record_field *f = row->fields; f < row->fields + row->n_fields; f++)
    for (int i = 0; i < f->n; i++) {
      text_add(out, "\t");
      print_field(out, f->type, (const char *)record + f->at + (size_t)i * field_bytes[f->type]);
    }
  text_add(out, "\n");
}

/* --- reading --- */

static int bad_number(const char *text, struct err *e) {
  return err_set(e, ERR_DATA, "'%.100s' is not a valid number there", text);
}

static int parse_number(const char *text, double *value, struct err *e) {
  char *after;
  *value = strtod(text, &after);
  return after == text || *after || !isfinite(*value) || *value < 0 ? bad_number(text, e) : 0;
}

static int parse_times(struct times_record *times, char *rest, struct err *e) {
  size_t n = 0;
  int rc = 0;
  for (const char *c = rest; c; c = (c = strchr(c, '\t')) ? c + 1 : NULL)
    n++;
  if (!(times->ns = calloc(n + 1, sizeof *times->ns)))
    return err_nomem(e, "times");
  for (char *text; !rc && (text = strsep(&rest, "\t"));)
    rc = parse_number(text, &times->ns[times->n++], e);
  return rc;
}

static int parse_field(const struct attach_record_field *f, const char *text, void *at, struct err *e) {
  static const double most[] = {[FIELD_INT] = 2e9, [FIELD_UNSIGNED] = 4e9, [FIELD_LONG] = 2e9, [FIELD_COUNT] = 9e15};
  bool lacks = f->may_lack && !*text;
  double value = NAN;
  if (f->type == FIELD_TEXT)
    return lacks || (*(char **)at = str_copy(text)) ? 0 : err_nomem(e, f->name);
  int rc = lacks ? 0 : parse_number(text, &value, e);
  if (!rc && !lacks && f->type != FIELD_NUMBER &&
      (value > (f->most > 0 ? f->most : most[f->type]) || value != floor(value)))
    rc = bad_number(text, e);
  if (rc)
    return rc;
  if (f->type == FIELD_INT)
    *(int *)at = (int)value;
  else if (f->type == FIELD_UNSIGNED)
    *(unsigned *)at = (unsigned)value;
  else if (f->type == FIELD_LONG)
    *(long *)at = lacks ? -1 : (long)value;
  else if (f->type == FIELD_COUNT)
    *(uint64_t *)at = (uint64_t)value;
  else
    *(double *)at = value;
  return 0;
}

int attach_record_kind_of(char *line, enum attach_record_kind *kind, char **rest, struct err *e) {
  *rest = line;
  const char *word = strsep(rest, "\t");
  for (int i = 0; i < RECORD_KINDS; i++)
    if (strcmp(attach_record_rows[i].word, word) == 0) {
      *kind = (enum attach_record_kind)i;
      return 0;
    }
  return err_set(e, ERR_DATA, "'%.40s' is not a kind of line", word);
}

static int fields_wanted(const struct attach_record_row *row) {
  int n = 1;
  for (size_t i = 0; i < row->n_fields; i++)
    n += row->fields[i].n;
  return n;
}

int attach_record_parse(enum attach_record_kind kind, char *fields, void *record, struct err *e) {
  const struct attach_record_row *row = &attach_record_rows[kind];
  int has = 1, wanted = fields_wanted(row), rc = 0;
  memset(record, 0, row->bytes);
  if (kind == RECORD_SAMPLES) {
    rc = parse_times(record, fields, e);
    goto out;
  }
  for (const char *c = fields; c; c = (c = strchr(c, '\t')) ? c + 1 : NULL)
    has++;
  if (has != wanted)
    return err_set(e, ERR_DATA, "%s has %d fields, not %d", row->word, has, wanted);
  for (const struct attach_record_field *f = row->fields; f < row->fields + row->n_fields; f++)
    for (int i = 0; i < f->n && !rc; i++)
      rc = parse_field(f, strsep(&fields, "\t"), (char *)record + f->at + (size_t)i * field_bytes[f->type], e);
out:
  if (rc)
    attach_record_release(kind, record);
  return rc;
}

void attach_record_release(enum attach_record_kind kind, void *record) {
  const struct attach_record_row *row = &attach_record_rows[kind];
  for (const struct attach_record_field *f = row->fields; f < row->fields + row->n_fields; f++)
    if (f->type == FIELD_TEXT || f->type == FIELD_TIMES) /* both begin with what is to be freed */
      free(*(void **)((char *)record + f->at));
  memset(record, 0, row->bytes);
}
