/* Comma-separated values (RFC 4180), each with the place it came from. */
#pragma once

#include "base/err.h"

#include <stddef.h>

struct csv_cell {
  const char *text;    /* unquoted, NUL-terminated */
  size_t line, column; /* of its first byte, from 1 */
};

struct csv_row {
  const struct csv_cell *cells;
  size_t n;
};

struct csv {
  struct csv_row *rows; /* blank lines are none */
  size_t n;
  struct csv_cell *cells;
  size_t n_cells;
  char *text;
};

enum csv_quotes {
  CSV_STRICT,
  CSV_LOOSE /* a quote inside a quoted cell need not be doubled where no comma or line end follows: ncu prints source lines so */
};

/* Reads a text whose first line counts as first_line.  ERR_DATA "NAME:LINE:COLUMN: ..." for a quote that is not closed, and for text behind
 * a closed one.  The caller releases *out, also after failure. */
int csv_parse(struct csv *out, const char *name, const char *text, size_t first_line, enum csv_quotes quotes,
              struct err *e);
void csv_release(struct csv *c);
long csv_column(const struct csv_row *head, const char *title); /* the first of that title; -1: there is none */
