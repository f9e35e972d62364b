#include "reports/text/report.h"

#include "base/file.h"
#include "base/plain.h"
#include "reports/charts/chart.h"
#include "reports/folder/manifest.h"
#include "reports/page/notes.h"
#include "reports/page/page_pair.h"
#include "run/gunzip.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int report_formats_parse(const char *list, unsigned *out, struct err *e) {
  static const struct {
    const char *name;
    unsigned bits;
  } known[] = {{"md", REPORT_MD},     {"html", REPORT_HTML},   {"csv", REPORT_CSV},
               {"json", REPORT_JSON}, {"plots", REPORT_PLOTS}, {"all", REPORT_ALL}};
  char *copy = str_copy(list), *rest = copy;
  unsigned formats = 0;
  int rc = 0;
  for (char *item; rc == 0 && (item = strsep(&rest, ","));) {
    unsigned bits = 0;
    item = str_trim(item);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      bits |= strcmp(known[i].name, item) == 0 ? known[i].bits : 0;
    formats |= bits;
    if (!bits)
      rc = err_set(e, ERR_USAGE, "--format %s: must be a list of md, html, csv, json, plots, or all", item);
  }
  free(copy);
  if (rc == 0)
    *out = formats;
  return rc;
}

static int write_text(const char *folder, const char *name, const char *ending, const struct text *text,
                      struct err *e) {
  char *path = str_printf("%s/%s%s", folder, name, ending), *packed = NULL;
  struct text clean = {0}; /* sources stand in a page as they are, but for what is no text */
  size_t n = 0;
  int rc = 0;
  plain_terminal(&clean, text_str(text), text->n, false);
  if (!text_ok(text) || !text_ok(&clean))
    rc = err_nomem(e, name);
  if (rc == 0 && gzip_wanted(ending))
    rc = gzip_pack(text_str(&clean), clean.n, &packed, &n, e);
  if (rc == 0)
    rc = packed ? file_write(path, packed, n, e) : file_write(path, text_str(&clean), clean.n, e);
  text_release(&clean);
  free(packed);
  free(path);
  return rc;
}

struct charts {
  struct chart *items;
  struct report_chart *listed; /* the same, for pages */
  size_t n;
};

static void charts_release(struct charts *c) {
  for (size_t i = 0; i < c->n; i++)
    chart_release(&c->items[i]);
  free(c->items);
  free(c->listed);
}

/* The files that the folder has of a chart: its sources are there where they were asked for, or where gnuplot failed. */
static void charts_list(const struct charts *c, bool all, struct manifest *m) {
  static const char *const endings[] = {".svg", ".png", ".gp", ".dat"};
  for (size_t i = 0; i < c->n; i++) {
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
      bool picture = k < 2, source = k >= 2;
      if ((picture && c->items[i].drawn && (all || k == 0)) || (source && (all || !c->items[i].drawn)))
        manifest_add(m, c->items[i].name, endings[k]);
    }
  }
}

static int write_charts(struct charts *c, const struct view *v, const struct story *s, const struct report_options *o,
                        struct manifest *m, struct text *warning, struct err *e) {
  bool all = o->charts == REPORT_CHARTS_ALL;
  int rc = 0;
  c->n = charts_make(v, s, all, &c->items);
  c->listed = calloc(c->n + 1, sizeof *c->listed);
  for (size_t i = 0; i < c->n && rc == 0; i++)
    rc = chart_write(&c->items[i], o->folder, e);
  if (rc == 0 && c->n > 0)
    chart_draw(c->items, c->n,
               &(struct chart_drawing){o->folder, o->gnuplot ? o->gnuplot : "gnuplot", !all, o->progress}, warning);
  charts_list(c, all, m);
  for (size_t i = 0; i < c->n; i++) {
    const struct chart *x = &c->items[i];
    c->listed[i] = (struct report_chart){.name = x->name,
                                         .kind = x->kind->name,
                                         .ladder = v->ladders[x->ladder],
                                         .title = text_str(&x->title),
                                         .hint = text_str(&x->hint),
                                         .on_page = x->on_page,
                                         .drawn = x->drawn,
                                         .svg = x->drawn ? text_str(&x->svg) : NULL};
  }
  return rc;
}

static void render_csv(const struct story *s, const struct report_parts *parts, struct text *out) {
  (void)parts;
  report_csv(s->findings, &s->diagnoses, out);
}
static void render_json(const struct story *s, const struct report_parts *parts, struct text *out) {
  (void)parts;
  report_json(s->findings, out);
}

static int write_pages(const struct story *s, const struct report_parts *parts, const struct report_options *o,
                       struct manifest *m, struct err *e) {
  static const struct {
    unsigned format;
    const char *name, *ending;
    void (*render)(const struct story *s, const struct report_parts *parts, struct text *out);
  } pages[] = {{REPORT_MD, "worklog", ".md", report_worklog},
               {REPORT_HTML, "index", ".html", report_html},
               {REPORT_CSV, "results", ".csv", render_csv},
               {REPORT_JSON, "findings", ".json.gz", render_json}};
  int rc = 0;
  for (size_t i = 0; i < sizeof pages / sizeof *pages && rc == 0; i++) {
    struct text out = {0};
    if (!(o->formats & pages[i].format))
      continue;
    pages[i].render(pages[i].format == REPORT_CSV && o->all ? o->all : s, parts, &out);
    manifest_add(m, pages[i].name, pages[i].ending);
    rc = write_text(o->folder, pages[i].name, pages[i].ending, &out, e);
    text_release(&out);
  }
  return rc;
}

static void pages_list(struct manifest *m, unsigned formats) {
  static const struct {
    unsigned format;
    const char *name;
  } pages[] = {{REPORT_MD, "worklog.md"},
               {REPORT_HTML, "index.html"},
               {REPORT_CSV, "results.csv"},
               {REPORT_JSON, "findings.json.gz"}};
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
    if (formats & pages[i].format)
      manifest_add(m, pages[i].name, "");
}

int report_folder_verify(const char *folder, unsigned formats, struct err *e) {
  struct manifest m = {0};
  pages_list(&m, formats);
  int rc = manifest_verify(&m, folder, e);
  text_release(&m.names);
  return rc;
}

/* The folder is one report's at a time: another would remove what gnuplot is to read.  *lock is for folder_leave. */
static int folder_take(const char *folder, int *lock, struct err *e) {
  int rc = file_mkdirs(folder, e);
  *lock = rc == 0 ? file_folder_lock(folder) : -1;
  return rc;
}

static void folder_leave(int lock) {
  if (lock >= 0)
    close(lock);
}

static int pages_claim(const char *folder, unsigned formats, struct err *e) {
  struct manifest m = {0};
  pages_list(&m, formats);
  int rc = manifest_claim(&m, folder, e);
  text_release(&m.names);
  return rc;
}

int report_write(const struct story *s, const struct report_options *options, struct text *warning, struct err *e) {
  struct charts charts = {0};
  struct notes notes = {0};
  struct manifest written = {0};
  struct view v;
  int lock, rc = folder_take(options->folder, &lock, e);
  view_init(&v, s->findings);
  if (rc == 0)
    rc = pages_claim(options->folder, options->formats, e);
  if (rc == 0)
    rc = notes_load(&notes, options->notes, options->folder, s->findings, e);
  if (rc == 0 && (options->formats & REPORT_PLOTS))
    rc = write_charts(&charts, &v, s, options, &written, warning, e);
  if (rc == 0)
    rc = write_pages(s, &(struct report_parts){charts.listed, charts.n, notes.items, notes.n, options->run_file},
                     options, &written, e);
  if (rc == 0)
    rc = manifest_replace(&written, options->folder, e);
  folder_leave(lock);
  text_release(&written.names);
  charts_release(&charts);
  notes_release(&notes);
  view_release(&v);
  return rc;
}

int report_write_pair(const struct pair *p, const struct report_options *options, struct err *e) {
  static const struct {
    unsigned format;
    const char *name, *ending;
    void (*render)(const struct pair *pair, struct text *out);
  } pages[] = {{REPORT_MD, "worklog", ".md", pair_worklog},
               {REPORT_HTML, "index", ".html", pair_html},
               {REPORT_CSV, "results", ".csv", pair_csv}};
  struct manifest written = {0};
  int lock, rc = folder_take(options->folder, &lock, e);
  if (rc == 0)
    rc = pages_claim(options->folder, options->formats & (REPORT_MD | REPORT_HTML | REPORT_CSV), e);
  for (size_t i = 0; i < sizeof pages / sizeof *pages && rc == 0; i++) {
    struct text out = {0};
    if (!(options->formats & pages[i].format))
      continue;
    pages[i].render(p, &out);
    manifest_add(&written, pages[i].name, pages[i].ending);
    rc = write_text(options->folder, pages[i].name, pages[i].ending, &out, e);
    text_release(&out);
  }
  if (rc == 0)
    rc = manifest_replace(&written, options->folder, e);
  folder_leave(lock);
  text_release(&written.names);
  return rc;
}
