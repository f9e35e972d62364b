/* Disassembly in the background: a process that does what compile_all left out, into the cache. */
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool compile_keeps(const struct compile_settings *s) {
  char *folder = cache_folder(s->cache_folder);
  bool keeps = folder != NULL;
  free(folder);
  return keeps;
}

static bool lacks_sass(const struct run_module *m) {
  for (size_t k = 0; k < m->n_kernels; k++)
    if (!m->kernels[k].n_sass)
      return true;
  return false;
}

/* All units, compiled or taken from the cache, with SASS. */
static int compile_whole(const struct disassembly *d, struct compiled **out, struct compile_tools *tools,
                         struct err *e) {
  *out = calloc(d->n_units, sizeof **out);
  return compile_all(&d->settings, d->units, d->n_units, *out, tools, e);
}

static void in_background(void *context) {
  struct compiled *ignored;
  struct compile_tools tools;
  struct err e = {0};
  if (nice(10) < 0 && errno == EPERM) /* the measuring process goes first; as well without */
    errno = 0;
  compile_whole(context, &ignored, &tools, &e);
}

int disassembly_start(struct disassembly *d, const struct compile_settings *s, const struct compile_unit *units,
                      size_t n_units, struct run_module *const *modules, struct err *e) {
  *d = (struct disassembly){.settings = *s, .units = units, .n_units = n_units};
  d->settings.sass = true;
  d->settings.progress = NULL;
  bool wanted = false;
  for (size_t i = 0; i < n_units; i++)
    wanted |= modules[i] && lacks_sass(modules[i]);
  return wanted ? child_start(&d->child, in_background, d, e) : 0;
}

static void wait_or_end(pid_t child, const volatile sig_atomic_t *interrupted) {
  while (waitpid(child, NULL, WNOHANG) == 0)
    if (*interrupted) {
      kill(child, SIGKILL);
      waitpid(child, NULL, 0);
    } else {
      nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

/* Both are of the same cubin, so their kernels stand in the same order. */
static void take_sass(struct run_module *to, struct run_module *from) {
  for (size_t k = 0; k < to->n_kernels && k < from->n_kernels; k++) {
    struct run_kernel *a = &to->kernels[k], *b = &from->kernels[k];
    if (a->n_sass)
      continue;
    free(a->sass_reason);
    a->sass = b->sass;
    a->n_sass = b->n_sass;
    a->sass_reason = b->sass_reason;
    b->sass = NULL;
    b->n_sass = 0;
    b->sass_reason = NULL;
  }
}

static void say_interrupted(struct run_module *m) {
  for (size_t k = 0; k < m->n_kernels; k++)
    if (!m->kernels[k].n_sass) {
      free(m->kernels[k].sass_reason);
      m->kernels[k].sass_reason = str_copy("interrupted before it was disassembled");
    }
}

int disassembly_finish(struct disassembly *d, struct run_module *const *modules,
                       const volatile sig_atomic_t *interrupted, struct compile_tools *tools, struct err *e) {
  struct compiled *whole = NULL;
  int rc = 0;
  memset(tools, 0, sizeof *tools);
  if (!d->child)
    return 0;
  wait_or_end(d->child, interrupted);
  d->child = 0;
  if (!*interrupted)
    rc = compile_whole(d, &whole, tools, e);
  for (size_t i = 0; i < d->n_units; i++) {
    if (!modules[i] || rc)
      continue;
    if (whole)
      take_sass(modules[i], &whole[i].module);
    else
      say_interrupted(modules[i]);
  }
  for (size_t i = 0; whole && i < d->n_units; i++)
    compiled_release(&whole[i]);
  free(whole);
  return rc;
}
