#include "analysis/compare/history.h"
#include "kernels/problem.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/present.h"
#include "profiler/cli/runs.h"
#include "reports/compare/history_text.h"
#include "run/run_files.h"
#include "run/run_filter.h"

#include <stdlib.h>

static const struct option_row option_rows[] = {
    {"metric", "NAME", "time (default), a counter, or a derived metric"},
    {"variant", "LIST", "these variants only: comma-separated ids, globs, ladders or all"},
    {"shape", "LIST", "these shapes only: comma-separated bench, tests or MxKxL"},
    {"chart", "DIR", "draw history.svg and history.png there"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

struct asked {
  const char *metric, *variants, *chart; /* NULL: all variants; no chart */
  struct shape *shapes;                  /* NULL: every shape */
  size_t n_shapes;
  bool json;
};

/* --- the history --- */

static bool selects(const void *context, const struct run_variant *v, struct shape s) {
  const struct asked *q = context;
  return (!q->shapes || shape_in(q->shapes, q->n_shapes, s)) && (!q->variants || run_filter_names(q->variants, v));
}

/* What cannot be read is named and left out; none at all is an error. */
static int load_all(struct run_set *s, const struct run_files *p, size_t *unread, struct err *e) {
  struct err last = {0};
  run_set_init(s, p->n);
  for (size_t i = 0; i < p->n; i++) {
    if (!run_set_add(s, p->items[i], &last))
      continue;
    ++*unread;
    if (*unread < p->n)
      cli_tell("nvfp4-prof: left out: %s\n", last.text);
  }
  return s->n ? 0 : err_set(e, last.code, "%s", last.text);
}

static int show(const struct asked *q, const struct history *h, struct err *e) {
  struct text out = {0};
  if (q->json)
    report_history_json(h, &out);
  else
    report_history_term(h, &out, cli_width(), cli_colour());
  int rc = cli_print_or_words(&out, q->json, e);
  if (!rc && q->chart)
    rc = out_folder_make(q->chart, e);
  if (!rc && q->chart)
    rc = chart_present(&(struct lone_chart){.history = h}, q->chart, e);
  return rc;
}

static int check_names(const struct run_set *s, const char *list, struct err *e) {
  const struct run **runs = calloc(s->n + 1, sizeof *runs);
  for (size_t i = 0; i < s->n; i++)
    runs[i] = &s->runs[i];
  int rc = run_names_verify(runs, s->n, list, e) ? err_context(e, "--variant") : 0;
  free(runs);
  return rc;
}

static int history(const struct asked *q, const struct run_files *p, struct err *e) {
  struct run_set set = {0};
  struct history h = {0};
  size_t unread = 0;
  int rc = load_all(&set, p, &unread, e);
  if (!rc)
    rc = history_make(&h, set.findings, set.n, &(struct history_options){q->metric, selects, q}, e);
  if (!rc && q->variants)
    rc = check_names(&set, q->variants, e);
  bool any = false;
  for (size_t i = 0; i < set.n && !rc; i++)
    any |= set.runs[i].n_results > 0;
  if (!rc && !any)
    rc = err_set(e, ERR_MACHINE, "the runs hold no results");
  if (!rc && !h.n_columns)
    rc = err_set(e, ERR_USAGE, "no run holds %s for this selection: check --variant and --shape", q->metric);
  if (!rc)
    rc = show(q, &h, e);
  history_release(&h);
  run_set_release(&set);
  return rc ? rc : unread ? EXIT_VARIANTS : EXIT_DONE;
}

static int history_command(const struct args *a, struct err *e) {
  struct asked q = {0};
  struct run_files p = {0};
  int rc = 0;
  const char *metric = args_get(a, "metric"), *shapes = args_get(a, "shape");
  q = (struct asked){.metric = metric ? metric : "time",
                     .variants = args_get(a, "variant"),
                     .chart = args_get(a, "chart"),
                     .json = args_has(a, "json")};
  if (a->n_rest == 0)
    rc = err_set(e, ERR_USAGE, "history takes run files or a folder of them: nvfp4-prof history runs/");
  if (!rc && shapes)
    rc = shapes_parse(shapes, &q.shapes, &q.n_shapes, e);
  if (!rc)
    rc = run_files_find(&p, a->rest, (size_t)a->n_rest, e);
  if (!rc)
    rc = history(&q, &p, e);
  run_files_release(&p);
  free(q.shapes);
  return rc;
}

COMMAND_ROW(120, history) = {
    .name = "history",
    .arguments = "DIR|FILES...",
    .summary = "show a metric over many runs, and where it stepped",
    .needs = "run files",
    .examples = "history runs --metric dram_read_bytes --chart charts\n",
    .options = option_rows,
    .run = history_command,
};
