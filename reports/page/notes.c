#include "reports/page/notes.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { NOTE_BYTES_MAX = 1 << 20 };

static bool same_folder(const char *a, const char *b) {
  char *x = realpath(a, NULL), *y = realpath(b, NULL);
  bool same = x && y && strcmp(x, y) == 0;
  free(x);
  free(y);
  return same;
}

static int note_load(struct notes *out, const char *folder, const char *id, struct err *e) {
  char *path, *text = NULL;
  size_t n;
  int rc = 0;
  /* An id comes from a file of others: it names a file of this folder or none. */
  if (strchr(id, '/') || id[0] == '.')
    return 0;
  path = str_printf("%s/%s.md", folder, id);
  if (file_exists(path))
    rc = file_read(path, NOTE_BYTES_MAX, &text, &n, e);
  if (text)
    out->items[out->n++] = (struct report_note){id, text};
  free(path);
  return rc;
}

int notes_load(struct notes *out, const char *folder, const char *report, const struct findings *f, struct err *e) {
  int rc = 0;
  *out = (struct notes){0};
  if (!folder)
    return 0;
  if (same_folder(folder, report))
    return err_set(e, ERR_USAGE,
                   "--notes %s is the report's own folder: keep notes in another, where nothing is written", folder);
  out->items = calloc(f->run->n_variants + 1, sizeof *out->items);
  for (size_t i = 0; i < f->run->n_variants && rc == 0; i++)
    rc = note_load(out, folder, f->run->variants[i].id, e);
  return rc;
}

void notes_release(struct notes *n) {
  for (size_t i = 0; i < n->n; i++)
    free((char *)n->items[i].text);
  free(n->items);
  *n = (struct notes){0};
}
