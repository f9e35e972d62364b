/* Processes of our own: how one ended, that none is left, and what a program is given. */
#include "profiler/cuda/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct err e;

static void exits(void *code) {
  if (*(int *)code)
    _exit(*(int *)code);
}

static void dies(void *ignored) {
  (void)ignored;
  signal(SIGTERM, SIG_DFL);
  raise(SIGTERM);
}

static void waits(void *ignored) {
  (void)ignored;
  for (;;)
    pause();
}

static int ended(void (*body)(void *context), void *context, double limit_s) {
  pid_t child;
  e = (struct err){0};
  assert_int_equal(child_start(&child, body, context, &e), 0);
  return child_wait(child, limit_s, &e);
}

static void how_it_ended(void **state) {
  int none = 0, three = 3;
  (void)state;
  assert_int_equal(ended(exits, &none, 60), 0);
  assert_int_equal(ended(exits, &three, 60), ERR_GPU);
  assert_string_equal(e.text, "the GPU process ended with code 3");
  assert_int_equal(ended(dies, NULL, 60), ERR_GPU);
  assert_string_equal(e.text, "the GPU process died of signal 15 (Terminated)");
  assert_int_equal(ended(waits, NULL, 0.02), ERR_GPU);
  assert_string_equal(e.text, "no answer within 0 s");
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* none is left */
  assert_int_equal(errno, ECHILD);
  assert_int_equal(child_wait(getpid(), 60, &e), ERR_MACHINE);
  assert_string_equal(e.text, "waitpid: No child processes");
  assert_int_equal(child_reap(getpid()), -1);
}

struct child_told {
  int death, interrupt, terminate;
};

static void tells(void *shared) {
  struct child_told *t = shared;
  struct sigaction old;
  prctl(PR_GET_PDEATHSIG, &t->death);
  sigaction(SIGINT, NULL, &old);
  t->interrupt = old.sa_handler == SIG_IGN;
  sigaction(SIGTERM, NULL, &old);
  t->terminate = old.sa_handler == SIG_IGN;
}

static void it_dies_with_its_parent_and_leaves_signals_to_it(void **state) {
  struct child_told *t = child_share(sizeof *t);
  (void)state;
  assert_non_null(t);
  assert_int_equal(t->death, 0);
  assert_int_equal(ended(tells, t, 60), 0);
  assert_int_equal(t->death, SIGKILL);
  assert_true(t->interrupt && t->terminate);
  child_unshare(t, sizeof *t);
  child_unshare(NULL, sizeof *t);
}

/* --- programs --- */

static int run(const char *script, char out[256], double limit_s) {
  char *argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)script, NULL};
  int ends[2];
  pid_t child;
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(program_start(&child, argv, ends[1], -1, limit_s), 0);
  close(ends[1]);
  size_t n = 0;
  for (ssize_t got; n < 255 && (got = read(ends[0], out + n, 255 - n)) > 0;)
    n += (size_t)got;
  out[n] = 0;
  close(ends[0]);
  return child_reap(child);
}

static void a_program_prints_where_it_is_told(void **state) {
  char out[256];
  (void)state;
  int status = run("echo printed; echo complained >&2; exit 7", out, 60);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  assert_string_equal(out, "printed\n");
}

/* Seconds of a processor: it is told after as many and one, and killed a second later. */
static void a_program_has_its_limit(void **state) {
  char out[256];
  (void)state;
  run("ulimit -S -t; ulimit -H -t", out, 3.5);
  assert_string_equal(out, "4\n5\n");
}

static void what_cannot_start_leaves_no_process(void **state) {
  static const struct {
    const char *path;
    int why;
  } rows[] = {{"/nonexistent/program", ENOENT}, {"/proc/version/program", ENOTDIR}, {"/", EACCES}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *argv[] = {(char *)rows[i].path, NULL};
    pid_t child = 0;
    assert_int_equal(program_start(&child, argv, -1, -1, 60), rows[i].why);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, NULL, 0), -1);
    assert_int_equal(errno, ECHILD);
  }
}

/* A minute, and a second for 20 KB. */
static void what_a_program_is_given(void **state) {
  (void)state;
  unsetenv("NVFP4_PROGRAM_LIMIT");
  assert_float_equal(program_limit_s(0), 60, 0);
  assert_float_equal(program_limit_s(20000), 61, 1e-9);
  setenv("NVFP4_PROGRAM_LIMIT", "2.5", 1);
  assert_float_equal(program_limit_s(20000), 2.5, 0);
  setenv("NVFP4_PROGRAM_LIMIT", "0", 1);
  assert_float_equal(program_limit_s(0), 60, 0);
  setenv("NVFP4_PROGRAM_LIMIT", "soon", 1);
  assert_float_equal(program_limit_s(0), 60, 0);
  unsetenv("NVFP4_PROGRAM_LIMIT");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(how_it_ended),
      cmocka_unit_test(it_dies_with_its_parent_and_leaves_signals_to_it),
      cmocka_unit_test(a_program_prints_where_it_is_told),
      cmocka_unit_test(a_program_has_its_limit),
      cmocka_unit_test(what_cannot_start_leaves_no_process),
      cmocka_unit_test(what_a_program_is_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
