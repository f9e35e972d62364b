#include "analysis/ladder/projected.h"
#include "profiler/cli/cli.h"
#include "reports/text/projected_text.h"

const struct option_row project_options_table[] = {
    {"to", "ID|FILE", "the chip to project to: a device's id or file"},
    {"ladder", "NAME", "the rungs of this ladder (default: of every ladder)"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

static int project(const struct run *r, const struct device *to, const char *ladder, bool json, struct err *e) {
  struct device from = {0};
  struct findings f = {0};
  struct projected p = {0};
  struct text out = {0};
  int rc = device_for_run(&from, NULL, r, e);
  if (!rc)
    rc = findings_make(&f, r, &from, e);
  if (!rc)
    rc = projected_make(&p, &f, to, ladder, e);
  if (!rc && p.n == 0)
    rc = err_set(e, ERR_MACHINE, "there is nothing to project: the run holds no rung%s%s", ladder ? " of ladder " : "",
                 ladder ? ladder : "");
  if (!rc && json)
    report_projected_json(&p, &f, &out);
  else if (!rc)
    report_projected_term(&p, &f, &out, cli_width(), cli_colour());
  if (!rc)
    rc = cli_print(&out, e);
  text_release(&out);
  projected_release(&p);
  findings_release(&f);
  device_release(&from);
  return rc;
}

int cmd_project(const struct command *c, int argc, char **argv, struct err *e) {
  struct args a;
  struct run run = {0};
  struct device to = {0};
  int rc = args_parse(&a, c, argc, argv, e);
  if (rc || a.help)
    return rc ? rc : (command_help(c), EXIT_DONE);
  if (a.n_rest > 1)
    rc = err_set(e, ERR_USAGE, "project takes one run file, or none for the recorded run");
  else if (!args_get(&a, c, "to"))
    rc = err_set(e, ERR_USAGE, "project needs the chip: nvfp4-prof project --to b200");
  if (!rc)
    rc = device_load(&to, args_get(&a, c, "to"), e);
  if (!rc)
    rc = a.n_rest ? run_load(&run, a.rest[0], e) : recorded_load(&run, e);
  if (!rc)
    rc = project(&run, &to, args_get(&a, c, "ladder"), args_has(&a, c, "json"), e);
  run_release(&run);
  device_release(&to);
  return rc;
}
