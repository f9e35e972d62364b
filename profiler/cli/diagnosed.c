#include "profiler/cli/diagnosed.h"

#include "base/file.h"
#include "profiler/cli/recorded.h"
#include "profiler/cli/runs.h"
#include "run/run.h"
#include "run/run_filter.h"

#include "analysis/advice/diagnosis.h"
#include "analysis/story/program.h"
#include "reports/text/diagnose.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 5 }; /* of source: an editor stands beside it */

static bool of_source(const void *source, const struct findings *f, size_t i) {
  const struct run_result *x = f->items[i].result;
  const char *file = f->run->variants[x->variant].file;
  bool first = i == 0 || f->items[i - 1].result->variant != x->variant;
  return first && x->timing.n > 0 && file && strcmp(file, source) == 0;
}

void diagnoses_show(const struct findings *f, diagnosed_select select, const void *context,
                    const struct report_diagnose_options *o, bool json, size_t *n, struct text *out) {
  struct diagnosis *items = calloc(f->n + 1, sizeof *items);
  struct report_diagnosis *shown = calloc(f->n + 1, sizeof *shown);
  *n = 0;
  for (size_t i = 0; i < f->n; i++) {
    if (!select(context, f, i))
      continue;
    shown[*n] = (struct report_diagnosis){f, &f->items[i], &items[*n]};
    diagnosis_make(&items[(*n)++], f, &f->items[i]);
  }
  if (o->brief)
    (json ? report_brief_json : report_brief_term)(shown, *n, out);
  else if (json)
    report_diagnose_json(shown, *n, out);
  else
    report_diagnose_term(shown, *n, o, out);
  for (size_t i = 0; i < *n; i++)
    diagnosis_release(&items[i]);
  free(items);
  free(shown);
}

int diagnosed_add(const struct run *r, const char *source, const char *device, bool json, struct text *out,
                  struct err *e) {
  struct analysed here;
  int rc = analysed_make(&here, r, device, e);
  const struct report_diagnose_options options = {.width = cli_width(), .colour = cli_colour(), .lines = LINES};
  size_t n;
  if (!rc)
    diagnoses_show(&here.findings, of_source, source, &options, json, &n, out);
  analysed_release(&here);
  return rc;
}

bool word_is_file(const char *word) {
  return strchr(word, '/') || file_exists(word) || recorded_has(word) || str_ends(word, ".json") ||
         str_ends(word, ".gz");
}

int words_parse(const char **run, const char **variants, const struct args *a, struct err *e) {
  for (int i = 0; i < a->n_rest; i++) {
    const char **slot = word_is_file(a->rest[i]) ? run : variants;
    if (*slot)
      return err_set(e, ERR_USAGE, "%s takes one run file and one list of variants: nvfp4-prof %s run.json X,Y",
                     a->command->name, a->command->name);
    *slot = a->rest[i];
  }
  return 0;
}

int only_variant(const char **variants, const char *file, const struct run *r, struct err *e) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_variants; i++) {
    const struct run_variant *v = &r->variants[i];
    if (run_variant_is_control(v))
      continue;
    *variants = v->id;
    n++;
  }
  if (n == 1)
    return 0;
  if (n == 0)
    return err_set(e, ERR_MACHINE, "%s holds no kernels", file);
  *variants = program_longest(r);
  if (!*variants)
    return err_set(e, ERR_USAGE, "which variant? %s holds %zu: --variant ID", file, n);
  cli_tell("nvfp4-prof: the longest of %zu kernels in %s; --variant names another\n", n, file);
  return 0;
}
