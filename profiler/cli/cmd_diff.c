#include "analysis/compare/diff.h"
#include "analysis/compare/diff_static.h"
#include "base/file.h"
#include "kernels/problem.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/runs.h"
#include "reports/compare/diff_text.h"
#include "run/run.h"
#include "run/run_filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"fail-over", "P%", "exit 1 only where a variant is slower by more than this (default: any SLOWER)"},
    {"metric", "LIST", "compare these metrics too: NAME, or NAME:P% to fail where it rises by more than P%"},
    {"select", "LIST", "report these variants only: comma-separated ids, globs, ladders or all"},
    {"shape", "LIST", "report these shapes only: comma-separated bench, tests or MxKxL"},
    {"raw", NULL,
     "keep the common shift in the ratios, judge identical machine code like any other, and compare two chips"},
    {"static", NULL, "compare what needs no GPU: registers, spills, memory, SASS instructions"},
    {"all", NULL, "list the pairs that are the same, too"},
    {"markdown", NULL, "print Markdown for a comment on a pull request"},
    {"junit", "FILE", "write JUnit XML, one test case per variant and shape"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

static const struct clash_row clash_rows[] = {
    {"markdown", "json", "--markdown and --json both print the comparison: leave one out"},
    {"static", "metric raw", "--static measures nothing: leave out --", ""},
    {NULL},
};

struct asked {
  const char *files_a, *files_b; /* as given: one file, or several with a comma between */
  const char *select;            /* NULL: every variant */
  struct shape *shapes;          /* NULL: every shape */
  size_t n_shapes;
  double fail_over; /* a ratio */
  struct diff_metric_asked metrics[DIFF_METRICS_MAX];
  size_t n_metrics;
  const char *junit; /* NULL: none */
  bool raw, all, markdown, json;
};

/* --- what was asked --- */

/* "3%" or "3": 0.03. */
static int parse_percent(const char *option, const char *text, double *out, struct err *e) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || (*end && strcmp(end, "%") != 0) || !isfinite(value) || value < 0 || value > 1000)
    return err_set(e, ERR_USAGE, "--%s %s: must be a percentage from 0%% to 1000%%, such as 3%%", option, text);
  *out = value / 100;
  return 0;
}

static int parse_metrics(struct asked *q, const char *list, struct err *e) {
  char *copy = str_copy(list), *rest = copy;
  int rc = 0;
  for (char *item; !rc && (item = strsep(&rest, ","));) {
    if (q->n_metrics == DIFF_METRICS_MAX) {
      rc = err_set(e, ERR_USAGE, "--metric takes at most %d metrics", DIFF_METRICS_MAX);
      break;
    }
    struct diff_metric_asked *m = &q->metrics[q->n_metrics];
    item = str_trim(item);
    char *colon = strchr(item, ':');
    if (colon) {
      *colon = 0;
      m->gated = true;
      rc = parse_percent("metric", colon + 1, &m->tolerance, e);
    }
    if (!rc && strcmp(item, "time") == 0)
      continue; /* it is compared anyway */
    m->name = rc ? NULL : str_copy(item);
    q->n_metrics += m->name != NULL;
  }
  free(copy);
  return rc;
}

static int asked_parse(struct asked *q, const struct args *a, struct err *e) {
  const char *shapes = args_get(a, "shape"), *metrics = args_get(a, "metric"), *over = args_get(a, "fail-over");
  if (a->n_rest != 2)
    return err_set(
        e, ERR_USAGE,
        "diff takes two runs, the old and the new: nvfp4-prof diff A.json B.json; separate several runs of one side by commas: A1.json,A2.json,A3.json");
  *q = (struct asked){.files_a = a->rest[0],
                      .files_b = a->rest[1],
                      .select = args_get(a, "select"),
                      .junit = args_get(a, "junit"),
                      .raw = args_has(a, "raw"),
                      .all = args_has(a, "all"),
                      .markdown = args_has(a, "markdown"),
                      .json = args_has(a, "json")};
  int rc = over ? parse_percent("fail-over", over, &q->fail_over, e) : 0;
  if (!rc && metrics)
    rc = parse_metrics(q, metrics, e);
  return !rc && shapes ? shapes_parse(shapes, &q->shapes, &q->n_shapes, e) : rc;
}

static bool selects(const void *context, const struct run_variant *v, struct shape s) {
  const struct asked *q = context;
  return (!q->shapes || shape_in(q->shapes, q->n_shapes, s)) && (!q->select || run_filter_names(q->select, v));
}

/* A selection of nothing would pass every comparison. */
static int check_selected(const struct asked *q, const struct run *const *runs, size_t n_runs, size_t n,
                          struct err *e) {
  int rc = q->select ? run_names_verify(runs, n_runs, q->select, e) : 0;
  if (rc)
    return err_context(e, "--select");
  return n           ? 0
         : q->shapes ? err_set(e, ERR_USAGE, "--shape: neither run has this shape")
                     : err_set(e, ERR_MACHINE, "the runs hold no results");
}

/* --- times --- */

/* A name that is a file is one file, whatever commas are in it. */
static int load_side(struct run_set *s, const char *files, struct err *e) {
  char *copy = str_copy(files), *rest = copy;
  int rc = 0;
  run_set_init(s, DIFF_RUNS_MAX);
  if (file_exists(files)) {
    rc = run_set_add(s, files, e);
    rest = NULL;
  }
  for (char *item; !rc && (item = strsep(&rest, ","));)
    rc = s->n == DIFF_RUNS_MAX ? err_set(e, ERR_USAGE, "diff takes at most %d runs per side", DIFF_RUNS_MAX)
                               : run_set_add(s, str_trim(item), e);
  free(copy);
  return rc;
}

/* That JUnit's file cannot be written keeps nothing from being printed. */
static int put(const struct asked *q, struct text *out, struct text *junit, struct err *e) {
  int rc = 0;
  if (q->junit)
    rc = file_write(q->junit, text_str(junit), junit->n, e);
  text_release(junit);
  int printed = cli_print_or_words(out, q->json || q->markdown, rc ? NULL : e);
  return rc ? rc : printed;
}

static int diff_show(const struct asked *q, const struct diff_report *r, struct err *e) {
  struct text out = {0}, junit = {0};
  if (q->json)
    report_diff_json(r, &out);
  else if (q->markdown)
    report_diff_markdown(r, &out);
  else
    report_diff_term(r, &out, cli_width(), cli_colour(), q->all);
  if (q->junit)
    report_diff_junit(r, &junit);
  return put(q, &out, &junit, e);
}

static size_t selected(const struct diff *d) {
  size_t n = 0;
  for (int v = 0; v < DIFF_VERDICTS; v++)
    n += d->counts[v];
  return n;
}

/* A comparison of nothing is no comparison: names that stand for nothing, runs that hold no times. */
static int times_verify(const struct asked *q, const struct run_set *a, const struct run_set *b, const struct diff *d,
                        struct err *e) {
  const struct run *runs[2 * DIFF_RUNS_MAX];
  size_t n = 0, all = selected(d), timed = 0;
  for (size_t i = 0; i < a->n; i++)
    runs[n++] = &a->runs[i];
  for (size_t i = 0; i < b->n; i++)
    runs[n++] = &b->runs[i];
  int rc = check_selected(q, runs, n, all, e);
  for (size_t i = 0; i < n && !rc; i++)
    for (size_t k = 0; k < runs[i]->n_results; k++)
      timed += runs[i]->results[k].timing.n > 0;
  if (!rc && !timed)
    rc = err_set(
        e, ERR_MACHINE,
        "no run has times, so nothing can be compared; diff --static compares registers, spills and instructions of compiled code");
  return rc;
}

/* Of the runs the first that names another device than the first run. */
static const char *other_device(const struct run_set *a, const struct run_set *b) {
  const char *first = a->runs[0].device.name;
  for (size_t i = 0; i < a->n + b->n; i++) {
    const char *name = i < a->n ? a->runs[i].device.name : b->runs[i - a->n].device.name;
    if (name && strcmp(name, first) != 0)
      return name;
  }
  return first;
}

/* What differs between two chips is no build's doing. */
static int chips_verify(const struct asked *q, const struct diff *d, const struct run_set *a, const struct run_set *b,
                        struct err *e) {
  if (d->one_chip || q->raw)
    return 0;
  return err_set(e, ERR_USAGE,
                 "the runs are of %s and %s, and diff compares builds on one chip: nvfp4-prof report A B shows two "
                 "chips side by side; --raw compares them all the same",
                 a->runs[0].device.name, other_device(a, b));
}

static int diff_times(const struct asked *q, struct err *e) {
  struct run_set a = {0}, b = {0};
  struct diff d = {0};
  int rc = load_side(&a, q->files_a, e);
  if (!rc)
    rc = load_side(&b, q->files_b, e);
  if (!rc) {
    struct diff_report r = {&d, {a.findings, a.n}, {b.findings, b.n}, q->files_a, q->files_b};
    struct diff_options o = {q->fail_over, q->raw, q->metrics, q->n_metrics, selects, q};
    rc = diff_make(&d, r.a, r.b, &o, e);
    if (!rc)
      rc = times_verify(q, &a, &b, &d, e);
    if (!rc)
      rc = chips_verify(q, &d, &a, &b, e);
    if (!rc)
      rc = diff_show(q, &r, e);
  }
  if (!rc)
    rc = d.regressions + d.metric_regressions || !diff_compared(&d) ? EXIT_COMPARISON : EXIT_DONE;
  diff_release(&d);
  run_set_release(&a);
  run_set_release(&b);
  return rc;
}

/* --- what needs no GPU --- */

static int static_show(const struct asked *q, const struct static_report *r, struct err *e) {
  struct text out = {0}, junit = {0};
  if (q->json)
    report_static_json(r, &out);
  else if (q->markdown)
    report_static_markdown(r, &out);
  else
    report_static_term(r, &out, cli_width(), cli_colour(), q->all);
  if (q->junit)
    report_static_junit(r, &junit);
  return put(q, &out, &junit, e);
}

static void tell_sizes_stand_in(const struct static_diff *d) {
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++)
    n += d->pairs[i].size_stands_in;
  if (n)
    cli_tell(
        "nvfp4-prof: %zu of %zu pairs lack SASS, so their cubin sizes are compared; with nvdisasm, their instructions would be\n",
        n, d->n);
}

static int diff_static(const struct asked *q, struct err *e) {
  struct run a = {0}, b = {0};
  struct static_diff d = {0};
  int rc = run_read(&a, q->files_a, e);
  if (!rc)
    rc = run_read(&b, q->files_b, e);
  if (!rc)
    rc = static_diff_make(&d, &a, &b, &(struct static_options){q->fail_over, selects, q}, e);
  if (!rc)
    rc = check_selected(q, (const struct run *const[]){&a, &b}, 2, d.n, e);
  if (!rc)
    tell_sizes_stand_in(&d);
  if (!rc)
    rc = static_show(q, &(struct static_report){&d, q->files_a, q->files_b}, e);
  if (!rc)
    rc = d.regressions || !static_diff_compared(&d) ? EXIT_COMPARISON : EXIT_DONE;
  static_diff_release(&d);
  run_release(&a);
  run_release(&b);
  return rc;
}

static int diff_command(const struct args *a, struct err *e) {
  struct asked q = {0};
  int rc = asked_parse(&q, a, e);
  if (!rc)
    rc = args_has(a, "static") ? diff_static(&q, e) : diff_times(&q, e);
  for (size_t i = 0; i < q.n_metrics; i++)
    free(q.metrics[i].name);
  free(q.shapes);
  return rc;
}

COMMAND_ROW(100, diff) = {
    .name = "diff",
    .arguments = "A.json B.json",
    .summary = "compare two runs: what became slower, faster or wrong",
    .needs = "two run files",
    .examples = "diff before.json after.json --fail-over 3%\n"
                "diff a.json b.json --static --markdown\n",
    .options = option_rows,
    .clashes = clash_rows,
    .run = diff_command,
};
