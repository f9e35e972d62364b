/* JSON to structs, straight from the text: what run/save.c writes, in whatever order its keys stand.  A value of JSON for each number between would cost more than
 * all that is done with the run.  Text of another form, or wrong, is left to parse.c, which says what is wrong. */
#include "base/plain.h"
#include "run/record.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 64, BYTES_OF_CHARACTER = 4, ASCII = 0x80 };

struct scan {
  const char *at, *end;
};

/* Moves behind blanks to the next character, which it returns; '\0' at the end. */
static char next(struct scan *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
    s->at++;
  return s->at < s->end ? *s->at : '\0';
}

static bool take(struct scan *s, char c) {
  bool there = c && next(s) == c;
  s->at += there;
  return there;
}

static bool take_word(struct scan *s, const char *word) {
  size_t n = strlen(word);
  bool there = next(s) == *word && (size_t)(s->end - s->at) >= n && memcmp(s->at, word, n) == 0;
  s->at += there ? n : 0;
  return there;
}

/* --- strings --- */

struct span { /* what is between the quotes */
  const char *begin;
  size_t n;
  bool escaped;
};

static bool span_scan(struct scan *s, struct span *out) {
  if (!take(s, '"'))
    return false;
  *out = (struct span){.begin = s->at};
  for (const char *c = s->at; c < s->end;) {
    unsigned char byte = (unsigned char)*c;
    if (byte == '"') {
      out->n = (size_t)(c - out->begin);
      s->at = c + 1;
      return out->n <= STRING_MAX;
    }
    /* A character may be looked at as a whole: behind the last one of a string there is a quote, and more. */
    size_t length = byte < ASCII ? byte >= ' ' : s->end - c >= BYTES_OF_CHARACTER ? utf8_length(c) : 0;
    if (length == 0)
      return false;
    out->escaped |= byte == '\\';
    c += byte == '\\' ? 2 : length;
  }
  return false;
}

/* The character that "\u0041" stands for, if it is of ASCII; 0: it is another. */
static char ascii_of(const char *digits, const char *end) {
  int code = 0;
  for (int i = 0; i < 4; i++, digits++) {
    if (digits >= end)
      return 0;
    char c = *digits;
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : INT_MAX;
    if (digit == INT_MAX)
      return 0;
    code = 16 * code + digit;
  }
  return code < ASCII ? (char)code : 0;
}

static bool unescape(char *to, const char *from, const char *end) {
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  while (from < end) {
    if (*from != '\\') {
      *to++ = *from++;
      continue;
    }
    const char *letter = from + 1 < end && from[1] ? strchr(letters, from[1]) : NULL;
    char c = letter ? meant[letter - letters] : from + 1 < end && from[1] == 'u' ? ascii_of(from + 2, end) : '\0';
    if (!c)
      return false;
    *to++ = c;
    from += letter ? 2 : 6;
  }
  *to = '\0';
  return true;
}

static bool string_scan(struct scan *s, char **out) {
  struct span text;
  if (!span_scan(s, &text))
    return false;
  if (!text.escaped)
    return (*out = strndup(text.begin, text.n)) != NULL;
  *out = malloc(text.n + 1);
  return *out && unescape(*out, text.begin, text.begin + text.n);
}

static bool span_is(const struct span *s, const char *word) {
  return !s->escaped && strlen(word) == s->n && memcmp(s->begin, word, s->n) == 0;
}

static bool choice_scan(struct scan *s, const struct field *f, unsigned *out) {
  struct span text;
  if (!span_scan(s, &text))
    return false;
  for (*out = 0; f->names[*out]; (*out)++)
    if (span_is(&text, f->names[*out]))
      return true;
  return false;
}

static bool text_scan(struct scan *s, char *out, size_t max) {
  struct span text;
  if (!span_scan(s, &text) || text.escaped || text.n >= max)
    return false;
  memcpy(out, text.begin, text.n);
  out[text.n] = '\0';
  return true;
}

/* --- numbers --- */

struct number {
  bool whole; /* neither point nor exponent: of at most 18 digits, which `integer` has */
  long long integer;
  double real;
};

static const char *digits_skip(const char *c, const char *end) {
  while (c < end && *c >= '0' && *c <= '9')
    c++;
  return c;
}

/* Behind point and exponent, which may both be absent; NULL: one has no digits. */
static const char *fraction_skip(const char *c, const char *end) {
  const char *digits;
  if (c < end && *c == '.') {
    digits = c + 1;
    if ((c = digits_skip(digits, end)) == digits)
      return NULL;
  }
  if (c < end && (*c == 'e' || *c == 'E')) {
    c++;
    digits = c + (c < end && (*c == '+' || *c == '-'));
    if ((c = digits_skip(digits, end)) == digits)
      return NULL;
  }
  return c;
}

/* Up to 2^53 and 10^22 are doubles, so that one division rounds as strtod does. */
static bool decimal_exact(const char *c, const char *end, double *out) {
  static const double tens[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  static const uint64_t most = (uint64_t)1 << 53;
  uint64_t digits = 0;
  size_t places = 0;
  bool point = false;
  for (; c < end; c++) {
    if (*c == 'e' || *c == 'E')
      return false;
    point |= *c == '.';
    if (*c == '.')
      continue;
    digits = 10 * digits + (uint64_t)(*c - '0');
    places += point;
    if (digits > most || places >= sizeof tens / sizeof tens[0])
      return false;
  }
  *out = (double)digits / tens[places];
  return true;
}

static bool number_scan(struct scan *s, struct number *out) {
  enum { DIGITS_MAX = 18 };
  bool negative = next(s) == '-';
  const char *begin = s->at, *digits = begin + negative, *point = digits_skip(digits, s->end);
  const char *c = fraction_skip(point, s->end);
  /* Something must follow, at which strtod stops. */
  if (!c || c == s->end || point == digits || (*digits == '0' && point > digits + 1))
    return false;
  *out = (struct number){.whole = c == point};
  s->at = c;
  if (out->whole) {
    if (c - digits > DIGITS_MAX)
      return false;
    for (const char *d = digits; d < c; d++)
      out->integer = 10 * out->integer + (*d - '0');
    out->integer = negative ? -out->integer : out->integer;
    out->real = (double)out->integer;
    return true;
  }
  if (decimal_exact(digits, c, &out->real)) {
    out->real = negative ? -out->real : out->real;
    return true;
  }
  char *stop;
  out->real = strtod(begin, &stop);
  return stop == c && isfinite(out->real);
}

static bool integer_scan(struct scan *s, double least, long long most, long long *out) {
  struct number x;
  if (!number_scan(s, &x) || !x.whole)
    return false;
  *out = x.integer;
  return (double)x.integer >= least && x.integer <= most;
}

/* Above 2^53 it is a string of digits. */
static bool u64_scan(struct scan *s, uint64_t *out) {
  struct span text;
  long long small = 0;
  if (next(s) != '"') {
    bool ok = integer_scan(s, 0, LLONG_MAX, &small);
    *out = (uint64_t)small;
    return ok;
  }
  if (!span_scan(s, &text) || text.n == 0 || digits_skip(text.begin, text.begin + text.n) != text.begin + text.n)
    return false;
  for (size_t i = 0; i < text.n; i++) {
    uint64_t digit = (uint64_t)(text.begin[i] - '0');
    if (*out > (UINT64_MAX - digit) / 10)
      return false;
    *out = 10 * *out + digit;
  }
  return true;
}

static bool real_scan(struct scan *s, double least, double *out) {
  struct number x;
  if (!number_scan(s, &x))
    return false;
  *out = x.real;
  return x.real >= least;
}

static bool dims_scan(struct scan *s, unsigned *out) {
  long long n = 0;
  for (int i = 0; i < FIELD_N_DIMS; i++) {
    if (!take(s, i ? ',' : '[') || !integer_scan(s, 0, UINT_MAX, &n))
      return false;
    out[i] = (unsigned)n;
  }
  return take(s, ']');
}

/* --- arrays and records --- */

static size_t element_size(const struct field *f) {
  return f->kind == FIELD_RECORDS ? f->record->size : f->kind == FIELD_REALS ? sizeof(double) : sizeof(char *);
}

void *record_element_add(const struct field *f, char *object, size_t n, size_t *room) {
  void **array = (void **)(void *)(object + f->offset);
  size_t size = element_size(f);
  if (n == *room) {
    size_t more = *room ? *room * 2 : 4;
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

static bool record_in(struct scan *s, const struct record *r, char *object);

static bool array_scan(struct scan *s, const struct field *f, char *object) {
  size_t n = 0, room = 0;
  void **array = (void **)(void *)(object + f->offset);
  if (!take(s, '['))
    return false;
  if (take(s, ']'))
    return true;
  do {
    void *element = n < ELEMENTS_MAX ? record_element_add(f, object, n++, &room) : NULL;
    bool ok = element && (f->kind == FIELD_RECORDS ? record_in(s, f->record, element)
                          : f->kind == FIELD_REALS ? real_scan(s, f->least, element)
                                                   : string_scan(s, element));
    if (!ok)
      return false;
  } while (take(s, ','));
  void *exact = realloc(*array, n * element_size(f));
  *array = exact ? exact : *array;
  return take(s, ']');
}

static bool field_scan(struct scan *s, const struct field *f, char *object) {
  void *member = object + f->offset;
  long long n = 0;
  bool ok;
  switch (f->kind) {
  case FIELD_STRING:
    return string_scan(s, member);
  case FIELD_BOOL:
    *(bool *)member = take_word(s, "true");
    return *(bool *)member || take_word(s, "false");
  case FIELD_INT:
    ok = integer_scan(s, f->least, INT_MAX, &n);
    *(int *)member = ok ? (int)n : 0;
    return ok;
  case FIELD_LONG:
    ok = integer_scan(s, f->least, LONG_MAX, &n);
    *(long *)member = (long)n;
    return ok;
  case FIELD_U32:
    ok = integer_scan(s, 0, UINT32_MAX, &n);
    *(uint32_t *)member = (uint32_t)n;
    return ok;
  case FIELD_U64:
    return u64_scan(s, member);
  case FIELD_REAL:
    return real_scan(s, f->least, member);
  case FIELD_MAYBE:
    *(bool *)(object + f->beside) = !take_word(s, "null");
    return !*(bool *)(object + f->beside) || real_scan(s, f->least, member);
  case FIELD_CHOICE:
    return choice_scan(s, f, member);
  case FIELD_TEXT:
    return text_scan(s, member, f->beside);
  case FIELD_DIMS:
    return dims_scan(s, member);
  case FIELD_STRINGS:
  case FIELD_REALS:
  case FIELD_RECORDS:
    return array_scan(s, f, object);
  case FIELD_RECORD:
    return record_in(s, f->record, member);
  }
  return false;
}

static bool bare_scan(struct scan *s, const struct record *r, char *object) {
  for (size_t i = 0; i < r->n; i++) {
    const struct field *f = &r->fields[i];
    if (!take(s, i ? ',' : '['))
      return false;
    if (!(field_optional(f) && take_word(s, "null")) && !field_scan(s, f, object))
      return false;
  }
  return take(s, ']');
}

/* Of this version, and no other. */
static bool schema_scan(struct scan *s, const struct record *r) {
  struct span text;
  size_t n = strlen(r->schema);
  if (!span_scan(s, &text) || text.escaped || text.n != n + 1 || memcmp(text.begin, r->schema, n) != 0)
    return false;
  return text.begin[n] - '0' == r->version;
}

/* Fields stand as a rule in the order of the table: the search begins behind the last one.  r->n: there is none of that key. */
static size_t field_find(const struct record *r, const struct span *key, size_t from) {
  for (size_t i = 0; i < r->n; i++) {
    size_t at = from + i < r->n ? from + i : from + i - r->n;
    if (span_is(key, r->fields[at].key))
      return at;
  }
  return r->n;
}

static bool record_in(struct scan *s, const struct record *r, char *object) {
  uint64_t seen = 0;
  bool schema = r->schema == NULL;
  if (r->layout == LAYOUT_BARE)
    return bare_scan(s, r, object);
  if (r->n > FIELDS_MAX || !take(s, '{'))
    return false;
  size_t from = 0;
  for (bool more = next(s) != '}'; more; more = take(s, ',')) {
    struct span key;
    if (!span_scan(s, &key) || !take(s, ':'))
      return false;
    if (!schema && span_is(&key, "schema")) {
      schema = schema_scan(s, r);
      if (!schema)
        return false;
      continue;
    }
    size_t at = field_find(r, &key, from);
    if (at == r->n || seen & (uint64_t)1 << at)
      return false;
    seen |= (uint64_t)1 << at;
    from = at + 1;
    const struct field *f = &r->fields[at];
    if (!(field_optional(f) && take_word(s, "null")) && !field_scan(s, f, object))
      return false;
  }
  for (size_t i = 0; i < r->n; i++)
    if (!(seen & (uint64_t)1 << i) && !field_optional(&r->fields[i]))
      return false;
  return schema && take(s, '}');
}

const char *record_scan(const struct record *r, void *object, const char *json, const char *end) {
  struct scan s = {json, end};
  if (!record_in(&s, r, object))
    return NULL;
  next(&s);
  return s.at;
}
