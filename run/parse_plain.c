/* Records from the text as run/save.c writes it: fields in the order of the table, strings of printable ASCII without escapes.  Whatever else JSON allows, and whatever
 * is wrong, is left to parse.c's other ways, which know it all and say it. */
#include "run/record.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 18 };

const char *plain_blanks(const char *s, const char *end) {
  while (s < end && (*s == ' ' || *s == '\n' || *s == '\t' || *s == '\r'))
    s++;
  return s;
}

/* Room for one more of the array of n that belongs to the object, which keeps track of it for its release; all zero. */
static void *array_add(const struct field *f, size_t size, char *object, size_t n, size_t *room) {
  void **array = (void **)(void *)(object + f->offset);
  if (n == *room) {
    size_t more = *room ? *room * 2 : 16;
    void *grown = realloc(*array, more * size);
    if (!grown)
      return NULL;
    *array = grown;
    *room = more;
  }
  char *element = (char *)*array + n * size;
  memset(element, 0, size);
  *(size_t *)(void *)(object + f->beside) = n + 1;
  return element;
}

void *plain_element(const struct field *f, char *object, size_t n, size_t *room) {
  return array_add(f, f->record->size, object, n, room);
}

/* --- values; NULL: another form, or wrong --- */

static bool ends(const char *s, const char *end) {
  return s < end && (*s == ',' || *s == ']' || *s == '}' || *s == ' ' || *s == '\n' || *s == '\r' || *s == '\t');
}

static const char *digits_read(long long *out, const char *s, const char *end) {
  bool negative = s < end && *s == '-';
  const char *digits = s + negative;
  long long n = 0;
  for (s = digits; s < end && *s >= '0' && *s <= '9' && s - digits < DIGITS_MAX; s++)
    n = 10 * n + (*s - '0');
  *out = negative ? -n : n;
  return s == digits || (*digits == '0' && s > digits + 1) ? NULL : s;
}

static const char *integer_plain(const struct field *f, void *member, const char *s, const char *end) {
  static const long long most[] = {
      [FIELD_INT] = INT_MAX, [FIELD_LONG] = LONG_MAX, [FIELD_U32] = UINT32_MAX, [FIELD_U64] = LLONG_MAX};
  long long n;
  s = digits_read(&n, s, end);
  if (!s || !ends(s, end) || (double)n < f->least || n > most[f->kind])
    return NULL;
  if (f->kind == FIELD_INT)
    *(int *)member = (int)n;
  else if (f->kind == FIELD_LONG)
    *(long *)member = (long)n;
  else if (f->kind == FIELD_U32)
    *(uint32_t *)member = (uint32_t)n;
  else
    *(uint64_t *)member = (uint64_t)n;
  return s;
}

static bool is_digit(const char *s, const char *end) {
  return s < end && *s >= '0' && *s <= '9';
}

/* Behind a number with a fraction, an exponent or both, of which s is behind the whole part. */
static const char *fraction_skip(const char *s, const char *end) {
  if (s < end && *s == '.') {
    if (!is_digit(++s, end))
      return NULL;
    while (is_digit(s, end))
      s++;
  }
  if (s < end && (*s == 'e' || *s == 'E')) {
    s += s + 1 < end && (s[1] == '+' || s[1] == '-') ? 2 : 1;
    if (!is_digit(s, end))
      return NULL;
    while (is_digit(s, end))
      s++;
  }
  return s;
}

/* The text ends with a NUL, so that strtod stops. */
static const char *real_plain(double *out, double least, const char *s, const char *end) {
  long long n;
  const char *behind = digits_read(&n, s, end);
  if (!behind)
    return NULL;
  *out = (double)n;
  if (!ends(behind, end)) {
    char *stopped;
    errno = 0;
    *out = strtod(s, &stopped);
    behind = is_digit(behind, end) || errno ? NULL : fraction_skip(behind, end);
    if (!behind || stopped != behind || !ends(behind, end))
      return NULL;
  }
  return *out < least ? NULL : behind;
}

/* The length of what stands between the quotes; -1: it is not plain. */
static long string_length(const char *s, const char *end) {
  const char *begin = s + 1;
  if (s == end || *s != '"')
    return -1;
  for (s = begin; s < end && *s != '"'; s++)
    if (*s < ' ' || *s > '~' || *s == '\\')
      return -1;
  return s < end ? (long)(s - begin) : -1;
}

static const char *string_plain(char **member, const char *s, const char *end) {
  long n = string_length(s, end);
  return n >= 0 && (*member = strndup(s + 1, (size_t)n)) ? s + n + 2 : NULL;
}

static const char *text_plain(char *member, size_t room, const char *s, const char *end) {
  long n = string_length(s, end);
  if (n < 0 || (size_t)n >= room)
    return NULL;
  memcpy(member, s + 1, (size_t)n);
  member[n] = 0;
  return s + n + 2;
}

static const char *choice_plain(unsigned *member, const struct field *f, const char *s, const char *end) {
  long n = string_length(s, end);
  for (unsigned i = 0; n >= 0 && f->names[i]; i++)
    if (strlen(f->names[i]) == (size_t)n && memcmp(f->names[i], s + 1, (size_t)n) == 0) {
      *member = i;
      return s + n + 2;
    }
  return NULL;
}

static const char *word_plain(const char *word, const char *s, const char *end) {
  size_t n = strlen(word);
  return (size_t)(end - s) > n && memcmp(s, word, n) == 0 && ends(s + n, end) ? s + n : NULL;
}

static const char *bool_plain(bool *member, const char *s, const char *end) {
  const char *behind = word_plain("true", s, end);
  *member = behind;
  return behind ? behind : word_plain("false", s, end);
}

/* --- arrays and records --- */

static const char *element_plain(const struct field *f, void *element, const char *s, const char *end) {
  return f->kind == FIELD_RECORDS ? record_plain(f->record, element, s, end)
         : f->kind == FIELD_REALS ? real_plain(element, f->least, s, end)
                                  : string_plain(element, s, end);
}

static const char *array_plain(const struct field *f, char *object, const char *s, const char *end) {
  size_t size = f->kind == FIELD_RECORDS ? f->record->size : f->kind == FIELD_REALS ? sizeof(double) : sizeof(char *);
  size_t room = 0;
  if (s == end || *s != '[')
    return NULL;
  s = plain_blanks(s + 1, end);
  if (s < end && *s == ']')
    return s + 1;
  for (size_t n = 0; s < end && n < ELEMENTS_MAX; n++) {
    void *element = array_add(f, size, object, n, &room);
    s = element ? element_plain(f, element, s, end) : NULL;
    s = s ? plain_blanks(s, end) : end;
    if (s < end && *s == ']')
      return s + 1;
    if (s == end || *s != ',')
      return NULL;
    s = plain_blanks(s + 1, end);
  }
  return NULL;
}

static const char *dims_plain(unsigned *member, const char *s, const char *end) {
  for (size_t i = 0; i < FIELD_N_DIMS; i++) {
    long long n = -1;
    if (s == end || *s != (i ? ',' : '['))
      return NULL;
    s = plain_blanks(s + 1, end);
    s = digits_read(&n, s, end);
    if (!s || n < 0 || n > UINT_MAX)
      return NULL;
    member[i] = (unsigned)n;
    s = plain_blanks(s, end);
  }
  return s < end && *s == ']' ? s + 1 : NULL;
}

static const char *value_plain(const struct field *f, char *object, const char *s, const char *end) {
  void *member = object + f->offset;
  const char *null = word_plain("null", s, end);
  if (null && f->kind == FIELD_MAYBE)
    return null;
  if (null)
    return field_optional(f) ? null : NULL;
  switch (f->kind) {
  case FIELD_STRING:
    return string_plain(member, s, end);
  case FIELD_BOOL:
    return bool_plain(member, s, end);
  case FIELD_INT:
  case FIELD_LONG:
  case FIELD_U32:
  case FIELD_U64:
    return integer_plain(f, member, s, end);
  case FIELD_MAYBE:
    *(bool *)(object + f->beside) = true;
    return real_plain(member, f->least, s, end);
  case FIELD_REAL:
    return real_plain(member, f->least, s, end);
  case FIELD_CHOICE:
    return choice_plain(member, f, s, end);
  case FIELD_DIMS:
    return dims_plain(member, s, end);
  case FIELD_TEXT:
    return text_plain(member, f->beside, s, end);
  case FIELD_STRINGS:
  case FIELD_REALS:
  case FIELD_RECORDS:
    return array_plain(f, object, s, end);
  case FIELD_RECORD:
    return record_plain(f->record, member, s, end);
  }
  return NULL;
}

static const char *bare_plain(const struct record *r, char *object, const char *s, const char *end) {
  for (size_t i = 0; i < r->n; i++) {
    if (s == end || *s != (i ? ',' : '['))
      return NULL;
    s = value_plain(&r->fields[i], object, plain_blanks(s + 1, end), end);
    if (!s)
      return NULL;
  }
  return s < end && *s == ']' ? s + 1 : NULL;
}

/* The field from `at` on whose key stands at s, and what is behind the colon; the fields between may be missing. */
static const struct field *key_plain(const struct record *r, size_t at, const char **s, const char *end) {
  long n = string_length(*s, end);
  for (size_t i = at; i < r->n && n >= 0; i++) {
    const struct field *f = &r->fields[i];
    if (strncmp(f->key, *s + 1, (size_t)n) == 0 && !f->key[n]) {
      *s = plain_blanks(*s + n + 2, end);
      if (*s == end || **s != ':')
        return NULL;
      *s = plain_blanks(*s + 1, end);
      return f;
    }
    if (!field_optional(f))
      return NULL;
  }
  return NULL;
}

const char *record_plain(const struct record *r, char *object, const char *s, const char *end) {
  if (r->layout == LAYOUT_BARE)
    return bare_plain(r, object, s, end);
  size_t at = 0; /* fields before it are done, so that none comes twice */
  if (s == end || *s != '{')
    return NULL;
  s = plain_blanks(s + 1, end);
  while (s < end && *s != '}') {
    const struct field *f = key_plain(r, at, &s, end);
    s = f ? value_plain(f, object, s, end) : NULL;
    if (!s)
      return NULL;
    at = (size_t)(f - r->fields) + 1;
    s = plain_blanks(s, end);
    if (s == end || *s == '}')
      break;
    s = *s == ',' ? plain_blanks(s + 1, end) : end;
    if (s == end || *s == '}')
      return NULL;
  }
  while (at < r->n && field_optional(&r->fields[at]))
    at++;
  return s < end && at == r->n ? s + 1 : NULL;
}
