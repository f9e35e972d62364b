/* What comes between the writing of a file and its name: another process that writes the same, both of which end well, and a signal. */
#include "base/file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char
    *raced; /* the file that another process writes while this one is about to rename its own; NULL: none */
static int others_exit = -1;
static int ended_by; /* the signal that comes then; 0: none */

/* The room's call comes here: in between, the other process writes the file from its beginning to its end. */
int rename(const char *from, const char *to) { /* NOLINT(readability-inconsistent-declaration-parameter-name) */
  const char *path = raced;
  raced = NULL;
  if (path) {
    pid_t other = fork();
    if (other == 0)
      _exit(file_write(path, "other", 5, NULL) ? 1 : 0);
    int status = 0;
    waitpid(other, &status, 0);
    others_exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  if (ended_by)
    raise(ended_by);
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static const char *taken; /* the temporary that another takes for a leftover before it is locked; NULL: none */
static int others = -1;   /* the other's temporary, of the same name */

/* Between the making of a temporary and its lock: the other removes it, and makes and locks its own. */
int flock(int fd, int how) { /* NOLINT(readability-inconsistent-declaration-parameter-name) */
  if (taken) {
    unlink(taken);
    others = open(taken, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    taken = NULL;
    syscall(SYS_flock, others, LOCK_EX | LOCK_NB);
  }
  return (int)syscall(SYS_flock, fd, how);
}

static void test_taken_for_a_leftover(void **state) {
  (void)state;
  char folder[] = "/tmp/nvfp4-file-XXXXXX", path[64], temporary[80], *text = NULL;
  size_t n = 0;
  struct err e = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/run.json", folder);
  snprintf(temporary, sizeof temporary, "%s.tmp.0", path);
  taken = temporary;
  assert_int_equal(file_write(path, "ours", 4, &e), 0);
  assert_null(taken);
  assert_true(others >= 0 && file_exists(temporary)); /* theirs stays */
  assert_true(file_is_folder(folder));
  assert_false(file_is_folder(temporary) || file_is_folder("/nonexistent"));
  assert_int_equal(file_read(path, 100, &text, &n, &e), 0);
  assert_string_equal(text, "ours");
  free(text);
  close(others);
  unlink(temporary);
  unlink(path);
  assert_int_equal(rmdir(folder), 0);
}

static void test_two_writers(void **state) {
  (void)state;
  char folder[] = "/tmp/nvfp4-file-XXXXXX", path[64], *text = NULL;
  size_t n = 0;
  struct err e = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/run.json", folder);
  for (int there = 0; there < 2; there++) { /* new, and replaced */
    raced = path;
    others_exit = -1;
    assert_int_equal(file_write(path, "ours, longer", 12, &e), 0);
    assert_null(raced);
    assert_int_equal(others_exit, 0);
    assert_int_equal(file_read(path, 100, &text, &n, &e), 0);
    assert_string_equal(text, "ours, longer"); /* renamed last */
    free(text);
  }
  unlink(path);
  assert_int_equal(rmdir(folder), 0); /* no temporary is left */
}

static void test_signals(void **state) {
  (void)state;
  static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
  char folder[] = "/tmp/nvfp4-file-XXXXXX", path[64], *text = NULL;
  size_t n = 0;
  struct err e = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/run.json", folder);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
      signal(ends[i], SIG_DFL);
      ended_by = ends[i];
      file_write(path, "whole", 5, NULL);
      _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == ends[i]);
    assert_int_equal(file_read(path, 100, &text, &n, &e), 0);
    assert_string_equal(text, "whole");
    free(text);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* no temporary is left */
    assert_int_equal(mkdir(folder, 0700), 0);
  }
  assert_int_equal(rmdir(folder), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_writers), cmocka_unit_test(test_taken_for_a_leftover),
                                     cmocka_unit_test(test_signals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
