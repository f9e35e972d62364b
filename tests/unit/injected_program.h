/* The injected library from its start to its end, on the fake GPU (fake/fake.h): each program is a child of the test's, which says what it launches; what it left
 * is read as the parent of attach reads it.  A launch takes 10 us and 1 us a block; the fake's counters have two passes: the cycles are of the first, all
 * others of the second; each counts blocks, DRAM's bytes 1000 a block. */
#ifndef TESTS_UNIT_INJECTED_PROGRAM_H
#define TESTS_UNIT_INJECTED_PROGRAM_H

#include "fake/fake.h"
#include "injected.h"
#include "profiler/attach/outside/attached_process.h"

#include "base/file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int InitializeInjection(void);
void nvfp4_attach_finish(void);
void nvfp4_attach_push(const char *name);
void nvfp4_attach_pop(void);

#define CUDA  FAKES "/whole/libcuda.so.1"
#define CUPTI FAKES "/whole/libcupti.so.13"

static char folder[] = "/tmp/injected-run-XXXXXX";
static struct attached_process left; /* by the last program */
static bool written[RECORD_KINDS];   /* by any */

static inline size_t symbol(const char *library, const char *name) { /* a function's address comes as data */
  void *handle = dlopen(library, RTLD_NOW), *found = handle ? dlsym(handle, name) : NULL;
  if (!found)
    _exit(90);
  return (size_t)found;
}

#define FAKE(library, name) ((__typeof__(&(name)))symbol(library, #name))

static inline void launch(const char *name, unsigned blocks) {
  FAKE(CUPTI, fake_tell_launch)(name, blocks, 0);
  FAKE(CUDA, fake_launch)(name, blocks);
  FAKE(CUPTI, fake_tell_launch)(name, blocks, 1);
}

/* Every fourth is "big", of 91 blocks, the others "small", of one. */
static inline void launch_some(int from, int to) {
  for (int i = from; i < to; i++)
    launch(i % 4 == 0 ? "big" : "small", i % 4 == 0 ? 91 : 1);
}

static inline void launch_40(void) {
  launch_some(0, 40);
}

static inline void leave(void) {
  _exit(0);
}

/* A variable each, NAME=VALUE, closed by NULL. */
static inline void child(char *const *settings, void (*program)(void)) {
  atexit(leave); /* last of all: to a leak checker what the test itself holds would be lost */
  for (; *settings; settings++)
    putenv(*settings);
  setenv("NVFP4_ATTACH_DIR", folder, 1);
  InitializeInjection();
  InitializeInjection(); /* a second time is nothing */
  if (dlopen(getenv("NVFP4_LIBCUPTI"), RTLD_NOW))
    FAKE(getenv("NVFP4_LIBCUPTI"), fake_tell_context_made)();
  program();
  nvfp4_attach_finish();
  nvfp4_attach_finish();
  _exit(0);
}

static inline void read_left(const char *name) {
  struct err e = {0};
  char *text = NULL, *path = str_printf("%s/%s", folder, name);
  size_t n;
  attached_release(&left);
  if (file_read(path, 1 << 20, &text, &n, &e) || attached_parse(&left, name, text, &e))
    fail_msg("%s", e.text);
  for (char *line, *rest = text; (line = strsep(&rest, "\n"));) {
    enum attach_record_kind kind;
    char *fields;
    if (attach_record_kind_of(line, &kind, &fields, &e) == 0)
      written[kind] = true;
  }
  free(text);
  free(path);
}

/* Empties the folder and returns how many files there were. */
static inline int clear(void) {
  DIR *d = opendir(folder);
  int n = 0;
  for (struct dirent *entry; d && (entry = readdir(d));) {
    char *path = str_printf("%s/%s", folder, entry->d_name);
    n += entry->d_name[0] != '.' && unlink(path) == 0;
    free(path);
  }
  if (d)
    closedir(d);
  return n;
}

static inline pid_t run_to_end(char *const *settings, void (*program)(void)) {
  int status;
  pid_t pid = fork();
  if (pid == 0)
    child(settings, program);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (status)
    fail_msg("the program ended with %#x", (unsigned)status);
  char *name = str_printf("%ld.part", (long)pid);
  read_left(name);
  free(name);
  assert_int_equal(left.seen.pid, pid);
  return pid;
}

static inline pid_t run_program(char *const *settings, void (*program)(void)) {
  pid_t pid = run_to_end(settings, program);
  assert_true(left.complete);
  return pid;
}

/* RUN(program, "NAME=VALUE", ...): in a folder that is empty. */
#define RUN(program, ...) (clear(), run_program((char *[]){__VA_ARGS__, NULL}, program))
#define S(text)           (char *)(size_t)text
#define USUAL             S("NVFP4_ATTACH_SAMPLING=0"), S("NVFP4_ATTACH_WINDOW=8")

static inline const struct attached_kernel *kernel(const char *name) {
  for (size_t i = 0; i < left.n_kernels; i++)
    if (strcmp(left.kernels[i].seen.name, name) == 0)
      return &left.kernels[i];
  fail_msg("no kernel %s", name);
  return NULL;
}

static inline double value(const char *of, const char *metric) {
  const struct attached_kernel *k = kernel(of);
  for (size_t i = 0; i < k->n_metrics; i++)
    if (strcmp(k->metrics[i].name, metric) == 0)
      return k->metrics[i].present ? k->metrics[i].value : NAN;
  return NAN;
}

static inline void counted(const char *name, double blocks, uint64_t launches) {
  assert_int_equal(kernel(name)->counted, launches);
  assert_false(kernel(name)->partly);
  assert_float_equal(value(name, "sm_cycles_elapsed"), blocks, 0);
  assert_float_equal(value(name, "inst_executed"), blocks, 0);
  assert_float_equal(value(name, "dram_read_bytes"), 1000 * blocks, 0);
}

static inline int begin(void **state) {
  char pid[32];
  (void)state;
  snprintf(pid, sizeof pid, "%ld", (long)getpid());
  setenv("FAKE_UUID", pid, 1);
  setenv("NVFP4_LIBCUDA", CUDA, 1);
  setenv("NVFP4_LIBCUPTI", CUPTI, 1);
  unsetenv("NVFP4_FAKE");
  for (const char *const *name = (const char *const[]){"RANK", "WORLD_SIZE", "LOCAL_RANK", "OMPI_COMM_WORLD_RANK",
                                                       "PMI_RANK", "SLURM_PROCID", NULL};
       *name; name++)
    unsetenv(*name);
  return mkdtemp(folder) ? 0 : -1;
}

static inline int end(void **state) {
  (void)state;
  attached_release(&left);
  clear();
  return rmdir(folder);
}

/* A launch before the first choice: why nothing was counted. */
static inline void launch_3(void) {
  launch_some(0, 3);
}

#endif
