/* kit: compiles for chips that are not here and packs what their nodes lack. */
#include "base/file.h"

#include "kernels/selection.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/measure_options.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/kit/kit.h"
#include "profiler/measure/profile.h"
#include "run/run.h"

#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"out", "FILE.tar", "the archive to write; -o FILE.tar is the same"},
    {"target", "LIST", "comma-separated chips of the nodes (default: sm_90a)"},
    {"variant", "LIST", "comma-separated ids, globs, ladders or all (default: all)"},
    {"shape", "LIST", "comma-separated shapes: bench (default), tests, llm, MxKxL"},
    {"kernel", "FILE.cu", "a kernel of your own, at or below the current folder"},
    {NULL, NULL, NULL},
};

struct packing {
  struct selection selection;
  struct profile_options options;
  struct kit kit;
  size_t failed; /* variants that did not compile */
};

/* The node asks for compile_arch of its GPU: it would not find a cubin of another name. */
static int check_target(const char *target, struct err *e) {
  char wanted[16];
  int sm = 0;
  if (sscanf(target, "sm_%d", &sm) != 1 || sm < 80 || sm > 199)
    return err_set(e, ERR_USAGE, "--target %s: must be a chip of sm_80 or later, such as sm_90a, sm_100a, sm_120a",
                   target);
  compile_arch(sm, wanted);
  return strcmp(target, wanted) == 0
             ? 0
             : err_set(e, ERR_USAGE, "--target %s: such a node needs code for %s; name that chip", target, wanted);
}

static int pack_target(struct packing *p, const char *target, struct err *e) {
  struct run run = {0};
  int rc = check_target(target, e);
  if (!rc)
    rc = compile_selected(&p->options, &p->selection, target, &run, e);
  cli_progress_end();
  if (!rc && !profile_interrupted)
    rc = kit_add_cubins(&p->kit, &run, target, &p->selection.set, e);
  for (size_t i = 0; i < run.n_results && !rc && !profile_interrupted; i++)
    if (run.results[i].check.verdict == VERDICT_FAILED &&
        (!i || run.results[i - 1].variant != run.results[i].variant)) {
      cli_tell("nvfp4-prof: %s is not in the kit: %s\n", run.variants[run.results[i].variant].id,
               run.results[i].check.reason);
      p->failed++;
    }
  for (size_t i = 0; i < run.n_notes && !rc; i++)
    cli_tell("nvfp4-prof: %s\n", run.notes[i]);
  run_release(&run);
  return rc;
}

static int pack_targets(struct packing *p, const char *list, struct err *e) {
  char target[32];
  int rc = 0;
  for (const char *at = list; *at && !rc && !profile_interrupted;) {
    size_t n = strcspn(at, ",");
    snprintf(target, sizeof target, "%.*s", (int)n, at);
    rc = pack_target(p, target, e);
    at += n + (at[n] == ',');
  }
  return rc;
}

static int tell(const struct packing *p, const char *path, struct err *e) {
  const struct kit *k = &p->kit;
  struct text out = {0};
  text_printf(&out,
              "%s written: %.1f MB; %zu cubins for %s from NVRTC %s; %s.  On the node:\n"
              "  tar xf %s && nvfp4-kit/run.sh\nand at home, of the folder measured that it leaves in nvfp4-kit:\n"
              "  nvfp4-prof report measured/run.json.gz\n",
              path, (double)k->tar.n / 1e6, k->n_cubins, k->targets, k->nvrtc, k->cupti, path);
  return cli_print_words(&out, e);
}

static int pack(struct packing *p, const struct args *a, const char *path, struct err *e) {
  const char *kernel = args_get(a, "kernel"), *variants = args_get(a, "variant"), *shapes = args_get(a, "shape"),
             *targets = args_get(a, "target");
  struct selection_asked asked = {.kernel = kernel, .variants = variants, .shapes = shapes};
  int rc = selection_load(&p->selection, &asked, e);
  if (!rc && kernel)
    rc = kit_add_source(&p->kit, &p->selection.set, kernel, e);
  if (!rc)
    rc = pack_targets(p, targets && *targets ? targets : "sm_90a", e);
  if (!rc && !profile_interrupted)
    rc = kit_finish(&p->kit, NVFP4_VERSION " (" NVFP4_GIT ")", variants, shapes, kernel, e);
  if (!rc && !profile_interrupted)
    rc = file_write(path, text_str(&p->kit.tar), p->kit.tar.n, e);
  if (!rc && !profile_interrupted)
    rc = tell(p, path, e);
  return rc;
}

/* Whether the folder takes a file, asked before minutes of compiling. */
static int check_writable(const char *path, struct err *e) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? str_printf("%.*s", slash == path ? 1 : (int)(slash - path), path) : str_copy(".");
  int rc = access(folder, W_OK | X_OK)
               ? err_set(e, ERR_IO, "-o %s: no file can be written in the folder %s", path, folder)
               : 0;
  free(folder);
  return rc;
}

static int kit_command(const struct args *a, struct err *e) {
  int rc = 0;
  const char *path = args_get(a, "out");
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "kit takes no argument '%s'; did you mean --variant %s?", a->rest[0], a->rest[0]);
  if (!path || !*path)
    return err_set(e, ERR_USAGE, "kit takes the file to write: nvfp4-prof kit --target sm_90a -o kit.tar");
  rc = check_writable(path, e);
  if (rc)
    return rc;
  struct packing p = {0};
  profile_options_default(&p.options);
  p.options.progress = cli_progress;
  cli_catch_signals();
  rc = pack(&p, a, path, e);
  if (!rc && profile_interrupted)
    rc = 128 + profile_interrupted;
  else if (!rc && p.failed)
    rc = EXIT_VARIANTS;
  selection_release(&p.selection);
  kit_release(&p.kit);
  return rc;
}

COMMAND_ROW(205, kit) = {
    .name = "kit",
    .arguments = "-o FILE.tar [OPTIONS]",
    .summary = "pack what a node with only a driver needs to profile",
    .needs = "NVRTC and CUPTI, no GPU",
    .examples = "kit --target sm_90a --out kit.tar\n"
                "kit --kernel my.cu --out kit.tar\n",
    .options = option_rows,
    .run = kit_command,
};
