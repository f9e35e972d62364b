#include "profiler/cli/watch.h"

#include "analysis/compare/joined.h"
#include "analysis/story/story.h"
#include "base/watched.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/diagnosed.h"
#include "profiler/cli/measure_options.h"
#include "profiler/cli/runs.h"
#include "profiler/cli/static_command.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/interrupted.h"
#include "reports/compare/change_text.h"
#include "reports/text/compiled_text.h"
#include "reports/text/report.h"
#include "reports/text/steps.h"
#include "run/run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct watching {
  const struct watch_request *request;
  struct watched files;
  struct run last; /* the newest of which something was measured or compiled */
  bool has_last;
};

static void watch_include(void *context, const char *path, const char *text) {
  struct watching *w = context;
  (void)text;
  watched_add(&w->files, path);
}

/* A header that was not there before may be included since the last save. */
static void watch_includes(struct watching *w, const struct selection *s) {
  const struct compile_settings settings = {.set = &s->set};
  for (size_t i = 0; i < s->set.n; i++) {
    const struct rung *r = &s->set.rungs[i];
    if (strcmp(r->file, w->request->asked.kernel) != 0)
      continue;
    const struct compile_unit unit = {r->file, r->source, (const char *const *)r->options, r->n_options};
    includes_visit(&settings, &unit, watch_include, w);
  }
}

static int measure(struct watching *w, struct run *run, struct err *e) {
  const struct watch_request *q = w->request;
  struct selection s;
  int rc = selection_load(&s, &q->asked, e);
  if (!rc)
    watch_includes(w, &s);
  if (!rc && q->gpu)
    rc = profile_run(q->options, q->gpu, &s, run, e);
  else if (!rc)
    rc = compile_selected(q->options, &s, q->arch, run, e);
  cli_progress_end();
  selection_release(&s);
  return rc;
}

/* Whether there is anything to show, or to set the next run against. */
static bool worth_keeping(const struct watching *w, const struct run *run) {
  for (size_t i = 0; i < run->n_results; i++) {
    const struct run_result *r = &run->results[i];
    if (!run_variant_is_control(&run->variants[r->variant]) && (w->request->gpu ? r->timing.n > 0 : r->module >= 0))
      return true;
  }
  return false;
}

/* What failed, one line or one compiler's log a variant. */
static void failures(const struct run *run, struct text *out) {
  for (size_t i = 0; i < run->n_results; i++) {
    const struct run_result *r = &run->results[i];
    enum run_verdict v = r->check.verdict;
    if ((v != VERDICT_FAILED && v != VERDICT_WRONG) || (i && run->results[i - 1].variant == r->variant))
      continue;
    text_printf(out, "%s: %s: %s\n", run->variants[r->variant].id, run_verdict_name(v),
                r->check.reason ? r->check.reason : "no reason is given");
  }
}

/* --- what is printed after a save --- */

static int first_shown(const struct watching *w, const struct run *run, struct text *out, struct err *e) {
  struct analysed here;
  bool json = w->request->json;
  if (!w->request->gpu) {
    if (json)
      report_compiled_change(run, run, true, out, 0, false);
    else
      report_compiled_term(run, out, cli_width(), cli_colour());
    return 0;
  }
  int rc = analysed_make(&here, run, w->request->device, e);
  if (!rc && json)
    report_json(&here.findings, out);
  else if (!rc)
    report_term(&here.findings, out, cli_width(), cli_colour());
  analysed_release(&here);
  return rc;
}

/* What the step between two measured runs is, for each variant that both have: table and sentence,
 * or JSON ("steps": as explain --json). */
static int measured_change(const struct run *before, const struct run *after, const char *device_asked, bool json,
                           struct text *out, struct err *e) {
  struct joined j;
  struct analysed both = {0};
  const struct findings *f = &both.findings;
  struct story_step *steps = calloc(after->n_variants + 1, sizeof *steps);
  size_t n = 0;
  joined_make(&j, before, after);
  int rc = analysed_make(&both, &j.run, device_asked, e);
  for (size_t i = 0; i < j.n_after && !rc; i++) {
    char *id = str_printf("%s before", j.run.variants[i].id);
    const struct run_variant *from = id ? run_variant_find(&j.run, id) : NULL;
    free(id);
    if (from && !run_variant_is_control(from))
      rc = story_step_make(&steps[n++], f, NULL, from, &j.run.variants[i], f->shapes, f->n_shapes, e);
  }
  if (!rc && json)
    report_steps_json(f, steps, n, out);
  else if (!rc)
    report_measured_change(f, steps, n, after, out, cli_width(), cli_colour());
  for (size_t i = 0; i < n; i++)
    story_step_release(&steps[i]);
  free(steps);
  analysed_release(&both);
  joined_release(&j);
  return rc;
}

static int shown(const struct watching *w, const struct run *run, struct text *out, struct err *e) {
  if (!w->has_last)
    return first_shown(w, run, out, e);
  if (w->request->gpu)
    return measured_change(&w->last, run, w->request->device, w->request->json, out, e);
  report_compiled_change(&w->last, run, w->request->json, out, cli_width(), cli_colour());
  return 0;
}

static int diagnosed(const struct watching *w, const struct run *run, struct text *out, struct err *e) {
  const struct watch_request *q = w->request;
  const struct static_show show = {.source = q->asked.kernel, .device = q->device, .first = true, .json = q->json};
  int rc = q->gpu ? diagnosed_add(run, q->asked.kernel, q->device, q->json, out, e) : static_add(run, &show, out, e);
  return rc < 0 ? rc : 0;
}

/* One document on one line: what was shown, what it means and what went wrong. */
static void as_document(struct text *out, const char *kind, struct text *body, struct text *diagnosis,
                        const struct text *wrong) {
  json_t *complaint = wrong->n ? json_string(text_str(wrong)) : json_null();
  char *dump = json_dumps(complaint, JSON_ENCODE_ANY);
  text_printf(out, "{\"schema\": \"nvfp4-prof/watch/1\", \"error\": %s, \"%s\": %s, \"diagnosis\": %s}",
              dump ? dump : "null", kind, body->n ? text_str(body) : "null",
              diagnosis->n ? text_str(diagnosis) : "null");
  for (size_t i = 0; i < out->n; i++)
    if (out->s[i] == '\n') /* between tokens: in a string it is escaped */
      out->s[i] = ' ';
  text_add(out, "\n");
  free(dump);
  json_decref(complaint);
}

static int tell(struct watching *w, const struct run *run, const struct err *trouble, struct err *e) {
  struct text body = {0}, diagnosis = {0}, wrong = {0}, out = {0};
  bool json = w->request->json, kept = !trouble->code && worth_keeping(w, run);
  const char *kind = !w->request->gpu ? "compiled" : w->has_last ? "changes" : "findings";
  int rc = kept ? shown(w, run, &body, e) : 0;
  if (!rc && kept)
    rc = diagnosed(w, run, &diagnosis, e);
  if (trouble->code)
    text_printf(&wrong, "%s\n", trouble->text);
  else if (!kept || json)
    failures(run, &wrong);
  if (json)
    as_document(&out, kind, &body, &diagnosis, &wrong);
  else
    text_printf(&out, "%s%s%s", text_str(&body), diagnosis.n ? "\n" : "", text_str(&diagnosis));
  if (!rc && !json && wrong.n)
    cli_tell("nvfp4-prof: %s", text_str(&wrong));
  if (!rc)
    rc = cli_print_or_words(&out, json, e);
  if (!rc)
    rc = cli_flush(e); /* nobody would see what follows */
  text_release(&body);
  text_release(&diagnosis);
  text_release(&wrong);
  text_release(&out);
  return rc;
}

/* Trouble that no edit of the file mends; at the start, a mistyped or missing file, too. */
static bool hopeless(const struct err *trouble, bool first) {
  return trouble->code == ERR_MACHINE || trouble->code == ERR_NOMEM ||
         (first && (trouble->code == ERR_USAGE || trouble->code == ERR_IO));
}

static double realtime_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Measures and shows once; *run is kept as the last one where it is worth that. */
static int turn(struct watching *w, bool first, struct err *e) {
  struct run run = {0};
  struct err trouble = {0};
  measure(w, &run, &trouble);
  int rc = 0;
  if (!profile_interrupted)
    rc = hopeless(&trouble, first) ? err_set(e, trouble.code, "%s", trouble.text) : tell(w, &run, &trouble, e);
  if (!rc && !trouble.code && !profile_interrupted && worth_keeping(w, &run)) {
    run_release(&w->last);
    w->last = run;
    w->has_last = true;
  } else {
    run_release(&run);
  }
  return rc;
}

int watch_run(const struct watch_request *request, struct err *e) {
  struct watching w = {.request = request};
  double saved_s = 0;
  int rc = 0;
  watched_open(&w.files);
  watched_add(&w.files, request->asked.kernel);
  for (bool first = true; !rc && !profile_interrupted; first = false) {
    double began_s = realtime_s();
    rc = turn(&w, first, e);
    if (rc || profile_interrupted)
      break;
    if (first)
      cli_tell("nvfp4-prof: watching %s%s; Ctrl-C ends\n", request->asked.kernel,
               w.files.n > 1 ? " and the files it includes" : "");
    else
      cli_tell("nvfp4-prof: %.2f s after it was saved\n", saved_s + realtime_s() - began_s);
    if (!watched_wait(&w.files, &profile_interrupted, &saved_s))
      break;
  }
  run_release(&w.last);
  watched_close(&w.files);
  return rc;
}
