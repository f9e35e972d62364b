/* export-kernel: a rung to take home, one file of CUDA C++ with its launch and a test. */
#include "base/file.h"
#include "kernels/selection.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/measure_options.h"
#include "profiler/kit/standalone.h"

#include "version.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"shape", "LIST", "comma-separated shapes: bench (default), tests, llm, MxKxL; one file per shape"},
    {"target", "CHIP", "the chip to export for (default: sm_90a)"},
    {"out", "DIR", "the folder to write to (default: .), the FILE.cu, or - for stdout; -o DIR is the same"},
    {"kernels", "DIR", "rungs of this folder instead of the built-in ones"},
    {NULL, NULL, NULL},
};

struct exporting {
  struct selection selection;
  struct rung_chip chip;
  const char *arch, *out;
};

/* The rung of that id; of a ladder, its last that is no side step. */
static const struct rung *rung_of(const struct rung_set *set, const char *name) {
  const struct rung *last = rung_find(set, name);
  for (size_t i = 0; i < set->n && (!last || strcmp(last->id, name) != 0); i++)
    if (strcmp(set->rungs[i].ladder, name) == 0 && !set->rungs[i].side)
      last = &set->rungs[i];
  return last;
}

static bool is_file(const char *out) {
  return strcmp(out, "-") == 0 || str_ends(out, ".cu");
}

static int write_one(struct text *text, const char *path, const struct rung *r, struct err *e) {
  int rc = cli_save(text, path, e);
  if (!rc && strcmp(path, "-") != 0)
    cli_tell("nvfp4-prof: %s is in %s; the comment at its head says how to compile, use and test it\n", r->id, path);
  return rc;
}

static int export_shape(const struct exporting *x, const struct rung *r, struct shape shape, struct err *e) {
  char name[SHAPE_TEXT_MAX];
  struct rung_plan plan = {0};
  struct text text = {0};
  char *file = str_printf("%s-%s.cu", r->id, shape_text(shape, name));
  char *path = is_file(x->out) ? str_copy(x->out) : file ? str_printf("%s/%s", x->out, file) : NULL;
  const char *slash = path ? strrchr(path, '/') : NULL;
  int rc = rung_plan(&plan, r, shape, &x->chip, e);
  if (!rc) {
    const char *shown = strcmp(path, "-") == 0 ? file : slash ? slash + 1 : path;
    const struct standalone s = {
        &x->selection.set, &plan, x->arch, x->chip.sms, NVFP4_VERSION " (" NVFP4_GIT ")", shown};
    rc = standalone_text(&text, &s, e);
  }
  if (!rc && !is_file(x->out))
    rc = file_mkdirs(x->out, e);
  if (!rc)
    rc = write_one(&text, path, r, e);
  text_release(&text);
  rung_plan_release(&plan);
  free(file);
  free(path);
  return rc;
}

static int export_all(struct exporting *x, const char *name, struct err *e) {
  const struct rung *r = rung_of(&x->selection.set, name);
  int rc = 0;
  if (!r) /* which names what is near */
    return rung_select(&x->selection.set, name, x->selection.chosen, e);
  if (x->selection.n_shapes > 1 && is_file(x->out))
    return err_set(e, ERR_USAGE, "--out %s is one file for %zu shapes; name a folder, or one shape", x->out,
                   x->selection.n_shapes);
  for (size_t i = 0; i < x->selection.n_shapes && !rc; i++)
    rc = export_shape(x, r, x->selection.shapes[i], e);
  return rc;
}

static int export_kernel_command(const struct args *a, struct err *e) {
  struct exporting x = {.arch = args_get(a, "target"), .out = args_get(a, "out")};
  if (a->n_rest != 1)
    return err_set(e, ERR_USAGE,
                   "export-kernel takes a variant or a ladder: nvfp4-prof export-kernel ours --shape 8192x8192x1");
  if (!x.arch)
    x.arch = "sm_90a";
  if (!x.out)
    x.out = ".";
  struct selection_asked asked = {.kernels = args_get(a, "kernels"), .variants = "all", .shapes = args_get(a, "shape")};
  int rc = selection_load(&x.selection, &asked, e);
  if (!rc)
    rc = target_chip(&x.chip, x.arch, e);
  if (!rc)
    rc = export_all(&x, a->rest[0], e);
  selection_release(&x.selection);
  return rc;
}

COMMAND_ROW(200, export_kernel) = {
    .name = "export-kernel",
    .arguments = "VARIANT|LADDER [OPTIONS]",
    .summary = "export a kernel as one .cu with its launch and a test",
    .needs = "nothing",
    .examples = "export-kernel ours --shape 8192x8192x1 --target sm_90a -o mine\n"
                "export-kernel ours-18-turns --shape bench -o kernels\n",
    .options = option_rows,
    .run = export_kernel_command,
};
