#include "profiler/cli/cli.h"

#include "base/file.h"
#include "kernels/problem.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/measure/profile.h"
#include "profiler/measure/worker.h"
#include "reports/text/report.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int add_shape(struct shape **list, size_t *n, struct shape s, struct err *e) {
  for (size_t i = 0; i < *n; i++)
    if (shape_equal((*list)[i], s))
      return 0;
  struct shape *grown = realloc(*list, (*n + 1) * sizeof *grown);
  if (!grown)
    return err_nomem(e, "shapes");
  grown[(*n)++] = s;
  *list = grown;
  return 0;
}

int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e) {
  char *copy = str_copy(list), *rest = copy;
  int result = copy ? 0 : err_nomem(e, "shapes");
  *out = NULL;
  *n = 0;
  for (char *item; !result && (item = strsep(&rest, ","));) {
    item = str_trim(item);
    const struct shape *set = NULL;
    size_t n_set = problem_shape_set(item, &set);
    for (size_t i = 0; i < n_set && !result; i++)
      result = add_shape(out, n, set[i], e);
    struct shape s;
    if (!n_set && (result = shape_parse(&s, item, e)))
      err_context(e, "--shape");
    else if (!n_set)
      result = add_shape(out, n, s, e);
  }
  free(copy);
  if (result) {
    free(*out);
    *out = NULL;
  }
  return result;
}

bool cli_colour(void) {
  const char *no = getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && !(no && *no);
}

int cli_width(void) {
  struct winsize w;
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 160;
}

/* errno is of no use: the failed write may have been an earlier printf's. */
static bool reader_left(void) {
  struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

int cli_flush(struct err *e) {
  bool failed = fflush(stdout) || ferror(stdout);
  return failed && !reader_left() ? err_set(e, ERR_IO, "stdout could not be written") : 0;
}

int cli_print(struct text *t, struct err *e) {
  int result = text_ok(t) ? 0 : err_nomem(e, "what is printed");
  if (!result && t->n) {
    fwrite(t->s, 1, t->n, stdout);
    result = cli_flush(e);
  }
  text_release(t);
  return result;
}

static bool progress_shown;

void cli_progress(void *context, const char *phase, size_t done, size_t total, const char *what) {
  (void)context;
  static double last_s;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double now_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  if (!isatty(STDERR_FILENO) || now_s - last_s < 0.05)
    return;
  last_s = now_s;
  enum { BAR = 24 };
  char bar[BAR + 1];
  size_t filled = total ? BAR * (done < total ? done : total) / total : 0;
  for (size_t i = 0; i < BAR; i++)
    bar[i] = i < filled ? '#' : '.';
  bar[BAR] = 0;
  fprintf(stderr, "\r\033[K%-8s [%s] %zu/%zu %.40s", phase, bar, done, total, what ? what : "");
  fflush(stderr);
  progress_shown = true;
}

void cli_progress_end(void) {
  if (progress_shown)
    fprintf(stderr, "\r\033[K");
  progress_shown = false;
}

/* One request may come as two signals: `timeout` sends its own to the program, and to the group that the program is in. */
static void interrupted(int signal_number) {
  enum { SAME_REQUEST_NS = 500000000 };
  static struct timespec first; /* signals are blocked while the handler runs */
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!profile_interrupted) {
    profile_interrupted = signal_number;
    first = now;
  } else if ((now.tv_sec - first.tv_sec) * 1000000000L + now.tv_nsec - first.tv_nsec > SAME_REQUEST_NS) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
}

void cli_catch_signals(void) {
  struct sigaction action = {.sa_handler = interrupted};
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

char *cli_command(int argc, char **argv) {
  struct text t = {0};
  for (int i = 0; i < argc; i++) {
    const char *plain =
        argv[i] + strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:+@%");
    text_add(&t, i ? " " : "");
    if (argv[i][0] && !*plain) {
      text_add(&t, argv[i]);
      continue;
    }
    text_add(&t, "'");
    for (const char *p = argv[i]; *p; p++)
      text_add_n(&t, *p == '\'' ? "'\\''" : p, *p == '\'' ? 4 : 1);
    text_add(&t, "'");
  }
  return text_take(&t);
}

int recorded_path(char **out, struct err *e) {
  const char *named = getenv("NVFP4_RECORDED");
  static const char *const places[] = {NVFP4_RECORDED_INSTALLED "/h200.json.gz", NVFP4_RECORDED_INSTALLED "/h200.json",
                                       NVFP4_RECORDED_SOURCE "/h200.json.gz", NVFP4_RECORDED_SOURCE "/h200.json"};
  const char *found = named && *named ? named : NULL; /* a file that was named is used or complained of */
  for (size_t i = 0; i < sizeof places / sizeof places[0] && !found; i++)
    found = file_exists(places[i]) ? places[i] : NULL;
  *out = NULL;
  if (!found)
    return err_set(e, ERR_MACHINE,
                   "the recorded run h200.json.gz is neither in " NVFP4_RECORDED_INSTALLED
                   " nor in the source tree: set NVFP4_RECORDED to it");
  *out = str_copy(found);
  return *out ? 0 : err_nomem(e, "a path");
}

int recorded_load(struct run *out, struct err *e) {
  char *path = NULL;
  int result = recorded_path(&path, e);
  if (!result)
    result = run_load(out, path, e);
  if (!result) {
    char *note =
        str_printf("recorded on %s, %.10s, and shipped with nvfp4-prof: nothing here was measured on this machine",
                   out->device.name ? out->device.name : "a GPU", out->created ? out->created : "");
    out->origin = ORIGIN_RECORDED;
    if (note)
      run_note(out, note);
    free(note);
  }
  free(path);
  return result;
}

int device_for_run(struct device *d, const char *asked, const struct run *r, struct err *e) {
  return asked ? device_load(d, asked, e) : device_from_run(d, &r->device, e);
}

int notes_beside(char **out, const char *asked, const char *run_file, struct err *e) {
  const char *slash = strrchr(run_file, '/');
  struct stat st;
  *out = asked   ? str_copy(asked)
         : slash ? str_printf("%.*s/notes", (int)(slash - run_file), run_file)
                 : str_copy("notes");
  if (!*out)
    return err_nomem(e, "a path");
  bool there = stat(*out, &st) == 0 && S_ISDIR(st.st_mode);
  if (asked && !there)
    return err_set(e, ERR_USAGE, "--notes %s: there is no such folder", asked);
  if (!there) {
    free(*out);
    *out = NULL;
  }
  return 0;
}

int out_folder_make(const char *folder, struct err *e) {
  int result = file_mkdirs(folder, e);
  if (!result && access(folder, W_OK | X_OK))
    result = err_set(e, ERR_IO, "%s: %s", folder, strerror(errno));
  return result ? err_context(e, "--out") : 0;
}

static int save_run(const struct run *r, const char *folder, struct err *e) {
  int result = file_mkdirs(folder, e);
  char *path = result ? NULL : str_printf("%s/run.json", folder);
  if (!result)
    result = path ? run_save(r, path, e) : err_nomem(e, "a path");
  free(path);
  return result;
}

int present_run(const struct run *r, const struct present_options *o, struct err *e) {
  struct device device = {0};
  struct findings f = {0};
  struct story story = {0};
  struct text out = {0}, warning = {0};
  /* Saved first: what was measured must outlive any trouble with its report. */
  int result = o->folder && o->save_run ? save_run(r, o->folder, e) : 0;
  if (!result)
    result = device_for_run(&device, o->device, r, e);
  if (!result)
    result = findings_make(&f, r, &device, e);
  if (result)
    goto out;
  if (o->folder) {
    struct report_options options = {.folder = o->folder,
                                     .gnuplot = getenv("NVFP4_GNUPLOT"),
                                     .formats = o->formats ? o->formats : REPORT_ALL,
                                     .notes = o->notes};
    if (!o->plots)
      options.formats &= ~(unsigned)REPORT_PLOTS;
    result = story_make(&story, &f, e);
    if (!result)
      result = report_write(&story, &options, &warning, e);
  }
  if (o->first_line && !o->json)
    text_printf(&out, "%s\n", o->first_line);
  if (o->json)
    report_json(&f, &out);
  else
    report_term(&f, &out, cli_width(), cli_colour());
  cli_progress_end();
  int printed = cli_print(&out, result ? NULL : e);
  result = result ? result : printed;
  if (warning.n)
    fprintf(stderr, "nvfp4-prof: %s\n", warning.s);
  if (!result && o->folder)
    fprintf(stderr, "nvfp4-prof: report written to %s\n", o->folder);
out:
  text_release(&out);
  text_release(&warning);
  story_release(&story);
  findings_release(&f);
  device_release(&device);
  return result;
}

int outcome_of(const struct run *r) {
  for (size_t i = 0; i < r->n_results; i++) {
    enum run_verdict v = r->results[i].check.verdict;
    bool must_fail = r->variants[r->results[i].variant].wrong;
    if (v == VERDICT_FAILED || (v == VERDICT_WRONG && !must_fail) || (v == VERDICT_PASS && must_fail))
      return EXIT_VARIANTS;
  }
  return EXIT_DONE;
}
