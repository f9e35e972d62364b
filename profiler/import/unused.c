/* What a file holds beyond what the import takes. */
#include "base/array.h"
#include "profiler/import/importing.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
  const struct ncu_name *const *x = a, *const *y = b;
  int order = strcmp((*x)->name, (*y)->name);
  return order ? order : (int)(*y)->used - (int)(*x)->used; /* a used one first */
}

/* Which names have a value in a launch. */
static void values_find(const struct ncu_file *f) {
  for (size_t l = 0; l < f->n; l++) {
    const struct ncu_names *names = f->launches[l].names;
    for (size_t i = 0; i < names->n; i++) {
      const struct csv_cell *cell = f->launches[l].metrics[names->by_name[i].at].cell;
      names->by_name[i].valued |= !cell || cell->text[0];
    }
  }
}

/* Columns of the raw page that describe a launch and are no metrics have no "__". */
static bool is_metric(const struct ncu_file *f, const struct ncu_name *n) {
  return n->valued && (f->form != NCU_RAW || strstr(n->name, "__"));
}

static const struct ncu_name **gather(const struct imported *im, size_t *n) {
  const struct ncu_name **all = NULL;
  for (size_t f = 0; f < im->options->n_files; f++)
    for (size_t s = 0; s < im->files[f].n_names; s++)
      for (size_t i = 0; i < im->files[f].names[s]->n; i++) {
        const struct ncu_name *name = &im->files[f].names[s]->by_name[i];
        if (is_metric(&im->files[f], name))
          *(const struct ncu_name **)array_add(&all, n, sizeof *all) = name;
      }
  return all;
}

void unused_list(const struct imported *im) {
  struct import_unused *u = im->options->unused;
  for (size_t f = 0; f < im->options->n_files; f++)
    values_find(&im->files[f]);
  size_t n = 0;
  const struct ncu_name **all = gather(im, &n);
  if (n)
    qsort(all, n, sizeof *all, by_name);
  for (size_t i = 0; i < n; i++) {
    bool first = i == 0 || strcmp(all[i]->name, all[i - 1]->name) != 0;
    if (!first || all[i]->used)
      continue;
    text_printf(&u->names, "%s\n", all[i]->name);
    u->n++;
  }
  free(all);
}
