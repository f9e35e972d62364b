#include "analysis/ladder/labels.h"

#include "analysis/rules/rules.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* --- of a file --- */

static void cause_add(struct label *l, const char *name) {
  if (l->n_causes < LABEL_CAUSES && rule_find(name))
    l->causes[l->n_causes++] = name;
}

static int line_parse(struct label *l, const char **half, char *line, int number, struct err *e) {
  char *id = strsep(&line, "\t"), *cause = strsep(&line, "\t"), *accepted = strsep(&line, "\t");
  *half = strsep(&line, "\t");
  if (!*half || !rule_find(cause))
    return err_set(e, ERR_DATA, "labels, line %d: want id, cause, accepted causes and half, and a cause that is a rule",
                   number);
  *l = (struct label){.child = id};
  cause_add(l, cause);
  for (char *more = strsep(&accepted, ","); more; more = strsep(&accepted, ","))
    cause_add(l, more);
  return 0;
}

int labels_parse(struct label **out, size_t *n, char *text, const char *half, const struct run *run, struct err *e) {
  int rc = 0, number = 0;
  *n = 0;
  *out = calloc(run->n_variants + 1, sizeof **out);
  for (char *line = strsep(&text, "\n"); line && !rc && *n < run->n_variants; line = strsep(&text, "\n")) {
    const char *in_half = NULL;
    struct label l = {0};
    bool head = ++number == 1 && strncmp(line, "id\t", strlen("id\t")) == 0;
    if (head || !*line)
      continue;
    rc = line_parse(&l, &in_half, line, number, e);
    const struct run_variant *v = rc ? NULL : run_variant_find(run, l.child);
    l.parent = v ? v->parent : NULL;
    if (!rc && l.parent && (!half || strcmp(half, in_half) == 0))
      (*out)[(*n)++] = l;
  }
  return rc;
}

/* --- of a ladder --- */

void labels_of_cures(struct label **out, size_t *n, const struct run *run, const char *ladder) {
  *out = NULL;
  *n = 0;
  for (size_t i = 0; i < run->n_variants; i++) {
    const struct run_variant *v = &run->variants[i];
    bool asked = v->parent && (!ladder || (v->ladder && strcmp(v->ladder, ladder) == 0));
    for (size_t k = 0; k < v->n_keys && asked; k++)
      if (strcmp(v->keys[k].key, "cures") == 0 && v->keys[k].value[0])
        *(struct label *)array_add(out, n, sizeof **out) = (struct label){
            .parent = v->parent, .child = v->id, .causes = {v->keys[k].value}, .n_causes = 1, .every = true};
  }
}
