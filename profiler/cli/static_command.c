#include "profiler/cli/static_command.h"
#include "run/device.h"
#include "run/run.h"

#include "analysis/ladder/predict.h"
#include "analysis/rules/static_codes.h"
#include "base/file.h"
#include "kernels/frontmatter.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/measure_options.h"
#include "profiler/cuda/library.h"
#include "profiler/measure/profile.h"
#include "reports/text/static_text.h"

#include <stdlib.h>

static const char TARGET[] = "sm_100a";

/* The shipped description of a chip of this compute capability; else nothing else is known. */
static int device_of(struct device *d, const char *asked, int sm, struct err *e) {
  char id[DEVICE_ID_MAX];
  if (asked || sm == 90) /* of the two that are described the one that the recorded run is of */
    return device_load(d, asked ? asked : "h200", e);
  for (size_t i = 0; device_id(i, id); i++) {
    int rc = device_load(d, id, e);
    if (rc || d->sm == sm)
      return rc;
    device_release(d);
  }
  *d = (struct device){.sm = sm};
  occupancy_chip(d, sm);
  return 0;
}

/* Says which cannot be launched as they are; returns how many. */
static size_t report_unlaunchable(const struct static_codes *codes) {
  size_t n = 0;
  for (size_t i = 0; i < codes->n; i++) {
    const struct static_code *c = &codes->items[i];
    if (!c->occupied.present || c->occupancy.blocks_per_sm > 0)
      continue;
    cli_tell("nvfp4-prof: %s: the block cannot be launched on this chip: %s\n", c->kernel->name,
             occupancy_limit_name(c->occupancy.limit));
    n++;
  }
  return n;
}

int static_add(const struct run *r, const struct static_show *show, struct text *out, struct err *e) {
  struct static_codes codes = {0};
  struct device d = {0};
  int sm = r->n_modules ? target_sm(r->modules[0].arch) : 0;
  int rc = device_of(&d, show->device, sm, e);
  if (!rc)
    rc = static_codes_make(&codes, r, show->source, show->first, &d, e);
  if (!rc && show->json)
    report_code_json(codes.items, codes.n, out);
  else if (!rc && show->table && codes.n > 1)
    report_codes_table(codes.items, codes.n, show->table, out, cli_width(), cli_colour());
  else
    for (size_t i = 0; i < codes.n && !rc; i++) {
      text_add(out, i ? "\n\n" : "");
      report_code_term(&codes.items[i], out, cli_width(), cli_colour());
    }
  if (!rc && (report_unlaunchable(&codes) > 0 || codes.n == 0))
    rc = EXIT_VARIANTS;
  static_codes_release(&codes);
  device_release(&d);
  return rc;
}

/* --- rungs, compiled here --- */

static int predicted_one(const struct rung *r, const struct metric_table *table, struct err *e) {
  struct predictions p = {0};
  int rc = predictions_parse(&p, r->id, r->predicts, e);
  if (!rc && predictions_verify(&p, table, e))
    rc = err_context(e, "%s: predicts", r->id);
  predictions_release(&p);
  return rc ? err_context(e, "%s:%d", r->file, fm_line(r, "predicts", 0)) : 0;
}

int predicted_verify(const struct selection *s, struct err *e) {
  struct metric_table table = {0};
  int rc = metric_table_load(&table, e);
  for (size_t i = 0; i < s->set.n && !rc; i++)
    if (s->chosen[i] && s->set.rungs[i].predicts)
      rc = predicted_one(&s->set.rungs[i], &table, e);
  metric_table_release(&table);
  return rc;
}

size_t static_missing(const struct run *r) {
  size_t failed = 0;
  for (size_t i = 0; i < r->n_results; i++) {
    const struct run_result *x = &r->results[i];
    if (x->module >= 0 || (i && r->results[i - 1].variant == x->variant))
      continue;
    failed += x->check.verdict == VERDICT_FAILED;
    cli_tell("nvfp4-prof: %s: %s\n", r->variants[x->variant].id,
             x->check.reason ? x->check.reason : "nothing was compiled");
  }
  return failed;
}

static bool has_code(const struct run *r) {
  for (size_t i = 0; i < r->n_modules; i++)
    for (size_t k = 0; k < r->modules[i].n_kernels; k++)
      if (!r->modules[i].kernels[k].n_sass)
        return false;
  return true;
}

/* EXIT_MACHINE, and said before all else, where what was asked for takes a disassembler and there is none. */
static int disassembler_verify(const struct run *r) {
  char path[LIBRARY_PATH_MAX];
  struct err missing = {0};
  if (has_code(r) || program_find(path, "nvdisasm", &missing) == 0)
    return EXIT_DONE;
  cli_tell("nvfp4-prof: %s; without it only registers and occupancy are known\n", missing.text);
  return EXIT_MACHINE;
}

static int diagnose_rungs(const struct static_asked *q, struct text *out, struct err *e) {
  struct selection_asked asked = {q->kernels, q->kernel, q->variants, q->shapes};
  struct static_show show = {
      .source = q->variants ? NULL : q->kernel, .device = q->device, .first = !q->shapes, .json = q->json};
  struct profile_options options;
  struct selection s = {0};
  struct run run = {0};
  size_t failed = 0;
  int lacking = EXIT_DONE;
  profile_options_default(&options);
  options.progress = cli_progress;
  int rc = selection_load(&s, &asked, e);
  if (!rc)
    rc = predicted_verify(&s, e);
  if (!rc)
    rc = compile_selected(&options, &s, q->code.target ? q->code.target : TARGET, &run, e);
  cli_progress_end();
  if (!rc) {
    failed = static_missing(&run);
    lacking = disassembler_verify(&run);
    rc = static_add(&run, &show, out, e);
  }
  run_release(&run);
  selection_release(&s);
  return rc ? rc : failed ? EXIT_VARIANTS : lacking;
}

static int diagnose_file(const struct static_asked *q, struct text *out, struct err *e) {
  struct run run = {0};
  struct static_show show = {.device = q->device, .json = q->json, .table = q->code.path};
  int lacking = EXIT_DONE, rc = code_file_read(&run, &q->code, e);
  if (!rc) {
    lacking = disassembler_verify(&run);
    rc = static_add(&run, &show, out, e);
  }
  run_release(&run);
  return rc ? rc : lacking;
}

/* Whether --kernel's file says what to launch; else only its code can be diagnosed. */
static int has_launch(bool *out, const char *path, struct err *e) {
  enum { SOURCE_MAX = 4 << 20 };
  char *text = NULL;
  size_t n = 0;
  int rc = file_read(path, SOURCE_MAX, &text, &n, e);
  *out = rc || rung_described(text);
  free(text);
  return rc;
}

int static_command(const struct static_asked *asked, struct err *e) {
  struct static_asked own = *asked;
  const struct static_asked *q = &own;
  struct text out = {0};
  bool launch = true;
  if (q->kernel && !q->code.path && has_launch(&launch, q->kernel, e))
    return e->code;
  if (!launch) {
    own.code.path = q->kernel;
    own.code.target = q->code.target ? q->code.target : TARGET;
    own.kernel = NULL;
  }
  if (q->code.path && (q->variants || q->kernel || q->shapes))
    return err_set(e, ERR_USAGE, "--static takes a file, or --variant and --shape, not both");
  if (!q->code.path && (q->code.entry || q->code.block || q->code.grid || q->code.smem))
    return err_set(
        e, ERR_USAGE,
        "--entry, --block, --grid and --smem are for code that does not say how it is launched: FILE.cubin, FILE.ptx or a "
        "FILE.cu without front matter");
  if (!q->code.path && !q->variants && !q->kernel)
    return err_set(e, ERR_USAGE, "--static needs code: --variant ID, --kernel FILE.cu, FILE.cubin or FILE.ptx");
  if (!q->code.block && (q->code.grid || q->code.smem))
    return err_set(e, ERR_USAGE, "--grid and --smem need the threads per block: --block N");
  int rc = q->code.path ? diagnose_file(q, &out, e) : diagnose_rungs(q, &out, e);
  int printed = rc < 0 ? 0 : cli_print_or_words(&out, q->json, e);
  text_release(&out);
  return printed ? printed : rc;
}
