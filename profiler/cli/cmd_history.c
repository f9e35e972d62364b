#include "analysis/compare/history.h"
#include "kernels/shape_list.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/run_set.h"
#include "reports/text/history_text.h"
#include "run/run_filter.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct option_row option_rows[] = {
    {"metric", "NAME", "time (default), a counter, or a derived metric"},
    {"variant", "LIST", "these variants: ids, globs, ladders or all, comma between"},
    {"shape", "LIST", "these shapes: bench, tests, or MxKxL, comma between"},
    {"chart", "DIR", "draw history.svg and history.png there"},
    {"csv", NULL, "print CSV, one row a run, variant and shape"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

struct asked {
  const char *metric, *variants, *chart; /* NULL: all variants; no chart */
  struct shape *shapes;                  /* NULL: every shape */
  size_t n_shapes;
  bool csv, json;
};

struct paths {
  char **items;
  size_t n;
};

/* --- which files --- */

static int paths_add(struct paths *p, char *path, struct err *e) {
  char **grown = path ? realloc(p->items, (p->n + 1) * sizeof *grown) : NULL;
  if (!grown) {
    free(path);
    return err_nomem(e, "the files");
  }
  p->items = grown;
  p->items[p->n++] = path;
  return 0;
}

static void paths_release(struct paths *p) {
  for (size_t i = 0; i < p->n; i++)
    free(p->items[i]);
  free(p->items);
  *p = (struct paths){0};
}

static bool ends_in(const char *name, const char *ending) {
  size_t n = strlen(name), m = strlen(ending);
  return n >= m && strcmp(name + n - m, ending) == 0;
}

/* A report's folder holds findings.json beside its run.json. */
static bool looks_like_run(const char *name) {
  return (ends_in(name, ".json") || ends_in(name, ".json.gz")) && strcmp(name, "findings.json") != 0 && name[0] != '.';
}

static bool is_folder(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folder's run files, and those one folder below it: a folder of reports. */
static int add_folder(struct paths *p, const char *folder, int depth, struct err *e) {
  DIR *d = opendir(folder);
  if (!d)
    return err_set(e, ERR_IO, "%s: %s", folder, strerror(errno));
  size_t first = p->n;
  int result = 0;
  for (struct dirent *entry; !result && (entry = readdir(d));) {
    char *path = entry->d_name[0] == '.' ? NULL : str_printf("%s/%s", folder, entry->d_name);
    if (path && is_folder(path) && depth > 0)
      result = add_folder(p, path, depth - 1, e);
    else if (path && !is_folder(path) && looks_like_run(entry->d_name)) {
      result = paths_add(p, path, e);
      path = NULL;
    }
    free(path);
  }
  closedir(d);
  if (p->n > first)
    qsort(p->items + first, p->n - first, sizeof *p->items, compare_paths);
  return result;
}

static int paths_of(struct paths *p, const struct args *a, struct err *e) {
  int result = 0;
  if (a->n_rest == 0)
    return err_set(e, ERR_USAGE, "history takes run files or a folder of them: nvfp4-prof history runs/");
  for (int i = 0; i < a->n_rest && !result; i++)
    result = is_folder(a->rest[i]) ? add_folder(p, a->rest[i], 1, e) : paths_add(p, str_copy(a->rest[i]), e);
  if (!result && !p->n)
    result = err_set(e, ERR_MACHINE, "%s holds no run file (*.json, *.json.gz)", a->rest[0]);
  return result;
}

/* --- the history --- */

static bool selects(const void *context, const struct run_variant *v, struct shape s) {
  const struct asked *q = context;
  bool wanted = !q->shapes;
  for (size_t i = 0; i < q->n_shapes && !wanted; i++)
    wanted = shape_equal(q->shapes[i], s);
  return wanted && (!q->variants || run_filter_names(q->variants, v));
}

/* What cannot be read is named and left out; none at all is an error. */
static int load_all(struct run_set *s, const struct paths *p, size_t *unread, struct err *e) {
  struct err last = {0};
  int result = run_set_init(s, p->n, e);
  for (size_t i = 0; i < p->n && !result; i++) {
    if (!run_set_add(s, p->items[i], &last))
      continue;
    ++*unread;
    if (*unread < p->n)
      fprintf(stderr, "nvfp4-prof: left out: %s\n", last.text);
  }
  if (!result && !s->n)
    result = err_set(e, last.code, "%s", last.text);
  return result;
}

static int show(const struct asked *q, const struct history *h, struct err *e) {
  struct text out = {0}, warning = {0};
  if (q->json)
    report_history_json(h, &out);
  else if (q->csv)
    report_history_csv(h, &out);
  else
    report_history_term(h, &out, cli_width(), cli_colour());
  int result = cli_print(&out, e);
  if (!result && q->chart)
    result = out_folder_make(q->chart, e);
  if (!result && q->chart)
    result = report_history_chart(h, q->chart, getenv("NVFP4_GNUPLOT"), &warning, e);
  if (warning.n)
    fprintf(stderr, "nvfp4-prof: %s", warning.s);
  text_release(&warning);
  return result;
}

static int check_names(const struct run_set *s, const char *list, struct err *e) {
  const struct run **runs = calloc(s->n + 1, sizeof *runs);
  int result = runs ? 0 : err_nomem(e, "the runs");
  for (size_t i = 0; i < s->n && !result; i++)
    runs[i] = &s->runs[i];
  if (!result && run_names_verify(runs, s->n, list, e))
    result = err_context(e, "--variant");
  free(runs);
  return result;
}

static int history(const struct asked *q, const struct paths *p, struct err *e) {
  struct run_set set = {0};
  struct history h = {0};
  size_t unread = 0;
  int result = load_all(&set, p, &unread, e);
  if (!result)
    result = history_make(&h, set.findings, set.n, &(struct history_options){q->metric, selects, q}, e);
  if (!result && q->variants)
    result = check_names(&set, q->variants, e);
  if (!result && !h.n_columns)
    result = err_set(e, ERR_MACHINE, "no run has %s of what was asked for: look at --variant and --shape", q->metric);
  if (!result)
    result = show(q, &h, e);
  history_release(&h);
  run_set_release(&set);
  return result ? result : unread ? EXIT_VARIANTS : EXIT_DONE;
}

static int history_command(const struct args *a, struct err *e) {
  struct asked q = {0};
  struct paths p = {0};
  int result = 0;
  const char *metric = args_get(a, "metric"), *shapes = args_get(a, "shape");
  q = (struct asked){.metric = metric ? metric : "time",
                     .variants = args_get(a, "variant"),
                     .chart = args_get(a, "chart"),
                     .csv = args_has(a, "csv"),
                     .json = args_has(a, "json")};
  if (q.csv && q.json)
    result = err_set(e, ERR_USAGE, "--csv and --json are two ways to print one thing: leave one out");
  if (!result && shapes)
    result = shapes_parse(shapes, &q.shapes, &q.n_shapes, e);
  if (!result)
    result = paths_of(&p, a, e);
  if (!result)
    result = history(&q, &p, e);
  paths_release(&p);
  free(q.shapes);
  return result;
}

const struct command command_history = {
    .name = "history",
    .arguments = "DIR|FILES...",
    .summary = "a metric over many runs, and where it stepped",
    .needs = "run files",
    .examples = "history runs --metric dram_bytes_read --chart charts\n",
    .options = option_rows,
    .run = history_command,
};
