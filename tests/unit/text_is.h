/* A text that a report has made: word for word, what it has and what it lacks. */
#ifndef TESTS_UNIT_TEXT_IS_H
#define TESTS_UNIT_TEXT_IS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <string.h>

static inline void is(struct text *out, const char *want) {
  assert_true(text_ok(out));
  assert_string_equal(text_str(out), want);
  text_release(out);
}

static inline void has(const struct text *out, const char *part) {
  if (!out->s || !strstr(out->s, part))
    fail_msg("\"%s\" is not in\n%s", part, out->s ? out->s : "(nothing)");
}

static inline void lacks(const struct text *out, const char *part) {
  if (strstr(out->s, part))
    fail_msg("\"%s\" is in\n%s", part, out->s);
}

static inline size_t times_in(const char *s, const char *part) {
  size_t n = 0;
  for (; (s = strstr(s, part)); s += strlen(part))
    n++;
  return n;
}

#endif
