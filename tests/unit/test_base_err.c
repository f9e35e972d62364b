#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/shape.h"
#include "base/text.h"

/* --- err --- */

static void err_set_stores_code_and_text(void **state) {
  (void)state;
  struct err e = {0};
  assert_int_equal(err_set(&e, ERR_IO, "%s: %d", "run.json", 7), ERR_IO);
  assert_int_equal(e.code, ERR_IO);
  assert_string_equal(e.text, "run.json: 7");
  assert_int_equal(err_nomem(&e, "a kernel"), ERR_NOMEM);
  assert_string_equal(e.text, "out of memory for a kernel");
}

static void err_context_goes_in_front(void **state) {
  (void)state;
  struct err e = {0};
  err_set(&e, ERR_GPU, "cuModuleLoadData: invalid image");
  assert_int_equal(err_context(&e, "%dx%d", 7168, 2048), ERR_GPU);
  assert_int_equal(err_context(&e, "cuda-3-ptx"), ERR_GPU);
  assert_string_equal(e.text, "cuda-3-ptx: 7168x2048: cuModuleLoadData: invalid image");
}

static void err_arguments_may_be_the_old_text(void **state) {
  (void)state;
  struct err e = {0};
  err_set(&e, ERR_DATA, "inner");
  err_set(&e, ERR_IO, "outer (%s)", e.text);
  assert_string_equal(e.text, "outer (inner)");
}

static void err_null_keeps_failing(void **state) {
  (void)state;
  assert_int_equal(err_set(NULL, ERR_USAGE, "x"), ERR_USAGE);
  assert_true(err_context(NULL, "x") < 0);
  assert_int_equal(err_nomem(NULL, "x"), ERR_NOMEM);
}

static void err_long_text_is_cut_between_characters(void **state) {
  (void)state;
  struct err e = {0};
  char big[4001];
  for (size_t i = 0; i < 4000; i += 2)
    memcpy(big + i, "µ", 2);
  big[4000] = '\0';
  /* 2047 bytes hold 1023 whole characters of two bytes. */
  err_set(&e, ERR_IO, "%s", big);
  assert_int_equal(strlen(e.text), 2046);
  /* Shifted by one byte they fill the text to the last one. */
  err_set(&e, ERR_IO, "x%s", big);
  assert_int_equal(strlen(e.text), 2047);
  /* "ab: x" leaves 2042 bytes, which are 1021 characters. */
  err_context(&e, "ab");
  assert_int_equal(strlen(e.text), 2047);
  assert_memory_equal(e.text, "ab: xµ", 7);
}

/* --- shape --- */

static void shape_reads_and_writes(void **state) {
  (void)state;
  static const char *const same[] = {"7168x16384x1", "7168X16384X1", "7168×16384×1", "07168x16384x01"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    struct shape s = {0};
    struct err e = {0};
    char buffer[SHAPE_TEXT_MAX];
    assert_int_equal(shape_parse(&s, same[i], &e), 0);
    assert_true(shape_equal(s, (struct shape){.m = 7168, .k = 16384, .l = 1}));
    assert_string_equal(shape_text(s, buffer), "7168x16384x1");
  }
  assert_false(shape_equal((struct shape){1, 64, 1}, (struct shape){1, 64, 2}));
  assert_false(shape_equal((struct shape){1, 64, 1}, (struct shape){2, 64, 1}));
  assert_false(shape_equal((struct shape){1, 64, 1}, (struct shape){1, 128, 1}));
}

static void shape_refuses(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"", "M must be a whole number"},
      {"7168", "expected 'x' and K"},
      {"7168x64", "expected 'x' and L"},
      {"7168xx1", "K must be a whole number"},
      {"-1x64x1", "M must be a whole number"},
      {" 1x64x1", "M must be a whole number"},
      {"1x64x1.5", "'.5' follows L"},
      {"1x64x1x1", "'x1' follows L"},
      {"0x64x1", "M must be between 1 and 16777216"},
      {"1x0x1", "K must be between 64 and 16777216"},
      {"1x32x1", "K must be between 64 and 16777216"},
      {"1x100x1", "K must be a multiple of 64; the nearest are 64 and 128"},
      {"1x64x0", "L must be between 1 and 16777216"},
      {"16777217x64x1", "M must be between 1 and 16777216"},
      {"99999999999999999999999999x64x1", "M must be between 1 and 16777216"},
      {"16777216x16777216x16777216", "M*K*L must be at most 17179869184"},
      {"16777216x1024x2", "M*K*L must be at most 17179869184"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct shape s = {.m = 5};
    struct err e = {0};
    assert_int_equal(shape_parse(&s, cases[i].text, &e), ERR_USAGE);
    if (!strstr(e.text, cases[i].said))
      fail_msg("'%s' said '%s', not '%s'", cases[i].text, e.text, cases[i].said);
    assert_int_equal(s.m, 5);
  }
  struct shape s = {0};
  assert_int_equal(shape_parse(&s, "16777216x1024x1", NULL), 0); /* exactly 2^34 */
  assert_int_equal(shape_parse(&s, "1x1", NULL), ERR_USAGE);
}

/* --- text --- */

static void text_grows(void **state) {
  (void)state;
  struct text t = {0};
  assert_string_equal(text_str(&t), "");
  for (int i = 0; i < 1000; i++)
    text_printf(&t, "%03d,", i);
  text_add(&t, "end");
  text_add(&t, "");
  text_add(&t, NULL);
  text_add_n(&t, "abc", 2);
  assert_true(text_ok(&t));
  assert_int_equal(t.n, 4005);
  assert_memory_equal(text_str(&t) + 3996, "999,endab", 10);
  char *s = text_take(&t);
  assert_int_equal(strlen(s), 4005);
  assert_null(t.s);
  assert_int_equal(t.n, 0);
  free(s);
  text_release(&t);
}

static void text_take_of_nothing_is_empty(void **state) {
  (void)state;
  struct text t = {0};
  char *s = text_take(&t);
  assert_string_equal(s, "");
  free(s);
}

static void text_failure_is_kept(void **state) {
  (void)state;
  struct text t = {0};
  text_add(&t, "kept");
  text_add_n(&t, "x", SIZE_MAX - 2);
  assert_false(text_ok(&t));
  text_add(&t, " not added");
  text_printf(&t, "%d", 1);
  assert_string_equal(text_str(&t), "kept");
  assert_null(text_take(&t));
  assert_true(text_ok(&t)); /* released, so usable again */
}

static void strings_trim_copy_print(void **state) {
  (void)state;
  char a[] = " \t a b\r\n", b[] = "   ", c[] = "";
  assert_string_equal(str_trim(a), "a b");
  assert_string_equal(str_trim(b), "");
  assert_string_equal(str_trim(c), "");
  char within[] = "x   "; /* blanks alone: what stands before them is not touched */
  assert_string_equal(str_trim(within + 1), "");
  assert_string_equal(within, "x   ");
  assert_null(str_copy(NULL));
  char *copy = str_copy("abc"), *printed = str_printf("%s-%d", "cuda", 2);
  assert_string_equal(copy, "abc");
  assert_string_equal(printed, "cuda-2");
  free(copy);
  free(printed);
}

static void strings_glob(void **state) {
  (void)state;
  assert_true(str_glob("cuda-*", "cuda-2-intrinsics"));
  assert_true(str_glob("*", ""));
  assert_true(str_glob("", ""));
  assert_true(str_glob("*in*s", "cuda-2-intrinsics"));
  assert_true(str_glob("c?da", "cuda"));
  assert_true(str_glob("**a**", "a"));
  assert_false(str_glob("c?da", "cda"));
  assert_false(str_glob("cuda", "cuda-2"));
  assert_false(str_glob("cuda-2", "cuda"));
  assert_false(str_glob("?", ""));
  assert_false(str_glob("[c]uda", "cuda"));
  /* A naive matcher takes exponential time here. */
  assert_false(str_glob("*a*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void strings_nearest(void **state) {
  (void)state;
  static const char *const ids[] = {"cuda-0-naive", "cuda-1-coalesced", NULL, "sol", "list", "report"};
  static const size_t n = sizeof ids / sizeof *ids;
  assert_string_equal(str_nearest("reprot", ids, n), "report");
  assert_string_equal(str_nearest("cuda-1-coalesecd", ids, n), "cuda-1-coalesced");
  assert_string_equal(str_nearest("sool", ids, n), "sol");
  assert_string_equal(str_nearest("sol", ids, n), "sol");
  assert_string_equal(str_nearest("lisst", ids, n), "list");
  const char *const keys[] = {"side", "step"};
  assert_string_equal(str_nearest("stpe", keys, 2), "step"); /* one exchange, where side is two changes away */
  const char *const ladders[] = {"top", "cuda"};
  assert_null(str_nearest("nope", ladders, 2)); /* two letters of four, or of three, are another word */
  assert_null(str_nearest("foo", ladders, 2));
  assert_string_equal(str_nearest("tpo", ladders, 2), "top");
  assert_string_equal(str_nearest("cuddda", ladders, 2), "cuda"); /* two of six */
  assert_null(str_nearest("zzzzzz", ids, n));
  assert_null(str_nearest("xy", ids, n));
  assert_null(str_nearest("", ids, n));
  assert_null(str_nearest(NULL, ids, n));
  assert_null(str_nearest("sol", ids, 0));
  char big[300];
  memset(big, 's', sizeof big - 1);
  big[sizeof big - 1] = '\0';
  assert_null(str_nearest(big, ids, n));
  const char *const bigs[] = {big};
  assert_null(str_nearest("sol", bigs, 1));
}

static void variants_nearest(void **state) {
  (void)state;
  static const char *const ids[] = {"cuda-0-naive", "cuda-1-coalesced", "ours-18-turns", "sol"};
  static const char *const ladders[] = {"cuda", "cuda", "ours", NULL};
  assert_string_equal(str_nearest_variant("cuda-1-coalesecd", ids, ladders, 4), "cuda-1-coalesced");
  assert_string_equal(str_nearest_variant("cuad", ids, ladders, 4), "cuda");           /* by letters */
  assert_string_equal(str_nearest_variant("cuda-9", ids, ladders, 4), "cuda-0-naive"); /* more than the ladder */
  assert_string_equal(str_nearest_variant("ours-99-elsewhere", ids, ladders, 4), "ours-18-turns");
  assert_string_equal(str_nearest_variant("our", ids, ladders, 4), "ours");
  assert_string_equal(str_nearest_variant("our/else/where", ids, ladders, 4), "ours-18-turns"); /* three do */
  assert_null(str_nearest_variant("ou-something", ids, ladders, 4)); /* two letters in common say nothing */
  assert_null(str_nearest_variant("zzzzzz", ids, ladders, 4));
  assert_null(str_nearest_variant("cuda", ids, ladders, 0));
  assert_null(str_nearest_variant(NULL, ids, ladders, 4));
}

/* --- file: each test works in a new folder, which is removed after it --- */

static char folder[64];

static int folder_make(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "test_base_err.XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state) {
  (void)state;
  char command[160];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static const char *in_folder(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static int entries_in_folder(void) {
  DIR *d = opendir(folder);
  int n = 0;
  for (struct dirent *entry; (entry = readdir(d));)
    n += entry->d_name[0] != '.';
  closedir(d);
  return n;
}

static void file_writes_and_reads(void **state) {
  (void)state;
  struct err e = {0};
  char *data = NULL;
  size_t n = 0;
  assert_int_equal(file_write(in_folder("a"), "first", 5, &e), 0);
  assert_int_equal(file_write(in_folder("a"), "a\0b", 3, &e), 0);
  assert_int_equal(file_read(in_folder("a"), 3, &data, &n, &e), 0);
  assert_int_equal(n, 3);
  assert_memory_equal(data, "a\0b", 4);
  free(data);
  assert_int_equal(file_write(in_folder("empty"), NULL, 0, &e), 0);
  assert_int_equal(file_read(in_folder("empty"), 0, &data, &n, &e), 0);
  assert_int_equal(n, 0);
  assert_string_equal(data, "");
  free(data);
  assert_int_equal(entries_in_folder(), 2);
  assert_true(file_exists(in_folder("a")));
  assert_false(file_exists(in_folder("b")));
}

static void file_reads_more_than_a_buffer(void **state) {
  (void)state;
  enum { SIZE = 300 * 1000 };
  char *big = malloc(SIZE), *data = NULL;
  size_t n = 0;
  struct err e = {0};
  for (int i = 0; i < SIZE; i++)
    big[i] = (char)(i * 31 % 251);
  assert_int_equal(file_write(in_folder("big"), big, SIZE, &e), 0);
  assert_int_equal(file_read(in_folder("big"), SIZE, &data, &n, &e), 0);
  assert_int_equal(n, SIZE);
  assert_memory_equal(data, big, SIZE);
  free(data);
  data = NULL;
  assert_int_equal(file_read(in_folder("big"), SIZE - 1, &data, &n, &e), ERR_IO);
  assert_non_null(strstr(e.text, "/big: larger than the 299999 bytes"));
  assert_null(data);
  /* It tells no size beforehand. */
  assert_int_equal(file_read("/proc/self/status", 1 << 20, &data, &n, &e), 0);
  assert_true(n > 100);
  free(data);
  free(big);
}

static void file_read_names_path_and_cause(void **state) {
  (void)state;
  struct err e = {0};
  char *data = NULL;
  size_t n = 0;
  assert_int_equal(file_read(in_folder("none"), 10, &data, &n, &e), ERR_IO);
  assert_non_null(strstr(e.text, "/none: cannot be opened: No such file"));
  assert_int_equal(file_read(folder, 10, &data, &n, &e), ERR_IO);
  assert_non_null(strstr(e.text, ": cannot be read: Is a directory"));
}

static void file_write_refuses_what_is_no_file(void **state) {
  (void)state;
  struct err e = {0};
  struct stat st;
  /* A pipe stands for /dev/null, which a fault here would replace when root runs the tests. */
  assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
  assert_int_equal(file_write(in_folder("pipe"), "x", 1, &e), ERR_IO);
  assert_non_null(strstr(e.text, "/pipe: cannot be written (1 bytes)")); /* nobody reads: it is not waited for */
  assert_int_equal(stat(in_folder("pipe"), &st), 0);
  assert_true(S_ISFIFO(st.st_mode));
  assert_int_equal(file_write(folder, "x", 1, &e), ERR_IO);
  assert_int_equal(file_write(in_folder("none/a"), "x", 1, &e), ERR_IO);
  assert_non_null(strstr(e.text, "No such file or directory"));
}

/* What a rename would take away stays: a mode, a link, the other name of a file, a pipe that is read. */
static void file_write_replaces_nothing_but_the_text(void **state) {
  (void)state;
  struct err e = {0};
  struct stat st, other;
  char real[PATH_MAX], *data = NULL;
  size_t n = 0;
  snprintf(real, sizeof real, "%s", in_folder("real"));
  assert_int_equal(file_write(real, "longer", 6, &e), 0);
  assert_int_equal(chmod(real, 0600), 0);
  assert_int_equal(file_write(real, "a", 1, &e), 0);
  assert_int_equal(stat(real, &st), 0);
  assert_int_equal(st.st_mode & 07777, 0600);
  assert_int_equal(symlink("real", in_folder("link")), 0);
  assert_int_equal(file_write(in_folder("link"), "bc", 2, &e), 0);
  assert_int_equal(lstat(in_folder("link"), &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  assert_int_equal(file_read(real, 10, &data, &n, &e), 0);
  assert_string_equal(data, "bc");
  free(data);
  assert_int_equal(symlink("later", in_folder("dangling")), 0);
  assert_int_equal(file_write(in_folder("dangling"), "d", 1, &e), 0);
  assert_int_equal(stat(in_folder("later"), &st), 0);
  assert_int_equal(link(real, in_folder("second")), 0);
  assert_int_equal(file_write(in_folder("second"), "e", 1, &e), 0);
  assert_int_equal(stat(in_folder("second"), &st), 0);
  assert_int_equal(stat(real, &other), 0);
  assert_int_equal(st.st_ino, other.st_ino);
  assert_int_equal(mkfifo(in_folder("read"), 0600), 0);
  int fd = open(in_folder("read"), O_RDONLY | O_NONBLOCK);
  assert_int_equal(file_write(in_folder("read"), "f", 1, &e), 0);
  assert_int_equal(read(fd, real, 2), 1);
  close(fd);
}

/* A folder that one may write lets a file be replaced that one may not write. */
static void file_write_respects_who_may_write(void **state) {
  (void)state;
  const uid_t nobody = 12345;
  const char *path = in_folder("protected");
  struct err e = {0};
  struct stat st;
  bool root = geteuid() == 0;
  if (root)
    assert_int_equal(chown(folder, nobody, (gid_t)-1), 0);
  if (root)
    assert_int_equal(setresuid(nobody, nobody, 0), 0); /* both: glibc before 2.33 asks by the real one */
  assert_int_equal(file_write(path, "old", 3, &e), 0);
  assert_int_equal(chmod(path, 0444), 0);
  assert_int_equal(file_write(path, "new", 3, &e), ERR_IO);
  assert_non_null(strstr(e.text, "/protected: cannot be written (3 bytes): Permission denied"));
  if (!root)
    return;
  assert_int_equal(setresuid(0, 0, 0), 0);
  e = (struct err){0};
  assert_int_equal(file_write(path, "longer", 6, &e), 0); /* root may, and the file stays its owner's */
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_size, 6);
  assert_int_equal(st.st_uid, nobody);
  assert_int_equal(st.st_mode & 07777, 0444);
  assert_int_equal(chown(folder, 0, (gid_t)-1), 0);
}

/* A limit on file sizes fails a write half way, as a full disk does. */
static void file_write_leaves_the_old_file_when_the_disk_is_full(void **state) {
  (void)state;
  enum { SIZE = 100 * 1000 };
  struct err e = {0};
  struct rlimit old, small;
  char *big = calloc(SIZE, 1), *data = NULL;
  size_t n = 0;
  assert_int_equal(file_write(in_folder("a"), "old", 3, &e), 0);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &old);
  small = (struct rlimit){.rlim_cur = 4096, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  int rc = file_write(in_folder("a"), big, SIZE, &e);
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, SIG_DFL);
  assert_int_equal(rc, ERR_IO);
  assert_non_null(strstr(e.text, "/a: cannot be written (100000 bytes): File too large"));
  assert_int_equal(entries_in_folder(), 1);
  assert_int_equal(file_read(in_folder("a"), 10, &data, &n, &e), 0);
  assert_string_equal(data, "old");
  free(data);
  free(big);
}

static void file_write_never_takes_over_a_temporary(void **state) {
  (void)state;
  struct err e = {0};
  char victim[128], *data = NULL;
  size_t n = 0;
  snprintf(victim, sizeof victim, "%s/victim", folder);
  assert_int_equal(file_write(victim, "safe", 4, &e), 0);
  assert_int_equal(symlink("victim", in_folder("a.tmp.0")), 0);
  assert_int_equal(file_write(in_folder("a"), "x", 1, &e), 0); /* by another name */
  assert_int_equal(file_read(victim, 10, &data, &n, &e), 0);
  assert_string_equal(data, "safe");
  free(data);
  assert_int_equal(file_read(in_folder("a"), 10, &data, &n, &e), 0);
  assert_string_equal(data, "x");
  free(data);
}

/* A lock tells the temporary of a killed process from that of one that writes. */
static void file_write_removes_what_a_killed_process_left(void **state) {
  (void)state;
  struct err e = {0};
  char victim[128];
  assert_int_equal(file_write(in_folder("a.tmp.0"), "half", 4, &e), 0);
  assert_int_equal(file_write(in_folder("a"), "x", 1, &e), 0);
  assert_int_equal(entries_in_folder(), 1);
  int fd = open(in_folder("a.tmp.0"), O_WRONLY | O_CREAT | O_EXCL, 0600);
  assert_true(fd >= 0);
  assert_int_equal(flock(fd, LOCK_EX), 0);
  assert_int_equal(file_write(in_folder("a"), "y", 1, &e), 0);
  assert_int_equal(entries_in_folder(), 2);
  close(fd);
  snprintf(victim, sizeof victim, "%s/second", folder);
  assert_int_equal(link(in_folder("a.tmp.0"), victim), 0); /* of two names: nobody's temporary */
  assert_int_equal(file_write(in_folder("a"), "z", 1, &e), 0);
  assert_int_equal(entries_in_folder(), 3);
}

static void file_mkdirs_makes_every_level(void **state) {
  (void)state;
  struct err e = {0};
  assert_int_equal(file_mkdirs(in_folder("x/y//z/"), &e), 0);
  assert_int_equal(file_mkdirs(in_folder("x/y/z"), &e), 0);
  struct stat st;
  assert_int_equal(stat(in_folder("x/y/z"), &st), 0);
  assert_true(S_ISDIR(st.st_mode));
  assert_int_equal(file_mkdirs("/", &e), 0);
  assert_int_equal(file_mkdirs(".", &e), 0);
}

static void file_mkdirs_names_what_is_in_the_way(void **state) {
  (void)state;
  struct err e = {0};
  assert_int_equal(file_write(in_folder("x"), "", 0, &e), 0);
  assert_int_equal(file_mkdirs(in_folder("x/y"), &e), ERR_IO);
  assert_non_null(strstr(e.text, "/x cannot be made: a file of that name is in the way"));
  assert_int_equal(file_mkdirs(in_folder("x"), &e), ERR_IO);
  assert_int_equal(file_mkdirs("", &e), ERR_IO);
  assert_int_equal(file_mkdirs("/proc/none/y", &e), ERR_IO);
  assert_non_null(strstr(e.text, "/proc/none/y: the folder /proc/none cannot be made: "));
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(err_set_stores_code_and_text),
      cmocka_unit_test(err_context_goes_in_front),
      cmocka_unit_test(err_arguments_may_be_the_old_text),
      cmocka_unit_test(err_null_keeps_failing),
      cmocka_unit_test(err_long_text_is_cut_between_characters),
      cmocka_unit_test(shape_reads_and_writes),
      cmocka_unit_test(shape_refuses),
      cmocka_unit_test(text_grows),
      cmocka_unit_test(text_take_of_nothing_is_empty),
      cmocka_unit_test(text_failure_is_kept),
      cmocka_unit_test(strings_trim_copy_print),
      cmocka_unit_test(strings_glob),
      cmocka_unit_test(strings_nearest),
      cmocka_unit_test(variants_nearest),
      IN_FOLDER(file_writes_and_reads),
      IN_FOLDER(file_reads_more_than_a_buffer),
      IN_FOLDER(file_read_names_path_and_cause),
      IN_FOLDER(file_write_refuses_what_is_no_file),
      IN_FOLDER(file_write_replaces_nothing_but_the_text),
      IN_FOLDER(file_write_respects_who_may_write),
      IN_FOLDER(file_write_leaves_the_old_file_when_the_disk_is_full),
      IN_FOLDER(file_write_never_takes_over_a_temporary),
      IN_FOLDER(file_write_removes_what_a_killed_process_left),
      IN_FOLDER(file_mkdirs_makes_every_level),
      IN_FOLDER(file_mkdirs_names_what_is_in_the_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
