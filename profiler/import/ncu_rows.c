/* What `ncu --csv` prints: a row a launch (--page raw), or a row a metric. */
#include "profiler/import/ncu.h"

#include "base/embed.h"

#include <stdlib.h>
#include <string.h>

extern const struct embedded profiler_embedded_import[];

enum { COLUMN_NONE = -1 };

struct columns {
  const struct csv_row *head;
  long id, kernel, grid, block, capability;
  long section, name, unit, value; /* of the details page */
  long last;                       /* the furthest of them all */
};

static long column_find(const struct csv_row *head, const char *name) {
  for (size_t i = 0; i < head->n; i++)
    if (strcmp(head->cells[i].text, name) == 0)
      return (long)i;
  return COLUMN_NONE;
}

static int columns_find(struct columns *c, const struct ncu_file *f, struct err *e) {
  const struct csv_row *head = &f->csv.rows[0];
  *c = (struct columns){.head = head,
                        .id = column_find(head, "ID"),
                        .kernel = column_find(head, "Kernel Name"),
                        .grid = column_find(head, "Grid Size"),
                        .block = column_find(head, "Block Size"),
                        .capability = column_find(head, "CC"),
                        .section = column_find(head, "Section Name"),
                        .name = column_find(head, "Metric Name"),
                        .unit = column_find(head, "Metric Unit"),
                        .value = column_find(head, "Metric Value")};
  const struct {
    long at;
    const char *name;
  } needed[] = {{c->id, "ID"},
                {c->kernel, "Kernel Name"},
                {c->grid, "Grid Size"},
                {c->block, "Block Size"},
                {c->name, "Metric Name"},
                {c->unit, "Metric Unit"}};
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

/* A row as long as the head.  The details page ends a metric's row before the columns of the rules, which are its last and of no use here. */
static int row_check(const struct ncu_file *f, const struct columns *c, const struct csv_row *row, struct err *e) {
  const struct csv_cell *last = &row->cells[row->n - 1];
  size_t least = f->form == NCU_DETAILS ? (size_t)c->last + 1 : c->head->n;
  if (row->n >= least && row->n <= c->head->n)
    return 0;
  return err_set(e, ERR_DATA, "%s:%zu:%zu: the row has %zu cells, its head %zu: the file is cut off; export it again",
                 f->name, last->line, last->column, row->n, c->head->n);
}

static int launch_fill(struct ncu_launch *l, const struct columns *c, const struct csv_row *row, struct err *e) {
  l->id = row->cells[c->id].text;
  l->kernel = row->cells[c->kernel].text;
  l->capability = c->capability == COLUMN_NONE ? NULL : row->cells[c->capability].text;
  if (!l->kernel[0])
    return err_set(e, ERR_DATA, "%s:%zu:%zu: the launch names no kernel", l->file, row->cells[c->kernel].line,
                   row->cells[c->kernel].column);
  int rc = ncu_extent_parse(l->grid, l->file, &row->cells[c->grid], e);
  return rc ? rc : ncu_extent_parse(l->block, l->file, &row->cells[c->block], e);
}

/* --- raw --- */

static int raw_row(struct ncu_file *f, const struct columns *c, const struct csv_row *units, const struct csv_row *row,
                   struct err *e) {
  struct ncu_launch *l;
  int rc = ncu_launch_add(f, &l, e);
  if (!rc)
    rc = launch_fill(l, c, row, e);
  for (size_t i = 0; i < row->n && !rc; i++)
    rc = ncu_metric_add(l, c->head->cells[i].text, &units->cells[i], &row->cells[i], e);
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

/* The details page shows labels for most metrics; labels.tsv says which metric each one is.  NULL: of none that is of use; it is kept by its label. */
static const char *label_metric(struct ncu_file *f, const char *section, const char *label, struct err *e, int *rc) {
  size_t n_section = strlen(section), n_label = strlen(label);
  const char *text = NULL;
  for (const struct embedded *x = profiler_embedded_import; x->name; x++)
    if (strcmp(x->name, "import/labels.tsv") == 0)
      text = x->data;
  for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
    bool same = strncmp(line, section, n_section) == 0 && line[n_section] == '\t' &&
                strncmp(line + n_section + 1, label, n_label) == 0 && line[n_section + 1 + n_label] == '\t';
    if (same)
      return ncu_name_keep(f, line + n_section + n_label + 2, strcspn(line + n_section + n_label + 2, "\t\n"), e, rc);
  }
  return NULL;
}

static int details_row(struct ncu_file *f, const struct columns *c, const struct csv_row *row, struct err *e) {
  const char *label = row->cells[c->name].text;
  const char *section = c->section == COLUMN_NONE ? "" : row->cells[c->section].text;
  struct ncu_launch *l = f->n ? &f->launches[f->n - 1] : NULL;
  int rc = 0;
  if (!l || strcmp(l->id, row->cells[c->id].text) != 0) {
    rc = ncu_launch_add(f, &l, e);
    if (!rc)
      rc = launch_fill(l, c, row, e);
  }
  if (rc || !label[0])
    return rc; /* a row without a metric holds the advice of a rule */
  const char *name = strstr(label, "__") ? label : label_metric(f, section, label, e, &rc);
  return rc ? rc : ncu_metric_add(l, name ? name : label, &row->cells[c->unit], &row->cells[c->value], e);
}

int ncu_rows_read(struct ncu_file *f, struct err *e) {
  struct columns c;
  int rc = columns_find(&c, f, e);
  if (rc || f->form == NCU_RAW)
    return rc ? rc : raw_read(f, &c, e);
  for (size_t i = 1; i < f->csv.n && !rc; i++) {
    rc = row_check(f, &c, &f->csv.rows[i], e);
    if (!rc)
      rc = details_row(f, &c, &f->csv.rows[i], e);
  }
  return rc;
}
