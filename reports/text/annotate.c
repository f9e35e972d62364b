#include "reports/text/annotate.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum { AROUND = 3 }; /* lines shown before and after one with samples */
static const double hot_share = 0.1;

static const struct hot_line *line_of(const struct hot *h, int source, int line) {
  for (size_t i = 0; i < h->n_lines; i++)
    if (h->lines[i].source == source && h->lines[i].line == line)
      return &h->lines[i];
  return NULL;
}

static bool shown(const struct hot *h, int source, int line) {
  for (int near = line - AROUND; near <= line + AROUND; near++)
    if (line_of(h, source, near))
      return true;
  return false;
}

static void add_line(struct table *t, const struct hot *h, int source, int line, const char *text, size_t n) {
  const struct hot_line *l = line_of(h, source, line);
  double share = l ? (double)l->samples / (double)h->samples : 0;
  char style = share >= hot_share ? 'b' : l ? 0 : 'd';
  table_row(t);
  if (l)
    table_cellf(t, "%.1f", 100 * share);
  else
    table_cell(t, " ", NULL);
  if (style)
    table_style(t, style);
  if (l && l->top.reason)
    table_cellf(t, "%s %.0f %%", l->top.reason, 100 * (double)l->top.samples / (double)l->samples);
  else
    table_cell(t, " ", NULL);
  table_cellf(t, "%d", line);
  table_cellf(t, "%.*s", n ? (int)n : 1, n ? text : " ");
  if (style)
    table_style(t, style);
}

static void add_gap(struct table *t) {
  table_row(t);
  for (int i = 0; i < 3; i++)
    table_cell(t, " ", NULL);
  table_cell(t, "...", NULL);
}

static void add_heading(const struct hot *h, const char *name, uint64_t samples, struct text *out) {
  text_printf(out, "\n%s: %.0f %% of %llu samples\n", name, 100 * (double)samples / (double)h->samples,
              (unsigned long long)h->samples);
}

/* The lines alone, the hottest first: of a file without text, and of files that have no name
 * (source -1). */
static void add_numbers(const struct hot *h, int source, const struct report_annotate_options *o, struct text *out) {
  struct table *t = table_new();
  table_head(t, ">samples [%] = | most wait for = | >line = | source = …");
  for (size_t i = 0; i < h->n_lines; i++)
    if (h->lines[i].source == source)
      add_line(t, h, source, h->lines[i].line, source < 0 ? " " : "(text not found)", source < 0 ? 1 : 16);
  table_print(t, out, o->width, o->colour);
}

static void add_source(const struct hot *h, int source, uint64_t samples, const struct report_annotate_options *o,
                       struct text *out) {
  const struct run_source *s = &h->run->sources[source];
  bool gap = false, any = false;
  add_heading(h, s->name, samples, out);
  if (!s->text[0]) {
    add_numbers(h, source, o, out);
    return;
  }
  struct table *t = table_new();
  table_head(t, ">samples [%] = | most wait for = | >line = | source = …");
  int line = 1;
  for (const char *at = s->text; *at; line++) {
    size_t n = strcspn(at, "\n");
    bool show = o->whole || shown(h, source, line);
    if (show && gap && any)
      add_gap(t);
    if (show)
      add_line(t, h, source, line, at, n);
    gap = !show;
    any |= show;
    at += n + (at[n] == '\n');
  }
  table_print(t, out, o->width, o->colour);
}

void report_annotate(const struct hot *h, const struct report_annotate_options *o, struct text *out) {
  uint64_t *samples = calloc(h->run->n_sources + 1, sizeof *samples), unnamed = 0;
  for (size_t i = 0; i < h->n_lines; i++)
    *(h->lines[i].source < 0 ? &unnamed : &samples[h->lines[i].source]) += h->lines[i].samples;
  /* The hottest first, each once. */
  for (size_t most = 0;; most = 0) {
    for (size_t i = 1; i < h->run->n_sources; i++)
      most = samples[i] > samples[most] ? i : most;
    if (samples[most] == 0)
      break;
    add_source(h, (int)most, samples[most], o, out);
    samples[most] = 0;
  }
  if (unnamed) {
    add_heading(h, "files that the run does not name", unnamed, out);
    add_numbers(h, -1, o, out);
  }
  free(samples);
}
