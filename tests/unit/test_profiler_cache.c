/* The compile cache: its key holds every ingredient of a cubin, and a damaged entry is no entry. */
#include "base/file.h"
#include "profiler/compile/toolchain.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_SIZE = 4096, ENTRY_MAX = 1 << 20 };

/* A folder of the test's own; the files that it makes there are removed by name. */
static char folder[PATH_SIZE];

static int make_folder(void **state) {
  (void)state;
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/nvfp4-test-cache.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  return rmdir(folder); /* fails where a test left a file behind */
}

static const char *in_folder(char path[PATH_SIZE + 64], const char *name) {
  snprintf(path, PATH_SIZE + 64, "%s/%s", folder, name);
  return path;
}

static void write_text(const char *name, const char *text) {
  char path[PATH_SIZE + 64];
  struct err e = {0};
  if (file_write(in_folder(path, name), text, strlen(text), &e))
    fail_msg("%s", e.text);
}

static void remove_text(const char *name) {
  char path[PATH_SIZE + 64];
  assert_int_equal(unlink(in_folder(path, name)), 0);
}

/* --- the key --- */

struct ingredients {
  struct rung_file files[3];
  const char *options[4];
  struct rung_set set;
  struct compile_unit unit;
  struct compile_settings settings;
  const char *nvrtc;
};

static void ingredients_base(struct ingredients *x) {
  *x = (struct ingredients){
      .files = {{"common/a.cuh", "int a;", true}, {"common/b.cuh", "int b;", true}, {"x.cu", "int other;", false}},
      .options = {"-DROWS=4", "-DK=64"},
      .nvrtc = "13.0",
  };
  x->set = (struct rung_set){.files = x->files, .n_files = 3};
  x->unit = (struct compile_unit){"cuda/1-x.cu", "void k();", x->options, 2};
  x->settings = (struct compile_settings){.arch = "sm_90a", .set = &x->set};
}

enum { KEY = 33 };

static void key_of(char key[KEY], const struct ingredients *x) {
  cache_key(key, &x->settings, &x->unit, x->nvrtc);
  assert_int_equal(strlen(key), KEY - 1);
  assert_int_equal(strspn(key, "0123456789abcdef"), KEY - 1);
}

static void each_ingredient_changes_the_key(void **state) {
  (void)state;
  enum { CASES = 17 };
  static char keys[CASES][KEY];
  struct ingredients x;
  for (int i = 0; i < CASES; i++) {
    ingredients_base(&x);
    switch (i) {
    case 0: /* as it is */
      break;
    case 1:
      x.unit.source = "void k() ;";
      break;
    case 2:
      x.unit.name = "cuda/2-x.cu"; /* it stands in the line information */
      break;
    case 3:
      x.options[0] = "-DROWS=5";
      break;
    case 4:
      x.unit.n_options = 1;
      break;
    case 5:
      x.options[0] = "-DK=64", x.options[1] = "-DROWS=4"; /* the last -D of a name wins: order matters */
      break;
    case 6:
      x.options[0] = "-DROWS=4-", x.options[1] = "DK=64"; /* "ab","c" is not "a","bc" */
      break;
    case 7:
      x.options[0] = "-DROWS=4-DK=64", x.options[1] = "";
      break;
    case 8:
      x.settings.arch = "sm_90";
      break;
    case 9:
      x.nvrtc = "13.1";
      break;
    case 10:
      x.files[0].text = "int a2;";
      break;
    case 11:
      x.files[1].text = "int b2;";
      break;
    case 12:
      x.files[0].name = "common/c.cuh";
      break;
    case 13:
      x.files[2].header = true;
      break;
    case 14: /* two strings more among the options, and the same two fewer among the headers */
      x.options[2] = "common/a.cuh", x.options[3] = "int a;";
      x.unit.n_options = 4;
      x.files[0].header = false;
      break;
    case 15:
      x.unit.n_options = 0;
      break;
    case 16:
      x.set.n_files = 0;
      break;
    }
    key_of(keys[i], &x);
    for (int j = 0; j < i; j++)
      if (strcmp(keys[i], keys[j]) == 0)
        fail_msg("cases %d and %d have the same key", j, i);
  }
}

static void ignore_progress(const char *phase, size_t done, size_t total, const char *name) {
  (void)phase, (void)done, (void)total, (void)name;
}

static void nothing_else_changes_the_key(void **state) {
  (void)state;
  struct ingredients x;
  char base[KEY], key[KEY];
  ingredients_base(&x);
  key_of(base, &x);
  x.settings.processes = 7;
  x.settings.sass = true;
  x.settings.cache_folder = "/elsewhere";
  x.settings.progress = ignore_progress;
  x.files[2].text = "another rung's source";
  x.files[2].name = "another-rung.cu";
  key_of(key, &x);
  assert_string_equal(key, base);
  char source[] = "void k();"; /* by value, not by address */
  x.unit.source = source;
  key_of(key, &x);
  assert_string_equal(key, base);
}

/* A kernel of the user's own may include files that lie beside it: NVRTC reads them, so the key must know them. */
static void files_that_it_includes_change_the_key(void **state) {
  (void)state;
  struct ingredients x;
  char path[PATH_SIZE + 64], key[5][KEY];
  char option[PATH_SIZE + 8];
  ingredients_base(&x);
  x.unit.name = in_folder(path, "mine.cu");
  x.unit.source = "// #include \"no.cuh\"\n  #  include \"side.cuh\" // here\n#include <cuda_fp16.h>\n"
                  "#include \"common/a.cuh\"\n#include \"absent.cuh\"\n#include \"unclosed.cuh\n#include";
  key_of(key[0], &x);
  write_text("side.cuh", "#include \"deep.cuh\"\n");
  key_of(key[1], &x);
  write_text("deep.cuh", "#define N 1\n#include \"side.cuh\"\n"); /* a circle must end */
  key_of(key[2], &x);
  write_text("deep.cuh", "#define N 2\n#include \"side.cuh\"\n");
  key_of(key[3], &x);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      assert_string_not_equal(key[i], key[j]);
  write_text("no.cuh", "no one includes it\n");
  write_text("unclosed.cuh", "nor this\n");
  key_of(key[4], &x);
  assert_string_equal(key[3], key[4]);

  /* From a source that lies elsewhere, only by an option. */
  ingredients_base(&x);
  x.unit.source = "#include <side.cuh>\n";
  snprintf(option, sizeof option, "-I%s", folder);
  x.options[1] = option;
  key_of(key[0], &x);
  write_text("deep.cuh", "#define N 3\n");
  key_of(key[1], &x);
  assert_string_not_equal(key[0], key[1]);
  x.options[1] = "-DK=64";
  key_of(key[2], &x);
  write_text("deep.cuh", "#define N 4\n");
  key_of(key[3], &x);
  assert_string_equal(key[2], key[3]);

  /* What a header of the set includes counts too; a header of the set hides a file of its name. */
  x.unit.name = in_folder(path, "mine.cu");
  x.unit.source = "#include \"common/a.cuh\"\n";
  x.files[0].text = "#include \"deep.cuh\"\n";
  key_of(key[0], &x);
  write_text("deep.cuh", "#define N 5\n");
  key_of(key[1], &x);
  assert_string_not_equal(key[0], key[1]);
  x.files[1].name = "deep.cuh";
  key_of(key[2], &x);
  write_text("deep.cuh", "#define N 6\n");
  key_of(key[3], &x);
  assert_string_equal(key[2], key[3]);

  static const char *const made[] = {"side.cuh", "deep.cuh", "no.cuh", "unclosed.cuh"};
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
    remove_text(made[i]);
}

/* --- entries --- */

static const char some_key[] = "00112233445566778899aabbccddeeff",
                  file_name[] = "00112233445566778899aabbccddeeff.entry";
static char cubin[] = "\177ELF\0with\0zeros\n";

static struct cache_entry an_entry(void) {
  return (struct cache_entry){
      .cubin = cubin, .log = "Used 3 registers\n", .sass = "NOP ;\n", .cubin_bytes = sizeof cubin - 1};
}

static void put_and_get(void **state) {
  (void)state;
  struct cache_entry in = an_entry(), out;
  struct err e = {0};
  assert_false(cache_get(folder, some_key, &out));
  assert_null(out.cubin);
  assert_int_equal(cache_put(folder, some_key, &in, &e), 0);
  assert_true(cache_get(folder, some_key, &out));
  assert_int_equal(out.cubin_bytes, sizeof cubin - 1);
  assert_memory_equal(out.cubin, cubin, sizeof cubin - 1);
  assert_string_equal(out.log, in.log);
  assert_string_equal(out.sass, in.sass);
  cache_entry_release(&out);
  assert_null(out.cubin);

  in.sass = NULL;
  in.log = "";
  assert_int_equal(cache_put(folder, some_key, &in, &e), 0);
  assert_true(cache_get(folder, some_key, &out));
  assert_null(out.sass);
  assert_string_equal(out.log, "");
  cache_entry_release(&out);
  remove_text(file_name);
}

static void no_folder_is_no_cache(void **state) {
  (void)state;
  struct cache_entry in = an_entry(), out;
  struct err e = {0};
  assert_int_equal(cache_put(NULL, some_key, &in, &e), 0);
  assert_false(cache_get(NULL, some_key, &out));
  assert_int_equal(cache_put("/no/such/folder", some_key, &in, &e), ERR_IO);
  assert_non_null(strstr(e.text, "/no/such/folder/"));
}

/* Every truncation, and every single byte that is not what it was. */
static void a_damaged_entry_is_none(void **state) {
  (void)state;
  char path[PATH_SIZE + 64], *whole = NULL;
  struct cache_entry in = an_entry(), out;
  struct err e = {0};
  size_t n = 0;
  assert_int_equal(cache_put(folder, some_key, &in, &e), 0);
  in_folder(path, file_name);
  assert_int_equal(file_read(path, ENTRY_MAX, &whole, &n, &e), 0);
  for (size_t kept = 0; kept < n; kept++) {
    assert_int_equal(file_write(path, whole, kept, &e), 0);
    if (cache_get(folder, some_key, &out))
      fail_msg("%zu of %zu bytes were taken for an entry", kept, n);
    assert_null(out.cubin);
  }
  for (size_t i = 0; i < n; i++) {
    whole[i] ^= 1;
    assert_int_equal(file_write(path, whole, n, &e), 0);
    if (cache_get(folder, some_key, &out))
      fail_msg("byte %zu of %zu was changed and not missed", i, n);
    whole[i] ^= 1;
  }
  whole[n] = 'x'; /* file_read has put a NUL there */
  assert_int_equal(file_write(path, whole, n + 1, &e), 0);
  assert_false(cache_get(folder, some_key, &out));
  assert_int_equal(file_write(path, whole, n, &e), 0);
  assert_true(cache_get(folder, some_key, &out));
  cache_entry_release(&out);
  free(whole);
  remove_text(file_name);
}

/* What is not taken does not stay in the way of what is compiled then. */
static void put_again(void) {
  struct cache_entry in = an_entry(), out;
  struct err e = {0};
  if (cache_put(folder, some_key, &in, &e))
    fail_msg("%s", e.text);
  assert_true(cache_get(folder, some_key, &out));
  cache_entry_release(&out);
}

/* What lies in the cache is loaded and run: a pipe is not waited for, and what others could have written is not taken. */
static void what_is_not_trusted(void **state) {
  (void)state;
  char path[PATH_SIZE + 64];
  struct cache_entry in = an_entry(), out;
  struct err e = {0};
  in_folder(path, file_name);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_false(cache_get(folder, some_key, &out));           /* it returns */
  assert_int_equal(cache_put(folder, some_key, &in, &e), 0); /* in its place */
  assert_true(cache_get(folder, some_key, &out));
  cache_entry_release(&out);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_false(cache_get(folder, some_key, &out));
  assert_int_equal(cache_put(folder, some_key, &in, &e), ERR_IO);
  assert_int_equal(rmdir(path), 0);

  mode_t before = umask(0);
  assert_int_equal(cache_put(folder, some_key, &in, &e), 0);
  umask(before);
  assert_true(cache_get(folder, some_key, &out));
  cache_entry_release(&out);
  assert_int_equal(chmod(path, 0666), 0);
  assert_false(cache_get(folder, some_key, &out));
  assert_true(cache_get_carried(folder, some_key, &out));
  cache_entry_release(&out);
  put_again();
  if (geteuid() == 0) {
    assert_int_equal(chown(path, 12345, (gid_t)-1), 0);
    assert_false(cache_get(folder, some_key, &out));
    put_again();
  }
  remove_text(file_name);

  char *own = cache_folder(folder);
  assert_non_null(own);
  free(own);
  assert_int_equal(chmod(folder, 0777), 0);
  assert_null(cache_folder(folder));
  assert_int_equal(chmod(folder, 0700), 0);
}

/* Three files of 1000 bytes, the second of them used last: under 2000 bytes the two others have gone by age. */
static void the_oldest_goes_first(void **state) {
  (void)state;
  static const struct {
    const char *name;
    long used_s;
  } files[] = {{"a.entry", 100}, {"b.entry", 300}, {"c.entry", 200}, {"d.entry.tmp.0", 100}, {"e.other", 50}};
  char path[PATH_SIZE + 64], text[1001];
  memset(text, 'x', 1000);
  text[1000] = 0;
  for (size_t i = 0; i < 5; i++) {
    write_text(files[i].name, text);
    struct timespec times[2] = {{.tv_sec = files[i].used_s}, {.tv_sec = files[i].used_s}};
    assert_int_equal(utimensat(AT_FDCWD, in_folder(path, files[i].name), times, 0), 0);
  }
  cache_trim(folder, 3000);
  assert_true(file_exists(in_folder(path, "a.entry")));
  assert_false(file_exists(in_folder(path, "d.entry.tmp.0")));
  cache_trim(folder, 2999);
  assert_false(file_exists(in_folder(path, "a.entry")));
  cache_trim(folder, 1000);
  assert_false(file_exists(in_folder(path, "c.entry")));
  remove_text("b.entry");
  remove_text("e.other");
  cache_trim("/no/such/folder", 0);
  cache_trim(NULL, 0);
}

/* --- the folder --- */

static void set_or_unset(const char *name, const char *value) {
  if (value)
    setenv(name, value, 1);
  else
    unsetenv(name);
}

static void check_folder(const char *asked, const char *own, const char *xdg, const char *home, const char *want) {
  char path[PATH_SIZE + 64];
  set_or_unset("NVFP4_CACHE", own);
  set_or_unset("XDG_CACHE_HOME", xdg);
  set_or_unset("HOME", home);
  char *got = cache_folder(asked);
  if (!want) {
    assert_null(got);
    return;
  }
  assert_non_null(got);
  assert_string_equal(got, in_folder(path, want));
  assert_int_equal(access(got, W_OK), 0);
  assert_int_equal(rmdir(got), 0);
  free(got);
}

static void where_the_cache_lies(void **state) {
  (void)state;
  static const char *const names[] = {"NVFP4_CACHE", "XDG_CACHE_HOME", "HOME"};
  char *kept[3], one[PATH_SIZE + 64], two[PATH_SIZE + 64], file[PATH_SIZE + 64], cache[PATH_SIZE + 64];
  for (int i = 0; i < 3; i++)
    kept[i] = str_copy(getenv(names[i]));
  in_folder(one, "one");
  in_folder(two, "two");
  check_folder(one, two, folder, folder, "one");
  check_folder(NULL, two, folder, folder, "two");
  check_folder(NULL, "", folder, two, "nvfp4-prof");
  check_folder(NULL, NULL, "", folder, ".cache/nvfp4-prof");
  assert_int_equal(rmdir(in_folder(cache, ".cache")), 0);
  check_folder(NULL, NULL, NULL, NULL, NULL);
  check_folder(NULL, NULL, NULL, two, NULL); /* a home that does not exist is not made */
  assert_false(file_exists(two));
  write_text("file", "not a folder");
  in_folder(file, "file/below");
  check_folder(file, two, folder, folder, NULL); /* what was asked for, or nothing */
  remove_text("file");
  for (int i = 0; i < 3; i++) {
    set_or_unset(names[i], kept[i]);
    free(kept[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_ingredient_changes_the_key),
      cmocka_unit_test(nothing_else_changes_the_key),
      cmocka_unit_test(files_that_it_includes_change_the_key),
      cmocka_unit_test(put_and_get),
      cmocka_unit_test(no_folder_is_no_cache),
      cmocka_unit_test(a_damaged_entry_is_none),
      cmocka_unit_test(what_is_not_trusted),
      cmocka_unit_test(the_oldest_goes_first),
      cmocka_unit_test(where_the_cache_lies),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
