/* attach's folder: what killed runs have left is removed, and nothing else. */
#include "profiler/attach/outside/attach_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[64];
static struct err e;

static const char *at(const char *name) {
  static char path[4][256];
  static size_t next;
  char *to = path[next++ % 4];
  snprintf(to, sizeof path[0], "%s/%s", base, name);
  return to;
}

static int open_base(void **state) {
  (void)state;
  strcpy(base, "/tmp/nvfp4-folder-XXXXXX");
  if (!mkdtemp(base))
    return -1;
  return setenv("TMPDIR", base, 1);
}

static int close_base(void **state) {
  (void)state;
  return rmdir(base); /* nothing is left in it */
}

static bool there(const char *name) {
  struct stat st;
  return lstat(at(name), &st) == 0;
}

static void put(const char *name) {
  int fd = open(at(name), O_WRONLY | O_CREAT | O_EXCL, 0600);
  assert_true(fd >= 0);
  close(fd);
}

static int descriptors(void) {
  int n = 0;
  for (int fd = 0; fd < 1000; fd++)
    n += fcntl(fd, F_GETFD) >= 0;
  return n;
}

static void leftovers_of_killed_runs_are_removed(void **state) {
  struct attach_folder f;
  struct stat st;
  int open_before = descriptors();
  (void)state;
  static const char *const folders[] = {"nvfp4-attach-dead", "nvfp4-attach-held", "nvfp4-other"};
  for (size_t i = 0; i < 3; i++) {
    char inside[64];
    assert_int_equal(mkdir(at(folders[i]), 0700), 0);
    snprintf(inside, sizeof inside, "%s/1.part", folders[i]);
    put(inside);
  }
  put("nvfp4-attach-file");
  assert_int_equal(symlink("nvfp4-other", at("nvfp4-attach-link")), 0);
  int held = open(at("nvfp4-attach-held"), O_RDONLY | O_DIRECTORY);
  assert_int_equal(flock(held, LOCK_EX | LOCK_NB), 0);
  assert_int_equal(attach_folder_make(&f, &e), 0);
  assert_false(there("nvfp4-attach-dead"));
  assert_true(there("nvfp4-attach-held/1.part"));
  assert_true(there("nvfp4-other/1.part"));
  assert_true(there("nvfp4-attach-file"));
  assert_true(there("nvfp4-attach-link"));
  assert_int_equal(strncmp(f.path, at("nvfp4-attach-"), strlen(at("nvfp4-attach-"))), 0);
  assert_int_equal(stat(f.path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0700);
  assert_int_equal(f.pid, getpid());
  /* Its program goes: the next run removes it. */
  close(held);
  struct attach_folder next;
  assert_int_equal(attach_folder_make(&next, &e), 0);
  assert_false(there("nvfp4-attach-held"));
  assert_int_equal(stat(f.path, &st), 0); /* of a run that goes on */
  attach_folder_remove(&next);
  attach_folder_remove(&f);
  assert_null(f.path);
  assert_null(f.entries);
  attach_folder_remove(&f);                     /* there is none */
  assert_int_equal(descriptors(), open_before); /* whatever it looked into is closed */
  unlink(at("nvfp4-attach-file"));
  unlink(at("nvfp4-attach-link"));
  unlink(at("nvfp4-other/1.part"));
  rmdir(at("nvfp4-other"));
}

/* A program that holds the folder keeps it when attach is gone. */
static void a_program_holds_it(void **state) {
  enum { HELD = 100 };
  struct attach_folder f;
  (void)state;
  assert_int_equal(attach_folder_make(&f, &e), 0);
  int again = open(f.path, O_RDONLY | O_DIRECTORY);
  attach_folder_hold(&f);
  assert_true(fcntl(HELD, F_GETFD) >= 0);
  assert_int_equal(fcntl(HELD, F_GETFD) & FD_CLOEXEC, 0);
  closedir(f.entries);
  f.entries = NULL;
  assert_int_equal(flock(again, LOCK_EX | LOCK_NB), -1);
  assert_int_equal(errno, EWOULDBLOCK);
  close(HELD);
  assert_int_equal(flock(again, LOCK_EX | LOCK_NB), 0);
  close(again);
  attach_folder_remove(&f);
}

static void what_lies_in_it_goes_with_it(void **state) {
  struct attach_folder f;
  char part[128];
  (void)state;
  assert_int_equal(attach_folder_make(&f, &e), 0);
  snprintf(part, sizeof part, "%s/7.part", strrchr(f.path, '/') + 1);
  put(part);
  attach_folder_remove(&f);
  assert_false(there(part));
}

static void where_no_folder_can_be(void **state) {
  struct attach_folder f;
  (void)state;
  setenv("TMPDIR", "/nonexistent/folder", 1);
  assert_int_equal(attach_folder_make(&f, &e), ERR_IO);
  assert_non_null(strstr(e.text, "/nonexistent/folder/nvfp4-attach-"));
  assert_non_null(strstr(e.text, ": No such file or directory; set TMPDIR to a folder that can be written"));
  assert_null(f.path);
  attach_folder_remove(&f);
  setenv("TMPDIR", base, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leftovers_of_killed_runs_are_removed),
      cmocka_unit_test(a_program_holds_it),
      cmocka_unit_test(what_lies_in_it_goes_with_it),
      cmocka_unit_test(where_no_folder_can_be),
  };
  return cmocka_run_group_tests(tests, open_base, close_base);
}
