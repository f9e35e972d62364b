#include "analysis/ladder/code_diff.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The others say what a rung is for (predicts, claim, note, ...) or follow from these; they would bury the change of code. */
static const char *const compiled_keys[] = {"param",   "when",  "constants", "options",   "host",      "step",
                                            "scratch", "setup", "reset",     "tensormap", "sf_layout", "accumulate"};

/* In the order of compiled_keys, not the rung's: a key that moved changed nothing. */
static char *code_text(const struct run_variant *v, const char *source) {
  struct text out = {0};
  for (size_t k = 0; k < sizeof compiled_keys / sizeof *compiled_keys; k++) {
    for (size_t i = 0; i < v->n_keys; i++)
      if (strcmp(v->keys[i].key, compiled_keys[k]) == 0)
        text_printf(&out, "//! %s: %s\n", v->keys[i].key, v->keys[i].value);
  }
  while (*source) {
    size_t n = strcspn(source, "\n");
    n += source[n] == '\n';
    if (strncmp(source, "//!", 3) != 0)
      text_add_n(&out, source, n);
    source += n;
  }
  return out.s ? text_take(&out) : str_copy("");
}

void code_diff_make(struct code_diff *out, const struct run *r, const struct run_variant *from,
                    const struct run_variant *to) {
  const char *before = run_source_text(r, from->file), *after = run_source_text(r, to->file);
  *out = (struct code_diff){0};
  if (!before || !after) {
    out->reason = "the run does not hold the source of both rungs";
    return;
  }
  out->before = code_text(from, before);
  out->after = code_text(to, after);
  line_diff_make(&out->diff, out->before, out->after);
}

void code_diff_release(struct code_diff *c) {
  line_diff_release(&c->diff);
  free(c->before);
  free(c->after);
  *c = (struct code_diff){0};
}
