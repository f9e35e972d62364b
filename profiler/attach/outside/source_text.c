/* The text of a source that a kernel's lines name, which may have moved since it was compiled. */
#include "profiler/attach/outside/composing.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { ROOTS_MAX = 3 };
static const size_t source_max = 1 << 20;

/* Where to look: folders that lines of a relative name, or the end of a name, may be in. */
struct search {
  const struct source_wanted *wanted;
  const char *roots[ROOTS_MAX];
  size_t lengths[ROOTS_MAX], n;
};

/* Where it is the file that was compiled: of that size, or, where none is known, with as many
 * lines as instructions came from.  The caller frees it. */
static char *text_at(const struct source_wanted *w, const char *path) {
  char *text = NULL;
  size_t n = 0;
  bool is = file_read_regular(path, source_max, false, &text, &n, NULL) == 0 && n > 0 && strlen(text) == n &&
            (w->bytes <= 0 || n == (size_t)w->bytes) && str_lines(text) >= (size_t)w->last_line;
  if (!is) {
    free(text);
    text = NULL;
  }
  return text;
}

static char *text_below(const struct source_wanted *w, const char *root, size_t length, const char *end) {
  char *path = str_printf("%.*s/%s", (int)length, root, end);
  char *text = path ? text_at(w, path) : NULL;
  free(path);
  return text;
}

static void root_add(struct search *s, const char *folder, size_t length) {
  if (!folder || *folder != '/')
    return;
  s->roots[s->n] = folder;
  s->lengths[s->n++] = length;
}

/* The last slash of the first n characters; 0: there is none before the end. */
static size_t parent_length(const char *path, size_t n) {
  while (n > 0 && path[n - 1] != '/')
    n--;
  return n > 0 ? n - 1 : 0;
}

static char *text_in_roots(const struct search *s, const char *end, bool parents) {
  char *text = NULL;
  for (size_t i = 0; i < s->n && !text; i++)
    text = text_below(s->wanted, s->roots[i], parents ? parent_length(s->roots[i], s->lengths[i]) : s->lengths[i], end);
  return text;
}

char *source_text(const struct source_wanted *w) {
  struct search s = {.wanted = w};
  bool absolute = *w->name == '/';
  char *text = NULL;
  root_add(&s, w->work, w->work ? strlen(w->work) : 0);
  root_add(&s, w->program, w->program ? parent_length(w->program, strlen(w->program)) : 0);
  root_add(&s, w->own, w->own ? strlen(w->own) : 0);
  text = absolute ? text_at(w, w->name) : text_in_roots(&s, w->name, false);
  /* A tree that was moved: only a file of the very size is told from another of that name. */
  for (const char *end = absolute ? w->name + 1 : w->name; w->bytes > 0 && end && *end && !text;) {
    text = text_in_roots(&s, end, false);
    text = text ? text : text_in_roots(&s, end, true);
    end = strchr(end, '/');
    end = end ? end + 1 : NULL;
  }
  return text;
}
