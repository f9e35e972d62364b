/* The files on disk that a unit may include: NVRTC reads them beside the headers it is given, so
 * the cache must know them. */
#include "base/array.h"
#include "base/file.h"
#include "profiler/compile/toolchain.h"

#include <stdlib.h>
#include <string.h>

enum { INCLUDE_FILE_MAX = 4 << 20, INCLUDE_FILES_MAX = 1000 };

struct scan {
  const struct compile_settings *settings;
  const struct compile_unit *unit;
  void (*visit)(void *context, const char *path, const char *text);
  void *context;
  char **seen; /* paths on disk and names of the set's headers */
  size_t n_seen;
};

static void scan_text(struct scan *s, const char *path, const char *text);

/* Takes the name over; false: it was here before, or there are too many. */
static bool first_time(struct scan *s, char *name) {
  bool known = !name || s->n_seen >= INCLUDE_FILES_MAX;
  for (size_t i = 0; i < s->n_seen && !known; i++)
    known = strcmp(s->seen[i], name) == 0;
  bool added = !known && array_copy(&s->seen, &s->n_seen, name);
  free(name);
  return added;
}

/* folder: `folder_length` bytes, 0 for the current one. */
static void try_file(struct scan *s, const char *folder, size_t folder_length, const char *name, size_t n) {
  char *path = name[0] == '/'
                   ? str_printf("%.*s", (int)n, name)
                   : str_printf("%.*s%s%.*s", (int)folder_length, folder, folder_length ? "/" : "", (int)n, name);
  char *text = NULL;
  size_t bytes;
  if (!path || !file_exists(path) || file_read(path, INCLUDE_FILE_MAX, &text, &bytes, NULL)) {
    free(path);
    return;
  }
  if (first_time(s, path)) { /* path is the list's now */
    const char *kept = s->seen[s->n_seen - 1];
    s->visit(s->context, kept, text);
    scan_text(s, kept, text);
  }
  free(text);
}

static void try_beside(struct scan *s, const char *file, const char *name, size_t n) {
  const char *slash = strrchr(file, '/');
  try_file(s, file, slash ? (size_t)(slash - file) : 0, name, n);
}

/* The folder of an option -IDIR or --include-path=DIR, or NULL. */
static const char *option_folder(const char *option) {
  static const char *const spellings[] = {"--include-path=", "-include-path=", "-I"};
  for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
    if (strncmp(option, spellings[i], strlen(spellings[i])) == 0)
      return option + strlen(spellings[i]);
  return NULL;
}

static void scan_include(struct scan *s, const char *includer, const char *name, size_t n) {
  for (size_t i = 0; i < s->settings->set->n_files; i++) {
    const struct rung_file *f = &s->settings->set->files[i];
    if (f->header && strlen(f->name) == n && memcmp(f->name, name, n) == 0) {
      if (first_time(s, str_copy(f->name)))
        scan_text(s, f->name, f->text);
      return; /* NVRTC takes what it is given before what lies on disk */
    }
  }
  try_beside(s, includer, name, n);
  try_beside(s, s->unit->name, name, n);
  for (size_t i = 0; i < s->unit->n_options; i++) {
    const char *folder = option_folder(s->unit->options[i]);
    if (folder)
      try_file(s, folder, strlen(folder), name, n);
  }
}

static const char *skip_blanks(const char *p) {
  return p + strspn(p, " \t");
}

static void scan_text(struct scan *s, const char *path, const char *text) {
  for (const char *line = text; line; line = strchr(line, '\n')) {
    const char *p = skip_blanks(line + (*line == '\n'));
    line = p;
    if (*p != '#' || strncmp(p = skip_blanks(p + 1), "include", 7) != 0)
      continue;
    p = skip_blanks(p + 7);
    size_t n = *p == '"' || *p == '<' ? strcspn(p + 1, *p == '"' ? "\"\n" : ">\n") : 0;
    if (n && p[n + 1] != '\n' && p[n + 1])
      scan_include(s, path, p + 1, n);
  }
}

void includes_visit(const struct compile_settings *settings, const struct compile_unit *u,
                    void (*visit)(void *context, const char *path, const char *text), void *context) {
  struct scan s = {.settings = settings, .unit = u, .visit = visit, .context = context};
  scan_text(&s, u->name, u->source);
  array_free(s.seen, s.n_seen);
}
