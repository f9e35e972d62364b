/* A metric group.  Rows that were read are whole. */
#include "fuzz/fuzz.h"

#include "run/metric_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n);
  struct metric_table table = {0};
  struct err e = {0};
  if (fuzz_checked(metric_table_add(&table, "metrics/10-fuzz.txt", text, &e), &e) == 0) {
    for (size_t i = 0; i < table.n; i++) {
      const struct metric_row *row = &table.rows[i];
      fuzz_require(strcmp(row->group, "fuzz") == 0 && *row->name && row->unit && row->absent_on && row->text);
      fuzz_require(row->n_alternatives > 0 && metric_table_find(&table, row->name) == row);
    }
    for (size_t i = 0; i < table.n_formulas; i++) {
      const struct metric_formula *f = &table.formulas[i];
      fuzz_require(strcmp(f->group, "fuzz") == 0 && *f->name && f->unit && f->title && f->hint);
      fuzz_require(f->expr && f->line > 0 && !metric_table_find(&table, f->name));
    }
  }
  metric_table_keep(&table, true);
  fuzz_require(table.n == 0);
  metric_table_release(&table);
  free(text);
  return 0;
}
