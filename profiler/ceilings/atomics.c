/* Atomic additions, by how many addresses they meet at. */
#include "profiler/ceilings/measures.h"

enum { THREADS = 1024, BLOCKS_PER_SM = 2 };

int measure_red(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e) {
  const struct red *r = m->what;
  double turns_per_s = 0;
  struct bench_shot shot = {.kernel = "red_f32",
                            .grid = BLOCKS_PER_SM * (unsigned)b->gpu->sms,
                            .block = THREADS,
                            .data = b->data,
                            .n = r->words,
                            .extra = (unsigned long long)r->shift << 32 | r->stride};
  int rc = measure_turns(b, &shot, r->turns, &turns_per_s, e);
  if (!rc)
    row_fill(out, m->rows[0].name, turns_per_s * shot.grid * THREADS, 0,
             "RED.ADD of fp32, %s; %d blocks of %d threads per SM, slope over turns", r->text, BLOCKS_PER_SM, THREADS);
  return rc;
}
