#include "analysis/ladder/projected.h"
#include "analysis/model/findings.h"
#include "analysis/story/program.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/runs.h"
#include "reports/text/projected_text.h"
#include "run/device.h"
#include "run/run.h"
#include "run/run_filter.h"

static const struct option_row option_rows[] = {
    {"to", "ID|FILE", "the chip to project to: a device's id or file"},
    {"ladder", "NAME", "the rungs of this ladder (default: of every ladder)"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

static int project(const struct run *r, const struct device *to, const char *ladder, bool json, struct err *e) {
  struct analysed here = {0};
  const struct findings *f = &here.findings;
  struct projected p = {0};
  struct text out = {0};
  if (program_is(r))
    return err_set(
        e, ERR_USAGE,
        "the run is of a program, and rungs of ladders are projected: nvfp4-prof diagnose FILE.cu --target %s "
        "estimates a kernel's code for that chip",
        to->arch ? to->arch : "ARCH");
  int rc = analysed_make(&here, r, NULL, e);
  if (!rc)
    projected_make(&p, f, to, ladder);
  if (!rc && p.n == 0)
    rc = ladder ? run_unknown(&r, 1, "ladder", ladder, e)
                : err_set(e, ERR_MACHINE, "there is nothing to project: the run holds no rung of a ladder");
  if (!rc && json)
    report_projected_json(&p, f, &out);
  else if (!rc)
    report_projected_term(&p, f, &out, cli_width(), cli_colour());
  if (!rc)
    rc = cli_print_or_words(&out, json, e);
  text_release(&out);
  projected_release(&p);
  analysed_release(&here);
  return rc;
}

static int project_command(const struct args *a, struct err *e) {
  struct run run = {0};
  struct device to = {0};
  const char *chip = args_get(a, "to");
  int rc = 0;
  if (a->n_rest > 1)
    rc = err_set(e, ERR_USAGE, "project takes one run file, or none for the recorded run");
  else if (!chip)
    rc = err_set(e, ERR_USAGE, "project needs the chip: nvfp4-prof project --to b200");
  if (!rc)
    rc = device_load(&to, chip, e);
  if (!rc)
    rc = a->n_rest ? run_read(&run, a->rest[0], e) : recorded_load(&run, e);
  if (!rc)
    rc = project(&run, &to, args_get(a, "ladder"), args_has(a, "json"), e);
  run_release(&run);
  device_release(&to);
  return rc;
}

COMMAND_ROW(90, project) = {
    .name = "project",
    .arguments = "[RUN] --to DEVICE",
    .summary = "project the ladders' times to another chip, with intervals",
    .needs = "a run file or the recorded run",
    .examples = "project --to b200\n"
                "project run.json --to h100 --ladder cuda\n",
    .options = option_rows,
    .run = project_command,
};
