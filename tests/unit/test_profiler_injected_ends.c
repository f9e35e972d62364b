/* What the injected library leaves of a program, however that ends: its code, its children, the plan of its counters (injected_program.h). */
#include "injected_program.h"

static void load_code(void) {
  FAKE(CUPTI, fake_tell_module)("some code", 9);
  launch_3();
}

static void fork_child(void) {
  launch_some(0, 20);
  pid_t pid = fork();
  if (pid == 0) {
    nvfp4_attach_push("of the child");
    launch_some(0, 4);
    nvfp4_attach_finish();
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  launch_some(20, 40);
}

static void test_code_and_children(void **state) {
  (void)state;
  pid_t pid = RUN(load_code, USUAL);
  char *path = str_printf("%s/%ld.0.cubin", folder, (long)pid), *text = NULL;
  size_t n;
  assert_int_equal(file_read(path, 100, &text, &n, NULL), 0);
  assert_string_equal(text, "some code");
  free(text);
  free(path);
  RUN(fork_child, USUAL);
  assert_int_equal(left.totals.launches, 40);
  assert_int_equal(left.n_ranges, 0);
  assert_int_equal(clear(), 1);
}

/* Until the thread that writes several times a second has written this. */
static void wait_written(const char *line) {
  char *path = str_printf("%s/%ld.part", folder, (long)getpid());
  for (bool found = false; !found; usleep(1000)) {
    char *text = NULL;
    size_t n;
    found = file_read(path, 1 << 20, &text, &n, NULL) == 0 && strstr(text, line);
    free(text);
  }
  free(path);
}

static void end_at_once(void) {
  launch_40();
  wait_written("\ntotals\t40\t");
  _exit(0);
}

static void end_by_exit(void) {
  launch_40();
  exit(0);
}

static void *end_last(void *unused) {
  usleep(300000); /* the first thread has ended */
  launch_40();
  return unused;
}

static void end_in_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, end_last, NULL);
  pthread_exit(NULL);
}

/* An emulator of another processor has threads of its own in the process, beside which the library is never the last. */
static bool has_one_thread(void) {
  DIR *d = opendir("/proc/self/task");
  int n = 0;
  for (struct dirent *entry; d && (entry = readdir(d));)
    n += entry->d_name[0] != '.';
  if (d)
    closedir(d);
  return n == 1;
}

/* However a process ends: what was written before is there, and all where it ends by itself. */
static void test_ends(void **state) {
  (void)state;
  clear();
  run_to_end((char *[]){USUAL, NULL}, end_at_once);
  assert_false(left.complete);
  assert_int_equal(left.totals.launches, 40);
  assert_float_equal(kernel("big")->seen.total_ns, 8 * 101000, 0);
  RUN(end_by_exit, USUAL);
  assert_int_equal(left.totals.launches, 40);
  counted("big", 91, 2);
  if (has_one_thread())
    RUN(end_in_thread, USUAL);
  assert_int_equal(left.totals.launches, 40);
}

static void launch_later(void) {
  launch_some(0, 1);
  usleep(400000); /* which is long enough for the thread that makes the counters' plan */
  launch_some(1, 40);
}

static void launch_and_wait(void) {
  launch_some(0, 1);
  for (;;)
    pause();
}

/* A chip whose name is known has its counters' plan made beside the program, in time or too late. */
static void test_ahead(void **state) {
  (void)state;
  RUN(launch_40, USUAL, S("NVFP4_FAKE=gh100=1"));
  counted("big", 91, 2);
  RUN(launch_later, USUAL, S("NVFP4_FAKE=gh100=1"));
  counted("big", 91, 2);
  counted("small", 1, 2);
  /* The program ends as the plan is made. */
  RUN(launch_and_wait, USUAL, S("NVFP4_FAKE=gh100=1,host_ends=3"));
  assert_true(left.complete);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_code_and_children),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_ahead),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
