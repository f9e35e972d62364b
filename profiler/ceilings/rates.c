/* Instruction rates, and what a launch costs. */
#include "base/stats.h"
#include "profiler/ceilings/arithmetic.h"
#include "profiler/ceilings/measures.h"

enum { TURNS = 1000, REPEATS = 3, THREADS = 1024, WARPS = THREADS / 32, LAUNCHES = 15 };

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
  return found >= BENCH_PER_TURN ? 0
                                 : err_set(e, ERR_DATA, "its SASS holds %ld of %d %s: the compiler changed the loop",
                                           found, BENCH_PER_TURN, r->opcodes[0]);
}

int measure_rate(struct bench *b, struct ceilings *out, const void *what, struct err *e) {
  const struct rate *r = what;
  struct bench_pace pace;
  double lanes = 0;
  bool seen;
  /* Two operands that the compiler does not know; as fp16 pairs, fp32 and the upper half of fp64 both are small numbers. */
  struct bench_shot shot = {.kernel = r->kernel,
                            .grid = (unsigned)b->gpu->sms,
                            .block = THREADS,
                            .data = b->data,
                            .n = 0x38003800,
                            .turns = TURNS,
                            .extra = 0x2c002c00};
  int result = kernel_verify(b, r, &seen, e);
  if (!result)
    result = bench_pace(b, &shot, REPEATS, &pace, e);
  if (!result)
    result = ceilings_lanes(&lanes, WARPS, (double)TURNS * BENCH_PER_TURN, pace.cycles, e);
  if (result)
    return result;
  double warp_inst = lanes / 32;
  row_fill(out, r->row, warp_inst * r->per_inst, pace.clock_hz, "%s; %d warps an SM, %d in a loop%s", r->text, WARPS,
           BENCH_PER_TURN, seen ? ", counted in its SASS" : "; the SASS was not looked at, for want of nvdisasm");
  if (r->flops_row && pace.clock_hz > 0)
    row_fill(out, r->flops_row, warp_inst * r->flops * b->gpu->sms * pace.clock_hz, pace.clock_hz,
             "dense, by mma.sync and not wgmma or tcgen05: rate_tensor x %g FLOP x SMs x clock", r->flops);
  return 0;
}

static int launch_time(struct bench *b, unsigned grid, unsigned block, double *out_ns, struct err *e) {
  struct bench_shot shot = {.kernel = "empty", .grid = grid, .block = block, .data = b->data};
  int result = bench_time_middle(b, &shot, LAUNCHES, out_ns, e);
  *out_ns *= 1e9;
  return result;
}

/* What an empty kernel takes, and what a pair of events around one of one block says. */
int measure_launch(struct bench *b, struct ceilings *out, const void *what, struct err *e) {
  struct bench_shot shot = {.kernel = "empty", .grid = 1, .block = 32, .data = b->data};
  unsigned full = (unsigned)b->gpu->sms * 2;
  double ns = 0, samples_s[LAUNCHES];
  struct stats stats;
  int result = 0;
  (void)what;
  for (int i = 0; i < LAUNCHES && !result; i++)
    result = bench_time_events(b, &shot, &samples_s[i], e);
  if (result)
    return result;
  stats_of(&stats, samples_s, LAUNCHES, 0);
  row_fill(out, "launch_event_ns", stats.middle * 1e9, 0, "event pair around an empty kernel of one block");
  if (!b->activity)
    return err_set(e, ERR_MACHINE, "the kernel's own time is CUPTI's to tell: %s", b->why_not.text);
  result = launch_time(b, 1, 32, &ns, e);
  if (!result)
    row_fill(out, "launch_ns", ns, 0, "empty kernel, 1 block of 32 threads, CUPTI activity");
  if (!result)
    result = launch_time(b, full, 1024, &ns, e);
  if (!result)
    row_fill(out, "launch_full_ns", ns, 0, "empty kernel, %u blocks of 1024 threads, CUPTI activity", full);
  return result;
}
