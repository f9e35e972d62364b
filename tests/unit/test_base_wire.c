/* Protobuf's wire format, byte by byte. */
#include "base/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Field 1, varint 300 (https://protobuf.dev: ac 02); field 2, bytes "ab"; field 3, the float 1.5; field 4, the double -2. */
static void the_wire_format_is_read(void **state) {
  (void)state;
  static const uint8_t message[] = {0x08, 0xac, 0x02, 0x12, 2, 'a', 'b', 0x1d, 0, 0,   0xc0,
                                    0x3f, 0x21, 0,    0,    0, 0,   0,   0,    0, 0xc0};
  struct wire w = wire_open(message, sizeof message);
  struct wire_field f;
  assert_true(wire_next(&w, &f));
  assert_int_equal(f.number, 1);
  assert_int_equal(f.value, 300);
  assert_true(wire_next(&w, &f));
  assert_int_equal(f.n, 2);
  assert_memory_equal(f.bytes, "ab", 2);
  assert_true(wire_next(&w, &f));
  assert_true(wire_float(&f) == 1.5);
  assert_true(wire_next(&w, &f));
  assert_int_equal(f.number, 4);
  assert_true(wire_float(&f) == -2);
  assert_false(wire_next(&w, &f));
  assert_false(w.broken);
}

static void broken_fields_end_the_message(void **state) {
  (void)state;
  static const struct {
    uint8_t bytes[12];
    size_t n;
  } cases[] = {
      {{0x08}, 1},                                                                 /* no value */
      {{0x08, 0x80}, 2},                                                           /* a varint that goes on */
      {{0x12, 3, 'a', 'b'}, 4},                                                    /* a length beyond the end */
      {{0x1d, 0, 0}, 3},                                                           /* half a float */
      {{0x0b, 0}, 2},                                                              /* a group */
      {{0x00, 0}, 2},                                                              /* field 0 */
      {{0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 12}, /* a varint of more than ten bytes */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct wire w = wire_open(cases[i].bytes, cases[i].n);
    struct wire_field f;
    assert_false(wire_next(&w, &f));
    assert_true(w.broken);
  }
}

/* All 64 bits of a varint, the bits of a 32-bit value that is no float, and a field's number of five bytes. */
static void the_largest_values(void **state) {
  (void)state;
  static const uint8_t message[] = {0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, /* field 1 */
                                    0xf8, 0xff, 0xff, 0xff, 0x7f, 5};                              /* field 2^32 - 1 */
  struct wire w = wire_open(message, sizeof message);
  struct wire_field f;
  assert_true(wire_next(&w, &f));
  assert_true(f.number == 1 && f.value == UINT64_MAX);
  assert_true(wire_next(&w, &f));
  assert_true(f.number == UINT32_MAX && f.value == 5);
  assert_true(wire_float(&f) == 5);
  assert_false(wire_next(&w, &f));
  assert_false(w.broken);
  static const uint8_t beyond[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0}; /* field 2^32 */
  w = wire_open(beyond, sizeof beyond);
  assert_false(wire_next(&w, &f));
  assert_true(w.broken);
  w = wire_open(NULL, 0);
  assert_false(wire_next(&w, &f));
  assert_false(w.broken);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_wire_format_is_read),
      cmocka_unit_test(broken_fields_end_the_message),
      cmocka_unit_test(the_largest_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
