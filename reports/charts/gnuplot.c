#include "reports/charts/chart.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"

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
enum output { OUTPUT_STDERR, OUTPUT_SVG, OUTPUT_PNG, OUTPUTS };

struct job {
  struct chart *chart;
  pid_t pid;       /* 0: the slot is free */
  int fd[OUTPUTS]; /* files in memory: whoever is killed leaves nothing in the folder */
  double started;
};

static void outputs_close(const struct job *j) {
  for (int i = 0; i < OUTPUTS; i++)
    if (j->fd[i] >= 0)
      close(j->fd[i]);
}

/* Of a number that no output has in gnuplot, where they are 2, 3 and 4. */
static int output_open(void) {
  enum { FREE = 10 };
  int fd = memfd_create("gnuplot", MFD_CLOEXEC), moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FREE);
  if (fd >= 0)
    close(fd);
  return moved;
}

/* What gnuplot does first: a string in single quotes holds one as two. */
static char *first_commands(const struct chart_drawing *how) {
  struct text t = {0};
  text_add(&t, "cd '");
  for (const char *c = how->folder; *c; c++)
    text_add_n(&t, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
  text_printf(&t, "'; svg='/proc/self/fd/3'; png='/proc/self/fd/4'; passes=%d", how->svg_alone ? 1 : 2);
  return text_take(&t);
}

/* 0, or the errno of what went wrong. */
static int job_start(struct job *j, struct chart *c, const struct chart_drawing *how) {
  char script[CHART_NAME_MAX + 8], *first = first_commands(how);
  char *argv[] = {(char *)how->gnuplot, "--default-settings", "-e", first, script, NULL};
  posix_spawn_file_actions_t actions;
  int rc = first ? 0 : ENOMEM;

  *j = (struct job){.chart = c, .started = clock_now_s()};
  snprintf(script, sizeof script, "%s.gp", c->name);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  for (int i = 0; i < OUTPUTS; i++) {
    j->fd[i] = output_open();
    rc = rc ? rc : j->fd[i] < 0 ? errno : 0;
    posix_spawn_file_actions_adddup2(&actions, j->fd[i], STDERR_FILENO + i);
  }
  if (rc == 0)
    rc = posix_spawnp(&j->pid, how->gnuplot, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  free(first);
  if (rc != 0) {
    outputs_close(j);
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

/* A picture is whole when its end is there. */
static bool ends_with(const char *data, size_t n, const char *end, size_t length) {
  while (n > 0 && (data[n - 1] == '\n' || data[n - 1] == '\r') && end[length - 1] != data[n - 1])
    n--;
  return n >= length && memcmp(data + n - length, end, length) == 0;
}

/* What gnuplot has written of a picture; NULL where it is not whole. */
static char *picture_read(int fd, const char *end, size_t length, size_t *n) {
  char path[32], *raw = NULL;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (fd < 0 || file_read(path, PICTURE_BYTES_MAX, &raw, n, NULL) || ends_with(raw, *n, end, length))
    return raw;
  free(raw);
  return NULL;
}

static bool png_settle(const struct job *j, const char *to, struct err *e) {
  static const char end[] = "IEND\xAE\x42\x60\x82"; /* the last chunk and its checksum */
  size_t n = 0;
  char *raw = picture_read(j->fd[OUTPUT_PNG], end, sizeof end - 1, &n);
  bool ok = raw && file_write(to, raw, n, e) == 0;
  free(raw);
  return ok;
}

/* The picture as it came, cleaned. */
static bool svg_settle(const struct job *j, const char *to, struct err *e) {
  struct chart *c = j->chart;
  size_t n = 0;
  char *raw = picture_read(j->fd[OUTPUT_SVG], "</svg>", 6, &n);
  if (raw)
    svg_clean(&c->svg, raw, c->name, text_str(&c->title), text_str(&c->hint));
  bool ok = raw && text_ok(&c->svg) && c->svg.n > 0 && file_write(to, c->svg.s, c->svg.n, e) == 0;
  free(raw);
  return ok;
}

static void remove_in(const char *folder, const char *name, const char *ending) {
  char *path = str_printf("%s/%s%s", folder, name, ending);
  unlink(path);
  free(path);
}

/* Gives whole pictures their names; true where all that were asked for are.  j NULL: there are none, and older ones do not show these numbers. */
static bool pictures_settle(struct chart *c, const struct job *j, const struct chart_drawing *how, struct err *e) {
  const char *folder = how->folder;
  char *svg = str_printf("%s/%s.svg", folder, c->name), *png = str_printf("%s/%s.png", folder, c->name);
  bool png_drawn = false;
  c->drawn = j && svg_settle(j, svg, e);
  if (c->drawn && !how->svg_alone)
    png_drawn = png_settle(j, png, e);
  if (!c->drawn)
    unlink(svg);
  if (!png_drawn)
    unlink(png);
  free(svg);
  free(png);
  if (c->drawn && how->svg_alone) {
    remove_in(folder, c->name, ".gp");
    remove_in(folder, c->name, ".dat");
  }
  return png_drawn || how->svg_alone;
}

/* True when the job has ended, one way or another. */
static bool job_poll(struct job *j, const struct chart_drawing *how, struct text *warning) {
  bool late = clock_now_s() - j->started > TIMEOUT_S;
  int status = 0;
  char complaint[256];
  pid_t done = waitpid(j->pid, &status, late ? 0 : WNOHANG);
  if (done == 0 && !late)
    return false;
  struct err e = {0};
  bool ended_well = done == j->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const char *name = j->chart->name;
  first_complaint(j->fd[OUTPUT_STDERR], complaint, sizeof complaint);
  bool whole = pictures_settle(j->chart, j, how, &e);
  if (e.code)
    text_printf(warning, "%s\n", e.text);
  else if (!j->chart->drawn && WIFSIGNALED(status) && late)
    text_printf(warning, "gnuplot took more than %d s on %s.gp and was stopped; %s.gp and .dat are written\n",
                TIMEOUT_S, name, name);
  else if (!j->chart->drawn)
    text_printf(warning, "gnuplot failed on %s.gp: %s; %s.gp and .dat are written\n", name, complaint, name);
  else if (!whole && !ended_well)
    text_printf(warning, "gnuplot drew %s.svg and no %s.png: %s\n", name, name, complaint);
  outputs_close(j);
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

void chart_draw(struct chart *charts, size_t n, const struct chart_drawing *how, struct text *warning) {
  struct job jobs[AT_ONCE] = {{0}};
  size_t next = 0, running = 0;
  while (next < n || running > 0) {
    const struct timespec pause = {0, 5 * 1000 * 1000};
    int rc = 0;
    for (size_t i = 0; i < AT_ONCE; i++) {
      struct job *j = &jobs[i];
      if (j->pid && clock_now_s() - j->started > TIMEOUT_S)
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
        pictures_settle(&charts[i], NULL, how, NULL);
      warn_of_start(rc, how->gnuplot, &charts[next], n - next, warning);
      n = next;
    }
    if (how->progress)
      how->progress("charts", next - running, n, "");
    if (running > 0)
      nanosleep(&pause, NULL);
  }
}

static int write_source(const struct text *text, const char *folder, const char *name, const char *ending,
                        struct err *e) {
  char *path = str_printf("%s/%s%s", folder, name, ending);
  int rc = text_ok(text) ? file_write(path, text_str(text), text->n, e) : err_nomem(e, name);
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
