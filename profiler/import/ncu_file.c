/* What the readers of each form fill: launches, their metrics, and the names that live as long as
 * they do. */
#include "profiler/import/ncu.h"

#include "base/embed.h"

#include <stdlib.h>
#include <string.h>

extern const struct embedded profiler_embedded_import[];

int ncu_launch_add(struct ncu_file *f, struct ncu_launch **out, struct err *e) {
  if (f->n == f->cap) {
    size_t cap = f->cap ? 2 * f->cap : 16;
    struct ncu_launch *grown = realloc(f->launches, cap * sizeof *grown);
    if (!grown)
      return err_nomem(e, "launches");
    f->launches = grown;
    f->cap = cap;
  }
  *out = &f->launches[f->n++];
  **out = (struct ncu_launch){.file = f->name, .id = "", .kernel = ""};
  return 0;
}

int ncu_metric_add(struct ncu_launch *l, const char *name, const struct csv_cell *unit, const struct csv_cell *value,
                   struct err *e) {
  if (l->n == l->cap) {
    size_t cap = l->cap ? 2 * l->cap : 128;
    struct ncu_metric *grown = realloc(l->metrics, cap * sizeof *grown);
    if (!grown)
      return err_nomem(e, "metrics");
    l->metrics = grown;
    l->cap = cap;
  }
  l->metrics[l->n++] = (struct ncu_metric){
      .name = name, .unit = unit ? unit->text : "", .value = *value, .unit_at = unit ? *unit : *value};
  return 0;
}

int ncu_extent_parse(unsigned out[3], const char *file, const struct csv_cell *cell, struct err *e) {
  const char *s = cell->text;
  int n = 0;
  out[0] = out[1] = out[2] = 1;
  while (*s && n < 3) {
    s += strspn(s, "( ");
    char *end;
    unsigned long v = strtoul(s, &end, 10);
    if (end == s || *s == '-' || v == 0 || v > 0x7fffffff)
      break;
    out[n++] = (unsigned)v;
    s = end + strspn(end, " ,)xX");
  }
  if (n == 0 || *s)
    return err_set(e, ERR_DATA, "%s:%zu:%zu: '%.40s' is not a grid or block: expected the form \"(896, 4, 1)\"", file,
                   cell->line, cell->column, cell->text);
  return 0;
}

const char *ncu_name_keep(struct ncu_file *f, const char *s, size_t n, struct err *e, int *rc) {
  static const size_t piece_bytes = 1 << 16;
  if (f->kept_room - f->kept_used < n + 1) {
    char **grown = realloc(f->kept, (f->n_kept + 1) * sizeof *grown);
    f->kept = grown ? grown : f->kept;
    f->kept_room = n + 1 > piece_bytes ? n + 1 : piece_bytes;
    f->kept_used = 0;
    if (!grown || !(f->kept[f->n_kept] = malloc(f->kept_room))) {
      f->kept_room = 0;
      *rc = err_nomem(e, "names");
      return NULL;
    }
    f->n_kept++;
  }
  char *copy = f->kept[f->n_kept - 1] + f->kept_used;
  memcpy(copy, s, n);
  copy[n] = '\0';
  f->kept_used += n + 1;
  return copy;
}

const char *ncu_label_name(struct ncu_file *f, const char *section, const char *label, struct err *e, int *rc) {
  size_t n_section = strlen(section), n_label = strlen(label);
  const char *text = NULL;
  if (strstr(label, "__"))
    return label;
  for (const struct embedded *x = profiler_embedded_import; x->name; x++)
    if (strcmp(x->name, "import/labels.tsv") == 0)
      text = x->data;
  for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
    bool same = strncmp(line, section, n_section) == 0 && line[n_section] == '\t' &&
                strncmp(line + n_section + 1, label, n_label) == 0 && line[n_section + 1 + n_label] == '\t';
    if (same)
      return ncu_name_keep(f, line + n_section + n_label + 2, strcspn(line + n_section + n_label + 2, "\t\n"), e, rc);
  }
  return label;
}
