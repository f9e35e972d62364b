#include "base/array.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/present.h"
#include "run/device.h"
#include "run/run.h"

#include "profiler/cli/runs.h"
#include "profiler/import/import.h"
#include "profiler/import/nvbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"out", "FILE", "the run file to write (default: run.json; -o)"},
    {"source", "FILE.csv,...", "source pages with SASS, samples and counts (ncu --page source --csv)"},
    {"kernel", "GLOB", "only kernels of this name (default: all)"},
    {"problem", "MxKxL", "the GEMV that every imported kernel computes: least bytes and FLOPs are then known"},
    {"device", "ID|FILE",
     "set the numbers against this device's ceilings (needed where the CSV does not name the GPU)"},
    {"counters", "FILE,...", "with nvbench: Nsight Compute's files of the same program, for its kernels' counters"},
    {"force", NULL, "overwrite a file that no import wrote"},
    {"unused", NULL, "list the values in the files that are not used"},
    {"report", "DIR", "write the report to this folder too"},
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
  struct import_file *file = array_add(&l->items, &l->n, sizeof *file);
  char *text = NULL;
  size_t n = 0;
  int rc = import_file_read(&text, &n, path, e);
  *file = (struct import_file){str_copy(path), text, n};
  return rc;
}

/* Files with a comma between, or one whose name has a comma. */
static int list_read(struct file_list *l, const char *paths, struct err *e) {
  if (paths && access(paths, F_OK) == 0)
    return list_add(l, paths, e);
  char *copy = str_copy(paths), *rest = copy;
  int rc = 0;
  for (char *path; !rc && (path = strsep(&rest, ","));)
    rc = list_add(l, path, e);
  free(copy);
  return rc;
}

static int import_kernels(struct run *run, const struct args *a, const struct file_list *files,
                          struct import_unused *unused, struct err *e) {
  struct file_list sources = {0};
  struct device device = {0};
  struct shape problem;
  const char *asked = args_get(a, "device"), *shape = args_get(a, "problem");
  int rc = shape ? shape_parse(&problem, shape, e) : 0;
  if (rc)
    err_context(e, "--problem");
  if (!rc && asked)
    rc = device_load(&device, asked, e);
  if (!rc)
    rc = list_read(&sources, args_get(a, "source"), e);
  if (!rc)
    rc = import_ncu(run,
                    &(struct import_options){.files = files->items,
                                             .n_files = files->n,
                                             .sources = sources.items,
                                             .n_sources = sources.n,
                                             .kernel = args_get(a, "kernel"),
                                             .problem = shape ? &problem : NULL,
                                             .bytes_known = args_has(a, "counters"),
                                             .device = asked ? &device : NULL,
                                             .unused = unused},
                    e);
  list_release(&sources);
  device_release(&device);
  return rc;
}

static int import_ncu_files(struct run *run, const struct args *a, struct import_unused *unused, struct err *e) {
  struct file_list files = {0};
  int rc = args_has(a, "counters")
               ? err_set(e, ERR_USAGE, "--counters goes with import nvbench; for ncu, list all files")
               : 0;
  for (int i = 1; i < a->n_rest && !rc; i++)
    rc = list_read(&files, a->rest[i], e);
  if (!rc && files.n == 1 && nvbench_is(&files.items[0]))
    rc = err_set(e, ERR_USAGE, "%s is nvbench's JSON: use nvfp4-prof import nvbench %s", files.items[0].name,
                 files.items[0].name);
  if (!rc)
    rc = import_kernels(run, a, &files, unused, e);
  list_release(&files);
  return rc;
}

static int import_nvbench_file(struct run *run, const struct args *a, struct import_unused *unused, struct err *e) {
  struct file_list json = {0}, counters = {0};
  struct run counted = {0};
  const char *counter_files = args_get(a, "counters");
  int rc = 0;
  if (a->n_rest != 2)
    rc = err_set(e, ERR_USAGE, "import nvbench takes one file; counters of the same program go behind --counters");
  if (!rc && !counter_files && (args_has(a, "source") || args_has(a, "kernel") || args_has(a, "problem")))
    rc = err_set(e, ERR_USAGE, "--source, --kernel and --problem apply to Nsight Compute's files: add --counters FILE");
  if (!rc)
    rc = list_add(&json, a->rest[1], e);
  if (!rc && !nvbench_is(&json.items[0]))
    rc = err_set(e, ERR_DATA, "%s:1:1: is not nvbench's JSON: run the benchmark with --json or --jsonbin FILE.json",
                 json.items[0].name);
  if (!rc)
    rc = list_read(&counters, counter_files, e);
  if (!rc && counters.n)
    rc = import_kernels(&counted, a, &counters, unused, e);
  if (!rc)
    rc = import_nvbench(run, &json.items[0], counters.n ? &counted : NULL, e);
  run_release(&counted);
  list_release(&json);
  list_release(&counters);
  return rc;
}

static const struct tool {
  const char *name;
  int (*import)(struct run *run, const struct args *a, struct import_unused *unused, struct err *e);
} tools[] = {{"ncu", import_ncu_files}, {"nvbench", import_nvbench_file}};

static const struct tool *tool_find(const char *name) {
  for (size_t i = 0; name && i < sizeof tools / sizeof tools[0]; i++)
    if (strcmp(tools[i].name, name) == 0)
      return &tools[i];
  return NULL;
}

static int import_command(const struct args *a, struct err *e) {
  struct run run = {0};
  struct import_unused unused = {0};
  const char *out = args_get(a, "out");
  struct present_options show = {
      .folder = args_get(a, "report"), .device = args_get(a, "device"), .run_file = out ? out : "run.json"};
  int rc = present_options_read(&show, a, e);
  const struct tool *tool = a->n_rest < 2 ? NULL : tool_find(a->rest[0]);
  if (!rc && !tool)
    rc = err_set(e, ERR_USAGE,
                 "import takes the tool and its files: nvfp4-prof import ncu FILE.ncu-rep --out run.json, or import "
                 "nvbench FILE.json");
  if (!rc)
    rc = run_replace_verify(show.run_file, "import", args_has(a, "force"), e);
  if (!rc)
    rc = tool->import(&run, a, args_has(a, "unused") ? &unused : NULL, e);
  if (!rc)
    run_sign(&run, a->typed);
  if (!rc)
    rc = run_save(&run, show.run_file, e);
  if (!rc)
    rc = out_folder_make(show.folder, e);
  if (!rc) {
    cli_tell("nvfp4-prof: %zu kernel%s imported into %s\n", run.n_results, run.n_results == 1 ? "" : "s",
             show.run_file);
    rc = present_run(&run, &show, e);
  }
  if (!rc && args_has(a, "unused"))
    printf("\nNot used from the files: %zu\n%s", unused.n, text_str(&unused.names));
  text_release(&unused.names);
  run_release(&run);
  return rc ? rc : EXIT_DONE;
}

COMMAND_ROW(180, import) = {
    .name = "import",
    .arguments = "ncu FILE... | nvbench FILE.json [OPTIONS]",
    .summary = "import a run from Nsight Compute or nvbench",
    .needs = "Nsight Compute's report or CSV, or nvbench's JSON",
    .examples = "import ncu profile.ncu-rep --out run.json\n"
                "import ncu raw.csv --out run.json\n"
                "import ncu raw.csv --source source.csv --report report\n"
                "import nvbench bench.json --counters bench.ncu-rep\n",
    .options = option_rows,
    .clashes = present_clashes,
    .run = import_command,
};
