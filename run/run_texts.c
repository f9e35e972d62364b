#include "run/run_texts.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const size_t text_max = 1 << 20;

/* A run file may come from anywhere: it brings in no text but of programs. */
static bool is_source(const char *name) {
  static const char *const ends[] = {".cu", ".cuh", ".c",   ".cc",  ".cpp", ".cxx",
                                     ".h",  ".hh",  ".hpp", ".hxx", ".inl", ".py"};
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
    if (strcmp(dot, ends[i]) == 0)
      return true;
  return false;
}

/* Seconds since 1970; 0: it is no such time. */
static time_t made_at(const struct run *r) {
  struct tm t = {0};
  const char *end = r->created ? strptime(r->created, "%Y-%m-%dT%H:%M:%SZ", &t) : NULL;
  return end && !*end ? timegm(&t) : 0;
}

static int last_line(const struct run *r, int source) {
  int last = 0;
  for (size_t m = 0; m < r->n_modules; m++)
    for (size_t k = 0; k < r->modules[m].n_kernels; k++) {
      const struct run_kernel *x = &r->modules[m].kernels[k];
      for (size_t i = 0; i < x->n_sass; i++)
        for (size_t l = 0; l < x->sass[i].n_lines; l++)
          if (x->sass[i].lines[l].source == source && x->sass[i].lines[l].line > last)
            last = x->sass[i].lines[l].line;
    }
  return last;
}

/* The caller frees it; NULL: there is none, or it is younger than the run. */
static char *text_of(const struct run *r, int source, const char *path, time_t made) {
  struct stat st;
  char *text = NULL;
  size_t n = 0;
  bool is = stat(path, &st) == 0 && st.st_mtime <= made &&
            file_read_regular(path, text_max, false, &text, &n, NULL) == 0 && n > 0 && strlen(text) == n &&
            str_lines(text) >= (size_t)last_line(r, source);
  if (!is) {
    free(text);
    text = NULL;
  }
  return text;
}

static char *text_beside(const struct run *r, int source, const char *path, time_t made) {
  const char *name = r->sources[source].name, *slash = strrchr(path, '/');
  if (*name == '/')
    return text_of(r, source, name, made);
  char *there = slash ? str_printf("%.*s/%s", (int)(slash - path), path, name) : NULL;
  char *text = there ? text_of(r, source, there, made) : NULL;
  free(there);
  return text ? text : text_of(r, source, name, made);
}

void run_texts_find(struct run *r, const char *path) {
  time_t made = made_at(r);
  for (size_t i = 0; i < r->n_sources && made > 0; i++) {
    struct run_source *s = &r->sources[i];
    char *text = !s->text[0] && is_source(s->name) ? text_beside(r, (int)i, path, made) : NULL;
    if (text) {
      free(s->text);
      s->text = text;
    }
  }
}
