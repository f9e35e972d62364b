#include "profiler/import/csv.h"

#include "base/array.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  struct csv *out;
  const char *name;
  char *at, *line_start;
  size_t line;
  enum csv_quotes quotes;
};

static bool line_end(const char *s) {
  return *s == '\0' || *s == '\n' || (*s == '\r' && s[1] == '\n');
}

/* Reads from behind the opening quote to behind the closing one; the text is moved over the quotes that are dropped. */
static int quoted_read(struct reader *r, const struct csv_cell *cell, struct err *e) {
  char *to = r->at;
  for (;; r->at++) {
    if (*r->at == '\0')
      return err_set(e, ERR_DATA, "%s:%zu:%zu: this quote is not closed: the file is cut off, or not CSV", r->name,
                     cell->line, cell->column);
    if (*r->at == '\n') {
      r->line++;
      r->line_start = r->at + 1;
    }
    if (*r->at == '"') {
      bool closes = r->at[1] == ',' || line_end(r->at + 1);
      if (closes)
        break;
      if (r->at[1] == '"')
        r->at++;
      else if (r->quotes == CSV_STRICT)
        return err_set(e, ERR_DATA, "%s:%zu:%zu: text behind a closed quote; a quote inside a cell is written twice",
                       r->name, r->line, (size_t)(r->at - r->line_start) + 2);
    }
    *to++ = *r->at;
  }
  r->at++;
  /* The closing quote, or a place before it: the separator behind it has yet to be read. */
  *to = '\0';
  return 0;
}

/* Reads one cell and the separator behind it; *last: of its row. */
static int cell_read(struct reader *r, bool *last, struct err *e) {
  struct csv_cell *cell = array_add(&r->out->cells, &r->out->n_cells, sizeof *cell);
  *cell = (struct csv_cell){r->at, r->line, (size_t)(r->at - r->line_start) + 1};
  if (*r->at == '"') {
    r->at++;
    cell->text = r->at;
    int rc = quoted_read(r, cell, e);
    if (rc)
      return rc;
  } else {
    while (*r->at != ',' && !line_end(r->at))
      r->at++;
  }
  char separator = *r->at;
  char *end = r->at;
  *last = separator != ',';
  if (separator == '\r')
    r->at++;
  if (separator != '\0')
    r->at++;
  *end = '\0';
  if (*last && separator != '\0') {
    r->line++;
    r->line_start = r->at;
  }
  return 0;
}

static int row_read(struct reader *r, struct err *e) {
  size_t first = r->out->n_cells;
  int rc = 0;
  for (bool last = false; !last && !rc;)
    rc = cell_read(r, &last, e);
  if (rc)
    return rc;
  size_t n = r->out->n_cells - first;
  if (n == 1 && !r->out->cells[first].text[0]) {
    r->out->n_cells = first;
    return 0;
  }
  struct csv_row *row = array_add(&r->out->rows, &r->out->n, sizeof *row);
  row->n = n;
  return 0;
}

int csv_parse(struct csv *out, const char *name, const char *text, size_t first_line, enum csv_quotes quotes,
              struct err *e) {
  *out = (struct csv){.text = str_copy(text)};
  struct reader r = {
      .out = out, .name = name, .at = out->text, .line_start = out->text, .line = first_line, .quotes = quotes};
  int rc = 0;
  while (*r.at && !rc)
    rc = row_read(&r, e);
  /* The cells have stopped moving. */
  size_t at = 0;
  for (size_t i = 0; i < out->n; i++) {
    out->rows[i].cells = &out->cells[at];
    at += out->rows[i].n;
  }
  return rc;
}

void csv_release(struct csv *c) {
  free(c->rows);
  free(c->cells);
  free(c->text);
  *c = (struct csv){0};
}

long csv_column(const struct csv_row *head, const char *title) {
  for (size_t i = 0; i < head->n; i++)
    if (strcmp(head->cells[i].text, title) == 0)
      return (long)i;
  return -1;
}
