/* Charts: a gnuplot script and its data, made from findings.  Private to the room.
 *
 * A chart is NAME.gp, self-contained, that reads NAME.dat beside it and writes NAME.svg and
 * NAME.png (with passes=1: NAME.svg alone).  The first ladder's charts are "roofline", "climb" and
 * so on; those of a further ladder carry its name: "roofline-cute".
 */
#pragma once

#include "analysis/story/story.h"
#include "base/err.h"
#include "base/slots.h"
#include "base/text.h"
#include "reports/words/view.h"

enum {
  CHART_NAME_MAX = 64,
  CHART_PANELS_MAX = 12, /* shapes in a chart; the rest is left out, and the subtitle says so */
  CHART_COLUMNS = 3,
  CHART_WIDTH_PX = 960,
};

struct chart {
  char name[CHART_NAME_MAX];
  const struct chart_kind *kind;
  size_t ladder;           /* an index into view.ladders */
  struct text title, hint; /* what it shows, and of what; how to read it */
  struct text gp, dat;
  bool on_page; /* the report's pages show it */
  bool drawn;
  struct text svg; /* where drawn */
};
void chart_release(struct chart *c);

/* What a chart is drawn from. */
enum chart_of { CHART_OF_LADDER, CHART_OF_DEVICE, CHART_OF_HISTORY, CHART_OF_MMA, CHART_OF_TUNE };
struct chart_source {
  enum chart_of of;
  const struct view *v;      /* OF_LADDER, OF_TUNE */
  const struct story *story; /* OF_LADDER, and the ladder, an index into view.ladders */
  size_t ladder;
  const struct device *device; /* OF_DEVICE: curves that `ceilings` measured */
  const struct history *history;
  const struct mma_text *mma;
  const struct tune_report *tune;
};

/* Where a page shows a ladder's chart: at every ladder, or at the one that holds the headline. */
enum chart_place { CHART_EVERY_LADDER, CHART_LEADING_LADDER };

struct chart_kind {
  const char *name;        /* "roofline" */
  const char *script;      /* its template: "plots/roofline.gp" */
  const char *title;       /* what it shows, before ": ladder NAME on DEVICE"; NULL: `fill` says it whole */
  const char *hint;        /* how to read it */
  const char *steps_title; /* what it shows where kernels step from one another; NULL: the same */
  const char *of_steps;    /* how to read it where kernels step from one another; NULL: the same */
  bool steps_of_gemv;      /* that speaks of the GEMV alone */
  enum chart_of of;
  enum chart_place place;
  /* Fills *out's data, and what the template asks for beside name, title and width.  False where
   * there is nothing to draw. */
  bool (*fill)(const struct chart_source *from, struct chart *out, struct slots *s);
};
/* A chart's row, at the end of the file that fills it; cmake/rows.cmake gathers them, and the
 * number orders them on a page. */
#define CHART_ROW(number, id) const struct chart_kind chart_of_##id

extern const struct chart_kind *const chart_kinds[];
extern const size_t n_chart_kinds;

/* False, and *out empty, where there is nothing to draw. */
bool chart_make(const struct chart_kind *k, const struct chart_source *from, struct chart *out);
/* The charts of every ladder, all or those that pages show; the caller releases each and frees
 * *out.  A ladder's charts stand together, in the order of the page. */
size_t charts_make(const struct view *v, const struct story *story, bool all, struct chart **out);

/* --- shared by the charts --- */

/* The run's origin, and how many shapes the chart has no room for (0: none). */
void chart_subtitle(const struct view *v, size_t shapes_left_out, struct text *out);
/* A string of others for .dat, "double quoted": no quote ends early, no backquote runs a
 * command, no newline ends the line. */
void chart_data_quote(struct text *out, const char *s);

/* Moves positions (pixels, ascending) apart to at least `gap`, as little as it can, within [low,
 * high]. */
void chart_spread(double *positions, size_t n, double gap, double low, double high);

/* --- drawing --- */

/* Told how many are drawn. */
typedef void chart_progress(const char *phase, size_t done, size_t total, const char *what);
struct chart_drawing {
  const char *folder, *gnuplot;
  bool svg_alone;           /* no .png is drawn, and what drew a .svg is removed */
  chart_progress *progress; /* NULL: nobody is told */
};
/* Runs gnuplot on every chart, two at a time, and sets `drawn` and `svg`.  Appends a sentence with
 * the remedy to `warning` where one could not be drawn. */
void chart_draw(struct chart *charts, size_t n, const struct chart_drawing *how, struct text *warning);
/* Writes NAME.gp and NAME.dat.  ERR_IO. */
int chart_write(const struct chart *c, const char *folder, struct err *e);
/* Both for one chart, into a folder that is made if absent.  gnuplot: NULL: the one on PATH. */
int chart_save(struct chart *c, const char *folder, const char *gnuplot, struct text *warning, struct err *e);

/* gnuplot's SVG, made fit for a page: what it shows is left as it is. */
/* Hover texts become <title> elements (gnuplot writes calls of a script of its own), title and
 * description are given, ids begin with `name` so that several pictures can stand in one page,
 * and empty groups are left out.  The XML declaration goes too. */
void svg_clean(struct text *out, const char *svg, const char *name, const char *title, const char *description);
