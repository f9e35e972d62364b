#include "profiler/cli/cli.h"

const struct option_row report_options_table[] = {
    {"out", "DIR", "folder of the report (default: report)"},
    {"device", "ID|FILE", "set the numbers against this device's ceilings instead of the run's own card"},
    {"no-plots", NULL, "do not draw the charts"},
    {"json", NULL, "print the findings as JSON"},
    {NULL, NULL, NULL},
};

int cmd_report(const struct command *c, int argc, char **argv, struct err *e) {
  struct args a;
  struct run run = {0};
  int result = args_parse(&a, c, argc, argv, e);
  if (result || a.help)
    return result ? result : (command_help(c), EXIT_DONE);
  if (a.n_rest != 1)
    return err_set(e, ERR_USAGE, "report takes one run file: nvfp4-prof report run.json --out report");
  const char *folder = args_get(&a, c, "out") ? args_get(&a, c, "out") : "report";
  result = run_load(&run, a.rest[0], e);
  if (!result)
    result = out_folder_make(folder, e);
  if (!result)
    result = present_run(&run,
                         &(struct present_options){.folder = folder,
                                                   .device = args_get(&a, c, "device"),
                                                   .json = args_has(&a, c, "json"),
                                                   .plots = !args_has(&a, c, "no-plots"),
                                                   .save_run = false},
                         e);
  int outcome = result ? result : outcome_of(&run);
  run_release(&run);
  return outcome;
}
