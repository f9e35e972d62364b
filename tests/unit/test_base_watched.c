/* Files whose saving is waited for, and the clock. */
#include "base/clock.h"
#include "base/text.h"
#include "base/watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 3 };
struct made {
  char folder[32], *a, *b, *c; /* c is absent at first */
  struct watched w;
};

static void save(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

/* When it was changed, as the file system has it. */
static void set_changed(const char *path, time_t s, long ns) {
  const struct timespec t[2] = {{.tv_sec = s, .tv_nsec = ns}, {.tv_sec = s, .tv_nsec = ns}};
  assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static int setup(void **state) {
  struct made *m = calloc(1, sizeof *m);
  strcpy(m->folder, "/tmp/test_watched.XXXXXX");
  assert_non_null(mkdtemp(m->folder));
  m->a = str_printf("%s/a", m->folder);
  m->b = str_printf("%s/b", m->folder);
  m->c = str_printf("%s/c", m->folder);
  save(m->a, "a");
  save(m->b, "b");
  watched_open(&m->w);
  const char *const paths[FILES] = {m->a, m->b, m->c};
  for (size_t i = 0; i < FILES; i++)
    watched_add(&m->w, paths[i]);
  *state = m;
  return 0;
}

static int teardown(void **state) {
  struct made *m = *state;
  watched_close(&m->w);
  assert_int_equal(m->w.n, 0);
  assert_int_equal(m->w.inotify, -1);
  remove(m->a);
  remove(m->b);
  remove(m->c);
  assert_int_equal(rmdir(m->folder), 0);
  free(m->a);
  free(m->b);
  free(m->c);
  free(m);
  return 0;
}

/* Whether a file is seen as another: with a signal before it, only then is it said how long ago. */
static bool seen(struct made *m) {
  volatile sig_atomic_t stop = 1;
  double saved_s = -1e9;
  assert_false(watched_wait(&m->w, &stop, &saved_s));
  return saved_s > -1e9;
}

static bool told(const struct watched *w) {
  struct pollfd p = {.fd = w->inotify, .events = POLLIN};
  return poll(&p, 1, 0) > 0;
}

static void what_is_a_change(void **state) {
  struct made *m = *state;
  assert_int_equal(m->w.n, FILES);
  watched_add(&m->w, m->b);
  assert_int_equal(m->w.n, FILES);
  assert_false(seen(m));
  set_changed(m->a, 1000, 500);
  assert_true(seen(m));
  assert_false(seen(m)); /* marked again */
  set_changed(m->a, 1000, 501);
  assert_true(seen(m));
  set_changed(m->a, 1001, 501);
  assert_true(seen(m));
  save(m->a, "longer");
  set_changed(m->a, 1001, 501);
  assert_true(seen(m)); /* its size */
  save(m->c, "");
  assert_true(seen(m)); /* it is there now */
  set_changed(m->c, 1000, 0);
  watched_mark(&m->w);
  assert_false(seen(m));
  save(m->b, "c"); /* as long, of the same time, another file */
  set_changed(m->b, 1000, 0);
  watched_mark(&m->w);
  save(m->c, "c");
  set_changed(m->c, 1000, 0);
  assert_int_equal(rename(m->c, m->b), 0);
  save(m->c, "");
  set_changed(m->c, 1000, 0);
  assert_true(seen(m));
}

static void a_file_that_is_gone_is_waited_for(void **state) {
  struct made *m = *state;
  remove(m->b);
  set_changed(m->a, 1000, 0);
  assert_false(seen(m)); /* though a is another */
  save(m->b, "b");
  assert_true(seen(m));
}

static void how_long_ago(void **state) {
  struct made *m = *state;
  struct timespec before, after;
  volatile sig_atomic_t stop = 0;
  double saved_s = -1;
  for (int swapped = 0; swapped < 2; swapped++) {
    clock_gettime(CLOCK_REALTIME, &before);
    long s = before.tv_sec - 100;
    set_changed(swapped ? m->a : m->b, s, 250000000);
    set_changed(swapped ? m->b : m->a, s, 750000000); /* the newest */
    assert_true(watched_wait(&m->w, &stop, &saved_s));
    clock_gettime(CLOCK_REALTIME, &after);
    assert_true(saved_s >= (double)(before.tv_sec - s) + 1e-9 * (double)before.tv_nsec - 0.75);
    assert_true(saved_s <= (double)(after.tv_sec - s) + 1e-9 * (double)after.tv_nsec - 0.75);
    assert_false(told(&m->w)); /* the events of this change are not taken for another */
    set_changed(swapped ? m->a : m->b, s + 50, 0);
    assert_true(watched_wait(&m->w, &stop, &saved_s));
    clock_gettime(CLOCK_REALTIME, &after);
    assert_true(saved_s <= (double)(after.tv_sec - s - 50) + 1e-9 * (double)after.tv_nsec);
  }
}

static void without_inotify(void **state) {
  struct made *m = *state;
  struct watched w = {.inotify = -1};
  volatile sig_atomic_t stop = 0;
  double saved_s = -1;
  watched_add(&w, m->a);
  set_changed(m->a, 1000, 0);
  assert_true(watched_wait(&w, &stop, &saved_s));
  assert_true(saved_s > 1e6);
  watched_close(&w);
}

static void the_target_of_a_link(void **state) {
  struct made *m = *state;
  char *folder = str_printf("%s/d", m->folder), *target = str_printf("%s/d/target", m->folder);
  assert_int_equal(mkdir(folder, 0700), 0);
  save(target, "");
  assert_int_equal(symlink(target, m->c), 0);
  struct watched w;
  watched_open(&w);
  watched_add(&w, m->c);
  assert_false(told(&w));
  save(target, "saved");
  assert_true(told(&w));
  watched_close(&w);
  remove(target);
  rmdir(folder);
  free(folder);
  free(target);
}

static void the_folder_is_watched(void **state) {
  struct made *m = *state;
  assert_false(told(&m->w));
  save(m->a, "saved");
  assert_true(told(&m->w));
  struct watched w;
  watched_open(&w);
  watched_add(&w, "test_watched.tmp"); /* no folder in its name: this one */
  save("test_watched.tmp", "");
  assert_true(told(&w));
  watched_close(&w);
  remove("test_watched.tmp");
}

static void the_clock(void **state) {
  (void)state;
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  uint64_t ns = clock_now_ns();
  double s = clock_now_s();
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert_true(ns >= (uint64_t)before.tv_sec * 1000000000u + (uint64_t)before.tv_nsec);
  assert_true(ns <= (uint64_t)after.tv_sec * 1000000000u + (uint64_t)after.tv_nsec);
  assert_true(s >= 1e-9 * (double)ns);
  assert_true(s <= (double)after.tv_sec + 1e-9 * (double)after.tv_nsec + 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_a_change, setup, teardown),
      cmocka_unit_test_setup_teardown(a_file_that_is_gone_is_waited_for, setup, teardown),
      cmocka_unit_test_setup_teardown(how_long_ago, setup, teardown),
      cmocka_unit_test_setup_teardown(without_inotify, setup, teardown),
      cmocka_unit_test_setup_teardown(the_target_of_a_link, setup, teardown),
      cmocka_unit_test_setup_teardown(the_folder_is_watched, setup, teardown),
      cmocka_unit_test(the_clock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
