/* Reports: findings rendered for people and programs.  Nothing is computed here. */
#pragma once

#include "analysis/compare/pair.h"
#include "analysis/model/findings.h"
#include "analysis/story/story.h"
#include "base/err.h"
#include "base/text.h"
#include <stddef.h>

#include <stdbool.h>

/* The terminal's summary: first line says where the numbers come from, then a table a shape and
 * the geometric mean, then failures and notes. */
void report_term(const struct findings *f, struct text *out, int width, bool colour);
struct report_term_options {
  int width;
  bool colour, all_shapes; /* not all: the first shape and the means; how many are left out is said */
  bool full_names;         /* of a program's kernels */
};
void report_tables_term(const struct findings *f, const struct report_term_options *o, struct text *out);
/* What a page shows besides the story.  All strings are borrowed. */
struct report_chart {
  const char *name, *kind, *ladder; /* "roofline-cute", "roofline", "cute" */
  const char *title, *hint;         /* what it shows; how to read it */
  bool on_page;                     /* one of those that pages show; those of further ladders are files only */
  bool drawn;                       /* .svg exists; else .gp and .dat only */
  const char *svg;                  /* where drawn */
};
struct report_note { /* the author's own words on a variant, Markdown */
  const char *variant, *text;
};
struct report_parts {
  const struct report_chart *charts;
  size_t n_charts;
  const struct report_note *notes;
  size_t n_notes;
  const char *run_file; /* as report_options */
};

/* worklog.md: images by relative path, of the charts that were drawn, so that no link is dead. */
void report_worklog(const struct story *s, const struct report_parts *parts, struct text *out);
/* index.html: one file that needs no other, no network and no script; the charts stand in it. */
void report_html(const struct story *s, const struct report_parts *parts, struct text *out);
/* Every number, one row a variant x shape. */
void report_csv(const struct findings *f, const struct diagnoses *diagnoses, struct text *out);
/* Every finding as JSON. */
void report_json(const struct findings *f, struct text *out);

enum report_format {
  REPORT_MD = 1,
  REPORT_HTML = 2,
  REPORT_CSV = 4,
  REPORT_JSON = 8,
  REPORT_PLOTS = 16,
  REPORT_OF_PAIRS = REPORT_MD | REPORT_HTML | REPORT_CSV, /* what two runs have */
  REPORT_ALL = 31
};
/* "md,html,csv,json,plots", "all"; ERR_USAGE names what is unknown. */
int report_formats_parse(const char *list, unsigned *out, struct err *e);

struct report_options {
  const char *folder;  /* made if absent */
  const char *gnuplot; /* program; NULL: "gnuplot" on PATH */
  unsigned formats;    /* enum report_format, or-ed */
  const char *notes;   /* folder of ID.md, read and never written; NULL: none */
  void (*progress)(const char *phase, size_t done, size_t total, const char *what); /* NULL: nobody */
  /* Every ladder's, as SVG and PNG with their .gp and .dat; else the pages', as SVG */
  bool all_charts;
  const char *run_file;    /* that the next command is to name; NULL: the recorded run, which needs no name */
  const struct story *all; /* what results.csv is of, where the rest is of a part of it; NULL: the same */
};
/* Before any work: ERR_USAGE where the folder has a page of these formats that no report wrote. */
int report_folder_verify(const char *folder, unsigned formats, struct err *e);
/* Writes worklog.md, index.html, results.csv, findings.json.gz and the charts, each atomically, and
 * removes what an earlier report left in the folder, run files excepted.  A missing gnuplot is no
 * error: `warning` (a sentence with the remedy) is filled and the charts' NAME.gp and NAME.dat are
 * there.  ERR_USAGE where the notes' folder is the report's. */
int report_write(const struct story *s, const struct report_options *o, struct text *warning, struct err *e);
/* The pair as text for the terminal, B over A by variant and shape, and as JSON. */
void report_pair_term(const struct pair *p, struct text *out, int width, bool colour);
void report_pair_json(const struct pair *p, struct text *out);
/* Two runs side by side: writes worklog.md and index.html (and results.csv) in the folder. */
int report_write_pair(const struct pair *p, const char *folder, unsigned formats, struct err *e);

/* --- a run for other tools' eyes --- */
/* The timed launches as a Chrome trace (JSON, for chrome://tracing and Perfetto), a track a
 * variant and shape.  A run keeps durations alone: launches follow each other from 0, as the
 * trace says.  Returns their number. */
size_t export_trace(const struct run *r, struct text *out);
/* Every counter as CSV, a row each: variant, shape, metric, unit, value, source, reason. */
void export_metrics(const struct run *r, struct text *out);

void pair_worklog(const struct pair *p, struct text *out);
void pair_html(const struct pair *p, struct text *out);
void pair_csv(const struct pair *p, struct text *out);
