/* Which variants a list names, what is left of a run, which files are runs. */
#include "base/text.h"
#include "run/run_files.h"
#include "run/run_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* cuda: 0-naive, 1-coalesced, 2-intrinsics, 2-side; control: read, null; wrong: nibbles, which must be refused.  Two shapes. */
#define GOLDEN TEST_SOURCE_DIR "/tests/golden/small.json"
enum { VARIANTS = 7 };

static const struct shape one = {7168, 16384, 1, ""}, eight = {4096, 7168, 8, ""}, other = {4096, 7168, 1, ""};

static void golden_load(struct run *r) {
  struct err e = {0};
  if (run_load(r, GOLDEN, &e))
    fail_msg("%s", e.text);
}

static void a_list_names(void **state) {
  (void)state;
  static const struct {
    const char *list, *kept; /* a letter per variant, in the run's order */
  } rows[] = {
      {"all", "xxxxxx."},
      {"cuda", "xxxx..."},
      {"cuda-1-coalesced", ".x....."},
      {"cuda-2-*", "..xx..."},
      {"cuda-?-naive", "x......"},
      {"control , wrong", "....xxx"},
      {"wrong-nibbles", "......x"},
      {"cuda-2-side,cuda-0-naive", "x..x..."},
      {"*", "xxxxxxx"},
  };
  struct run r;
  golden_load(&r);
  assert_int_equal(r.n_variants, VARIANTS);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    bool keep[VARIANTS] = {false};
    char kept[VARIANTS + 1] = "";
    struct err e = {0};
    if (run_select(&r, rows[k].list, keep, &e))
      fail_msg("%s", e.text);
    for (size_t i = 0; i < VARIANTS; i++)
      kept[i] = keep[i] ? 'x' : '.';
    assert_string_equal(kept, rows[k].kept);
  }
  bool keep[VARIANTS] = {true}; /* a selection adds */
  assert_int_equal(run_select(&r, "cuda-1-coalesced", keep, NULL), 0);
  assert_true(keep[0] && keep[1] && !keep[2]);
  run_release(&r);
}

/* The * of a pointer in a name that was given whole is no glob's: "f(float *, int) <2>" begins as "f(float *, int) <1>" does. */
static void a_whole_name_is_itself_alone(void **state) {
  (void)state;
  struct run_variant v[] = {{.id = (char *)"f(float *, int) <1>"},
                            {.id = (char *)"f(float *, int) <2>"},
                            {.id = (char *)"f(T *)"},
                            {.id = (char *)"f(T x)"}};
  const struct run r = {.variants = v, .n_variants = 4};
  bool keep[4] = {false};
  assert_int_equal(run_select(&r, "f(float *, int) <2>", keep, NULL), 0);
  assert_true(keep[1] && !keep[0] && !keep[2]);
  assert_int_equal(run_select(&r, "f(T *)", keep, NULL), 0);
  assert_true(keep[2] && !keep[3] && !keep[0]);
  assert_int_equal(run_select(&r, "f(T *", keep, NULL), 0); /* no name: a glob */
  assert_true(keep[3]);
}

static void a_name_may_hold_commas(void **state) {
  (void)state;
  struct run_variant v[] = {{.id = (char *)"scale<int, 4>"}, {.id = (char *)"scale"}, {.id = (char *)"<a,b,c>"}};
  const struct run r = {.variants = v, .n_variants = 3}, *runs[] = {&r};
  assert_true(run_filter_names("scale<int, 4>", &v[0]));
  assert_true(run_filter_names("scale, scale<int, 4>", &v[0]));
  assert_true(run_filter_names("<a,b,c>,scale", &v[2]));
  assert_false(run_filter_names("scale<int", &v[0]));
  assert_false(run_filter_names("scale<int, 4>", &v[1]));
  struct err e = {0};
  assert_int_equal(run_names_verify(runs, 1, "scale<int, 4>, <a,b,c> ,scale", &e), 0);
  assert_int_equal(run_names_verify(runs, 1, "<a,b,c>,scael,scale", &e), ERR_USAGE);
  assert_string_equal(e.text, "variant scael is not in the run; did you mean scale?");
}

/* A program's kernels go by the names that tables show, too; part of a name is answered with its glob. */
static void functions_of_cxx(void **state) {
  (void)state;
  struct run_variant v[] = {
      {.id = (char *)"void at::native::(anonymous namespace)::soft_max<4, float>(float *, int) <<<8x1x1, 32x1x1>>>",
       .ladder = (char *)"attached"},
      {.id = (char *)"void cutlass::Kernel2<cutlass_80_gemm>(cutlass_80_gemm::Params)", .ladder = (char *)"attached"},
      {.id = (char *)"gemv", .ladder = (char *)"attached"},
      {.id = (char *)"gemv <<<8x1x1, 32x1x1>>>", .ladder = (char *)"attached"},
      {.id = (char *)"gemm", .ladder = (char *)"ncu"},
      {.id = (char *)"dot", .ladder = (char *)"reduce"},
      {.id = (char *)"at::elementwise<4, at::MulFunctor<float>>", .ladder = (char *)"attached"},
  };
  const struct run r = {.variants = v, .n_variants = 6}, *runs[] = {&r};
  struct err e = {0};
  assert_true(run_filter_names("soft_max", &v[0]));
  assert_true(run_filter_names("elementwise: Mul", &v[6]) && run_filter_names("*: M*", &v[6]));
  assert_true(run_filter_names("elementwise", &v[6]));
  assert_false(run_filter_names("elementwise: Add", &v[6]));
  assert_true(run_filter_names("gemv,soft_*", &v[0]));
  assert_false(run_filter_names("soft", &v[0]));
  assert_false(run_filter_names("soft_max", &v[1]));
  assert_true(run_filter_names("cutlass_80_gemm", &v[1]));
  assert_true(run_filter_names("gemv", &v[2]) && run_filter_names("gemv", &v[3])); /* launched in two shapes */
  assert_true(run_filter_names("gemv <<<8x1x1, 32x1x1>>>", &v[3]));
  assert_false(run_filter_names("gemv <<<8x1x1, 32x1x1>>>", &v[2]));
  assert_int_equal(run_names_verify(runs, 1, "max", &e), ERR_USAGE);
  assert_string_equal(e.text, "variant max is not in the run; did you mean '*max*'?");
  assert_int_equal(run_names_verify(runs, 1, "soft_mxa", &e), ERR_USAGE);
  assert_string_equal(e.text, "variant soft_mxa is not in the run; did you mean soft_max?");
  assert_int_equal(run_names_verify(runs, 1, "nothing-like-it", &e), ERR_USAGE);
  assert_string_equal(
      e.text, "variant nothing-like-it is not in the run, which holds soft_max, cutlass_80_gemm, gemv, gemm, reduce");
  assert_int_equal(run_unknown(runs, 1, "ladder", "nothing-like-it", &e), ERR_USAGE);
  assert_string_equal(e.text, "ladder nothing-like-it is not in the run, which holds attached, ncu, reduce");
}

static void a_name_of_the_second_run(void **state) {
  (void)state;
  struct run_variant first = {.id = (char *)"sum-0"}, second = {.id = (char *)"max-0", .ladder = (char *)"reduce"};
  const struct run a = {.variants = &first, .n_variants = 1}, b = {.variants = &second, .n_variants = 1};
  const struct run *runs[] = {&a, &b};
  struct err e = {0};
  assert_int_equal(run_names_verify(runs, 2, "max-0", &e), 0);
  assert_int_equal(run_names_verify(runs, 1, "max-0", &e), ERR_USAGE);
  assert_string_equal(e.text, "variant max-0 is not in the run, which holds sum-0");
  struct run_variant many[10];
  char ids[10][8];
  for (int i = 0; i < 10; i++) {
    snprintf(ids[i], sizeof ids[i], "k%d", i / 9 ? 0 : i); /* the last goes by the first's name */
    many[i] = (struct run_variant){.id = ids[i]};
  }
  struct run c = {.variants = many, .n_variants = 8}, *of_eight[] = {&c};
  const struct run *const *one_run = (const struct run *const *)of_eight;
  assert_int_equal(run_unknown(one_run, 1, "variant", "nothing-like-it", &e), ERR_USAGE);
  assert_string_equal(e.text, "variant nothing-like-it is not in the run, which holds k0, k1, k2, k3, k4, k5, k6, k7");
  c.n_variants = 10;
  assert_int_equal(run_unknown(one_run, 1, "variant", "nothing-like-it", &e), ERR_USAGE);
  assert_string_equal(e.text,
                      "variant nothing-like-it is not in the run, which holds k0, k1, k2, k3, k4, k5, k6, k7, ...");
  assert_int_equal(run_unknown(runs, 2, "ladder", "redcue", &e), ERR_USAGE);
  assert_string_equal(e.text, "ladder redcue is not in the run; did you mean reduce?");
}

static void a_list_too_long(void **state) {
  (void)state;
  struct run_variant v = {.id = (char *)"x"};
  const struct run r = {.variants = &v, .n_variants = 1}, *runs[] = {&r};
  char list[2 * 257] = "";
  for (int i = 0; i < 257; i++)
    memcpy(list + 2 * i, i < 256 ? "x," : "x", i < 256 ? 3 : 2);
  struct err e = {0};
  assert_int_equal(run_names_verify(runs, 1, list, &e), ERR_USAGE);
  assert_string_equal(e.text, "a list of more than 256 names; a glob names many");
  assert_false(run_filter_names(list, &v));
  list[2 * 256 - 1] = '\0'; /* 256 of them */
  assert_int_equal(run_names_verify(runs, 1, list, &e), 0);
}

static void a_part_of_a_run(void **state) {
  (void)state;
  struct run r;
  struct err e = {0};
  golden_load(&r);
  assert_int_equal(run_filter(&r, "cuda-2-side", (struct shape[]){eight}, 1, &e), 0);
  static const char *const left[] = {"cuda-2-side", "control-read", "control-null"};
  assert_int_equal(r.n_variants, 3);
  assert_int_equal(r.n_results, 3);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(r.variants[i].id, left[i]);
    assert_int_equal(r.results[i].variant, i);
    assert_true(shape_equal(r.results[i].shape, eight));
  }
  assert_non_null(run_result_find(&r, "control-null", eight));
  assert_null(run_result_find(&r, "control-null", one));
  run_release(&r);

  golden_load(&r); /* all: those that must be refused too */
  assert_int_equal(run_filter(&r, "all", (struct shape[]){one, eight}, 2, &e), 0);
  assert_int_equal(r.n_variants, 7);
  assert_int_equal(r.n_results, 14);
  assert_int_equal(run_filter(&r, "cuda", NULL, 0, &e), 0); /* and the controls, at both shapes */
  assert_int_equal(r.n_variants, 6);
  assert_int_equal(r.n_results, 12);
  run_release(&r);
}

static void a_shape_that_was_not_measured(void **state) {
  (void)state;
  struct run r;
  struct err e = {0};
  golden_load(&r);
  assert_int_equal(run_filter(&r, "cuda", (struct shape[]){one, other}, 2, &e), ERR_USAGE);
  assert_string_equal(e.text, "--shape 4096x7168x1 is not in the run: it was not measured");
  assert_int_equal(run_filter(&r, "cuda-1-coalecsed", NULL, 0, &e), ERR_USAGE);
  assert_string_equal(e.text, "variant cuda-1-coalecsed is not in the run; did you mean cuda-1-coalesced?");
  assert_int_equal(r.n_results, 14);
  run_release(&r);
}

static void a_note_stands_once(void **state) {
  (void)state;
  struct run r = {0};
  run_note(&r, "no counters");
  run_note(&r, "no clocks");
  run_note(&r, "no counters");
  assert_int_equal(r.n_notes, 2);
  assert_string_equal(r.notes[0], "no counters");
  assert_string_equal(r.notes[1], "no clocks");
  run_release(&r);
}

/* --- files --- */

static void make(const char *folder, const char *name, bool is_folder) {
  char *path = str_printf("%s/%s", folder, name);
  FILE *f = is_folder ? NULL : fopen(path, "w");
  if (is_folder ? mkdir(path, 0700) != 0 : !f || fclose(f) != 0)
    fail_msg("%s", path);
  free(path);
}

static void unmake(const char *folder, const char *name) {
  char *path = str_printf("%s/%s", folder, name);
  assert_int_equal(remove(path), 0);
  free(path);
}

static void run_files_of_a_folder(void **state) {
  (void)state;
  static const char *const names[] = {"z.json",   "b.json.gz",  "notes.txt",       "findings.json", ".hidden.json",
                                      "a",        "a/run.json", "a/findings.json", "a/deeper",      "a/deeper/run.json",
                                      "c.json.d", ".git",       ".git/run.json"};
  enum { NAMES = sizeof names / sizeof *names };
  static const bool is_folder[NAMES] = {[5] = true, [8] = true, [11] = true};
  static const char *const found[] = {"a/run.json", "b.json.gz", "z.json"};
  char folder[] = "/tmp/test_run_filter.XXXXXX";
  assert_non_null(mkdtemp(folder));
  struct run_files files;
  struct err e = {0};
  char *words[] = {folder, (char *)"elsewhere.txt"};
  assert_int_equal(run_files_find(&files, words, 1, &e), ERR_MACHINE);
  run_files_release(&files);
  for (size_t i = 0; i < NAMES; i++)
    make(folder, names[i], is_folder[i]);
  assert_int_equal(run_files_find(&files, words, 2, &e), 0);
  assert_int_equal(files.n, 4);
  for (size_t i = 0; i < 3; i++)
    assert_string_equal(files.items[i] + strlen(folder) + 1, found[i]);
  assert_string_equal(files.items[3], "elsewhere.txt"); /* a word that is no folder is a file, whatever it is called */
  run_files_release(&files);
  assert_int_equal(run_files_find(&files, NULL, 0, &e), ERR_MACHINE);
  assert_string_equal(e.text, "nothing holds no run file (*.json, *.json.gz)");
  for (size_t i = NAMES; i-- > 0;)
    unmake(folder, names[i]);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_list_names),
      cmocka_unit_test(a_name_may_hold_commas),
      cmocka_unit_test(a_whole_name_is_itself_alone),
      cmocka_unit_test(functions_of_cxx),
      cmocka_unit_test(a_name_of_the_second_run),
      cmocka_unit_test(a_list_too_long),
      cmocka_unit_test(a_part_of_a_run),
      cmocka_unit_test(a_shape_that_was_not_measured),
      cmocka_unit_test(a_note_stands_once),
      cmocka_unit_test(run_files_of_a_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
