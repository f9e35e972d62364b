#include "profiler/import/ncu.h"

#include "base/array.h"
#include "base/text.h"
#include "profiler/import/ncu_source.h"
#include "profiler/import/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";

/* --- look-up --- */

/* Of "0.0120 Mbyte" and "12,034 byte" the second says more. */
static int digits_of(const struct ncu_metric *m) {
  char own[32];
  const char *number = own;
  int n = 0;
  if (m->cell)
    number = m->cell->text;
  else
    snprintf(own, sizeof own, "%.17g", m->number);
  for (number += strspn(number, "0.+-"); *number; number++)
    n += *number >= '0' && *number <= '9';
  return n;
}

static struct ncu_metric *metric_find(const struct ncu_launch *l, const char *name) {
  struct ncu_name *all = l->names ? l->names->by_name : NULL;
  size_t low = 0, high = l->names ? l->names->n : 0, end = high;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(all[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == end || strcmp(all[low].name, name) != 0)
    return NULL;
  struct ncu_name *best = &all[low];
  for (struct ncu_name *other = best + 1; other < all + end && strcmp(other->name, name) == 0; other++)
    if (digits_of(&l->metrics[other->at]) > digits_of(&l->metrics[best->at]))
      best = other;
  best->used = true;
  return &l->metrics[best->at];
}

bool ncu_value(const struct ncu_launch *l, const char *name, double *out, struct ncu_reading *r) {
  const struct ncu_metric *m = r->rc ? NULL : metric_find(l, name);
  double v = 0, scale = 1;
  if (!m)
    return false;
  if (!m->cell) {
    *out = m->number;
    return isfinite(m->number);
  }
  enum quantity q = quantity_parse(m->cell->text, &v);
  if (q == QUANTITY_ABSENT)
    return false;
  if (q == QUANTITY_TEXT)
    r->rc = err_set(r->e, ERR_DATA,
                    "%s:%zu:%zu: %s is '%.40s', which is not a number; export with a decimal point, as in 1,234.5",
                    l->file, m->cell->line, m->cell->column, name, m->cell->text);
  else if (m->unit && !unit_scale(m->unit->text, &scale))
    r->rc = err_set(r->e, ERR_DATA, "%s:%zu:%zu: %s has the unknown unit '%.40s'; export with --print-units base",
                    l->file, m->unit->line, m->unit->column, name, m->unit->text);
  *out = v * scale;
  return !r->rc;
}

const char *ncu_text(const struct ncu_launch *l, const char *name) {
  const struct ncu_metric *m = metric_find(l, name);
  return m && m->cell && m->cell->text[0] ? m->cell->text : NULL;
}

/* --- the whole --- */

/* The line's first cell is this word, quoted or not. */
static bool line_begins(const char *line, const char *word) {
  size_t quote = *line == '"', n = strlen(word);
  return strncmp(line + quote, word, n) == 0 && (line[quote + n] == ',' || line[quote + n] == '"');
}

/* A summary has no "ID", and may begin with any column. */
static bool summary_head(const char *line) {
  const char *end = line + strcspn(line, "\n");
  const char *kernel = strstr(line, "\"Kernel Name\""), *invocations = strstr(line, "\"Invocations\"");
  return kernel && kernel < end && invocations && invocations < end;
}

/* The line on which ncu's table begins; NULL: none.  *number: of that line. */
static const char *table_find(const char *text, size_t *number) {
  bool summary = strstr(text, "\"Invocations\"") != NULL;
  *number = 1;
  for (const char *line = text; line; (*number)++) {
    if (line_begins(line, "ID") || (summary && summary_head(line)))
      return line;
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
  return NULL;
}

/* ncu's own reasons for a log without a table. */
static int log_explain(const char *name, const char *text, struct err *e) {
  static const struct {
    const char *says, *means;
  } known[] = {
      {"ERR_NVGPUCTRPERM",
       "ncu was not allowed to read the GPU's counters (ERR_NVGPUCTRPERM): run it as root, or have the "
       "administrator set NVreg_RestrictProfilingToAdminUsers=0"},
      {"No kernels were profiled", "ncu says \"No kernels were profiled\": the program launched none, or the filters "
                                   "(--kernel-name, --launch-skip, --target-processes) left none"},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strstr(text, known[i].says))
      return err_set(e, ERR_DATA, "%s:1:1: %s", name, known[i].means);
  return 0;
}

static int table_read(struct ncu_file *f, const char *text, struct err *e) {
  size_t number = 1;
  const char *start = text + (strncmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0);
  if (ncu_source_is(start))
    return err_set(e, ERR_DATA,
                   "%s:1:1: this is a view of the source: give it as --source %s, beside a file of metrics", f->name,
                   f->name);
  const char *table = table_find(start, &number);
  int rc = table || ncu_text_is(start) ? 0 : log_explain(f->name, start, e);
  if (rc)
    return rc;
  if (!table && ncu_text_is(start)) {
    f->form = NCU_TEXT;
    return ncu_text_read(f, start, e);
  }
  f->form = NCU_TRANSPOSED;
  rc = csv_parse(&f->csv, f->name, table ? table : start, table ? number : 1, CSV_STRICT, e);
  if (rc)
    return rc;
  if (f->csv.n == 0)
    return err_set(e, ERR_DATA, "%s:1:1: the file is empty: export with ncu --csv --page raw", f->name);
  if (!table || csv_column(&f->csv.rows[0], "Kernel Name") < 0)
    return ncu_transposed_read(f, e);
  bool labelled = csv_column(&f->csv.rows[0], "Metric Value") >= 0 || csv_column(&f->csv.rows[0], "Average") >= 0;
  f->form = labelled ? NCU_DETAILS : NCU_RAW;
  return ncu_rows_read(f, e);
}

int ncu_parse(struct ncu_file *out, const char *name, const char *text, struct err *e) {
  *out = (struct ncu_file){.name = str_copy(name)};
  int rc = table_read(out, text, e);
  if (rc)
    return rc;
  if (out->n == 0 && (rc = log_explain(name, text, e)) != 0)
    return rc;
  if (out->n == 0)
    return err_set(e, ERR_DATA, "%s:%zu:1: the table holds no launch: ncu profiled no kernel, or the file is cut off",
                   name, out->csv.n ? out->csv.rows[0].cells[0].line : 1);
  for (size_t i = 0; i < out->n; i++)
    ncu_launch_finish(out, &out->launches[i]);
  return 0;
}

static void names_release(struct ncu_names *n) {
  free(n->names);
  free(n->by_name);
  free(n);
}

void ncu_release(struct ncu_file *f) {
  for (size_t i = 0; i < f->n; i++) {
    free(f->launches[i].metrics);
    free(f->launches[i].read);
  }
  free(f->launches);
  for (size_t i = 0; i < f->n_names; i++)
    names_release(f->names[i]);
  free(f->names);
  array_free(f->kept, f->n_kept);
  csv_release(&f->csv);
  free(f->name);
  *f = (struct ncu_file){0};
}
