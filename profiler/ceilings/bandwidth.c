/* DRAM, L2 and L1 bandwidth. */
#include "base/stats.h"
#include "profiler/ceilings/arithmetic.h"
#include "profiler/ceilings/measures.h"

#include <stdio.h>

enum {
  SELECT_REPEATS = 5,
  REPEATS = 25,
  CURVE_REPEATS = 5,
  REREAD_THREADS = 1024,
  REREAD_BYTES = 16 * REREAD_THREADS,
  REREAD_TURNS = 1024
};
static const double mib = 1 << 20;

/* An eighth and three eighths of the buffer: reading one, the other goes through L2. */
static struct bench_shot dram_shot(const struct bench *b, const struct access *a, bool large) {
  size_t eighth = b->bytes / 8, bytes = large ? 3 * eighth : eighth;
  unsigned chunks = (unsigned)(bytes / a->chunk_bytes), all = a->blocks_per_sm * (unsigned)b->gpu->sms;
  return (struct bench_shot){.kernel = a->kernel,
                             .grid = all && all < chunks ? all : chunks,
                             .block = a->block,
                             .smem = a->smem,
                             .data = b->data + (large ? eighth : 0),
                             .n = bytes,
                             .extra = 4 * eighth};
}

struct slope {         /* bytes a second */
  double slope, whole; /* whole: of the larger part, all in, as a stopwatch sees it */
};

static int dram_slope(struct bench *b, const struct dram *d, const struct access *a, int repeats, struct slope *out,
                      struct err *e) {
  struct bench_shot shots[2] = {dram_shot(b, a, false), dram_shot(b, a, true)};
  double samples_s[2][REPEATS], time_s[2], work[2], ignored_s;
  int rc = bench_time(b, &shots[1], &ignored_s, e);
  for (int r = 0; r < repeats && !rc; r++) {
    rc = bench_time(b, &shots[0], &samples_s[0][r], e);
    if (!rc)
      rc = bench_time(b, &shots[1], &samples_s[1][r], e);
  }
  for (int i = 0; i < 2 && !rc; i++) {
    struct stats stats;
    stats_of(&stats, samples_s[i], (size_t)repeats, 0);
    time_s[i] = stats.middle;
    work[i] = (double)shots[i].n * d->moved;
  }
  if (!rc)
    rc = ceilings_slope(&out->slope, work, time_s, e);
  if (!rc)
    out->whole = work[1] / time_s[1];
  return rc;
}

/* The shape that is fastest as a stopwatch sees it, and the rate of that and of the slowest. */
struct selected {
  const struct access *fastest;
  double most, least;
};

static int select_shape(struct bench *b, const struct dram *d, struct selected *out, struct err *e) {
  struct err why = {0};
  *out = (struct selected){NULL, 0, 0};
  for (size_t i = 0; i < d->n_shapes; i++) {
    struct err each = {0};
    struct slope got = {0, 0};
    int rc = dram_slope(b, d, &d->shapes[i], SELECT_REPEATS, &got, &each);
    if (rc == ERR_GPU)
      return err_set(e, rc, "%s", each.text);
    if (rc && !why.code)
      why = each;
    if (rc)
      continue;
    out->least = !out->fastest || got.whole < out->least ? got.whole : out->least;
    if (got.whole > out->most) {
      out->most = got.whole;
      out->fastest = &d->shapes[i];
    }
  }
  return out->fastest ? 0 : err_set(e, why.code, "%s", why.text);
}

/* The chosen shape is measured anew: the best of several slopes would be the one whose noise
 * happened to help it most. */
int measure_dram(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  const struct dram *d = m->what;
  struct selected chosen;
  struct slope got;
  int rc = select_shape(b, d, &chosen, e);
  if (!rc)
    rc = dram_slope(b, d, chosen.fastest, REPEATS, &got, e);
  if (rc)
    return rc;
  double eighth_mib = (double)b->bytes / 8 / mib;
  row_fill(
      out, m->rows[0].name, got.slope, 0,
      "slope between a %s of %.0f and of %.0f MiB (the larger whole: %.4g B/s), medians of %d; %s; the fastest of %zu launch shapes, of which the slowest reached %.4g B/s",
      d->verb, eighth_mib, 3 * eighth_mib, got.whole, REPEATS, chosen.fastest->text, d->n_shapes, chosen.least);
  return 0;
}

int measure_turns(struct bench *b, struct bench_shot *shot, unsigned long long turns, double *out, struct err *e) {
  double time_s[2], work[2], ignored_s;
  int rc = 0;
  for (int i = 0; i < 2 && !rc; i++) {
    shot->turns = turns * (i ? 3 : 1);
    work[i] = (double)shot->turns;
    rc = i ? 0 : bench_time(b, shot, &ignored_s, e);
    if (!rc)
      rc = bench_time_middle(b, shot, CURVE_REPEATS, &time_s[i], e);
  }
  return rc ? rc : ceilings_slope(out, work, time_s, e);
}

/* Every SM goes through `slice` bytes of its own, `span` of them a turn, at least twice and in a
 * multiple of 8 turns.  *out: turns a second of one SM. */
static int reuse_slope(struct bench *b, const char *kernel, double slice, double span, struct bench_shot *shot,
                       double *out, struct err *e) {
  unsigned long long passes2 = 2 * (unsigned long long)(slice / span), turns = REREAD_TURNS;
  turns = passes2 > turns ? (passes2 + 7) / 8 * 8 : turns;
  *shot = (struct bench_shot){.kernel = kernel,
                              .grid = (unsigned)b->gpu->sms,
                              .block = REREAD_THREADS,
                              .data = b->data,
                              .n = (unsigned long long)slice,
                              .extra = (unsigned long long)slice * (unsigned)b->gpu->sms};
  return measure_turns(b, shot, turns, out, e);
}

/* A slice for each SM, so that all together are `bytes`; whole spans, at least one. */
static double slice_of(const struct bench *b, double bytes, double span) {
  double spans = (double)(long)(bytes / b->gpu->sms / span);
  return span * (spans < 1 ? 1 : spans);
}

int measure_l2(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  static const int parts[] = {32, 16, 8, 4, 2};
  const struct reuse *r = m->what;
  double best = 0;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    struct bench_shot shot;
    struct bench_pace pace;
    double slice = slice_of(b, b->gpu->l2_bytes / parts[i] / r->sets, r->span_bytes), slope = 0;
    int rc = reuse_slope(b, r->kernel, slice, r->span_bytes, &shot, &slope, e);
    if (!rc)
      rc = bench_pace(b, &shot, 1, &pace, e);
    if (rc)
      return rc;
    if (slope <= best)
      continue;
    best = slope;
    row_fill(out, m->rows[0].name, slope * b->gpu->sms * r->per_turn, pace.clock_hz,
             "every SM %s its own part of a set of %.1f MiB %s; slope over turns", r->verb,
             slice * b->gpu->sms * r->sets / mib, r->text);
  }
  return 0;
}

int measure_l1(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  enum { TURNS = 8192, REPEATS_L1 = 3 };
  struct bench_pace pace;
  struct bench_shot shot = {.kernel = "reread_l1",
                            .grid = (unsigned)b->gpu->sms,
                            .block = REREAD_THREADS,
                            .data = b->data,
                            .n = REREAD_BYTES,
                            .turns = TURNS};
  int rc = bench_pace(b, &shot, REPEATS_L1, &pace, e);
  if (!rc && pace.cycles <= 0)
    rc = err_set(e, ERR_DATA, "the SM's clock counted %g cycles", pace.cycles);
  if (!rc)
    row_fill(out, m->rows[0].name, (double)TURNS * REREAD_BYTES / pace.cycles, pace.clock_hz,
             "every SM re-reads 16 KiB through its L1, 16 B per lane");
  return rc;
}

static void curve_name(struct ceilings_curve *c, const struct reread *r) {
  snprintf(c->name, sizeof c->name, "%s", r->curve);
  snprintf(c->x_unit, sizeof c->x_unit, "B");
  snprintf(c->y_unit, sizeof c->y_unit, "B/s");
  snprintf(
      c->detail, sizeof c->detail,
      "every SM re-reads its own part of a set of this size%s, 16 B x 8 per thread, 1024 threads; slope over turns",
      r->how);
}

int measure_read_curve(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  const struct reread *r = m->what;
  struct ceilings_curve *c = &out->curves[m->curve - 1];
  double most = 4 * b->gpu->l2_bytes < (double)b->bytes ? 4 * b->gpu->l2_bytes : (double)b->bytes;
  double slices[CEILINGS_POINTS_MAX];
  struct bench_shot shot;
  struct bench_pace pace;
  size_t n = ceilings_quarters(REREAD_BYTES, most / b->gpu->sms, slices, CEILINGS_POINTS_MAX);
  curve_name(c, r);
  int rc = n ? 0 : err_set(e, ERR_MACHINE, "the buffer is smaller than 16 KiB per SM");
  for (size_t i = 0; i < n && !rc; i++) {
    double turns_per_s = 0;
    rc = reuse_slope(b, r->kernel, slices[i], REREAD_BYTES, &shot, &turns_per_s, e);
    c->y[i] = turns_per_s * b->gpu->sms * REREAD_BYTES;
    c->x[i] = slices[i] * b->gpu->sms;
    c->n = rc ? 0 : i + 1;
  }
  if (rc || !m->rows[0].name)
    return rc;
  rc = bench_pace(b, &shot, 1, &pace, e);
  if (!rc && pace.clock_hz <= 0)
    rc = err_set(e, ERR_DATA, "the SM's clock counted %g cycles", pace.cycles);
  if (!rc)
    row_fill(out, m->rows[0].name, pace.clock_hz, pace.clock_hz,
             "SM clock while %.0f MiB are read from DRAM, again and again", c->x[n - 1] / mib);
  return rc;
}
