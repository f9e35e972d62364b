/* The columns of results, one row each: what the terminal, Markdown, the page, CSV and JSON show
 * of a variant at a shape.  Private to the reports. */
#pragma once

#include "analysis/advice/diagnosis.h"
#include "analysis/model/findings.h"
#include "base/table.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct column_row { /* whose cells are asked for */
  const struct findings *findings;
  const struct finding *finding;     /* NULL: every cell is absent */
  const struct diagnosis *diagnosis; /* NULL: not asked for, and its columns are absent */
  bool styled;                       /* cells have colours */
  bool shortened;                    /* for a terminal: long names are shortened */
};

struct result_column {
  const char *key;          /* of CSV; "bound_%s_us" where there are several parts */
  const char *json;         /* its member of a finding's JSON; NULL: it stands elsewhere there */
  const char *title, *unit; /* for people; NULL: for programs only, or a part's own name */
  double scale;             /* from SI to CSV's unit */
  double shown_scale;       /* to people's; 0: the same */
  int digits;               /* significant ones that people see; 0: all */
  enum table_align align;
  size_t parts; /* 0: one */
  const char *(*part)(size_t i);

  /* Where it comes from: one of these. */
  size_t value;       /* offset of a struct value in struct finding, those of the parts behind it */
  size_t time;        /* offset of a double there that is known where the finding has a time */
  const char *metric; /* a derived metric, which CSV has under its own name */
  struct value (*number)(const struct column_row *r);
  bool (*flag)(const struct column_row *r);
  size_t of_variant, of_result;                               /* offset of a string in struct run_variant, run_result */
  size_t real;                                                /* offset of a double in struct run_result */
  void (*text)(const struct column_row *r, struct text *out); /* nothing written: absent */

  void (*shown)(const struct column_row *r, struct text *out); /* what people see where it is more than that */
  char (*style)(const struct finding *f);                      /* table_style */
};
extern const struct result_column result_columns[];
extern const size_t n_result_columns;

const struct result_column *result_column_find(const char *key); /* NULL: none */
size_t result_column_parts(const struct result_column *c);       /* how many cells it has in a row */
/* Its number at a row; absent for one of text. */
struct value result_column_number(const struct result_column *c, size_t part, const struct column_row *r);
/* One cell: for people and, with CSV's scale, for programs.  bare: without what `shown` adds. */
void result_column_cell(struct table *t, const struct result_column *c, size_t part, const struct column_row *r,
                        bool bare);

/* A table shows some of the columns. */
struct shown_column {
  const char *key;
  int drop;                 /* 1 is left out first where the terminal is narrow; 0: never */
  const char *title, *unit; /* instead of the column's own */
  bool bare;                /* without what `shown` adds */
};
void shown_column_head(struct table *t, const struct shown_column *s);
void shown_column_cell(struct table *t, const struct shown_column *s, const struct column_row *r);
