/* A test's state: the run tests/golden/small.json, its findings and its story. */
#pragma once

#include "analysis/story/story.h"

#include <stdlib.h>

struct small_run {
  struct run run;
  struct device device;
  struct findings findings;
  struct story story;
};

static inline int small_run_setup(void **state) {
  struct small_run *x = calloc(1, sizeof *x);
  struct err e = {0};
  *state = x;
  if (!x || run_load(&x->run, TEST_SOURCE_DIR "/tests/golden/small.json", &e) ||
      device_from_run(&x->device, &x->run.device, &e) || findings_make(&x->findings, &x->run, &x->device, &e))
    return -1;
  story_make(&x->story, &x->findings, NULL);
  return 0;
}

static inline int small_run_teardown(void **state) {
  struct small_run *x = *state;
  story_release(&x->story);
  findings_release(&x->findings);
  device_release(&x->device);
  run_release(&x->run);
  free(x);
  return 0;
}
