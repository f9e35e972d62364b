/* Nsight Compute's CSV read into launches; private to this folder.
 *
 * Five forms, told apart by their heads:
 *   raw        `ncu --csv --page raw`: a row a launch, metric names in the first row, units in the second
 *   details    `ncu --csv`: a row a metric, with the columns "Metric Name", "Metric Unit", "Metric Value"
 *   transposed the export of the user interface's raw page: a line a metric, "NAME [UNIT]", then a cell a launch
 *   summary    `ncu --csv --print-summary per-kernel`: as details without "ID", with "Average" for "Metric Value": a kernel is one launch
 *   text       what ncu prints without --csv, as people paste it; with --print-summary per-kernel a kernel is one launch
 * Lines that ncu and the profiled program print before the table are passed over.
 */
#pragma once

#include "base/err.h"
#include "profiler/import/csv.h"

#include <stdbool.h>
#include <stddef.h>

struct ncu_metric {            /* of the name that stands at its index in the launch's names */
  const struct csv_cell *cell; /* borrowed from the file; NULL: a report's number, in base units */
  union {
    const struct csv_cell *unit; /* of a cell; NULL: it has none */
    double number;
  };
};

struct ncu_name {
  const char *name;
  size_t at;
  bool used;   /* asked for, and found */
  bool valued; /* a launch has more than an empty cell (unused.c) */
};

/* Names of a launch's metrics, as a rule shared by all launches of a file: sorted once. */
struct ncu_names {
  const char **names; /* in the order of the file; borrowed from it, or static */
  struct ncu_name *by_name;
  size_t n;
};

struct ncu_launch {
  const char *file; /* for messages */
  const char *kernel;
  unsigned grid[3], block[3]; /* 0: not said */
  bool together;              /* several kernels, whose grids are not one */
  const char *capability;     /* "9.0"; NULL: not said */
  /* In the order of the file; of those that share a name the one with the most digits counts */
  struct ncu_metric *metrics;
  size_t n, cap;
  const char **read;       /* [cap], their names, until the launch is finished */
  struct ncu_names *names; /* then */
  size_t group;            /* of the import, once it has joined one */
  bool joined;
};

enum ncu_form { NCU_RAW, NCU_DETAILS, NCU_TRANSPOSED, NCU_TEXT, NCU_REPORT };

struct ncu_file {
  char *name;
  enum ncu_form form;
  struct csv csv;
  char **kept;                         /* pieces of memory for strings that stand in the file otherwise */
  size_t n_kept, kept_used, kept_room; /* of the last piece */
  struct ncu_names **names;            /* those that differ */
  size_t n_names;
  struct ncu_launch *launches;
  size_t n;
};

/* ERR_DATA "NAME:LINE:COLUMN: ..." with the remedy.  Release *out, also after failure. */
int ncu_parse(struct ncu_file *out, const char *name, const char *text, struct err *e);
void ncu_release(struct ncu_file *f);

/* Values that are read one after another: the first that is there and malformed sets rc, and none is read after it. */
struct ncu_reading {
  struct err *e;
  int rc; /* ERR_DATA: a value is no number, or its unit is unknown */
};
/* A metric as a number in ncu's base units (quantity.h).  False: the launch has none. */
bool ncu_value(const struct ncu_launch *l, const char *name, double *out, struct ncu_reading *r);
/* A metric as it stands; NULL: none. */
const char *ncu_text(const struct ncu_launch *l, const char *name);

/* --- for the readers of each form --- */

void ncu_launch_add(struct ncu_file *f, struct ncu_launch **out);
/* Name and cells must live as long as the file. */
void ncu_metric_add(struct ncu_launch *l, const char *name, const struct csv_cell *unit, const struct csv_cell *value);
void ncu_number_add(struct ncu_launch *l, const char *name, double number);
/* All its metrics are there: they can be looked up. */
void ncu_launch_finish(struct ncu_file *f, struct ncu_launch *l);
/* "(896, 4, 1)", "896x4x1", "896": what is not said is 1.  ERR_DATA at the cell. */
int ncu_extent_parse(unsigned out[3], const char *file, const struct csv_cell *cell, struct err *e);
/* A copy of n bytes that lives as long as the file. */
const char *ncu_name_keep(struct ncu_file *f, const char *s, size_t n);
/* The same of a cell, but not of its text. */
const struct csv_cell *ncu_cell_keep(struct ncu_file *f, const struct csv_cell *cell);
/* The metric that a label of the details page stands for (labels.tsv); the label itself where it is
 * of none that is of use. */
const char *ncu_label_name(struct ncu_file *f, const char *section, const char *label);
/* Whether the text is a printed report, not CSV. */
bool ncu_text_is(const char *text);
int ncu_text_read(struct ncu_file *f, const char *text, struct err *e); /* ncu_text.c */
int ncu_rows_read(struct ncu_file *f, struct err *e);                   /* raw and details */
int ncu_transposed_read(struct ncu_file *f, struct err *e);             /* ncu_transposed.c */
