/* The archive's header, byte by byte as POSIX has it, and what a name or a size may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/tar.h"

#include <string.h>

enum { BLOCK = 512 };

static void a_file_is_a_header_and_whole_blocks(void **state) {
  struct text tar = {0};
  struct err e = {0};
  char data[513];
  (void)state;
  memset(data, 'x', sizeof data);
  assert_int_equal(tar_add(&tar, "a", 0755, data, sizeof data, &e), 0);
  assert_int_equal(tar.n, 3 * BLOCK); /* 513 bytes fill two blocks */
  assert_string_equal(tar.s, "a");
  assert_string_equal(tar.s + 100, "0000755");
  assert_string_equal(tar.s + 108, "0000000");
  assert_string_equal(tar.s + 116, "0000000");
  assert_string_equal(tar.s + 124, "00000001001"); /* 513 */
  assert_string_equal(tar.s + 136, "07033241600"); /* 946684800 */
  /* a 97; mode 0000755 7 x 48 + 17 = 353; owner and group 7 x 48 = 336 each; size 11 x 48 + 2 = 530; time 11 x 48 + 26 = 554; type 48;
   * ustar 559; version 96; root twice, 2 x 452; the sum's own place, 8 blanks, 256: 4069 in all, which is 7745 in octal. */
  assert_memory_equal(tar.s + 148, "007745\0 ", 8);
  assert_int_equal(tar.s[156], '0');
  assert_memory_equal(tar.s + 257,
                      "ustar\0"
                      "00root\0",
                      13);
  assert_string_equal(tar.s + 297, "root");
  assert_memory_equal(tar.s + BLOCK, data, sizeof data);
  for (size_t i = BLOCK + sizeof data; i < tar.n; i++)
    assert_int_equal(tar.s[i], 0);
  text_release(&tar);
}

static void full_blocks_are_not_padded(void **state) {
  struct text tar = {0};
  struct err e = {0};
  char data[BLOCK] = {1};
  (void)state;
  assert_int_equal(tar_add(&tar, "b", 0644, data, sizeof data, &e), 0);
  assert_int_equal(tar.n, 2 * BLOCK);
  assert_int_equal(tar_add(&tar, "empty", 0644, "", 0, &e), 0);
  assert_int_equal(tar.n, 3 * BLOCK);
  tar_end(&tar);
  assert_int_equal(tar.n, 5 * BLOCK);
  for (size_t i = 3 * (size_t)BLOCK; i < tar.n; i++)
    assert_int_equal(tar.s[i], 0);
  text_release(&tar);
}

static void a_name_has_a_hundred_bytes_at_most(void **state) {
  struct text tar = {0};
  struct err e = {0};
  char name[102];
  (void)state;
  memset(name, 'n', sizeof name);
  name[101] = '\0';
  assert_int_equal(tar_add(&tar, name, 0644, "", 0, &e), ERR_USAGE);
  assert_int_equal(tar.n, 0);
  name[100] = '\0';
  assert_int_equal(tar_add(&tar, name, 0644, "", 0, &e), 0);
  assert_memory_equal(tar.s, name, 100); /* and the mode follows, with no zero between */
  assert_int_equal(tar_add(&tar, "c", 0644, "", (size_t)1 << 33, &e), ERR_USAGE);
  text_release(&tar);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_a_header_and_whole_blocks),
      cmocka_unit_test(full_blocks_are_not_padded),
      cmocka_unit_test(a_name_has_a_hundred_bytes_at_most),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
