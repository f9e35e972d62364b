/* fixed_ns: what a launch costs before any work is done.  An empty kernel of the same grid, block,
 * cluster and shared memory, allocated as many registers a thread, is timed as the rung is: CUPTI
 * activity, each launch after its own flush, all geometries interleaved round robin.  A rung of
 * several launches has one empty kernel for each, queued back to back.  Results of one geometry
 * share a measurement.
 */
#include "profiler/cuda/activity.h"
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { WARM_UP_ROUNDS = 3, ROUNDS = 30 };

struct geometry {
  const struct run_result *like; /* the first result of it */
  CUfunction *empty;             /* one a launch */
  double sum_ns;
  size_t n;       /* samples in the sum */
  struct err why; /* code 0: it is measured */
};

struct fixed {
  struct session *s;
  struct geometry *geometries;
  size_t n;
  size_t *of; /* a ready trial's geometry; n where it has none */
};

static bool same_launch(const struct run_launch *a, const struct run_launch *b) {
  return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
         memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 &&
         a->smem_static + a->smem_dynamic == b->smem_static + b->smem_dynamic &&
         session_register_class(a->registers) == session_register_class(b->registers);
}

static bool same_geometry(const struct run_result *a, const struct run_result *b) {
  if (a->n_launches != b->n_launches)
    return false;
  for (size_t i = 0; i < a->n_launches; i++)
    if (!same_launch(&a->launches[i], &b->launches[i]))
      return false;
  return true;
}

static void open_geometry(struct fixed *f, struct geometry *g) {
  size_t n = g->like->n_launches;
  g->empty = calloc(n, sizeof(CUfunction));
  for (size_t i = 0; i < n && !g->why.code; i++)
    session_empty_kernel(f->s, g->like->launches[i].registers, &g->empty[i], &g->why);
}

static void find_geometries(struct fixed *f) {
  size_t n_ready = f->s->n_ready;
  f->geometries = calloc(n_ready + 1, sizeof *f->geometries);
  f->of = calloc(n_ready + 1, sizeof *f->of);
  for (size_t i = 0; i < n_ready; i++) {
    const struct run_result *r = f->s->ready[i].trial->result;
    size_t g = 0;
    while (g < f->n && !same_geometry(f->geometries[g].like, r))
      g++;
    f->of[i] = r->timing.n && r->n_launches ? g : n_ready;
    if (f->of[i] < n_ready && g == f->n) {
      f->geometries[f->n++].like = r;
      open_geometry(f, &f->geometries[g]);
    }
  }
}

static int launch_empty(struct session *s, const struct run_launch *l, CUfunction f, struct err *e) {
  CUdeviceptr none = 0;
  void *args[] = {&none};
  const struct session_grid grid = {l->grid, l->block, l->cluster, (unsigned)(l->smem_static + l->smem_dynamic)};
  return session_launch_grid(s, f, &grid, args, e);
}

/* Queues every geometry once; one that does not launch says why and takes no further part. */
static int run_round(struct fixed *f, struct err *e) {
  struct session *s = f->s;
  int rc = 0;
  for (size_t i = 0; i < f->n && !rc; i++) {
    struct geometry *g = &f->geometries[i];
    session_beat(s, -1);
    if (!g->why.code)
      rc = session_flush(s, e);
    for (size_t k = 0; k < g->like->n_launches && !g->why.code && !rc; k++)
      launch_empty(s, &g->like->launches[k], g->empty[k], &g->why);
  }
  return rc ? rc : session_wait(s, e);
}

static int take_round(struct fixed *f, bool keep, struct err *e) {
  const struct activity_record *record;
  size_t n, expected = 0, flushes = f->s->options->l2 == L2_COLD;
  bool whole;
  int rc = activity_take(&f->s->cupti, &record, &n, &whole, e);
  for (size_t i = 0; i < f->n; i++)
    expected += f->geometries[i].why.code ? 0 : flushes + f->geometries[i].like->n_launches;
  if (rc || !keep || !whole || n != expected)
    return rc; /* a round that lost records is not counted */
  for (size_t i = 0; i < f->n; i++) {
    struct geometry *g = &f->geometries[i];
    if (g->why.code)
      continue;
    record += flushes;
    size_t last = g->like->n_launches - 1;
    g->sum_ns += (double)(record[last].end_ns - record[0].start_ns);
    g->n++;
    record += last + 1;
  }
  return 0;
}

static char *describe(const struct geometry *g) {
  const struct run_launch *l = g->like->launches;
  if (g->like->n_launches > 1)
    return str_printf(
        "CUPTI activity of %zu empty kernels, one per launch, with its grid, block, cluster, shared memory and allocated registers; mean of %zu",
        g->like->n_launches, g->n);
  return str_printf(
      "CUPTI activity of an empty kernel of the same grid, block, cluster and shared memory, %d registers per thread (the kernel has %d); mean of %zu",
      session_register_class(l->registers), l->registers, g->n);
}

static void put_results(struct fixed *f, const char *why) {
  for (size_t i = 0; i < f->s->n_ready; i++) {
    struct run_result *r = f->s->ready[i].trial->result;
    const struct geometry *g = !why && f->of[i] < f->s->n_ready ? &f->geometries[f->of[i]] : NULL;
    const char *reason = why           ? why
                         : !g          ? "its launches were not observed"
                         : g->why.code ? g->why.text
                         : !g->n       ? "CUPTI dropped the records of every round"
                                       : NULL;
    collect_put_metric(r, "fixed_ns", "ns", reason ? NULL : describe(g), reason ? 0 : g->sum_ns / (double)g->n, reason);
  }
}

void fixed_measure(struct session *s, bool activity) {
  struct fixed f = {.s = s};
  struct err e = {0};
  int rc =
      activity ? 0 : err_set(&e, ERR_MACHINE, "an event pair includes the launch: only CUPTI activity measures it");
  const struct activity_record *past; /* of the rungs' last round */
  size_t n;
  bool whole;
  if (!rc) {
    find_geometries(&f);
    rc = activity_take(&s->cupti, &past, &n, &whole, &e);
  }
  for (int i = 0; i < WARM_UP_ROUNDS + ROUNDS && f.n && !rc; i++) {
    rc = run_round(&f, &e);
    if (!rc)
      rc = take_round(&f, i >= WARM_UP_ROUNDS, &e);
  }
  put_results(&f, rc ? e.text : NULL);
  for (size_t i = 0; i < f.n; i++)
    free(f.geometries[i].empty);
  free(f.geometries);
  free(f.of);
}
