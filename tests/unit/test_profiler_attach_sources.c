/* The sources of an attached program's lines: how long each was when it was compiled, and where
 * its text is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "profiler/attach/outside/composing.h"

/* --- what a cubin says --- */

struct unit {
  unsigned char data[1024];
  size_t n;
};

static void put(struct unit *u, const void *data, size_t n) {
  memcpy(u->data + u->n, data, n);
  u->n += n;
}

static void put_string(struct unit *u, const char *s) {
  put(u, s, strlen(s) + 1);
}

static void put_leb(struct unit *u, unsigned long v) {
  do {
    unsigned char byte = (unsigned char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
    put(u, &byte, 1);
  } while (v >>= 7);
}

static void put_file(struct unit *u, const char *name, unsigned long folder, unsigned long size) {
  put_string(u, name);
  put_leb(u, folder);
  put_leb(u, 1795677401); /* when it was changed */
  put_leb(u, size);
}

/* A unit of two folders, up to its files. */
static void unit_begin(struct unit *u, unsigned char version) {
  static const unsigned char lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1};
  const unsigned char head[] = {0, 0, 0, 0, version, 0, 0, 0, 0, 0, 1};
  *u = (struct unit){0};
  put(u, head, sizeof head);
  if (version >= 4)
    put(u, "\1", 1);
  put(u, "\1\xfb\x0e\x0a", 4);
  put(u, lengths, sizeof lengths);
  put_string(u, "/p");
  put_string(u, "/p/inc");
  put_string(u, "");
}

static void unit_end(struct unit *u) {
  put_string(u, "");
  put(u, "\0\5\2lines", 8);
  u->data[0] = (unsigned char)((u->n - 4) & 0xff);
  u->data[1] = (unsigned char)((u->n - 4) >> 8);
}

static void lines_of(const struct unit *units, size_t n, unsigned type, size_t cut) {
  unsigned char all[2048];
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) {
    memcpy(all + bytes, units[i].data, units[i].n);
    bytes += units[i].n;
  }
  cubin_begin();
  section(".debug_line", type, all, bytes - cut);
  cubin_end(7, 90);
}

static long bytes_of(const char *path) {
  return cubin_source_bytes((const char *)made_cubin.data, made_cubin.n, path);
}

static void how_long_a_source_was(void **state) {
  struct unit units[3];
  (void)state;
  for (unsigned char version = 2; version <= 4; version++) {
    unit_begin(&units[0], version);
    put_file(&units[0], "main.cu", 1, 282);
    put_file(&units[0], "h.cuh", 2, 101);
    put_file(&units[0], "rel.cu", 0, 70000);
    put_file(&units[0], "unsized.cu", 1, 0);
    put_file(&units[0], "astray.cu", 3, 5); /* there is no third folder */
    put_file(&units[0], "short.cu", 1, 1);
    put_file(&units[0], "huge.cu", 1, 1UL << 40);
    for (int i = 0; i < 20; i++) /* more than 256 bytes in all */
      put_file(&units[0], "generated.cuh", 2, 12);
    unit_end(&units[0]);
    unit_begin(&units[1], version);
    put_file(&units[1], "main.cu", 1, 282);
    put_file(&units[1], "h.cuh", 2, 102); /* of another length there: which, nobody knows */
    put_file(&units[1], "short.cu", 1, 2);
    put_file(&units[1], "late.cu", 1, 7);
    unit_end(&units[1]);
    lines_of(units, 2, SHT_PROGBITS, 0);
    assert_int_equal(bytes_of("/p/main.cu"), 282);
    assert_int_equal(bytes_of("/p/inc/h.cuh"), 0);
    assert_int_equal(bytes_of("rel.cu"), 70000);
    assert_int_equal(bytes_of("/p/unsized.cu"), 0);
    assert_int_equal(bytes_of("/p/late.cu"), 7);
    assert_int_equal(bytes_of("/p/short.cu"), 0);
    assert_int_equal(bytes_of("/p/huge.cu"), 0);
    assert_int_equal(bytes_of("astray.cu"), 5);
    assert_int_equal(bytes_of("main.cu"), 0);
    assert_int_equal(bytes_of("/p/inc/main.cu"), 0);
    assert_int_equal(bytes_of("/pmain.cu"), 0);
    lines_of(units, 1, SHT_PROGBITS, 0);
    assert_int_equal(bytes_of("/p/inc/h.cuh"), 101);
    assert_int_equal(bytes_of("/p/short.cu"), 1);
  }
}

/* Nothing in a cubin is trusted. */
static void tables_that_cannot_be_read(void **state) {
  struct unit u;
  (void)state;
  unit_begin(&u, 2);
  put_file(&u, "main.cu", 1, 282);
  unit_end(&u);
  for (size_t cut = 1; cut < u.n; cut++) { /* the unit goes on behind the section's end */
    lines_of(&u, 1, SHT_PROGBITS, cut);
    assert_int_equal(bytes_of("/p/main.cu"), 0);
  }
  for (size_t n = 4; n < u.n; n++) { /* it ends too soon */
    struct unit s = u;
    s.n = n;
    s.data[0] = (unsigned char)(n - 4);
    s.data[1] = 0;
    lines_of(&s, 1, SHT_PROGBITS, 0);
    assert_true(bytes_of("/p/main.cu") == 0 || bytes_of("/p/main.cu") == 282);
  }
  for (unsigned char version = 1; version <= 5; version += 4) { /* whose tables are others */
    struct unit other;
    unit_begin(&other, version);
    put_file(&other, "main.cu", 1, 282);
    unit_end(&other);
    lines_of(&other, 1, SHT_PROGBITS, 0);
    assert_int_equal(bytes_of("/p/main.cu"), 0);
  }
  lines_of(&u, 1, SHT_NOBITS, 0);
  assert_int_equal(bytes_of("/p/main.cu"), 0);
  cubin_begin();
  cubin_end(7, 90);
  assert_int_equal(bytes_of("/p/main.cu"), 0);
  assert_int_equal(cubin_source_bytes("text", 4, "/p/main.cu"), 0);
}

/* --- where the text is --- */

static void file_put(const char *name, const char *text) {
  char *path = str_printf("%s/%s", own_folder, name);
  assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
  free(path);
}

static void folder_put(const char *name) {
  char *path = str_printf("%s/%s", own_folder, name);
  assert_int_equal(file_mkdirs(path, NULL), 0);
  free(path);
}

static char *of(const char *name) { /* NULL, and what has no leading "@/", as it is */
  return !name ? NULL : name[0] == '@' ? str_printf("%s%s", own_folder, name + 1) : str_copy(name);
}

static void where_a_source_is(void **state) {
  static const struct {
    const char *name;
    long bytes;
    int last_line;
    const char *work, *program, *own, *want;
  } rows[] = {
      /* as it is named */
      {"@/src/a.cu", 0, 2, NULL, NULL, NULL, "one\ntwo\n"},
      {"@/src/a.cu", 8, 2, NULL, NULL, NULL, "one\ntwo\n"},
      {"@/src/a.cu", 0, 3, NULL, NULL, NULL, NULL}, /* it has no third line */
      {"@/src/a.cu", 9, 2, NULL, NULL, NULL, NULL}, /* it was longer */
      {"@/src/unended.cu", 0, 2, NULL, NULL, NULL, "1\n2"},
      {"@/src/unended.cu", 0, 3, NULL, NULL, NULL, NULL},
      {"@/src/binary", 0, 1, NULL, NULL, NULL, NULL},
      {"@/src/empty", 0, 0, NULL, NULL, NULL, NULL},
      {"@/src", 0, 0, NULL, NULL, NULL, NULL},
      /* a relative name: the program's working folder, its own folder, this program's */
      {"a.cu", 0, 2, "@/src", NULL, NULL, "one\ntwo\n"},
      {"a.cu", 0, 2, NULL, "@/src/program", NULL, "one\ntwo\n"},
      {"a.cu", 0, 2, NULL, NULL, "@/src", "one\ntwo\n"},
      {"a.cu", 0, 2, "@/other", "@/src/program", NULL, "ONE\nTWO\n3\n"},
      {"a.cu", 8, 2, "@/other", "@/src/program", NULL, "one\ntwo\n"},
      {"./a.cu", 0, 2, "@/src", NULL, NULL, "one\ntwo\n"},
      {"a.cu", 0, 2, NULL, NULL, NULL, NULL},
      {"a.cu", 0, 2, "src", "program", "", NULL}, /* of no use */
      {"a.cu", 0, 2, "@/src/deep", NULL, NULL, NULL},
      /* a tree that was moved, of which the size is known */
      {"/build/p/src/a.cu", 8, 2, "@", NULL, NULL, "one\ntwo\n"},
      {"/build/p/src/a.cu", 8, 2, "@/src", NULL, NULL, "one\ntwo\n"},
      {"/build/p/src/a.cu", 8, 2, "@/src/deep", NULL, NULL, "one\ntwo\n"},
      {"/build/p/src/a.cu", 8, 2, NULL, "@/bin/program", NULL, "one\ntwo\n"}, /* bin's neighbour */
      {"/build/p/src/a.cu", 8, 2, "@/other", "@/bin/program", NULL, "one\ntwo\n"},
      {"../p/src/a.cu", 8, 2, "@", NULL, NULL, "one\ntwo\n"},
      {"/build/p/src/a.cu", 0, 2, "@/src", NULL, NULL, NULL}, /* any a.cu may be another */
      {"/build/p/src/a.cu", 9, 2, "@/src", NULL, NULL, NULL},
      {"/build/p/src/b.cu", 8, 2, "@/src", NULL, NULL, NULL},
      {"/build/p/src/", 8, 0, "@/src", NULL, NULL, NULL},
      {"/build/p/src/ba.cu", 8, 2, "@/src", NULL, NULL, NULL},
      {"/whole/tree/c.cu", 2, 1, "@", NULL, NULL, "c\n"},
  };
  (void)state;
  folder_put("src/deep");
  folder_put("other");
  folder_put("bin");
  folder_put("whole/tree");
  file_put("whole/tree/c.cu", "c\n");
  file_put("src/a.cu", "one\ntwo\n");
  file_put("other/a.cu", "ONE\nTWO\n3\n");
  file_put("src/unended.cu", "1\n2");
  file_put("src/empty", "");
  char *path = str_printf("%s/src/binary", own_folder);
  assert_int_equal(file_write(path, "a\0b\n", 4, NULL), 0);
  free(path);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *names[] = {of(rows[i].name), of(rows[i].work), of(rows[i].program), of(rows[i].own)};
    char *text =
        source_text(&(struct source_wanted){names[0], rows[i].bytes, rows[i].last_line, names[1], names[2], names[3]});
    if (!text != !rows[i].want || (text && strcmp(text, rows[i].want) != 0))
      fail_msg("row %zu: %s", i, text ? text : "nothing");
    free(text);
    for (size_t k = 0; k < 4; k++)
      free(names[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(how_long_a_source_was),
      cmocka_unit_test(tables_that_cannot_be_read),
      cmocka_unit_test(where_a_source_is),
  };
  return cmocka_run_group_tests(tests, own_open, own_close);
}
