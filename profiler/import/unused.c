/* What a file holds beyond what the import takes. */
#include "profiler/import/importing.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
  const struct ncu_metric *const *x = a, *const *y = b;
  int order = strcmp((*x)->name, (*y)->name);
  return order ? order : (int)(*y)->used - (int)(*x)->used; /* a used one first */
}

/* Columns of the raw page that describe a launch and are no metrics have no "__". */
static bool is_metric(const struct ncu_file *f, const struct ncu_metric *m) {
  return m->value.text[0] && (f->form != NCU_RAW || strstr(m->name, "__"));
}

static size_t gather(const struct imported *im, const struct ncu_metric **out) {
  size_t n = 0;
  for (size_t f = 0; f < im->options->n_files; f++)
    for (size_t l = 0; l < im->files[f].n; l++)
      for (size_t i = 0; i < im->files[f].launches[l].n; i++) {
        const struct ncu_metric *m = &im->files[f].launches[l].metrics[i];
        if (!is_metric(&im->files[f], m))
          continue;
        if (out)
          out[n] = m;
        n++;
      }
  return n;
}

int unused_list(const struct imported *im, struct err *e) {
  struct import_unused *u = im->options->unused;
  size_t n = gather(im, NULL);
  const struct ncu_metric **all = calloc(n + 1, sizeof *all);
  if (!all)
    return err_nomem(e, "names");
  gather(im, all);
  qsort(all, n, sizeof *all, by_name);
  for (size_t i = 0; i < n; i++) {
    bool first = i == 0 || strcmp(all[i]->name, all[i - 1]->name) != 0;
    if (!first || all[i]->used)
      continue;
    text_printf(&u->names, "%s\n", all[i]->name);
    u->n++;
  }
  free(all);
  return text_ok(&u->names) ? 0 : err_nomem(e, "names");
}
