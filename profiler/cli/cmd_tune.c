/* tune: which of a rung's parameters are best, at each shape, on this GPU. */
#include "profiler/cli/cli.h"
#include "profiler/cli/measure_options.h"
#include "profiler/cli/present.h"
#include "profiler/cli/runs.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/machine/machine.h"
#include "profiler/measure/tune_file.h"
#include "profiler/measure/tune_search.h"
#include "run/device.h"
#include "run/run.h"

#include "base/clock.h"
#include "base/file.h"
#include "reports/text/tune_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"variant", "ID", "the variant to search"},
    {"kernel", "FILE.cu", "a file of your own: its variant, or the one that --variant names"},
    {.shared = measure_options},
    {"params", "TEXT", "search these values instead of the front matter's sets: \"A in {1, 2}; B = 3\""},
    {"budget", "SECONDS", "start no new measurement after this time (default: 600)"},
    {"out", "DIR", "folder of run.json, the heat map and the state of a search (default: tune)"},
    {"write", NULL, "write a copy of the kernel's file, with the best parameters in it, to the folder"},
    {"in-place", NULL, "with --kernel: write them into the file itself"},
    {"no-plots", NULL, "do not draw the heat map"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

struct tuning {
  const struct args *args;
  struct profile_options options;
  struct selection selection;
  const struct rung *rung;
  struct tune_space space;
  struct gpu_probe gpu;
  const char *folder;
  double budget_s, took_s;
  struct tune_result found;
  struct text lines; /* of front matter */
  size_t n_lines;
};

static int read_options(struct tuning *t, struct err *e) {
  const struct args *a = t->args;
  t->folder = args_get(a, "out") ? args_get(a, "out") : "tune";
  t->budget_s = 600;
  int rc = measure_options_read(&t->options, a, e);
  if (!rc)
    rc = args_double(a, "budget", 0, 1e6, &t->budget_s, e);
  if (!rc && args_has(a, "in-place") && !args_has(a, "kernel"))
    rc = err_set(e, ERR_USAGE, "--in-place writes into the file of --kernel, which is missing; use --write");
  return rc;
}

/* The one rung that was chosen; a control that stands beside a user's file is not meant. */
static int read_rung(struct tuning *t, struct err *e) {
  const struct args *a = t->args;
  struct selection_asked asked = selection_asked_of(a);
  if (!asked.variants && !asked.kernel)
    return err_set(e, ERR_USAGE, "tune needs the variant to search: --variant ID, or --kernel FILE.cu");
  int rc = selection_load(&t->selection, &asked, e);
  struct text names = {0};
  for (size_t i = 0; i < t->selection.set.n && !rc; i++) {
    const struct rung *r = &t->selection.set.rungs[i];
    if (!t->selection.chosen[i] || (!asked.variants && strcmp(r->ladder, "control") == 0))
      continue;
    t->rung = names.n ? t->rung : r;
    text_printf(&names, "%s%s", names.n ? ", " : "", r->id);
  }
  if (!rc && !t->rung)
    rc = err_set(e, ERR_USAGE, "%s holds controls only: name the one to search with --variant", asked.kernel);
  else if (!rc && strcmp(text_str(&names), t->rung->id) != 0)
    rc = err_set(e, ERR_USAGE,
                 "tune searches one variant, but the selection holds several: %.300s; name one with --variant",
                 text_str(&names));
  text_release(&names);
  return rc ? rc : tune_space_make(&t->space, t->rung, args_get(a, "params"), e);
}

/* --- what was found --- */

struct judged {
  struct analysed here;
  struct tune_rank *ranks;
  struct tune_map *maps;
  size_t n;
};

static void judged_release(struct judged *j) {
  for (size_t i = 0; i < j->n; i++)
    tune_rank_release(&j->ranks[i]);
  free(j->ranks);
  free(j->maps);
  analysed_release(&j->here);
}

static int judge(struct judged *j, const struct tuning *t, struct err *e) {
  *j = (struct judged){0};
  size_t n = t->selection.n_shapes;
  j->ranks = calloc(n + 1, sizeof *j->ranks);
  j->maps = calloc(n + 1, sizeof *j->maps);
  int rc = analysed_make(&j->here, &t->found.run, NULL, e);
  for (; !rc && j->n < n; j->n++) {
    tune_rank_make(&j->ranks[j->n], &j->here.findings, t->selection.shapes[j->n], t->rung->id);
    if (!tune_map_make(&j->maps[j->n], &j->ranks[j->n]))
      j->maps[j->n] = (struct tune_map){0};
  }
  return rc;
}

/* How many configurations have no time, and why the first of each kind has none. */
static void untimed(const struct tuning *t, struct text *out) {
  static const enum run_verdict kinds[] = {VERDICT_SKIPPED, VERDICT_WRONG, VERDICT_FAILED};
  const struct run *r = &t->found.run;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const struct run_result *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < r->n_results; i++) {
      if (r->results[i].check.verdict != kinds[k])
        continue;
      first = first ? first : &r->results[i];
      n++;
    }
    if (!first)
      continue;
    const char *why = first->check.reason ? first->check.reason : "";
    text_printf(out, "%zu result%s %s, such as %s: %.*s\n", n, n == 1 ? "" : "s", run_verdict_name(kinds[k]),
                r->variants[first->variant].id, (int)strcspn(why, "\n"), why);
  }
}

static void summary(const struct tuning *t, struct text *out) {
  const struct tune_result *f = &t->found;
  text_printf(out, "\n%zu of %zu configurations at %zu %s in %.1f s", f->n_measured, t->space.n, t->selection.n_shapes,
              t->selection.n_shapes == 1 ? "shape" : "shapes", t->took_s);
  if (f->n_resumed)
    text_printf(out, ", %zu of them measured before", f->n_resumed);
  if (f->stages > 1)
    text_printf(out, "; by successive halving in %zu stages", f->stages);
  if (f->run.partial)
    text_add(out, profile_interrupted ? "; interrupted: repeat the command to continue"
                                      : "; the budget is spent: repeat the command to continue");
  text_add(out, "\n");
  untimed(t, out);
  if (t->n_lines)
    text_printf(out, "\nFront matter for this chip, below the line `//! id: %s`:\n%s", t->rung->id,
                text_str(&t->lines));
}

static void as_json(const struct tuning *t, const struct tune_report *report, struct text *out) {
  const struct tune_result *f = &t->found;
  json_t *lines = json_array();
  for (const char *at = text_str(&t->lines); *at;) {
    size_t n = strcspn(at, "\n");
    json_array_append_new(lines, json_stringn(at, n));
    at += n + (at[n] == '\n');
  }
  char *dump = json_dumps(lines, JSON_COMPACT);
  text_add(out, "{");
  report_tune_json(report, out);
  text_printf(out, ", \"configurations\": %zu, \"measured\": %zu, \"resumed\": %zu, \"left\": %zu, \"stages\": %zu, ",
              t->space.n, f->n_measured, f->n_resumed, f->n_left, f->stages);
  text_printf(out, "\"seconds\": %.3f, \"partial\": %s, \"front_matter\": %s}\n", t->took_s,
              f->run.partial ? "true" : "false", dump ? dump : "[]");
  free(dump);
  json_decref(lines);
}

/* --- files --- */

static int save_run(struct tuning *t, struct err *e) {
  struct run *r = &t->found.run;
  char *path = str_printf("%s/run.json", t->folder);
  free(r->partial_reason);
  r->partial_reason = r->partial ? str_printf("%zu configurations are left", t->found.n_left) : NULL;
  run_sign(r, t->args->typed);
  measured_slim(r);
  int rc = run_save(r, path, e);
  free(path);
  return rc;
}

static int write_tuned(const struct tuning *t, struct err *e) {
  bool in_place = args_has(t->args, "in-place");
  struct text file = {0};
  const char *slash = strrchr(t->rung->file, '/');
  if ((!in_place && !args_has(t->args, "write")) || !t->n_lines)
    return 0;
  char *path = in_place ? str_copy(t->rung->file) : str_printf("%s/%s", t->folder, slash ? slash + 1 : t->rung->file);
  int rc = tune_file(&file, t->rung, text_str(&t->lines), e);
  if (!rc)
    rc = file_write(path, text_str(&file), file.n, e);
  if (!rc)
    cli_tell("nvfp4-prof: %s written\n", path);
  free(path);
  text_release(&file);
  return rc;
}

static int present(struct tuning *t, struct err *e) {
  struct judged j;
  struct text out = {0};
  bool json = args_has(t->args, "json");
  int rc = save_run(t, e);
  int judging = rc ? rc : judge(&j, t, e);
  if (rc)
    return rc;
  rc = judging;
  struct tune_report report = {&j.here.findings, t->rung->id, j.ranks, j.maps, j.n};
  if (!rc)
    tune_lines(&t->lines, &t->n_lines, j.ranks, j.n, t->gpu.sm, t->gpu.sms);
  if (!rc && !args_has(t->args, "no-plots"))
    rc = chart_present(&(struct lone_chart){.tune = &report}, t->folder, e);
  if (!rc && json) {
    as_json(t, &report, &out);
  } else if (!rc) {
    report_tune_term(&report, &out, cli_width(), cli_colour());
    summary(t, &out);
  }
  if (!rc)
    rc = cli_print_or_words(&out, json, e);
  if (!rc)
    rc = write_tuned(t, e);
  text_release(&out);
  judged_release(&j);
  return rc;
}

/* --- the command --- */

static int any_timed(const struct run *r) {
  for (size_t i = 0; i < r->n_results; i++)
    if (r->results[i].timing.n)
      return EXIT_DONE;
  return EXIT_VARIANTS;
}

static int tune(struct tuning *t, struct err *e) {
  struct err why = {0};
  int rc = read_options(t, e);
  if (!rc)
    rc = read_rung(t, e);
  if (!rc && gpu_probe(&t->gpu, t->options.gpu, false, &why))
    rc = err_set(e, why.code, "tune measures, so it needs a GPU: %s", why.text);
  if (!rc)
    rc = out_folder_make(t->folder, e);
  if (rc)
    return rc;
  cli_catch_signals();
  struct tune_request q = {&t->options,           &t->gpu,   &t->selection.set, &t->space, t->selection.shapes,
                           t->selection.n_shapes, t->folder, t->budget_s};
  double began_s = clock_now_s();
  rc = tune_search(&t->found, &q, e);
  cli_progress_end();
  t->took_s = clock_now_s() - began_s;
  if (!rc && t->found.run.n_results)
    rc = present(t, e);
  if (rc)
    return rc;
  return profile_interrupted ? 128 + profile_interrupted : any_timed(&t->found.run);
}

static int tune_command(const struct args *a, struct err *e) {
  struct tuning t = {.args = a};
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "tune takes no argument '%s'; did you mean --variant %s?", a->rest[0], a->rest[0]);
  int rc = tune(&t, e);
  text_release(&t.lines);
  tune_result_release(&t.found);
  tune_space_release(&t.space);
  selection_release(&t.selection);
  return rc;
}

COMMAND_ROW(130, tune) = {
    .name = "tune",
    .arguments = "--variant X",
    .summary = "search a kernel's parameters",
    .needs = "a GPU",
    .examples = "tune --variant cuda-4-tuned --budget 300\n"
                "tune --kernel my.cu --params \"BLOCK in {128, 256}\" --in-place\n",
    .options = option_rows,
    .run = tune_command,
};
