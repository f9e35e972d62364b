#include "profiler/import/ncu.h"

#include "base/text.h"
#include "profiler/import/ncu_source.h"
#include "profiler/import/quantity.h"

#include <stdlib.h>
#include <string.h>

static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";

/* --- look-up --- */

static int by_name(const void *a, const void *b) {
  const struct ncu_metric *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  if (order)
    return order;
  if (x->value.line != y->value.line)
    return x->value.line < y->value.line ? -1 : 1;
  return x->value.column < y->value.column ? -1 : x->value.column > y->value.column;
}

static const struct ncu_metric *metric_find(const struct ncu_launch *l, const char *name) {
  size_t low = 0, high = l->n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(l->metrics[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == l->n || strcmp(l->metrics[low].name, name) != 0)
    return NULL;
  l->metrics[low].used = true;
  return &l->metrics[low];
}

int ncu_value(const struct ncu_launch *l, const char *name, double *out, bool *present, struct err *e) {
  const struct ncu_metric *m = metric_find(l, name);
  double v = 0, scale = 1;
  *present = false;
  if (!m)
    return 0;
  enum quantity q = quantity_parse(m->value.text, &v);
  if (q == QUANTITY_ABSENT)
    return 0;
  if (q == QUANTITY_TEXT)
    return err_set(e, ERR_DATA,
                   "%s:%zu:%zu: %s is '%.40s', which is no number; export with a decimal point, as in 1,234.5", l->file,
                   m->value.line, m->value.column, name, m->value.text);
  if (!unit_scale(m->unit, &scale))
    return err_set(e, ERR_DATA, "%s:%zu:%zu: %s has the unknown unit '%.40s'; export with --print-units base", l->file,
                   m->unit_at.line, m->unit_at.column, name, m->unit);
  *out = v * scale;
  *present = true;
  return 0;
}

const char *ncu_text(const struct ncu_launch *l, const char *name) {
  const struct ncu_metric *m = metric_find(l, name);
  return m && m->value.text[0] ? m->value.text : NULL;
}

/* --- the whole --- */

/* The line's first cell is this word, quoted or not. */
static bool line_begins(const char *line, const char *word) {
  size_t quote = *line == '"', n = strlen(word);
  return strncmp(line + quote, word, n) == 0 && (line[quote + n] == ',' || line[quote + n] == '"');
}

/* The line on which ncu's table begins; NULL: none.  *number: of that line. */
static const char *table_find(const char *text, size_t *number) {
  *number = 1;
  for (const char *line = text; line; (*number)++) {
    if (line_begins(line, "ID"))
      return line;
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
  return NULL;
}

static bool columns_have(const struct csv_row *head, const char *name) {
  for (size_t i = 0; i < head->n; i++)
    if (strcmp(head->cells[i].text, name) == 0)
      return true;
  return false;
}

static int table_read(struct ncu_file *f, const char *text, struct err *e) {
  size_t number = 1;
  const char *start = text + (strncmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0);
  if (ncu_source_is(start))
    return err_set(e, ERR_DATA,
                   "%s:1:1: this is a view of the source: give it as --source %s, beside a file of metrics", f->name,
                   f->name);
  const char *table = table_find(start, &number);
  f->form = NCU_TRANSPOSED;
  int rc = csv_parse(&f->csv, f->name, table ? table : start, table ? number : 1, CSV_STRICT, e);
  if (rc)
    return rc;
  if (f->csv.n == 0)
    return err_set(e, ERR_DATA, "%s:1:1: the file is empty: export with ncu --csv --page raw", f->name);
  if (!table || !columns_have(&f->csv.rows[0], "Kernel Name"))
    return ncu_transposed_read(f, e);
  f->form = columns_have(&f->csv.rows[0], "Metric Value") ? NCU_DETAILS : NCU_RAW;
  return ncu_rows_read(f, e);
}

int ncu_parse(struct ncu_file *out, const char *name, const char *text, struct err *e) {
  *out = (struct ncu_file){.name = str_copy(name)};
  if (!out->name)
    return err_nomem(e, "a name");
  int rc = table_read(out, text, e);
  if (rc)
    return rc;
  if (out->n == 0)
    return err_set(e, ERR_DATA, "%s:%zu:1: the table holds no launch: ncu profiled no kernel, or the file is cut off",
                   name, out->csv.rows[0].cells[0].line);
  for (size_t i = 0; i < out->n; i++)
    if (out->launches[i].n)
      qsort(out->launches[i].metrics, out->launches[i].n, sizeof *out->launches[i].metrics, by_name);
  return 0;
}

void ncu_release(struct ncu_file *f) {
  for (size_t i = 0; i < f->n; i++)
    free(f->launches[i].metrics);
  free(f->launches);
  for (size_t i = 0; i < f->n_names; i++)
    free(f->names[i]);
  free(f->names);
  csv_release(&f->csv);
  free(f->name);
  *f = (struct ncu_file){0};
}
