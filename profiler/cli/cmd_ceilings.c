/* ceilings: what this GPU can do at most, measured, and written as a device file. */
#include "base/clock.h"
#include "base/file.h"
#include "profiler/ceilings/ceilings.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/present.h"
#include "profiler/machine/machine.h"
#include "reports/text/ceilings_text.h"
#include "run/device.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"gpu", "INDEX|UUID", "measure this GPU (default: the first)"},
    {"out", "FILE.json", "the device file to write (default: ceilings.json); --device FILE.json reads it elsewhere"},
    {"chart", "DIR", "write a chart of bandwidth and latency over size there: .svg .png .gp .dat"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

/* Said before the work and not after it. */
static int out_verify(const char *path, struct err *e) {
  struct stat st;
  char *copy = str_copy(path);
  int rc = 0;
  const char *folder = dirname(copy);
  if (!str_ends(path, ".json"))
    rc = err_set(e, ERR_USAGE, "--out %s: must be a file name that ends in .json, so that --device accepts it", path);
  else if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    rc = err_set(e, ERR_USAGE, "--out %s: is a folder; name a file in it", path);
  else if (access(folder, W_OK | X_OK))
    rc = err_set(e, ERR_IO, "--out %s: %s: %s", path, folder, strerror(errno));
  free(copy);
  return rc;
}

/* --- the command --- */

static bool any_present(const struct ceilings *c) {
  for (size_t i = 0; i < c->n; i++)
    if (c->rows[i].present)
      return true;
  return false;
}

/* The file is written first: what was measured must outlive any trouble with its table or chart. */
static int present(const struct ceilings *c, const struct gpu_probe *gpu, const char *path, const char *folder,
                   bool json, struct err *e) {
  struct device d = {0};
  struct text out = {0};
  char when[CLOCK_UTC_MAX];
  clock_utc(when);
  *strchr(when, 'T') = 0; /* the day */
  int rc = ceilings_device(&d, c, gpu, when, e);
  if (!rc)
    rc = device_save(&d, path, e);
  if (rc)
    goto out;
  if (json)
    report_ceilings_json(c, &d, path, &out);
  else
    report_ceilings_term(c, &d, path, &out, cli_width(), cli_colour());
  rc = cli_print_or_words(&out, json, e);
  if (c->notes[0])
    cli_tell("nvfp4-prof: %s\n", c->notes);
  cli_tell("nvfp4-prof: device file written to %s\n", path);
  if (!rc && folder && chart_present(&(struct lone_chart){.device = &d}, folder, e))
    rc = err_context(e, "--chart");
out:
  text_release(&out);
  device_release(&d);
  return rc;
}

static int ceilings_command(const struct args *a, struct err *e) {
  struct gpu_probe gpu;
  int rc = 0;
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "ceilings takes no argument '%s'; did you mean --out %s?", a->rest[0], a->rest[0]);
  const char *path = args_get(a, "out"), *folder = args_get(a, "chart");
  path = path ? path : "ceilings.json";
  rc = out_verify(path, e);
  if (!rc)
    rc = gpu_probe(&gpu, args_get(a, "gpu"), false, e);
  if (!rc && folder && file_mkdirs(folder, e))
    rc = err_context(e, "--chart");
  struct ceilings *measured = rc ? NULL : calloc(1, sizeof *measured);
  if (!rc)
    rc = ceilings_measure(measured, cli_progress, &gpu, e);
  cli_progress_end();
  if (!rc && !any_present(measured))
    rc = err_set(e, ERR_MACHINE, "nothing could be measured, and no file was written; the first reason: %s",
                 measured->rows[0].reason);
  if (!rc)
    rc = present(measured, &gpu, path, folder, args_has(a, "json"), e);
  free(measured);
  return rc;
}

COMMAND_ROW(110, ceilings) = {
    .name = "ceilings",
    .arguments = "[OPTIONS]",
    .summary = "measure this GPU's ceilings: bandwidth, latency, rates",
    .needs = "a GPU",
    .examples = "ceilings --out h200.json --chart charts\n",
    .options = option_rows,
    .run = ceilings_command,
};
