#include "analysis/story/ranks.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/present.h"
#include "profiler/cli/runs.h"
#include "reports/text/ranks_text.h"
#include "run/run.h"
#include "run/run_files.h"
#include "run/run_merge.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"out", "FILE", "the merged run file to write (default: merged.json; -o)"},
    {"force", NULL, "overwrite a file that no merge wrote"},
    {"partial", NULL, "also merge files of processes that did not finish"},
    {"csv", NULL, "print CSV, one row per kernel and NVTX range"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

static const struct clash_row clash_rows[] = {
    {"csv", "json", "--csv and --json both print the merged run: leave one out"}, {NULL}};

struct asked {
  const char *out, *typed;
  bool partial, csv, json;
  struct text left_out; /* a line a file */
};

/* --- which files --- */

/* The file of an earlier merge, which is written anew, is none of a rank's. */
static void file_drop(struct run_files *files, const char *path) {
  size_t n = 0;
  for (size_t i = 0; i < files->n; i++)
    if (same_file(files->items[i], path))
      free(files->items[i]);
    else
      files->items[n++] = files->items[i];
  files->n = n;
}

/* A word that names nothing is a pattern that no shell has expanded; what it does not match either is named when it is read. */
static int files_find(struct run_files *out, const struct args *a, struct err *e) {
  struct run_files words = {0};
  for (int i = 0; i < a->n_rest; i++) {
    glob_t found = {0};
    bool matches = access(a->rest[i], F_OK) != 0 && glob(a->rest[i], 0, NULL, &found) == 0;
    for (size_t k = 0; matches && k < found.gl_pathc; k++)
      array_copy(&words.items, &words.n, found.gl_pathv[k]);
    if (!matches)
      array_copy(&words.items, &words.n, a->rest[i]);
    globfree(&found);
  }
  int rc = run_files_find(out, words.items, words.n, e);
  run_files_release(&words);
  return rc;
}

/* --- the merge --- */

typedef int load_run(struct run *out, const char *path, struct err *e);

/* What cannot be merged is named and left out. */
static int file_add(struct run_merging *m, struct asked *q, load_run *load, const char *path) {
  struct run run = {0};
  struct err why = {0};
  int rc = load(&run, path, &why);
  if (!rc && run.partial && !q->partial)
    rc = err_set(&why, ERR_DATA, "%s: is partial (%s): --partial merges it anyway", path,
                 run.partial_reason ? run.partial_reason : "the process did not finish");
  else if (!rc && (rc = run_merging_add(m, &run, path, &why)))
    err_context(&why, "%s", path);
  run_release(&run);
  if (!rc)
    return rc;
  text_printf(&q->left_out, "nvfp4-prof: left out: %s\n", why.text);
  size_t n = strlen(path); /* the reason begins with it */
  run_merging_leave_out(
      m, path,
      strncmp(why.text, path, n) == 0 && why.text[n] == ':' ? why.text + n + 1 + (why.text[n + 1] == ' ') : why.text);
  return rc;
}

static int files_add(struct run_merging *m, struct asked *q, load_run *load, const struct run_files *files,
                     struct err *e) {
  size_t unread = 0;
  for (size_t i = 0; i < files->n; i++) {
    cli_progress("read", i, files->n, files->items[i]);
    unread += file_add(m, q, load, files->items[i]) == ERR_IO;
  }
  int rc = run_merging_match(m, e);
  return rc && unread == files->n ? err_set(e, ERR_IO, "no file could be read, so none is merged") : rc;
}

static int files_take(struct run_merging *m, struct err *e) {
  size_t n = run_merging_wanted(m), i = 0;
  int rc = 0;
  for (const char *path; !rc && (path = run_merging_next(m));) {
    struct run run = {0};
    cli_progress("take", i++, n, path);
    rc = run_load(&run, path, e);
    if (!rc)
      rc = run_merging_take(m, &run, e);
    run_release(&run);
  }
  return rc;
}

/* What an outline does not tell of a file shows when the whole is loaded: then every file is. */
static int files_merge(struct run_merging **m, struct asked *q, const struct run_files *files, struct err *e) {
  static load_run *const loads[] = {run_load_outline, run_load};
  int rc = ERR_DATA, added = 0;
  for (size_t i = 0; i < 2 && rc == ERR_DATA && !added; i++) {
    run_merging_free(*m);
    text_release(&q->left_out);
    *m = run_merging_new();
    rc = added = files_add(*m, q, loads[i], files, e);
    if (!rc)
      rc = files_take(*m, e);
  }
  cli_progress_end();
  return rc;
}

static void stamp(struct run *run, const struct asked *q) {
  char created[CLOCK_UTC_MAX];
  clock_utc(created);
  run->created = str_copy(created);
  run_sign(run, q->typed);
}

/* *incomplete: a rank is missing, or a file was left out. */
static int show(const struct run *run, const struct asked *q, bool *incomplete, struct err *e) {
  struct ranks ranks;
  struct text out = {0};
  ranks_make(&ranks, run);
  *incomplete = ranks.n_missing || ranks.merge->n_left_out;
  if (q->json)
    report_ranks_json(&ranks, &out);
  else if (q->csv)
    report_ranks_csv(&ranks, &out);
  else
    report_ranks_term(&ranks, &out, cli_width(), cli_colour());
  ranks_release(&ranks);
  return cli_print_or_words(&out, q->json || q->csv, e);
}

/* What may be of another job, or of another program. */
static void tell_doubtful(const struct run *run) {
  for (size_t i = 0; i < run->n_notes; i++)
    if (strstr(run->notes[i], RUN_MERGE_JOINED) || strstr(run->notes[i], RUN_MERGE_OTHER))
      cli_tell("nvfp4-prof: %s\n", run->notes[i]);
}

static int merge(struct asked *q, const struct run_files *files, struct err *e) {
  struct run_merging *m = NULL;
  struct run run = {0};
  bool incomplete = false;
  int rc = files_merge(&m, q, files, e);
  if (!rc) {
    run_merging_end(m, &run);
    stamp(&run, q);
    rc = run_save(&run, q->out, e);
  }
  if (!rc)
    rc = show(&run, q, &incomplete, e);
  if (!rc)
    tell_doubtful(&run);
  if (!rc)
    cli_tell("nvfp4-prof: merged into %s; next: nvfp4-prof report %s\n", q->out, q->out);
  if (q->left_out.n && (rc || q->csv)) /* the others print them */
    cli_tell("%s", q->left_out.s);
  run_release(&run);
  run_merging_free(m);
  return rc ? rc : incomplete ? EXIT_VARIANTS : EXIT_DONE;
}

static int merge_command(const struct args *a, struct err *e) {
  struct run_files files = {0};
  const char *out = args_get(a, "out");
  struct asked q = {.out = out ? out : "merged.json",
                    .typed = a->typed,
                    .partial = args_has(a, "partial"),
                    .csv = args_has(a, "csv"),
                    .json = args_has(a, "json")};
  int rc = 0;
  if (a->n_rest == 0)
    rc = err_set(e, ERR_USAGE, "merge takes the run files of the ranks: nvfp4-prof merge 'run.*.json' --out all.json");
  if (!rc)
    rc = run_replace_verify(q.out, "merge", args_has(a, "force"), e);
  if (!rc)
    rc = files_find(&files, a, e);
  file_drop(&files, q.out);
  if (!rc)
    rc = merge(&q, &files, e);
  run_files_release(&files);
  text_release(&q.left_out);
  return rc;
}

COMMAND_ROW(170, merge) = {
    .name = "merge",
    .arguments = "FILES... [OPTIONS]",
    .summary = "merge the runs of a program's ranks, and show their imbalance",
    .needs = "run files that attach wrote",
    .examples = "merge 'run.*.json' --out all.json\n"
                "merge runs/ --out all.json --csv\n",
    .options = option_rows,
    .clashes = clash_rows,
    .run = merge_command,
};
