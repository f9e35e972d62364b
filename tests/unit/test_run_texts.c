/* Texts of sources that the machine of a run did not have. */
#include "base/file.h"
#include "base/text.h"
#include "run/run_texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/run-texts-XXXXXX";
static const char TEXT[] = "one\ntwo\nthree\n";

/* Written an hour before the run was made, or as many seconds later than then. */
static void put(const char *name, const char *text, long later_s) {
  static const time_t made = 1764189526; /* 2025-11-26T20:38:46Z */
  char *path = str_printf("%s/%s", folder, name);
  struct timespec at[2] = {{.tv_sec = made - 3600 + later_s}, {.tv_sec = made - 3600 + later_s}};
  assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
  assert_int_equal(utimensat(AT_FDCWD, path, at, 0), 0);
  free(path);
}

/* The text that a run has of a source after it was looked for; line: the last that code came from.  The caller frees it. */
static char *found(const char *name, const char *had, int line, const char *created) {
  struct run_line at = {0, line};
  struct run_instruction inst = {.lines = &at, .n_lines = 1};
  struct run_kernel kernel = {.sass = &inst, .n_sass = 1};
  struct run_module module = {.kernels = &kernel, .n_kernels = 1};
  struct run_source source = {str_copy(name), str_copy(had)};
  struct run r = {.created = (char *)created, .sources = &source, .n_sources = 1, .modules = &module, .n_modules = 1};
  char *path = str_printf("%s/run.json.gz", folder);
  run_texts_find(&r, path);
  free(path);
  free(source.name);
  return source.text;
}

static void where_texts_are(void **state) {
  (void)state;
  static const char WHEN[] = "2025-11-26T20:38:46Z";
  static const struct {
    const char *name, *had;
    int line;
    const char *created, *want;
  } cases[] = {
      {"gemv.cu", "", 3, WHEN, TEXT},
      {"@gemv.cu", "", 3, WHEN, TEXT}, /* the folder's, as an absolute path */
      {"gemv.cu", "", 4, WHEN, ""},    /* of fewer lines: another file */
      {"gemv.cu", "its own", 3, WHEN, "its own"},
      {"later.cu", "", 3, WHEN, ""}, /* written after the run */
      {"just.cu", "", 3, WHEN, TEXT},
      {"secret", "", 3, WHEN, ""}, /* no program's text */
      {"secret.txt", "", 3, WHEN, ""},
      {"absent.cu", "", 3, WHEN, ""},
      {"empty.cu", "", 0, WHEN, ""},
      {"gemv.cu", "", 3, "2025-11-26T20:38:46+01:00", ""}, /* when that is is not known */
      {"gemv.cu", "", 3, NULL, ""},
  };
  put("gemv.cu", TEXT, 0);
  put("later.cu", TEXT, 3601);
  put("just.cu", TEXT, 3600);
  put("secret", TEXT, 0);
  put("secret.txt", TEXT, 0);
  put("empty.cu", "", 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *name = cases[i].name;
    char *path = *name == '@' ? str_printf("%s/%s", folder, name + 1) : str_copy(name);
    char *text = found(path, cases[i].had, cases[i].line, cases[i].created);
    if (strcmp(text, cases[i].want) != 0)
      fail_msg("case %zu: %s has \"%s\"", i, path, text);
    free(text);
    free(path);
  }
}

/* A name that is not beside the run file is looked for where the program works. */
static void in_the_working_folder(void **state) {
  (void)state;
  char *old = getcwd(NULL, 0), *beside = str_printf("%s/below", folder);
  put("here.cu", TEXT, 0);
  assert_int_equal(file_mkdirs(beside, NULL), 0);
  assert_int_equal(chdir(folder), 0);
  struct run_source source = {str_copy("here.cu"), str_copy("")};
  struct run r = {.created = (char *)"2025-11-26T20:38:46Z", .sources = &source, .n_sources = 1};
  run_texts_find(&r, "below/run.json");
  assert_string_equal(source.text, TEXT);
  source.text[0] = 0;
  run_texts_find(&r, "run.json");
  assert_string_equal(source.text, TEXT);
  assert_int_equal(chdir(old), 0);
  free(old);
  free(beside);
  free(source.name);
  free(source.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(where_texts_are), cmocka_unit_test(in_the_working_folder)};
  if (!mkdtemp(folder))
    return 1;
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  char *clear = str_printf("rm -rf %s", folder);
  rc = system(clear) ? 1 : rc;
  free(clear);
  return rc;
}
