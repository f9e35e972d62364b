#include "reports/report.h"

#include "base/file.h"
#include "reports/chart.h"

#include <stdlib.h>
#include <string.h>

enum { CHARTS_MAX = 32 };

static int write_text(const char *folder, const char *name, const char *ending, const struct text *text,
                      struct err *e) {
  char *path = str_printf("%s/%s%s", folder, name, ending);
  int rc;

  if (!path || !text_ok(text))
    rc = err_nomem(e, name);
  else
    rc = file_write(path, text_str(text), text->n, e);
  free(path);
  return rc;
}

static size_t charts_make(const struct findings *f, struct chart charts[CHARTS_MAX], struct text *warning) {
  struct view v;
  size_t n = 0;

  view_init(&v, f);
  for (size_t i = 0; i < v.n_ladders && n + 2 <= CHARTS_MAX; i++) {
    n += chart_roofline(&v, i, &charts[n]);
    n += chart_waterfall(&v, i, &charts[n]);
  }
  if (v.n_ladders > CHARTS_MAX / 2)
    text_printf(warning, "only the first %d ladders have charts\n", CHARTS_MAX / 2);
  view_release(&v);
  return n;
}

static int write_sources(const char *folder, const struct chart *c, struct err *e) {
  int rc = write_text(folder, c->name, ".gp", &c->gp, e);

  return rc ? rc : write_text(folder, c->name, ".dat", &c->dat, e);
}

static int write_charts(const struct findings *f, const struct report_options *o, struct chart charts[CHARTS_MAX],
                        size_t *n, struct text *warning, struct err *e) {
  int rc = 0;

  *n = charts_make(f, charts, warning);
  for (size_t i = 0; i < *n && rc == 0; i++)
    rc = write_sources(o->folder, &charts[i], e);
  if (rc == 0 && *n > 0)
    chart_draw(charts, *n, o->folder, o->gnuplot ? o->gnuplot : "gnuplot", warning);
  return rc;
}

int report_write(const struct findings *f, const struct report_options *options, struct text *warning, struct err *e) {
  struct chart charts[CHARTS_MAX] = {0};
  struct report_charts listed = {.n = 0};
  struct text worklog = {0}, csv = {0}, json = {0};
  size_t n = 0;
  int rc = file_mkdirs(options->folder, e);

  if (rc != 0)
    goto done;
  if (options->plots)
    rc = write_charts(f, options, charts, &n, warning, e);
  if (rc != 0)
    goto done;
  for (size_t i = 0; i < n; i++) {
    listed.names[i] = charts[i].name;
    listed.drawn[i] = charts[i].drawn;
  }
  listed.n = n;
  report_worklog(f, &listed, &worklog);
  report_csv(f, &csv);
  report_json(f, &json);
  rc = write_text(options->folder, "worklog", ".md", &worklog, e);
  if (rc == 0)
    rc = write_text(options->folder, "results", ".csv", &csv, e);
  if (rc == 0)
    rc = write_text(options->folder, "findings", ".json", &json, e);
done:
  for (size_t i = 0; i < n; i++)
    chart_release(&charts[i]);
  text_release(&worklog);
  text_release(&csv);
  text_release(&json);
  return rc;
}

int report_ceilings(const struct device *d, const struct report_options *options, struct text *warning, struct err *e) {
  struct chart chart;
  int rc;

  if (!chart_ceilings(d, &chart))
    return err_set(e, ERR_DATA, "%s: no curve was measured, so there is nothing to draw",
                   d->name ? d->name : "a device");
  rc = file_mkdirs(options->folder, e);
  if (rc == 0)
    rc = write_sources(options->folder, &chart, e);
  if (rc == 0)
    chart_draw(&chart, 1, options->folder, options->gnuplot ? options->gnuplot : "gnuplot", warning);
  chart_release(&chart);
  return rc;
}
