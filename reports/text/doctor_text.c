#include "reports/text/doctor_text.h"

#include "base/table.h"

static struct table *doctor_table(const struct doctor_row *rows, size_t n) {
  static const struct {
    const char *name;
    char style;
  } states[DOCTOR_STATES] = {
      [DOCTOR_FOUND] = {"found", 'g'}, [DOCTOR_LIMITED] = {"limited", 'B'}, [DOCTOR_MISSING] = {"missing", 'b'}};
  struct table *t = table_of("need | state | version -2 | where =path -1 | notes and remedy =remedy");
  for (size_t i = 0; i < n; i++) {
    table_row(t);
    table_cell(t, rows[i].need, NULL);
    table_cell(t, states[rows[i].state].name, NULL);
    table_style(t, states[rows[i].state].style);
    table_cell(t, rows[i].version, NULL);
    table_cell(t, rows[i].where, NULL);
    table_cell(t, rows[i].remedy, NULL);
  }
  return t;
}

void report_doctor_term(const struct doctor_row *rows, size_t n, struct text *out, int width, bool colour) {
  table_print(doctor_table(rows, n), out, width, colour);
}

void report_doctor_json(const struct doctor_row *rows, size_t n, struct text *out) {
  struct table *t = doctor_table(rows, n);
  table_json(t, out);
  text_add(out, "\n");
  table_free(t);
}
