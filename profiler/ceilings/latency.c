/* Latency, by chasing pointers. */
#include "profiler/ceilings/arithmetic.h"
#include "profiler/ceilings/measures.h"

#include <stdio.h>

enum { LINE_BYTES = 128, STEPS = 4096, CHASES = 3, SMALLEST_BYTES = 16384, FILL_THREADS = 1024 };

struct chased { /* of one step */
  double cycles, ns;
};

/* Sends the GPU through data[from, to): it is in L2 then, as far as there is room, and what was there is not. */
static int read_through(struct bench *b, size_t from, size_t to, struct err *e) {
  struct bench_stamp ignored;
  struct bench_shot shot = {.kernel = "read_16x1",
                            .grid = 2 * (unsigned)b->gpu->sms,
                            .block = FILL_THREADS,
                            .data = b->data + from,
                            .n = to - from};
  return bench_stamps(b, &shot, &ignored, 1, e);
}

/* Follows a random walk over `bytes`, one thread on one SM.  A set that L2 holds is in it before, and in L1 as far as it fits; a larger one is in
 * neither, and no line of it is come by twice. */
static int chase_one(struct bench *b, const char *kernel, double bytes, struct chased *out, struct err *e) {
  unsigned long long lines = (unsigned long long)bytes / LINE_BYTES;
  bool resident = bytes <= b->gpu->l2_bytes;
  struct ceilings_walk walk = ceilings_walk(lines);
  struct bench_stamp stamps[2];
  struct bench_shot fill = {.kernel = "chase_fill",
                            .grid = 4 * (unsigned)b->gpu->sms,
                            .block = FILL_THREADS,
                            .data = b->data,
                            .n = lines,
                            .turns = walk.multiplier,
                            .extra = walk.addend};
  unsigned long long warm = lines < STEPS ? (lines + 15) / 16 * 16 : STEPS;
  struct bench_shot chase = {
      .kernel = kernel, .grid = 1, .block = 32, .data = b->data, .n = resident ? warm : 64, .turns = STEPS};
  int rc = bench_stamps(b, &fill, stamps, 1, e);
  if (!rc)
    rc = resident ? read_through(b, 0, (size_t)bytes, e) : read_through(b, b->bytes / 8 * 7, b->bytes, e);
  *out = (struct chased){0};
  for (int i = 0; i < CHASES && !rc; i++) {
    rc = bench_stamps(b, &chase, stamps, 2, e);
    if (!rc && !stamps[0].cycles)
      rc = err_set(e, ERR_DATA, "%s: the SM's clock counted 0 cycles", kernel);
    if (!rc && (i == 0 || (double)stamps[0].cycles / STEPS < out->cycles))
      *out = (struct chased){(double)stamps[0].cycles / STEPS, (double)stamps[0].ns / STEPS};
    chase.data = stamps[1].cycles; /* goes on where it ended */
  }
  return rc;
}

/* The largest set that leaves an eighth of the buffer to flush with. */
static double far_bytes(const struct bench *b) {
  return (double)b->bytes / 8 * 7;
}

/* The last of the octaves up to `most`. */
static double octave_below(double most) {
  double sizes[CEILINGS_POINTS_MAX];
  size_t n = ceilings_octaves(SMALLEST_BYTES, most, sizes, CEILINGS_POINTS_MAX);
  return n ? sizes[n - 1] : SMALLEST_BYTES;
}

int measure_chase(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  const struct chase *c = m->what;
  struct chased chased;
  double bytes = SMALLEST_BYTES;
  const char *note = "";
  switch (c->place) {
  case CHASE_L1:
    break;
  case CHASE_L2:
    bytes = octave_below(b->gpu->l2_bytes / 8);
    note = ", past L1 (ld.cg)";
    break;
  case CHASE_DRAM: /* L2 holds little of it, and the TLB more than of the far one */
    bytes = octave_below(8 * b->gpu->l2_bytes < far_bytes(b) ? 8 * b->gpu->l2_bytes : far_bytes(b));
    note = ", no line twice; dram_latency_far is of a larger set, further beyond the TLB's reach";
    break;
  case CHASE_FAR:
    bytes = octave_below(far_bytes(b));
    note = ", no line twice; it includes TLB misses where the set exceeds the TLB's reach";
    break;
  }
  int rc = chase_one(b, c->place == CHASE_L1 ? "chase_l1" : "chase_l2", bytes, &chased, e);
  if (rc)
    return rc;
  double clock_hz = chased.ns > 0 ? chased.cycles / chased.ns * 1e9 : 0;
  row_fill(out, m->rows[0].name, chased.cycles, clock_hz, "one thread chases pointers over %.6g MiB, %d steps%s",
           bytes / (1 << 20), STEPS, note);
  if (m->rows[1].name)
    row_fill(out, m->rows[1].name, chased.ns, clock_hz, "the same chase, by the GPU's nanosecond timer");
  return 0;
}

int measure_smem_chase(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  struct bench_pace pace;
  struct bench_shot chase = {.kernel = "chase_smem", .grid = 1, .block = 32, .data = b->data, .turns = STEPS};
  int rc = bench_pace(b, &chase, CHASES, &pace, e);
  if (!rc && pace.cycles <= 0)
    rc = err_set(e, ERR_DATA, "the SM's clock counted %g cycles", pace.cycles);
  if (!rc)
    row_fill(out, m->rows[0].name, pace.cycles / STEPS, pace.clock_hz,
             "one thread chases pointers over 4 KiB of shared memory, %d steps", STEPS);
  return rc;
}

int measure_chase_curve(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  struct ceilings_curve *c = &out->curves[m->curve - 1];
  double sizes[CEILINGS_POINTS_MAX];
  size_t n = ceilings_octaves(SMALLEST_BYTES, far_bytes(b), sizes, CEILINGS_POINTS_MAX);
  int rc = 0;
  snprintf(c->name, sizeof c->name, "latency");
  snprintf(c->x_unit, sizeof c->x_unit, "B");
  snprintf(c->y_unit, sizeof c->y_unit, "ns");
  snprintf(c->detail, sizeof c->detail,
           "one thread chases pointers, %d steps over a set of this size; beyond the L2 no line twice", STEPS);
  for (size_t i = 0; i < n && !rc; i++) {
    struct chased chased;
    rc = chase_one(b, "chase_l1", sizes[i], &chased, e);
    if (rc)
      break;
    c->x[i] = sizes[i];
    c->y[i] = chased.ns;
    c->n = i + 1;
  }
  return rc;
}
