#include "profiler/cli/recorded.h"

#include "profiler/cli/cli.h"
#include "run/device.h"
#include "run/run.h"
#include "run/run_texts.h"

#include "base/file.h"
#include "base/text.h"
#include "profiler/cuda/library.h"
#include "version.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where recorded runs lie: in the installation that the program is of, which may have been moved,
 * where it was to be installed, or in the source tree, which a release knows nothing of. */
enum { N_PLACES = 3 };
static const char *place(size_t i, char beside[PATH_MAX]) {
  char folder[LIBRARY_PATH_MAX];
  if (i > 0)
    return i == 1 ? NVFP4_RECORDED_INSTALLED : NVFP4_RECORDED_SOURCE;
  bool known = program_folder(folder);
  snprintf(beside, PATH_MAX, "%.*s%s%s", PATH_MAX - (int)sizeof NVFP4_RECORDED_BESIDE - 1, folder, known ? "/" : "",
           NVFP4_RECORDED_BESIDE);
  return beside;
}
static const char *const ENDINGS[] = {".json.gz", ".json"};
enum { N_ENDINGS = sizeof ENDINGS / sizeof ENDINGS[0] };

/* *out NULL: there is none of this name. */
static void recorded_find(char **out, const char *name) {
  char beside[PATH_MAX];
  *out = NULL;
  for (size_t i = 0; i < (size_t)N_PLACES * N_ENDINGS; i++) {
    char *path = str_printf("%s/%s%s", place(i / N_ENDINGS, beside), name, ENDINGS[i % N_ENDINGS]);
    if (file_exists(path)) {
      *out = path;
      return;
    }
    free(path);
  }
}

int recorded_path(char **out, struct err *e) {
  const char *named = getenv("NVFP4_RECORDED");
  *out = NULL;
  if (named && *named) { /* a file that was named is used or complained of */
    *out = str_copy(named);
    return 0;
  }
  recorded_find(out, "h200");
  return *out ? 0
              : err_set(e, ERR_MACHINE,
                        "the recorded run h200.json.gz is neither in " NVFP4_RECORDED_BESIDE
                        " from this program nor in " NVFP4_RECORDED_INSTALLED
                        " nor in the source tree: set NVFP4_RECORDED to it");
}

static int is_recorded(const struct dirent *entry) {
  const char *dot = strchr(entry->d_name, '.');
  return dot && dot != entry->d_name && (strcmp(dot, ENDINGS[0]) == 0 || strcmp(dot, ENDINGS[1]) == 0);
}

/* "h100, h200": of the first place that has any. */
static void names_add(struct text *out) {
  struct dirent **entries = NULL;
  char beside[PATH_MAX];
  int n = 0;
  for (size_t i = 0; i < N_PLACES && n <= 0; i++)
    n = scandir(place(i, beside), &entries, is_recorded, alphasort);
  for (int i = 0; i < n; i++) {
    text_printf(out, "%s%.*s", i ? ", " : "", (int)strcspn(entries[i]->d_name, "."), entries[i]->d_name);
    free(entries[i]);
  }
  if (n >= 0)
    free(entries);
}

int recorded_named(char **out, const char *word, struct err *e) {
  if (!*word || strpbrk(word, "/.")) {
    *out = str_copy(word);
    return 0;
  }
  recorded_find(out, word);
  if (*out)
    return 0;
  struct text names = {0};
  names_add(&names);
  err_set(e, ERR_USAGE, "--run %s: no recorded run has this name (there are: %s); a file needs its path: ./%s", word,
          text_str(&names), word);
  text_release(&names);
  return ERR_USAGE;
}

char *recorded_or_file(const char *word) {
  struct stat st;
  bool folder = stat(word, &st) == 0 && S_ISDIR(st.st_mode); /* of a report, it may be called as its run is */
  char *path = NULL;
  if (*word && !strpbrk(word, "/.") && (folder || !file_exists(word)))
    recorded_find(&path, word);
  return path ? path : str_copy(word);
}

bool recorded_has(const char *word) {
  char *path = recorded_or_file(word);
  bool found = strcmp(path, word) != 0;
  free(path);
  return found;
}

/* The file lies where the recorded runs do. */
static bool recorded_is(const char *path) {
  char *file = realpath(path, NULL), *slash = file ? strrchr(file, '/') : NULL;
  char beside[PATH_MAX];
  bool found = false;
  if (slash)
    *slash = 0;
  for (size_t i = 0; i < N_PLACES && slash && !found; i++) {
    char *folder = realpath(place(i, beside), NULL);
    found = folder && strcmp(folder, file) == 0;
    free(folder);
  }
  free(file);
  return found;
}

const char *recorded_word(const char *path, char name[RECORDED_NAME_MAX]) {
  const char *file = strrchr(path, '/');
  size_t n = file ? strcspn(file + 1, ".") : 0;
  if (n == 0 || n >= RECORDED_NAME_MAX || !recorded_is(path))
    return path;
  memcpy(name, file + 1, n);
  name[n] = 0;
  return recorded_has(name) ? name : path;
}

static void recorded_mark(struct run *run) {
  char *note =
      str_printf("recorded on %s, %.10s, and shipped with nvfp4-prof: nothing here was measured on this machine",
                 run->device.name ? run->device.name : "a GPU", run->created ? run->created : "");
  run->origin = ORIGIN_RECORDED;
  if (note)
    run_note(run, note);
  free(note);
}

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
