/* A diagnosis of a run made by hand, of which one resource takes the time: then a remedy saves what part of it goes. */
#ifndef TESTS_UNIT_MADE_DIAGNOSIS_H
#define TESTS_UNIT_MADE_DIAGNOSIS_H

#include "analysis/advice/diagnosis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"

#include <math.h>

enum { SENTENCE_MAX = 160, LINES_MAX = 20 };

struct made_diagnosis {
  struct made_run m;
  struct findings findings;
  struct diagnosis diagnosis;
  struct run_instruction sass[LINES_MAX];
  struct run_kernel kernel;
  struct run_module module;
  struct run_count counts[LINES_MAX];
};

/* 10 SMs at 1 GHz, 100 us.  80 blocks of 8 warps in 2 whole waves, evenly spread: 320 warps are resident, so that 32e6 cycles of warps are 100 us of
 * each.  No bytes are declared, and no launch costs anything: a remedy may save all. */
static inline struct run_result *made(struct made_diagnosis *d) {
  struct made_run *m = &d->m;
  memset(d, 0, sizeof *d);
  made_begin(m);
  m->device.sm = 90;
  m->device.sms = 10;
  m->device.warps_per_sm = 64;
  m->device.regs_per_sm = 65536;
  m->device.smem_per_sm = 233472;
  m->device.smem_optin = 232448;
  m->device.clock_max_hz = 1e9;
  made_ceiling(m, "dram_bw", 1e12, CEILING_MEASURED);
  made_ceiling(m, "rate_alu", 64, CEILING_DATASHEET);
  made_ceiling(m, "rate_ffma", 128, CEILING_DATASHEET);
  made_ceiling(m, "rate_fp64", 64, CEILING_DATASHEET);
  made_ceiling(m, "rate_xu", 16, CEILING_DATASHEET);
  made_variant(m, "made", "made", NULL);
  struct run_result *r = made_result(m, "made", (struct shape){128, 256, 1});
  r->n_launches = 1;
  *r->launches = (struct run_launch){.grid = {80, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 4, .registers = 32};
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "sm_cycles_active", 1e6);
  made_metric(r, "sm_cycles_active_max", 1e5);
  made_metric(r, "warps_active", 32e6);
  made_metric(r, "inst_executed", 1);
  made_time(r, 100e3, 5);
  return r;
}

static inline void set(struct run_result *r, const char *name, double value) {
  for (size_t i = 0; i < r->n_metrics; i++)
    if (strcmp(r->metrics[i].name, name) == 0) {
      r->metrics[i].value = value;
      return;
    }
  made_metric(r, name, value);
}

/* A kernel of these lines, each executed so often. */
static inline void code(struct made_diagnosis *d, const char *const *lines, const double *executed) {
  size_t n = 0;
  for (; lines[n]; n++) {
    d->sass[n] = (struct run_instruction){.offset = (uint32_t)(16 * n), .text = (char *)lines[n]};
    d->counts[n] = (struct run_count){.offset = (uint32_t)(16 * n),
                                      .executed = executed[n],
                                      .threads = 32 * executed[n],
                                      .global_sectors = -1,
                                      .global_sectors_ideal = -1,
                                      .shared_wavefronts = -1,
                                      .shared_wavefronts_ideal = -1};
  }
  d->kernel = (struct run_kernel){.name = (char *)"gemv", .sass = d->sass, .n_sass = n};
  d->module = (struct run_module){.kernels = &d->kernel, .n_kernels = 1};
  d->m.run.modules = &d->module;
  d->m.run.n_modules = 1;
  struct run_result *r = &d->m.results[0];
  r->module = 0;
  r->launches->kernel = d->kernel.name;
  r->counts = d->counts;
  r->n_counts = n;
}

/* Each load takes so many cycles, wherever its bytes are; no bytes are counted, so that there is no ramp. */
static inline void latencies(struct made_diagnosis *d, double cycles) {
  made_ceiling(&d->m, "l1_latency_cycles", cycles, CEILING_MEASURED);
  made_ceiling(&d->m, "l2_latency_cycles", cycles, CEILING_MEASURED);
  made_ceiling(&d->m, "dram_latency_cycles", cycles, CEILING_MEASURED);
  struct run_result *r = &d->m.results[0];
  set(r, "l2_read_bytes", 0);
  set(r, "l2_sectors", 1);
  set(r, "l2_sectors_hit", 0);
  set(r, "stall_wait", 0);
}

static inline void diagnose(struct made_diagnosis *d) {
  struct err e = {0};
  if (findings_make(&d->findings, &d->m.run, &d->m.device, &e))
    fail_msg("%s", e.text);
  diagnosis_make(&d->diagnosis, &d->findings, &d->findings.items[0]);
  for (size_t i = 0; i < d->diagnosis.n; i++) {
    const struct advice *a = &d->diagnosis.items[i];
    if (strlen(a->told.sentence) > SENTENCE_MAX || strlen(a->told.remedy) > SENTENCE_MAX || a->told.n_evidence == 0)
      fail_msg("%s: %s / %s", a->rule->name, a->told.sentence, a->told.remedy);
  }
}

static inline void release(struct made_diagnosis *d) {
  diagnosis_release(&d->diagnosis);
  findings_release(&d->findings);
}

static inline const struct advice *advised(const struct made_diagnosis *d, const char *rule) {
  const struct advice *a = diagnosis_find(&d->diagnosis, rule);
  if (!a)
    fail_msg("%s kept silent; first: %s", rule, d->diagnosis.n ? d->diagnosis.items[0].rule->name : "none");
  return a;
}

/* To 0.1 us: a resource a thousandth of the largest is not nothing in the model's norm. */
static inline const struct advice *saves(struct made_diagnosis *d, const char *rule, double us) {
  diagnose(d);
  const struct advice *a = advised(d, rule);
  if (!(fabs(a->price.saves_s * 1e6 - us) <= 0.1))
    fail_msg("%s saves %.9g us, wanted %.9g", a->rule->name, a->price.saves_s * 1e6, us);
  return a;
}

static inline void silent(struct made_diagnosis *d, const char *rule) {
  diagnose(d);
  const struct advice *a = diagnosis_find(&d->diagnosis, rule);
  if (a)
    fail_msg("%s saves %.9g us and ought to keep silent", rule, a->price.saves_s * 1e6);
  release(d);
}

/* So many of a million wavefronts are conflicts of shared memory. */
static inline void conflicts(struct run_result *r, double cycles) {
  set(r, "l1_wavefronts", 1e6);
  set(r, "shared_wavefronts", 1e6);
  set(r, "shared_bank_conflicts", cycles);
}

#endif
