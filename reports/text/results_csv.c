#include "base/array.h"
#include "reports/text/report.h"

#include "base/name_index.h"
#include "base/table.h"
#include "reports/words/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct names {
  const char **items;
  double *values; /* of the row that is written */
  size_t n;
  struct name_index known;
};

static void name_add(struct names *names, const char *name) {
  long *known = name_index_at(&names->known, name);
  if (*known != NAME_NEW)
    return;
  *known = (long)names->n;
  const char **item = array_add(&names->items, &names->n, sizeof *item);
  *item = name;
}

/* Every counter of the run and every derived metric, once, in order of appearance. */
static void names_collect(struct names *names, const struct findings *f) {
  for (size_t i = 0; i < f->n; i++)
    for (size_t j = 0; j < f->items[i].result->n_metrics; j++)
      name_add(names, f->items[i].result->metrics[j].name);
  for (size_t i = 0; i < f->n; i++)
    for (size_t j = 0; j < f->items[i].n_derived; j++)
      name_add(names, f->items[i].derived[j].name);
}

static void names_release(struct names *names) {
  free(names->items);
  free(names->values);
  name_index_release(&names->known);
}

/* A metric stands under its own name, with all others. */
static bool is_fixed(const struct result_column *c) {
  return !c->metric;
}

static void add_columns(struct table *t, const struct names *names) {
  for (size_t i = 0; i < n_result_columns; i++) {
    const struct result_column *c = &result_columns[i];
    for (size_t k = 0; k < result_column_parts(c) && is_fixed(c); k++) {
      size_t before = strcspn(c->key, "%");
      char *key = c->part ? str_printf("%.*s%s%s", (int)before, c->key, c->part(k), c->key + before + 2) : NULL;
      table_column(t, key ? key : c->key, "", key ? key : c->key, TABLE_LEFT);
      free(key);
    }
  }
  for (size_t i = 0; i < names->n; i++)
    table_column(t, names->items[i], "", names->items[i], TABLE_LEFT);
}

/* Every name's value of one finding, as finding_value tells it, without a search for each: names
 * and metrics are both hundreds. */
static void values_fill(struct names *names, const struct finding *f) {
  for (size_t i = 0; i < names->n; i++)
    names->values[i] = NAN;
  for (size_t i = f->result->n_metrics; i-- > 0;) { /* the first of a name counts */
    const struct run_metric *m = &f->result->metrics[i];
    names->values[name_index_find(&names->known, m->name)] = m->present ? m->value : NAN;
  }
  for (size_t i = f->n_derived; i-- > 0;) {
    const struct derived *d = &f->derived[i];
    names->values[name_index_find(&names->known, d->name)] = d->value.present ? d->value.v : NAN;
  }
}

static void add_row(struct table *t, const struct column_row *row, struct names *names) {
  table_row(t);
  for (size_t i = 0; i < n_result_columns; i++) {
    const struct result_column *c = &result_columns[i];
    for (size_t k = 0; k < result_column_parts(c) && is_fixed(c); k++)
      result_column_cell(t, c, k, row, false);
  }
  values_fill(names, row->finding);
  for (size_t i = 0; i < names->n; i++)
    table_number(t, names->values[i], 6);
}

void report_csv(const struct findings *f, const struct diagnoses *diagnoses, struct text *out) {
  struct table *t = table_new();
  struct names names = {0};
  names_collect(&names, f);
  names.values = calloc(names.n + 1, sizeof *names.values);
  add_columns(t, &names);
  for (size_t i = 0; i < f->n; i++)
    add_row(t, &(struct column_row){f, &f->items[i], &diagnoses->items[i], false, false}, &names);
  table_csv(t, out);
  table_free(t);
  names_release(&names);
}
