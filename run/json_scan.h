/* JSON, read straight from its text: a value of JSON for each number between would cost more than all that is done with a run.
 * Private to this room.
 *
 * What is not there, or is no JSON, is false.  json_fault says what is wrong with a text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct json_scan {
  const char *at, *end;
  int depth;       /* lists and objects that are open */
  const char *why; /* of what is no JSON at `at` */
};

/* Moves behind blanks to the next character, which it returns; '\0' at the end. */
static inline char scan_next(struct json_scan *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
    s->at++;
  return s->at < s->end ? *s->at : '\0';
}

static inline bool scan_take(struct json_scan *s, char c) {
  bool there = c && scan_next(s) == c;
  s->at += there;
  return there;
}

/* The bracket of a list or an object, of which at most DEPTH_MAX may be open. */
enum { DEPTH_MAX = 64 };
static inline bool scan_open(struct json_scan *s, char bracket) {
  bool there = s->depth < DEPTH_MAX && scan_take(s, bracket);
  s->depth += there;
  return there;
}

static inline bool scan_close(struct json_scan *s, char bracket) {
  bool there = scan_take(s, bracket);
  s->depth -= there;
  return there;
}

bool scan_word(struct json_scan *s, const char *word);

struct span { /* what is between the quotes of a string: well-formed, with its escapes */
  const char *begin;
  size_t n;
  bool escaped;
};
bool scan_span(struct json_scan *s, struct span *out);
bool span_is(const struct span *s, const char *word); /* to the letter: an escape is no letter */
/* Writes what the string means: at most n + 1 bytes, with the closing NUL. */
void span_decode(const struct span *s, char *out);

struct number {
  bool whole;        /* neither point nor exponent */
  bool large;        /* more than `integer` holds, if it is whole, or `real` */
  long long integer; /* if it is whole */
  double real;
};
bool scan_number(struct json_scan *s, struct number *out);

bool scan_skip(struct json_scan *s); /* a value of any kind */

/* What is wrong with a text, and at which byte; NULL: it is JSON. */
const char *json_fault(const char *json, size_t n, size_t *at);
