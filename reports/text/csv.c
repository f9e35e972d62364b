#include "reports/text/report.h"

#include "base/table.h"
#include "reports/text/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct names {
  const char **items;
  size_t n;
};

static bool names_have(const struct names *names, const char *name) {
  for (size_t i = 0; i < names->n; i++) {
    if (strcmp(names->items[i], name) == 0)
      return true;
  }
  return false;
}

/* Every counter of the run and every derived metric, once, in order of appearance. */
static bool names_collect(struct names *names, const struct findings *f) {
  size_t total = 0;

  *names = (struct names){0};
  for (size_t i = 0; i < f->n; i++)
    total += f->items[i].result->n_metrics + f->items[i].n_derived;
  names->items = calloc(total ? total : 1, sizeof *names->items);
  if (!names->items)
    return false;
  for (size_t i = 0; i < f->n; i++) {
    const struct run_result *r = f->items[i].result;

    for (size_t j = 0; j < r->n_metrics; j++) {
      if (!names_have(names, r->metrics[j].name))
        names->items[names->n++] = r->metrics[j].name;
    }
  }
  for (size_t i = 0; i < f->n; i++) {
    for (size_t j = 0; j < f->items[i].n_derived; j++) {
      if (!names_have(names, f->items[i].derived[j].name))
        names->items[names->n++] = f->items[i].derived[j].name;
    }
  }
  return true;
}

/* A metric stands under its own name, with all others. */
static bool is_fixed(const struct result_column *c) {
  return !c->metric;
}

static size_t parts_of(const struct result_column *c) {
  return c->parts ? c->parts : 1;
}

static void add_columns(struct table *t, const struct names *names) {
  for (size_t i = 0; i < n_result_columns; i++) {
    const struct result_column *c = &result_columns[i];

    for (size_t k = 0; k < parts_of(c) && is_fixed(c); k++) {
      size_t before = strcspn(c->key, "%");
      char *key = c->part ? str_printf("%.*s%s%s", (int)before, c->key, c->part(k), c->key + before + 2) : NULL;

      table_column(t, key ? key : c->key, "", key ? key : c->key, TABLE_LEFT);
      free(key);
    }
  }
  for (size_t i = 0; i < names->n; i++)
    table_column(t, names->items[i], "", names->items[i], TABLE_LEFT);
}

static void add_row(struct table *t, const struct column_row *row, const struct names *names) {
  table_row(t);
  for (size_t i = 0; i < n_result_columns; i++) {
    const struct result_column *c = &result_columns[i];

    for (size_t k = 0; k < parts_of(c) && is_fixed(c); k++)
      result_column_cell(t, c, k, row);
  }
  for (size_t i = 0; i < names->n; i++) {
    struct value x = finding_value(row->finding, names->items[i]);

    table_number(t, x.present ? x.v : NAN, 6);
  }
}

void report_csv(const struct findings *f, const struct diagnoses *diagnoses, struct text *out) {
  struct table *t = table_new();
  struct names names;

  if (!names_collect(&names, f)) {
    out->failed = true;
    table_free(t);
    return;
  }
  add_columns(t, &names);
  for (size_t i = 0; i < f->n; i++)
    add_row(t, &(struct column_row){f, &f->items[i], &diagnoses->items[i], false, false}, &names);
  table_csv(t, out);
  out->failed |= !table_ok(t);
  table_free(t);
  free(names.items);
}
