/* The raw page as ncu's UI exports it: a line per metric, "NAME [UNIT]", a cell per launch. */
#include "profiler/import/ncu.h"

#include <string.h>

/* The lines that are no metrics. */
enum line_kind { LINE_METRIC, LINE_KERNEL, LINE_GRID, LINE_BLOCK, LINE_ID, LINE_CAPABILITY };

static enum line_kind line_kind(const char *name) {
  static const struct {
    const char *name;
    enum line_kind kind;
  } known[] = {{"Kernel Name", LINE_KERNEL},
               {"Function Name", LINE_KERNEL},
               {"Demangled Name", LINE_KERNEL},
               {"launch__kernel_name", LINE_KERNEL},
               {"Grid Size", LINE_GRID},
               {"Grid", LINE_GRID},
               {"Block Size", LINE_BLOCK},
               {"Block", LINE_BLOCK},
               {"ID", LINE_ID},
               {"CC", LINE_CAPABILITY}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, name) == 0)
      return known[i].kind;
  return LINE_METRIC;
}

/* Cuts "dram__bytes_read.sum [Mbyte]" in two; a name without brackets has no unit. */
static void name_cut(struct ncu_file *f, const struct csv_cell *cell, const char **name, struct csv_cell *unit) {
  const char *open = strrchr(cell->text, '[');
  size_t n = strlen(cell->text);
  *unit = (struct csv_cell){"", cell->line, cell->column};
  if (open && open > cell->text && cell->text[n - 1] == ']') {
    size_t name_length = (size_t)(open - cell->text);
    unit->text = ncu_name_keep(f, open + 1, (size_t)(&cell->text[n - 1] - open - 1));
    while (name_length > 0 && cell->text[name_length - 1] == ' ')
      name_length--;
    *name = ncu_name_keep(f, cell->text, name_length);
  } else {
    *name = cell->text;
  }
}

static int cell_take(struct ncu_launch *l, enum line_kind kind, const char *name, const struct csv_cell *unit,
                     const struct csv_cell *cell, struct err *e) {
  switch (kind) {
  case LINE_KERNEL:
    if (!l->kernel[0])
      l->kernel = cell->text;
    return 0;
  case LINE_GRID:
    return ncu_extent_parse(l->grid, l->file, cell, e);
  case LINE_BLOCK:
    return ncu_extent_parse(l->block, l->file, cell, e);
  case LINE_CAPABILITY:
    l->capability = cell->text;
    return 0;
  case LINE_ID:
    return 0;
  case LINE_METRIC:
    break;
  }
  ncu_metric_add(l, name, unit, cell);
  return 0;
}

static int line_read(struct ncu_file *f, const struct csv_row *row, struct err *e) {
  const char *name = NULL;
  struct csv_cell unit;
  name_cut(f, &row->cells[0], &name, &unit);
  const struct csv_cell *kept = ncu_cell_keep(f, &unit);
  enum line_kind kind = line_kind(name);
  int rc = 0;
  if (row->n != f->n + 1)
    rc = err_set(e, ERR_DATA, "%s:%zu:%zu: the line has %zu values, where the first has %zu: the file is cut off",
                 f->name, row->cells[row->n - 1].line, row->cells[row->n - 1].column, row->n - 1, f->n);
  for (size_t i = 0; i < f->n && !rc; i++)
    rc = cell_take(&f->launches[i], kind, name, kept, &row->cells[i + 1], e);
  return rc;
}

static int form_check(const struct ncu_file *f, struct err *e) {
  bool metrics = false;
  for (size_t i = 0; i < f->csv.n && !metrics; i++)
    metrics = f->csv.rows[i].n > 1 && strstr(f->csv.rows[i].cells[0].text, "__");
  if (metrics)
    return 0;
  const struct csv_cell *first = &f->csv.rows[0].cells[0];
  return err_set(
      e, ERR_DATA,
      "%s:%zu:%zu: this is not a table of Nsight Compute: it has neither a head with \"ID\" and \"Kernel Name\" nor one metric per line; export with ncu --csv --page raw",
      f->name, first->line, first->column);
}

int ncu_transposed_read(struct ncu_file *f, struct err *e) {
  int rc = form_check(f, e);
  struct ncu_launch *l;
  for (size_t i = 1; i < f->csv.rows[0].n && !rc; i++)
    ncu_launch_add(f, &l);
  /* The first line may hold titles of the launches, for the names where no line gives those. */
  const struct csv_row *first = &f->csv.rows[0];
  bool titles = !rc && line_kind(first->cells[0].text) == LINE_METRIC && !strstr(first->cells[0].text, "__");
  for (size_t i = titles; i < f->csv.n && !rc; i++)
    rc = line_read(f, &f->csv.rows[i], e);
  for (size_t i = 0; i < f->n && !rc; i++) {
    l = &f->launches[i];
    if (!l->kernel[0] && titles)
      l->kernel = first->cells[i + 1].text;
    if (!l->kernel[0])
      rc = err_set(e, ERR_DATA, "%s:%zu:%zu: launch %zu has no name: the export needs the line \"Kernel Name\"",
                   f->name, first->cells[i + 1].line, first->cells[i + 1].column, i + 1);
  }
  return rc;
}
