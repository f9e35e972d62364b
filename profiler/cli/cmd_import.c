#include "profiler/cli/cli.h"
#include "profiler/cli/present.h"
#include "run/device.h"
#include "run/run.h"

#include "base/file.h"
#include "profiler/import/import.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"out", "FILE", "the run file to write (default: run.json)"},
    {"source", "FILE.csv,...", "views of the source with SASS, samples and counts (ncu --page source --csv)"},
    {"kernel", "GLOB", "only the kernels of such a name (default: all)"},
    {"problem", "MxKxL", "the GEMV that every imported kernel computes: least bytes and FLOPs are then known"},
    {"device", "ID|FILE",
     "set the numbers against this device's ceilings (needed where the CSV does not name the GPU)"},
    {"unused", NULL, "list what is in the files and not used"},
    {"report", "DIR", "write the report's folder too"},
    {.shared = present_option_rows},
    {"json", NULL, "print the findings as JSON"},
    {NULL, NULL, NULL},
};

struct file_list {
  struct import_file *items;
  size_t n;
};

static void list_release(struct file_list *l) {
  for (size_t i = 0; i < l->n; i++) {
    free((char *)l->items[i].name);
    free((char *)l->items[i].text);
  }
  free(l->items);
}

static int list_add(struct file_list *l, const char *path, struct err *e) {
  struct import_file *grown = realloc(l->items, (l->n + 1) * sizeof *grown);
  char *text = NULL;
  size_t n;
  if (!grown)
    return err_nomem(e, "files");
  l->items = grown;
  int rc = import_file_read(&text, &n, path, e);
  if (rc) {
    free(text);
    return rc;
  }
  grown[l->n] = (struct import_file){str_copy(path), text, n};
  l->n++;
  return grown[l->n - 1].name ? 0 : err_nomem(e, "a name");
}

/* Files with a comma between, or one whose name has a comma. */
static int list_read(struct file_list *l, const char *paths, struct err *e) {
  if (paths && access(paths, F_OK) == 0)
    return list_add(l, paths, e);
  char *copy = str_copy(paths), *rest = copy;
  int rc = copy || !paths ? 0 : err_nomem(e, "files");
  for (char *path; !rc && (path = strsep(&rest, ","));)
    rc = list_add(l, path, e);
  free(copy);
  return rc;
}

static int sign(struct run *run, const char *typed, struct err *e) {
  run->tool = str_copy(NVFP4_VERSION);
  run->git = str_copy(NVFP4_GIT);
  run->command = str_copy(typed);
  return run->tool && run->git && run->command ? 0 : err_nomem(e, "the run");
}

static int import_files(struct run *run, const struct args *a, struct import_unused *unused, struct err *e) {
  struct file_list files = {0}, sources = {0};
  struct device device = {0};
  struct shape problem;
  const char *asked = args_get(a, "device"), *shape = args_get(a, "problem");
  int rc = shape ? shape_parse(&problem, shape, e) : 0;
  if (rc)
    err_context(e, "--problem");
  if (!rc && asked)
    rc = device_load(&device, asked, e);
  for (int i = 1; i < a->n_rest && !rc; i++)
    rc = list_read(&files, a->rest[i], e);
  if (!rc)
    rc = list_read(&sources, args_get(a, "source"), e);
  if (!rc)
    rc = import_ncu(run,
                    &(struct import_options){.files = files.items,
                                             .n_files = files.n,
                                             .sources = sources.items,
                                             .n_sources = sources.n,
                                             .kernel = args_get(a, "kernel"),
                                             .problem = shape ? &problem : NULL,
                                             .device = asked ? &device : NULL,
                                             .unused = unused},
                    e);
  list_release(&files);
  list_release(&sources);
  device_release(&device);
  return rc;
}

static int import_command(const struct args *a, struct err *e) {
  struct run run = {0};
  struct import_unused unused = {0};
  const char *out = args_get(a, "out");
  struct present_options show = {
      .folder = args_get(a, "report"), .device = args_get(a, "device"), .run_file = out ? out : "run.json"};
  int rc = present_options_read(&show, a, e);
  if (!rc && (a->n_rest < 2 || strcmp(a->rest[0], "ncu") != 0))
    rc =
        err_set(e, ERR_USAGE, "import takes the tool and its files: nvfp4-prof import ncu FILE.ncu-rep --out run.json");
  if (!rc)
    rc = import_files(&run, a, args_has(a, "unused") ? &unused : NULL, e);
  if (!rc)
    rc = sign(&run, a->typed, e);
  if (!rc)
    rc = run_save(&run, out ? out : "run.json", e);
  if (!rc && args_get(a, "report"))
    rc = out_folder_make(args_get(a, "report"), e);
  if (!rc) {
    cli_tell("nvfp4-prof: %zu kernel%s imported into %s\n", run.n_results, run.n_results == 1 ? "" : "s",
             out ? out : "run.json");
    rc = present_run(&run, &show, e);
  }
  if (!rc && args_has(a, "unused"))
    printf("\nIn the files and not used: %zu\n%s", unused.n, text_str(&unused.names));
  text_release(&unused.names);
  run_release(&run);
  return rc ? rc : EXIT_DONE;
}

const struct command command_import = {
    .name = "import",
    .arguments = "ncu FILE... [OPTIONS]",
    .summary = "read Nsight Compute's output as a run",
    .needs = "Nsight Compute's report or CSV",
    .examples = "import ncu profile.ncu-rep --out run.json\n"
                "import ncu raw.csv --out run.json\n"
                "import ncu raw.csv --source source.csv --report report\n",
    .options = option_rows,
    .run = import_command,
};
