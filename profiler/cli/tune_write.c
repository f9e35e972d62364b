#include "profiler/cli/tune_write.h"

#include <stdlib.h>
#include <string.h>

static void add_condition(struct text *out, struct shape s, const struct rung_chip *chip) {
  if (shape_named(&s))
    for (const char *at = s.sizes; *at; at += strspn(at, " ")) {
      size_t n = strcspn(at, " "), name = strcspn(at, "=");
      text_printf(out, "%.*s == %.*s && ", (int)name, at, (int)(n - name - 1), at + name + 1);
      at += n;
    }
  else
    text_printf(out, "M == %ld && K == %ld && L == %ld && ", s.m, s.k, s.l);
  text_printf(out, "sm == %d && sms == %d", chip->sm, chip->sms);
}

static bool is_searched(const struct tune_rank *rank, size_t param) {
  for (size_t i = 1; i < rank->n; i++)
    if (strcmp(rank->ranked[i]->result->params[param].value, rank->ranked[0]->result->params[param].value) != 0)
      return true;
  return false;
}

void tune_lines(struct text *out, size_t *n_lines, const struct rung *r, const struct tune_rank *ranks, size_t n,
                const struct rung_chip *chip) {
  *n_lines = 0;
  for (size_t i = 0; i < n; i++) {
    const struct tune_rank *rank = &ranks[i];
    if (!rank->n || !rank->standard || rank->best_is_standard)
      continue; /* without the rung itself beside it nothing is known to be faster than it */
    const struct run_result *best = rank->ranked[0]->result;
    const char *separator = ": ";
    text_add(out, "//! when:       ");
    add_condition(out, rank->shape, chip);
    for (size_t p = 0; p < best->n_params && p < r->n_params; p++) {
      if (!is_searched(rank, p))
        continue;
      text_printf(out, "%s%s = %s", separator, best->params[p].key, best->params[p].value);
      separator = ", ";
    }
    text_add(out, "\n");
    ++*n_lines;
  }
}

static int key_line(const struct rung *r, const char *key) {
  for (size_t i = 0; i < r->n_keys; i++)
    if (strcmp(r->keys[i].key, key) == 0)
      return r->keys[i].line;
  return 0;
}

/* A variant with `when` lines of its own inherits none: those that it had are written out below the new ones. */
static void add_inherited(struct text *out, const struct rung *r, int id_line) {
  for (size_t i = 0; i < r->n_keys; i++)
    if (strcmp(r->keys[i].key, "when") == 0 && r->keys[i].line < id_line)
      text_printf(out, "//! when:       %s\n", r->keys[i].value);
}

int tune_file(struct text *out, const struct rung *r, const struct text *lines, struct err *e) {
  int id_line = key_line(r, "id"), line = 1;
  struct rung_set again = {0};
  struct err why = {0};
  for (const char *at = r->source; *at; line++) {
    size_t n = strcspn(at, "\n");
    text_add_n(out, at, n);
    text_add(out, "\n");
    at += n + (at[n] == '\n');
    if (line == id_line) {
      text_add(out, text_str(lines));
      add_inherited(out, r, id_line);
    }
  }
  if (!text_ok(out))
    return err_nomem(e, "the tuned file");
  int result = rung_set_add(&again, r->file, text_str(out), &why);
  rung_set_release(&again);
  return result ? err_set(e, result, "the tuned file would not be read: %s", why.text) : 0;
}
