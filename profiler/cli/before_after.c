#include "profiler/cli/before_after.h"

#include "analysis/compare/joined.h"
#include "analysis/story/story.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/recorded.h"
#include "reports/compare/change_text.h"
#include "reports/text/steps.h"

#include <stdlib.h>
#include <string.h>

int before_after_measured(const struct run *before, const struct run *after, const char *device_asked, bool json,
                          struct text *out, struct err *e) {
  struct joined j;
  struct analysed both = {0};
  const struct findings *f = &both.findings;
  struct story_step *steps = calloc(after->n_variants + 1, sizeof *steps);
  size_t n = 0;
  joined_make(&j, before, after);
  int result = analysed_make(&both, &j.run, device_asked, e);
  for (size_t i = 0; i < j.n_after && !result; i++) {
    char *id = str_printf("%s before", j.run.variants[i].id);
    const struct run_variant *from = id ? run_variant_find(&j.run, id) : NULL;
    free(id);
    if (from && !(from->ladder && strcmp(from->ladder, "control") == 0))
      result = story_step_make(&steps[n++], f, NULL, from, &j.run.variants[i], f->shapes, f->n_shapes, e);
  }
  if (!result && json) {
    report_steps_json(f, steps, n, out);
  } else if (!result) {
    report_measured_change(f, steps, n, after, out, cli_width(), cli_colour());
  }
  for (size_t i = 0; i < n; i++)
    story_step_release(&steps[i]);
  free(steps);
  analysed_release(&both);
  joined_release(&j);
  return result;
}
