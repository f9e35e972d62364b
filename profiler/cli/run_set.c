#include "profiler/cli/run_set.h"

#include "profiler/cli/recorded.h"
#include "run/device.h"
#include "run/run.h"

#include <stdlib.h>

void run_set_init(struct run_set *s, size_t n) {
  *s = (struct run_set){.runs = calloc(n + 1, sizeof *s->runs),
                        .devices = calloc(n + 1, sizeof *s->devices),
                        .findings = calloc(n + 1, sizeof *s->findings)};
}

int run_set_add(struct run_set *s, const char *path, struct err *e) {
  struct run *run = &s->runs[s->n];
  struct device *device = &s->devices[s->n];
  struct findings *findings = &s->findings[s->n];
  int rc = run_read(run, path, e);
  if (!rc && (rc = device_from_run(device, &run->device, e)))
    err_context(e, "%s", path);
  if (!rc && (rc = findings_make(findings, run, device, e)))
    err_context(e, "%s", path);
  if (!rc) {
    s->n++;
    return 0;
  }
  findings_release(findings);
  device_release(device);
  run_release(run);
  return rc;
}

void run_set_release(struct run_set *s) {
  for (size_t i = 0; i < s->n; i++) {
    findings_release(&s->findings[i]);
    device_release(&s->devices[i]);
    run_release(&s->runs[i]);
  }
  free(s->findings);
  free(s->devices);
  free(s->runs);
  *s = (struct run_set){0};
}
