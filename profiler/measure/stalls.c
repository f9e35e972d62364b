/* Stalls: CUPTI PC sampling of each trial's own launches.
 *
 * Mode: continuous, with start and stop around each launch, so that neither resets nor flushes are sampled.  Seen on an H200 (CUPTI 13.0,
 * 2026-11-21), a kernel of 12 us over a flush: the first start costs some 0.3 s (it grows with the hardware buffer), every other 0.05 ms, a
 * stop and its decoding 2.5 ms; disabling costs 55 ms.  The kernel-serialised mode cost about the same and sampled the flush too, which is
 * ten times the samples to decode.  Sampled or not, the kernel's time afterwards was the same.
 *
 * Period: an SM takes one sample every 2^n cycles.  At n = 5 the hardware dropped 70 % of them, at n = 8 none, and the 12 us gave 8500 samples,
 * 64 an SM.  Kernels so long that 2^8 gives more than enough are sampled less often.
 *
 * Process: once the Range Profiler had run in it, CUPTI gave every sample to "non-user kernels", without a PC; after the check, or after the check
 * and activity records, every sample came with one.  So this phase comes before the counters, or has a fresh worker, which costs some 0.7 s.
 *
 * CUPTI counts each reason twice: of all samples, and of those taken in a cycle in which the scheduler issued nothing ("_not_issued").
 */
#include "profiler/cuda/cupti_calls.h"
#include "profiler/cuda/pc_sampling.h"
#include "profiler/measure/collect.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
  LEAST_EXPONENT = 8,
  MOST_EXPONENT = 29, /* CUPTI: 31 */
  EXPONENT_STEP = 3,
  LAUNCHES_MAX = 1000,
  PCS_MAX = 16384,     /* of a hand-over; what is left comes with the next */
  LEFT_OVER_PCS = 256, /* of what is handed over when sampling ends: nothing, since every launch is read before */
  HARDWARE_BYTES = 64 << 20,
};
static const double launch_samples_max = 200000;
static const double phase_limit_s = 12, trial_limit_s = 2;

struct stall_hit { /* of one launch */
  int kernel;
  uint32_t offset;
  long reason; /* index */
  uint64_t samples, not_issued;
};

struct stall_phase {
  struct session *s;
  struct pc_sampling sampling;
  struct ready *ready; /* the trial at hand, and its code's CRC */
  uint64_t crc;
  uint64_t total;         /* samples of the launch at hand, of whatever code */
  struct stall_hit *hits; /* of the trial at hand */
  size_t n_hits, cap;
};

static int phase_open(struct stall_phase *w, uint32_t exponent, struct err *e) {
  const struct session *s = w->s;
  if (!s->has_cupti)
    return err_set(e, s->cupti_error.code, "%s", s->cupti_error.text);
  struct pc_sampling_settings settings = {.exponent = exponent,
                                          .start_stop = true,
                                          .hardware_bytes = HARDWARE_BYTES,
                                          .pcs = PCS_MAX,
                                          .left_over_pcs = LEFT_OVER_PCS};
  return pc_sampling_open(&w->sampling, &s->cupti, s->context, &settings, e);
}

static void phase_close(struct stall_phase *w) {
  pc_sampling_close(&w->sampling);
  pc_sampling_release(&w->sampling);
  free(w->hits);
}

/* --- one trial --- */

static void add_pc(struct stall_phase *w, struct run_sampling *out, int kernel, const CUpti_PCSamplingPCData *pc) {
  if (w->n_hits + pc->stallReasonCount > w->cap) {
    w->cap = 2 * w->cap + pc->stallReasonCount + 1024;
    w->hits = realloc(w->hits, w->cap * sizeof *w->hits);
  }
  for (size_t i = 0; i < pc->stallReasonCount; i++) {
    const CUpti_PCSamplingStallReason *stall = &pc->stallReason[i];
    const struct stall_reason *r = stall_reasons_find(&w->sampling.reasons, stall->pcSamplingStallReasonIndex);
    if (!r)
      continue;
    bool not_issued = r->not_issued;
    out->user += not_issued ? 0 : stall->samples;
    w->hits[w->n_hits++] = (struct stall_hit){.kernel = kernel,
                                              .offset = (uint32_t)pc->pcOffset,
                                              .reason = r->base,
                                              .samples = not_issued ? 0 : stall->samples,
                                              .not_issued = not_issued ? stall->samples : 0};
  }
}

/* Takes what the last launch left, a hand-over at a time. */
static int take_samples(void *context, const CUpti_PCSamplingData *d, bool first, struct err *e) {
  struct stall_phase *w = context;
  struct run_sampling *out = &w->ready->trial->result->sampling;
  (void)e;
  if (first) {
    w->total = d->totalSamples - d->droppedSamples;
    out->dropped += d->droppedSamples;
  }
  for (size_t i = 0; i < d->totalNumPcs; i++) {
    const CUpti_PCSamplingPCData *pc = &d->pPcData[i];
    int kernel = pc->cubinCrc == w->crc ? collect_find_kernel(w->s, w->ready, pc->functionName) : -1;
    if (kernel >= 0)
      add_pc(w, out, kernel, pc);
  }
  return 0;
}

static int sample_launch(struct stall_phase *w, struct err *e) {
  struct ready *r = w->ready;
  struct run_sampling *out = &r->trial->result->sampling;
  uint64_t user_before = out->user;
  session_beat(w->s, r->trial->index);
  collect_range_push(r);
  int rc = session_prepare(w->s, r, e);
  if (!rc)
    rc = session_wait(w->s, e); /* what comes before the steps is not sampled */
  if (!rc)
    rc = pc_sampling_start(&w->sampling, e);
  if (!rc)
    rc = session_launch(w->s, r, e);
  if (!rc)
    rc = session_wait(w->s, e);
  if (!rc)
    rc = pc_sampling_stop(&w->sampling, e);
  if (!rc)
    rc = pc_sampling_drain(&w->sampling, take_samples, w, e);
  collect_range_pop();
  uint64_t user = out->user - user_before;
  out->other += !rc && w->total > user ? w->total - user : 0;
  return rc ? err_context(e, "%s", r->trial->plan.rung->id) : 0;
}

static int compare_hits(const void *a, const void *b) {
  const struct stall_hit *x = a, *y = b;
  if (x->kernel != y->kernel)
    return x->kernel < y->kernel ? -1 : 1;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return (x->reason > y->reason) - (x->reason < y->reason);
}

/* Adds up the launches' hits, instruction by instruction, into the result. */
static void put_samples(struct stall_phase *w, struct run_result *out) {
  size_t n = 0;
  if (w->n_hits)
    qsort(w->hits, w->n_hits, sizeof *w->hits, compare_hits);
  for (size_t i = 0; i < w->n_hits; i++)
    if (n && compare_hits(&w->hits[n - 1], &w->hits[i]) == 0) {
      w->hits[n - 1].samples += w->hits[i].samples;
      w->hits[n - 1].not_issued += w->hits[i].not_issued;
    } else {
      w->hits[n++] = w->hits[i];
    }
  out->samples = calloc(n + 1, sizeof *out->samples);
  for (size_t i = 0; i < n; i++) {
    const struct stall_hit *h = &w->hits[i];
    out->samples[out->n_samples++] = (struct run_sample){.module = out->module,
                                                         .kernel = h->kernel,
                                                         .offset = h->offset,
                                                         .reason = str_copy(w->sampling.reasons.all[h->reason].name),
                                                         .samples = h->samples,
                                                         .not_issued = h->not_issued};
  }
}

static int sample_trial(struct stall_phase *w, struct ready *r, uint32_t exponent, double limit_s, struct err *e) {
  const struct compiled *code = r->trial->compiled;
  struct run_result *out = r->trial->result;
  struct run_sampling *sampling = &out->sampling;
  uint64_t wanted = (uint64_t)w->s->options->samples;
  int rc = cupti_cubin_crc(&w->s->cupti, code->cubin, code->cubin_bytes, &w->crc, e);
  double deadline_s = clock_now_s() + limit_s;
  w->ready = r;
  w->n_hits = 0;
  sampling->period_cycles = (double)((uint64_t)1 << exponent);
  while (!rc && sampling->user < wanted && sampling->launches < LAUNCHES_MAX &&
         (!sampling->launches || clock_now_s() < deadline_s)) {
    rc = sample_launch(w, e);
    sampling->launches += !rc;
  }
  if (rc) {
    *sampling = (struct run_sampling){0};
    return rc;
  }
  if (sampling->user < wanted)
    sampling->reason =
        str_printf("%llu of %llu samples: %s", (unsigned long long)sampling->user, (unsigned long long)wanted,
                   sampling->launches == LAUNCHES_MAX ? "1000 launches gave no more"
                                                      : "its share of the phase's time was used up");
  put_samples(w, out);
  return 0;
}

/* --- all trials --- */

/* The period, as a power of two, at which one launch gives enough samples and not far too many; by the time that was taken before. */
static uint32_t choose_exponent(const struct session *s, const struct ready *r) {
  const struct run_timing *t = &r->trial->result->timing;
  double cycles = t->n ? t->samples_ns[0] * 1e-9 * s->gpu->clock_max_hz : 0; /* 0: not timed */
  uint32_t exponent = LEAST_EXPONENT;
  while (exponent < MOST_EXPONENT && cycles * s->gpu->sms / (double)((uint64_t)1 << exponent) > launch_samples_max)
    exponent += EXPONENT_STEP;
  return exponent;
}

/* Whether there is something to sample that no earlier worker has sampled. */
static bool is_due(struct session *s, struct ready *r) {
  struct run_sampling *sampling = &r->trial->result->sampling;
  if (sampling->launches || sampling->reason)
    return false;
  if (!rung_plan_calls(&r->trial->plan))
    return true;
  sampling->reason = str_copy("its kernels are a library's, whose SASS is not in this run");
  collect_emit(s, r);
  return false;
}

/* The trials of one period; a session of CUPTI's is opened where there are any. */
static int sample_period(struct session *s, uint32_t exponent, double limit_s, struct err *e) {
  struct stall_phase w = {.s = s};
  bool open = false;
  int rc = 0;
  for (size_t i = 0; i < s->n_ready && !rc; i++) {
    struct ready *r = &s->ready[i];
    if (choose_exponent(s, r) != exponent || !is_due(s, r))
      continue;
    if (!open) {
      session_beat(s, -1); /* opening and closing are no trial's */
      rc = phase_open(&w, exponent, e);
    }
    open = true;
    if (!rc)
      rc = sample_trial(&w, r, exponent, limit_s, e);
    if (!rc)
      collect_emit(s, r);
  }
  if (!rc)
    session_beat(s, -1);
  phase_close(&w);
  return rc;
}

static int sample_all(struct session *s, struct err *e) {
  double share_s = phase_limit_s / (double)s->n_ready, limit_s = share_s < trial_limit_s ? share_s : trial_limit_s;
  int rc = 0;
  for (uint32_t exponent = LEAST_EXPONENT; exponent <= MOST_EXPONENT && !rc; exponent += EXPONENT_STEP)
    rc = sample_period(s, exponent, limit_s, e);
  return rc;
}

static void explain_absence(struct run_result *r, const char *why) {
  if (!r->n_samples)
    collect_explain(&r->sampling.reason, why);
}

PHASE_ROW(30, STALLS, stalls) = {
    .optional = true, .instrumented = true, .fresh = true, .collect = sample_all, .explain_absence = explain_absence};
