/* One side of a comparison made in C: a run of variants at one shape, each with a module of its own. */
#ifndef TESTS_UNIT_MADE_SIDE_H
#define TESTS_UNIT_MADE_SIDE_H

#include "analysis/model/findings.h"
#include "unit/made_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

static const struct shape ONE = {128, 1024, 1};

struct made_side {
  struct made_run made;
  struct findings findings;
  struct run_module modules[MADE_VARIANTS];
  char ids[MADE_VARIANTS][16], keys[MADE_VARIANTS][16];
};

static inline struct run_result *side_result(struct made_side *s, const char *id, const char *key, double time_ns) {
  size_t i = s->made.run.n_variants;
  struct run_result *r;
  snprintf(s->ids[i], sizeof s->ids[i], "%s", id);
  snprintf(s->keys[i], sizeof s->keys[i], "%s", key);
  s->modules[i] = (struct run_module){.key = s->keys[i], .arch = (char *)"sm_90a"};
  s->made.run.n_modules = i + 1;
  made_variant(&s->made, s->ids[i], "made", NULL);
  r = made_result(&s->made, s->ids[i], ONE);
  r->module = (int)i;
  r->check.verdict = VERDICT_PASS;
  if (time_ns > 0)
    made_time(r, time_ns, 5);
  return r;
}

static inline struct made_side *side_new(const char *created) {
  struct made_side *s = calloc(1, sizeof *s);
  assert_non_null(s);
  made_begin(&s->made);
  s->made.run.modules = s->modules;
  s->made.run.created = (char *)created;
  s->made.run.command = (char *)"made";
  s->made.run.device.uuid_hash = (char *)"0";
  return s;
}

static inline void side_free(struct made_side *s) {
  findings_release(&s->findings);
  free(s);
}

#endif
