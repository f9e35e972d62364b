#include "analysis/ladder/cured.h"
#include "analysis/ladder/score.h"
#include "base/file.h"
#include "kernels/problem.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/diagnosed.h"
#include "profiler/cli/runs.h"
#include "profiler/cli/static_command.h"
#include "reports/text/diagnose.h"
#include "reports/text/score_text.h"
#include "run/run.h"
#include "run/run_filter.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"variant", "LIST", "the kernels: comma-separated ids, globs or ladders"},
    {"shape", "LIST",
     "comma-separated shapes: bench, tests, MxKxL; each is shown whole (default: of each kernel the one with the most to gain, and two lines for each other)"},
    {"score", NULL,
     "print how often advice names the known cause, and what it promised and the cure gained, instead of diagnoses"},
    {"labels", "FILE|cures",
     "with --score: a file of known causes, by the id of the step's child, or the rungs' own `cures:` (default: the cause that the counters show)"},
    {"half", "train|test|fresh", "with --labels: these rows only"},
    {"all", NULL, "show every shape, bound, source line and instruction, and all advice in full"},
    {"static", NULL,
     "diagnose code without a run or a GPU: --variant or FILE.cu, compiled here, FILE.cubin or FILE.ptx (a FILE implies it)"},
    {"target", "ARCH", "with --static: the chip to compile for (default: sm_100a)"},
    {"kernel", "FILE.cu",
     "the same as --static FILE.cu: the variants of this file, or all kernels of one without front matter"},
    {"kernels", "DIR", "with --static: rungs of this folder instead of the built-in ones"},
    {"entry", "NAME",
     "with --static FILE: one of its kernels, by demangled or mangled name or a glob (default: a table of all)"},
    {"block", "N", "with --static FILE: threads per block, for the occupancy"},
    {"grid", "N", "with --static FILE: blocks (default: as many as fill the chip)"},
    {"smem", "BYTES", "with --static FILE: dynamic shared memory per block"},
    {"device", "ID|FILE", "set the numbers against this device's ceilings instead of the run's own card"},
    {"brief", NULL,
     "of a run, print at most 4 KB for a script: bound, evidence, source line, remedy; with --json as JSON"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

struct asked {
  const char *run, *variants, *labels, *half; /* run NULL: the recorded one */
  struct shape *shapes;                       /* NULL: all */
  size_t n_shapes;
  bool json, score;
  struct report_diagnose_options options;
};

struct picking {
  const struct asked *asked;
  const bool *keep;
};

static bool picked(const void *context, const struct findings *f, size_t i) {
  const struct picking *p = context;
  const struct run_result *x = f->items[i].result;
  const struct asked *q = p->asked;
  return (!q->shapes || shape_in(q->shapes, q->n_shapes, x->shape)) && p->keep[x->variant];
}

static int diagnose_each(const struct asked *q, const struct findings *f, struct text *out, struct err *e) {
  bool *keep = calloc(f->run->n_variants + 1, sizeof *keep);
  struct picking p = {q, keep};
  size_t n = 0;
  int rc = run_select(f->run, q->variants, keep, e);
  if (!rc)
    diagnoses_show(f, picked, &p, &q->options, q->json, &n, out);
  if (!rc && n == 0)
    rc = err_set(e, ERR_USAGE, "--variant %s was not measured at this --shape", q->variants);
  free(keep);
  return rc;
}

/* Leaves only labels whose child was asked for. */
static int labels_select(struct label *labels, size_t *n, const char *variants, const struct run *run, struct err *e) {
  bool *keep = calloc(run->n_variants + 1, sizeof *keep);
  int rc = run_select(run, variants, keep, e);
  size_t kept = 0;
  for (size_t i = 0; i < *n && !rc; i++)
    if (keep[run_variant_find(run, labels[i].child) - run->variants])
      labels[kept++] = labels[i];
  *n = kept;
  free(keep);
  return rc;
}

/* Of a file, whose text they borrow, of the rungs' `cures:`, or of what the counters show. */
static int labels_make(struct label **labels, size_t *n, char **text, const struct asked *q, const struct findings *f,
                       struct err *e) {
  enum { LABELS_BYTES_MAX = 1 << 20 };
  size_t bytes;
  if (!q->labels) {
    labels_of_steps(labels, n, f);
    return 0;
  }
  if (strcmp(q->labels, "cures") == 0) {
    labels_of_cures(labels, n, f->run, NULL);
    return 0;
  }
  int rc = file_read(q->labels, LABELS_BYTES_MAX, text, &bytes, e);
  return rc ? rc : labels_parse(labels, n, *text, q->half, f->run, e);
}

static int score_print(const struct asked *q, const struct findings *f, struct text *out, struct err *e) {
  struct label *labels = NULL;
  struct score s = {0};
  char *text = NULL;
  size_t n = 0;
  int rc = labels_make(&labels, &n, &text, q, f, e);
  if (!rc && q->variants)
    rc = labels_select(labels, &n, q->variants, f->run, e);
  if (!rc)
    score_make(&s, f, labels, n);
  if (!rc && q->json)
    report_score_json(&s, out);
  else if (!rc)
    report_score_term(&s, q->labels, out, q->options.width, q->options.colour);
  score_release(&s);
  free(labels);
  free(text);
  return rc;
}

static int diagnose(const struct asked *q, const struct run *r, const char *device_asked, struct err *e) {
  struct analysed here;
  struct text out = {0};
  int rc = analysed_make(&here, r, device_asked, e);
  if (!rc)
    rc = q->score ? score_print(q, &here.findings, &out, e) : diagnose_each(q, &here.findings, &out, e);
  if (!rc)
    rc = cli_print_or_words(&out, q->json, e);
  text_release(&out);
  analysed_release(&here);
  return rc;
}

static bool is_source(const char *word) {
  return str_ends(word, ".cu") || str_ends(word, ".cuh");
}

/* Code that is diagnosed without a run, --static or not. */
static bool is_code(const char *word) {
  return str_ends(word, ".cubin") || str_ends(word, ".ptx") || is_source(word);
}

static int asked_parse(struct asked *q, const struct args *a, struct err *e) {
  const char *shapes = args_get(a, "shape");
  enum { LINES_MOST = 8 };
  q->variants = args_get(a, "variant");
  q->json = args_has(a, "json");
  q->score = args_has(a, "score");
  q->labels = args_get(a, "labels");
  q->half = args_get(a, "half");
  int rc = words_parse(&q->run, &q->variants, a, e);
  if (!rc && !q->variants && !q->score && !q->run)
    rc = err_set(
        e, ERR_USAGE,
        "what is to be diagnosed? a run or code: nvfp4-prof diagnose run.json, or my.cu; of the recorded run a variant: --variant ID (nvfp4-prof list variants names them)");
  q->options = (struct report_diagnose_options){.width = cli_width(),
                                                .colour = cli_colour(),
                                                .lines = LINES_MOST,
                                                .shapes_whole = shapes != NULL,
                                                .all = args_has(a, "all"),
                                                .brief = args_has(a, "brief")};
  return !rc && shapes ? shapes_parse(shapes, &q->shapes, &q->n_shapes, e) : rc;
}

static int diagnose_static(const struct args *a, struct err *e) {
  struct static_asked q = {
      .variants = args_get(a, "variant"),
      .shapes = args_get(a, "shape"),
      .kernels = args_get(a, "kernels"),
      .kernel = args_get(a, "kernel"),
      .code = {.path = a->n_rest ? a->rest[0] : NULL, .entry = args_get(a, "entry"), .target = args_get(a, "target")},
      .device = args_get(a, "device"),
      .json = args_has(a, "json")};
  if (q.code.path && !word_is_file(q.code.path) && !is_code(q.code.path) && !q.variants) {
    q.variants = q.code.path;
    q.code.path = NULL;
  }
  if (q.code.path && is_source(q.code.path) && !q.kernel) {
    q.kernel = q.code.path;
    q.code.path = NULL;
  }
  const char *name = args_any(a, "brief score labels half all");
  if (name)
    return err_set(e, ERR_USAGE, "--%s applies to a run, and this is code that was not run: leave it out", name);
  if (a->n_rest > 1)
    return err_set(e, ERR_USAGE, "diagnose --static takes one file: nvfp4-prof diagnose --static FILE.cubin");
  int rc = args_long(a, "block", 1, 1024, &q.code.block, e);
  if (!rc)
    rc = args_long(a, "grid", 1, 1L << 30, &q.code.grid, e);
  if (!rc)
    rc = args_long(a, "smem", 0, 1L << 20, &q.code.smem, e);
  return rc ? rc : static_command(&q, e);
}

/* Options that mean nothing for a run. */
static int refuse_static_options(const struct args *a, struct err *e) {
  const char *name = args_any(a, "target kernels entry block grid smem");
  return name ? err_set(e, ERR_USAGE, "--%s needs --static", name) : 0;
}

static int diagnose_command(const struct args *a, struct err *e) {
  struct asked q = {0};
  struct run run = {0};
  int rc = 0;
  if (args_has(a, "static") || args_has(a, "kernel") || (a->n_rest == 1 && is_code(a->rest[0])))
    return diagnose_static(a, e);
  rc = refuse_static_options(a, e);
  if (!rc)
    rc = asked_parse(&q, a, e);
  if (!rc)
    rc = q.run ? run_read(&run, q.run, e) : recorded_load(&run, e);
  if (!rc && !q.variants && !q.score)
    rc = only_variant(&q.variants, q.run, &run, e);
  if (!rc)
    rc = diagnose(&q, &run, args_get(a, "device"), e);
  free(q.shapes);
  run_release(&run);
  return rc;
}

COMMAND_ROW(60, diagnose) = {
    .name = "diagnose",
    .arguments = "[RUN] VARIANT | FILE",
    .summary = "explain what binds a kernel, and which load each stall waits for",
    .needs = "a run file or the recorded run; --static: NVRTC or a compiled file",
    .examples = "diagnose cuda-4-tuned\n"
                "diagnose run.json ours --json\n"
                "diagnose my.cu --target sm_90a --block 256\n"
                "diagnose kernel.cubin --block 256\n",
    .options = option_rows,
    .run = diagnose_command,
};
