/* A run made in C for the tests of analysis: results are added one by one, and everything lives in the struct. */
#ifndef TESTS_UNIT_MADE_RUN_H
#define TESTS_UNIT_MADE_RUN_H

#include "run/device.h"
#include "run/run.h"

#include <string.h>

enum { MADE_METRICS = 64, MADE_SAMPLES = 8, MADE_VARIANTS = 16, MADE_RESULTS = 24, MADE_CEILINGS = 16 };

struct made_result {
  struct run_metric metrics[MADE_METRICS];
  double samples_ns[MADE_SAMPLES];
  struct run_launch launch;
};

struct made_run {
  struct run run;
  struct device device;
  struct run_variant variants[MADE_VARIANTS];
  struct run_result results[MADE_RESULTS];
  struct made_result rest[MADE_RESULTS];
  struct ceiling ceilings[MADE_CEILINGS];
};

static inline void made_begin(struct made_run *m) {
  memset(m, 0, sizeof *m);
  m->run.variants = m->variants;
  m->run.results = m->results;
  m->device.id = (char *)"made";
  m->device.ceilings = m->ceilings;
}

static inline struct run_variant *made_variant(struct made_run *m, const char *id, const char *ladder,
                                               const char *parent) {
  struct run_variant *v = &m->variants[m->run.n_variants++];
  v->id = (char *)id;
  v->ladder = (char *)ladder;
  v->parent = (char *)parent;
  return v;
}

static inline struct run_result *made_result(struct made_run *m, const char *id, struct shape s) {
  size_t at = m->run.n_results++;
  struct run_result *r = &m->results[at];
  r->shape = s;
  r->module = -1;
  r->metrics = m->rest[at].metrics;
  r->timing.samples_ns = m->rest[at].samples_ns;
  r->launches = &m->rest[at].launch;
  for (size_t i = 0; i < m->run.n_variants; i++)
    if (strcmp(m->variants[i].id, id) == 0)
      r->variant = (int)i;
  return r;
}

static inline void made_metric(struct run_result *r, const char *name, double value) {
  r->metrics[r->n_metrics++] = (struct run_metric){.name = (char *)name, .present = true, .value = value};
}

static inline void made_absent(struct run_result *r, const char *name, const char *reason) {
  r->metrics[r->n_metrics++] = (struct run_metric){.name = (char *)name, .reason = (char *)reason};
}

/* n equal samples: the interval is then the clock's half tick, ±16 ns. */
static inline void made_time(struct run_result *r, double time_ns, size_t n) {
  for (size_t i = 0; i < n; i++)
    r->timing.samples_ns[i] = time_ns;
  r->timing.n = n;
}

static inline void made_ceiling(struct made_run *m, const char *name, double value, enum ceiling_kind kind) {
  m->ceilings[m->device.n_ceilings++] = (struct ceiling){.name = (char *)name, .value = value, .kind = kind};
}

#endif
