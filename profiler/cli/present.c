#include "profiler/cli/present.h"

#include "analysis/ladder/climb.h"
#include "analysis/story/answer.h"
#include "analysis/story/program.h"
#include "analysis/story/story.h"
#include "base/file.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/recorded.h"
#include "profiler/cli/runs.h"
#include "profiler/machine/machine.h"
#include "reports/text/answer_text.h"
#include "reports/text/diagnose.h"
#include "reports/text/report.h"
#include "run/device.h"
#include "run/run.h"
#include "run/run_filter.h"
#include "run/run_part.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int report_folder_save_run(const struct run *r, const char *folder, struct err *e) {
  int rc = out_folder_make(folder, e);
  char *path = rc ? NULL : str_printf("%s/run.json.gz", folder);
  char *plain = rc ? NULL : str_printf("%s/run.json", folder);
  if (!rc)
    rc = run_save(r, path, e);
  if (!rc)
    unlink(plain); /* of an earlier version: two runs in one folder would contradict each other */
  free(path);
  free(plain);
  return rc;
}

static char *run_in(const char *folder) {
  static const char *const names[] = {"run.json.gz", "run.json"};
  for (size_t i = 0; folder && i < sizeof names / sizeof *names; i++) {
    char *path = str_printf("%s/%s", folder, names[i]);
    if (file_exists(path))
      return path;
    free(path);
  }
  return NULL;
}

bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return a && stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A report beside the run of another report would contradict it, and what was measured is not overwritten by what was not. */
static int refuse_folder(const struct run *r, const struct present_options *o, struct err *e) {
  char *path = run_in(o->folder);
  char *asked = o->run_file ? run_file_beside(o->run_file) : NULL;
  struct run there = {0};
  int rc = 0;
  if (path && !o->save_run && !same_file(asked ? asked : o->run_file, path))
    rc = err_set(e, ERR_USAGE, "%s holds another run (%s): name another folder with --out, or remove that file",
                 o->folder, path);
  else if (path && o->save_run && r->origin == ORIGIN_RECORDED && run_load(&there, path, NULL) == 0 &&
           there.origin == ORIGIN_MEASURED)
    rc = err_set(e, ERR_USAGE,
                 "%s holds a run that was measured (%s), and this one is recorded: name another folder "
                 "with --out",
                 o->folder, path);
  run_release(&there);
  free(asked);
  free(path);
  return rc;
}

const struct option_row present_option_rows[] = {
    {"table", NULL, "print a table of every variant at the first shape, instead of the answer"},
    {"all-shapes", NULL, "print such a table for every shape"},
    {"full-names", NULL, "print kernels' whole names, whatever the width (attached programs)"},
    {"quiet", NULL, "print the answer only, without rows and notes; also -q"},
    {"brief", NULL, "print at most 4 KB for a script: bound, evidence, source line, remedy; with --json as JSON"},
    {"csv", NULL, "print every number as CSV, one row per variant and shape"},
    {"charts", "page|all",
     "page (default): those of the page, as SVG; all: those of every ladder, as SVG and PNG, with the .gp and .dat that draw them"},
    {"no-plots", NULL, "draw no charts"},
    {NULL, NULL, NULL},
};

#define TWO_FORMS " are two forms of the output: leave one out"

const struct clash_row present_clashes[] = {
    {"csv", "json brief table all-shapes quiet", "--csv prints everything: leave out the other output options"},
    {"table", "quiet brief", "--table prints every row and --", " only a few: leave one out"},
    {"all-shapes", "quiet brief", "--table prints every row and --", " only a few: leave one out"},
    {"json", "quiet", "--json and --quiet" TWO_FORMS},
    {"json", "table all-shapes", "--json and --table" TWO_FORMS},
    {"brief", "quiet", "--brief and --quiet" TWO_FORMS},
    {NULL},
};

const char *present_folder(const struct args *a) {
  const char *out = args_get(a, "out");
  return !out ? "report" : strcmp(out, "-") == 0 ? NULL : out;
}

static int charts_read(struct present_options *out, const struct args *a, struct err *e) {
  const char *charts = args_get(a, "charts");
  out->all_charts = charts && strcmp(charts, "all") == 0;
  if (charts && !out->all_charts && strcmp(charts, "page") != 0)
    return err_set(e, ERR_USAGE, "--charts %s: must be page or all", charts);
  if (charts && args_has(a, "no-plots"))
    return err_set(e, ERR_USAGE, "--charts %s draws charts and --no-plots draws none: leave one out", charts);
  return 0;
}

int present_options_read(struct present_options *out, const struct args *a, struct err *e) {
  out->json = args_has(a, "json");
  out->all_shapes = args_has(a, "all-shapes");
  out->table = args_has(a, "table") || out->all_shapes;
  out->full_names = args_has(a, "full-names");
  out->quiet = args_has(a, "quiet");
  out->brief = args_has(a, "brief");
  out->csv = args_has(a, "csv");
  if (!out->formats)
    out->formats = REPORT_ALL;
  if (args_has(a, "no-plots"))
    out->formats &= ~(unsigned)REPORT_PLOTS;
  int rc = charts_read(out, a, e);
  return !rc && out->folder ? report_folder_verify(out->folder, out->formats, e) : rc;
}

/* --- printing --- */

/* Where the numbers come from, before they are worked out. */
static int print_origin(const struct run *r, const struct present_options *o, struct err *e) {
  struct text out = {0};
  if (o->json || o->brief || o->csv)
    return 0;
  report_answer_origin(r, &out, cli_width());
  if (o->first_line)
    text_printf(&out, "%s\n", o->first_line);
  return cli_print_words(&out, e);
}

static void add_answer(const struct findings *f, const struct present_options *o, const bool *keep, struct text *out) {
  struct answer answer = {0};
  char name[RECORDED_NAME_MAX];
  char *saved =
      o->folder && o->save_run && f->run->origin == ORIGIN_MEASURED ? str_printf("%s/run.json.gz", o->folder) : NULL;
  answer_make(&answer, f, keep);
  report_answer_term(
      &answer,
      &(struct report_answer_options){.width = cli_width(),
                                      .colour = cli_colour(),
                                      .quiet = o->quiet,
                                      .full_names = o->full_names,
                                      .run_file = o->run_file ? recorded_word(o->run_file, name) : saved},
      out);
  answer_release(&answer);
  free(saved);
}

/* The answer's rows, the best first: at their shape, and where they are means at the first one. */
static void brief_add(const struct findings *f, const bool *keep, bool json, struct text *out) {
  struct diagnosis items[ANSWER_ROWS] = {0};
  struct report_diagnosis shown[ANSWER_ROWS];
  struct answer answer = {0};
  size_t n = 0;
  answer_make(&answer, f, keep);
  for (size_t i = 0; i < answer.n_rows; i++) {
    const struct answer_row *r = &answer.rows[i];
    const struct finding *at = r->at ? r->at : findings_at(f, r->variant->id, f->shapes[0]);
    diagnosis_make(&items[n], f, at);
    shown[n] = (struct report_diagnosis){f, at, &items[n]};
    n++;
  }
  (json ? report_brief_json : report_brief_term)(shown, n, out);
  for (size_t i = 0; i < n; i++)
    diagnosis_release(&items[i]);
  answer_release(&answer);
}

static void csv_add(const struct findings *f, struct text *out) {
  struct diagnoses diagnoses;
  diagnoses_make(&diagnoses, f);
  report_csv(f, &diagnoses, out);
  diagnoses_release(&diagnoses);
}

static int print_findings(const struct findings *f, const struct present_options *o, struct err *e) {
  bool *keep = calloc(f->run->n_variants + 1, sizeof *keep);
  struct text out = {0};
  int rc = o->variants ? run_select(f->run, o->variants, keep, e) : 0;
  if (rc == 0 && o->brief)
    brief_add(f, o->variants ? keep : NULL, o->json, &out);
  else if (rc == 0 && o->json)
    report_json(f, &out);
  else if (rc == 0 && o->csv)
    csv_add(f, &out);
  else if (rc == 0 && o->table)
    report_tables_term(f, &(struct report_term_options){cli_width(), cli_colour(), o->all_shapes, o->full_names}, &out);
  else if (rc == 0)
    add_answer(f, o, o->variants ? keep : NULL, &out);
  cli_progress_end();
  if (rc == 0)
    rc = cli_print_or_words(&out, o->json || o->csv, e);
  text_release(&out);
  free(keep);
  return rc;
}

/* A name alone makes no chip. */
static void tell_difference(const struct run_device *card) {
  struct text how = {0};
  if (device_differs(card, &how))
    cli_tell("nvfp4-prof: this %s has %s: its ceilings may be those of another chip\n", card->name, text_str(&how));
  text_release(&how);
}

int present_print(struct analysed *p, const struct run *r, const struct present_options *o, struct err *e) {
  bool measured = r->origin == ORIGIN_MEASURED, save = o->folder && o->save_run;
  /* Saved first: what was measured must outlive any trouble with its report. */
  int rc = save && measured ? report_folder_save_run(r, o->folder, e) : 0;

  *p = (struct analysed){0};
  if (rc == 0 && !save)
    rc = refuse_folder(r, o, e);
  if (rc == 0)
    rc = print_origin(r, o, e);
  if (rc == 0 && save && !measured) /* this reads the run that is there, and the first line need not wait for it */
    rc = refuse_folder(r, o, e);
  if (rc == 0 && save && !measured)
    rc = report_folder_save_run(r, o->folder, e);
  cli_progress("analyse", 0, 1, "");
  if (rc == 0 && !o->device && r->origin == ORIGIN_MEASURED && !o->json && !o->brief && !o->csv)
    tell_difference(&r->device);
  if (rc == 0)
    rc = analysed_make(p, r, o->device, e);
  return rc ? rc : print_findings(&p->findings, o, e);
}

/* --- the report --- */

/* variants: the list that was asked for; NULL: all. */
static int write_story(const struct findings *f, const char *variants, const struct report_options *options,
                       struct text *warning, struct err *e) {
  struct story story = {0};
  bool *keep = calloc(f->run->n_variants + 1, sizeof *keep);
  int rc = variants ? run_select(f->run, variants, keep, e) : 0;
  if (rc == 0) {
    story_make(&story, f, variants ? keep : NULL);
    rc = report_write(&story, options, warning, e);
  }
  story_release(&story);
  free(keep);
  return rc;
}

/* Kernels that stand side by side, more than pages and charts are read with. */
enum { PAGE_KERNELS = 100 };

static bool too_many(const struct findings *f) {
  return f->run->n_variants > PAGE_KERNELS && !climb_has_steps(f, NULL);
}

/* Every number of every kernel as CSV; the rest of the longest. */
static int write_longest(const struct analysed *p, struct report_options options, struct text *warning, struct err *e) {
  const struct run *r = p->findings.run;
  bool *keep = calloc(r->n_variants + 1, sizeof *keep);
  char *note = NULL;
  struct run part = {0};
  struct findings findings = {0};
  struct story all = {0};
  double share = 0;
  int rc;
  longest_keep(keep, &share, &p->findings, PAGE_KERNELS);
  note = str_printf(
      "the page, the charts and findings.json show the %d longest of %zu kernels (%.0f %% of %s); results.csv has all, and report --select NAME shows others",
      PAGE_KERNELS, r->n_variants, 100 * share,
      program_is(r) ? "their GPU time" : "the sum of all kernels' times per launch");
  run_part_make(&part, r, keep, note);
  rc = findings_make(&findings, &part, &p->device, e);
  if (rc == 0 && options.formats & REPORT_CSV)
    story_make(&all, &p->findings, NULL);
  options.all = options.formats & REPORT_CSV ? &all : NULL;
  if (rc == 0)
    rc = write_story(&findings, NULL, &options, warning, e);
  if (rc == 0)
    cli_tell("nvfp4-prof: %s\n", note);
  story_release(&all);
  findings_release(&findings);
  run_part_release(&part);
  free(note);
  free(keep);
  return rc;
}

/* The run's file by its name alone, as it lies beside the page or where the reader put it; of the recorded run the word that stands for it. */
static const char *name_on_page(const struct present_options *o, const struct run *r, char name[RECORDED_NAME_MAX]) {
  const char *path = o->run_file ? recorded_word(o->run_file, name) : NULL, *slash = path ? strrchr(path, '/') : NULL;
  if (path)
    return slash ? slash + 1 : path;
  return o->save_run && r->origin == ORIGIN_MEASURED ? "run.json.gz" : NULL;
}

int present_report(const struct analysed *p, const struct present_options *o, struct err *e) {
  char name[RECORDED_NAME_MAX];
  struct report_options options = {.folder = o->folder,
                                   .gnuplot = gnuplot_program(),
                                   .formats = o->formats,
                                   .notes = o->notes,
                                   .run_file = name_on_page(o, p->findings.run, name),
                                   .progress = cli_progress,
                                   .all_charts = o->all_charts};
  struct text warning = {0};
  int rc;
  if (!o->folder)
    return 0;
  cli_progress("report", 0, 1, o->folder);
  rc = too_many(&p->findings) ? write_longest(p, options, &warning, e)
                              : write_story(&p->findings, o->variants, &options, &warning, e);
  cli_progress_end();
  cli_warn(&warning);
  if (rc == 0)
    cli_tell("nvfp4-prof: report written to %s\n", o->folder);
  return rc;
}

int present_run(const struct run *r, const struct present_options *o, struct err *e) {
  struct analysed p = {0};
  int rc = present_print(&p, r, o, e);
  if (rc == 0)
    rc = present_report(&p, o, e);
  analysed_release(&p);
  return rc;
}

int present_file(const struct run *r, struct present_options o, struct err *e) {
  char *notes = NULL;
  int rc = notes_beside(&notes, o.notes, o.run_file, e);
  o.notes = notes;
  if (!rc)
    rc = out_folder_make(o.folder, e);
  if (!rc)
    rc = present_run(r, &o, e);
  free(notes);
  return rc ? rc : outcome_of(r);
}

int chart_present(const struct lone_chart *x, const char *folder, struct err *e) {
  struct text warning = {0};
  int rc = report_lone_chart(x, folder, gnuplot_program(), &warning, e);
  cli_warn(&warning);
  return rc;
}

int outcome_of(const struct run *r) {
  for (size_t i = 0; i < r->n_results; i++) {
    enum run_verdict v = r->results[i].check.verdict;
    bool must_fail = r->variants[r->results[i].variant].wrong;
    if (v == VERDICT_FAILED || (v == VERDICT_WRONG && !must_fail) || (v == VERDICT_PASS && must_fail))
      return EXIT_VARIANTS;
  }
  return EXIT_DONE;
}
