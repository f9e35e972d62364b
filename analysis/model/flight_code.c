/* What the SASS says of loads under way. */
#include "analysis/model/flight.h"

#include "analysis/idioms/guards.h"
#include "analysis/sass/sass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NO_SASS[] = "the run holds no SASS of its kernel";

/* The product of 64 bits, or its upper half. */
static bool multiplies_wide(const struct sass_inst *x) {
  return strcmp(x->opcode, "IMAD") == 0 && (sass_modifier(x, "WIDE") || sass_modifier(x, "HI"));
}

static void executed_add(struct flight_code *out, const struct sass *s) {
  for (size_t i = 0; i < s->n && s->counted; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = s->executed[i];
    out->wide_products += multiplies_wide(x) ? n : 0;
    if (x->class == SASS_LOAD_GLOBAL || x->class == SASS_ASYNC_COPY)
      out->requests = value_of((out->requests.present ? out->requests.v : 0) + n);
    if (x->never || x->malformed || n <= 0)
      continue;
    out->bulk_copies += x->access == ACCESS_BULK_COPY ? n : 0;
    out->async_copies += x->access == ACCESS_ASYNC_COPY ? n : 0;
    out->global_loads += x->class == SASS_LOAD_GLOBAL ? n : 0;
  }
}

/* Sectors of global loads by exact counts: of each instruction, and of all those asked for and the least for their bytes. */
static void sectors_read(double *each, double got[2], const struct sass *s) {
  for (size_t i = 0; i < s->n; i++) {
    const struct run_count *c = s->count[i];
    if (!c || c->global_sectors < 0 || c->global_sectors_ideal < 0 || s->insts[i].class != SASS_LOAD_GLOBAL)
      continue;
    each[i] = c->global_sectors;
    got[0] += c->global_sectors;
    got[1] += c->global_sectors_ideal;
  }
}

/* --- batches: loads that a warp waits for together --- */

static bool is_load(const struct sass_inst *x) {
  bool loads = x->class == SASS_LOAD_GLOBAL || (x->access == ACCESS_ATOMIC && x->space != SPACE_SHARED);
  return loads && x->n_writes && !x->never && !x->malformed;
}

/* The first instruction behind a load that waits for it, in a loop before its end: what waits once around stands before the
 * load.  s->n: there is none. */
static size_t first_wait(const struct sass *s, size_t load) {
  size_t loop = s->blocks[s->block_of[load]].loop;
  for (size_t i = load + 1; i < s->n && (loop == SASS_NONE || sass_in_loop(s, i, loop)); i++)
    if (sass_waits_for(&s->insts[i], &s->insts[load]))
      return i;
  return s->n;
}

/* Loads that come back together. */
struct batch {
  double executed, loads;  /* the most executed of them; all */
  double sectors, request; /* that all of them asked for, and that the widest did at a time; 0: not counted */
};

static void batch_join(struct batch *b, double executed, double sectors) {
  b->executed = fmax(b->executed, executed);
  b->loads += executed;
  b->sectors += sectors;
  b->request = fmax(b->request, sectors / executed);
}

/* A batch holds as many requests as its sectors fill of the widest: a narrow one beside it is soon in the same sectors again. */
static void batch_end(struct flight_code *out, const struct batch *b, double l1_miss) {
  double requests = b->request > 0 ? b->sectors / b->request : b->loads;
  if (!(b->executed > 0))
    return;
  out->batches.v += b->executed;
  out->batches_missed += b->executed * flight_any_miss(l1_miss, requests / b->executed);
}

/* sectors: NULL: not counted.  In the order of the text: a load joins the batch before it if nothing has waited for that one yet, and it stands in the same loop. */
static void batches_add(struct flight_code *out, const struct sass *s, const double *sectors, double l1_miss) {
  size_t wait = 0, loop = SASS_NONE;
  struct batch b = {0};
  if (!out->batches.present)
    out->batches = value_of(0);
  for (size_t i = 0; i < s->n; i++) {
    if (!is_load(&s->insts[i]) || s->executed[i] <= 0)
      continue;
    size_t own_loop = s->blocks[s->block_of[i]].loop;
    if (i >= wait || own_loop != loop) {
      batch_end(out, &b, l1_miss);
      b = (struct batch){0};
      loop = own_loop;
      wait = first_wait(s, i);
    }
    batch_join(&b, s->executed[i], sectors ? sectors[i] : 0);
  }
  batch_end(out, &b, l1_miss);
}

double flight_batches(const struct sass *s) {
  struct flight_code out = {0};
  batches_add(&out, s, NULL, 1);
  return out.batches.v;
}

/* --- waits for atomics --- */

/* A warp that ends waits for its stores, too: for atomics where there is nothing else among them. */
static bool waits_for_atomic(struct sass *s, size_t at, const char *reason) {
  enum { FEEDS = 4 };
  struct sass_feed feeds[FEEDS];
  bool ends = strcmp(reason, "drain") == 0;
  if (!ends && strcmp(reason, "long_scoreboard") != 0)
    return (strcmp(reason, "lg_throttle") == 0 || strcmp(reason, "mio_throttle") == 0) &&
           sass_is_global_atomic(&s->insts[at]);
  size_t n = ends ? sass_stores_before(s, at, feeds, FEEDS) : sass_waited_for(s, at, feeds, FEEDS), atomics = 0;
  n = n < FEEDS ? n : FEEDS;
  for (size_t i = 0; i < n; i++)
    atomics += sass_is_global_atomic(&s->insts[feeds[i].inst]);
  return ends ? n > 0 && atomics == n : atomics > 0;
}

static uint64_t samples_of(const struct run_result *r) {
  uint64_t all = 0;
  for (size_t i = 0; i < r->n_samples; i++)
    all += r->samples[i].samples;
  return all;
}

static void atomics_add(struct flight_code *out, struct sass *s, const struct run_result *r, int kernel) {
  bool some = false;
  for (size_t i = 0; i < s->n && !some; i++)
    some = sass_is_global_atomic(&s->insts[i]);
  double all = some ? (double)samples_of(r) : 0;
  for (size_t i = 0; i < r->n_samples && some; i++) {
    const struct run_sample *x = &r->samples[i];
    size_t at = x->module == r->module && x->kernel == kernel ? sass_find(s, x->offset) : SASS_NONE;
    if (at != SASS_NONE && waits_for_atomic(s, at, x->reason))
      out->atomics_waits += (double)x->samples / all;
  }
}

/* TEX and TLD4 go through the filter, TLD does not. */
static void fetches_add(struct flight_code *out, const struct sass *s) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool raw = strcmp(x->opcode, "TLD") == 0;
    out->fetches_raw += raw && !x->never;
    out->fetches += !x->never && (raw || strcmp(x->opcode, "TEX") == 0 || strcmp(x->opcode, "TLD4") == 0);
  }
}

static bool warps_leave(struct sass *s) {
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->never)
      continue;
    if (x->ends || x->wait == WAIT_BLOCK || (x->access != ACCESS_NONE && x->space != SPACE_CONSTANT))
      return x->ends && x->guarded && sass_asks_place(s, i);
  }
  return false;
}

static void kernel_read(struct flight_code *out, struct sass *s) {
  struct sass_summary summary;
  sass_summarise(s, &summary);
  out->warps_leave = warps_leave(s);
  out->thread_bytes = summary.flight.bytes_thread;
  out->warp_requests = summary.flight.bytes_thread.present && summary.flight.loads
                           ? value_of((double)summary.flight.loads)
                           : value_absent(summary.flight.bytes_thread.reason ? summary.flight.bytes_thread.reason
                                                                             : "its SASS holds no global load");
}

/* sectors: see sectors_read. */
static void counts_read(struct flight_code *out, struct sass *s, const struct run_result *r, int kernel, double l1_miss,
                        double sectors[2]) {
  double *each = calloc(s->n + 1, sizeof *each);
  sass_count(s, r, r->module, kernel);
  if (!s->spread) {
    executed_add(out, s);
    sectors_read(each, sectors, s);
    if (s->counted)
      batches_add(out, s, each, l1_miss);
  }
  free(each);
}

void flight_code_of(struct flight_code *out, const struct run *run, const struct run_result *r, const char *kernel,
                    double l1_miss) {
  *out = (struct flight_code){.warp_requests = value_absent(NO_SASS),
                              .thread_bytes = value_absent(NO_SASS),
                              .requests = value_absent("it was not counted"),
                              .batches = value_absent("it was not counted"),
                              .sectors_spread = 1};
  for (size_t i = 0; i < r->n_counts; i++)
    out->shared_wavefronts += r->counts[i].shared_wavefronts > 0 ? r->counts[i].shared_wavefronts : 0;
  const struct run_module *m = r->module >= 0 ? &run->modules[r->module] : NULL;
  double sectors[2] = {0};
  for (size_t i = 0; m && i < m->n_kernels; i++) {
    struct sass s;
    if (sass_make(&s, &m->kernels[i], NULL)) /* SASS that is none, or that no compiler wrote, costs what rests on it */
      continue;
    counts_read(out, &s, r, (int)i, l1_miss, sectors);
    atomics_add(out, &s, r, (int)i);
    fetches_add(out, &s);
    if (kernel && strcmp(m->kernels[i].name, kernel) == 0)
      kernel_read(out, &s);
    sass_release(&s);
  }
  if (sectors[1] > 0 && sectors[0] > sectors[1])
    out->sectors_spread = sectors[0] / sectors[1];
}
