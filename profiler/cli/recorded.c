#include "profiler/cli/recorded.h"

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

bool recorded_is(const char *path) {
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

void recorded_mark(struct run *run) {
  char *note =
      str_printf("recorded on %s, %.10s, and shipped with nvfp4-prof: nothing here was measured on this machine",
                 run->device.name ? run->device.name : "a GPU", run->created ? run->created : "");
  run->origin = ORIGIN_RECORDED;
  if (note)
    run_note(run, note);
  free(note);
}
