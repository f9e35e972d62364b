/* Instruction rates and latencies, and what launches and blocks cost. */
#include "base/stats.h"
#include "profiler/ceilings/arithmetic.h"
#include "profiler/ceilings/measures.h"

enum { REPEATS = 3, THREADS = 1024, WARPS = THREADS / 32, LAUNCHES = 15, BLOCKS = 1 << 18, BLOCK_LAUNCHES = 5 };

int rate_per_turn(const struct rate *r) {
  return r->per_turn ? r->per_turn : BENCH_PER_TURN;
}

static int rate_turns(const struct rate *r) {
  return r->turns ? r->turns : BENCH_TURNS;
}

/* The loop must hold what it is said to hold: an instruction that the compiler merged or dropped would be counted all the same. */
static int kernel_verify(const struct bench *b, const struct rate *r, bool *seen, struct err *e) {
  const struct run_kernel *k = bench_kernel(b->code, r->kernel);
  long found = 0;
  *seen = false;
  if (!k) /* the launch says why */
    return 0;
  for (int i = 0; i < 2 && r->opcodes[i]; i++) {
    long each = bench_count(k, r->opcodes[i]);
    if (each < 0)
      return 0;
    found += each;
  }
  *seen = true;
  if (found < rate_per_turn(r))
    return err_set(e, ERR_DATA, "its SASS holds %ld of %d %s: the compiler changed the loop", found, rate_per_turn(r),
                   r->opcodes[0]);
  return 0;
}

/* Runs the loop in blocks of `threads`, one on each of `grid` SMs.  *how: whether its instructions
 * were counted. */
static int rate_pace(struct bench *b, const struct rate *r, unsigned grid, unsigned threads, struct bench_pace *out,
                     const char **how, struct err *e) {
  /* Two operands that the compiler does not know; as fp16 pairs, fp32 and the upper half of fp64 both are small numbers. */
  struct bench_shot shot = {.kernel = r->kernel,
                            .grid = grid,
                            .block = threads,
                            .data = b->data,
                            .n = 0x38003800,
                            .turns = (unsigned)rate_turns(r),
                            .extra = 0x2c002c00};
  bool seen;
  int rc = kernel_verify(b, r, &seen, e);
  if (!rc)
    rc = bench_pace(b, &shot, REPEATS, out, e);
  *how = seen ? ", counted in its SASS" : "; not checked in the SASS: there is no nvdisasm";
  return rc;
}

int measure_rate(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  const struct rate *r = m->what;
  struct bench_pace pace;
  const char *how = "";
  double lanes = 0;
  int rc = rate_pace(b, r, (unsigned)b->gpu->sms, THREADS, &pace, &how, e);
  if (!rc)
    rc = ceilings_lanes(&lanes, WARPS, (double)rate_turns(r) * rate_per_turn(r), pace.cycles, e);
  if (rc)
    return rc;
  double warp_inst = lanes / 32;
  row_fill(out, m->rows[0].name, warp_inst * r->per_inst, pace.clock_hz, "%s; %d warps per SM, %d in a loop%s", r->text,
           WARPS, rate_per_turn(r), how);
  if (m->rows[1].name && pace.clock_hz > 0)
    row_fill(out, m->rows[1].name, warp_inst * r->flops * b->gpu->sms * pace.clock_hz, pace.clock_hz,
             "dense, by mma.sync and not wgmma or tcgen05: rate_tensor x %g FLOP x SMs x clock", r->flops);
  return 0;
}

int measure_latency(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  const struct rate *r = m->what;
  struct bench_pace pace;
  const char *how = "";
  int rc = rate_pace(b, r, 1, 32, &pace, &how, e);
  if (!rc && pace.cycles <= 0)
    rc = err_set(e, ERR_DATA, "the SM's clock counted %g cycles", pace.cycles);
  if (!rc)
    row_fill(out, m->rows[0].name, pace.cycles / rate_turns(r) / rate_per_turn(r), pace.clock_hz,
             "%s; one warp, each result the next one's operand, %d in a loop%s", r->text, rate_per_turn(r), how);
  return rc;
}

static int launch_time(struct bench *b, unsigned grid, unsigned block, double *out_ns, struct err *e) {
  struct bench_shot shot = {.kernel = "empty", .grid = grid, .block = block, .data = b->data};
  int rc = bench_time_middle(b, &shot, LAUNCHES, out_ns, e);
  *out_ns *= 1e9;
  return rc;
}

/* What an empty kernel takes, and what a pair of events around one of one block says. */
int measure_launch(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  struct bench_shot shot = {.kernel = "empty", .grid = 1, .block = 32, .data = b->data};
  unsigned full = (unsigned)b->gpu->sms * 2;
  double ns = 0, samples_s[LAUNCHES];
  struct stats stats;
  int rc = 0;
  for (int i = 0; i < LAUNCHES && !rc; i++)
    rc = bench_time_events(b, &shot, &samples_s[i], e);
  if (rc)
    return rc;
  stats_of(&stats, samples_s, LAUNCHES, 0);
  row_fill(out, m->rows[2].name, stats.middle * 1e9, 0, "event pair around an empty kernel of one block");
  if (!b->activity)
    return err_set(e, ERR_MACHINE, "only CUPTI gives the kernel's own time: %s", b->why_not.text);
  rc = launch_time(b, 1, 32, &ns, e);
  if (!rc)
    row_fill(out, m->rows[0].name, ns, 0, "empty kernel, 1 block of 32 threads, CUPTI activity");
  if (!rc)
    rc = launch_time(b, full, 1024, &ns, e);
  if (!rc)
    row_fill(out, m->rows[1].name, ns, 0, "empty kernel, %u blocks of 1024 threads, CUPTI activity", full);
  return rc;
}

int measure_blocks(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  const struct blocks *w = m->what;
  double work[2], time_s[2], blocks_per_s = 0;
  int rc = 0;
  for (int i = 0; i < 2 && !rc; i++) {
    struct bench_shot shot = {.kernel = "empty", .grid = BLOCKS << 2 * i, .block = w->threads, .data = b->data};
    work[i] = shot.grid;
    rc = bench_time_middle(b, &shot, BLOCK_LAUNCHES, &time_s[i], e);
  }
  if (!rc)
    rc = ceilings_slope(&blocks_per_s, work, time_s, e);
  if (!rc)
    row_fill(out, m->rows[0].name, blocks_per_s, 0,
             "slope between an empty kernel of %d and of %d blocks of %u threads", BLOCKS, BLOCKS << 2, w->threads);
  return rc;
}
