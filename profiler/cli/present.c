#include "profiler/cli/present.h"

#include "analysis/story/story.h"
#include "base/file.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/recorded.h"
#include "reports/text/report.h"
#include "run/device.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>

static int save_run(const struct run *r, const char *folder, struct err *e) {
  int result = file_mkdirs(folder, e);
  char *path = result ? NULL : str_printf("%s/run.json", folder);
  if (!result)
    result = path ? run_save(r, path, e) : err_nomem(e, "a path");
  free(path);
  return result;
}

int present_run(const struct run *r, const struct present_options *o, struct err *e) {
  struct device device = {0};
  struct findings f = {0};
  struct story story = {0};
  struct text out = {0}, warning = {0};
  /* Saved first: what was measured must outlive any trouble with its report. */
  int result = o->folder && o->save_run ? save_run(r, o->folder, e) : 0;
  if (!result)
    result = device_for_run(&device, o->device, r, e);
  if (!result)
    result = findings_make(&f, r, &device, e);
  if (result)
    goto out;
  if (o->folder) {
    struct report_options options = {.folder = o->folder,
                                     .gnuplot = getenv("NVFP4_GNUPLOT"),
                                     .formats = o->formats ? o->formats : REPORT_ALL,
                                     .notes = o->notes};
    if (!o->plots)
      options.formats &= ~(unsigned)REPORT_PLOTS;
    result = story_make(&story, &f, e);
    if (!result)
      result = report_write(&story, &options, &warning, e);
  }
  if (o->first_line && !o->json)
    text_printf(&out, "%s\n", o->first_line);
  if (o->json)
    report_json(&f, &out);
  else
    report_term(&f, &out, cli_width(), cli_colour());
  cli_progress_end();
  int printed = cli_print(&out, result ? NULL : e);
  result = result ? result : printed;
  if (warning.n)
    cli_tell("nvfp4-prof: %s\n", warning.s);
  if (!result && o->folder)
    cli_tell("nvfp4-prof: report written to %s\n", o->folder);
out:
  text_release(&out);
  text_release(&warning);
  story_release(&story);
  findings_release(&f);
  device_release(&device);
  return result;
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
