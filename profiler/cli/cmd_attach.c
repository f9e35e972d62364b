#include "profiler/cli/cli.h"
#include "profiler/cli/runs.h"

#include "base/shell.h"
#include "base/text.h"
#include "profiler/attach/outside/attach.h"
#include "version.h"

#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"out", "FILE",
     "the run file to write (default: run.json; of rank 3: run.3.json; -o); %p is the process, %r its rank"},
    {"force", NULL, "overwrite a file that no attach wrote (-f)"},
    {"kernel", "REGEX", "count kernels whose demangled or mangled name contains this (-k)", .once = true},
    {"nvtx", "RANGE", "count only launches within the NVTX range of this name", .once = true},
    {"nvtx-scope", "thread|process",
     "launches that belong to an NVTX range: its own thread's, or every thread's while it is open (default: its own and those of threads that have no range)"},
    {"by-range", NULL, "keep the kernels of each NVTX range apart: one row per kernel and range"},
    {"launch-skip", "N", "skip the first N launches of each kernel (default: 0; -s)"},
    {"launch-count", "N",
     "count N launches of each kernel, and no fewer than one for each pass (default: one for each; -c)"},
    {"coverage", "PERCENT", "count kernels until counters cover this much of the GPU time (default: 90)"},
    {"overhead", "PERCENT",
     "stop once counting has taken this share of the program's time, and 1 s, or 3 s where there is no Python (default: "
     "5; no limit with --kernel, --nvtx and --two-runs)"},
    {"window", "N", "start counting after N launches (default: once the ranking of the kernels is stable)"},
    {"top", "N", "count at most N kernels; 0: times only (default: as many as --coverage needs)"},
    {"samples", "on|off", "take PC samples before counters are collected (default: on)"},
    {"sampling-interval", "N", "one PC sample per SM every 2^N cycles, N from 5 to 31 (default: 14)"},
    {"two-runs", NULL,
     "run the program twice: first to time and rank its kernels, undisturbed, then to count the top ones; not with --kernel, --nvtx, --by-range or --top 0"},
    {"replay", NULL, "replay a counted launch for every pass, for kernels with few launches; the caches are then warm"},
    {"split-passes", NULL,
     "each of several ranks collects a part of the counters, in fewer passes; merge joins the parts"},
    {"follow-children", NULL, "profile child processes too"},
    {"no-sass", NULL, "do not disassemble the kernels"},
    {"json", NULL, "print a one-line JSON summary, the last line of stderr"},
    {NULL, NULL, NULL},
};

#define CHOOSES_ITSELF "--two-runs chooses the kernels itself: leave out --kernel, --nvtx, --by-range and --top 0"

static const struct clash_row clash_rows[] = {{"two-runs", "kernel nvtx by-range", CHOOSES_ITSELF}, {NULL}};

/* Nsight Compute's. */
static const struct foreign_row foreign_rows[] = {
    {"kernel-name", "--kernel REGEX (-k) chooses kernels by name, and takes regex:NAME, too"},
    {"kernel-name-base", "--kernel REGEX (-k) is tried on the demangled and on the mangled name"},
    {"kernel-id", "--kernel REGEX (-k), --launch-skip N (-s) and --launch-count N (-c) choose launches"},
    {"nvtx-include", "--nvtx RANGE counts what is launched within a range"},
    {"target-processes", "--follow-children profiles child processes, too"},
    {"replay-mode", "--replay repeats a counted launch for every pass"},
    {"set", "all counters are collected: leave it out"},
    {"section", "all counters are collected: leave it out"},
    {"metrics", "all counters are collected: leave it out"},
    {"export", "--out FILE (-o) names the run file"},
    {"force-overwrite",
     "--force (-f) overwrites a file that no attach wrote; an earlier run file is replaced without it"},
    {NULL, NULL},
};

/* With --json the sentences wait for the end: the context is the list, NULL without. */
static void say(void *context, const char *sentence) {
  if (context)
    json_array_append_new(context, json_string(sentence));
  else
    cli_tell("nvfp4-prof: %s\n", sentence);
}

/* One line, the last on stderr: stdout is the program's. */
static void report_print(const struct attach_report *r, json_t *notes, int code) {
  json_t *runs = json_array();
  for (size_t i = 0; i < r->n; i++) {
    const struct attach_file *f = &r->files[i];
    json_array_append_new(runs, json_pack("{s:s, s:I, s:I, s:I, s:f, s:I, s:f, s:b}", "file", f->path, "process",
                                          (json_int_t)f->pid, "launches", (json_int_t)f->launches, "kernels",
                                          (json_int_t)f->kernels, "gpu_time_ns", f->gpu_time_ns, "counted_kernels",
                                          (json_int_t)f->counted, "counted_gpu_time_ns", f->counted_ns, "complete",
                                          (int)f->complete));
  }
  json_t *j = json_pack("{s:i, s:o, s:O}", "exit_code", code, "runs", runs, "notes", notes);
  char *dump = j ? json_dumps(j, JSON_COMPACT) : NULL;
  cli_tell("%s\n", dump ? dump : "{}");
  free(dump);
  json_decref(j);
}

static int samples_read(struct attach_options *o, const struct args *a, struct err *e) {
  const char *samples = args_get(a, "samples");
  o->sampling_exponent = o->replay ? 0 : 14; /* once a launch was counted, CUPTI gives no samples any more */
  int rc = args_long(a, "sampling-interval", 5, 31, &o->sampling_exponent, e);
  if (rc || !samples || strcmp(samples, "on") == 0)
    return rc;
  o->sampling_exponent = 0;
  return strcmp(samples, "off") == 0 ? 0 : err_set(e, ERR_USAGE, "--samples '%s': must be on or off", samples);
}

enum { TOP_MAX = 4096 };

static int options_read(struct attach_options *o, const struct args *a, struct err *e) {
  regex_t regex;
  *o = (struct attach_options){.argv = a->rest,
                               .window = -1,
                               .top = TOP_MAX,
                               .command = a->typed,
                               .tool = NVFP4_VERSION,
                               .git = NVFP4_GIT,
                               .running = cli_memory_may_fail};
  o->out = args_has(a, "out") ? args_get(a, "out") : "run.json";
  o->kernel = args_get(a, "kernel");
  if (o->kernel && strncmp(o->kernel, "regex:", 6) == 0) /* as ncu has it */
    o->kernel += 6;
  o->nvtx = args_get(a, "nvtx");
  o->nvtx_scope = args_get(a, "nvtx-scope");
  o->two_runs = args_has(a, "two-runs");
  o->replay = args_has(a, "replay");
  o->split_passes = args_has(a, "split-passes");
  o->by_range = args_has(a, "by-range");
  o->follow = args_has(a, "follow-children");
  o->sass = !args_has(a, "no-sass");
  double coverage = 90, overhead = o->kernel || o->nvtx || o->two_runs ? INFINITY : 5;
  int rc = args_long(a, "launch-skip", 0, 1000000000, &o->skip, e);
  if (!rc)
    rc = args_long(a, "launch-count", 1, 1000000000, &o->count, e);
  if (!rc)
    rc = args_long(a, "window", 1, 1000000000, &o->window, e);
  if (!rc)
    rc = args_long(a, "top", 0, TOP_MAX, &o->top, e);
  if (!rc)
    rc = args_double(a, "coverage", 1, 100, &coverage, e);
  if (!rc)
    rc = args_double(a, "overhead", 0, 1000, &overhead, e);
  o->coverage = coverage / 100;
  o->overhead = overhead / 100;
  if (!rc)
    rc = samples_read(o, a, e);
  if (!rc && o->nvtx_scope && strcmp(o->nvtx_scope, "thread") != 0 && strcmp(o->nvtx_scope, "process") != 0)
    rc = err_set(e, ERR_USAGE, "--nvtx-scope '%s': must be thread or process", o->nvtx_scope);
  const char *counts = args_any(a, "kernel nvtx replay split-passes");
  if (!rc && o->two_runs && o->top == 0)
    rc = err_set(e, ERR_USAGE, CHOOSES_ITSELF);
  if (!rc && counts && o->top == 0)
    rc = err_set(e, ERR_USAGE, "--top 0 counts nothing, and --%s is about what is counted: leave one out", counts);
  if (!rc && o->kernel) {
    int bad = regcomp(&regex, o->kernel, REG_EXTENDED | REG_NOSUB);
    char why[256];
    if (bad) {
      regerror(bad, &regex, why, sizeof why);
      return err_set(e, ERR_USAGE, "--kernel '%s': %s", o->kernel, why);
    }
    regfree(&regex);
  }
  if (!rc && (a->n_rest == 0 || strcmp(a->rest[-1], "--") != 0))
    rc = err_set(e, ERR_USAGE,
                 "attach takes the program after --: nvfp4-prof attach --out run.json -- python3 train.py");
  return rc;
}

/* A rank's file is one of many, which merge is for: one rank says so. */
static void next_tell(const struct attach_report *r, const char *out) {
  struct text line = {0};
  if (r->merge)
    shell_word(&line, r->merge);
  else if (r->n == 1 && strcmp(r->files[0].path, out) == 0)
    shell_word(&line, out);
  if (line.n)
    cli_tell("nvfp4-prof: next: nvfp4-prof %s %s\n", r->merge ? "merge" : "report", text_str(&line));
  text_release(&line);
}

static int attach_command(const struct args *a, struct err *e) {
  struct attach_options o;
  struct attach_report report = {0};
  int code = ATTACH_FAILED, rc = options_read(&o, a, e);
  if (rc)
    return rc;
  json_t *notes = args_has(a, "json") ? json_array() : NULL;
  rc = run_replace_verify(o.out, "attach", args_has(a, "force"), e);
  if (!rc)
    rc = attach_run(&o, &code, say, notes, &report, e);
  if (rc)
    cli_complain(a->command, e);
  if (notes)
    report_print(&report, notes, code);
  else
    next_tell(&report, o.out);
  json_decref(notes);
  attach_report_release(&report);
  return code;
}

/* The program's exit code is attach's own, so that failures of ours take a code that programs seldom use. */
COMMAND_ROW(160, attach) = {
    .name = "attach",
    .arguments = "[OPTIONS] -- CMD ARGS...",
    .summary = "profile the kernels inside any program",
    .needs = "a GPU and CUPTI",
    .examples = "attach --out run.json -- python3 train.py\n"
                "attach --top 3 --two-runs -- ./app --size 4096\n",
    .options = option_rows,
    .clashes = clash_rows,
    .foreign = foreign_rows,
    .run = attach_command,
    .failure = ATTACH_FAILED,
};
