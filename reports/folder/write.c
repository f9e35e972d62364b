#include "reports/text/report.h"

#include "base/file.h"
#include "base/plain.h"
#include "reports/charts/chart.h"
#include "reports/folder/manifest.h"
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
  bool all = o->all_charts;
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

/* --- notes: the author's own words, ID.md of a folder, which is read and never written --- */

struct notes {
  struct report_note *items; /* text owned; variant borrowed from the run */
  size_t n;
};

enum { NOTE_BYTES_MAX = 1 << 20 };

static bool same_folder(const char *a, const char *b) {
  char *x = realpath(a, NULL), *y = realpath(b, NULL);
  bool same = x && y && strcmp(x, y) == 0;
  free(x);
  free(y);
  return same;
}

static int note_load(struct notes *out, const char *folder, const char *id, struct err *e) {
  char *path, *text = NULL;
  size_t n;
  int rc = 0;
  /* An id comes from a file of others: it names a file of this folder or none. */
  if (strchr(id, '/') || id[0] == '.')
    return 0;
  path = str_printf("%s/%s.md", folder, id);
  if (file_exists(path))
    rc = file_read(path, NOTE_BYTES_MAX, &text, &n, e);
  if (text)
    out->items[out->n++] = (struct report_note){id, text};
  free(path);
  return rc;
}

/* Those of the run's variants that have a file.  ERR_USAGE where the folder is `report`, which reports are written to. */
static int notes_load(struct notes *out, const char *folder, const char *report, const struct findings *f,
                      struct err *e) {
  int rc = 0;
  if (!folder)
    return 0;
  if (same_folder(folder, report))
    return err_set(e, ERR_USAGE,
                   "--notes %s is the report's own folder: keep notes in another, where nothing is written", folder);
  out->items = calloc(f->run->n_variants + 1, sizeof *out->items);
  for (size_t i = 0; i < f->run->n_variants && rc == 0; i++)
    rc = note_load(out, folder, f->run->variants[i].id, e);
  return rc;
}

static void notes_release(struct notes *n) {
  for (size_t i = 0; i < n->n; i++)
    free((char *)n->items[i].text);
  free(n->items);
}

/* --- the folder --- */

static void render_csv(const struct story *s, const struct report_parts *parts, struct text *out) {
  (void)parts;
  report_csv(s->findings, &s->diagnoses, out);
}
static void render_json(const struct story *s, const struct report_parts *parts, struct text *out) {
  (void)parts;
  report_json(s->findings, out);
}

static const struct page {
  unsigned format;
  const char *name, *ending;
  void (*render)(const struct story *s, const struct report_parts *parts, struct text *out);
  void (*render_pair)(const struct pair *pair, struct text *out); /* NULL: two runs have none such */
} pages[] = {{REPORT_MD, "worklog", ".md", report_worklog, pair_worklog},
             {REPORT_HTML, "index", ".html", report_html, pair_html},
             {REPORT_CSV, "results", ".csv", render_csv, pair_csv},
             {REPORT_JSON, "findings", ".json.gz", render_json, NULL}};
enum { PAGES = sizeof pages / sizeof *pages };

/* Puts a page that was rendered into the folder and on the list; releases it. */
static int page_write(const struct page *p, const char *folder, struct text *out, struct manifest *m, struct err *e) {
  manifest_add(m, p->name, p->ending);
  int rc = write_text(folder, p->name, p->ending, out, e);
  text_release(out);
  return rc;
}

static int pages_claim(const char *folder, unsigned formats, bool write, struct err *e) {
  struct manifest m = {0};
  for (size_t i = 0; i < PAGES; i++)
    if (formats & pages[i].format)
      manifest_add(&m, pages[i].name, pages[i].ending);
  int rc = manifest_claim(&m, folder, write, e);
  text_release(&m.names);
  return rc;
}

int report_folder_verify(const char *folder, unsigned formats, struct err *e) {
  return pages_claim(folder, formats, false, e);
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

int report_write(const struct story *s, const struct report_options *o, struct text *warning, struct err *e) {
  struct charts charts = {0};
  struct notes notes = {0};
  struct manifest written = {0};
  struct view v;
  int lock, rc = folder_take(o->folder, &lock, e);
  view_init(&v, s->findings);
  if (rc == 0)
    rc = pages_claim(o->folder, o->formats, true, e);
  if (rc == 0)
    rc = notes_load(&notes, o->notes, o->folder, s->findings, e);
  if (rc == 0 && (o->formats & REPORT_PLOTS))
    rc = write_charts(&charts, &v, s, o, &written, warning, e);
  const struct report_parts parts = {charts.listed, charts.n, notes.items, notes.n, o->run_file};
  for (size_t i = 0; i < PAGES && rc == 0; i++) {
    struct text out = {0};
    if (!(o->formats & pages[i].format))
      continue;
    pages[i].render(pages[i].format == REPORT_CSV && o->all ? o->all : s, &parts, &out);
    rc = page_write(&pages[i], o->folder, &out, &written, e);
  }
  if (rc == 0)
    rc = manifest_replace(&written, o->folder, e);
  folder_leave(lock);
  text_release(&written.names);
  charts_release(&charts);
  notes_release(&notes);
  view_release(&v);
  return rc;
}

int report_write_pair(const struct pair *p, const char *folder, unsigned formats, struct err *e) {
  struct manifest written = {0};
  int lock, rc = folder_take(folder, &lock, e);
  if (rc == 0)
    rc = pages_claim(folder, formats & REPORT_OF_PAIRS, true, e);
  for (size_t i = 0; i < PAGES && rc == 0; i++) {
    struct text out = {0};
    if (!(formats & REPORT_OF_PAIRS & pages[i].format))
      continue;
    pages[i].render_pair(p, &out);
    rc = page_write(&pages[i], folder, &out, &written, e);
  }
  if (rc == 0)
    rc = manifest_replace(&written, folder, e);
  folder_leave(lock);
  text_release(&written.names);
  return rc;
}
