/* What a run file is read by, at its edges: names of packed files, shapes that one result has, names that end alike. */
#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "run/gunzip.h"
#include "run/run_filter.h"
#include "run/run_part.h"
#include "run/run_slim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "demangled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void names_of_packed_files(void **state) {
  (void)state;
  assert_true(gzip_wanted("a.gz"));
  assert_true(gzip_wanted("folder/run.json.gz"));
  assert_false(gzip_wanted(".gz"));
  assert_false(gzip_wanted("gz"));
  assert_false(gzip_wanted(""));
  assert_false(gzip_wanted("a.gz.json"));
}

/* A run that was packed is found by its own name; what is there by that name, or is packed already, is taken as it is. */
static void a_packed_file_beside(void **state) {
  char folder[] = "/tmp/nvfp4-beside-XXXXXX", path[64], packed[64];
  struct err e = {0};
  (void)state;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/run.json", folder);
  snprintf(packed, sizeof packed, "%s/run.json.gz", folder);
  assert_null(run_file_beside(path));
  assert_int_equal(file_write(packed, "x", 1, &e), 0);
  char *found = run_file_beside(path);
  assert_string_equal(found, packed);
  free(found);
  assert_null(run_file_beside(packed));
  assert_int_equal(file_write(path, "x", 1, &e), 0);
  assert_null(run_file_beside(path));
  unlink(path);
  unlink(packed);
  rmdir(folder);
}

/* Of the golden run the first result alone gets another shape. */
static void a_shape_of_the_first_result(void **state) {
  static const struct shape asked = {64, 64, 1, ""};
  struct run r;
  struct err e = {0};
  (void)state;
  assert_int_equal(run_load(&r, TEST_SOURCE_DIR "/tests/golden/small.json", &e), 0);
  r.results[0].shape = asked;
  if (run_filter(&r, "all", &asked, 1, &e) != 0)
    fail_msg("%s", e.text);
  assert_int_equal(r.n_results, 1);
  assert_int_equal(run_filter(&r, "all", &(struct shape){65, 64, 1, ""}, 1, &e), ERR_USAGE);
  assert_string_equal(e.text, "--shape 65x64x1 is not in the run: it was not measured");
  run_release(&r);
}

/* A file from when ids were cut after 120 characters: "f<aa...a, float>" of 130 a's has its "float" again, behind its range and before its grid; another name is
 * left alone. */
static void an_id_that_was_cut(void **state) {
  static const struct {
    const char *range, *before, *letter, *behind;
    bool whole;
  } rows[] = {
      {NULL, "", "a", "", true}, {"fwd", "fwd/", "a", " <<<8x1x1, 32x1x1>>>", true}, {NULL, "", "b", "", false}};
  static const char path[] = "edges-cut.json";
  char a[131] = "", mangled[192];
  struct run r;
  struct err e = {0};
  (void)state;
  skip_without_demangler();
  memset(a, 'a', 130);
  snprintf(mangled, sizeof mangled, "_Z1fI130%sfEvT_", a);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(run_load(&r, TEST_SOURCE_DIR "/tests/golden/small.json", &e), 0);
    struct run_variant *v = &r.variants[0];
    free(v->id);
    v->id = str_printf("%sf<%s%.117s...%s", rows[i].before, rows[i].letter, a, rows[i].behind);
    *(struct run_key *)array_add(&v->keys, &v->n_keys, sizeof *v->keys) =
        (struct run_key){str_copy("kernel"), str_copy(mangled)};
    if (rows[i].range)
      *(struct run_key *)array_add(&v->keys, &v->n_keys, sizeof *v->keys) =
          (struct run_key){str_copy("range"), str_copy(rows[i].range)};
    char *want = rows[i].whole ? str_printf("%sf<%s, float>%s", rows[i].before, a, rows[i].behind) : str_copy(v->id);
    assert_int_equal(run_save(&r, path, &e), 0);
    run_release(&r);
    assert_int_equal(run_load(&r, path, &e), 0);
    assert_string_equal(r.variants[0].id, want);
    free(want);
    run_release(&r);
  }
  unlink(path);
}

static struct run of_sources(const char *const files[][2], size_t n) {
  struct run r = {.n_sources = n, .command = str_copy("profile")};
  r.sources = calloc(n, sizeof *r.sources);
  r.variants = calloc(1, sizeof *r.variants);
  assert_true(r.sources && r.variants);
  for (size_t i = 0; i < n; i++)
    r.sources[i] = (struct run_source){str_copy(files[i][0]), str_copy(files[i][1])};
  r.variants[r.n_variants++] = (struct run_variant){.id = str_copy("my"), .file = str_copy(files[0][0])};
  return r;
}

/* "max.h" is no include of "x.h", and a file that is named without quotes is none. */
static void includes_of_names_that_end_alike(void **state) {
  static const char *const files[][2] = {
      {"my.cu", "#include \"max.h\"\n// see y.h\n#include <z.h>\n#include \"../w.h\"\n#include \"a/v.h\"\n"},
      {"x.h", ""},
      {"y.h", ""},
      {"z.h", ""},
      {"w.h", ""},
      {"v.h", ""}};
  struct run r = of_sources(files, 6);
  (void)state;
  run_sources_used(&r);
  assert_int_equal(r.n_sources, 3);
  assert_string_equal(r.sources[0].name, "my.cu");
  assert_string_equal(r.sources[1].name, "z.h");
  assert_string_equal(r.sources[2].name, "w.h");
  run_release(&r);
}

/* What is saved is laid out as the golden run is, line by line; packed it is the same text. */
static void a_saved_run_is_its_file_again(void **state) {
  static const char golden[] = TEST_SOURCE_DIR "/tests/golden/small.json", *const names[] = {"edges.json",
                                                                                             "edges.json.gz"};
  char *want = NULL;
  size_t n_want = 0;
  struct run r;
  struct err e = {0};
  (void)state;
  assert_int_equal(run_load(&r, golden, &e), 0);
  assert_int_equal(file_read(golden, 1 << 24, &want, &n_want, &e), 0);
  for (size_t i = 0; i < 2; i++) {
    char *saved = NULL, *text = NULL;
    size_t n_saved = 0, n = 0;
    if (run_save(&r, names[i], &e) != 0 || file_read(names[i], 1 << 24, &saved, &n_saved, &e) != 0)
      fail_msg("%s", e.text);
    assert_int_equal(gunzip_is(saved, n_saved), i);
    if (i)
      assert_int_equal(gunzip(saved, n_saved, 1 << 24, &text, &n, &e), 0);
    assert_int_equal(i ? n : n_saved, n_want);
    assert_memory_equal(i ? text : saved, want, n_want);
    free(saved);
    free(text);
    unlink(names[i]);
  }
  free(want);
  run_release(&r);
}

/* Cut short at any byte, followed by something else, or larger than it may be. */
static void packed_text_that_is_damaged(void **state) {
  static const char text[] = "a text that is packed, a text that is packed, and unpacked again";
  char *packed = NULL, *back = NULL, with_rest[256];
  size_t n = 0, n_back = 0;
  struct err e = {0};
  (void)state;
  assert_int_equal(gzip_pack(text, sizeof text - 1, &packed, &n, &e), 0);
  assert_in_range(n, 20, 200);
  for (size_t cut = 0; cut < n; cut++) {
    assert_int_equal(gunzip(packed, cut, 1000, &back, &n_back, &e), ERR_DATA);
    assert_non_null(strstr(e.text, "its gzip data ends too early, "));
    assert_null(back);
  }
  memcpy(with_rest, packed, n);
  static const char rest[] = {'r', 'e', 's', 't'};
  memcpy(with_rest + n, rest, sizeof rest);
  assert_int_equal(gunzip(with_rest, n + 4, 1000, &back, &n_back, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "4 bytes that are not gzip's follow its gzip data"));
  memcpy(with_rest + n, packed, n); /* two in a row are one text */
  assert_int_equal(gunzip(with_rest, 2 * n, 1000, &back, &n_back, &e), 0);
  assert_int_equal(n_back, 2 * (sizeof text - 1));
  free(back);
  back = NULL;
  assert_int_equal(gunzip(packed, n, sizeof text - 1, &back, &n_back, &e), 0);
  assert_string_equal(back, text);
  free(back);
  back = NULL;
  assert_int_equal(gunzip(packed, n, sizeof text - 2, &back, &n_back, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "it inflates to more than the 63 bytes that a run may have"));
  free(packed);
}

static void a_part_of_a_run(void **state) {
  bool keep[7] = {[0] = true, [2] = true, [6] = true};
  struct run r, part;
  struct err e = {0};
  size_t results = 0;
  (void)state;
  assert_int_equal(run_load(&r, TEST_SOURCE_DIR "/tests/golden/small.json", &e), 0);
  assert_int_equal(r.n_variants, 7);
  for (size_t i = 0; i < r.n_results; i++)
    results += keep[r.results[i].variant];
  run_part_make(&part, &r, keep, "the rest was left out");
  assert_int_equal(part.n_variants, 3);
  assert_string_equal(part.variants[0].id, r.variants[0].id);
  assert_string_equal(part.variants[1].id, r.variants[2].id);
  assert_string_equal(part.variants[2].id, r.variants[6].id);
  assert_int_equal(part.n_results, results);
  for (size_t i = 0, k = 0; i < r.n_results; i++)
    if (keep[r.results[i].variant]) {
      assert_string_equal(part.variants[part.results[k].variant].id, r.variants[r.results[i].variant].id);
      assert_ptr_equal(part.results[k].metrics, r.results[i].metrics);
      k++;
    }
  assert_int_equal(part.n_notes, r.n_notes + 1);
  assert_string_equal(part.notes[0], r.notes[0]);
  assert_string_equal(part.notes[r.n_notes], "the rest was left out");
  run_part_release(&part);
  assert_null(part.variants);
  run_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_packed_files),
      cmocka_unit_test(a_packed_file_beside),
      cmocka_unit_test(a_shape_of_the_first_result),
      cmocka_unit_test(an_id_that_was_cut),
      cmocka_unit_test(includes_of_names_that_end_alike),
      cmocka_unit_test(a_saved_run_is_its_file_again),
      cmocka_unit_test(packed_text_that_is_damaged),
      cmocka_unit_test(a_part_of_a_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
