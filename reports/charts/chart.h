/* Charts: a gnuplot script and its data, made from findings.  Private to the room.
 *
 * A chart is NAME.gp, self-contained, that reads NAME.dat beside it and writes NAME.svg and NAME.png.  The first ladder's charts are
 * "roofline", "waterfall" and so on; those of a further ladder carry its name: "roofline-cute".
 */
#ifndef REPORTS_CHARTS_CHART_H
#define REPORTS_CHARTS_CHART_H

#include "base/err.h"
#include "base/text.h"
#include "reports/text/view.h"

enum {
  CHART_NAME_MAX = 64,
  CHART_PANELS_MAX = 12, /* shapes in a chart; the rest is left out, and the subtitle says so */
  CHART_COLUMNS = 3,
  CHART_WIDTH_PX = 960,
};

struct chart {
  char name[CHART_NAME_MAX];
  const char *kind;        /* "roofline": its name on the first ladder */
  size_t ladder;           /* an index into view.ladders */
  struct text title, hint; /* what it shows, of which ladder; how to read it */
  struct text gp, dat;
  bool drawn;
  struct text svg; /* where drawn */
};
void chart_release(struct chart *c);

/* Fills *out for one ladder (an index into view.ladders).  False where the run has nothing to draw in it; *out is then empty. */
/* The curves of a device that `ceilings` measured; needs no run. */
bool chart_ceilings(const struct device *d, struct chart *out);
typedef bool chart_make_fn(const struct view *v, size_t ladder, struct chart *out);
chart_make_fn chart_roofline, chart_roofline_l2, chart_roofline_l1, chart_instructions, chart_waterfall, chart_stalls,
    chart_mix, chart_bytes, chart_inflight, chart_spread_of_times;

/* Every chart of every ladder; the caller releases each and frees *out.  A ladder's charts stand together, in the order of the page. */
size_t charts_make(const struct view *v, struct chart **out);

/* --- shared by the charts --- */

/* Sets kind, ladder, name, and a title: "WHAT: ladder NAME on DEVICE" (view_words). */
void chart_begin(struct chart *c, const struct view *v, const char *kind, size_t ladder, const char *what);
bool chart_on_ladder(const struct view_item *item, const char *ladder);
/* The run's origin, and how many shapes the chart has no room for (0: none). */
void chart_subtitle(const struct view *v, size_t shapes_left_out, struct text *out);
/* Strings of others, made safe: no quote ends early, no backquote runs a command, no newline ends a comment. */
void chart_quote(struct text *out, const char *s);      /* 'single quoted', for .gp */
void chart_data_quote(struct text *out, const char *s); /* "double quoted", for .dat */
/* At most `chars` characters of s, "…" where it is cut. */
void chart_shorten(char buffer[VIEW_LABEL_MAX], const char *s, size_t chars);

/* One @NAME@ of a template and what stands for it. */
struct chart_slot {
  const char *name;
  struct text text;
};
/* Fills the template reports/charts/plots/<name>, and releases the slots' texts.  @ROWS@ stands for plots/rows.gp, the layout of charts with a row
 * a rung. */
void chart_fill(struct text *out, const char *name, struct chart_slot *slots, size_t n);

/* Moves positions (pixels, ascending) apart to at least `gap`, as little as it can, within [low, high]. */
void chart_spread(double *positions, size_t n, double gap, double low, double high);

/* --- drawing --- */

/* Runs gnuplot on every chart in `folder`, two at a time, and sets `drawn` and `svg`.  Appends a sentence with the remedy to `warning` where one
 * could not be drawn. */
void chart_draw(struct chart *charts, size_t n, const char *folder, const char *gnuplot, struct text *warning);
/* Writes NAME.gp and NAME.dat.  ERR_IO. */
int chart_write(const struct chart *c, const char *folder, struct err *e);
/* Both for one chart, into a folder that is made if absent.  gnuplot: NULL: the one on PATH. */
int chart_save(struct chart *c, const char *folder, const char *gnuplot, struct text *warning, struct err *e);

#endif
