#include "profiler/cli/runs.h"

#include "profiler/cli/cli.h"
#include "profiler/cli/recorded.h"
#include "run/run_texts.h"

#include "base/text.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int run_read(struct run *out, const char *path, struct err *e) {
  char *file = recorded_or_file(path);
  cli_progress("read", 0, 1, path);
  int rc = run_load(out, file, e);
  if (!rc && recorded_is(file))
    recorded_mark(out);
  else if (!rc)
    run_texts_find(out, file);
  cli_progress_end();
  free(file);
  return rc;
}

int recorded_load(struct run *out, struct err *e) {
  char *path = NULL;
  int rc = recorded_path(&path, e);
  if (!rc)
    rc = run_read(out, path, e);
  if (!rc && out->origin != ORIGIN_RECORDED) /* NVFP4_RECORDED may name any file */
    recorded_mark(out);
  free(path);
  return rc;
}

void run_sign(struct run *run, const char *typed) {
  free(run->tool);
  free(run->git);
  free(run->command);
  run->tool = str_copy(NVFP4_VERSION);
  run->git = str_copy(NVFP4_GIT);
  run->command = str_copy(typed);
}

static bool is_file(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0;
}

int run_replace_verify(const char *path, const char *command, bool force, struct err *e) {
  struct run there = {0};
  struct err no_run = {0};
  int rc = 0;
  if (force || !is_file(path))
    return 0;
  char *begins = str_printf("nvfp4-prof %s ", command);
  if (run_load_outline(&there, path, &no_run))
    rc = err_set(e, ERR_USAGE,
                 "%s is there and is not a run file: name another with --out, or overwrite it with --force", path);
  else if (!there.command || strncmp(there.command, begins, strlen(begins)) != 0)
    rc = err_set(e, ERR_USAGE,
                 "%s is there and holds another run, of %.80s: name another file with --out, or overwrite it with "
                 "--force",
                 path, there.command && *there.command ? there.command : "an unknown command");
  free(begins);
  run_release(&there);
  return rc;
}

static bool was_measured(const struct run *r) {
  for (size_t i = 0; i < r->n_results; i++)
    if (r->results[i].timing.n > 0 || r->results[i].n_metrics > 0)
      return true;
  return false;
}

/* The same chip by name; a card without one (an import's), by its compute capability. */
static bool may_be(const struct device *d, const struct run_device *card) {
  if (card->name && d->name)
    return device_names(d, card->name);
  return card->sm == 0 || d->sm == 0 || d->sm == card->sm;
}

int analysed_make(struct analysed *out, const struct run *r, const char *device_asked, struct err *e) {
  *out = (struct analysed){0};
  int rc = device_asked ? device_load(&out->device, device_asked, e) : device_from_run(&out->device, &r->device, e);
  if (!rc && device_asked && was_measured(r) && !may_be(&out->device, &r->device))
    rc = err_set(
        e, ERR_USAGE,
        "--device %s: the run was measured on %s, and another chip's ceilings do not fit its counters; to project its times to that chip: nvfp4-prof project RUN --to %s",
        device_asked, r->device.name ? r->device.name : "another GPU", device_asked);
  return rc ? rc : findings_make(&out->findings, r, &out->device, e);
}

void analysed_release(struct analysed *a) {
  findings_release(&a->findings);
  device_release(&a->device);
}

void run_set_init(struct run_set *s, size_t n) {
  *s = (struct run_set){.runs = calloc(n + 1, sizeof *s->runs),
                        .devices = calloc(n + 1, sizeof *s->devices),
                        .findings = calloc(n + 1, sizeof *s->findings)};
}

int run_set_add(struct run_set *s, const char *path, struct err *e) {
  struct run *run = &s->runs[s->n];
  struct device *device = &s->devices[s->n];
  struct findings *findings = &s->findings[s->n];
  int rc = run_read(run, path, e);
  if (!rc && (rc = device_from_run(device, &run->device, e)))
    err_context(e, "%s", path);
  if (!rc && (rc = findings_make(findings, run, device, e)))
    err_context(e, "%s", path);
  if (!rc) {
    s->n++;
    return 0;
  }
  findings_release(findings);
  device_release(device);
  run_release(run);
  return rc;
}

void run_set_release(struct run_set *s) {
  for (size_t i = 0; i < s->n; i++) {
    findings_release(&s->findings[i]);
    device_release(&s->devices[i]);
    run_release(&s->runs[i]);
  }
  free(s->findings);
  free(s->devices);
  free(s->runs);
  *s = (struct run_set){0};
}

int notes_beside(char **out, const char *asked, const char *run_file, struct err *e) {
  const char *slash = strrchr(run_file, '/');
  struct stat st;
  *out = asked   ? str_copy(asked)
         : slash ? str_printf("%.*s/notes", (int)(slash - run_file), run_file)
                 : str_copy("notes");
  bool there = stat(*out, &st) == 0 && S_ISDIR(st.st_mode);
  if (asked && !there)
    return err_set(e, ERR_USAGE, "--notes %s: there is no such folder", asked);
  if (!there) {
    free(*out);
    *out = NULL;
  }
  return 0;
}
