/* The SASS of one kernel out of the cubins that a process loaded. */
#include "profiler/attach/outside/composing.h"

#include "base/file.h"
#include "base/text.h"
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t cubin_max = (size_t)256 << 20, listing_max = (size_t)256 << 20;
enum { TEXTS_MAX = 128 }; /* of a run; kernels come through many headers */

/* --- the cubin --- */

static char *cubin_path(const char *folder, long pid, long number) {
  return str_printf("%s/%ld.%ld.cubin", folder, pid, number);
}

/* The symbol of the kernel in that cubin, -1: it has none; *path is the caller's to free where it has. */
static long cubin_look(const char *file, const char *kernel, char **path) {
  struct stat st = {0};
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  size_t n = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
  void *elf = n ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED; /* of MBs, only the symbols are read */
  long found = elf != MAP_FAILED ? cubin_symbol(elf, n, kernel) : -1;
  if (elf != MAP_FAILED)
    munmap(elf, n);
  if (fd >= 0)
    close(fd);
  if (found >= 0)
    *path = str_copy(file);
  return found >= 0 && *path ? found : -1;
}

/* The file of the process that has the kernel; *path is the caller's to free. */
static long cubin_find(const char *folder, long pid, long number, const char *kernel, char **path) {
  char prefix[32];
  char *numbered = number < 0 ? NULL : cubin_path(folder, pid, number);
  long found = -1;
  *path = NULL;
  if (numbered)
    found = cubin_look(numbered, kernel, path);
  free(numbered);
  snprintf(prefix, sizeof prefix, "%ld.", pid);
  DIR *d = opendir(folder);
  for (struct dirent *entry; d && found < 0 && (entry = readdir(d));) {
    const char *ending = strrchr(entry->d_name, '.');
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || !ending || strcmp(ending, ".cubin") != 0)
      continue;
    char *file = str_printf("%s/%s", folder, entry->d_name);
    found = file ? cubin_look(file, kernel, path) : -1;
    free(file);
  }
  if (d)
    closedir(d);
  return found;
}

/* --- nvdisasm --- */

/* Where the kernel is not alone in its cubin, and it can be: a copy of it alone. */
static char *cut_make(const char *cubin, long symbol) {
  char *elf = NULL, *path = NULL;
  size_t n;
  FILE *file = NULL;
  if (file_read(cubin, cubin_max, &elf, &n, NULL) == 0 && cubin_cut(elf, n, symbol) &&
      (path = str_printf("%s.%ld.alone", cubin, symbol)))
    file = fopen(path, "wbe");
  bool made = file && fwrite(elf, 1, n, file) == n;
  made = file && fclose(file) == 0 && made;
  free(elf);
  if (!made) {
    free(path);
    path = NULL;
  }
  return path;
}

/* Has it write the listing to l->file; 0 or errno. */
static int disassemble(struct attach_listing *l) {
  char index[32];
  snprintf(index, sizeof index, "%ld", l->symbol);
  char *argv[] = {l->program, "-gi", "-c", "-ndf", "-fun", index, l->cut ? l->cut : l->cubin, NULL};
  int file = open(l->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  struct stat st;
  size_t n = stat(l->cut ? l->cut : l->cubin, &st) == 0 ? (size_t)st.st_size : 0;
  int failed = file < 0 ? errno : program_start(&l->child, argv, file, -1, program_limit_s(n));
  if (file >= 0)
    close(file);
  if (failed)
    l->child = 0;
  return failed;
}

void attach_sass_start(struct attach_listing *l, const char *folder, long number) {
  l->number = number;
  l->why.code = program_find(l->program, "nvdisasm", &l->why);
  l->symbol = l->why.code ? -1 : cubin_find(folder, l->pid, number, l->kernel, &l->cubin);
  if (!l->why.code && l->symbol < 0)
    err_set(&l->why, ERR_MACHINE, "attach did not see the kernel's code being loaded");
  if (!l->why.code && !(l->file = str_printf("%s.%ld.sass", l->cubin, l->symbol)))
    err_nomem(&l->why, "a path");
  if (!l->why.code)
    l->cut = cut_make(l->cubin, l->symbol);
  int failed = l->why.code ? 0 : disassemble(l);
  if (failed)
    err_set(&l->why, ERR_MACHINE, "%s failed: %s", l->program, strerror(failed));
}

bool attach_sass_is_running(struct attach_listing *l) {
  if (l->child && waitpid(l->child, &l->status, WNOHANG) == l->child)
    l->child = 0;
  return l->child != 0;
}

bool attach_sass_is_of(const struct attach_listing *l, const char *folder, long number) {
  char *path = number < 0 ? NULL : cubin_path(folder, l->pid, number);
  bool is = l->cubin && (number < 0 || number == l->number || (path && strcmp(path, l->cubin) == 0));
  free(path);
  return is;
}

static void listing_end(struct attach_listing *l) {
  if (l->child)
    l->status = child_reap(l->child);
  l->child = 0;
}

void attach_listing_clear(struct attach_listing *l) {
  if (l->child)
    kill(l->child, SIGKILL);
  listing_end(l);
  free(l->file);
  free(l->cut);
  free(l->cubin);
  *l = (struct attach_listing){.pid = l->pid, .kernel = l->kernel};
}

static bool listing_take(struct attach_listing *l, char **out) {
  size_t n = 0;
  listing_end(l);
  bool printed = l->status == 0 && file_read(l->file, listing_max, out, &n, NULL) == 0;
  if (printed && !n) {
    free(*out);
    *out = NULL;
  }
  return printed && n;
}

/* Waits for the listing; *out is the caller's to free. */
static int listing_wait(struct attach_listing *l, char **out, struct err *e) {
  if (l->why.code)
    return err_set(e, l->why.code, "%s", l->why.text);
  bool printed = listing_take(l, out);
  if (!printed && l->cut) { /* what is not understood without the rest may be with it */
    free(l->cut);
    l->cut = NULL;
    printed = disassemble(l) == 0 && listing_take(l, out);
  }
  if (!printed)
    return err_set(e, ERR_MACHINE, "%s failed: %s", l->program,
                   WIFSIGNALED(l->status) && WTERMSIG(l->status) == SIGXCPU
                       ? "the disassembler exceeded its limit of CPU time (NVFP4_PROGRAM_LIMIT sets it)"
                       : "it printed no SASS");
  return 0;
}

/* --- sources --- */

static int last_line(const struct run_module *m, int source) {
  int last = 0;
  for (size_t k = 0; k < m->n_kernels; k++)
    for (size_t i = 0; i < m->kernels[k].n_sass; i++)
      for (size_t l = 0; l < m->kernels[k].sass[i].n_lines; l++) {
        const struct run_line *at = &m->kernels[k].sass[i].lines[l];
        last = at->source == source && at->line > last ? at->line : last;
      }
  return last;
}

/* Puts the texts to the run's sources from `first` on, which this kernel was the first to name;
 * those beyond TEXTS_MAX, and those that are not found, stay names. */
static void texts_find(struct run *run, size_t first, const struct run_module *m, const char *cubin,
                       const struct folders_record *folders) {
  char *elf = NULL, own[PATH_MAX];
  size_t n = 0, texts = 0;
  bool has_elf = first < run->n_sources && file_read(cubin, cubin_max, &elf, &n, NULL) == 0;
  bool has_own = getcwd(own, sizeof own) != NULL;
  for (size_t i = 0; i < first; i++)
    texts += run->sources[i].text[0] != 0;
  for (size_t i = first; i < run->n_sources && texts < TEXTS_MAX; i++) {
    struct run_source *s = &run->sources[i];
    const struct source_wanted wanted = {.name = s->name,
                                         .bytes = has_elf ? cubin_source_bytes(elf, n, s->name) : 0,
                                         .last_line = last_line(m, (int)i),
                                         .work = folders->work,
                                         .program = folders->program,
                                         .own = has_own ? own : NULL};
    char *text = source_text(&wanted);
    if (text) {
      free(s->text);
      s->text = text;
      texts++;
    }
  }
  free(elf);
}

/* A file that an earlier kernel's lines fit in, and this one's do not, is another. */
static void texts_check(struct run *run, size_t before, const struct run_module *m) {
  for (size_t i = 0; i < before; i++)
    if (run->sources[i].text[0] && (size_t)last_line(m, (int)i) > str_lines(run->sources[i].text))
      run->sources[i].text[0] = 0;
}

int attach_sass(struct attach_listing *l, const struct folders_record *folders, struct run *run, struct run_module *out,
                struct err *e) {
  char *listing = NULL;
  size_t before = run->n_sources;
  int rc = listing_wait(l, &listing, e);
  *out = (struct run_module){.arch = str_printf("sm_%d", run->device.sm), .kernels = calloc(1, sizeof *out->kernels)};
  out->kernels->name = str_copy(l->kernel);
  out->n_kernels = 1;
  if (!rc)
    sass_parse(out, listing, NULL, &run->sources, &run->n_sources);
  if (!rc && out->kernels->n_sass == 0)
    rc = err_set(e, ERR_MACHINE, "%s printed no SASS for it", l->program);
  if (!rc) {
    texts_check(run, before, out);
    texts_find(run, before, out, l->cubin, folders);
  }
  free(listing);
  if (rc)
    run_module_release(out);
  return rc;
}
