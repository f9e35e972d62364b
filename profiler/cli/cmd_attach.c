#include "profiler/cli/cli.h"

#include "profiler/attach/attach.h"
#include "version.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option_row attach_options_table[] = {
    {"out", "FILE", "the run file to write; %p is the process, %r its rank (default: run.json)"},
    {"kernel", "REGEX", "count the kernels whose name, as the compiler mangles it, has this"},
    {"nvtx", "RANGE", "count only launches within the NVTX range of this name"},
    {"launch-skip", "N", "of each kernel, leave the first N launches alone (default: 0)"},
    {"launch-count", "N", "of each kernel, count at most N launches (default: one a pass)"},
    {"window", "N", "choose the kernels to count after N launches, by their GPU time (default: 200)"},
    {"top", "N", "count so many kernels; 0: none, only times (default: 5)"},
    {"samples", "on|off", "take PC samples before counters are collected (default: on)"},
    {"sampling-interval", "N", "one PC sample of each SM every 2^N cycles, N from 5 to 31 (default: 14)"},
    {"follow-children", NULL, "profile the processes that a profiled one starts, too"},
    {"no-sass", NULL, "do not disassemble the kernels"},
    {NULL, NULL, NULL},
};

static void say(void *context, const char *sentence) {
  (void)context;
  fprintf(stderr, "nvfp4-prof: %s\n", sentence);
}

static char *command_text(int argc, char **argv) {
  struct text t = {0};
  text_add(&t, "nvfp4-prof");
  for (int i = 0; i < argc; i++)
    text_printf(&t, strpbrk(argv[i], " '\"$&*()<>|;") ? " '%s'" : " %s", argv[i]);
  return text_take(&t);
}

static int samples_read(struct attach_options *o, const struct args *a, const struct command *c, struct err *e) {
  const char *samples = args_get(a, c, "samples");
  o->sampling_exponent = 14;
  int rc = args_long(a, c, "sampling-interval", 5, 31, &o->sampling_exponent, e);
  if (rc || !samples || strcmp(samples, "on") == 0)
    return rc;
  o->sampling_exponent = 0;
  return strcmp(samples, "off") == 0 ? 0 : err_set(e, ERR_USAGE, "--samples '%s': it is on or off", samples);
}

static int options_read(struct attach_options *o, const struct args *a, const struct command *c, struct err *e) {
  regex_t regex;
  *o = (struct attach_options){.argv = a->rest, .window = 200, .top = 5, .tool = NVFP4_VERSION, .git = NVFP4_GIT};
  o->out = args_has(a, c, "out") ? args_get(a, c, "out") : "run.json";
  o->kernel = args_get(a, c, "kernel");
  o->nvtx = args_get(a, c, "nvtx");
  o->follow = args_has(a, c, "follow-children");
  o->sass = !args_has(a, c, "no-sass");
  int rc = args_long(a, c, "launch-skip", 0, 1000000000, &o->skip, e);
  if (!rc)
    rc = args_long(a, c, "launch-count", 1, 1000000000, &o->count, e);
  if (!rc)
    rc = args_long(a, c, "window", 1, 1000000000, &o->window, e);
  if (!rc)
    rc = args_long(a, c, "top", 0, 64, &o->top, e);
  if (!rc)
    rc = samples_read(o, a, c, e);
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

/* The program's exit code is attach's own, so that failures of ours take codes that programs seldom use, and are said here. */
int cmd_attach(const struct command *c, int argc, char **argv, struct err *e) {
  struct args a;
  struct attach_options o;
  char *command = command_text(argc, argv);
  int code = ATTACH_FAILED, rc = args_parse(&a, c, argc, argv, e);
  if (!rc && a.help) {
    command_help(c);
    free(command);
    return EXIT_DONE;
  }
  if (!rc)
    rc = options_read(&o, &a, c, e);
  if (!rc) {
    o.command = command;
    rc = attach_run(&o, &code, say, NULL, e);
  }
  if (rc)
    fprintf(stderr, "nvfp4-prof: attach: %s\n", e->text);
  free(command);
  return code;
}
