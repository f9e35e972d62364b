/* What the readers of each form fill: launches, their metrics, and the names that live as long as
 * they do. */
#include "base/array.h"
#include "profiler/import/ncu.h"

#include "base/embed.h"

#include <stdlib.h>
#include <string.h>

extern const struct embedded profiler_embedded_import[];

void ncu_launch_add(struct ncu_file *f, struct ncu_launch **out) {
  *out = array_add(&f->launches, &f->n, sizeof **out);
  **out = (struct ncu_launch){.file = f->name, .kernel = ""};
}

static void metric_add(struct ncu_launch *l, const char *name, const struct ncu_metric *m) {
  if (l->n == l->cap) {
    size_t cap = l->cap ? 2 * l->cap : 128;
    l->metrics = realloc(l->metrics, cap * sizeof *l->metrics);
    l->read = realloc(l->read, cap * sizeof *l->read);
    l->cap = cap;
  }
  l->read[l->n] = name;
  l->metrics[l->n++] = *m;
}

void ncu_metric_add(struct ncu_launch *l, const char *name, const struct csv_cell *unit, const struct csv_cell *value) {
  metric_add(l, name, &(struct ncu_metric){.cell = value, .unit = unit});
}

void ncu_number_add(struct ncu_launch *l, const char *name, double number) {
  metric_add(l, name, &(struct ncu_metric){.number = number});
}

/* --- names --- */

static bool names_same(const struct ncu_names *known, const struct ncu_launch *l) {
  bool same = known->n == l->n;
  for (size_t i = 0; i < l->n && same; i++)
    same = known->names[i] == l->read[i] || strcmp(known->names[i], l->read[i]) == 0;
  return same;
}

/* The newest first: launches of one program come in few kinds, by what was collected. */
static struct ncu_names *names_find(const struct ncu_file *f, const struct ncu_launch *l) {
  enum { TRIED = 8 };
  for (size_t i = f->n_names; i > 0 && i + TRIED > f->n_names; i--)
    if (names_same(f->names[i - 1], l))
      return f->names[i - 1];
  return NULL;
}

static int by_name(const void *a, const void *b) {
  const struct ncu_name *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

static struct ncu_names *names_add(struct ncu_file *f, const struct ncu_launch *l) {
  struct ncu_names *added = calloc(1, sizeof *added), **at = array_add(&f->names, &f->n_names, sizeof *at);
  *at = added;
  added->names = calloc(l->n + 1, sizeof *added->names);
  added->by_name = calloc(l->n + 1, sizeof *added->by_name);
  for (; added->n < l->n; added->n++) {
    added->names[added->n] = l->read[added->n];
    added->by_name[added->n] = (struct ncu_name){.name = l->read[added->n], .at = added->n};
  }
  qsort(added->by_name, added->n, sizeof *added->by_name, by_name);
  return added;
}

void ncu_launch_finish(struct ncu_file *f, struct ncu_launch *l) {
  l->names = names_find(f, l);
  l->names = l->names ? l->names : names_add(f, l);
  free(l->read);
  l->read = NULL;
  struct ncu_metric *exact = l->n ? realloc(l->metrics, l->n * sizeof *exact) : NULL;
  l->metrics = exact ? exact : l->metrics;
  l->cap = l->n;
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

/* Room for n bytes at such an address. */
static void *room_take(struct ncu_file *f, size_t n, size_t align) {
  static const size_t piece_bytes = 1 << 16;
  f->kept_used += (align - f->kept_used % align) % align;
  if (f->kept_used > f->kept_room || f->kept_room - f->kept_used < n) {
    f->kept = realloc(f->kept, (f->n_kept + 1) * sizeof *f->kept);
    f->kept_room = n > piece_bytes ? n : piece_bytes;
    f->kept_used = 0;
    f->kept[f->n_kept++] = malloc(f->kept_room);
  }
  char *room = f->kept[f->n_kept - 1] + f->kept_used;
  f->kept_used += n;
  return room;
}

const char *ncu_name_keep(struct ncu_file *f, const char *s, size_t n) {
  char *copy = room_take(f, n + 1, 1);
  memcpy(copy, s, n);
  copy[n] = '\0';
  return copy;
}

const struct csv_cell *ncu_cell_keep(struct ncu_file *f, const struct csv_cell *cell) {
  struct csv_cell *copy = room_take(f, sizeof *copy, _Alignof(struct csv_cell));
  *copy = *cell;
  return copy;
}

const char *ncu_label_name(struct ncu_file *f, const char *section, const char *label) {
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
      return ncu_name_keep(f, line + n_section + n_label + 2, strcspn(line + n_section + n_label + 2, "\t\n"));
  }
  return label;
}
