#include "analysis/model/findings.h"
#include "kernels/problem.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/present.h"
#include "profiler/cli/recorded.h"
#include "profiler/cli/runs.h"
#include "reports/text/report.h"
#include "run/run.h"
#include "run/run_filter.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"out", "DIR", "folder of the report (default: report; -o); - writes none"},
    {"format", "LIST", "comma-separated md, html, csv, json, plots (default: all)"},
    {"select", "LIST",
     "comma-separated variants, globs, ladders and shapes MxKxL (default: all); controls always stay"},
    {"notes", "DIR",
     "folder of your notes on kernels, ID.md, shown in their sections (default: notes beside the run file)"},
    {"device", "ID|FILE", "set the numbers against this device's ceilings instead of the run's own card"},
    {.shared = present_option_rows},
    {"json", NULL, "print the findings as JSON"},
    {NULL, NULL, NULL},
};

/* What --select names: shapes, and the rest, which is a list of variants as --variant's. */
struct picked {
  char *variants;
  struct shape *shapes;
  size_t n_shapes;
};

static int picked_parse(struct picked *out, const char *list, struct err *e) {
  char *copy = str_copy(list), *rest = copy;
  struct text variants = {0}, shapes = {0};
  int rc = 0;
  for (char *item; !rc && (item = strsep(&rest, ","));) {
    struct shape s;
    char *bare = str_copy(item);
    struct text *part = shape_parse(&s, str_trim(bare), NULL) ? &variants : &shapes; /* a name keeps its blanks */
    free(bare);
    text_printf(part, "%s%s", part->n ? "," : "", item);
  }
  if (!rc && shapes.n)
    rc = shapes_parse(text_str(&shapes), &out->shapes, &out->n_shapes, e);
  if (!rc)
    out->variants = variants.n ? text_take(&variants) : str_copy("all");
  text_release(&variants);
  text_release(&shapes);
  free(copy);
  return rc;
}

static int select_part(struct run *r, const char *list, struct err *e) {
  struct picked s = {0};
  int rc = list ? picked_parse(&s, list, e) : 0;
  if (!rc && list)
    rc = run_filter(r, s.variants, s.shapes, s.n_shapes, e) ? err_context(e, "--select") : 0;
  free(s.variants);
  free(s.shapes);
  return rc;
}

static int report_one(const struct args *a, unsigned formats, const char *folder, struct err *e) {
  struct run run = {0};
  struct present_options show = {
      .folder = folder, .device = args_get(a, "device"), .notes = args_get(a, "notes"), .formats = formats};
  char *path = recorded_or_file(a->rest[0]);
  int rc = present_options_read(&show, a, e);
  show.run_file = path;
  if (!rc)
    rc = run_read(&run, path, e);
  if (!rc)
    rc = select_part(&run, args_get(a, "select"), e);
  if (!rc)
    rc = present_file(&run, show, e);
  free(path);
  run_release(&run);
  return rc;
}

/* One side of two. */
struct side {
  struct run run;
  struct analysed analysed;
};

static int side_load(struct side *s, const char *path, const char *select, struct err *e) {
  int rc = run_read(&s->run, path, e);
  if (!rc && select_part(&s->run, select, e))
    rc = err_context(e, "%s", path);
  return rc ? rc : analysed_make(&s->analysed, &s->run, NULL, e);
}

static void side_release(struct side *s) {
  analysed_release(&s->analysed);
  run_release(&s->run);
}

static int report_two(const struct args *a, unsigned formats, const char *folder, struct err *e) {
  struct side sides[2] = {0};
  struct pair pair = {0};
  struct text out = {0};
  int rc = 0;
  if (args_has(a, "device") || args_has(a, "notes"))
    return err_set(e, ERR_USAGE, "--device and --notes are for the report of one run, and two are given");
  rc = report_folder_verify(folder, formats & REPORT_OF_PAIRS, e);
  for (int i = 0; i < 2 && !rc; i++)
    rc = side_load(&sides[i], a->rest[i], args_get(a, "select"), e);
  if (!rc)
    rc = out_folder_make(folder, e);
  if (!rc)
    pair_make(&pair, &sides[0].analysed.findings, &sides[1].analysed.findings);
  if (!rc)
    rc = report_write_pair(&pair, folder, formats, e);
  if (!rc && args_has(a, "json"))
    report_pair_json(&pair, &out);
  else if (!rc)
    report_pair_term(&pair, &out, cli_width(), cli_colour());
  if (!rc)
    rc = cli_print_or_words(&out, args_has(a, "json"), e);
  if (!rc)
    cli_tell("nvfp4-prof: report written to %s\n", folder);
  text_release(&out);
  pair_release(&pair);
  for (int i = 0; i < 2; i++)
    side_release(&sides[i]);
  return rc;
}

static int report_command(const struct args *a, struct err *e) {
  unsigned formats = REPORT_ALL;
  int rc = 0;
  if (a->n_rest != 1 && a->n_rest != 2)
    return err_set(e, ERR_USAGE,
                   "report takes one run file, or two to lay side by side: nvfp4-prof report run.json --out report");
  const char *folder = present_folder(a);
  if (!folder && a->n_rest == 2)
    return err_set(e, ERR_USAGE, "--out -: two runs side by side are a folder; diff prints them");
  if (!folder && args_get(a, "format"))
    return err_set(e, ERR_USAGE,
                   "--out - writes no files, and --format says which: leave one out (--csv and --json print)");
  if (args_get(a, "format"))
    rc = report_formats_parse(args_get(a, "format"), &formats, e);
  if (rc)
    return rc;
  return a->n_rest == 1 ? report_one(a, formats, folder, e) : report_two(a, formats, folder, e);
}

COMMAND_ROW(40, report) = {
    .name = "report",
    .arguments = "RUN.json [B.json] [OPTIONS]",
    .summary = "report a run file; two run files: side by side",
    .needs = "a run file",
    .examples = "report run.json --out report\n"
                "report before.json after.json --out report\n",
    .options = option_rows,
    .clashes = present_clashes,
    .run = report_command,
};
