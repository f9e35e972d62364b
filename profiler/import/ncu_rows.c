/* What `ncu --csv` prints: a row a launch (--page raw), or a row a metric. */
#include "profiler/import/ncu.h"

#include <string.h>

enum { COLUMN_NONE = -1 };

struct columns {
  const struct csv_row *head;
  long id, kernel, grid, block, capability;
  long section, name, unit, value; /* of the details page */
  long last;                       /* the furthest of them all */
};

static int columns_find(struct columns *c, const struct ncu_file *f, struct err *e) {
  const struct csv_row *head = &f->csv.rows[0];
  *c = (struct columns){.head = head,
                        .id = csv_column(head, "ID"),
                        .kernel = csv_column(head, "Kernel Name"),
                        .grid = csv_column(head, "Grid Size"),
                        .block = csv_column(head, "Block Size"),
                        .capability = csv_column(head, "CC"),
                        .section = csv_column(head, "Section Name"),
                        .name = csv_column(head, "Metric Name"),
                        .unit = csv_column(head, "Metric Unit"),
                        .value = csv_column(head, "Metric Value")};
  bool summary = c->value == COLUMN_NONE && f->form == NCU_DETAILS;
  if (summary)
    c->value = csv_column(head, "Average");
  const struct {
    long at;
    const char *name;
  } needed[] = {
      {c->kernel, "Kernel Name"}, {summary ? 0 : c->id, "ID"}, {c->name, "Metric Name"}, {c->unit, "Metric Unit"}};
  size_t n = sizeof needed / sizeof needed[0] - (f->form == NCU_DETAILS ? 0 : 2);
  for (size_t i = 0; i < n; i++)
    if (needed[i].at == COLUMN_NONE)
      return err_set(e, ERR_DATA, "%s:%zu:%zu: the head has no column \"%s\": export again with ncu --csv", f->name,
                     head->cells[0].line, head->cells[0].column, needed[i].name);
  const long all[] = {c->id, c->kernel, c->grid, c->block, c->capability, c->section, c->name, c->unit, c->value};
  c->last = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    c->last = all[i] > c->last ? all[i] : c->last;
  return 0;
}

/* A row as long as the head.  The details page ends a metric's row before the columns of the rules,
 * which are its last and of no use here. */
static int row_check(const struct ncu_file *f, const struct columns *c, const struct csv_row *row, struct err *e) {
  const struct csv_cell *last = &row->cells[row->n - 1];
  size_t least = f->form == NCU_DETAILS ? (size_t)c->last + 1 : c->head->n;
  if (row->n >= least && row->n <= c->head->n)
    return 0;
  return err_set(e, ERR_DATA, "%s:%zu:%zu: the row has %zu cells, its head %zu: the file is cut off; export it again",
                 f->name, last->line, last->column, row->n, c->head->n);
}

/* Not every version of ncu, nor every export, has the column: then it is not known. */
static int extent_fill(unsigned out[3], const char *file, const struct csv_row *row, long column, struct err *e) {
  if (column == COLUMN_NONE || !row->cells[column].text[0])
    return 0;
  return ncu_extent_parse(out, file, &row->cells[column], e);
}

static int launch_fill(struct ncu_launch *l, const struct columns *c, const struct csv_row *row, struct err *e) {
  l->kernel = row->cells[c->kernel].text;
  l->capability = c->capability == COLUMN_NONE ? NULL : row->cells[c->capability].text;
  if (!l->kernel[0])
    return err_set(e, ERR_DATA, "%s:%zu:%zu: the launch names no kernel", l->file, row->cells[c->kernel].line,
                   row->cells[c->kernel].column);
  int rc = extent_fill(l->grid, l->file, row, c->grid, e);
  return rc ? rc : extent_fill(l->block, l->file, row, c->block, e);
}

/* --- raw --- */

static int raw_row(struct ncu_file *f, const struct columns *c, const struct csv_row *units, const struct csv_row *row,
                   struct err *e) {
  struct ncu_launch *l;
  ncu_launch_add(f, &l);
  int rc = launch_fill(l, c, row, e);
  for (size_t i = 0; i < row->n && !rc; i++)
    ncu_metric_add(l, c->head->cells[i].text, &units->cells[i], &row->cells[i]);
  return rc;
}

static int raw_read(struct ncu_file *f, const struct columns *c, struct err *e) {
  if (f->csv.n < 2)
    return 0;
  const struct csv_row *units = &f->csv.rows[1];
  int rc = row_check(f, c, units, e);
  if (!rc && units->cells[c->id].text[0])
    rc = err_set(e, ERR_DATA, "%s:%zu:%zu: the second row of ncu's raw page holds the units; this begins with '%.40s'",
                 f->name, units->cells[c->id].line, units->cells[c->id].column, units->cells[c->id].text);
  for (size_t i = 2; i < f->csv.n && !rc; i++) {
    rc = row_check(f, c, &f->csv.rows[i], e);
    if (!rc)
      rc = raw_row(f, c, units, &f->csv.rows[i], e);
  }
  return rc;
}

/* --- details --- */

/* Whether it is the same launch as in the row before; without "ID", by all that names a kernel. */
static bool launch_goes_on(const struct ncu_file *f, const struct columns *c, const struct csv_row *row,
                           const struct csv_row *before) {
  const long by_id[] = {c->id}, by_name[] = {c->kernel, c->grid, c->block, csv_column(c->head, "Device")};
  const long *same = c->id == COLUMN_NONE ? by_name : by_id;
  size_t n = c->id == COLUMN_NONE ? sizeof by_name / sizeof by_name[0] : 1;
  if (f->n == 0)
    return false;
  for (size_t i = 0; i < n; i++)
    if (same[i] != COLUMN_NONE && strcmp(row->cells[same[i]].text, before->cells[same[i]].text) != 0)
      return false;
  return true;
}

static int details_row(struct ncu_file *f, const struct columns *c, size_t at, struct err *e) {
  const struct csv_row *row = &f->csv.rows[at];
  const char *label = row->cells[c->name].text;
  const char *section = c->section == COLUMN_NONE ? "" : row->cells[c->section].text;
  struct ncu_launch *l = f->n ? &f->launches[f->n - 1] : NULL;
  int rc = 0;
  if (!launch_goes_on(f, c, row, &f->csv.rows[at - 1])) {
    ncu_launch_add(f, &l);
    rc = launch_fill(l, c, row, e);
  }
  if (rc || !label[0])
    return rc; /* a row without a metric holds the advice of a rule */
  ncu_metric_add(l, ncu_label_name(f, section, label), &row->cells[c->unit], &row->cells[c->value]);
  return 0;
}

int ncu_rows_read(struct ncu_file *f, struct err *e) {
  struct columns c;
  int rc = columns_find(&c, f, e);
  if (rc || f->form == NCU_RAW)
    return rc ? rc : raw_read(f, &c, e);
  for (size_t i = 1; i < f->csv.n && !rc; i++) {
    rc = row_check(f, &c, &f->csv.rows[i], e);
    if (!rc)
      rc = details_row(f, &c, i, e);
  }
  return rc;
}
