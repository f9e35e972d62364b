/* The set of rungs: order, parents, selection, folders. */
#include "kernels/rung.h"

#include "base/file.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct row {
  const char *file, *id, *ladder, *parent;
  bool side;
};

static void row_add(struct rung_set *set, const struct row *r) {
  struct err e = {0};
  struct text t = {0};
  text_printf(&t, "//! id: %s\n//! ladder: %s\n//! step: kernel = k; grid = 1; block = 32\n", r->id, r->ladder);
  if (r->parent)
    text_printf(&t, "//! change: x\n//! parent: %s\n", r->parent);
  if (r->side)
    text_add(&t, "//! side: yes\n");
  int rc = rung_set_add(set, r->file, text_str(&t), &e);
  text_release(&t);
  assert_int_equal(rc, 0);
}

static const struct row ladders[] = {
    {"wrong/nibbles.cu", "wrong-nibbles", "wrong", NULL, false},
    {"control/read.cu", "control-read", "control", NULL, false},
    {"zebra/0.cu", "zebra-0", "zebra", NULL, false},
    {"cuda/0-naive.cu", "cuda-0-naive", "cuda", NULL, false},
    {"cuda/10-last.cu", "cuda-10-last", "cuda", "cuda-6-fused", false},
    {"cuda/5-ilp2.cu", "cuda-5-ilp2", "cuda", "cuda-0-naive", false},
    {"cuda/5-ilp3.cu", "cuda-5-ilp3", "cuda", "cuda-5-ilp2", true},
    {"cuda/5-ilp10.cu", "cuda-5-ilp10", "cuda", "cuda-5-ilp2", true},
    {"cuda/6-fused.cu", "cuda-6-fused", "cuda", "cuda-5-ilp2", false},
    {"cuda/5-ilp3b.cu", "cuda-5-ilp3b", "cuda", "cuda-5-ilp3", true},
    {"alpha/0.cu", "alpha-0", "alpha", NULL, false},
    {"ours/0.cu", "ours-0", "ours", NULL, false},
    {"top/0.cu", "top-0", "top", NULL, false},
    {"attempts/0.cu", "attempts-0", "attempts", NULL, false},
    {"cute/0.cu", "cute-0", "cute", NULL, false},
};
enum { LADDERS = sizeof ladders / sizeof *ladders };

static void ladders_make(struct rung_set *set) {
  for (size_t i = 0; i < LADDERS; i++)
    row_add(set, &ladders[i]);
}

static void ladders_are_ordered(void **state) {
  (void)state;
  static const char *const want[LADDERS] = {"cuda-0-naive", "cuda-5-ilp2",  "cuda-5-ilp3",  "cuda-5-ilp3b",
                                            "cuda-5-ilp10", "cuda-6-fused", "cuda-10-last", "cute-0",
                                            "attempts-0",   "top-0",        "ours-0",       "alpha-0",
                                            "zebra-0",      "control-read", "wrong-nibbles"};
  struct rung_set set = {0};
  struct err e = {0};
  ladders_make(&set);
  for (int again = 0; again < 2; again++) {
    assert_int_equal(rung_set_finish(&set, &e), 0);
    assert_int_equal(set.n, LADDERS);
    for (size_t i = 0; i < LADDERS; i++)
      assert_string_equal(set.rungs[i].id, want[i]);
  }
  assert_string_equal(rung_find(&set, "top-0")->file, "top/0.cu");
  assert_null(rung_find(&set, "top-1"));
  rung_set_release(&set);
}

static void families_are_checked(void **state) {
  (void)state;
  static const struct {
    struct row rows[4];
    const char *says;
  } cases[] = {
      {{{"a.cu", "x", "l", NULL, false}, {"b.cu", "x", "l", NULL, false}},
       "b.cu:1: id: x is taken by a.cu:1; choose another"},
      {{{"a.cu", "cuda-0", "l", NULL, false}, {"b.cu", "y", "l", "cuda-9", false}},
       "b.cu:5: parent: unknown rung 'cuda-9'; did you mean 'cuda-0'?"},
      {{{"a.cu", "abcdefgh", "l", NULL, false}, {"b.cu", "y", "l", "zzzzzz", false}},
       "b.cu:5: parent: unknown rung 'zzzzzz'; name the id of a rung of the ladder l"},
      {{{"a.cu", "x", "l", NULL, false}, {"b.cu", "y", "m", "x", false}},
       "b.cu:5: parent: x stands on the ladder l, this rung on m; name one of its own ladder"},
      {{{"a.cu", "x", "l", "x", false}}, "a.cu:5: parent: the parents run in a circle: x -> x; take one away"},
      /* foot is sound; below hangs from the circle of x and y and is not on it */
      {{{"a.cu", "foot", "l", NULL, false},
        {"b.cu", "below", "l", "x", false},
        {"c.cu", "x", "l", "y", false},
        {"d.cu", "y", "l", "x", false}},
       "d.cu:5: parent: the parents run in a circle: y -> x -> y; take one away"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    for (size_t j = 0; j < 4 && cases[i].rows[j].id; j++)
      row_add(&set, &cases[i].rows[j]);
    assert_int_equal(rung_set_finish(&set, &e), ERR_DATA);
    assert_string_equal(e.text, cases[i].says);
    rung_set_release(&set);
  }
}

static void lists_select(void **state) {
  (void)state;
  static const struct {
    const char *list;
    size_t n;
    const char *first, *last;
  } cases[] = {
      {"all", LADDERS - 1, "cuda-0-naive", "control-read"},
      {"cuda", 7, "cuda-0-naive", "cuda-10-last"},
      {"cuda-5-ilp2", 1, "cuda-5-ilp2", "cuda-5-ilp2"},
      {"cuda-5-*", 4, "cuda-5-ilp2", "cuda-5-ilp10"},
      {" top , cuda-?-fused ", 2, "cuda-6-fused", "top-0"},
      {"wrong", 1, "wrong-nibbles", "wrong-nibbles"},
      {"all,wrong-nibbles", LADDERS, "cuda-0-naive", "wrong-nibbles"},
  };
  struct rung_set set = {0};
  struct err e = {0};
  bool chosen[LADDERS];
  ladders_make(&set);
  assert_int_equal(rung_set_finish(&set, &e), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *first = NULL, *last = NULL;
    size_t n = 0;
    memset(chosen, true, sizeof chosen);
    assert_int_equal(rung_select(&set, cases[i].list, chosen, &e), 0);
    for (size_t j = 0; j < LADDERS; j++) {
      if (!chosen[j])
        continue;
      n++;
      last = set.rungs[j].id;
      first = first ? first : last;
    }
    assert_int_equal(n, cases[i].n);
    assert_string_equal(first, cases[i].first);
    assert_string_equal(last, cases[i].last);
  }
  assert_int_equal(rung_select(&set, "cuda-9", chosen, &e), ERR_USAGE);
  assert_string_equal(e.text, "unknown variant 'cuda-9'; nearest is cuda-0-naive; nvfp4-prof list shows all");
  assert_int_equal(rung_select(&set, "cud", chosen, &e), ERR_USAGE);
  assert_string_equal(e.text, "unknown variant 'cud'; nearest is cuda; nvfp4-prof list shows all");
  assert_int_equal(rung_select(&set, "top-0,cuda-5-ilp9", chosen, &e), ERR_USAGE);
  assert_string_equal(e.text, "unknown variant 'cuda-5-ilp9'; nearest is cuda-5-ilp2; nvfp4-prof list shows all");
  assert_int_equal(rung_select(&set, "@@@@@@@@", chosen, &e), ERR_USAGE);
  assert_string_equal(e.text, "unknown variant '@@@@@@@@'; nvfp4-prof list shows all");
  assert_int_equal(rung_select(&set, "top,,cuda", chosen, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "an empty name in the list of variants 'top,,cuda'"));
  assert_int_equal(rung_select(&set, "", chosen, &e), ERR_USAGE);
  rung_set_release(&set);
}

/* --- folders --- */

struct folder {
  char *path;
};

static void folder_make(struct folder *f) {
  const char *place = getenv("TMPDIR");
  f->path = str_printf("%s/nvfp4-prof-test-XXXXXX", place ? place : P_tmpdir);
  assert_non_null(mkdtemp(f->path));
}

static void folder_write(const struct folder *f, const char *name, const char *text, size_t n) {
  char *path = str_printf("%s/%s", f->path, name), *slash = strrchr(path, '/');
  struct err e = {0};
  *slash = '\0';
  assert_int_equal(file_mkdirs(path, &e), 0);
  *slash = '/';
  assert_int_equal(file_write(path, text, n, &e), 0);
  free(path);
}

static void folder_remove(const struct folder *f) {
  char *command = str_printf("rm -rf '%s'", f->path);
  assert_int_equal(system(command), 0);
  free(command);
}

static void folders_load(void **state) {
  (void)state;
  static const char one[] = "//! id: one\n//! ladder: l\n//! step: kernel = k; grid = 1; block = 1\n";
  static const char two[] = "//! id: two\n//! ladder: l\n//! parent: one\n//! change: x\n"
                            "//! step: kernel = k; grid = 1; block = 1\n";
  struct folder f;
  struct rung_set set = {0};
  struct err e = {0};
  folder_make(&f);
  folder_write(&f, "l/1.cu", two, strlen(two));
  folder_write(&f, "l/2.cu", one, strlen(one));
  folder_write(&f, "common/decode.cuh", "int x;", 6);
  folder_write(&f, "README.md", "no kernel", 9);
  assert_int_equal(rung_set_load(&set, f.path, &e), 0);
  assert_int_equal(set.n, 2);
  assert_string_equal(set.rungs[0].id, "one");
  assert_string_equal(set.rungs[0].file, "l/2.cu");
  assert_int_equal(set.n_files, 3);
  assert_string_equal(set.files[0].name, "common/decode.cuh");
  assert_true(set.files[0].header);
  assert_string_equal(set.files[1].name, "l/1.cu");
  assert_string_equal(set.files[2].name, "l/2.cu");
  rung_set_release(&set);

  folder_write(&f, "l/3.cu", "x\0y", 3);
  assert_int_equal(rung_set_load(&set, f.path, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "l/3.cu: holds a zero byte"));
  rung_set_release(&set);
  folder_write(&f, "l/3.cu", "int x;\n", 7);
  assert_int_equal(rung_set_load(&set, f.path, &e), ERR_DATA);
  assert_string_equal(e.text,
                      "l/3.cu: no front matter; begin the file with `//! id: NAME`, `//! ladder: NAME` and "
                      "`//! step: ...` (nvfp4-prof new NAME writes an example); nvfp4-prof diagnose l/3.cu reads its "
                      "code alone");
  rung_set_release(&set);
  folder_remove(&f);
  free(f.path);
}

static void folders_fail(void **state) {
  (void)state;
  struct folder f;
  struct rung_set set = {0};
  struct err e = {0};
  folder_make(&f);
  folder_write(&f, "a.cuh", "int x;", 6);
  assert_int_equal(rung_set_load(&set, f.path, &e), ERR_DATA);
  assert_non_null(strstr(e.text, ": holds no .cu file; name the folder that holds the kernels"));
  rung_set_release(&set);
  char *path = str_printf("%s/a.cuh", f.path);
  assert_int_equal(rung_set_load(&set, path, &e), ERR_IO);
  assert_non_null(strstr(e.text, "a.cuh: is a file; name the folder that holds it"));
  free(path);
  folder_remove(&f);
  assert_int_equal(rung_set_load(&set, f.path, &e), ERR_IO);
  assert_non_null(strstr(e.text, "No such file or directory"));
  rung_set_release(&set);
  free(f.path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ladders_are_ordered), cmocka_unit_test(families_are_checked), cmocka_unit_test(lists_select),
      cmocka_unit_test(folders_load),        cmocka_unit_test(folders_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
