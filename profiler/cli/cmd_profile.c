/* profile: the main job.  With a GPU it measures; without one it analyses the recorded run and compiles every rung for a chip that is not there. */
#include "profiler/profile.h"

#include "base/file.h"
#include "base/table.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/run_filter.h"
#include "profiler/cli/static.h"
#include "profiler/compile/compile.h"
#include "profiler/gpu/worker.h"

#include "version.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct option_row profile_options_table[] = {
    {"variant", "LIST", "ids, globs, ladders or all, comma between (default: all)"},
    {"shape", "LIST", "bench (default), tests, or MxKxL, comma between"},
    {"out", "DIR", "folder of the report (default: report)"},
    {"l2", "POLICY",
     "before each launch: cold (default: the L2 is emptied by reading), dirty (by writing), warm (left)"},
    {"inputs", "KIND", "default, contest or extreme"},
    {"seed", "N", "of the inputs (default: 1)"},
    {"gpu", "INDEX|UUID", "the GPU to use (default: the first)"},
    {"device", "ID|FILE", "set the numbers against this device's ceilings instead of the GPU's own"},
    {"kernels", "DIR", "rungs of this folder instead of the built-in ones"},
    {"kernel", "FILE.cu", "profile a kernel of your own: the variants of this file (with the controls beside it)"},
    {"target", "ARCH",
     "compile for this chip (sm_100a) and do not run; with --out, DIR/run.json is kept for diff --static"},
    {"run", "FILE", "analyse this run and do not measure"},
    {"rounds", "N", "most timing rounds (default: 100)"},
    {"time-limit", "SECONDS", "for the timing phase (default: 10)"},
    {"hang-limit", "SECONDS", "a kernel that has not come back by then is killed (default: 10)"},
    {"phases", "LIST", "what to do, in this order (default: check,time,counters)"},
    {"no-counters", NULL, "the same as --phases check,time"},
    {"no-sass", NULL, "do not disassemble"},
    {"no-plots", NULL, "do not draw the charts"},
    {"json", NULL, "print the findings as JSON"},
    {NULL, NULL, NULL},
};

struct request { /* what was asked for, checked */
  struct args args;
  struct profile_options options;
  struct rung_set set;
  bool *chosen;
  struct shape *shapes;
  size_t n_shapes;
  const char *folder, *variants;
  char *command; /* argv, quoted */
};

static void interrupted(int signal_number) {
  profile_interrupted = signal_number;
}

static void catch_signals(void) {
  /* The second one kills. */
  struct sigaction action = {.sa_handler = interrupted, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

static char *quote_command(int argc, char **argv) {
  struct text t = {0};
  for (int i = 0; i < argc; i++) {
    const char *plain =
        argv[i] + strspn(argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:+@%");
    text_add(&t, i ? " " : "");
    if (argv[i][0] && !*plain) {
      text_add(&t, argv[i]);
      continue;
    }
    text_add(&t, "'");
    for (const char *p = argv[i]; *p; p++)
      text_add_n(&t, *p == '\'' ? "'\\''" : p, *p == '\'' ? 4 : 1);
    text_add(&t, "'");
  }
  return text_take(&t);
}

/* Adds the user's file to the set and chooses what is in it, with the controls. */
static int add_kernel(struct request *r, const char *path, struct err *e) {
  enum { KERNEL_FILE_MAX = 4 << 20 };
  char *text = NULL;
  size_t n = 0, before = r->set.n;
  int result = file_read(path, KERNEL_FILE_MAX, &text, &n, e);
  if (!result)
    result = rung_set_add(&r->set, path, text, e);
  free(text);
  struct text ids = {0};
  for (size_t i = before; !result && i < r->set.n; i++)
    text_printf(&ids, "%s,", r->set.rungs[i].id);
  text_add(&ids, "control-read");
  if (!result)
    result = rung_set_finish(&r->set, e);
  if (!result)
    result = rung_select(&r->set, r->variants ? r->variants : text_str(&ids), r->chosen, e);
  text_release(&ids);
  return result;
}

static int read_set(struct request *r, const struct command *c, struct err *e) {
  enum { KERNEL_VARIANTS_MAX = 256 };
  const char *kernel = args_get(&r->args, c, "kernel");
  int result = rung_set_load(&r->set, args_get(&r->args, c, "kernels"), e);
  if (result)
    return result;
  r->chosen = calloc(r->set.n + KERNEL_VARIANTS_MAX, sizeof *r->chosen);
  if (!r->chosen)
    return err_nomem(e, "the selection");
  if (kernel)
    return add_kernel(r, kernel, e);
  return rung_select(&r->set, r->variants ? r->variants : "all", r->chosen, e);
}

static int read_options(struct request *r, const struct command *c, struct err *e) {
  const struct args *a = &r->args;
  struct profile_options *o = &r->options;
  profile_options_default(o);
  const char *l2 = args_get(a, c, "l2"), *inputs = args_get(a, c, "inputs"), *shape = args_get(a, c, "shape"),
             *device = args_get(a, c, "device");
  long rounds = o->max_rounds, seed = (long)o->seed;
  r->variants = args_get(a, c, "variant");
  r->folder = args_get(a, c, "out") ? args_get(a, c, "out") : "report";
  o->gpu = args_get(a, c, "gpu");
  o->sass = !args_has(a, c, "no-sass");
  o->progress = cli_progress;
  const char *phases = args_has(a, c, "no-counters") ? "check,time" : args_get(a, c, "phases");
  int result = l2 ? l2_policy_parse(&o->l2, l2, e) : 0;
  if (!result && phases)
    result = profile_phases_parse(o->phases, &o->n_phases, phases, e);
  if (!result && inputs)
    result = problem_inputs_parse(&o->inputs, inputs, e);
  if (!result)
    result = args_long(a, c, "rounds", 1, 100000, &rounds, e);
  if (!result)
    result = args_long(a, c, "seed", 0, 1L << 53, &seed, e);
  if (!result)
    result = args_double(a, c, "time-limit", 0.01, 86400, &o->time_limit_s, e);
  if (!result)
    result = args_double(a, c, "hang-limit", 0.1, 3600, &o->hang_limit_s, e);
  if (!result)
    result = shapes_parse(shape ? shape : "bench", &r->shapes, &r->n_shapes, e);
  o->max_rounds = (int)rounds;
  o->min_rounds = o->min_rounds < o->max_rounds ? o->min_rounds : o->max_rounds;
  o->seed = (uint64_t)seed;
  struct device d = {0};
  if (!result && device)
    result = device_load(&d, device, e);
  device_release(&d);
  /* A run that was made names its own variants: they need not be among the rungs of this build. */
  return result || args_has(a, c, "run") ? result : read_set(r, c, e);
}

static int sign_run(const struct request *r, struct run *run, struct err *e) {
  run->tool = str_copy(NVFP4_VERSION);
  run->git = str_copy(NVFP4_GIT);
  run->command = str_copy(r->command);
  return run->tool && run->git && run->command ? 0 : err_nomem(e, "the run");
}

static struct present_options presentation(const struct request *r, const struct command *c) {
  return (struct present_options){.folder = r->folder,
                                  .device = args_get(&r->args, c, "device"),
                                  .json = args_has(&r->args, c, "json"),
                                  .plots = !args_has(&r->args, c, "no-plots"),
                                  .save_run = true};
}

/* Whether any variant got as far as its check. */
static bool any_reached(const struct run *run) {
  for (size_t i = 0; i < run->n_results; i++)
    if (run->results[i].check.verdict != VERDICT_SKIPPED)
      return true;
  return false;
}

static int profile_here(struct request *r, const struct command *c, const struct gpu_probe *gpu, struct err *e) {
  struct run run = {0};
  struct present_options show = presentation(r, c);
  catch_signals();
  struct err trouble = {0};
  int failed = profile_run(&r->options, gpu, &r->set, r->chosen, r->shapes, r->n_shapes, &run, &trouble);
  int result = run.n_results ? sign_run(r, &run, e) : failed;
  if (failed && any_reached(&run) && !result) { /* the GPU was lost on the way: what was measured until then is kept */
    run.partial = true;
    free(run.partial_reason);
    run.partial_reason = str_copy(trouble.text);
    result = present_run(&run, &show, e);
  } else if (!failed && !result) {
    result = present_run(&run, &show, e);
  }
  if (failed && !result)
    result = err_set(e, trouble.code, "%s", trouble.text);
  if (!result)
    result = profile_interrupted ? 128 + profile_interrupted : outcome_of(&run);
  run_release(&run);
  return result;
}

/* --- without a GPU --- */

static void compiled_table(const struct run *run, struct text *out) {
  struct table *t = table_new();
  table_column(t, "compiled", "", "variant", TABLE_LEFT);
  table_column(t, "way", "", "path", TABLE_LEFT);
  table_column(t, "registers", "", "registers", TABLE_RIGHT);
  table_column(t, "shared", "bytes", "smem_bytes", TABLE_RIGHT);
  table_column(t, "spills", "bytes", "spill_bytes", TABLE_RIGHT);
  table_column(t, "SASS", "instructions", "sass", TABLE_RIGHT);
  for (size_t i = 0; i < run->n_results; i++) {
    const struct run_result *r = &run->results[i];
    if (i && run->results[i - 1].variant == r->variant)
      continue; /* one row a variant: the first shape's */
    table_row(t);
    table_cell(t, run->variants[r->variant].id, NULL);
    table_cell(t, r->path ? r->path : "", NULL);
    if (r->module < 0) {
      char first_line[160];
      const char *why = r->check.reason ? r->check.reason : "";
      snprintf(first_line, sizeof first_line, "%.*s", (int)strcspn(why, "\n"), why);
      table_cell(t, "", NULL);
      table_cell(t, "", NULL);
      table_cell(t, "", NULL);
      table_cell(t, first_line, NULL);
      table_style(t, 'b');
      continue;
    }
    const struct run_kernel *k = run->modules[r->module].kernels;
    table_cellf(t, "%d", k->registers);
    table_cellf(t, "%ld", k->smem_static);
    table_cellf(t, "%ld", k->spill_store_bytes > 0 ? k->spill_store_bytes + k->spill_load_bytes : 0);
    if (k->n_sass)
      table_cellf(t, "%zu", k->n_sass);
    else
      table_cell(t, "", NULL);
  }
  table_term(t, out, cli_width(), cli_colour());
  table_free(t);
}

/* sm_100a -> 100; 0: not one. */
static int parse_arch(const char *arch) {
  int sm = 0;
  char rest[4] = "";
  if (sscanf(arch, "sm_%d%3s", &sm, rest) < 1 || sm < 80 || sm > 199 ||
      (rest[0] && strcmp(rest, "a") != 0 && strcmp(rest, "f") != 0))
    return 0;
  return sm;
}

/* Compiles the chosen rungs for a chip that need not be here. */
static int compile_for(struct request *r, const char *arch, struct run *run, struct err *e) {
  /* Facts that launch expressions may ask for; of chips that are not described here, those of B200. */
  int sm = parse_arch(arch);
  if (!sm)
    return err_set(e, ERR_USAGE, "--target %s: it is a chip of sm_80 or later, such as sm_90a, sm_100a, sm_120a", arch);
  struct device d = {0};
  int result = device_load(&d, sm == 90 ? "h200" : "b200", e);
  struct rung_chip chip = {sm, d.sms, d.smem_optin, d.regs_per_sm, d.warps_per_sm, (long)d.l2_bytes};
  device_release(&d);
  if (!result)
    result = profile_compile(&r->options, arch, &chip, &r->set, r->chosen, r->shapes, r->n_shapes, run, e);
  cli_progress_end();
  return result ? result : sign_run(r, run, e);
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

static int save_compiled(struct run *run, const char *arch, const char *folder, struct err *e) {
  int result = out_folder_make(folder, e);
  if (!run->device.name) /* a run file must name one */
    run->device.name = str_printf("no device, compiled for %s", arch);
  char *path = result ? NULL : str_printf("%s/run.json", folder);
  if (!result)
    result = path ? run_save(run, path, e) : err_nomem(e, "a path");
  free(path);
  return result;
}

/* folder NULL: nothing is kept. */
static int profile_target(struct request *r, const char *arch, const char *folder, const struct static_show *show,
                          struct err *e) {
  struct run run = {0};
  struct text out = {0};
  size_t failed = 0;
  int result = compile_for(r, arch, &run, e);
  if (!result && folder)
    result = save_compiled(&run, arch, folder, e);
  if (!result) {
    int ok = count_compiled(&run, &failed);
    text_printf(&out, "compiled for %s with NVRTC %s, not run: %d variants, %zu failed\n\n", arch,
                run.device.nvrtc ? run.device.nvrtc : "", ok, failed);
    compiled_table(&run, &out);
    if (show->source) { /* a kernel of the user's own: what its code says */
      text_add(&out, "\n");
      result = static_add(&run, show, &out, e);
    }
    if (!result)
      result = cli_print(&out, e);
    text_release(&out);
  }
  for (size_t i = 0; i < run.n_results && failed && !result; i++)
    if (run.results[i].check.verdict == VERDICT_FAILED && (!i || run.results[i - 1].variant != run.results[i].variant))
      fprintf(stderr, "nvfp4-prof: %s: %s\n", run.variants[run.results[i].variant].id, run.results[i].check.reason);
  run_release(&run);
  return result ? result : failed ? EXIT_VARIANTS : EXIT_DONE;
}

/* Analyses the recorded run and compiles every rung for sm_100a, saying so in the first line. */
static int profile_without_gpu(struct request *r, const struct command *c, const char *why, struct err *e) {
  static const char arch[] = "sm_100a";
  struct run recorded = {0}, compiled = {0};
  struct text first = {0}, table = {0};
  struct err compile_error = {0};
  size_t failed = 0;
  struct present_options show = presentation(r, c);
  int result = recorded_load(&recorded, e);
  if (!result)
    result = run_filter(&recorded, r->variants ? r->variants : "all", r->shapes, r->n_shapes, e);
  if (result) {
    err_context(e, "there is no GPU here (%s), and of the recorded run", why);
    goto out;
  }
  int uncompiled = compile_for(r, arch, &compiled, &compile_error);
  text_printf(&first, "No GPU here: every time and counter below is RECORDED (%s, %.10s), not measured now",
              recorded.device.name, recorded.created ? recorded.created : "");
  if (uncompiled)
    text_printf(&first, "; nothing was compiled for %s: %s", arch, compile_error.text);
  else
    text_printf(&first, "; %d variants were compiled here for %s", count_compiled(&compiled, &failed), arch);
  text_printf(&first, ".\n(%.*s)\n", (int)strcspn(why, ";"), why); /* doctor says where it was looked for */
  show.first_line = text_str(&first);
  result = present_run(&recorded, &show, e);
  if (!result && !uncompiled && !show.json) {
    text_printf(&table, "\nCompiled here for %s with NVRTC %s, not run:\n\n", arch,
                compiled.device.nvrtc ? compiled.device.nvrtc : "");
    compiled_table(&compiled, &table);
    result = cli_print(&table, e);
  }
out:
  text_release(&first);
  text_release(&table);
  run_release(&recorded);
  run_release(&compiled);
  return result ? result : failed ? EXIT_VARIANTS : EXIT_DONE;
}

static int profile_file(struct request *r, const struct command *c, const char *path, struct err *e) {
  struct run run = {0};
  struct present_options show = presentation(r, c);
  int result = run_load(&run, path, e);
  bool some = r->variants || args_has(&r->args, c, "shape");
  if (!result && some)
    result = run_filter(&run, r->variants ? r->variants : "all", args_has(&r->args, c, "shape") ? r->shapes : NULL,
                        r->n_shapes, e);
  show.save_run = false;
  if (!result)
    result = present_run(&run, &show, e);
  int outcome = result ? result : outcome_of(&run);
  run_release(&run);
  return outcome;
}

static int profile_request(struct request *r, const struct command *c, struct err *e) {
  const char *target = args_get(&r->args, c, "target"), *file = args_get(&r->args, c, "run");
  struct gpu_probe gpu;
  struct err why = {0};
  if (target)
    return profile_target(r, target, args_get(&r->args, c, "out"),
                          &(struct static_show){.source = args_get(&r->args, c, "kernel"),
                                                .device = args_get(&r->args, c, "device"),
                                                .first = true},
                          e);
  if (file)
    return out_folder_make(r->folder, e) ? e->code : profile_file(r, c, file, e);
  int result = gpu_probe(&gpu, r->options.gpu, false, &why);
  if (result && (result == ERR_USAGE || args_has(&r->args, c, "gpu") || args_has(&r->args, c, "kernel")))
    return err_set(e, why.code, "%s%s", why.text,
                   args_has(&r->args, c, "kernel") ? "; without a GPU, --target sm_100a compiles your kernel" : "");
  if (out_folder_make(r->folder, e))
    return e->code;
  return result ? profile_without_gpu(r, c, why.text, e) : profile_here(r, c, &gpu, e);
}

int cmd_profile(const struct command *c, int argc, char **argv, struct err *e) {
  struct request r = {.command = quote_command(argc, argv)};
  int result = args_parse(&r.args, c, argc, argv, e);
  if (!result && r.args.help) {
    command_help(c);
  } else if (!result && r.args.n_rest) {
    result = err_set(e, ERR_USAGE, "profile takes no argument '%s'; did you mean --variant %s?", r.args.rest[0],
                     r.args.rest[0]);
  } else if (!result) {
    result = read_options(&r, c, e);
    if (!result)
      result = profile_request(&r, c, e);
  }
  rung_set_release(&r.set);
  free(r.chosen);
  free(r.shapes);
  free(r.command);
  return result;
}
