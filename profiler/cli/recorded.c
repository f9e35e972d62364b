#include "profiler/cli/recorded.h"
#include "run/device.h"
#include "run/run.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int recorded_path(char **out, struct err *e) {
  const char *named = getenv("NVFP4_RECORDED");
  static const char *const places[] = {NVFP4_RECORDED_INSTALLED "/h200.json.gz", NVFP4_RECORDED_INSTALLED "/h200.json",
                                       NVFP4_RECORDED_SOURCE "/h200.json.gz", NVFP4_RECORDED_SOURCE "/h200.json"};
  const char *found = named && *named ? named : NULL; /* a file that was named is used or complained of */
  for (size_t i = 0; i < sizeof places / sizeof places[0] && !found; i++)
    found = file_exists(places[i]) ? places[i] : NULL;
  *out = NULL;
  if (!found)
    return err_set(e, ERR_MACHINE,
                   "the recorded run h200.json.gz is neither in " NVFP4_RECORDED_INSTALLED
                   " nor in the source tree: set NVFP4_RECORDED to it");
  *out = str_copy(found);
  return *out ? 0 : err_nomem(e, "a path");
}

int recorded_load(struct run *out, struct err *e) {
  char *path = NULL;
  int result = recorded_path(&path, e);
  if (!result)
    result = run_load(out, path, e);
  if (!result) {
    char *note =
        str_printf("recorded on %s, %.10s, and shipped with nvfp4-prof: nothing here was measured on this machine",
                   out->device.name ? out->device.name : "a GPU", out->created ? out->created : "");
    out->origin = ORIGIN_RECORDED;
    if (note)
      run_note(out, note);
    free(note);
  }
  free(path);
  return result;
}

static bool was_measured(const struct run *r) {
  for (size_t i = 0; i < r->n_results; i++)
    if (r->results[i].timing.n > 0 || r->results[i].n_metrics > 0)
      return true;
  return false;
}

/* The same chip by name; a card without a name (an import's) may be any of its compute capability. */
static bool may_be(const struct device *d, const struct run_device *card) {
  if (card->name && d->name)
    return strcmp(d->name, card->name) == 0;
  return card->sm == 0 || d->sm == 0 || d->sm == card->sm;
}

int device_for_run(struct device *d, const char *asked, const struct run *r, struct err *e) {
  if (!asked)
    return device_from_run(d, &r->device, e);
  int rc = device_load(d, asked, e);
  if (!rc && was_measured(r) && !may_be(d, &r->device)) {
    rc = err_set(e, ERR_USAGE,
                 "--device %s: the run was measured on %s, and another chip's ceilings do not fit its counters; its "
                 "times there: nvfp4-prof project RUN --to %s",
                 asked, r->device.name ? r->device.name : "another GPU", asked);
    device_release(d);
  }
  return rc;
}

int notes_beside(char **out, const char *asked, const char *run_file, struct err *e) {
  const char *slash = strrchr(run_file, '/');
  struct stat st;
  *out = asked   ? str_copy(asked)
         : slash ? str_printf("%.*s/notes", (int)(slash - run_file), run_file)
                 : str_copy("notes");
  if (!*out)
    return err_nomem(e, "a path");
  bool there = stat(*out, &st) == 0 && S_ISDIR(st.st_mode);
  if (asked && !there)
    return err_set(e, ERR_USAGE, "--notes %s: there is no such folder", asked);
  if (!there) {
    free(*out);
    *out = NULL;
  }
  return 0;
}
