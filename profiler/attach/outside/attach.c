/* Starts the program, waits, and writes a run file a process. */
#include "profiler/attach/outside/attach_folder.h"
#include "profiler/attach/outside/composing.h"

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "profiler/attach/records/launched_rank.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct attaching {
  const struct attach_options *o;
  struct attach_folder folder;
  char *library;
  void (*say)(void *context, const char *sentence);
  void *context;
  struct timespec started;
  struct launched_rank launched; /* of this process */
  size_t written;
  bool lost;                    /* a process ended before it wrote what it launched */
  struct attach_report *report; /* NULL: not asked for */
  struct gpu_probing probing;   /* asked while the program runs, which takes 0.4 s */
  struct gpu_probe gpu;
  struct attach_listings listings; /* started while the program runs, too */
  struct attach_beside beside;
  bool ranking; /* the first of two runs */
  pid_t child;  /* of the last run; then the signal that ended it, 0: none */
  int signal;
  bool first_only;               /* there is to be no second */
  bool sampled;                  /* in it, so that the second has all launches for counters */
  char *chosen;                  /* the file of the kernels that it chose; NULL: there is none */
  struct attached_process first; /* its times, where one process launched kernels */
};

/* Where ranks are started each by an attach of its own, their sentences mix on one terminal. */
static void say(const struct attaching *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const struct attaching *a, const char *format, ...) {
  char sentence[2048] = "";
  int n = a->launched.launcher ? snprintf(sentence, sizeof sentence, "rank %ld: ", a->launched.rank) : 0;
  va_list args;
  va_start(args, format);
  vsnprintf(sentence + n, sizeof sentence - (size_t)n, format, args);
  va_end(args);
  a->say(a->context, sentence);
}

/* --- before --- */

/* That the run file cannot be written is said before the program runs, not after. */
static int out_check(const char *out, struct err *e) {
  const char *slash = strrchr(out, '/');
  char *folder = slash ? str_printf("%.*s", slash == out ? 1 : (int)(slash - out), out) : str_copy(".");
  struct stat st;
  int rc = 0;
  if (access(folder, W_OK | X_OK))
    rc = err_set(e, ERR_IO, "--out %s: %s: %s", out, folder, strerror(errno));
  if (!rc && stat(out, &st) == 0 && !S_ISREG(st.st_mode))
    rc = err_set(e, ERR_IO, "--out %s: cannot be written: it is not a regular file", out);
  free(folder);
  return rc;
}

/* The one that is at work, for an end of this process in the midst of it. */
static struct attaching *unfinished;

static void folder_remove(struct attaching *a) {
  unfinished = NULL;
  attach_folder_remove(&a->folder);
  free(a->library);
  free(a->chosen);
}

static void at_exit(void) {
  if (unfinished && unfinished->folder.pid == getpid())
    folder_remove(unfinished);
}

static int folder_make(struct attaching *a, struct err *e) {
  size_t bytes;
  const void *image = attach_image(&bytes);
  int rc = attach_folder_make(&a->folder, e);
  if (rc)
    return rc;
  unfinished = a;
  atexit(at_exit);
  a->library = str_printf("%s/libnvfp4-prof-inject.so", a->folder.path);
  return file_write(a->library, image, bytes, e);
}

/* --- the program --- */

static bool set(const char *name, const char *value) {
  return setenv(name, value ? value : "", 1) == 0;
}

static bool set_number(const char *name, long value) {
  char text[32];
  snprintf(text, sizeof text, "%ld", value);
  return set(name, text);
}

/* Empty: the library goes by what is usual. */
static bool set_percent(const char *name, bool given, double ratio) {
  char text[32] = "";
  if (given)
    snprintf(text, sizeof text, "%.9g", 100 * ratio);
  return set(name, text);
}

static bool set_window(long window) {
  return window < 0 ? unsetenv("NVFP4_ATTACH_WINDOW") == 0 : set_number("NVFP4_ATTACH_WINDOW", window);
}

/* In the program's process /proc/self/exe is the program. */
static bool set_tool(void) {
  char self[LIBRARY_PATH_MAX];
  return !program_folder(self) || set("NVFP4_ATTACH_TOOL", self);
}

/* False: memory ran out. */
static bool set_environment(const struct attaching *a) {
  const struct attach_options *o = a->o;
  return set("CUDA_INJECTION64_PATH", a->library) && set("NVTX_INJECTION64_PATH", a->library) &&
         set("NVFP4_ATTACH_DIR", a->folder.path) && set_tool() && set("NVFP4_ATTACH_KERNEL", o->kernel) &&
         set("NVFP4_ATTACH_NVTX", o->nvtx) && set("NVFP4_ATTACH_NVTX_SCOPE", o->nvtx_scope) &&
         set_number("NVFP4_ATTACH_SKIP", o->skip) && set_number("NVFP4_ATTACH_COUNT", o->count) &&
         set_window(o->window) && set_percent("NVFP4_ATTACH_COVERAGE", true, o->coverage) &&
         set_percent("NVFP4_ATTACH_OVERHEAD", isfinite(o->overhead), o->overhead) &&
         set_number("NVFP4_ATTACH_TOP", a->ranking ? 0 : o->top) && set("NVFP4_ATTACH_CHOSEN", a->chosen) &&
         set_number("NVFP4_ATTACH_SPLIT", o->split_passes) && set_number("NVFP4_ATTACH_REPLAY", o->replay) &&
         set_number("NVFP4_ATTACH_BY_RANGE", o->by_range) &&
         set_number("NVFP4_ATTACH_SAMPLING", a->sampled ? 0 : o->sampling_exponent) &&
         set_number("NVFP4_ATTACH_SAMPLE_ALL", a->ranking) && set_number("NVFP4_ATTACH_FOLLOW", o->follow);
}

static volatile sig_atomic_t target;

static void pass_on(int number) {
  if (target > 0)
    kill((pid_t)target, number);
}

/* The terminal sends Ctrl-C to the program too: here it is only waited for.  What is sent to this process alone is passed on. */
static void set_signals(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, pass = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &ignore, NULL);
  sigaction(SIGQUIT, &ignore, NULL);
  sigaction(SIGTERM, &pass, NULL);
  sigaction(SIGHUP, &pass, NULL);
}

static void run_program(const struct attaching *a, int report) {
  for (int number = 1; number < NSIG; number++) /* as a shell would start it */
    if (number == SIGINT || number == SIGQUIT || number == SIGTERM || number == SIGHUP || number == SIGPIPE ||
        number == SIGXFSZ)
      signal(number, SIG_DFL);
  attach_folder_hold(&a->folder);
  if (set_environment(a))
    execvp(a->o->argv[0], a->o->argv);
  int cause = errno;
  ssize_t told = write(report, &cause, sizeof cause);
  _exit(told > 0 && cause == ENOENT ? ATTACH_NOT_FOUND : ATTACH_CANNOT_RUN);
}

/* Runs the program to its end; *status is waitpid's. */
static int program_wait(struct attaching *a, int *status, int *code, struct err *e) {
  int ends[2], cause = 0;
  if (pipe2(ends, O_CLOEXEC))
    return err_set(e, ERR_MACHINE, "pipe: %s", strerror(errno));
  fflush(NULL);
  set_signals();
  pid_t child = fork();
  if (child == 0)
    run_program(a, ends[1]);
  int failed = child < 0 ? errno : 0;
  target = child;
  close(ends[1]);
  ssize_t told = failed ? 0 : read(ends[0], &cause, sizeof cause);
  close(ends[0]);
  if (failed)
    return err_set(e, ERR_MACHINE, "fork: %s", strerror(failed));
  if (a->o->running)
    a->o->running(true);
  if (a->o->sass && !a->ranking)
    attach_beside_start(&a->beside, &a->listings);
  *status = child_reap(child);
  a->child = child;
  a->signal = WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
  target = 0;
  attach_beside_stop(&a->beside);
  if (a->o->running)
    a->o->running(false);
  *code = WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
  return told > 0 ? err_set(e, ERR_IO, "%s: %s", a->o->argv[0], strerror(cause)) : 0;
}

/* --- after --- */

static void report_add(struct attaching *a, const struct attached_process *p, const char *out) {
  struct attach_report *r = a->report;
  if (!r)
    return;
  struct attach_file *f = array_add(&r->files, &r->n, sizeof *f);
  *f = (struct attach_file){.path = str_copy(out),
                            .pid = p->seen.pid,
                            .launches = p->totals.launches,
                            .kernels = p->n_kernels,
                            .gpu_time_ns = attached_total_ns(p),
                            .complete = p->complete};
  f->counted = attached_counted(p, &f->counted_ns);
}

void attach_report_release(struct attach_report *r) {
  for (size_t i = 0; i < r->n; i++)
    free(r->files[i].path);
  free(r->files);
  free(r->merge);
  *r = (struct attach_report){0};
}

static bool was_sampling(const struct attaching *a, long pid) {
  char *path = str_printf("%s/%ld" RECORDS_SAMPLING, a->folder.path, pid);
  bool was = access(path, F_OK) == 0;
  free(path);
  return was;
}

static int part_save(struct attaching *a, struct attached_process *p, bool several, struct err *e) {
  struct run run = {0};
  if (!p->complete) {
    p->sampled_last = was_sampling(a, p->seen.pid);
    p->signal = p->seen.pid == a->child ? a->signal : 0;
    p->first_only = a->first_only;
  }
  if (p->totals.launches == 0) { /* a process that only asked how many GPUs there are, as launchers do */
    if (!p->complete) {
      say(a,
          "process %ld ended before it wrote its launches (_exit, exec, a signal, or no permission to write here): they are missing",
          p->seen.pid);
      a->lost = true;
    }
    for (size_t i = 0; i < p->n_notes; i++)
      say(a, "process %ld: %s", p->seen.pid, p->notes[i].sentence);
    return 0;
  }
  if (a->first.n_kernels && !several)
    times_take(p, &a->first);
  if (a->sampled && !several)
    samples_take(p, &a->first);
  char *out = out_name(a->o->out, &p->seen, several, &a->started);
  if (a->probing.shared)
    gpu_probe_end(&a->probing, &a->gpu, NULL); /* what it could not tell is asked again of the GPU that was used */
  attach_compose(p, a->o, &a->gpu, &a->listings, &run);
  int rc = run_save(&run, out, e);
  if (!rc) {
    report_add(a, p, out);
    a->written++;
    for (size_t i = 0; i < run.n_notes; i++)
      say(a, "%s: %s", out, run.notes[i]);
  }
  run_release(&run);
  free(out);
  return rc;
}

static int is_part(const struct dirent *entry) {
  size_t n = strlen(entry->d_name);
  return n > 5 && strcmp(entry->d_name + n - 5, ".part") == 0;
}

struct parts { /* what the program's processes have left, those that launched kernels among them */
  struct attached_process *all;
  size_t n, busy;
};

/* One part that cannot be read costs the others nothing: the first of these is *e, the others are said. */
static int parts_read(const struct attaching *a, struct parts *out, struct err *e) {
  struct dirent **files = NULL;
  int n = scandir(a->folder.path, &files, is_part, alphasort);
  int rc = n < 0 ? err_set(e, ERR_IO, "%s: %s", a->folder.path, strerror(errno)) : 0;
  *out = (struct parts){.all = calloc((size_t)(n > 0 ? n : 1), sizeof *out->all)};
  for (int i = 0; i < n; i++) {
    struct err one = {0};
    char *path = str_printf("%s/%s", a->folder.path, files[i]->d_name);
    struct attached_process *p = &out->all[out->n];
    if (attached_read(p, path, &one) == 0) {
      out->busy += p->totals.launches > 0;
      out->n++;
    } else if (rc) {
      say(a, "%s", one.text);
    } else {
      rc = err_set(e, one.code, "%s", one.text);
    }
    free(path);
    free(files[i]);
  }
  free(files);
  return rc;
}

static void parts_release(struct parts *p) {
  for (size_t i = 0; i < p->n; i++)
    attached_release(&p->all[i]);
  free(p->all);
}

static int parts_save(struct attaching *a, struct err *e) {
  struct parts parts;
  int rc = parts_read(a, &parts, e);
  for (size_t i = 0; i < parts.n; i++) {
    struct err one = {0};
    if (part_save(a, &parts.all[i], parts.busy > 1, &one) == 0)
      continue;
    if (rc)
      say(a, "%s", one.text);
    else
      rc = err_set(e, one.code, "%s", one.text);
  }
  if (!rc && parts.n == 0)
    say(a, "nothing was profiled: neither %s nor its children started CUDA, or they have no permission to write here",
        a->o->argv[0]);
  else if (!rc && a->written == 0 && !a->lost)
    say(a, "%s launched no kernel: no run file was written", a->o->argv[0]);
  parts_release(&parts);
  return rc;
}

/* --- two runs --- */

static void parts_remove(const struct attaching *a) {
  DIR *d = opendir(a->folder.path);
  for (struct dirent *entry; d && (entry = readdir(d));)
    if (strstr(entry->d_name, ".part") || strstr(entry->d_name, ".cubin") || strstr(entry->d_name, RECORDS_SAMPLING))
      unlinkat(dirfd(d), entry->d_name, 0);
  if (d)
    closedir(d);
}

/* Reads what the first run left: every process's kernels are ranked by themselves. */
static int first_read(struct attaching *a, struct text *chosen, struct err *e) {
  struct parts parts;
  int rc = parts_read(a, &parts, e);
  for (size_t i = 0; i < parts.n; i++)
    if (parts.all[i].totals.launches) {
      chosen_add(chosen, &parts.all[i], a->o->coverage, a->o->top);
      if (parts.busy > 1)
        continue;
      a->first = parts.all[i];
      parts.all[i] = (struct attached_process){0};
    }
  if (parts.busy > 1) /* whose times are whose is not known */
    say(a, "%zu processes launched kernels: the times are from the second run", parts.busy);
  a->sampled = !rc && samples_cover(&a->first, a->o->coverage);
  parts_release(&parts);
  return rc;
}

/* Between the two runs; false: there is to be no second. */
static bool first_ends(struct attaching *a, int status, struct err *e) {
  struct text chosen = {0};
  bool again = false;
  a->ranking = false;
  if (WIFSIGNALED(status))
    say(a, "the first run was ended by signal %d, so there was no second: the run has times, but no counters",
        WTERMSIG(status));
  else if (first_read(a, &chosen, e))
    say(a, "the first run cannot be read, so there was no second: %s", e->text);
  else if (!chosen.n)
    say(a, "the first run launched no kernel that can be counted, so there was no second");
  else
    again = (a->chosen = str_printf("%s/chosen", a->folder.path)) && file_write(a->chosen, chosen.s, chosen.n, e) == 0;
  if (again)
    parts_remove(a);
  else
    attached_release(&a->first);
  a->first_only = !again;
  text_release(&chosen);
  return again;
}

int attach_run(const struct attach_options *o, int *code, void (*said)(void *context, const char *sentence),
               void *context, struct attach_report *report, struct err *e) {
  struct attaching a = {
      .o = o, .say = said, .context = context, .report = report, .launched = launched_rank_of(environ)};
  int status = 0, rc = out_check(o->out, e);
  clock_gettime(CLOCK_REALTIME, &a.started);
  a.ranking = o->two_runs;
  *code = ATTACH_FAILED;
  if (!rc)
    rc = folder_make(&a, e);
  a.listings.folder = a.folder.path;
  if (!rc && gpu_probe_start(&a.probing, NULL, false, NULL))
    a.probing.shared = NULL; /* it is asked once the program has ended */
  if (!rc)
    rc = program_wait(&a, &status, code, e);
  if (!rc && o->two_runs && first_ends(&a, status, e))
    rc = program_wait(&a, &status, code, e);
  if (!rc && WIFSIGNALED(status))
    say(&a, "%s was ended by signal %d (%s): what was recorded until then is kept", o->argv[0], WTERMSIG(status),
        strsignal(WTERMSIG(status)));
  if (!rc && (rc = parts_save(&a, e)))
    *code = ATTACH_FAILED;
  bool ranked = a.launched.launcher && a.launched.size != 1;
  if (report && report->n && (ranked ? a.launched.rank == 0 : report->n > 1))
    report->merge = out_glob(o->out);
  gpu_probe_drop(&a.probing);
  attach_listings_release(&a.listings);
  attached_release(&a.first);
  folder_remove(&a);
  return rc;
}
