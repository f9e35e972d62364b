#include "reports/charts/chart.h"

#include "base/err.h"
#include "base/file.h"
#include "reports/charts/svg.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 2, TIMEOUT_S = 30, PICTURE_BYTES_MAX = 64 << 20 };

struct job {
  struct chart *chart;
  pid_t pid; /* 0: the slot is free */
  int stderr_fd;
  double started;
};

static double now_s(void) {
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* gnuplot writes under a name of its own, renamed when it has succeeded: a reader never sees
 * half a picture. */
static void temporary_name(char *out, size_t n, const struct chart *c) {
  snprintf(out, n, ".%s.%ld.tmp", c->name, (long)getpid());
}

/* 0, or the errno of what went wrong. */
static int job_start(struct job *j, struct chart *c, const struct chart_drawing *how) {
  char script[CHART_NAME_MAX + 8], temporary[CHART_NAME_MAX + 32], settings[CHART_NAME_MAX + 64];
  char *argv[] = {(char *)how->gnuplot, "--default-settings", "-e", settings, script, NULL};
  posix_spawn_file_actions_t actions;
  int rc;

  *j = (struct job){.chart = c, .stderr_fd = memfd_create("gnuplot-stderr", MFD_CLOEXEC), .started = now_s()};
  if (j->stderr_fd < 0)
    return errno;
  snprintf(script, sizeof script, "%s.gp", c->name);
  temporary_name(temporary, sizeof temporary, c);
  snprintf(settings, sizeof settings, "out='%s'; passes=%d", temporary, how->svg_alone ? 1 : 2);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, j->stderr_fd, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, how->folder);
  rc = posix_spawnp(&j->pid, how->gnuplot, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (rc != 0) {
    close(j->stderr_fd);
    j->pid = 0;
  }
  return rc;
}

/* The first line that says something: gnuplot quotes the offending line and points at it before
 * that. */
static void first_complaint(int fd, char *out, size_t n) {
  char buffer[4096];
  ssize_t got = pread(fd, buffer, sizeof buffer - 1, 0);
  char *save = NULL, *line;

  snprintf(out, n, "it said nothing");
  if (got <= 0)
    return;
  buffer[got] = '\0';
  for (line = strtok_r(buffer, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    line += strspn(line, " \t");
    if (strlen(line) > 1 && line[0] != '^' && strncmp(line, "gnuplot>", 8) != 0) {
      snprintf(out, n, "%.200s", line);
      return;
    }
  }
}

/* gnuplot ends with 0 though the disk was full: a picture is whole when its end is there. */
static bool ends_with(const char *data, size_t n, const char *end, size_t length) {
  while (n > 0 && (data[n - 1] == '\n' || data[n - 1] == '\r') && end[length - 1] != data[n - 1])
    n--;
  return n >= length && memcmp(data + n - length, end, length) == 0;
}

static bool png_settle(const char *from, const char *to) {
  static const char end[] = "IEND\xAE\x42\x60\x82"; /* the last chunk and its checksum */
  char *raw = NULL;
  size_t n;
  bool ok = file_read(from, PICTURE_BYTES_MAX, &raw, &n, NULL) == 0 && ends_with(raw, n, end, sizeof end - 1) &&
            rename(from, to) == 0;

  free(raw);
  return ok;
}

/* The picture as it came, cleaned, under its own name. */
static bool svg_settle(struct chart *c, const char *from, const char *to) {
  struct err e = {0};
  char *raw = NULL;
  size_t n;
  bool ok = file_read(from, PICTURE_BYTES_MAX, &raw, &n, &e) == 0 && ends_with(raw, n, "</svg>", 6);

  if (ok) {
    svg_clean(&c->svg, raw, c->name, text_str(&c->title), text_str(&c->hint));
    ok = text_ok(&c->svg) && c->svg.n > 0 && file_write(to, c->svg.s, c->svg.n, &e) == 0;
  }
  free(raw);
  unlink(from);
  return ok;
}

static void remove_in(const char *folder, const char *name, const char *ending) {
  char *path = str_printf("%s/%s%s", folder, name, ending);

  if (path)
    unlink(path);
  free(path);
}

static void pictures_settle(struct chart *c, const struct chart_drawing *how) {
  const char *folder = how->folder;
  char temporary[CHART_NAME_MAX + 32];

  temporary_name(temporary, sizeof temporary, c);
  for (int svg = 1; svg >= 0; svg--) {
    char *from = str_printf("%s/%s.%s", folder, temporary, svg ? "svg" : "png");
    char *to = str_printf("%s/%s.%s", folder, c->name, svg ? "svg" : "png");

    if (c->drawn && (svg || !how->svg_alone))
      c->drawn = from && to && (svg ? svg_settle(c, from, to) : png_settle(from, to));
    if (!c->drawn && from && to) {
      unlink(from);
      unlink(to); /* an older picture does not show these numbers */
    }
    free(from);
    free(to);
  }
  if (c->drawn && how->svg_alone) {
    remove_in(folder, c->name, ".gp");
    remove_in(folder, c->name, ".dat");
  }
}

/* True when the job has ended, one way or another. */
static bool job_poll(struct job *j, const struct chart_drawing *how, struct text *warning) {
  bool late = now_s() - j->started > TIMEOUT_S;
  int status = 0;
  char complaint[256];
  pid_t done = waitpid(j->pid, &status, late ? 0 : WNOHANG);

  if (done == 0 && !late)
    return false;
  first_complaint(j->stderr_fd, complaint, sizeof complaint);
  bool ended_well = done == j->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  j->chart->drawn = ended_well;
  pictures_settle(j->chart, how);
  if (!j->chart->drawn && WIFSIGNALED(status) && late)
    text_printf(warning, "gnuplot took more than %d s on %s.gp and was stopped; %s.gp and .dat are written\n",
                TIMEOUT_S, j->chart->name, j->chart->name);
  else if (!j->chart->drawn && ended_well)
    text_printf(warning, "%s.svg or .png could not be written whole (is the disk full?)\n", j->chart->name);
  else if (!j->chart->drawn)
    text_printf(warning, "gnuplot failed on %s.gp: %s; %s.gp and .dat are written\n", j->chart->name, complaint,
                j->chart->name);
  close(j->stderr_fd);
  j->pid = 0;
  return true;
}

static void warn_of_start(int rc, const char *gnuplot, const struct chart *charts, size_t n, struct text *warning) {
  if (rc != ENOENT) {
    text_printf(warning, "%s could not be started: %s; the charts' .gp and .dat are written\n", gnuplot, strerror(rc));
    return;
  }
  text_printf(warning, "%s was not found: ", gnuplot);
  if (n == 1)
    text_printf(warning, "%s.gp and .dat are written; ", charts[0].name);
  else
    text_printf(warning, "the .gp and .dat of %zu charts are written; ", n);
  text_printf(warning, "install gnuplot-nox (apt) and run `gnuplot %s.gp` there\n", charts[0].name);
}

/* Pictures that a process left which was killed while gnuplot drew them: .NAME.PID.tmp.svg, and nobody has that number. */
static void leftovers_remove(const char *folder) {
  DIR *d = opendir(folder);

  for (struct dirent *entry; d && (entry = readdir(d));) {
    const char *ending = strstr(entry->d_name, ".tmp."), *digits = ending;

    while (digits && digits > entry->d_name && isdigit((unsigned char)digits[-1]))
      digits--;
    if (entry->d_name[0] != '.' || !digits || digits == ending || digits[-1] != '.' ||
        (strcmp(ending, ".tmp.svg") != 0 && strcmp(ending, ".tmp.png") != 0))
      continue;
    if (kill((pid_t)strtol(digits, NULL, 10), 0) != 0 && errno == ESRCH)
      unlinkat(dirfd(d), entry->d_name, 0);
  }
  if (d)
    closedir(d);
}

void chart_draw(struct chart *charts, size_t n, const struct chart_drawing *how, struct text *warning) {
  struct job jobs[AT_ONCE] = {{0}};
  size_t next = 0, running = 0;

  leftovers_remove(how->folder);
  while (next < n || running > 0) {
    const struct timespec pause = {0, 5 * 1000 * 1000};
    int rc = 0;

    for (size_t i = 0; i < AT_ONCE; i++) {
      struct job *j = &jobs[i];

      if (j->pid && now_s() - j->started > TIMEOUT_S)
        kill(j->pid, SIGKILL);
      if (j->pid && job_poll(j, how, warning))
        running--;
      if (!j->pid && next < n && rc == 0) {
        rc = job_start(j, &charts[next], how);
        running += rc == 0;
        next += rc == 0;
      }
    }
    if (rc != 0) {
      /* It will not start for the others either. */
      for (size_t i = next; i < n; i++)
        pictures_settle(&charts[i], how);
      warn_of_start(rc, how->gnuplot, &charts[next], n - next, warning);
      n = next;
    }
    if (how->progress)
      how->progress(NULL, "charts", next - running, n, "");
    if (running > 0)
      nanosleep(&pause, NULL);
  }
}

static int write_source(const struct text *text, const char *folder, const char *name, const char *ending,
                        struct err *e) {
  char *path = str_printf("%s/%s%s", folder, name, ending);
  int rc = path && text_ok(text) ? file_write(path, text_str(text), text->n, e) : err_nomem(e, name);

  free(path);
  return rc;
}

int chart_write(const struct chart *c, const char *folder, struct err *e) {
  int rc = write_source(&c->gp, folder, c->name, ".gp", e);

  return rc ? rc : write_source(&c->dat, folder, c->name, ".dat", e);
}

int chart_save(struct chart *c, const char *folder, const char *gnuplot, struct text *warning, struct err *e) {
  int rc = file_mkdirs(folder, e);

  if (rc == 0)
    rc = chart_write(c, folder, e);
  if (rc == 0)
    chart_draw(c, 1, &(struct chart_drawing){folder, gnuplot ? gnuplot : "gnuplot", false, NULL}, warning);
  return rc;
}
