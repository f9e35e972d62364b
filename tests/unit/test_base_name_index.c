/* Names to numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/name_index.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 5000, NAME_BYTES = 24 };

static void an_empty_index_holds_nothing(void **state) {
  struct name_index x = {0};
  (void)state;
  assert_int_equal(name_index_find(&x, "a"), NAME_NEW);
  name_index_release(&x);
}

static void every_name_keeps_its_number(void **state) {
  static char names[MANY][NAME_BYTES];
  struct name_index x = {0};
  (void)state;
  for (int i = 0; i < MANY; i++) {
    snprintf(names[i], NAME_BYTES, "kernel_%d", i);
    long *number = name_index_at(&x, names[i]);
    assert_int_equal(*number, NAME_NEW);
    *number = i;
  }
  for (int i = 0; i < MANY; i++) {
    char same[NAME_BYTES]; /* another copy of the name is the same name */
    memcpy(same, names[i], NAME_BYTES);
    assert_int_equal(name_index_find(&x, same), i);
    assert_int_equal(*name_index_at(&x, same), i);
  }
  assert_int_equal(x.n, MANY);
  assert_int_equal(name_index_find(&x, "kernel_"), NAME_NEW);
  assert_int_equal(name_index_find(&x, ""), NAME_NEW);
  assert_true(2 * x.n <= x.room);
  name_index_release(&x);
  assert_int_equal(x.room, 0);
}

/* Published: http://www.isthe.com/chongo/tech/comp/fnv/ ("foobar", 64 bits, FNV-1a). */
static void the_hash_is_fnv_1a(void **state) {
  (void)state;
  assert_true(hash_bytes(HASH_START, "foobar", 6) == 0x85944171f73967e8);
  assert_true(hash_bytes(hash_bytes(HASH_START, "foo", 3), "bar", 3) == 0x85944171f73967e8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_index_holds_nothing),
      cmocka_unit_test(every_name_keeps_its_number),
      cmocka_unit_test(the_hash_is_fnv_1a),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
