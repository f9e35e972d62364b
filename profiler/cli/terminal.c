#include "profiler/cli/cli.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/plain.h"
#include "profiler/cuda/interrupted.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* A terminal that takes text and nothing else. */
static bool is_dumb(void) {
  const char *term = getenv("TERM");
  return term && strcmp(term, "dumb") == 0;
}

static const char *colour_asked = "auto"; /* --color */

int cli_colour_set(const char *when, struct err *e) {
  if (strcmp(when, "auto") != 0 && strcmp(when, "always") != 0 && strcmp(when, "never") != 0)
    return err_set(e, ERR_USAGE, "--color %s: must be auto, always or never", when);
  colour_asked = when;
  return 0;
}

bool cli_colour(void) {
  const char *no = getenv("NO_COLOR");
  if (strcmp(colour_asked, "auto") != 0)
    return strcmp(colour_asked, "always") == 0;
  return isatty(STDOUT_FILENO) && !(no && *no) && !is_dumb();
}

int cli_width(void) {
  struct winsize w;
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
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
  int rc = text_ok(t) ? 0 : err_nomem(e, "what is printed");
  struct text clean = {0};
  plain_terminal(&clean, text_str(t), t->n, cli_colour());
  if (!rc && clean.n) {
    fwrite(clean.s, 1, clean.n, stdout);
    fflush(stdout);
  }
  text_release(&clean);
  text_release(t);
  return rc;
}

int cli_save(struct text *t, const char *path, struct err *e) {
  if (strcmp(path, "-") == 0)
    return cli_print(t, e);
  int rc = text_ok(t) ? file_write(path, text_str(t), t->n, e) : err_nomem(e, path);
  text_release(t);
  return rc;
}

void cli_tell(const char *format, ...) {
  struct text clean = {0};
  char *told = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&told, format, args) >= 0) {
    plain_text(&clean, told);
    fputs(text_str(&clean), stderr);
    free(told);
  }
  va_end(args);
  text_release(&clean);
}

void cli_warn(struct text *warning) {
  if (warning->n)
    cli_tell("nvfp4-prof: %s", warning->s);
  text_release(warning);
}

static bool ascii_locale(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  const char *locale = NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && !(locale && *locale); i++)
    locale = getenv(names[i]);
  return locale && (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0);
}

int cli_print_words(struct text *t, struct err *e) {
  struct text ascii = {0}, fit = {0};
  int rc;
  if (ascii_locale())
    text_ascii(&ascii, text_str(t));
  text_fit(&fit, ascii.n ? text_str(&ascii) : text_str(t), cli_width());
  fit.failed |= ascii.failed || t->failed;
  rc = cli_print(&fit, e);
  text_release(&ascii);
  text_release(t);
  return rc;
}

int cli_print_or_words(struct text *t, bool data, struct err *e) {
  return data ? cli_print(t, e) : cli_print_words(t, e);
}

static bool progress_shown;

void cli_progress(const char *phase, size_t done, size_t total, const char *what) {
  static double last_s;
  double now_s = clock_now_s();
  if (!isatty(STDERR_FILENO) || is_dumb() || now_s - last_s < 0.05)
    return;
  last_s = now_s;
  enum { BAR = 24 };
  char bar[BAR + 1];
  size_t filled = total ? BAR * (done < total ? done : total) / total : 0;
  for (size_t i = 0; i < BAR; i++)
    bar[i] = i < filled ? '#' : '.';
  bar[BAR] = 0;
  fprintf(stderr, "\r\033[K");
  cli_tell("%-8s [%s] %zu/%zu %.40s", phase, bar, done, total, what ? what : "");
  fflush(stderr);
  progress_shown = true;
}

void cli_progress_end(void) {
  if (progress_shown)
    fprintf(stderr, "\r\033[K");
  progress_shown = false;
}

int out_folder_make(const char *folder, struct err *e) {
  int rc = folder ? file_mkdirs(folder, e) : 0;
  if (!rc && folder && access(folder, W_OK | X_OK))
    rc = err_set(e, ERR_IO, "%s: %s", folder, strerror(errno));
  return rc ? err_context(e, "--out") : 0;
}

static int exit_code_of(const struct err *e) {
  switch (e->code) {
  case ERR_USAGE:
  case ERR_DATA:
    return EXIT_USAGE;
  case ERR_COMPILE:
    return EXIT_VARIANTS;
  default:
    return EXIT_MACHINE;
  }
}

int cli_complain(const struct command *c, const struct err *e) {
  cli_progress_end();
  /* A command with a code of its own runs another program, whose words stand beside ours. */
  cli_tell("nvfp4-prof: %s%s%s\n", c->failure ? c->name : "", c->failure ? ": " : "", e->text);
  return c->failure ? c->failure : exit_code_of(e);
}

/* --- signals --- */

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
  static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
  enum { ENDS = sizeof ends / sizeof ends[0] };
  struct sigaction action = {.sa_handler = interrupted}, before;
  for (size_t i = 0; i < ENDS; i++)
    sigaddset(&action.sa_mask, ends[i]);
  for (size_t i = 0; i < ENDS; i++)
    if (ends[i] != SIGHUP || sigaction(SIGHUP, NULL, &before) || before.sa_handler != SIG_IGN) /* as nohup has it */
      sigaction(ends[i], &action, NULL);
}
