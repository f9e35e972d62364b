/* Records: one table of a struct's fields serves its saving, its loading and its release, so that a new field of a run is one row in
 * run/fields.c.  Private to this room.
 *
 * JSON keys are the field names.  A NULL string and an empty array are left out; an absent number is null; a uint64_t above 2^53, which
 * many readers of JSON would round, is a string of digits.
 */
#pragma once

#include "base/err.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_kind {
  FIELD_STRING,
  FIELD_BOOL,
  FIELD_INT,
  FIELD_LONG,
  FIELD_U32,
  FIELD_U64,
  FIELD_REAL,
  FIELD_MAYBE,   /* a real, or null; the bool at `beside` says which */
  FIELD_CHOICE,  /* an enum, in JSON one of `names` */
  FIELD_DIMS,    /* unsigned[3] */
  FIELD_TEXT,    /* char[beside], a string that lies within the struct; "" is absent */
  FIELD_STRINGS, /* arrays: their count, a size_t, is at `beside` */
  FIELD_REALS,
  FIELD_RECORD,
  FIELD_RECORDS,
};

enum { FIELD_N_DIMS = 3 };

struct record;

struct field {
  const char *key;
  enum field_kind kind;
  bool required; /* a string or a record that may not be absent */
  bool bulk;     /* an array that an outline of a run does without */
  double least;  /* of a number */
  size_t offset, beside;
  const char *const *names; /* by value, closed by NULL */
  const struct record *record;
};

enum record_layout {
  LAYOUT_TALL, /* {"a": 1, "b": 2}, a line a field */
  LAYOUT_FLAT, /* the same in one line */
  LAYOUT_BARE, /* [1, 2] in one line: values in the order of the fields, for what there are many thousands of */
};

struct record {
  size_t size; /* of the struct */
  enum record_layout layout;
  const struct field *fields;
  size_t n;
  const char *schema; /* what the key "schema" says before the version; NULL: none */
  int version;
};

/* Where a value stands, as "results[3].metrics[2].value": a chain of steps that lives on the stack of whoever walks. */
struct place {
  const struct place *up; /* NULL: the root */
  const char *key;        /* NULL: element `index` of an array */
  size_t index;
};
/* ERR_DATA, "PLACE: message". */
int place_err(struct err *e, const struct place *p, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes the record as a JSON file, atomically (base/file.h).  ERR_IO; ERR_DATA names the place of what cannot be written. */
int record_save(const struct record *r, const void *object, const char *path, struct err *e);
/* Whether the field may be missing, or null: then it stays empty. */
bool field_optional(const struct field *f);
enum { ELEMENTS_MAX = 1000000 /* of an array */, KEY_MAX = 64 };
struct record_text {
  const char *name; /* for messages */
  const char *json;
  size_t n;
  const char *remedy; /* ends those messages that a damaged file explains */
  bool outline;       /* leave the fields empty that are bulk */
};
/* Reads JSON into *object, which is all zero after a failure.  ERR_DATA: "NAME: PLACE: what is wrong", or "NAME:LINE:COLUMN: ..." for text
 * that is no JSON. */
int record_parse(const struct record *r, void *object, const struct record_text *t, struct err *e);
/* Frees what the record owns and leaves *object all zero. */
void record_release(const struct record *r, void *object);

extern const struct record record_run, record_result, record_module, record_variant, record_device;
extern const char *const record_origin_names[], *const record_verdict_names[], *const record_ceiling_names[];

/* Rows of a table.  The kind follows from the member's type, and a type that has no kind does not compile. */
#define FIELD_KIND(type, member)                                                                                       \
  _Generic(((struct type *)0)->member,                                                                                 \
      char *: FIELD_STRING,                                                                                            \
      bool: FIELD_BOOL,                                                                                                \
      int: FIELD_INT,                                                                                                  \
      long: FIELD_LONG,                                                                                                \
      uint32_t: FIELD_U32,                                                                                             \
      uint64_t: FIELD_U64,                                                                                             \
      double: FIELD_REAL,                                                                                              \
      unsigned *: FIELD_DIMS,                                                                                          \
      char **: FIELD_STRINGS,                                                                                          \
      double *: FIELD_REALS)
#define FIELD_HEAD(type, member, its_kind) .key = #member, .kind = (its_kind), .offset = offsetof(struct type, member)

/* A number of 0 or more, a bool, or a string that may be absent. */
#define FIELD(type, member)                                                                                            \
  { FIELD_HEAD(type, member, FIELD_KIND(type, member)) }
/* A string that must be there. */
#define NEEDED(type, member)                                                                                           \
  { FIELD_HEAD(type, member, FIELD_KIND(type, member)), .required = true }
/* A number of `smallest` or more. */
#define FROM(type, member, smallest)                                                                                   \
  { FIELD_HEAD(type, member, FIELD_KIND(type, member)), .least = (smallest) }
/* A number of either sign, absent where the bool `flag` is false. */
#define MAYBE(type, member, flag)                                                                                      \
  { FIELD_HEAD(type, member, FIELD_MAYBE), .beside = offsetof(struct type, flag), .least = -DBL_MAX }
#define CHOICE(type, member, its_names)                                                                                \
  { FIELD_HEAD(type, member, FIELD_CHOICE), .names = (its_names) }
/* An array of strings or of numbers, counted by the size_t `count`. */
#define ARRAY(type, member, count)                                                                                     \
  { FIELD_HEAD(type, member, FIELD_KIND(type, member)), .beside = offsetof(struct type, count) }
#define RECORD(type, member, its_record)                                                                               \
  { FIELD_HEAD(type, member, FIELD_RECORD), .required = true, .record = &(its_record) }
#define TEXT(type, member)                                                                                             \
  { FIELD_HEAD(type, member, FIELD_TEXT), .beside = sizeof(((struct type *)0)->member) }
/* A record that is absent where all of it is zero. */
#define PART(type, member, its_record)                                                                                 \
  { FIELD_HEAD(type, member, FIELD_RECORD), .record = &(its_record) }
/* Long arrays, which take most of the time of reading a run. */
#define BULK_ARRAY(type, member, count)                                                                                \
  { FIELD_HEAD(type, member, FIELD_KIND(type, member)), .beside = offsetof(struct type, count), .bulk = true }
#define BULK_RECORDS(type, member, count, its_record)                                                                  \
  {                                                                                                                    \
    FIELD_HEAD(type, member, FIELD_RECORDS), .beside = offsetof(struct type, count), .bulk = true,                     \
                                             .record = &(its_record)                                                   \
  }
#define RECORDS(type, member, count, its_record)                                                                       \
  { FIELD_HEAD(type, member, FIELD_RECORDS), .beside = offsetof(struct type, count), .record = &(its_record) }
