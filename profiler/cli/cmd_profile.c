/* profile: the main job.  With a GPU it measures; without one it analyses the recorded run and compiles every rung for a chip that is not there. */
#include "kernels/problem.h"
#include "profiler/cli/present.h"
#include "profiler/cli/recorded.h"
#include "profiler/cli/runs.h"
#include "profiler/measure/profile.h"
#include "run/device.h"
#include "run/run.h"

#include "profiler/cli/cli.h"
#include "profiler/cli/measure_options.h"
#include "profiler/cli/static_command.h"
#include "profiler/cli/watch.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/interrupted.h"
#include "reports/text/compiled_text.h"
#include "run/run_filter.h"
#include "run/run_slim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"variant", "LIST", "comma-separated ids, globs, ladders or all (default: all)"},
    {"kernel", "FILE.cu", "profile a kernel of your own: the variants of this file, and the controls"},
    {"watch", NULL,
     "with --kernel: measure again whenever the file, or one it includes, is saved, and print what changed"},
    {.shared = measure_options},
    {"out", "DIR", "folder of the report (default: report; -o); - writes none"},
    {"harness", "KIND",
     "kernel (default) or contest: also time each launch as the contest does, by an event pair after a 4 GiB write"},
    {"device", "ID|FILE", "set the numbers against this device's ceilings instead of the GPU's own"},
    {"target", "ARCH",
     "compile for this chip (sm_100a) and do not run; with --out, DIR/run.json.gz is kept for diff --static"},
    {"run", "FILE|NAME",
     "analyse this run and do not measure; a NAME without slash or dot is a recorded run: h100, h200"},
    {"time-limit", "SECONDS", "limit of the timing phase (default: 10)"},
    {"phases", "LIST", "the phases, in this order (default: check,time,stalls,counters,sass)"},
    {"samples", "N", "PC samples per variant and shape (default: 20000)"},
    {"no-sass", NULL, "do not disassemble"},
    {"notes", "DIR",
     "folder of your notes on kernels, ID.md, shown in their sections (default: notes beside a run that is analysed)"},
    {.shared = present_option_rows},
    {"json", NULL, "print the findings as JSON"},
    {NULL, NULL, NULL},
};

static const struct clash_row clash_rows[] = {
    {"run", "target kernel kernels watch gpu", "--run analyses a finished run and --",
     " is for a new one: leave one out"},
    {.shared = present_clashes},
    {NULL},
};

struct request { /* what was asked for, checked */
  const struct args *args;
  struct profile_options options;
  struct selection selection;
  struct present_options show; /* what is to be printed and where the report goes */
};

static const char arch_without_gpu[] = "sm_100a"; /* what is compiled for where nothing can be run */

static int read_options(struct request *r, struct err *e) {
  const struct args *a = r->args;
  struct profile_options *o = &r->options;
  const char *harness = args_get(a, "harness"), *shape = args_get(a, "shape"), *device = args_get(a, "device");
  int rc = measure_options_read(o, a, e);
  r->show =
      (struct present_options){.folder = args_has(a, "watch") ? NULL : present_folder(a), /* it writes no report */
                               .device = device,
                               .notes = args_get(a, "notes"),
                               .variants = args_get(a, "variant"),
                               .save_run = true};
  if (!rc)
    rc = present_options_read(&r->show, a, e);
  o->sass = !args_has(a, "no-sass");
  const char *phases = args_get(a, "phases");
  if (!rc && harness)
    rc = harness_parse(&o->harness, harness, e);
  if (!rc && phases)
    rc = profile_phases_parse(o->phases, &o->n_phases, phases, e);
  if (!rc)
    rc = args_long(a, "samples", 1, 100000000, &o->samples, e);
  if (!rc)
    rc = args_double(a, "time-limit", 0.01, 86400, &o->time_limit_s, e);
  struct device d = {0};
  if (!rc && device)
    rc = device_load(&d, device, e);
  device_release(&d);
  /* A run that was made names its own variants: they need not be among the rungs of this build. */
  if (rc)
    return rc;
  struct selection *s = &r->selection;
  if (args_has(a, "run"))
    return shapes_parse(shape ? shape : "bench", &s->shapes, &s->n_shapes, e);
  struct selection_asked asked = selection_asked_of(a);
  if (args_has(a, "watch"))
    return asked.kernel ? 0 : err_set(e, ERR_USAGE, "--watch needs the file to watch: --kernel FILE.cu");
  rc = selection_load(s, &asked, e);
  return rc ? rc : predicted_verify(s, e);
}

static void sign_slim(const struct request *r, struct run *run) {
  run_sign(run, r->args->typed);
  measured_slim(run);
}

/* Whether any variant got as far as its check. */
static bool any_reached(const struct run *run) {
  for (size_t i = 0; i < run->n_results; i++)
    if (run->results[i].check.verdict != VERDICT_SKIPPED)
      return true;
  return false;
}

static int profile_here(struct request *r, const struct gpu_probe *gpu, struct err *e) {
  struct run run = {0};
  cli_catch_signals();
  struct err trouble = {0};
  int failed = profile_run(&r->options, gpu, &r->selection, &run, &trouble);
  int rc = run.n_results ? 0 : failed;
  if (run.n_results)
    sign_slim(r, &run);
  bool kept = failed && any_reached(&run); /* the GPU was lost on the way: what was measured until then is kept */
  if ((kept || !failed) && !rc)
    rc = present_run(&run, &r->show, e);
  if (kept && !rc)
    rc =
        err_set(e, trouble.code,
                "the GPU was lost: %s; what was measured until then is in %s/run.json.gz, marked partial; `nvidia-smi` "
                "shows whether the GPU is back",
                trouble.text, r->show.folder);
  else if (failed && !rc)
    rc = err_set(e, trouble.code, "%s", trouble.text);
  if (!rc)
    rc = profile_interrupted ? 128 + profile_interrupted : outcome_of(&run);
  run_release(&run);
  return rc;
}

/* --- without a GPU --- */

/* What only a measurement can honour.  `why` says why there is none. */
static int refuse_measuring(const struct args *a, enum err_code code, const char *why, struct err *e) {
  const char *name = args_any(a, "rounds hang-limit harness time-limit phases samples");
  return name ? err_set(e, code, "--%s needs a measurement, and %s", name, why) : 0;
}

/* The conditions that a run was measured under must be those that are asked for. */
static int refuse_conditions(const struct request *r, const struct run *run, enum err_code code, struct err *e) {
  const struct args *a = r->args;
  const char *l2 = args_get(a, "l2"), *inputs = args_get(a, "inputs");
  if (l2 && (!run->l2 || strcmp(l2, run->l2) != 0))
    return err_set(e, code, "--l2 %s: the run was measured with L2 %s", l2,
                   run->l2 ? run->l2 : "in the state it was in");
  if (inputs && (!run->inputs || strcmp(inputs, run->inputs) != 0))
    return err_set(e, code, "--inputs %s: the run was measured with the inputs %s", inputs,
                   run->inputs ? run->inputs : "that it had");
  if (args_has(a, "seed") && r->options.seed != run->seed)
    return err_set(e, code, "--seed %s: the run was measured with seed %llu", args_get(a, "seed"),
                   (unsigned long long)run->seed);
  return 0;
}

static int compile_for(struct request *r, const char *arch, struct run *run, struct err *e) {
  int rc = compile_selected(&r->options, &r->selection, arch, run, e);
  cli_progress_end();
  if (!rc)
    sign_slim(r, run);
  return rc;
}

static int count_compiled(const struct run *run, size_t *failed) {
  int ok = 0;
  *failed = 0;
  for (size_t i = 0; i < run->n_results; i++)
    if (!i || run->results[i].variant != run->results[i - 1].variant) {
      ok += run->results[i].module >= 0;
      *failed += run->results[i].check.verdict == VERDICT_FAILED;
    }
  return ok;
}

/* "compiled for sm_90a with NVRTC 13.0, not run: 2 variants, 0 failed, 1 skipped" */
static void add_compiled(const struct run *run, const char *what, const char *arch, size_t *failed, struct text *out) {
  int ok = count_compiled(run, failed), skipped = (int)run->n_variants - ok - (int)*failed;
  bool known = run->device.nvrtc != NULL;
  text_printf(out, "%s %s%s%s, not run: %d variant%s, %zu failed", what, arch, known ? " with NVRTC " : "",
              known ? run->device.nvrtc : "", ok, ok == 1 ? "" : "s", *failed);
  if (skipped > 0)
    text_printf(out, ", %d skipped", skipped);
}

/* Any variant of that file, NULL: of all. */
static bool any_compiled(const struct run *run, const char *source) {
  for (size_t i = 0; i < run->n_results; i++) {
    const char *file = run->variants[run->results[i].variant].file;
    if (run->results[i].module >= 0 && (!source || (file && strcmp(file, source) == 0)))
      return true;
  }
  return false;
}

static int save_compiled(struct run *run, const char *arch, const char *folder, struct err *e) {
  if (!run->device.name)
    run->device.name = str_printf(RUN_NO_DEVICE "compiled for %s", arch);
  return report_folder_save_run(run, folder, e);
}

/* folder NULL: nothing is kept. */
static int profile_target(struct request *r, const char *arch, const char *folder, const struct static_show *show,
                          struct err *e) {
  struct run run = {0};
  struct text out = {0};
  size_t failed = 0;
  int rc = compile_for(r, arch, &run, e);
  bool some = !rc && any_compiled(&run, show->source);
  if (!rc && folder)
    rc = save_compiled(&run, arch, folder, e);
  if (!rc) {
    if (r->show.json) {
      count_compiled(&run, &failed);
      report_compiled_json(&run, arch, &out);
    } else {
      add_compiled(&run, "compiled for", arch, &failed, &out);
      text_add(&out, "\n\n");
      report_compiled_term(&run, &out, cli_width(), cli_colour());
    }
    if (show->source && !r->show.json && some) { /* a kernel of the user's own: what its code says */
      text_add(&out, "\n");
      rc = static_add(&run, show, &out, e);
      failed += rc > 0;
      rc = rc > 0 ? 0 : rc;
    }
    if (!rc)
      rc = cli_print_or_words(&out, r->show.json, e);
    text_release(&out);
  }
  if (!rc && (failed || !some))
    static_missing(&run);
  run_release(&run);
  return rc ? rc : failed || !some ? EXIT_VARIANTS : EXIT_DONE;
}

/* Compiles what was asked for after the recorded run was shown; that it cannot be compiled is said and no error. */
static int compile_beside(struct request *r, const char *arch, const struct present_options *show, size_t *failed,
                          struct err *e) {
  struct run compiled = {0};
  struct text out = {0};
  struct err trouble = {0};
  int rc = 0;
  if (compile_for(r, arch, &compiled, &trouble)) {
    text_printf(&out, "\nnothing was compiled for %s: %s\n", arch, trouble.text);
  } else {
    add_compiled(&compiled, "\ncompiled here for", arch, failed, &out);
    text_add(&out, show->table ? "\n\n" : "\n");
    if (show->table)
      report_compiled_term(&compiled, &out, cli_width(), cli_colour());
  }
  if (!show->json && !show->brief && !show->quiet)
    rc = cli_print_words(&out, e);
  text_release(&out);
  run_release(&compiled);
  return rc;
}

/* What was asked for and the controls, and of one variant its parent, which its step starts at. */
static int filter(const struct request *r, struct run *run, const struct shape *shapes, struct err *e) {
  const char *asked = r->show.variants ? r->show.variants : "all";
  const struct run_variant *one = run_variant_find(run, asked);
  bool answered = !r->show.json && !r->show.table && !r->show.brief;
  const char *parent = one && answered && one->parent && run_variant_find(run, one->parent) ? one->parent : NULL;
  char *both = parent ? str_printf("%s,%s", asked, parent) : str_copy(asked);
  int rc = run_filter(run, both, shapes, r->selection.n_shapes, e);
  free(both);
  return rc;
}

/* Analyses the recorded run, then compiles every rung for sm_100a. */
static int profile_without_gpu(struct request *r, const char *why, struct err *e) {
  const char *arch = arch_without_gpu;
  struct run recorded = {0};
  struct analysed p = {0};
  struct text first = {0};
  size_t failed = 0;
  struct present_options show = r->show;
  char *path = NULL, *notes = NULL;
  int rc = recorded_path(&path, e);
  if (!rc)
    rc = notes_beside(&notes, show.notes, path, e);
  if (!rc)
    rc = recorded_load(&recorded, e);
  if (!rc)
    rc = refuse_measuring(r->args, ERR_MACHINE, "the recorded run was measured elsewhere: leave it out", e);
  if (!rc)
    rc = refuse_conditions(r, &recorded, ERR_MACHINE, e);
  if (!rc) {
    rc = filter(r, &recorded, r->selection.shapes, e);
    if (rc == ERR_USAGE) /* the name is known: its rung was not measured there */
      rc = (int)(e->code = ERR_MACHINE);
  }
  if (rc) {
    err_context(e, "there is no GPU here (%s), and from the recorded run", why);
    goto out;
  }
  text_printf(&first, "No GPU here (%.*s)", (int)strcspn(why, ";"), why); /* doctor says where it was looked for */
  show.first_line = text_str(&first);
  show.notes = notes;
  rc = present_print(&p, &recorded, &show, e);
  if (!rc)
    rc = compile_beside(r, arch, &show, &failed, e);
  if (!rc)
    rc = present_report(&p, &show, e);
out:
  free(path);
  free(notes);
  text_release(&first);
  analysed_release(&p);
  run_release(&recorded);
  return rc ? rc : failed ? EXIT_VARIANTS : EXIT_DONE;
}

static int profile_file(struct request *r, const char *word, struct err *e) {
  struct run run = {0};
  struct present_options show = r->show;
  char *path = NULL;
  int rc = recorded_named(&path, word, e);
  if (!rc)
    rc = run_read(&run, path, e);
  if (!rc)
    rc = refuse_conditions(r, &run, ERR_USAGE, e);
  bool some = show.variants || args_has(r->args, "shape");
  if (!rc && some)
    rc = filter(r, &run, args_has(r->args, "shape") ? r->selection.shapes : NULL, e);
  show.save_run = false;
  show.run_file = path;
  if (!rc)
    rc = present_file(&run, show, e);
  free(path);
  run_release(&run);
  return rc;
}

static int profile_watched(struct request *r, const struct gpu_probe *gpu, struct err *e) {
  const char *target = args_get(r->args, "target");
  struct watch_request w = {.options = &r->options,
                            .asked = selection_asked_of(r->args),
                            .gpu = gpu,
                            .arch = target ? target : arch_without_gpu,
                            .device = r->show.device,
                            .json = r->show.json};
  cli_catch_signals();
  if (!gpu)
    cli_tell("nvfp4-prof: %scompiling for %s only\n", target ? "" : "no GPU here; ", w.arch);
  return watch_run(&w, e);
}

static int profile_request(struct request *r, struct err *e) {
  const char *target = args_get(r->args, "target"), *file = args_get(r->args, "run");
  struct gpu_probe gpu;
  struct err why = {0};
  bool watch = args_has(r->args, "watch");
  const char *kernel = args_get(r->args, "kernel");
  const struct static_show show = {
      .source = kernel ? run_path_hidden(kernel) : NULL, .device = r->show.device, .first = true};
  if (watch && target)
    return profile_watched(r, NULL, e);
  const char *kept = args_has(r->args, "out") ? r->show.folder : NULL; /* of what is compiled only */
  if (target)
    return profile_target(r, target, kept, &show, e);
  if (file && refuse_measuring(r->args, ERR_USAGE, "--run analyses a finished run: leave it out", e))
    return e->code;
  if (file)
    return profile_file(r, file, e);
  int rc = gpu_probe(&gpu, r->options.gpu, false, &why);
  if (watch && rc != ERR_USAGE && (!rc || !args_has(r->args, "gpu")))
    return profile_watched(r, rc ? NULL : &gpu, e);
  if (rc && (rc == ERR_USAGE || args_has(r->args, "gpu")))
    return err_set(e, why.code, "%s", why.text);
  if (rc &&
      args_has(r->args, "kernel")) { /* the recorded run holds no such kernel: its code is diagnosed, as --watch does */
    cli_tell("nvfp4-prof: no GPU here; compiling for %s only (%.*s)\n", arch_without_gpu, (int)strcspn(why.text, ";"),
             why.text);
    rc = refuse_measuring(r->args, ERR_MACHINE, "there is no GPU here: leave it out", e);
    return rc ? rc : profile_target(r, arch_without_gpu, kept, &show, e);
  }
  if (out_folder_make(r->show.folder, e))
    return e->code;
  return rc ? profile_without_gpu(r, why.text, e) : profile_here(r, &gpu, e);
}

static int profile_command(const struct args *a, struct err *e) {
  struct request r = {.args = a};
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "profile takes no argument '%s'; did you mean --variant %s?", a->rest[0], a->rest[0]);
  int rc = read_options(&r, e);
  if (!rc)
    rc = profile_request(&r, e);
  selection_release(&r.selection);
  return rc;
}

COMMAND_ROW(10, profile) = {
    .name = "profile",
    .arguments = "[--variant LIST] [OPTIONS]",
    .summary = "profile kernels: check, time, count, report (the default command)",
    .needs = "a GPU to measure; without one it analyses the recorded run",
    .examples = "--variant all\n"
                "--variant ours --shape 7168x2048x4\n"
                "--kernel my.cu --watch\n"
                "--target sm_100a --variant cuda\n",
    .options = option_rows,
    .clashes = clash_rows,
    .run = profile_command,
};
