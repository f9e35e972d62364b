#include "profiler/measure/tune_file.h"

#include "kernels/frontmatter.h"

#include <string.h>

/* A variant with `when` lines of its own inherits none: those that it had are written out below the new ones. */
static void add_inherited(struct text *out, const struct rung *r, int id_line) {
  for (size_t i = 0; i < r->n_keys; i++)
    if (strcmp(r->keys[i].key, "when") == 0 && r->keys[i].line < id_line)
      text_printf(out, "//! when:       %s\n", r->keys[i].value);
}

int tune_file(struct text *out, const struct rung *r, const char *lines, struct err *e) {
  int id_line = fm_line(r, "id", 0), line = 1;
  struct rung_set again = {0};
  struct err why = {0};
  for (const char *at = r->source; *at; line++) {
    size_t n = strcspn(at, "\n");
    text_add_n(out, at, n);
    text_add(out, "\n");
    at += n + (at[n] == '\n');
    if (line == id_line) {
      text_add(out, lines);
      add_inherited(out, r, id_line);
    }
  }
  int rc = rung_set_add(&again, r->file, text_str(out), &why);
  rung_set_release(&again);
  return rc ? err_set(e, rc, "the tuned file would not be read: %s", why.text) : 0;
}
